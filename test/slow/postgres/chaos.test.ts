import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { openStore } from '../../../src/store/index.ts';
import { cli } from '../../cli/io.ts';
import { Random } from '../../generate/random.ts';
import { rig as rigOfStore, servedBy, withoutStamps } from '../../harvest/rig.ts';
import { ask, goOnAsking, nameOf, type Shared } from './chaos/callers.ts';
import { ORPHANS } from './chaos/orphans.ts';
import { type Ended, Program } from './chaos/programs.ts';
import { openPublisher, type Publisher } from './chaos/publisher.ts';
import { Cluster, freePort, POSTGRES, Redis } from './chaos/servers.ts';

/**
 * Three harvesters and four web processes on a PostgreSQL and a Redis. All of them are killed and stopped at random while
 * publishers change their feeds and callers ask. What is stored in the end is what one pass makes of the feeds, and a calendar
 * that was ever served is always served. `TEST_CHAOS_SECONDS` says for how long, `TEST_CHAOS_SEED` names what happens.
 */

const SEED = Number(process.env.TEST_CHAOS_SEED ?? (process.env.CI ? 7 : Date.now() % 1_000_000));
const SECONDS = Number(process.env.TEST_CHAOS_SECONDS ?? 120);
const BASE = 'https://calendars.example';

const random = new Random(SEED);
const closing: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await setTimeout(200);
}

interface World {
  folder: string;
  cluster: Cluster;
  redis: Redis;
  publishers: Publisher[];
  urls: string[];
  harvesters: Program[];
  webs: { program: Program; url: string }[];
  ended: Ended[];
}

async function makeWorld(): Promise<World> {
  const folder = process.env.TEST_CHAOS_FOLDER ?? (await mkdtemp(join(tmpdir(), 'openactive-ical-chaos-')));
  await mkdir(folder, { recursive: true });
  if (process.env.TEST_CHAOS_FOLDER === undefined) closing.push(() => rm(folder, { recursive: true, force: true }));
  const cluster = await Cluster.make(folder);
  closing.push(() => cluster.end('SIGQUIT'));
  const redis = await Redis.make(folder);
  closing.push(() => redis.end('SIGKILL'));
  const publishers: Publisher[] = [];
  for (let n = 0; n < 5; n += 1) publishers.push(await openPublisher(new Random(SEED + n)));
  for (const { close } of publishers) closing.push(close);
  const urls = publishers.flatMap((publisher) => publisher.urls);
  const ended: Ended[] = [];
  const env = {
    ...settings(),
    DATABASE_URL: cluster.url,
    CACHE_URL: redis.url,
    OPENACTIVE_ICAL_POLL_SECONDS: '0.2',
    OPENACTIVE_ICAL_IDLE_POLL_SECONDS: '0.5',
    OPENACTIVE_ICAL_RATE_LIMIT: '0',
  };
  const started = (name: string, argv: readonly string[]): Program => {
    const data = ['--data', join(folder, name)];
    const how = {
      env: { ...env, OPENACTIVE_ICAL_CONTACT: `${name}@a.example` },
      onEnd: (one: Ended) => ended.push(one),
    };
    const program = new Program(name, ['serve', ...argv, ...data], { ...how, log: join(folder, `${name}.log`) });
    closing.push(() => program.abandon());
    return program;
  };
  const feeds = urls.flatMap((url) => ['--feed', url]);
  const harvesters = [1, 2, 3].map((n) => started(`harvester-${n}`, ['--role', 'harvest', ...feeds]));
  const webs: World['webs'] = [];
  for (let n = 1; n <= 4; n += 1) {
    const port = await freePort();
    const program = started(`web-${n}`, ['--role', 'web', '--host', '127.0.0.1', '--port', String(port)]);
    webs.push({ program, url: `http://127.0.0.1:${port}` });
  }
  return { folder, cluster, redis, publishers, urls, harvesters, webs, ended };
}

const settings = () => ({ OPENACTIVE_ICAL_BASE_URL: BASE, OPENACTIVE_ICAL_CONFIRM_DELETES: 'apply' });

