import { chmod, copyFile, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, test } from 'vitest';
import { openRepublishing } from '../../../src/cli/feeds/republish.ts';
import type { Settings } from '../../../src/config.ts';
import { RECORD_KINDS } from '../../../src/opportunity/records.ts';
import { databaseAt, type LogEntry, openPublishedLog, openStore } from '../../../src/store/index.ts';
import { readsBodies } from '../../../src/store/sqlite/connection.ts';
import { storeFile } from '../../../src/store/sqlite/store.ts';
import { pageText } from '../../harvest/memory.ts';
import { flip } from '../../store/flip.ts';
import { cli } from '../io.ts';
import { rig } from '../rig.ts';

const { path, data, serve: servePages } = rig();

/** Of the samples, made once. */
let samples: string;
beforeAll(async () => {
  samples = data();
  expect((await cli(['sync', '--samples', '--data', samples])).code).toBe(0);
});

async function copyOfSamples(): Promise<string> {
  const folder = data();
  await mkdir(folder);
  await copyFile(storeFile(samples), storeFile(folder));
  return folder;
}

function change(folder: string, sql: string): void {
  const db = new DatabaseSync(storeFile(folder));
  readsBodies(db);
  db.exec(sql);
  db.close();
}

/** Publishes anew what a store has; the entries of places. */
async function republish(folder: string): Promise<LogEntry[]> {
  const settings = { data: folder, republish: true } as Settings;
  const store = await openStore(settings);
  const republishing = await openRepublishing(settings, store.read, Date.now, { harvests: true });
  await republishing?.follow();
  await Promise.all([republishing?.close(), store.close()]);
  const log = await databaseAt(settings).openRepublished({ readOnly: true });
  const entries = await log.page('places', 0, 1000);
  await log.close();
  return entries;
}

const PLACE = RECORD_KINDS.indexOf('place');
const mode = async (file: string) => (await stat(file)).mode & 0o777;

