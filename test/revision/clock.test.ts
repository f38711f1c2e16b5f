import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Component } from '../../src/ical/tree.ts';
import { type CalendarName, VENUE_PARTS, venueName } from '../../src/library/library.ts';
import { openLibrary } from '../../src/library/stored-library.ts';
import { rollForward } from '../../src/revision/roll.ts';
import { type CalendarRow, META } from '../../src/store/index.ts';
import { Random } from '../generate/random.ts';
import { type RpdeJson, randomFeed } from '../generate/series.ts';
import { type Rig, rig, START, stamps, withoutStamps } from '../harvest/rig.ts';
import { randomPlace } from '../interop/examiner/place.ts';
import { runs } from '../runs.ts';

const DAY = 86_400_000;
const RUNS = runs(1);
const FIRST = Number(process.env.OPENACTIVE_ICAL_SEED ?? 1);

/** Rigs that see the same at the same time; the clock of the first is wrong now and then. */
class Two {
  readonly wrong: Rig;
  readonly right: Rig;
  now = START;
  /** When the clock was right last, and when it was set last. */
  rightAt = START;
  setAt = START;
  offset = 0;

  constructor(wrong: Rig, right: Rig) {
    this.wrong = wrong;
    this.right = right;
    for (const { options } of this.both) options.applyDeletes = () => true;
  }

  static async open(): Promise<Two> {
    return new Two(await rig(), await rig());
  }

  get both(): Rig[] {
    return [this.wrong, this.right];
  }

  async clock(offset: number, days = 0): Promise<void> {
    this.now += days * DAY;
    if (offset * DAY !== this.offset) this.setAt = this.now;
    this.offset = offset * DAY;
    if (offset === 0) this.rightAt = this.now;
    this.wrong.clock.now = this.now + this.offset;
    this.right.clock.now = this.now;
    for (const { store, options } of this.both) await rollForward(store, options);
  }

  async feed(items: RpdeJson[]): Promise<void> {
    for (const one of this.both) await one.feed(items);
  }

  async close(): Promise<void> {
    for (const one of this.both) await one.close();
  }
}

async function rows({ store }: Rig): Promise<Map<string, CalendarRow>> {
  const found = new Map<string, CalendarRow>();
  for (const { key } of await store.read.changesSince(0, 100_000)) {
    const row = await store.read.calendarByKey(key);
    if (row !== undefined) found.set(key, row);
  }
  return new Map([...found].sort());
}

const namesOf = ({ kind, key }: CalendarRow): CalendarName[] =>
  kind === 'series'
    ? [key]
    : VENUE_PARTS.map((part) => venueName(kind === 'place' ? 'places' : 'facilities', key, part));

/** All that is served, of live and of withdrawn calendars, without what tells its history. */
async function all(one: Rig): Promise<Map<string, string>> {
  const library = await openLibrary(one.store, { ...one.options, rendering: 'test' });
  const texts = new Map<string, string>();
  for (const row of (await rows(one)).values())
    for (const name of namesOf(row)) {
      const stored = await library.calendar(name);
      const components = (stored?.more?.components ?? []).map(unstamped);
      texts.set(name, `${row.state} ${JSON.stringify([stored?.calendar, components])}`);
    }
  return texts;
}

function unstamped(component: Component): Component {
  const properties = component.properties.filter(
    ({ name }) => !['SEQUENCE', 'DTSTAMP', 'LAST-MODIFIED'].includes(name),
  );
  return { ...component, properties, components: component.components.map(unstamped) };
}

/**
 * Nothing but a clock says when a calendar was withdrawn. By a clock that was wrong, it was between the day on which that was
 * last right and the day on which it was set last (a clock that is a day behind is not noticed): so its tail may begin later,
 * and its past reach as far. In all else it is as if the clock had been right: so is that of `right`, with the same day.
 */
async function withSameDays({ wrong, right, setAt }: Two, firsts: ReadonlyMap<string, number>): Promise<void> {
  const theirs = await rows(right);
  for (const [key, { deletedAt, state }] of await rows(wrong)) {
    const { seq: _, ...row } = theirs.get(key) as CalendarRow;
    expect([key, state === 'live']).toEqual([key, row.state === 'live']);
    if (deletedAt === row.deletedAt || deletedAt === undefined) continue;
    expect(deletedAt, key).toBeGreaterThanOrEqual(Math.min(row.deletedAt as number, firsts.get(key) ?? Infinity));
    expect(deletedAt, key).toBeLessThanOrEqual(Math.max(setAt, (row.deletedAt as number) + DAY));
    const isGone = deletedAt < Math.floor(right.clock.now / DAY) * DAY - 90 * DAY;
    await right.store.write((tx) => tx.saveCalendars([{ ...row, deletedAt, state: isGone ? 'gone' : 'deleted' }]));
  }
}

const last = (items: readonly RpdeJson[]) => [
  ...new Map(items.map((item) => [`${item.kind} ${item.id}`, item])).values(),
];

