import { Random } from '../generate/random.ts';

/** The `data` of generated items, with the fields and field frequencies of live feeds. */

const DAY_NAMES = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const ACTIVITIES = [
  'Yoga',
  'Swimming',
  'Badminton',
  'Pilates',
  'Walking Football',
  'Aqua Aerobics',
  'Spin',
  'Tai Chi',
  'Zumba',
  '5 A Side',
];
const WORDS =
  'a gentle class for all levels with our friendly team at the centre suitable for beginners and improvers please bring water towel mat arrive ten minutes early booking is advised via app or reception concessions are available on request';
const WORD_LIST = WORDS.split(' ');
const START_OF_2026 = Date.UTC(2026, 0, 5);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Prose of about `length` characters. */
export function description(r: Random, length: number): string {
  let text = '';
  while (text.length < length) text += `${r.pick(WORD_LIST)}${r.chance(0.08) ? '. ' : ' '}`;
  return text.trim();
}

function utc(instant: number): string {
  return new Date(instant).toISOString().replace('.000Z', 'Z');
}

function concept(name: string): object {
  const id = `https://openactive.io/activity-list#${name.toLowerCase().replaceAll(' ', '-')}`;
  return { '@type': 'Concept', '@id': id, prefLabel: name, inScheme: 'https://openactive.io/activity-list' };
}

function organization(site: number): object {
  return {
    '@type': 'Organization',
    '@id': `https://site${site % 80}.example.org/`,
    name: `Leisure Trust ${site % 80}`,
    legalName: `Leisure Trust ${site % 80} Limited`,
    url: `https://site${site % 80}.example.org/`,
    logo: { '@type': 'ImageObject', url: `https://cdn.example.org/logos/${site % 80}.png` },
    telephone: '01234 567890',
    taxMode: 'https://openactive.io/TaxGross',
  };
}

/** A third of live Places carry opening hours. */
function place(r: Random, site: number): object {
  const location = {
    '@type': 'Place',
    '@id': `https://site${site % 80}.example.org/places/${site}`,
    name: `Leisure Centre ${site}`,
    url: `https://site${site % 80}.example.org/centres/${site}`,
    telephone: '01234 567890',
    address: {
      '@type': 'PostalAddress',
      streetAddress: `${1 + (site % 200)} High Street`,
      addressLocality: 'Anytown',
      addressRegion: 'Oxfordshire',
      postalCode: `OX${1 + (site % 20)} 1AA`,
      addressCountry: 'GB',
    },
    geo: { '@type': 'GeoCoordinates', latitude: 50 + (site % 500) / 100, longitude: -2 + (site % 300) / 100 },
  };
  if (site % 7 > 1) return location;
  return { ...location, openingHoursSpecification: DAY_NAMES.map((day) => hours(r, day, site)) };
}

function hours(_r: Random, day: string, site: number): object {
  return {
    '@type': 'OpeningHoursSpecification',
    dayOfWeek: [`https://schema.org/${day}`],
    opens: `0${6 + (site % 3)}:00`,
    closes: `2${site % 3}:00`,
  };
}

function offers(r: Random, base: string): object[] {
  return ['Adult', 'Junior', 'Concession'].slice(0, r.int(1, 3)).map((name, index) => ({
    '@type': 'Offer',
    '@id': `${base}/offers/${index}`,
    name,
    price: r.int(0, 24) / 2,
    priceCurrency: 'GBP',
    url: `${base}/book`,
  }));
}

/** 95 % PartialSchedules; of the Schedules few carry templates and 0.7 % an exception. */
function schedules(r: Random, base: string, days: number): object[] {
  // A few publishers keep an archive of dozens of expired entries in every series.
  const count = r.chance(0.02) ? r.int(20, 52) : r.int(1, 2);
  return Array.from({ length: count }, (_, index) => {
    const hour = String(6 + ((days + index) % 15)).padStart(2, '0');
    const schedule: Record<string, unknown> = {
      '@type': r.chance(0.95) ? 'PartialSchedule' : 'Schedule',
      startDate: utc(START_OF_2026 + (days % 300) * DAY).slice(0, 10),
      startTime: `${hour}:00`,
      endTime: `${hour}:45`,
      duration: 'PT45M',
      byDay: [`https://schema.org/${r.pick(DAY_NAMES)}`],
      scheduleTimezone: 'Europe/London',
      repeatFrequency: 'P1W',
    };
    if (r.chance(0.69)) schedule.endDate = utc(START_OF_2026 + ((days % 300) + 90) * DAY).slice(0, 10);
    if (schedule['@type'] === 'Schedule') {
      schedule.scheduledEventType = 'ScheduledSession';
      if (r.chance(0.5)) schedule.idTemplate = `${base}/sessions/{startDate}`;
      if (r.chance(0.1)) schedule.exceptDate = [utc(START_OF_2026 + ((days % 300) + 14) * DAY + Number(hour) * HOUR)];
    }
    return schedule;
  });
}