describe('store verify', () => {
  test('finds nothing in what sync has made', async () => {
    expect(await cli(['store', 'verify', '--samples', '--data', samples])).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /: the file is sound, and everything in it is as its raw items make it \(\d+ items of 8 feeds\)\n$/,
      ),
      err: '',
    });
  });

  const wrongs: [title: string, sql: string, told: RegExp][] = [
    [
      'a record that says something else',
      "UPDATE record_body SET body = replace(body, 'Yoga', 'Judo') WHERE body_text(body, ident) LIKE '%\"kind\":\"series\"%Yoga%'",
      /^records with another text: \d+: series https:/m,
    ],
    [
      'a record that is not there',
      'UPDATE record SET item = NULL WHERE id = (SELECT min(id) FROM record WHERE kind = 0 AND item IS NOT NULL)',
      /^records that the raw items say and the store has not: 1: series /m,
    ],
    [
      'a record that nobody says',
      'UPDATE record SET item = 1 WHERE id = (SELECT min(id) FROM record WHERE item IS NULL)',
      /^records that the store has and no raw item says: 1: /m,
    ],
    [
      'another owner',
      'UPDATE record SET item = item + 1 WHERE id = (SELECT min(id) FROM record WHERE kind = 0 AND item IS NOT NULL)',
      /^records with another owner: 1: series /m,
    ],
    [
      'a session of another series',
      'UPDATE record SET parent = (SELECT max(id) FROM record WHERE kind = 0) WHERE id = (SELECT min(id) FROM record WHERE kind = 1 AND item IS NOT NULL)',
      /^records with another series or place that they belong to: 1: session /m,
    ],
    [
      'an occurrence too many',
      'INSERT INTO occurrence (series, start, schedule, "end", session, stamp) SELECT series, start + 1, schedule, "end", session, stamp FROM occurrence LIMIT 1',
      /^occurrences: 1: \S+ at 20/m,
    ],
    [
      'an occurrence too few',
      'DELETE FROM occurrence WHERE (series, start) IN (SELECT series, start FROM occurrence LIMIT 1)',
      /^occurrences: 1: \S+ at 20/m,
    ],
    [
      'a calendar that is not there',
      "DELETE FROM calendar WHERE record = (SELECT min(record) FROM calendar WHERE kind = 0 AND state = 'live')",
      /^calendars that are missing, or should not be there: 1: \w+/m,
    ],
    [
      'a calendar under another name',
      "UPDATE calendar SET name = 'x' WHERE seq = (SELECT min(seq) FROM calendar WHERE part = '')",
      /^calendars with another name: 1: /m,
    ],
    ['a wrong count', 'UPDATE feed SET live = live + 1 WHERE id = 1', /^counts of feeds: 1: /m],
    [
      'a raw item that is not what came',
      "UPDATE item SET hash = 'x' WHERE id = (SELECT min(id) FROM item WHERE hash IS NOT NULL)",
      /^raw items that are not what was harvested: 1: \w+ \S+\n/m,
    ],
    [
      'a bundle that cannot be unpacked',
      'UPDATE bundle SET data = zeroblob(length(data)) WHERE id = 1',
      /^raw items that are not what was harvested: \d+: .*\n/m,
    ],
  ];
  test.each(wrongs)('%s is reported, and ends with 1', async (_, sql, told) => {
    const folder = await copyOfSamples();
    change(folder, sql);
    const ran = await cli(['store', 'verify', '--samples', '--data', folder]);
    expect(ran).toMatchObject({ code: 1, out: expect.stringMatching(told), err: '' });
    expect(ran.out).toMatch(/differs from what its raw items make of it/);
    expect(ran.out.split('\n').every((line) => line.length < 600)).toBe(true);
  });

  test('damage of the file was answered with the advice to run store verify', async () => {
    const folder = await copyOfSamples();
    await flip(storeFile(folder), 'record_item');
    const ran = await cli(['store', 'verify', '--samples', '--data', folder]);
    expect(ran).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(
        /^openactive-ical: The database \S+ is damaged in \d+ places?, first: \S[^\n]*\. Bring back a copy that "openactive-ical store backup" made, or put the file aside and start anew\.\n$/,
      ),
    });
    expect(ran.err).not.toContain('store verify');
  });

  const faults: [title: string, sql: string, step: string, reason: string][] = [
    ['a schema', 'PRAGMA user_version = 1', 'its copy was opened', '[^;]+'],
    [
      'the state of a feed',
      "UPDATE feed SET state = '{' WHERE id = 1",
      'everything was made again from its raw items',
      'it is damaged',
    ],
    [
      'the findings of an item',
      "UPDATE item SET findings = '{'",
      'everything was made again from its raw items',
      'it is damaged',
    ],
  ];
  test.each(faults)(
    '%s that cannot be read: the database is named, the step and the cure',
    async (_, sql, step, reason) => {
      const folder = await copyOfSamples();
      change(folder, sql);
      const ran = await cli(['store', 'verify', '--samples', '--data', folder]);
      const cure = 'bring back a copy that "openactive-ical store backup" made.';
      expect(ran).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/^[^\n]+\n$/) });
      expect(ran.err).toMatch(new RegExp(`while ${step}, ${reason}; ${cure}`));
      expect(ran.err).toContain(`openactive-ical: The database ${storeFile(folder)} cannot be verified: `);
      expect(ran.err).not.toMatch(/openactive-ical-verify-|store verify/);
    },
  );

  test('leaves the store as it was, nothing behind, and works while another process writes', async () => {
    const folder = await copyOfSamples();
    const scratch = path('scratch');
    await mkdir(scratch);
    const store = await openStore({ data: folder });
    const before = await store.read.lastSeq();
    const verifying = cli(['store', 'verify', '--samples', '--data', folder, '--scratch', scratch]);
    for (let n = 0; n < 20; n++) await store.write((tx) => tx.setMeta('n', String(n)));
    expect((await verifying).code).toBe(0);
    expect(await store.read.lastSeq()).toBe(before);
    await store.close();
    expect(await readdir(scratch)).toEqual([]);
    expect(await cli(['store', 'verify', '--samples', '--data', folder, '--scratch', path('nowhere')])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/no folder can be made there; --scratch names another\n$/),
    });
  });
});

