import { Random } from '../../generate/random.ts';
import type { Occurrence } from '../program.ts';
import { utc } from '../rows.ts';
import type { Item, Json } from './series.ts';

/**
 * Sessions that leave out what others say, and whole days, as live feeds have them (semantics 3 "Dates without times" and
 * 4.7 to 4.9); and what must be seen of each, decided here. So `expand` itself is judged, not only the calendars.
 */

/** The items of a series, and all occurrences that it must show. */
export interface Shaped {
  items: Item[];
  shown: Shown[];
}

export type Shown = Pick<Occurrence, 'start' | 'end' | 'status' | 'name'>;

/** A session, what it shows, and the instance that it replaces. */
interface Shape {
  session: Json;
  shown: Shown;
  replaces?: Occurrence;
}

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;

const dateOf = (at: number): string => utc(at).slice(0, 10);
const lengthOf = ({ start, end }: Occurrence): number => Date.parse(end) - Date.parse(start);

/** A draft with sessions for up to six of its occurrences, and one beside them. `given`: what the draft alone shows. */
export function shaped(seed: number, series: Json, given: readonly Occurrence[]): Shaped {
  const r = new Random(seed * 17 + 11);
  const own = seedOf(series);
  const shapes = chosen(r, given).map((one, n) => SHAPES[r.weighted(waysOf(one))](new Maker(r, series, given, n), one));
  const replaced = new Set(shapes.map(({ replaces }) => replaces));
  const rest = given.filter((one) => !replaced.has(one));
  return {
    items: published(
      r,
      seed,
      series,
      shapes.map(({ session }) => session),
    ).map((item) => ({ ...item, id: `${own} ${item.id}` })),
    shown: [...rest, ...shapes.map(({ shown }) => shown)],
  };
}

/** Occurrences that are alone at their start, and far from the ends of the window. */
function chosen(r: Random, given: readonly Occurrence[]): Occurrence[] {
  const together = Map.groupBy(given, ({ start }) => start);
  const inner = given.filter(({ start }) => together.get(start)?.length === 1 && isInside(Date.parse(start)));
  return r.some(inner.slice(0, 400), r.int(1, 6));
}

function isInside(start: number): boolean {
  return start > Date.UTC(2022, 2, 1) && start < Date.UTC(2031, 5, 1);
}

const WAYS = { rescheduled: 4, unnamed: 4, milliseconds: 4, startless: 3, endless: 3, far: 3, wholeDay: 4 };
type Way = keyof typeof WAYS;

/** What only its id tells about needs an id. */
function waysOf({ id }: Occurrence): Record<Way, number> {
  return (id ?? null) === null ? { ...WAYS, milliseconds: 0, startless: 0 } : WAYS;
}

/** What the shapes of one series have in common. */
class Maker {
  readonly r: Random;
  readonly name: string;
  readonly newId: string;
  readonly #series: Json;
  readonly #starts: ReadonlySet<string>;

  constructor(r: Random, series: Json, given: readonly Occurrence[], n: number) {
    this.r = r;
    this.#series = series;
    this.name = `${seedOf(series)} shape ${n}`;
    this.newId = `${series['@id'] as string}/shape/${n}`;
    this.#starts = new Set(given.map(({ start }) => start));
  }

