/** Pages of a feed whose items are as large as a page may be: 20,000 opening hours, 3,000 Schedules, 10 MB of text. */

const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 1);
const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

const dateOf = (day: number) => new Date(START + day * DAY).toISOString().slice(0, 10);
const two = (number: number) => String(number).padStart(2, '0');
const dayOf = (index: number) => `https://schema.org/${DAYS[index % 7]}`;

function hours(count: number, special = false): object[] {
  return Array.from({ length: count }, (_, i) => ({
    '@type': 'OpeningHoursSpecification',
    dayOfWeek: dayOf(i),
    opens: `${two(i % 23)}:${two((i * 7) % 60)}`,
    closes: `${two((i % 23) + 1)}:${two((i * 13) % 60)}`,
    ...((special || i % 3 > 0) && { validFrom: dateOf(i % 700), validThrough: dateOf((i % 700) + (i % 50)) }),
  }));
}

function schedules(count: number): object[] {
  return Array.from({ length: count }, (_, i) => ({
    '@type': 'Schedule',
    startDate: dateOf(i % 300),
    endDate: '2029-12-31',
    startTime: `${two(i % 24)}:${two(i % 60)}`,
    duration: 'PT1H',
    repeatFrequency: 'P1D',
    scheduleTimezone: 'Europe/London',
    scheduledEventType: 'ScheduledSession',
    idTemplate: `https://h.example/s/${i}/{startDate}`,
    exceptDate: Array.from({ length: 5 }, (__, k) => `${dateOf((i % 300) + k)}T07:00:00Z`),
  }));
}

function patterns(count: number): object[] {
  return Array.from({ length: count }, (_, i) => ({
    '@type': 'PartialSchedule',
    startTime: `${two(i % 24)}:${two(i % 60)}`,
    endTime: '23:59',
    byDay: [dayOf(i)],
    repeatFrequency: 'P1W',
  }));
}

function sessions(count: number): object[] {
  return Array.from({ length: count }, (_, i) => ({
    '@type': 'ScheduledSession',
    '@id': `https://h.example/sub/${i}`,
    startDate: new Date(START + 320 * DAY + i * 1_800_000).toISOString(),
    duration: 'PT30M',
  }));
}

const place = {
  '@type': 'Place',
  '@id': 'https://h.example/place/1',
  name: 'Hostile hall',
  address: { '@type': 'PostalAddress', streetAddress: '1 Street', addressCountry: 'GB' },
};

function item(kind: string, id: string, data: object): object {
  const named = { '@type': kind, '@id': `https://h.example/${id}`, name: `Hostile ${id}`, location: place };
  return { state: 'updated', kind, id, modified: 1, data: { ...named, ...data } };
}

/** The texts of the pages, each for a file of a folder; beside what is hostile a calm series. */
export function hostilePages(): string[] {
  const venue = { ...place, location: undefined, openingHoursSpecification: hours(20_000) };
  const pages = [
    [item('SessionSeries', 'calm', { name: 'Calm yoga', eventSchedule: schedules(1) })],
    [item('FacilityUse', 'hours', { hoursAvailable: hours(20_000) })],
    [item('Place', 'place/1', { ...venue, specialOpeningHoursSpecification: hours(10_000, true) })],
    [item('SessionSeries', 'schedules', { eventSchedule: schedules(3000) })],
    [item('SessionSeries', 'patterns', { eventSchedule: patterns(3000) })],
    [item('SessionSeries', 'sessions', { subEvent: sessions(20_000) })],
    [item('SessionSeries', 'texts', { description: '<p>Yoga</p> & '.repeat(700_000), eventSchedule: schedules(1) })],
  ];
  const license = 'https://creativecommons.org/licenses/by/4.0/';
  return pages.map((items, page) => JSON.stringify({ next: `https://h.example/${page + 1}`, license, items }));
}
