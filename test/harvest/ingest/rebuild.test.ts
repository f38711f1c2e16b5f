import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createIngest } from '../../../src/harvest/ingest/ingest.ts';
import { beginRebuild, rebuildIfNeeded, rebuildSlice } from '../../../src/harvest/ingest/rebuild.ts';
import { verifyStore } from '../../../src/harvest/ingest/verify.ts';
import type { CleanOptions } from '../../../src/opportunity/clean.ts';
import { META } from '../../../src/store/index.ts';
import { readsBodies } from '../../../src/store/sqlite/connection.ts';
import { withOwnDetails } from '../../generate/own-details.ts';
import { Random } from '../../generate/random.ts';
import { type RpdeJson, randomFeed } from '../../generate/series.ts';
import { seeds } from '../../runs.ts';
import { FEED, type Rig, rig, servedBy, venuesServedBy, withoutStamps } from '../rig.ts';

/** A release that reads data otherwise makes all that is stored again: in slices, while the old is served, asking nobody. */

const OTHER = 'https://other.example.org/sessions';
let one: Rig;
beforeEach(async () => {
  one = await rig();
  await rebuildIfNeeded(one.store, one.options);
});
afterEach(() => one.close());

/** What differs between the store and what its raw items make at once. */
async function differencesIn(of: Rig): Promise<unknown[]> {
  const scratch = await mkdtemp(join(tmpdir(), 'oai-rebuild-'));
  try {
    return (await verifyStore(of, scratch, of.options, async () => {})).differences;
  } finally {
    await rm(scratch, { recursive: true });
  }
}

const differences = () => differencesIn(one);

/** What rules of another release made otherwise: times, claims, keys, occurrences, findings, what is searched; and less. */
const OTHERWISE = `
  UPDATE record SET start = start + 3600000, "end" = "end" + 3600000 WHERE kind = 1 AND id % 3 = 0;
  UPDATE record SET cancelled = 1 - cancelled WHERE id % 5 = 0;
  UPDATE record_body SET body = replace(body_text(body, ident), '"name"', '"title"') WHERE record % 4 = 0;
  UPDATE item SET findings = '[]' WHERE id % 4 = 0;
  DELETE FROM claim WHERE item % 3 = 0;
  DELETE FROM record_key WHERE record % 2 = 0;
  DELETE FROM occurrence WHERE series % 2 = 0;
  UPDATE search SET price = 7, online = 1 - online WHERE record % 2 = 0;
  UPDATE record SET own = 1, price = 2 WHERE kind = 1 AND id % 2 = 0;
  UPDATE search_terms SET terms = ' other ' WHERE record % 3 = 0;
  DELETE FROM session_price WHERE series % 2 = 0;
`;

async function madeOtherwise(sql = OTHERWISE): Promise<void> {
  const db = new DatabaseSync(join(one.data, 'openactive-ical.sqlite'));
  readsBodies(db);
  db.exec(`${sql} UPDATE meta SET value = '3' WHERE key = '${META.rules}';`);
  db.close();
  await one.reopen();
}

/** The revision of each calendar by its key. */
async function revisions(): Promise<[key: string, revision: number | undefined][]> {
  const keys = [...(await one.served()).keys()].sort();
  return Promise.all(keys.map(async (key) => [key, (await one.store.read.calendarByKey(key))?.revision]));
}

async function slices(size: number, between: () => Promise<void> = async () => {}): Promise<number> {
  let count = 1;
  for (; await rebuildSlice(one.store, one.options, size); count += 1) await between();
  return count;
}

