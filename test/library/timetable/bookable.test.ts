import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { rebuildIfNeeded } from '../../../src/harvest/ingest/rebuild.ts';
import { bookableSlots } from '../../../src/library/timetable/facility-slots.ts';
import { keyOf } from '../../../src/opportunity/identity.ts';
import type { RecordBody } from '../../../src/store/index.ts';
import { Random } from '../../generate/random.ts';
import type { RpdeJson } from '../../generate/series.ts';
import { seeds } from '../../runs.ts';
import { item, type Served, served } from '../../server/stored-rig.ts';

/** Free/busy of a facility is that of its page: its own slots, and those of its courts. */

const TENNIS = 'https://example.org/facilities/tennis';
const court = (n: number) => `${TENNIS}/${n}`;
const pathOf = (id: string) => `/facilities/${keyOf('facility', id)}`;

const QUARTER = 15 * 60_000;
const FROM = Date.UTC(2026, 11, 1, 8);
const CELLS = 24;

let one: Served;
beforeEach(async () => {
  one = await served();
});
afterEach(() => one.close());

const tennis = (over: object = {}): RpdeJson => item('FacilityUse', TENNIS, { '@id': TENNIS, name: 'Tennis', ...over });
const holding = (...numbers: number[]): object => ({
  individualFacilityUse: numbers.map((n) => ({
    '@type': 'IndividualFacilityUse',
    '@id': court(n),
    name: `Court ${n}`,
  })),
});
const alone = (n: number, over: object = {}): RpdeJson =>
  item('IndividualFacilityUse', court(n), {
    '@id': court(n),
    name: `Court ${n}`,
    aggregateFacilityUse: TENNIS,
    ...over,
  });

interface Booked {
  of: string;
  /** Quarters of an hour after `FROM`. */
  from: number;
  length: number;
  left: number;
}

const slot = (id: string, { of, from, length, left }: Booked): RpdeJson =>
  item('Slot', id, {
    '@id': id,
    facilityUse: of,
    startDate: new Date(FROM + from * QUARTER).toISOString(),
    duration: `PT${length * 15}M`,
    remainingUses: left,
  });

/** A letter for each quarter of an hour: `f`ree, `b`usy, `-` for unavailable; undefined: nothing is said of any. */
function cellsOf(text: string): string | undefined {
  if (!text.includes('BEGIN:VFREEBUSY')) return undefined;
  const cells = Array.from({ length: CELLS }, () => 'f');
  for (const [, type, start, end] of text.matchAll(/^FREEBUSY;FBTYPE=(\S+):(\d{8}T\d{6})Z\/(\d{8}T\d{6})Z\r$/gm)) {
    const [from, to] = [start, end].map((at) => (dateOf(at as string) - FROM) / QUARTER) as [number, number];
    cells.fill(type === 'BUSY' ? 'b' : '-', from, to);
  }
  return cells.join('');
}

const dateOf = (text: string) =>
  Date.parse(text.replace(/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)/, '$1-$2-$3T$4:$5:$6Z'));

const WINDOW = `from=2026-12-01T08:00:00Z&to=2026-12-01T14:00:00Z`;

/** What is served; what is held in memory is what would be rendered anew. */
async function freeBusy(id: string): Promise<string | undefined> {
  const whole = `${pathOf(id)}/freebusy.ics`;
  expect(await one.text(whole)).toBe(await one.rendered(whole));
  return cellsOf(await one.text(`${whole}?${WINDOW}`));
}

/** What a facility is by the slots of it and of its courts, each quarter of an hour for itself. */
function reference(own: readonly Booked[], ofCourts: readonly Booked[]): string {
  const timeOf = ({ from, length }: Booked) => `${from} ${length}`;
  const said = new Set(own.map(timeOf));
  const counted = [...own, ...ofCourts.filter((one) => !said.has(timeOf(one)))];
  return Array.from({ length: CELLS }, (_, at) => {
    const here = counted.filter(({ from, length }) => from <= at && at < from + length);
    return here.some(({ left }) => left > 0) ? 'f' : here.length > 0 ? 'b' : '-';
  }).join('');
}

