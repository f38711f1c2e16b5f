import { expect, test } from 'vitest';
import type { Facets, OccurrenceItem, PageQuery } from '../../../src/library/index.ts';
import { activityKeysOf } from '../../../src/search/document.ts';
import { readFilters } from '../../../src/search/query.ts';
import { Random } from '../../generate/random.ts';
import type { RpdeJson } from '../../generate/series.ts';
import { item, served } from '../../server/stored-rig.ts';

/** Facets, counted by the index, are those of all occurrences that are listed, each with its record. */

const LABELS = ['Yoga', 'Hatha Yoga', 'Swimming', 'Badminton Court', 'Bog snorkelling', 'Sport'];
const ZONES = ['Europe/London', 'Pacific/Auckland', 'America/New_York'];
const QUERIES = [
  '',
  'cancelled=1',
  'q=yoga',
  'q=swimming',
  'q=gentle',
  'activity=Swimming',
  'place=Hall 1',
  'near=50.7,-3.5&within=8',
  'maxPrice=5',
  'free=1',
  'age=7',
  'online=1',
  'organizer=Club 1',
  'level=Beginner',
  'gender=female',
  'day=sat,sun',
  'after=18:00',
  'q=yoga&day=mon',
  'from=2026-12-01&to=2026-12-03',
];

