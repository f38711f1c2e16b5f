import { mkdtemp, rm, writeFile } from 'node:fs/promises';
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
