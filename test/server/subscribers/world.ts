import { Random } from '../../generate/random.ts';
import { type RpdeJson, randomFeed } from '../../generate/series.ts';
import { randomVenueJson } from '../../hours/random-place.ts';

/** How many series live from explicit sessions alone, and from how many; more than 1,000 are more than a calendar holds. */
export interface Size {
  series: number;
  sessions: number;
}

/** A publisher who changes something on most days, as publishers do. */
export class World {
  readonly #random: Random;
  /** The newest item of each key, deletions too. */
  readonly items = new Map<string, RpdeJson>();
  #modified = 2_000_000_000;
  #renamed = 0;

  constructor(seed: number, size: Size) {
    this.#random = new Random(seed);
    const made = [...randomFeed(seed, 4).map(atOnePlace), ...this.#venues(), this.#explicit(size)].flat();
    for (const item of made) this.#keep({ ...item, modified: this.#next() });
  }

  all(): RpdeJson[] {
    return [...this.items.values()];
  }

  /** What the publisher does on one day; nothing, on some. */
  day(today: number): RpdeJson[] {
    const count = this.#random.among([
      [4, 0],
      [6, 1],
      [2, 3],
    ]);
    const changed = Array.from({ length: count }, () => this.#change(this.#random.pick(this.all()), today));
    for (const item of changed) this.#keep(item);
    return changed;
  }

  #next(): number {
    this.#modified += 1;
    return this.#modified;
  }

  #keep(item: RpdeJson): void {
    this.items.set(`${item.kind} ${item.id}`, item);
  }

  #venues(): RpdeJson[] {
    return [1, 2].map((index) => {
      const { json } = randomVenueJson(this.#random, index);
      return { state: 'updated', kind: String(json['@type']), id: `venue-${index}`, modified: 0, data: json };
    });
  }

  /** Series that live from explicit sessions alone, all within a year. */
  #explicit({ series, sessions }: Size): RpdeJson[] {
    return Array.from({ length: series }, (_, index) => explicit(`explicit-${index}`, sessions)).flat();
  }

  #change(item: RpdeJson, today: number): RpdeJson {
    const modified = this.#next();
    if (item.data === undefined) return { ...item, modified, ...this.#brought(item) };
    const data = structuredClone(item.data);
    const what = this.#random.weighted({ text: 5, cancel: 2, move: 3, withdraw: 2, hours: 3, nothing: 2, rename: 1 });
    if (what === 'withdraw') {
      this.#withdrawn.set(`${item.kind} ${item.id}`, item.data);
      return { state: 'deleted', kind: item.kind, id: item.id, modified };
    }
    if (what === 'text') data.name = `Named on ${new Date(today).toISOString().slice(0, 10)}`;
    if (what === 'cancel') data.eventStatus = 'https://schema.org/EventCancelled';
    if (what === 'move') this.#move(data);
    if (what === 'hours') this.#hours(data);
    if (what === 'rename' && item.kind === 'SessionSeries') data['@id'] = `${data['@id']}/moved-${++this.#renamed}`;
    return { ...item, data, modified };
  }

  readonly #withdrawn = new Map<string, Record<string, unknown>>();

  #brought(item: RpdeJson): Pick<RpdeJson, 'state' | 'data'> {
    const data = this.#withdrawn.get(`${item.kind} ${item.id}`) as Record<string, unknown>;
    return this.#random.chance(0.5) ? { state: 'updated', data } : { state: 'deleted' };
  }

  #move(data: Record<string, unknown>): void {
    if (typeof data.startDate !== 'string' || !data.startDate.includes('T')) return;
    const by = this.#random.pick([-90, -30, 15, 60, 1440, 10_080]) * 60_000;
    data.startDate = new Date(Date.parse(data.startDate) + by).toISOString();
    if (typeof data.endDate === 'string') data.endDate = new Date(Date.parse(data.endDate) + by).toISOString();
  }

  #hours(data: Record<string, unknown>): void {
    const { json } = randomVenueJson(this.#random, 9);
    for (const name of ['openingHoursSpecification', 'specialOpeningHoursSpecification', 'hoursAvailable'])
      if (name in data && name in json) data[name] = (json as Record<string, unknown>)[name];
  }
}

const PLACE = { '@type': 'Place', '@id': 'https://bookings.example.org/api/places/1', name: 'Leisure Centre 1' };

function explicit(name: string, count: number): RpdeJson[] {
  const id = `https://bookings.example.org/api/series/${name}`;
  const day = Date.UTC(2026, 10, 1, 18);
  const sessions = Array.from({ length: count }, (_, index): RpdeJson => {
    const startDate = new Date(day + Math.floor((index * 365 * 86_400_000) / count)).toISOString();
    const data = { '@type': 'ScheduledSession', '@id': `${id}/${index}`, superEvent: id, startDate, duration: 'PT1H' };
    return { state: 'updated', kind: 'ScheduledSession', id: `${name}-${index}`, modified: 0, data };
  });
  const data = { '@type': 'SessionSeries', '@id': id, name, location: PLACE };
  return [{ state: 'updated', kind: 'SessionSeries', id: name, modified: 0, data }, ...sessions];
}

/** So that much is on at the place. */
function atOnePlace(item: RpdeJson): RpdeJson {
  if (item.data?.location === undefined) return item;
  return { ...item, data: { ...item.data, location: PLACE } };
}