class Feed {
  readonly #random: Random;

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  items(): RpdeJson[] {
    const parents = [0, 1].map((at) => this.#item('EventSeries', `parent/${at}`, this.#details(0.8)));
    const places = [0, 1, 2].map((at) => this.#item('Place', `place/${at}`, this.#place(at, true)));
    const series = Array.from({ length: 30 }, (_, at) => this.#series(at));
    return [...parents, ...places, ...series.flat()];
  }

  #item(type: string, path: string, data: object): RpdeJson {
    const id = `https://example.org/${path}`;
    return item(type, id, { '@type': type, '@id': id, ...data });
  }

  #series(at: number): RpdeJson[] {
    const random = this.#random;
    const type = random.pick(['SessionSeries', 'SessionSeries', 'HeadlineEvent']);
    const id = `https://example.org/series/${at}`;
    const data = {
      ...this.#details(0.6),
      ...(random.chance(0.2) && { superEvent: `https://example.org/parent/${random.int(0, 1)}` }),
      ...(random.chance(0.2) && { eventStatus: 'https://schema.org/EventCancelled' }),
      ...(type === 'SessionSeries' ? this.#schedule(id) : this.#parts(id)),
    };
    const sessions =
      type === 'SessionSeries' ? Array.from({ length: random.int(0, 4) }, (_, n) => this.#session(id, n)) : [];
    return [this.#item(type, `series/${at}`, data), ...sessions];
  }

  #schedule(id: string): object {
    if (!this.#random.chance(0.6)) return {};
    const { startDate, startTime } = this.#time();
    const eventSchedule = {
      startDate,
      startTime,
      duration: 'PT1H',
      repeatFrequency: this.#random.pick(['P1D', 'P1W']),
      repeatCount: this.#random.int(1, 9),
      scheduleTimezone: this.#random.pick(ZONES),
      idTemplate: `${id}?{startDate}`,
      scheduledEventType: 'ScheduledSession',
    };
    return { eventSchedule };
  }

  #parts(id: string): object {
    const { startDate, startTime } = this.#time();
    const times = { startDate: `${startDate}T${startTime}Z`, duration: 'PT1H' };
    const part = { '@type': 'Event', '@id': `${id}/part`, ...(this.#random.chance(0.5) ? times : this.#starts()) };
    return { ...times, subEvent: [part] };
  }

  #session(series: string, at: number): RpdeJson {
    return this.#item('ScheduledSession', `${series.slice(20)}/${at}`, {
      superEvent: series,
      ...this.#starts(),
      ...this.#details(0.2),
      ...(this.#random.chance(0.2) && { eventStatus: 'https://schema.org/EventCancelled' }),
      ...(this.#random.chance(0.2) && { eventStatus: 'https://schema.org/EventScheduled' }),
    });
  }

  #starts(): object {
    const { startDate, startTime } = this.#time();
    if (this.#random.chance(0.1)) return { startDate };
    return { startDate: `${startDate}T${startTime}Z`, ...(this.#random.chance(0.8) && { duration: 'PT45M' }) };
  }

  #time(): { startDate: string; startTime: string } {
    const day = this.#random.int(18, 40);
    const date = day <= 30 ? `2026-11-${day}` : `2026-12-${String(day - 30).padStart(2, '0')}`;
    return { startDate: date, startTime: this.#random.pick(['00:00', '09:00', '18:30', '23:30']) };
  }

  #details(chance: number): object {
    const random = this.#random;
    const maybe = (made: () => object): object => (random.chance(chance) ? made() : {});
    return {
      ...maybe(() => ({ name: random.pick(['Gentle yoga', 'Swimming for all', 'Morning class']) })),
      ...maybe(() => ({
        activity: [random.pick(LABELS), random.pick(LABELS)].map((prefLabel) => ({ '@type': 'Concept', prefLabel })),
      })),
      ...maybe(() => ({ location: this.#place(random.int(0, 3), random.chance(0.6)) })),
      ...maybe(() => ({ offers: [{ '@type': 'Offer', price: random.pick([0, 4, 9]), priceCurrency: 'GBP' }] })),
      ...maybe(() => ({ ageRange: { '@type': 'QuantitativeValue', minValue: random.pick([5, 18]) } })),
      ...maybe(() => ({ organizer: { '@type': 'Organization', name: `Club ${random.int(1, 2)}` } })),
      ...maybe(() => ({ level: [random.pick(['Beginner', 'Advanced'])] })),
      ...maybe(() => ({ genderRestriction: 'https://openactive.io/FemaleOnly' })),
      ...maybe(() => ({ eventAttendanceMode: 'https://schema.org/OnlineEventAttendanceMode' })),
      ...maybe(() => ({ description: 'Gentle, with yoga and swimming.' })),
    };
  }

  #place(at: number, isNamed: boolean): object {
    const geo = { '@type': 'GeoCoordinates', latitude: 50.7 + at / 20, longitude: -3.5 };
    const id = at === 3 ? {} : { '@id': `https://example.org/place/${at}` };
    return { '@type': 'Place', ...id, ...(isNamed && { name: `Hall ${at}` }), geo };
  }
}

/** Counted one by one, of all that are listed. */
function plain(items: readonly OccurrenceItem[]): { day: object; activity: object; place: object } {
  const [day, activity, place] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()];
  const add = (to: Map<string, number>, key: string | undefined): void => {
    if (key !== undefined) to.set(key, (to.get(key) ?? 0) + 1);
  };
  for (const { start, allDay, zone, details, place: at } of items) {
    const timeZone = allDay ? 'UTC' : zone;
    add(day, new Intl.DateTimeFormat('en', { weekday: 'short', timeZone }).format(start).toLowerCase());
    for (const key of activityKeysOf(details.activity ?? [])) add(activity, key);
    add(place, at?.key);
  }
  return { day: Object.fromEntries(day), activity: Object.fromEntries(activity), place: Object.fromEntries(place) };
}

function shown({ day, activity, place }: Facets): ReturnType<typeof plain> {
  const some = Object.entries(day).filter(([, count]) => count > 0);
  return {
    day: Object.fromEntries(some),
    activity: Object.fromEntries(
      activity.map(({ id, name, count }) => [id ?? activityKeysOf([name])[0] ?? name, count]),
    ),
    place: Object.fromEntries(place.map(({ key, count }) => [key, count])),
  };
}

test.each([1, 2, 3, 4])('random feed %i', async (seed) => {
  const rig = await served();
  let counted = 0;
  try {
    await rig.feed(...new Feed(seed).items());
    const { search } = rig.library;
    for (const query of QUERIES) {
      const { filters, problems } = readFilters(new URLSearchParams(query));
      expect(problems).toEqual([]);
      const items: OccurrenceItem[] = [];
      for (let page: PageQuery | undefined = { limit: 500 }; page !== undefined; ) {
        const found = await search.occurrences(filters, page);
        items.push(...found.items);
        page = found.next === undefined ? undefined : { limit: 500, after: found.next };
      }
      const facets = await search.facets(filters);
      expect({ query, ...shown(facets) }).toEqual({ query, ...plain(items) });
      expect([facets.counted, facets.whole]).toEqual([items.length, true]);
      counted += items.length;
    }
    expect(counted).toBeGreaterThan(300);
  } finally {
    await rig.close();
  }
});