test('a store of a newer release is refused by its own name, and no copy is named', async () => {
  const folder = await copyOfSamples();
  change(folder, 'PRAGMA user_version = 1000');
  const ran = await cli(['store', 'verify', '--samples', '--data', folder]);
  expect([ran.code, ran.err]).toEqual([1, expect.stringContaining(`${storeFile(folder)} was written by a newer`)]);
});

test('feeds that the settings do not name are read as they were', async () => {
  expect(await cli(['store', 'verify', '--data', samples])).toMatchObject({ code: 0, err: '' });
});

describe('store backup', () => {
  test('writes a copy that is sound, its owner’s alone, and serves as the store did', async () => {
    const file = path('backup.sqlite');
    const open = await openStore({ data: samples });
    await open.write((tx) => tx.setMeta('just', 'now'));
    expect(await cli(['store', 'backup', file, '--data', samples])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/backup\.sqlite: a sound copy of .*, \d+\.\d MB\n$/),
      err: '',
    });
    await open.close();
    expect(await mode(file)).toBe(0o600);
    const folder = data();
    await mkdir(folder);
    await copyFile(file, storeFile(folder));
    const store = await openStore({ data: folder });
    expect(await store.read.meta('just')).toBe('now');
    await store.close();
    expect((await cli(['store', 'verify', '--samples', '--data', folder])).code).toBe(0);
    const again = await cli(['sync', '--samples', '--data', folder]);
    expect([again.code, again.out.match(/items 0,/g)?.length]).toEqual([0, 8]);
  });

  test('has what was published: after a restore deletions are, and all else stays as it was', async () => {
    const folder = await copyOfSamples();
    const file = path('with-logs.sqlite');
    await (await openPublishedLog(folder)).close();
    const before = await republish(folder);
    expect(await cli(['store', 'backup', file, '--data', folder])).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /^\S+logs\.sqlite: a sound .*\n\S+\.published: a sound .*\n\S+\.republished: a sound .*\n$/,
      ),
    });
    const restored = data();
    await mkdir(restored);
    await copyFile(file, storeFile(restored));
    for (const name of ['republished', 'published'])
      await copyFile(`${file}.${name}`, join(restored, `${name}.sqlite`));
    expect(await mode(join(restored, 'republished.sqlite'))).toBe(0o600);
    change(restored, `UPDATE record SET item = NULL WHERE id = (SELECT min(id) FROM record WHERE kind = ${PLACE})`);
    const after = await republish(restored);
    expect(after.filter(({ data: text }) => text === undefined)).toHaveLength(1);
    const same = after.filter(({ number }) => before.some((entry) => entry.number === number));
    expect(same).toHaveLength(before.length - 1);
  });

  test('overwrites no log, and leaves nothing of the store then', async () => {
    const folder = await copyOfSamples();
    await (await openPublishedLog(folder)).close();
    const file = path('half.sqlite');
    await writeFile(`${file}.published`, 'kept');
    expect(await cli(['store', 'backup', file, '--data', folder])).toMatchObject({
      code: 1,
      err: `openactive-ical: ${file}.published: is there already, and is not overwritten\n`,
    });
    await expect(stat(file)).rejects.toThrow();
  });

  test('overwrites nothing', async () => {
    const file = path('kept.txt');
    await writeFile(file, 'kept');
    expect(await cli(['store', 'backup', file, '--data', samples])).toMatchObject({
      code: 1,
      out: '',
      err: `openactive-ical: ${file}: is there already, and is not overwritten\n`,
    });
    expect((await stat(file)).size).toBe(4);
  });

  test('into a folder that is not there, or is a file: one line, and nothing left', async () => {
    for (const file of [path('none/b.sqlite'), join(storeFile(samples), 'b.sqlite')]) {
      expect(await cli(['store', 'backup', file, '--data', samples])).toMatchObject({
        code: 1,
        out: '',
        err: `openactive-ical: ${file}: cannot be written: there is no such folder\n`,
      });
    }
  });

  test('of a file that is no database: one line', async () => {
    const folder = data();
    await mkdir(folder);
    await writeFile(storeFile(folder), 'x'.repeat(9000));
    expect(await cli(['store', 'backup', path('no.sqlite'), '--data', folder])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^openactive-ical: The database \S+ cannot be opened: it is no database; [^\n]*\n$/),
    });
    expect(await readdir(path(''))).not.toContain('no.sqlite');
  });
});