describe('in slices', () => {
  test.each([1, 2, 3, 4])('the store is as if made at once, and calendars are as they were: seed %i', async (seed) => {
    await one.feed(withOwnDetails(randomFeed(seed, 30), seed));
    await one.feed(withOwnDetails(randomFeed(seed + 100, 15), seed), 50, OTHER);
    expect(await differences()).toEqual([]);
    const [served, before] = [await one.served(), await revisions()];
    await madeOtherwise();
    expect(await differences()).not.toEqual([]);
    expect(await beginRebuild(one.store, one.options)).toBe(true);
    expect(await slices(7)).toBeGreaterThan(10);
    expect(await differences()).toEqual([]);
    expect(await one.served()).toEqual(served);
    expect(await revisions()).toEqual(before);
    expect(await beginRebuild(one.store, one.options)).toBe(false);
  });

  test('what is not reached yet is served, pages are taken in between, and a stopped process goes on', async () => {
    const [early, late] = [randomFeed(5, 30), randomFeed(6, 10)];
    await one.feed(early);
    const served = await one.served();
    await madeOtherwise('DELETE FROM occurrence;');
    await beginRebuild(one.store, one.options);
    const left: RpdeJson[] = [...late];
    await slices(5, async () => {
      const keys = new Set((await one.served()).keys());
      for (const key of served.keys()) expect(keys.has(key)).toBe(true);
      const next = left.shift();
      if (next !== undefined) await one.feed([{ ...next, id: `late ${next.id}` }], 1, OTHER);
      if (left.length === 3) await one.reopen();
    });
    expect(left).toEqual([]);
    expect(await differences()).toEqual([]);
  });

  test('another release begins again where the one before had stopped', async () => {
    await one.feed(randomFeed(7, 20));
    await madeOtherwise();
    await beginRebuild(one.store, one.options);
    await rebuildSlice(one.store, one.options, 5);
    await madeOtherwise();
    expect(await rebuildIfNeeded(one.store, one.options)).toBe(true);
    expect(await differences()).toEqual([]);
  });

  test('a session that old rules did not know comes to its series, with a revision', async () => {
    const id = (path: string) => `https://ex.org/${path}`;
    const start = { startDate: '2026-12-07T18:00:00Z', endDate: '2026-12-07T19:00:00Z' };
    const data = [
      { '@type': 'SessionSeries', '@id': id('s'), name: 'Yoga' },
      { '@type': 'ScheduledSession', '@id': id('s/1'), superEvent: id('s'), ...start },
    ];
    await one.feed(
      data.map((of, n): RpdeJson => ({ state: 'updated', kind: of['@type'], id: '1', modified: n, data: of })),
    );
    const served = await one.served();
    await madeOtherwise('UPDATE record SET item = NULL, rank = NULL, parent = NULL, hash = NULL WHERE kind = 1;');
    expect(await rebuildIfNeeded(one.store, one.options)).toBe(true);
    expect([...(await one.served()).keys()]).toEqual([...served.keys()]);
    expect([...(await one.served()).values()][0]).toContain('BEGIN:VEVENT');
    expect(await differences()).toEqual([]);
  });
});

test('a session that only old rules made leaves its series, whose calendar has a new revision', async () => {
  const id = (path: string) => `https://ex.org/${path}`;
  const series = { '@type': 'SessionSeries', '@id': id('s'), name: 'Yoga' };
  const session = (n: number) => ({
    '@type': 'ScheduledSession',
    '@id': id(`s/${n}`),
    superEvent: id('s'),
    startDate: `2026-12-0${n}T18:00:00Z`,
    endDate: `2026-12-0${n}T19:00:00Z`,
  });
  const items = [series, session(1), session(2)].map(
    (data, n): RpdeJson => ({ state: 'updated', kind: data['@type'], id: String(n), modified: n, data }),
  );
  await one.feed(items);
  const [before] = await revisions();
  // Both sessions are of the first one's item: the second is what the rules of now do not read in it.
  await madeOtherwise(`
    UPDATE record SET item = (SELECT min(item) FROM record WHERE kind = 1) WHERE kind = 1;
    UPDATE item SET hash = NULL WHERE rpde_id = '2';`);
  expect(await rebuildIfNeeded(one.store, one.options)).toBe(true);
  const [after] = await revisions();
  expect([...(await one.served()).values()][0]?.match(/BEGIN:VEVENT/g)).toHaveLength(1);
  expect(after?.[1]).toBeGreaterThan(before?.[1] as number);
});

test('an empty store, and one of these rules, has nothing to be made again', async () => {
  expect(await beginRebuild(one.store, one.options)).toBe(false);
  await madeOtherwise('');
  expect(await beginRebuild(one.store, one.options)).toBe(false);
  expect(await rebuildSlice(one.store, one.options)).toBe(false);
});