/** What the series says of itself, as an item and embedded. The same series always says the same things. */
function seriesBody(series: number, sites: number): Record<string, unknown> {
  const r = new Random(series);
  const site = series % sites;
  const base = `https://dataset${series % 6}.example.org/api/session-series/${series}`;
  const activity = ACTIVITIES[series % ACTIVITIES.length] as string;
  const body: Record<string, unknown> = {
    '@type': 'SessionSeries',
    '@id': base,
    identifier: series,
    name: `${activity} ${series % 97}`,
    url: `${base}/page`,
    activity: [concept(activity)],
    organizer: organization(site),
    location: place(r, site),
  };
  if (series % 7 < 2) body.description = description(r, 180);
  if (series % 8 === 0)
    body['beta:formattedDescription'] = `<p>${description(r, 200)}</p><ul><li>${description(r, 40)}</li></ul>`;
  if (series % 3 === 0) body.level = ['All levels'];
  if (series % 5 === 0) body.genderRestriction = 'https://openactive.io/NoRestriction';
  if (series % 4 === 0) body.ageRange = { '@type': 'QuantitativeValue', minValue: 16 };
  if (series % 2 === 0)
    body.image = [{ '@type': 'ImageObject', url: `https://cdn.example.org/images/${series % 300}.jpg` }];
  return body;
}

export function seriesData(r: Random, series: number, sites: number): object {
  const body = seriesBody(series, sites);
  const base = body['@id'] as string;
  return { '@context': CONTEXT, ...body, offers: offers(r, base), eventSchedule: schedules(r, base, series) };
}

const CONTEXT = ['https://openactive.io/', 'https://openactive.io/ns-beta'];

/** One occurrence; where the parent is embedded there is often no `@id` (a third of the systems have none). */
export function sessionData(r: Random, series: number, n: number, embedded: boolean, sites: number): object {
  const base = `https://dataset${series % 6}.example.org/api/session-series/${series}`;
  const start = START_OF_2026 + (n % 365) * DAY + (6 + (series % 15)) * HOUR;
  const session: Record<string, unknown> = {
    '@context': CONTEXT,
    '@type': 'ScheduledSession',
    identifier: `${series}-${n}`,
    startDate: utc(start),
    endDate: utc(start + 0.75 * HOUR),
    duration: 'PT45M',
    maximumAttendeeCapacity: 20,
    remainingAttendeeCapacity: r.int(0, 20),
    url: `${base}/book/${n}`,
  };
  if (!embedded || series % 2 === 0) session['@id'] = `${base}/sessions/${n}`;
  if (r.chance(0.23)) session.eventStatus = `https://schema.org/${r.chance(0.1) ? 'EventCancelled' : 'EventScheduled'}`;
  if (r.chance(0.3)) session.leader = [{ '@type': 'Person', name: `Instructor ${n % 400}` }];
  if (r.chance(0.13)) session['beta:sportsActivityLocation'] = [studio(n)];
  if (r.chance(0.2)) session.attendeeInstructions = description(r, 90);
  session.offers = offers(r, `${base}/sessions/${n}`);
  session.superEvent = embedded ? seriesBody(series, sites) : base;
  return session;
}

function studio(n: number): object {
  return { '@type': 'SportsActivityLocation', identifier: n % 30, name: `Studio ${1 + (n % 30)}` };
}

export function eventData(r: Random, type: string, n: number, sites: number): object {
  const site = n % sites;
  const base = `https://dataset${n % 6}.example.org/api/events/${type}/${n}`;
  const start = START_OF_2026 + (n % 365) * DAY + (8 + (n % 12)) * HOUR;
  const event = {
    '@context': CONTEXT,
    '@type': type,
    '@id': base,
    name: `${ACTIVITIES[n % ACTIVITIES.length]} day ${n}`,
    description: description(r, 160),
    url: `${base}/page`,
    startDate: utc(start),
    endDate: utc(start + HOUR),
    duration: 'PT1H',
    activity: [concept(ACTIVITIES[n % ACTIVITIES.length] as string)],
    organizer: organization(site),
    location: place(r, site),
    offers: offers(r, base),
    maximumAttendeeCapacity: 30,
    remainingAttendeeCapacity: r.int(0, 30),
  };
  if (type === 'Event') return event;
  const at = (week: number) => ({
    startDate: utc(start + week * 7 * DAY),
    endDate: utc(start + week * 7 * DAY + HOUR),
  });
  const subEvent = Array.from({ length: 6 }, (_, week) => ({
    '@type': 'Event',
    '@id': `${base}/${week}`,
    ...at(week),
  }));
  return { ...event, endDate: utc(start + 42 * DAY), duration: 'P42D', subEvent };
}

export function facilityData(r: Random, n: number, sites: number): object {
  const site = n % sites;
  const base = `https://dataset${n % 6}.example.org/api/facility-uses/${n}`;
  return {
    '@context': CONTEXT,
    '@type': n % 5 === 0 ? 'IndividualFacilityUse' : 'FacilityUse',
    '@id': base,
    name: `Badminton Court ${n % 12}`,
    url: `${base}/page`,
    activity: [concept('Badminton')],
    provider: organization(site),
    location: place(r, site),
    hoursAvailable: DAY_NAMES.map((day) => hours(r, day, n)),
    offers: offers(r, base),
  };
}

/** `use`: the number of its facility; absent: one of two thousand. */
export function slotData(r: Random, n: number, use?: number): object {
  const facility = `https://dataset${(use ?? n) % 6}.example.org/api/facility-uses/${use ?? n % 2000}`;
  const start = START_OF_2026 + (n % 14) * DAY + (8 + (n % 12)) * HOUR;
  return {
    '@context': CONTEXT,
    '@type': 'Slot',
    '@id': `${facility}/slots/${n}`,
    facilityUse: facility,
    startDate: utc(start),
    endDate: utc(start + HOUR),
    duration: 'PT1H',
    remainingUses: r.int(0, 4),
    maximumUses: 4,
    offers: offers(r, facility),
  };
}