/** Series with sessions, and places and facilities with hours and special hours. */
function randomItems(seed: number): RpdeJson[] {
  const venues = [1, 2, 3].map((n): RpdeJson => {
    const data = randomPlace(seed * 10 + n);
    return { state: 'updated', kind: data['@type'] as string, id: `venue ${n}`, modified: 1, data };
  });
  return [...last(randomFeed(seed, 6)).filter(({ data }) => data !== undefined), ...venues];
}

const OFFSETS = [0, 0, 1, 30, 100, 400, 4000, -1, -40, -400, -15_000];

/** Items change, go and come back under a clock that is anywhere. Returns the earliest time each calendar may be withdrawn at. */
async function disturbed(two: Two, seed: number): Promise<Map<string, number>> {
  const random = new Random(seed);
  const items = randomItems(seed);
  const firsts = new Map<string, number>();
  await two.feed(items);
  for (let step = 0; step < 12; step++) {
    await two.clock(random.pick(OFFSETS), random.int(0, 9));
    if (random.chance(0.3)) continue;
    const known = await rows(two.right);
    const { data, ...changed } = { ...random.pick(items), modified: 3_000_000_000 + step };
    const isGone = random.chance(0.5);
    await two.feed([
      isGone ? { ...changed, state: 'deleted' } : { ...changed, data: { ...data, name: `Named ${step}` } },
    ]);
    for (const [key, { state }] of await rows(two.right))
      if (state === 'deleted' && known.get(key)?.state === 'live') firsts.set(key, two.rightAt - DAY);
  }
  await two.clock(0, 1);
  return firsts;
}

async function isAsRight(seed: number): Promise<void> {
  const two = await Two.open();
  try {
    await withSameDays(two, await disturbed(two, seed));
    expect(await all(two.wrong)).toEqual(await all(two.right));
    expect(withoutStamps(await two.wrong.served())).toEqual(withoutStamps(await two.right.served()));
    for (let day = 0; day < 95; day += 5) await two.clock(0, 5);
    expect(await all(two.wrong)).toEqual(await all(two.right));
    expect([...(await rows(two.wrong)).values()].filter(({ state }) => state === 'deleted')).toEqual([]);
  } finally {
    await two.close();
  }
}

/**
 * Tails that ended too early: a wrong clock's time was believed, for the day before that was not kept (4, 11, 18, 24). Tails
 * that ended too late: passing days reached a time of a clock that had been ahead (2, 5, 8, 21).
 */
const KNOWN = [2, 4, 5, 8, 11, 18, 21, 24];

test.each([...new Set([...KNOWN, ...Array.from({ length: RUNS }, (_, n) => n + FIRST)])])(
  'after a clock that was anywhere for a while every calendar is as if it had been right all the time (seed %i)',
  isAsRight,
);

test('harvesters whose clocks differ by less than a day move the day on, and never back', async () => {
  const one = await rig();
  const hour = DAY / 24;
  const look = fc.record({ hours: fc.nat(30), behind: fc.nat(23) });
  const stored = () => one.store.read.meta(META.today);
  const at = (now: number) =>
    rollForward(one.store, { ...one.options, now: () => now, hasOtherClocks: true }).then(stored);
  let now = START;
  let newest = '';
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(look), async (looks) => {
        for (const { hours, behind } of looks) {
          now += hours * hour;
          const clock = now - behind * hour;
          const own = new Date(clock).toISOString().slice(0, 10);
          newest = own > newest ? own : newest;
          expect(await at(clock)).toBe(newest);
        }
      }),
    );
    expect(await one.store.read.meta(META.daysBefore)).toBeUndefined();
    // A clock that was set is followed all the same.
    expect(await at(START - 400 * DAY)).toBe(new Date(START - 400 * DAY).toISOString().slice(0, 10));
  } finally {
    await one.close();
  }
});