describe('other settings of one feed', () => {
  type Setting = Pick<CleanOptions, 'zone' | 'slots'>;
  const PLAIN: Setting = { zone: 'Europe/London' };
  const SLOTS: Setting = { ...PLAIN, slots: true };
  const id = (path: string) => `https://ex.org/${path}`;

  /** Series with a session, facilities with courts, and slots of both; half of all times name no zone. */
  function items(seed: number): RpdeJson[] {
    const random = new Random(seed);
    const start = (hour: number) => `2026-12-0${random.int(1, 9)}T${hour}:00:00${random.pick(['', 'Z'])}`;
    const data: Record<string, unknown>[] = [];
    for (let n = 1; n <= 4; n++) {
      const [series, facility] = [id(`series/${n}`), id(`facilities/${n}`)];
      data.push({ '@type': 'SessionSeries', '@id': series, name: `Yoga ${n}` });
      data.push({
        '@type': 'ScheduledSession',
        '@id': `${series}/1`,
        superEvent: series,
        startDate: start(18),
        duration: 'PT1H',
      });
      const court = { '@type': 'IndividualFacilityUse', '@id': `${facility}/1`, name: 'Court' };
      data.push({ '@type': 'FacilityUse', '@id': facility, name: `Tennis ${n}`, individualFacilityUse: [court] });
      for (let hour = 10; hour < 13; hour++)
        data.push({
          '@type': 'Slot',
          '@id': `${facility}/slots/${hour}`,
          facilityUse: random.pick([facility, `${facility}/1`]),
          startDate: start(hour),
          duration: 'PT1H',
          remainingUses: random.int(0, 1),
        });
    }
    return random.shuffle(
      data.map(
        (of, at): RpdeJson => ({
          state: 'updated',
          kind: String(of['@type']),
          id: String(of['@id']),
          modified: at,
          data: of,
        }),
      ),
    );
  }

  function readBySettings(by: Rig, setting: Setting): void {
    by.options.cleanOptions = ({ url }) => ({ ...(url === FEED ? setting : PLAIN), feed: url });
    by.ingest = createIngest(by.store, by.options);
  }

  const shown = async ({ store, options }: Rig) =>
    withoutStamps(new Map([...(await servedBy(store, options)), ...(await venuesServedBy(store, options))]));

  test.each<[title: string, before: Setting, after: Setting]>([
    ['slots', PLAIN, SLOTS],
    ['another zone', SLOTS, { zone: 'America/New_York', slots: true }],
    ['slots and another zone', PLAIN, { zone: 'Asia/Kolkata', slots: true }],
    ['no slots', SLOTS, PLAIN],
  ])('%s: the store is as if it had been read by them, and other feeds stay as they are', async (_, before, after) => {
    for (const seed of seeds(2, 1)) {
      const [own, clean] = [await rig(), await rig()];
      readBySettings(own, before);
      readBySettings(clean, after);
      for (const each of [own, clean]) {
        await rebuildIfNeeded(each.store, each.options);
        await each.feed(items(seed));
        await each.feed(randomFeed(seed, 5), 50, OTHER);
      }
      expect(await rebuildIfNeeded(own.store, own.options)).toBe(false);
      const shownBefore = await shown(own);
      expect(shownBefore).not.toEqual(await shown(clean));
      own.changed.clear();
      readBySettings(own, after);
      own.clock.now += 60_000;
      expect(await beginRebuild(own.store, own.options)).toBe(true);
      while (await rebuildSlice(own.store, own.options, 7));
      expect(await shown(own)).toEqual(await shown(clean));
      expect(await differencesIn(own)).toEqual([]);
      expect(await rebuildIfNeeded(own.store, own.options)).toBe(false);
      // Revisions move with what is shown: of no calendar of the other feed, and of each that differs.
      const differs = [...(await shown(own))].filter(([name, text]) => shownBefore.get(name) !== text);
      const keys = new Set(differs.map(([name]) => name.split('/')[1] ?? name));
      expect([...keys].filter((key) => !own.changed.has(key))).toEqual([]);
      const others = own.store.read.recordByIdent.bind(own.store.read);
      for (const { data } of randomFeed(seed, 5)) {
        const row = await others('series', String(data?.['@id']));
        const calendar = row && (await own.store.read.calendarOf(row.id));
        expect(own.changed.has(calendar?.key ?? '')).toBe(false);
      }
      await Promise.all([own.close(), clean.close()]);
    }
  });

  test('a feed that the settings name no more stays as it was read, also under other rules', async () => {
    readBySettings(one, SLOTS);
    await one.feed(items(1));
    const before = await shown(one);
    readBySettings(one, PLAIN);
    one.options.names = ({ url }) => url !== FEED;
    expect(await rebuildIfNeeded(one.store, one.options)).toBe(false);
    await madeOtherwise('');
    expect(await rebuildIfNeeded(one.store, one.options)).toBe(true);
    expect(await shown(one)).toEqual(before);
    expect(await differences()).toEqual([]);
  });
});
