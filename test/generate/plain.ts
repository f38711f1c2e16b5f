import { Random } from './random.ts';
import type { RpdeJson } from './series.ts';

/** What a harvester meets between two looks: pages of one of two feeds, or something that is not in any feed. */
export type Step =
  | { what: 'page'; feed: number; items: RpdeJson[] }
  | { what: 'publisher'; feed: number; name: string }
  | { what: 'days'; count: number }
  | { what: 'rebuild' };

const DAY = 86_400_000;
const BASE = 'https://plain.example.org';
const iso = (at: number): string => new Date(at).toISOString().replace('.000Z', 'Z');

/**
 * Some series that live from explicit sessions, and everything that changes what they show: their own items, their place,
 * their brand, the series a session belongs to, who publishes them, the day, a Schedule that comes and goes, an `@id` that
 * moves. Few identities and many changes, so that one meets the other.
 */
export class PlainPublisher {
  readonly #random: Random;
  readonly #start: number;
  #modified = 1_000_000;
  #names = 0;

  constructor(seed: number, start: number) {
    this.#random = new Random(seed);
    this.#start = start;
  }

  steps(count: number): Step[] {
    const first: Step = { what: 'page', feed: 0, items: Array.from({ length: 12 }, () => this.#item()) };
    return [first, ...Array.from({ length: count }, () => this.#step())];
  }

  #step(): Step {
    const r = this.#random;
    const what = r.weighted({ page: 20, days: 2, publisher: 1, rebuild: 1 });
    const feed = r.chance(0.8) ? 0 : 1;
    if (what === 'days') return { what, count: r.pick([1, 1, 3, 20, 40]) };
    if (what === 'publisher') return { what, feed, name: `Publisher ${r.int(1, 3)}` };
    if (what === 'rebuild') return { what };
    return { what, feed, items: Array.from({ length: r.int(1, 6) }, () => this.#item()) };
  }

  #item(): RpdeJson {
    const what = this.#random.weighted({ session: 10, series: 5, place: 2, brand: 1, facility: 1 });
    if (what === 'session') return this.#session();
    if (what === 'series') return this.#series();
    const type = { place: 'Place', brand: 'EventSeries', facility: 'FacilityUse' }[what];
    const data: Record<string, unknown> = { '@type': type, '@id': `${BASE}/${what}`, name: this.#name() };
    if (what === 'place') data.openingHoursSpecification = this.#hours();
    if (what === 'facility') Object.assign(data, { location: `${BASE}/place`, hoursAvailable: this.#hours() });
    return this.#sent(type, what, data, 0.15);
  }

  #hours(): object[] {
    const days = this.#random.some(['Monday', 'Tuesday', 'Saturday'], this.#random.int(0, 3));
    return days.map((day) => ({
      '@type': 'OpeningHoursSpecification',
      dayOfWeek: `https://schema.org/${day}`,
      opens: this.#random.pick(['08:00', '09:00']),
      closes: '17:00',
    }));
  }

  #sent(kind: string, id: string, data: Record<string, unknown>, deleted: number): RpdeJson {
    this.#modified += 1;
    const item = { kind, id, modified: this.#modified };
    return this.#random.chance(deleted)
      ? { state: 'deleted', ...item }
      : { state: 'updated', ...item, data: { '@context': 'https://openactive.io/', ...data } };
  }

  #name(): string {
    this.#names += 1;
    return this.#random.chance(0.5) ? 'The same' : `Another ${this.#names}`;
  }

  #series(): RpdeJson {
    const r = this.#random;
    const n = r.int(1, 4);
    const id = r.chance(0.06) ? `${BASE}/moved/${n}` : `${BASE}/series/${n}`;
    const data: Record<string, unknown> = { '@type': 'SessionSeries', '@id': id, name: this.#name() };
    if (r.chance(0.2)) data.location = `${BASE}/place`;
    if (r.chance(0.2)) data.superEvent = `${BASE}/brand`;
    if (r.chance(0.05)) data.eventStatus = 'https://schema.org/EventCancelled';
    if (r.chance(0.2)) data.organizer = { '@type': 'Organization', name: this.#name() };
    if (r.chance(0.3)) data.eventSchedule = [r.chance(0.3) ? this.#schedule() : this.#partial()];
    if (r.chance(0.3)) data.subEvent = [this.#sessionData(n)];
    if (r.chance(0.3)) data['ext:unseen'] = r.int(0, 99);
    return this.#sent('SessionSeries', `series-${n}`, data, 0.12);
  }

  #day(days: number): string {
    return iso(this.#start + days * DAY).slice(0, 10);
  }

  #schedule(): object {
    return {
      '@type': 'Schedule',
      startDate: this.#day(-20),
      startTime: '10:00',
      duration: 'PT1H',
      repeatFrequency: 'P1W',
      scheduleTimezone: 'UTC',
    };
  }

  /** Its words are shown until it has ended. */
  #partial(): object {
    return {
      '@type': 'PartialSchedule',
      byDay: ['https://schema.org/Monday'],
      startTime: '18:00',
      endTime: '19:00',
      repeatFrequency: 'P1W',
      ...(this.#random.chance(0.6) && { endDate: this.#day(this.#random.int(-10, 60)) }),
    };
  }

  #sessionData(series: number): Record<string, unknown> {
    const r = this.#random;
    const n = r.int(1, 8);
    const start = r.chance(0.06) ? Date.UTC(2300, 0, n) : this.#start + r.int(-60, 90) * DAY;
    const data: Record<string, unknown> = {
      '@type': 'ScheduledSession',
      '@id': `${BASE}/session/${n}`,
      superEvent: `${BASE}/series/${series}`,
      startDate: iso(start),
      endDate: iso(start + r.int(1, 2) * 3_600_000),
      remainingAttendeeCapacity: r.int(0, 20),
    };
    if (r.chance(0.2)) data.name = this.#name();
    if (r.chance(0.15)) data.location = `${BASE}/place`;
    if (r.chance(0.2)) data.eventStatus = 'https://schema.org/EventCancelled';
    return data;
  }

  #session(): RpdeJson {
    const r = this.#random;
    const data = this.#sessionData(r.int(1, 4));
    const id = String(data['@id']).slice(-1);
    if (r.chance(0.1)) data.superEvent = { '@type': 'SessionSeries', '@id': data.superEvent, name: this.#name() };
    return this.#sent('ScheduledSession', id, data, 0.15);
  }
}
