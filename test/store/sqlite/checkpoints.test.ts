import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Checkpoints, checkpointsOf } from '../../../src/store/sqlite/checkpoints.ts';
import { Connection } from '../../../src/store/sqlite/connection.ts';

/** What the log of a small database may take before it begins anew, and what is written while it is brought into the file. */
const BOUND = 2048;
const ROWS_A_COMMIT = 40;
const COMMITS = 300;

describe('the log', () => {
  let folder: string;
  let file: string;
  let db: Connection;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'openactive-ical-'));
    file = join(folder, 'some.sqlite');
    db = new Connection(file);
    db.db.exec('CREATE TABLE row (id INTEGER PRIMARY KEY, text TEXT)');
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function write(checkpoints: Checkpoints, commits: number): Promise<void> {
    for (let n = 0; n < commits; n += 1) {
      await checkpoints.ready();
      db.db.exec('BEGIN IMMEDIATE');
      // The same pages again and again: it is the log that grows.
      for (let row = 0; row < ROWS_A_COMMIT; row += 1)
        db.run('INSERT OR REPLACE INTO row (id, text) VALUES (?, ?)', row, `${n} `.repeat(2000).slice(0, 7000));
      db.db.exec('COMMIT');
      checkpoints.committed();
    }
  }

  function texts(): unknown[] {
    const other = new DatabaseSync(file);
    const rows = other.prepare('SELECT id, text FROM row ORDER BY id').all();
    other.close();
    return rows.map((row) => [row.id, String(row.text).split(' ')[0]]);
  }

  const expected = (commits: number) => Array.from({ length: ROWS_A_COMMIT }, (_, row) => [row, String(commits - 1)]);

  it('begins anew when it is long enough, and nothing of it is missing', async () => {
    const checkpoints = checkpointsOf(db, file);
    await write(checkpoints, COMMITS);
    const { size } = await stat(`${file}-wal`);
    const pages = size / 8192;
    expect(COMMITS * ROWS_A_COMMIT).toBeGreaterThan(4 * BOUND);
    expect(pages).toBeGreaterThan(BOUND);
    expect(pages).toBeLessThan(BOUND * 1.5);
    await checkpoints.close();
    db.close();
    expect(texts()).toEqual(expected(COMMITS));
    await expect(stat(`${file}-wal`)).rejects.toThrow('ENOENT');
  });

  it('waits for whoever still reads from it', async () => {
    const checkpoints = checkpointsOf(db, file);
    const reader = new DatabaseSync(file);
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM row').get();
    await write(checkpoints, 100);
    expect(reader.prepare('SELECT count(*) AS n FROM row').get()).toEqual({ n: 0 });
    reader.exec('ROLLBACK');
    reader.close();
    await write(checkpoints, 2);
    const { log } = db.log();
    expect(log).toBeLessThan(BOUND);
    await checkpoints.close();
    db.close();
    expect(texts()).toEqual(expected(2));
  });

  it('is brought into the file by who writes, where no thread can do it', async () => {
    const checkpoints = checkpointsOf(db, join(folder, 'no', 'such.sqlite'));
    await write(checkpoints, COMMITS);
    expect(db.get('PRAGMA wal_autocheckpoint')).toEqual([16_384]);
    await checkpoints.close();
    db.close();
    expect(texts()).toEqual(expected(COMMITS));
  });
});
