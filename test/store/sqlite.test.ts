import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoreError } from '../../src/errors.ts';
import { openStore } from '../../src/store/index.ts';
import { storeContract } from './contract.ts';

describe('SQLite', () => {
  storeContract(async () => {
    const data = await mkdtemp(join(tmpdir(), 'openactive-ical-'));
    return { open: () => openStore({ data }), destroy: () => rm(data, { recursive: true }) };
  });

  describe('the file', () => {
    let data: string;
    beforeEach(async () => {
      data = await mkdtemp(join(tmpdir(), 'openactive-ical-'));
    });
    afterEach(() => rm(data, { recursive: true }));

    it('is refused in one line when a newer release wrote it', async () => {
      await (await openStore({ data })).close();
      const db = new DatabaseSync(join(data, 'openactive-ical.sqlite'));
      db.exec('PRAGMA user_version = 99');
      db.close();
      await expect(openStore({ data })).rejects.toThrow(/written by a newer release \(schema 99/);
    });

    it('of the first release is opened with all that is in it', async () => {
      const db = new DatabaseSync(join(data, 'openactive-ical.sqlite'));
      db.exec(await readFile(new URL('schema-1.sql', import.meta.url), 'utf8'));
      db.exec(`PRAGMA user_version = 1;
        INSERT INTO feed (id, url, name, cursor) VALUES (1, 'read', 'One', 'https://f.example/?after=2'), (2, 'unread', NULL, NULL);
        INSERT INTO item (feed, kind, rpde_id, modified, hash, findings) VALUES
          (1, 'K', 'a', '1', 'h', '[{},{}]'), (1, 'K', 'b', '1', 'h', NULL), (1, 'K', 'c', '2', NULL, NULL);
        INSERT INTO page_finding VALUES (1, 'p', '[{}]');
        INSERT INTO calendar (record, part, kind, key, state, revision, changed, seq, name, search, header, sessions, rolling)
          VALUES (1, '', 0, 'k', 'live', 3, 5000, 9, 'n', 's', 'h', 0, 0);`);
      db.close();
      const store = await openStore({ data });
      const [read, unread] = await store.read.feedStates();
      expect(read).toMatchObject({
        name: 'One',
        cursor: 'https://f.example/?after=2',
        state: 'reading',
        lastChange: 5000,
      });
      expect(read).toMatchObject({ items: 2, deleted: 1, findings: 3 });
      expect(unread).toMatchObject({ state: 'new', cursor: undefined, items: 0, deleted: 0, findings: 0 });
      expect(await store.read.calendarByKey('k')).toMatchObject({ revision: 3, seq: 9 });
      await store.write((tx) => tx.saveSeen(1, [1]));
      expect((await store.read.unseen(1, 0, 99)).map(({ rpdeId }) => rpdeId)).toEqual(['b']);
      await store.close();
      await (await openStore({ data })).close();
    });

    it('is refused in one line when it is no database, with the path', async () => {
      await writeFile(
        join(data, 'openactive-ical.sqlite'),
        'not a database at all, but long enough to be read as one'.repeat(40),
      );
      const opening = openStore({ data });
      await expect(opening).rejects.toBeInstanceOf(StoreError);
      await expect(opening).rejects.toThrow(/openactive-ical\.sqlite cannot be opened/);
    });

    it('holds no bundle whose last item has left it', async () => {
      const store = await openStore({ data });
      const feed = await store.write((tx) => tx.openFeed('f', {}));
      const one = { kind: '', rpdeId: 'a', modified: '1', hash: 'h', raw: '{}', findings: undefined };
      const [id] = await store.write((tx) => tx.saveItems(feed.id, [{ ...one, id: undefined }]));
      await store.write((tx) => tx.saveItems(feed.id, [{ ...one, id, raw: '{"b":1}' }]));
      await store.close();
      const db = new DatabaseSync(join(data, 'openactive-ical.sqlite'));
      expect(db.prepare('SELECT count(*) AS n FROM bundle').get()).toEqual({ n: 1 });
      db.close();
    });
  });
});
