import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { rollForward } from '../../src/harvest/roll.ts';
import { openLibrary } from '../../src/server/stored-library.ts';
import { Random } from '../generate/random.ts';
import { type RpdeJson, randomFeed } from '../generate/series.ts';
import { type Rig, rig, START, stamps, withoutStamps } from './rig.ts';

const DAY = 86_400_000;
const RUNS = 4 * Number(process.env.OPENACTIVE_ICAL_RUNS ?? 1);

/** Rigs that see the same at the same time; the clock of the first is wrong now and then. */
class Two {
  readonly wrong: Rig;
  readonly right: Rig;
  now = START;
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
    this.offset = offset * DAY;
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

async function states({ store }: Rig): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const { key } of await store.read.changesSince(0, 100_000)) {
    const row = await store.read.calendarByKey(key);
    if (row !== undefined) found.set(key, row.state);
  }
  return new Map([...found].sort());
}

/** All that is served, of live and of withdrawn calendars, without what tells its history. */
async function all({ store, options }: Rig): Promise<Map<string, string>> {
  const library = await openLibrary(store, { ...options, rendering: 'test' });
  const texts = new Map<string, string>();
  for (const [key, state] of await states({ store } as Rig)) {
    const stored = await library.calendar(key);
    texts.set(key, `${state} ${JSON.stringify(stored?.calendar)}`);
  }
  return texts;
}

const last = (items: readonly RpdeJson[]) => [
  ...new Map(items.map((item) => [`${item.kind} ${item.id}`, item])).values(),
];

test('after a clock that was anywhere for a while every calendar is as if it had been right all the time', async () => {
  for (let seed = 1; seed <= RUNS; seed++) {
    const random = new Random(seed);
    const two = await Two.open();
    try {
      const items = last(randomFeed(seed, 6)).filter(({ data }) => data !== undefined);
      let modified = 3_000_000_000;
      await two.feed(items);
      for (let step = 0; step < 12; step++) {
        await two.clock(random.pick([0, 0, 1, 30, 100, 400, 4000, -1, -40, -400, -15_000]), random.int(0, 9));
        if (random.chance(0.4)) continue;
        const changed = random.pick(items);
        const isGone = two.offset === 0 && random.chance(0.5);
        modified += 1;
        await two.feed([
          isGone
            ? { state: 'deleted', kind: changed.kind, id: changed.id, modified }
            : { ...changed, modified, data: { ...changed.data, name: `Named ${step}` } },
        ]);
      }
      await two.clock(0, 1);
      expect(await all(two.wrong), `seed ${seed}`).toEqual(await all(two.right));
      expect(withoutStamps(await two.wrong.served()), `seed ${seed}`).toEqual(withoutStamps(await two.right.served()));
    } finally {
      await two.close();
    }
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
  const row = async () => one.store.read.calendarByKey([...(await states(one)).keys()][0] as string);
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