  /** A start near it at which nothing is generated. */
  near({ start }: Occurrence): number {
    for (let at = Date.parse(start) + this.r.int(-2000, 2000) * 7 * MINUTE; ; at += MINUTE)
      if (!this.#starts.has(utc(at))) return at;
  }

  /** Its id, or one that says nothing where ids are not generated: then the session is at the same start. */
  idOf({ id }: Occurrence): string {
    return id ?? this.newId;
  }

  made(
    session: Json,
    { start, end, status }: Pick<Shown, 'start' | 'end' | 'status'>,
    replaces: Occurrence | undefined,
  ): Shape {
    const type = ([this.#series.eventSchedule].flat()[0] as Json).scheduledEventType;
    const shown = { start, end, status, name: this.name };
    return { session: { '@type': type, name: this.name, ...session }, shown, ...(replaces && { replaces }) };
  }
}

const minutes = (length: number): string => `PT${length / MINUTE}M`;

const SHAPES: Record<Way, (maker: Maker, one: Occurrence) => Shape> = {
  /** 4.8: a new `@id`, and the start that it had. */
  rescheduled(maker, one) {
    const start = maker.near(one);
    const times = { start: utc(start), end: utc(start + lengthOf(one)) };
    const session = {
      '@id': maker.newId,
      eventStatus: 'https://schema.org/EventRescheduled',
      previousStartDate: maker.r.pick([one.start, one.start.replace('Z', '+00:00')]),
      startDate: times.start,
      ...(maker.r.chance(0.5) ? { endDate: times.end } : { duration: minutes(lengthOf(one)) }),
    };
    return maker.made(session, { ...times, status: 'EventRescheduled' }, one);
  },
  /** 4.8: no `@id`, at the start of an instance. */
  unnamed(maker, one) {
    const end = utc(Date.parse(one.end) + maker.r.pick([0, 0, 15, 120]) * MINUTE);
    const status = maker.r.pick(['EventScheduled', 'EventCancelled', 'EventPostponed']);
    const session = { eventStatus: `https://schema.org/${status}`, startDate: one.start, endDate: end };
    return maker.made(session, { start: one.start, end, status }, one);
  },
  /** 4.8: the generated `@id` but for milliseconds. */
  milliseconds(maker, one) {
    const id = (one.id as string).replaceAll(/(T\d\d:\d\d:\d\d)Z/g, '$1.000Z');
    const start = maker.near(one);
    const times = { start: utc(start), end: utc(start + lengthOf(one)) };
    return maker.made({ '@id': id, startDate: times.start, endDate: times.end }, { ...times, status: one.status }, one);
  },
  /** 4.7: neither start, nor, now and then, an end. */
  startless(maker, one) {
    const longer = maker.r.chance(0.5) ? 30 * MINUTE : 0;
    const duration = longer === 0 ? {} : { duration: minutes(lengthOf(one) + longer) };
    const end = utc(Date.parse(one.end) + longer);
    return maker.made({ '@id': one.id, ...duration }, { start: one.start, end, status: one.status }, one);
  },
  /** 4.7: a start of its own, and no end. */
  endless(maker, one) {
    const start = (one.id ?? null) === null ? Date.parse(one.start) : maker.near(one);
    const times = { start: utc(start), end: utc(start + lengthOf(one)) };
    return maker.made({ '@id': maker.idOf(one), startDate: times.start }, { ...times, status: one.status }, one);
  },
  /** 4.7: an end more than a day after the start, and a duration of less than a day. */
  far(maker, one) {
    const length = maker.r.pick([30, 60, 1439]) * MINUTE;
    const endDate = utc(Date.parse(one.start) + maker.r.int(2, 90) * DAY + 30 * MINUTE);
    const session = { '@id': maker.idOf(one), startDate: one.start, endDate, duration: minutes(length) };
    const end = utc(Date.parse(one.start) + length);
    return maker.made(session, { start: one.start, end, status: one.status }, one);
  },
  /** 3: dates without times. Only an id can say which instance they replace. */
  wholeDay(maker, one) {
    const { dates, times } = wholeDays(maker.r, Date.parse(one.start));
    const named = maker.r.chance(0.6) && (one.id ?? null) !== null;
    const session = { '@id': named ? one.id : maker.newId, ...dates };
    return maker.made(session, { ...times, status: one.status }, named ? one : undefined);
  },
};

/** `startDate` alone, with the last day, or with a number of days; and the days, the end excluded. */
function wholeDays(r: Random, around: number): { dates: Json; times: { start: string; end: string } } {
  const first = around + r.int(-10, 10) * DAY;
  const count = r.pick([1, 1, 2, 3, 10]);
  const ways = [{ endDate: dateOf(first + (count - 1) * DAY) }, { duration: `P${count}D` }];
  const length = count === 1 ? r.pick([{}, ...ways]) : r.pick(ways);
  return {
    dates: { startDate: dateOf(first), ...length },
    times: { start: dateOf(first), end: dateOf(first + count * DAY) },
  };
}

/**
 * A whole-day event of its own, or a HeadlineEvent with times and parts (4.9), which is shown beside them unless a part has
 * its times.
 */
export function headline(seed: number): Shaped {
  const r = new Random(seed * 19 + 13);
  const { dates, times } = wholeDays(r, Date.UTC(2022, 5, 1) + r.int(0, 2500) * DAY);
  const type = r.pick(['Event', 'HeadlineEvent', 'HeadlineEvent', 'CourseInstance']);
  const name = `H${seed} whole`;
  const id = `https://id.example.com/api/whole/${seed}`;
  const parts = type === 'HeadlineEvent' ? Array.from({ length: r.int(0, 3) }, (_, n) => part(r, n)) : [];
  const [same] = parts;
  if (same !== undefined && r.chance(0.3)) Object.assign(same, { dates, times });
  const isPart = parts.some((one) => one.times.start === times.start && one.times.end === times.end);
  const subEvent = parts.map((one, n) => ({
    '@type': 'Event',
    '@id': `${id}/${n}`,
    name: `H${seed} ${n}`,
    ...one.dates,
  }));
  const data = { '@type': type, '@id': id, name, ...dates, ...(parts.length > 0 && { subEvent }) };
  const status = 'EventScheduled';
  return {
    items: [{ state: 'updated', kind: type, id: `whole ${seed}`, modified: seed, data }],
    shown: [
      ...(isPart ? [] : [{ ...times, name, status }]),
      ...parts.map((one, n) => ({ ...one.times, name: `H${seed} ${n}`, status })),
    ],
  };

  function part(random: Random, n: number): ReturnType<typeof wholeDays> {
    if (random.chance(0.5)) return wholeDays(random, Date.parse(times.start) + n * 30 * DAY);
    const start = Date.parse(times.start) + n * 30 * DAY + random.int(0, 1439) * MINUTE;
    const own = { start: utc(start), end: utc(start + 45 * MINUTE) };
    return { dates: { startDate: own.start, endDate: own.end }, times: own };
  }
}

/** As RPDE items, or embedded in the series. */
function published(r: Random, seed: number, series: Json, sessions: readonly Json[]): Item[] {
  const embedded = sessions.filter(() => r.chance(0.3));
  const alone = sessions.filter((session) => !embedded.includes(session));
  const whole = { ...series, ...(embedded.length > 0 && { subEvent: embedded }) };
  const item = (data: Json, id: string): Item => ({
    state: 'updated',
    kind: data['@type'] as string,
    id,
    modified: seed,
    data,
  });
  const items = alone.map((session, n) => item({ ...session, superEvent: series['@id'] }, `session ${n}`));
  return r.shuffle([item(whole, 'series'), ...items]);
}

function seedOf({ name }: Json): string {
  return (name as string).split(' ')[0] as string;
}
