import { DAY, dateOf, dayNumber, instantOf, patternDays, utc, wallOf } from '../oracle/days.ts';
import { FIRST_DAY, LAST_DAY, randomPattern, spelled } from './pattern.ts';
import { Random } from './random.ts';

export { FIRST_DAY, LAST_DAY };

/**
 * Random series as a publisher would write them: raw RPDE items of one SessionSeries and its ScheduledSessions, the
 * same for the same seed on every machine. They exercise semantics 3 and 4, not the tolerance for broken data: every
 * value is of the type the model asks for, in one of its spellings.
 */

export interface RpdeJson {
  state: 'updated' | 'deleted';
  kind: string;
  id: string | number;
  modified: number;
  data?: Record<string, unknown>;
}

export const ZONES = [
  'Europe/London',
  'America/New_York',
  'Australia/Sydney',
  'Asia/Kolkata',
  'Pacific/Auckland',
  'Australia/Lord_Howe',
  'UTC',
];

const OCCURRENCE_TYPE: Record<string, string> = { SessionSeries: 'ScheduledSession', CourseInstance: 'Event' };
/** [start, minutes]: common ones, those inside the hours that summer time adds or removes, and nights. */
const TIMES: readonly (readonly [number, [string, number]])[] = [
  [6, ['18:00', 60]],
  [4, ['09:15', 45]],
  [3, ['12:00', 90]],
  [2, ['06:30', 60]],
  [2, ['19:30:00', 120]],
  [2, ['01:30', 60]],
  [2, ['02:30', 30]],
  [2, ['22:00', 480]],
  [1, ['00:00', 60]],
  [1, ['23:30', 60]],
];
const NAMES = [
  'Yoga, gentle; slow',
  'Aqua-fit ☕ für alle',
  'Back \\ Forward "drill"',
  'Walking football 🥅 over 50s',
  '太極拳 in the park',
  'Badminton: mixed doubles, all levels welcome, bring your own racket and a friend if you like',
];

/** One item per series and one per session, `modified` ascending. */
export function randomSeries(seed: number): { items: RpdeJson[] } {
  return new SeriesMaker(seed).make();
}

/**
 * The items of `n` series shuffled together, as a crawl of several feeds would meet them: sessions may come before
 * their series. `modified` stays as it was made, so re-sent older copies are still older.
 */
export function randomFeed(seed: number, n: number): RpdeJson[] {
  const items: RpdeJson[] = [];
  for (let i = 0; i < n; i++) items.push(...randomSeries(seed * 100_003 + i).items);
  return new Random(seed).shuffle(items);
}

/** A window in which series of this module have occurrences: two UTC dates, the second excluded. */
export function randomWindow(seed: number): { from: string; to: string } {
  const random = new Random(seed ^ 0x5bd1e995);
  const from = random.int(dayNumber(FIRST_DAY), dayNumber(LAST_DAY) - 400);
  return { from: dateOf(from), to: dateOf(from + random.int(1, random.pick([10, 100, 400]))) };
}

interface MadeSchedule {
  json: Record<string, unknown>;
  zone: string;
  /** Starts of the rule's instances, exceptions included, in order. */
  starts: number[];
  length: number;
}

class SeriesMaker {
  readonly #random: Random;
  readonly #seed: number;
  readonly #base: string;
  #modified: number;

  constructor(seed: number) {
    this.#random = new Random(seed);
    this.#seed = seed;
    this.#base = `https://bookings.example.org/api/series/${seed}`;
    this.#modified = 1_700_000_000 + Math.abs(seed % 1000) * 1000;
  }