describe('a series', () => {
  let one: Rig;
  beforeEach(async () => {
    one = await rig();
    one.options.applyDeletes = () => true;
    await one.feed([series()]);
  });
  afterEach(() => one.close());

  const series = (modified = 1, more: object = {}): RpdeJson => ({
    state: 'updated',
    kind: 'SessionSeries',
    id: '1',
    modified,
    data: {
      '@type': 'SessionSeries',
      '@id': 'https://example.org/1',
      name: 'Swim',
      subEvent: [
        {
          '@type': 'ScheduledSession',
          '@id': 'https://example.org/1/1',
          startDate: '2026-11-19T18:00:00Z',
          duration: 'PT1H',
        },
        {
          '@type': 'ScheduledSession',
          '@id': 'https://example.org/1/2',
          startDate: '2026-12-19T18:00:00Z',
          duration: 'PT1H',
        },
        {
          '@type': 'ScheduledSession',
          '@id': 'https://example.org/1/3',
          startDate: '2027-12-19T18:00:00Z',
          duration: 'PT1H',
          eventStatus: 'https://schema.org/EventCancelled',
        },
      ],
      ...more,
    },
  });
  const deleted: RpdeJson = { state: 'deleted', kind: 'SessionSeries', id: '1', modified: 2 };
  const at = (days: number) => {
    one.clock.now = START + days * DAY;
    return rollForward(one.store, one.options);
  };
  const row = async () => one.store.read.calendarByKey([...(await rows(one)).keys()][0] as string);
  const statuses = async () => {
    const library = await openLibrary(one.store, { ...one.options, rendering: 'test' });
    const stored = await library.calendar((await row())?.key as string);
    return stored?.calendar.events.map(({ status }) => status);
  };

  test('that was taken away is gone after 90 days, and back when the clock was wrong', async () => {
    await one.feed([deleted]);
    await at(400);
    expect((await row())?.state).toBe('gone');
    await at(1);
    expect((await row())?.state).toBe('deleted');
    expect(await statuses()).toEqual(['CONFIRMED', 'CANCELLED', 'CANCELLED']);
    await at(91);
    expect((await row())?.state).toBe('gone');
  });

  test('that was taken away by a clock that was ahead was taken away when that came right', async () => {
    await at(400);
    await one.feed([deleted]);
    // All that is over by that clock is as it was.
    expect(await statuses()).toEqual(['CONFIRMED', 'CONFIRMED', 'CANCELLED']);
    await at(1);
    expect(await statuses()).toEqual(['CONFIRMED', 'CANCELLED', 'CANCELLED']);
    await at(60);
    expect([(await row())?.state, await statuses()]).toEqual(['deleted', ['CONFIRMED', 'CANCELLED', 'CANCELLED']]);
    for (let day = 60; day <= 92; day += 4) await at(day);
    expect((await row())?.state).toBe('gone');
    await at(401);
    expect((await row())?.state).toBe('gone');
  });

  test.each([-400, -15_000])(
    'that was taken away by a clock that was behind (%i days) stays for its time',
    async (behind) => {
      await at(behind);
      await one.feed([deleted]);
      await at(1);
      expect([(await row())?.state, await statuses()]).toEqual(['deleted', ['CONFIRMED', 'CANCELLED', 'CANCELLED']]);
      await at(89);
      expect((await row())?.state).toBe('deleted');
      await at(92);
      expect((await row())?.state).toBe('gone');
    },
  );

  test.each([
    ['ahead, and set too far back after that', [4000], [-400]],
    ['behind, set back from one that was ahead', [400, -400], []],
  ])('that was taken away by a clock that was %s is served when that comes right', async (_, before, after) => {
    for (const days of before) await at(days);
    await one.feed([deleted]);
    for (const days of after) await at(days);
    await at(1);
    expect([(await row())?.state, await statuses()]).toEqual(['deleted', ['CONFIRMED', 'CANCELLED', 'CANCELLED']]);
    for (let day = 1; day <= 93; day += 4) await at(day);
    expect((await row())?.state).toBe('gone');
  });

  test('is not taken away again when the days reach what a clock that was ahead had said', async () => {
    await at(30);
    await one.feed([deleted]);
    for (let day = 1; day <= 93; day += 4) await at(day);
    expect((await row())?.state).toBe('gone');
  });

  test('of which nothing is kept stays gone when the clock is set back', async () => {
    await one.feed([deleted]);
    await at(100);
    const { seq: _, ...gone } = (await row()) as CalendarRow;
    await one.store.write((tx) => tx.saveCalendars([{ ...gone, tail: undefined }]));
    await at(1);
    expect([gone.state, (await row())?.state]).toEqual(['gone', 'gone']);
  });

  test('shows a session that was cancelled, when it was not long ago after all', async () => {
    const before = [...(await one.served()).values()][0] as string;
    await at(800);
    expect((await one.served()).values().next().value).not.toContain('STATUS:CANCELLED');
    await at(0);
    const after = [...(await one.served()).values()][0] as string;
    expect(withoutStamps(new Map([['', after]]))).toEqual(withoutStamps(new Map([['', before]])));
    // What came back is newer than what was there before; all else is as it was.
    const [was, is] = [[...stamps(before).values()], [...stamps(after).values()]];
    expect(is.slice(0, 2)).toEqual(was.slice(0, 2));
    expect(is[2]?.sequence).toBeGreaterThan(was[2]?.sequence as number);
  });

  test('never has a SEQUENCE or a time of change that goes down', async () => {
    let known = await row();
    for (const [step, days] of [400, 0, -400, 0, 15, -15_000, 16].entries()) {
      await at(days);
      await one.feed([series(10 + step, { name: `Named ${step}` })]);
      const now = await row();
      expect(now?.revision).toBeGreaterThan(known?.revision as number);
      expect(now?.changed).toBeGreaterThan(known?.changed as number);
      known = now;
    }
  });
});