/** What each feed has stored is what it sends. */
async function arrived({ cluster, publishers }: World): Promise<boolean> {
  const sql = 'SELECT f.url, i.rpde_id, i.modified FROM item i JOIN feed f ON f.id = i.feed';
  const rows = await cluster.query(sql).catch(() => []);
  const stored = rows.map((row) => row.join(' ')).sort();
  return JSON.stringify(stored) === JSON.stringify(publishers.flatMap((one) => one.sent()).sort());
}

/** The blows, each as often in a round as it stands here. */
const ROUND = [
  'kill harvester',
  'kill harvester',
  'stop harvester',
  'stop harvester beyond its lease',
  'stop harvester beyond its lease',
  'kill web',
  'kill web',
  'stop web',
  'end postgres',
  'kill postgres',
  'crash postgres',
  'hang postgres',
  'kill redis',
  'empty redis',
  'hang redis',
] as const;
type Blow = (typeof ROUND)[number];

/** Longer than a lease holds. */
const BEYOND_MS = [22_000, 28_000] as const;

async function strike(blow: Blow, world: World): Promise<void> {
  const { cluster, redis, harvesters, webs } = world;
  const away = random.int(0, 4000);
  // The others go on being asked: on a slow machine a start takes as long as some blows.
  const ready = webs.filter(({ program }) => program.isReady);
  const web = ready.length > 2 ? random.pick(ready).program : undefined;
  const harvester = random.pick(harvesters);
  switch (blow) {
    case 'kill harvester':
      return harvester.kill();
    case 'kill web':
      return web?.kill();
    case 'stop harvester':
      return harvester.stop(random.int(500, 6000));
    case 'stop harvester beyond its lease':
      return harvester.stop(random.int(...BEYOND_MS));
    case 'stop web':
      return web?.stop(random.int(500, 8000));
    case 'end postgres':
      return cluster.restart(random.pick(['SIGQUIT', 'SIGINT']), away);
    case 'kill postgres':
      return cluster.restart('SIGKILL', away);
    case 'crash postgres':
      return cluster.crash();
    case 'hang postgres':
      return cluster.hang(2 * away);
    case 'kill redis':
      return redis.restart('SIGKILL', away);
    case 'empty redis':
      return redis.empty().catch(() => {});
    case 'hang redis':
      return redis.hang(away);
  }
}

/** Blow after blow. Publishers change all the while. */
async function rage(world: World): Promise<Record<string, number>> {
  const done: Record<string, number> = {};
  const running: Promise<void>[] = [];
  const end = performance.now() + 1000 * SECONDS;
  for (let round: Blow[] = []; performance.now() < end; ) {
    if (round.length === 0) round = random.shuffle(ROUND);
    const blow = round.pop() as Blow;
    done[blow] = (done[blow] ?? 0) + 1;
    running.push(strike(blow, world));
    const pause = performance.now() + random.int(500, 7000);
    while (performance.now() < pause) {
      random.pick(world.publishers).change();
      await setTimeout(random.int(20, 400));
    }
  }
  await Promise.all(running);
  return done;
}

async function keepList(url: string, things: readonly string[]): Promise<{ token: string; editKey: string }> {
  const body = JSON.stringify({ things, name: 'Mine' });
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(`${url}/my`, { method: 'POST', headers, body });
  expect(response.status).toBe(201);
  return (await response.json()) as { token: string; editKey: string };
}

/** Every calendar as a web process has it, by its key; a status where it has none. */
async function servedAt(url: string, keys: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const key of keys) {
    const { status, body } = await ask(`${url}/series/${key}.ics`);
    found.set(key, status === 200 ? body.toString() : String(status));
  }
  return found;
}

