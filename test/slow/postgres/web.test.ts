import pino from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openCatalogue } from '../../../src/cli/serve/catalogue.ts';
import { openReadService } from '../../../src/cli/serve/service.ts';
import { settingsOf } from '../../../src/cli/settings.ts';
import { META, type Store, secretOf } from '../../../src/store/index.ts';
import { openPostgres } from '../../../src/store/postgres/store.ts';
import { testIo } from '../../cli/io.ts';
import { rig } from '../../cli/rig.ts';
import { type TestDatabase, testDatabase } from '../../store/postgres.ts';

/** Processes that serve and start with the one that harvests, or before it. */

const { data } = rig();
const log = pino({ level: 'silent' });

let database: TestDatabase;
let store: Store;
beforeEach(async () => {
  database = await testDatabase();
  store = await openPostgres(database.url);
});
afterEach(async () => {
  await store.close();
  await database.drop();
});

async function settings(...env: [string, string][]) {
  const all = { DATABASE_URL: database.url, CACHE_URL: 'redis://127.0.0.1:1', OPENACTIVE_ICAL_DATA: data() };
  const io = testIo({ env: { ...all, ...Object.fromEntries(env) }, folder: data() });
  return settingsOf({ role: 'web' }, io);
}

async function web(now: number) {
  const io = testIo({ now: () => now });
  const own = await settings(['OPENACTIVE_ICAL_BASE_URL', 'https://c.example']);
  const service = await openReadService(own, {}, log, io);
  const versions = async () => undefined;
  const { library } = await openCatalogue({
    settings: own,
    service,
    writing: undefined,
    facts: () => ({}),
    versions,
    log,
    io,
  });
  const found = { secret: service.secret, epoch: library.epoch };
  await service.close();
  return found;
}

test('they have one key of the shared cache, whether or not somebody has made it', async () => {
  const [one, two] = await Promise.all([web(1), web(2)]);
  expect(one?.secret).toMatch(/^[\w-]{43}$/);
  expect(two?.secret).toBe(one?.secret);
  expect(await secretOf(store)).toBe(one?.secret);
});

test('they render alike, and calendars moved at one time for all of them', async () => {
  const earlier = { rendering: 'of an earlier release', count: 3, at: 7 };
  await store.write((tx) => tx.setMeta(META.rendering, JSON.stringify(earlier)));
  const found = [await web(100), await web(200)];
  expect(found.map(({ epoch }) => [epoch.count, epoch.at])).toEqual([
    [4, 100],
    [4, 100],
  ]);
});