describe('store migrate', () => {
  test('says that there is nothing to do', async () => {
    expect(await cli(['store', 'migrate', '--samples', '--data', samples])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^up to date: schema \d+, rules \d+\n$/),
    });
  });

  test('makes everything again where the rules are older', async () => {
    const folder = await copyOfSamples();
    change(folder, "UPDATE meta SET value = '2' WHERE key = 'rules'");
    expect(await cli(['store', 'migrate', '--samples', '--data', folder])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^everything was made again by rules \d+ \(they were 2\)\n$/),
    });
    expect((await cli(['store', 'migrate', '--samples', '--data', folder])).out).toMatch(/^up to date/);
  });
});

const WHATS = [['backup', 'x.sqlite'], ['verify'], ['migrate']];

test('the help of store verify speaks of the database, which need not be a file', async () => {
  expect((await cli(['store', '--help'])).out).toMatch(/verify\s+reads\s+the\s+database\s+for\s+damage/);
});

describe('misuse of store', () => {
  const lines: [argv: string[], code: number, err: RegExp][] = [
    [[], 2, /store needs one of backup, verify, migrate/],
    [['verfy'], 2, /store "verfy": allowed are backup, verify, migrate \(did you mean verify\?\)/],
    [['backup'], 2, /store backup needs the FILE to write/],
    [['verify', 'x'], 2, /store verify takes no FILE/],
    [['migrate', 'x', 'y'], 2, /one argument too many/],
  ];
  test.each(lines)('%j', async (argv, code, err) => {
    const ran = await cli(['store', ...argv, '--data', samples]);
    expect([ran.code, ran.out]).toEqual([code, '']);
    expect(ran.err).toMatch(err);
    expect(ran.err.split('\n')).toHaveLength(2);
  });

  test.each(WHATS)('store %s where there is none makes none', async (...argv) => {
    const folder = data();
    const ran = await cli(['store', ...argv, '--data', folder]);
    expect([ran.code, ran.err]).toEqual([1, expect.stringMatching(/holds no database yet/)]);
    await expect(stat(folder)).rejects.toThrow();
  });
});

describe('the files of a database', () => {
  test('are their owner’s alone, and so is a folder that is made for them', async () => {
    const folder = data();
    const server = await servePages({ '/feed': pageText([1], '$/end'), '/end': pageText([], '$/end') });
    expect((await cli(['sync', '--feed', `${server.url}/feed`, '--data', folder])).code).toBe(0);
    const store = await openStore({ data: folder });
    await store.write((tx) => tx.setMeta('a', 'b'));
    const names = await readdir(folder);
    const expected = ['harvest-lock', 'sqlite', 'sqlite-shm', 'sqlite-wal'].map((end) => `openactive-ical.${end}`);
    expect(names.sort()).toEqual(expected);
    for (const name of names) expect([name, await mode(join(folder, name))]).toEqual([name, 0o600]);
    expect(await mode(folder)).toBe(0o700);
    await store.close();
  });

  test('that others could read are taken from them, and that is reported', async () => {
    const folder = await copyOfSamples();
    await chmod(storeFile(folder), 0o644);
    const told: string[] = [];
    const store = await openStore({ data: folder, onTightened: (files) => told.push(...files) });
    expect([told, await mode(storeFile(folder))]).toEqual([[storeFile(folder)], 0o600]);
    await store.close();
  });
});