describe('a facility whose slots name its courts', () => {
  const ten = (n: number, left: number) => slot(`ten ${n}`, { of: court(n), from: 8, length: 4, left });
  const eleven = (n: number, left: number) => slot(`eleven ${n}`, { of: court(n), from: 12, length: 4, left });

  test.each<[title: string, facilities: RpdeJson[]]>([
    ['held by it', [tennis(holding(1, 2))]],
    ['items of their own', [tennis(), alone(1), alone(2)]],
    ['that have hours', [tennis({ ...holding(1, 2), hoursAvailable: [] })]],
  ])('%s: free where one has a use left, busy where all are booked', async (_, facilities) => {
    await one.feed(...facilities, ten(1, 0), ten(2, 1), eleven(1, 0), eleven(2, 0));
    expect(await freeBusy(TENNIS)).toBe('--------ffffbbbb--------');
    expect(await freeBusy(court(1))).toBe('--------bbbbbbbb--------');
    await one.feed(ten(2, 0), eleven(1, 1));
    expect(await freeBusy(TENNIS)).toBe('--------bbbbffff--------');
  });

  test('whatever comes last, goes, or leaves for another facility', async () => {
    const items = [tennis(), alone(1), ten(1, 1)];
    for (const last of items) {
      const own = await served();
      await own.feed(...items.filter((one) => one !== last));
      await own.feed(last);
      expect(cellsOf(await own.text(`${pathOf(TENNIS)}/freebusy.ics?${WINDOW}`))).toBe('--------ffff------------');
      await own.close();
    }
    await one.feed(...items, alone(2), ten(2, 0));
    expect(await freeBusy(TENNIS)).toBe('--------ffff------------');
    await one.feed(alone(1, { aggregateFacilityUse: undefined }));
    expect(await freeBusy(TENNIS)).toBe('--------bbbb------------');
    await one.feed(item('IndividualFacilityUse', court(2)), alone(1));
    expect(await freeBusy(TENNIS)).toBe('--------ffff------------');
  });

  test('a slot of a court moves the free/busy of its facility and of itself, and no other calendar', async () => {
    await one.feed(tennis(holding(1, 2)), ten(1, 1));
    const paths = [TENNIS, court(1), court(2)].flatMap((id) =>
      ['/freebusy.ics', '/hours.ics', '.ics'].map((part) => pathOf(id) + part),
    );
    const tags = () => Promise.all(paths.map(async (path) => (await one.app.request(path)).headers.get('etag')));
    const before = await tags();
    await one.feed(ten(1, 0));
    const after = await tags();
    expect(paths.filter((_, at) => before[at] !== after[at])).toEqual([
      `${pathOf(TENNIS)}/freebusy.ics`,
      `${pathOf(court(1))}/freebusy.ics`,
    ]);
  });

  test('a court of another publisher is none of it', async () => {
    await one.feed(tennis());
    await one.rig.feed([alone(1), ten(1, 1)], 50, 'https://other.example.com/feed');
    expect(await freeBusy(TENNIS)).toBeUndefined();
  });
});

test('what the facility says of a time counts for all courts, and a time that it is silent on is that of its courts', async () => {
  await one.feed(
    tennis(holding(1)),
    slot('past', { of: TENNIS, from: -1000, length: 4, left: 1 }),
    slot('own', { of: TENNIS, from: 4, length: 4, left: 0 }),
    slot('same', { of: court(1), from: 4, length: 4, left: 1 }),
    slot('other', { of: court(1), from: 12, length: 4, left: 1 }),
  );
  expect(await freeBusy(TENNIS)).toBe('----bbbb----ffff--------');
  const window = { from: FROM, to: FROM + CELLS * QUARTER };
  const found = await one.library.timetables.facility(keyOf('facility', TENNIS), window);
  expect(found?.times.map(({ free }) => free)).toEqual([0, 1]);
});