  make(): { items: RpdeJson[] } {
    const r = this.#random;
    const zone = r.pick(ZONES);
    const templated = r.chance(0.7);
    const type = r.chance(0.9) ? 'SessionSeries' : 'CourseInstance';
    const count = r.chance(0.15) ? 2 : 1;
    const times = [r.among(TIMES), ['15:10', 50] as [string, number]];
    // Two schedules may give the same instance, or two that only start together.
    if (r.chance(0.4)) times[1] = [(times[0] as [string, number])[0], r.pick([50, (times[0] as [string, number])[1]])];
    const schedules = times.slice(0, count).map((time) => this.#schedule(zone, time, templated, type));
    const series = this.#series(type, schedules);
    const sessions = this.#sessions(schedules, series);
    const seriesItem = this.#item(type, `series-${this.#seed}`, series);
    const items = [seriesItem, ...sessions];
    if (r.chance(0.1)) items.push(this.#olderCopy(seriesItem));
    return { items };
  }

  #item(kind: string, id: string, data: Record<string, unknown>): RpdeJson {
    this.#modified += this.#random.int(1, 9);
    return { state: 'updated', kind, id, modified: this.#modified, data };
  }

  /** A stale copy of the item, as caches deliver it: an older `modified`, another name, no schedule. */
  #olderCopy(item: RpdeJson): RpdeJson {
    const data = { ...item.data, name: 'An older copy', eventSchedule: [] };
    return { ...item, modified: item.modified - 1_000_000, data };
  }

  #series(type: string, schedules: MadeSchedule[]): Record<string, unknown> {
    const r = this.#random;
    const series: Record<string, unknown> = {
      '@context': 'https://openactive.io/',
      '@type': type,
      '@id': this.#base,
      url: `https://www.example.org/timetable/${this.#seed}`,
      activity: [{ '@type': 'Concept', '@id': 'https://openactive.io/activity-list#yoga', prefLabel: 'Yoga' }],
      organizer: { '@type': 'Organization', name: 'Everybody Active & Sons', url: 'https://www.example.org/' },
      location: this.#location(),
      eventSchedule: schedules.map((schedule) => schedule.json),
    };
    if (r.chance(0.5))
      series.description = `${r.pick(NAMES)}\n\nLine two, with a comma; a semicolon and a \\ backslash.`;
    if (r.chance(0.4)) series.offers = [{ '@type': 'Offer', name: 'Adult', price: 5.5, priceCurrency: 'GBP' }];
    if (r.chance(0.2)) series.duration = 'P126D';
    if (r.chance(0.9)) series.name = r.pick(NAMES);
    if (series.name === undefined || r.chance(0.1)) {
      series.superEvent = { '@type': 'EventSeries', '@id': `${this.#base}/brand`, name: `${r.pick(NAMES)} (brand)` };
    }
    if (r.chance(0.03))
      series.eventStatus = r.pick(['https://schema.org/EventCancelled', 'https://schema.org/EventPostponed']);
    if (r.chance(0.2)) (series.eventSchedule as unknown[]).push(this.#partial());
    return series;
  }

  #location(): Record<string, unknown> {
    const place = this.#random.int(1, 40);
    return {
      '@type': 'Place',
      '@id': `https://bookings.example.org/api/places/${place}`,
      name: `Leisure Centre ${place}`,
      address: {
        '@type': 'PostalAddress',
        streetAddress: `${place} High Street`,
        postalCode: 'OX1 1AA',
        addressCountry: 'GB',
      },
      geo: { '@type': 'GeoCoordinates', latitude: 51.5 + place / 100, longitude: -1.25 },
    };
  }

