import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SQLInputValue } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { KnownRecords } from '../../src/library/search/known-series.ts';
import { facilitiesAt } from '../../src/library/timetable/facility-slots.ts';
import { foundHere } from '../../src/library/timetable/found.ts';
import { openStore, type SearchQuery } from '../../src/store/index.ts';
import { sqlReader } from '../../src/store/sql/read/reader.ts';
import type { SearchIndex } from '../../src/store/sql/search-index.ts';
import { seededTags } from '../../src/store/sql/tags.ts';
import { Connection } from '../../src/store/sqlite/connection.ts';
import { candidates } from '../../src/store/sqlite/search/dated-rows.ts';
import { sqliteSearch } from '../../src/store/sqlite/search/reading.ts';
import { storeFile } from '../../src/store/sqlite/store.ts';
import { FOUND } from './search-contract.ts';

/** Every question to the search index is answered by an index: SQLite's own plan of each statement says so. */

const data = mkdtempSync(join(tmpdir(), 'openactive-ical-'));
let db: Connection;
let search: SearchIndex;
const plans: string[] = [];

/** A connection that notes the plan of what it is asked. */
class Planned extends Connection {
  override all(sql: string, ...values: SQLInputValue[]) {
    return this.#planned(sql, values, () => super.all(sql, ...values));
  }

  override get(sql: string, ...values: SQLInputValue[]) {
    return this.#planned(sql, values, () => super.get(sql, ...values));
  }

  #planned<T>(sql: string, values: SQLInputValue[], run: () => T): T {
    const rows = this.db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values);
    plans.push(...rows.map(({ detail }) => `${String(detail)} <- ${sql}`));
    return run();
  }
}

beforeAll(async () => {
  await (await openStore({ data })).close();
  db = new Planned(storeFile(data));
  // Every window of occurrences is read, though there are few series.
  db.db.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
    INSERT INTO search (record, kind, online) SELECT i, 0, 0 FROM n`);
  search = sqliteSearch(db, { series: 0, rows: 1 });
});

afterAll(() => {
  db.close();
  rmSync(data, { recursive: true });
});

/** A step that reads a whole table; virtual tables name the index they use, rows of a list are few, and zones are wanted all. */
const readsAll = (step: string): boolean =>
  step.startsWith('SCAN ') &&
  !/^SCAN (?:\(subquery|listed|CONSTANT ROW|json_each VIRTUAL|t VIRTUAL|search_text VIRTUAL TABLE INDEX \d+:M|search_near VIRTUAL TABLE INDEX 2:D|search_zone)/.test(
    step,
  );

test.each(FOUND)('%s', async (_what, query: SearchQuery) => {
  plans.length = 0;
  await search.search(query, 10);
  await search.countFound(query, 10);
  await search.foundOccurrences(query, { from: 0, to: 1e12, limit: 10 });
  await search.foundOccurrences(query, { from: 0, to: 1e12, endsAfter: 1e12, limit: 10, cancelled: true });
  await search.foundOccurrences(query, {
    from: 0,
    to: 1e12,
    endsAfter: 1e12,
    limit: 10,
    weekly: [{ from: 0, length: 1 }],
  });
  await search.countWithin(query, 10);
  expect(plans.length).toBeGreaterThan(2);
  expect(plans.filter(readsAll)).toEqual([]);
});

test.each(['start', 'long'] as const)('the next rows of some series: %s', (of) => {
  plans.length = 0;
  candidates(db, { of, from: 0, to: 1e12, endsAfter: 1e11 }, 'series', 10, new Set([1, 2]));
  expect(plans.length).toBeGreaterThan(3);
  expect(plans.filter(readsAll)).toEqual([]);
});

test('the timetable of a place, and the slots of its facilities', async () => {
  plans.length = 0;
  const reader = sqlReader(db, seededTags(0, '1'), search);
  await foundHere(reader, 1, { from: 0, to: 1e12, limit: 200 }, new KnownRecords(reader));
  await reader.bodies([1, 2]);
  await facilitiesAt(reader, 1, { from: 0, to: 1e12 }, 10);
  await reader.childrenWithin('slot', [1, 2], { from: 0, to: 1e12, limit: 10 });
  await reader.countChildren('slot', 1, 1);
  expect(plans.length).toBeGreaterThan(4);
  expect(plans.filter(readsAll)).toEqual([]);
});

test('facts, positions and words', async () => {
  plans.length = 0;
  await search.searchFacts([1, 2]);
  await search.positionOf('towns', 'wexcombe');
  await search.wordsLike('yoga');
  await search.searchZones();
  expect(plans.length).toBeGreaterThan(2);
  expect(plans.filter(readsAll)).toEqual([]);
});

test('a plan that reads a whole table is found', () => {
  plans.length = 0;
  db.all('SELECT record FROM search WHERE zone = ?', 'x');
  expect(plans.filter(readsAll)).toHaveLength(1);
});
