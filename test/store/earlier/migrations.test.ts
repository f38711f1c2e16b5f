import { hash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openPublishedLog } from '../../../src/store/index.ts';
import { MIGRATIONS as POSTGRES } from '../../../src/store/postgres/schema.ts';
import { MIGRATIONS as SQLITE } from '../../../src/store/sqlite/schema.ts';

/** A migration that somebody's store has been through is never changed: a new one is added at the end, with its hash here. */

const digests = (migrations: readonly string[]) => migrations.map((text) => hash('sha256', text).slice(0, 12));

test('migrations of SQLite are those that stores have been through', () => {
  expect(digests(SQLITE)).toEqual([
    'cb4dbb7fece4',
    'a46d3d5f00bf',
    'b930b6fd8015',
    '2a114a329467',
    '801221367bc0',
    'e3b0c44298fc',
    '569b537fa921',
    '7da43fd82090',
  ]);
});

test('migrations of PostgreSQL are those that stores have been through', () => {
  expect(digests(POSTGRES)).toEqual([
    '6f798575890f',
    'bd430b13faf8',
    'e3b0c44298fc',
    'ebe5d4e0bfeb',
    'b6f380084700',
    '7da43fd82090',
  ]);
});

/** The file of a change log, as earlier and later releases wrote it. */
describe('the file of a change log', () => {
  let folder: string;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'change-log-'));
    const log = await openPublishedLog(folder);
    const change = { kind: 'Slot', data: '{}' };
    await log.merge(
      [
        { ...change, feed: 'b/slots', id: '1' },
        { ...change, feed: 'a/slots', id: '2' },
      ],
      1,
    );
    await log.close();
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function change(sql: string): void {
    using db = new DatabaseSync(join(folder, 'published.sqlite'));
    db.exec(sql);
  }

  test('a log of the first version becomes one of this', async () => {
    change(
      'DROP INDEX entry_type; DROP INDEX entry_object; ALTER TABLE entry DROP COLUMN type; PRAGMA user_version = 1',
    );
    const log = await openPublishedLog(folder);
    expect((await log.page('slots', 0, 10)).map(({ id }) => id)).toEqual(['1', '2']);
    await log.close();
  });

  test('a log of a later release is refused', async () => {
    change('PRAGMA user_version = 99');
    await expect(openPublishedLog(folder)).rejects.toThrow(/was written by a newer release/);
  });

  test('a log whose tables cannot be made is not left locked', async () => {
    change('PRAGMA user_version = 0');
    await expect(openPublishedLog(folder)).rejects.toThrow(/cannot be opened: table mark already exists/);
    change('PRAGMA user_version = 2');
  });
});