  /** Words only: must yield nothing (semantics 3). */
  #partial(): Record<string, unknown> {
    return {
      '@type': 'PartialSchedule',
      byDay: ['https://schema.org/Monday'],
      startTime: '18:00',
      endTime: '19:00',
      repeatFrequency: 'P1W',
    };
  }

  #schedule(zone: string, [time, minutes]: readonly [string, number], templated: boolean, type: string): MadeSchedule {
    const r = this.#random;
    const pattern = randomPattern(r);
    const json: Record<string, unknown> = {
      '@type': 'Schedule',
      startDate: dateOf(pattern.startDay),
      startTime: time,
      scheduleTimezone: zone,
      scheduledEventType: OCCURRENCE_TYPE[type],
      ...spelled(r, pattern),
    };
    this.#length(json, time, minutes);
    if (templated) this.#templates(json);
    const [hours, mins] = time.split(':').map(Number) as [number, number];
    const wall = (hours * 60 + mins) * 60_000;
    const until = Math.min(dayNumber(LAST_DAY), pattern.startDay + 1200);
    const starts = patternDays(pattern, until).map((day) => instantOf(zone, day * DAY + wall));
    this.#exceptions(json, zone, starts);
    return { json, zone, starts, length: minutes * 60_000 };
  }

  /** `duration`, `endTime`, both, or both in conflict: then `duration` is right (semantics 3). */
  #length(json: Record<string, unknown>, time: string, minutes: number): void {
    const r = this.#random;
    const [hours, mins] = time.split(':').map(Number) as [number, number];
    const clock = (total: number) =>
      [Math.floor(total / 60) % 24, total % 60].map((n) => String(n).padStart(2, '0')).join(':');
    const way = r.weighted({ both: 4, duration: 3, endTime: 3, conflict: 1 });
    if (way !== 'endTime') {
      json.duration = r.pick([`PT${minutes}M`, `PT${Math.floor(minutes / 60)}H${minutes % 60}M`, `PT${minutes * 60}S`]);
    }
    if (way !== 'duration') json.endTime = clock(hours * 60 + mins + minutes + (way === 'conflict' ? 25 : 0));
  }

  #templates(json: Record<string, unknown>): void {
    const r = this.#random;
    json.idTemplate = r.among([
      [8, `${this.#base}/sessions/{startDate}`],
      [1, `${this.#base}/sessions/{startDate}/{endDate}`],
      [1, `${this.#base}/a%20session?at={startDate}`],
    ]);
    if (r.chance(0.5)) json.urlTemplate = `https://www.example.org/book/${this.#seed}?on={startDate}`;
  }

  #exceptions(json: Record<string, unknown>, zone: string, starts: number[]): void {
    const r = this.#random;
    if (starts.length === 0 || r.chance(0.55)) return;
    const near = starts.slice(0, 60);
    const chosen = r.some(near, r.int(1, Math.min(4, near.length)));
    if (r.chance(0.15)) chosen.unshift(near[0] as number);
    const list = chosen.map((start) => {
      const way = r.weighted({ instant: 6, date: 3, local: 1, midnight: 0.5 });
      const day = Math.floor(wallOf(zone, start) / DAY);
      if (way === 'date') return dateOf(day);
      if (way === 'midnight') return r.chance(0.5) ? utc(day * DAY) : utc(instantOf(zone, day * DAY));
      // Local time labelled as UTC.
      return way === 'local' ? utc(wallOf(zone, start)) : this.#instant(start);
    });
    // One that names no instance, as edited feeds have.
    if (r.chance(0.2)) list.push(this.#instant((near[0] as number) + 1_234_000));
    json[r.chance(0.9) ? 'exceptDate' : 'exceptDates'] = list;
  }

  /** One instant in one of the spellings of feeds. */
  #instant(at: number): string {
    const r = this.#random;
    const style = r.weighted({ Z: 7, '+00:00': 1, '+01:00': 1, '.000Z': 1 });
    if (style === '+01:00') return utc(at + 3_600_000).replace('Z', '+01:00');
    return utc(at).replace('Z', style);
  }

  #sessions(schedules: MadeSchedule[], series: Record<string, unknown>): RpdeJson[] {
    const r = this.#random;
    const items: RpdeJson[] = [];
    const embedded: Record<string, unknown>[] = [];
    const used = new Set<string>();
    for (const schedule of schedules) {
      for (const start of r.some(schedule.starts.slice(0, 80), r.chance(0.25) ? 0 : r.int(1, 6))) {
        this.#publish(this.#session(schedule, start, start, used), series, items, embedded);
      }
    }
    const extras = r.among([
      [5, 0],
      [2, 1],
      [1, 2],
    ]);
    for (let i = 0; i < extras; i++) {
      const schedule = r.pick(schedules);
      const around = schedule.starts.length > 0 ? r.pick(schedule.starts.slice(0, 40)) : Date.UTC(2026, 2, 1, 10);
      // Minutes that no generated occurrence starts at, so that an extra session never takes one's place by accident.
      const start = around + r.int(-3, 3) * DAY + 7 * 60_000 + i * 60_000;
      this.#publish(this.#session(schedule, start, start, used), series, items, embedded);
    }
    if (embedded.length > 0) series.subEvent = embedded;
    return items;
  }

  /** One explicit session. `original` is the start its `@id` names. */
  #session(schedule: MadeSchedule, original: number, start: number, used: Set<string>): Record<string, unknown> {
    const r = this.#random;
    const what = r.weighted({ booked: 5, cancelled: 3, moved: 4, longer: 2, renamed: 1, postponed: 1 });
    // Without a template only the start says which occurrence a session stands for, so a moved one would be an extra.
    const at = what === 'moved' ? start + r.pick([-3, -1, 1, 2, 24, 50, 24 * 9]) * 1_800_000 + 60_000 : start;
    const length = schedule.length + (what === 'longer' ? 2_700_000 : 0);
    const session: Record<string, unknown> = {
      '@context': 'https://openactive.io/',
      '@type': schedule.json.scheduledEventType,
      '@id': this.#sessionId(schedule, original, used),
      startDate: this.#instant(at),
      duration: `PT${length / 60_000}M`,
    };
    if (r.chance(0.8)) session.endDate = this.#instant(at + length);
    if (r.chance(0.6)) session.url = `https://www.example.org/session/${this.#seed}/${original / 1000}`;
    session.maximumAttendeeCapacity = 20;
    session.remainingAttendeeCapacity = r.int(0, 20);
    this.#status(session, what);
    if (what === 'renamed') session.name = `${r.pick(NAMES)}, special guest`;
    return session;
  }

  #status(session: Record<string, unknown>, what: string): void {
    const r = this.#random;
    const base = r.pick(['https://schema.org/', 'https://schema.org/', 'http://schema.org/', 'schema:']);
    if (what === 'cancelled') session.eventStatus = `${base}EventCancelled`;
    else if (what === 'postponed') session.eventStatus = `${base}EventPostponed`;
    else if (what === 'moved' && r.chance(0.5)) session.eventStatus = `${base}EventRescheduled`;
    else if (r.chance(0.5)) session.eventStatus = `${base}EventScheduled`;
  }

  /** By the template, in one of the forms that match it (semantics 3.12); else an id that says nothing. */
  #sessionId(schedule: MadeSchedule, original: number, used: Set<string>): string {
    const r = this.#random;
    const template = schedule.json.idTemplate as string | undefined;
    let id = `${this.#base}/sessions/n${original / 1000}`;
    if (template !== undefined) {
      const style = r.among<(start: string) => string>([
        [8, (start) => start],
        [1, encodeURIComponent],
        [1, (start) => start.replaceAll(':', '-')],
      ]);
      id = template
        .replaceAll('{startDate}', style(utc(original)))
        .replaceAll('{endDate}', utc(original + schedule.length));
    }
    while (used.has(id)) id += 'x';
    used.add(id);
    return id;
  }

  /** As an item, inside the series' `subEvent`, or both; sometimes with an older copy, or deleted later. */
  #publish(
    session: Record<string, unknown>,
    series: Record<string, unknown>,
    items: RpdeJson[],
    embedded: Record<string, unknown>[],
  ): void {
    const r = this.#random;
    const way = r.weighted({ item: 7, embedded: 2, both: 1 });
    if (way !== 'item') embedded.push({ ...session, remainingAttendeeCapacity: 20 });
    if (way === 'embedded') return;
    const superEvent = r.chance(0.8) ? this.#base : { '@type': series['@type'], '@id': this.#base };
    const item = this.#item(String(session['@type']), `session-${this.#seed}-${this.#modified}`, {
      ...session,
      superEvent,
    });
    items.push(item);
    if (r.chance(0.08)) items.push(this.#olderCopyOfSession(item));
    if (way === 'item' && r.chance(0.06))
      items.push({ state: 'deleted', kind: item.kind, id: item.id, modified: item.modified + 500_000 });
  }

  #olderCopyOfSession(item: RpdeJson): RpdeJson {
    const data = {
      ...item.data,
      name: 'An older copy',
      startDate: '2025-01-01T00:00:00Z',
      endDate: '2025-01-01T01:00:00Z',
    };
    return { ...item, modified: item.modified - 1_000_000, data };
  }
}