test.skipIf(POSTGRES === undefined)(
  'whatever happens, the end is the publishers’ last word, and calendars are served all the time',
  { timeout: 1000 * SECONDS + 480_000 },
  async () => {
    console.info(`seed ${SEED}, ${SECONDS} s`);
    const world = await makeWorld();
    const { cluster, redis, folder, publishers, urls, webs, harvesters, ended } = world;
    await until(() => arrived(world));
    const keysOf = async (kind: number) =>
      (await cluster.query(`SELECT DISTINCT key FROM calendar WHERE kind = ${kind}`)).map(([key]) => String(key));
    const [series, places] = [await keysOf(0), await keysOf(2)];
    expect([series.length, places.length]).toEqual([expect.any(Number), expect.any(Number)]);
    for (const { url } of webs) await until(async () => (await ask(`${url}/readyz`).catch(() => null))?.status === 200);
    const list = await keepList(String(webs[0]?.url), [
      ...series.slice(0, 4).map((key) => `series/${key}`),
      'search?q=yoga',
    ]);

    const shared: Shared = {
      served: new Set(),
      octets: new Map(),
      faults: [],
      counts: {},
      inMemory: new Set(),
      database: cluster,
      redis,
    };
    const calendars = [
      ...series.map((key) => `/series/${key}.ics`),
      ...places.map((key) => `/places/${key}.ics`),
      '/search.ics?q=yoga',
      `/my/${list.token}.ics`,
    ];
    const pages = [
      '/',
      '/search?q=yoga',
      `/series/${series[0]}`,
      `/my/${list.token}`,
      '/api/series',
      '/api/occurrences',
      '/feeds',
    ];
    // What is kept in Redis has the name that the callers look for.
    for (const path of calendars) {
      await ask(`${webs[1]?.url}${path}`);
      await until(async () => (await redis.ageOf(nameOf(path))) !== undefined);
    }
    const stop = new AbortController();
    const asking = webs.flatMap(({ program, url }, at) =>
      [0, 1].map((n) => goOnAsking({ program, url, calendars, pages, seed: SEED + 10 * at + n, shared }, stop.signal)),
    );
    for (const publisher of publishers) publisher.isMoody = true;
    const done = await rage(world);
    for (const publisher of publishers) publisher.isMoody = false;
    for (const publisher of publishers) publisher.change();
    await until(() => arrived(world));
    stop.abort();
    await Promise.all(asking);
    console.info(
      JSON.stringify({
        done,
        counts: shared.counts,
        starts: [...harvesters, ...webs.map((web) => web.program)].map(({ starts }) => starts),
      }),
    );
    // Where the database is away when one starts, it ends with a line, and its supervisor starts it again.
    const unexpected = ended.filter(
      ({ wasReady, words }) => wasReady || !/^openactive-ical: The database .*\n$/m.test(words),
    );
    expect([unexpected, shared.faults]).toEqual([[], []]);

    for (const { url } of webs)
      for (const path of pages) await until(async () => [200, 410].includes((await ask(`${url}${path}`)).status));

    // From scratch, in an embedded database.
    const clean = join(folder, 'clean');
    const feeds = urls.flatMap((url) => ['--feed', url]);
    const env = settings();
    expect((await cli(['sync', '--data', clean, ...feeds], { env })).code).toBe(0);
    const { options, close } = await rigOfStore();
    const anew = await openStore({ data: clean });
    const expected = withoutStamps(await servedBy(anew, { ...options, baseUrl: BASE } as typeof options));
    await Promise.all([anew.close(), close()]);
    const all = await Promise.all(webs.map(({ url }) => servedAt(url, [...expected.keys()])));
    for (const one of all) {
      expect(one).toEqual(all[0]);
      expect(withoutStamps(one)).toEqual(expected);
    }
    expect([...expected.keys()].length).toBeGreaterThan(20);

    for (const [words, sql] of Object.entries(ORPHANS)) expect([words, await cluster.query(sql)]).toEqual([words, []]);
    for (const program of [...harvesters, ...webs.map((web) => web.program)])
      expect([program.name, await program.end()]).toEqual([program.name, { code: 0, signal: null }]);
    const verified = await cli(['store', 'verify', '--data', clean, ...feeds], {
      env: { ...env, DATABASE_URL: cluster.url },
    });
    expect([verified.code, verified.out, verified.err]).toEqual([0, expect.any(String), expect.any(String)]);
  },
);
