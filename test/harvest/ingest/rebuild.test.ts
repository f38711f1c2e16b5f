import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { beginRebuild, rebuildIfNeeded, rebuildSlice } from '../../../src/harvest/ingest/rebuild.ts';
import { verifyStore } from '../../../src/harvest/ingest/verify.ts';
import { META } from '../../../src/store/index.ts';
import { readsBodies } from '../../../src/store/sqlite/connection.ts';
import { withOwnDetails } from '../../generate/own-details.ts';
import { type RpdeJson, randomFeed } from '../../generate/series.ts';
import { type Rig, rig } from '../rig.ts';

/** A release that reads data otherwise makes all that is stored again: in slices, while the old is served, asking nobody. */

const OTHER = 'https://other.example.org/sessions';
let one: Rig;
beforeEach(async () => {
  one = await rig();
  await rebuildIfNeeded(one.store, one.options);
});
afterEach(() => one.close());

/** What differs between the store and what its raw items make at once. */
async function differences(): Promise<unknown[]> {
  const scratch = await mkdtemp(join(tmpdir(), 'oai-rebuild-'));
  try {
    return (await verifyStore(one, scratch, one.options, async () => {})).differences;
  } finally {
    await rm(scratch, { recursive: true });
  }
}

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
    expect(await beginRebuild(one.store)).toBe(true);
    expect(await slices(7)).toBeGreaterThan(10);
    expect(await differences()).toEqual([]);
    expect(await one.served()).toEqual(served);
    expect(await revisions()).toEqual(before);
    expect(await beginRebuild(one.store)).toBe(false);
  });

  test('what is not reached yet is served, pages are taken in between, and a stopped process goes on', async () => {
    const [early, late] = [randomFeed(5, 30), randomFeed(6, 10)];
    await one.feed(early);
    const served = await one.served();
    await madeOtherwise('DELETE FROM occurrence;');
    await beginRebuild(one.store);
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
    await beginRebuild(one.store);
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
  expect(await beginRebuild(one.store)).toBe(false);
  await madeOtherwise('');
  expect(await beginRebuild(one.store)).toBe(false);
  expect(await rebuildSlice(one.store, one.options)).toBe(false);
});