test('a facility whose slots are all deleted is unavailable, until its slots are read no more', async () => {
  const hours = { '@type': 'OpeningHoursSpecification', dayOfWeek: ['Tuesday'], opens: '09:00', closes: '10:00' };
  await one.feed(
    tennis({ ...holding(1), hoursAvailable: [hours] }),
    slot('a', { of: TENNIS, from: 4, length: 4, left: 1 }),
    slot('b', { of: court(1), from: 8, length: 4, left: 1 }),
  );
  expect(await freeBusy(TENNIS)).toBe('----ffffffff------------');
  await one.feed(item('Slot', 'a'), item('Slot', 'b'));
  expect(await freeBusy(TENNIS)).toBe('-'.repeat(CELLS));
  const window = { from: FROM, to: FROM + CELLS * QUARTER };
  expect(await one.library.timetables.facility(keyOf('facility', TENNIS), window)).toMatchObject({
    publishesTimes: true,
    times: [],
  });
  one.rig.options.cleanOptions = ({ url }) => ({ zone: 'Europe/London', feed: url });
  await rebuildIfNeeded(one.rig.store, one.rig.options);
  await one.roll(1);
  expect(await freeBusy(TENNIS)).toBe('----ffff----------------');
});

test('of more slots than are read, those before one instant are whole, and what is after it is not said', async () => {
  const start = (n: number) => FROM + Math.floor(n / 20) * QUARTER;
  const slots = Array.from({ length: 100 }, (_, n) =>
    slot(`${n}`, { of: n % 2 ? TENNIS : court(1), from: Math.floor(n / 20), length: 1, left: n % 2 }),
  );
  await one.feed(tennis(holding(1)), ...slots);
  const row = (await one.rig.store.read.recordByIdent('facility', TENNIS)) as RecordBody;
  const read = (limit: number) =>
    bookableSlots(one.rig.store.read, row, { from: FROM, to: FROM + 10 * QUARTER, limit });
  const whole = await read(100);
  expect(whole).not.toHaveProperty('until');
  expect(whole.times).toHaveLength(5);
  for (const limit of [99, 81, 80, 60, 59]) {
    const some = await read(limit);
    expect(some.until).toBe(start(limit));
    expect(some.times).toEqual(whole.times.filter((time) => time.start < start(limit)));
  }
});

describe('random slots of a facility and its courts, that come, change and go', () => {
  test.each(seeds(6, 1))('seed %i', async (seed) => {
    const random = new Random(seed);
    const courts = random.int(1, 4);
    const isNested = random.chance(0.5);
    const hasOwn = random.chance(0.5);
    const numbers = Array.from({ length: courts }, (_, at) => at + 1);
    const facilities = isNested ? [tennis(holding(...numbers))] : [tennis(), ...numbers.map((n) => alone(n))];
    const slots = new Map<string, Booked>();
    let hadSlots = false;
    let waiting = random.shuffle(facilities);
    for (let step = 0; step < 12; step++) {
      const changes: RpdeJson[] = [];
      for (let n = random.int(1, 4); n > 0; n--) {
        const id = `slot ${random.int(1, 12)}`;
        if (slots.has(id) && random.chance(0.3)) {
          slots.delete(id);
          changes.push(item('Slot', id));
          continue;
        }
        const of = hasOwn && random.chance(0.3) ? TENNIS : court(random.pick(numbers));
        const booked = { of, from: random.int(0, 4) * 4, length: random.pick([2, 4, 4]), left: random.int(0, 1) };
        slots.set(id, booked);
        changes.push(slot(id, booked));
      }
      await one.feed(...waiting.slice(0, 1), ...changes);
      waiting = waiting.slice(1);
      if (waiting.length > 0) continue;
      const [own, ofCourts] = [TENNIS, ''].map((whole) =>
        [...slots.values()].filter(({ of }) => (of === TENNIS) === (whole === TENNIS)),
      ) as [Booked[], Booked[]];
      // Where all slots went before their facility came, nothing is said of them.
      hadSlots ||= slots.size > 0;
      if (hadSlots) expect(await freeBusy(TENNIS)).toBe(reference(own, ofCourts));
      for (const n of numbers) {
        const its = ofCourts.filter(({ of }) => of === court(n));
        if (its.length > 0) expect(await freeBusy(court(n))).toBe(reference(its, []));
      }
    }
  });
});
