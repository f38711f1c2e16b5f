import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openLibrary, type StoredLibrary } from '../../src/library/index.ts';
import { openStore, storeFile } from '../../src/store/index.ts';
import { Connection } from '../../src/store/sqlite/connection.ts';
import { segmentMerger } from '../../src/store/sqlite/search/segments.ts';
import { benchPages } from './generate.ts';
import { openTarget } from './ingest-target.ts';
import type { BenchOptions } from './measure.ts';

/** A store as large as a country's, for what is read of it: made by the real ingest, or one that was made and kept before. */

export interface LargeStore {
  library: StoredLibrary;
  /** The same file, without the program. */
  db: DatabaseSync;
  series: number;
  sessions: number;
  close(): Promise<void>;
}

/** As many as are made in about two minutes. */
const SERIES = 100_000;
const QUICK_SERIES = 30_000;
/** In generated feeds: a third are series, and a place has as many items as in half a million of the survey. */
const ITEMS_PER_SERIES = 3.3;
const ITEMS_PER_PLACE = 333;

/** The middle of what is generated: a Monday noon. */
export const LARGE_NOW = Date.UTC(2026, 2, 2, 12);

export async function largeStore({ series, store: given, quick, note }: BenchOptions): Promise<LargeStore> {
  const data = given ?? mkdtempSync(join(tmpdir(), 'openactive-ical-bench-'));
  const items = Math.round((series ?? (quick ? QUICK_SERIES : SERIES)) * ITEMS_PER_SERIES);
  if (given === undefined || !existsSync(storeFile(data))) {
    const target = await openTarget(data);
    await target.run(benchPages({ items, seed: 20_260_105, sites: Math.round(items / ITEMS_PER_PLACE) }));
    await target.close();
  }
  bringTogether(data);
  const store = await openStore({ data });
  const library = await openLibrary(store, {
    now: () => LARGE_NOW,
    compose: { zone: 'Europe/London', placesLeft: false, refresh: 'PT6H' },
    horizonDays: 365,
    rendering: 'bench',
  });
  const db = new DatabaseSync(storeFile(data), { readOnly: true });
  const count = (what: string) => Number(db.prepare(`SELECT count(*) AS n FROM ${what}`).get()?.n);
  const counts = { series: count('search WHERE kind = 0'), sessions: count('record WHERE kind = 1') };
  note(`a store of ${counts.series} series and ${counts.sessions} sessions`);
  const close = async () => {
    db.close();
    await store.close();
    if (given === undefined) rmSync(data, { recursive: true, force: true });
  };
  return { library, db, ...counts, close };
}

/** The search index as it is after some seconds in which nothing was written. */
function bringTogether(data: string): void {
  const connection = new Connection(storeFile(data));
  const mergeSegments = segmentMerger(connection);
  while (mergeSegments());
  connection.close();
}
