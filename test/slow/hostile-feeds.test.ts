import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { visitSoon } from '../../src/harvest/visit/operator.ts';
import { LIMITS } from '../../src/limits.ts';
import { FINDINGS } from '../../src/opportunity/findings.ts';
import type { FeedReport } from '../../src/store/index.ts';
import { openStore, type Store } from '../../src/store/index.ts';
import { answer } from '../fuzz/feeds/answers.ts';
import { growthOf } from '../fuzz/feeds/growth.ts';
import { Honest } from '../fuzz/feeds/honest.ts';
import { type Memory, type Program, startServe } from '../fuzz/feeds/program.ts';
import { Random } from '../generate/random.ts';
import { type FaultServer, faultServer } from '../harvest/ingest/faults.ts';

/**
 * A `serve` that reads feeds of hostile publishers, by seed, and one honest feed beside them: no visit hangs, `/healthz`
 * answers, memory stays, SIGTERM ends it under fire, and of the honest feed nothing moves but what it changed itself.
 * A minute once it is warm; TEST_HOSTILE_SECONDS=600 for ten, TEST_HOSTILE_SEED for another course of events.
 * It fails for a leak of more than LEAK_MB in the whole run: TEST_HOSTILE_LEAK=0.25 plants one of 150 MB in ten minutes.
 */
const SECONDS = Number(process.env.TEST_HOSTILE_SECONDS ?? 60);
/** Before it: code is compiled, V8 and the allocator take what they keep. The same for a long run: nothing grows unseen. */
const WARM_SECONDS = 45;
const SEED = Number(process.env.TEST_HOSTILE_SEED ?? 20_261_122);
const FEEDS = 12;
/** A request takes a minute at most, with its turn and what comes before and after it. */
const QUIET_SECONDS = 150;
const LEAK_MB = 100;
/** MB a second. */
const PLANTED_LEAK = Number(process.env.TEST_HOSTILE_LEAK ?? 0);
/** SIGTERM is heard between two turns of an event loop: far less than the 15 s in which it has to end everything. */
const BLOCKED_MS = 5000;

/** Whether another publisher's `@id` is believed to nobody else (semantics 1). */
const OWNED = 'claimed-by-another-publisher' in FINDINGS;

const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

const seconds = (count: number) => new Promise((done) => setTimeout(done, 1000 * count));

interface Hostile {
  server: FaultServer;
  /** From now on it is a feed that has ended. */
  calm: boolean;
}

async function hostile(number: number, honest: Honest): Promise<Hostile> {
  const random = new Random(SEED * 1000 + number);
  let turn = 0;
  const server = await faultServer((request, response) => {
    response.on('error', () => {});
    if (request.socket.listenerCount('error') < 3) request.socket.on('error', () => {});
    turn += 1;
    const base = server.url;
    const foreign = OWNED ? honest.idOf(random.int(0, 19)) : `${base}/objects/1`;
    if (!self.calm) answer({ request, response, random, base, turn, foreign });
    else
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(`{"items":[],"next":"${base}${request.url}"}`);
  });
  const self: Hostile = { server, calm: false };
  closing.push(server.close);
  return self;
}

/** Feeds that wait because they failed are asked again, or an hour would pass without a request. */
async function nudge(store: Store): Promise<void> {
  for (const { url, nextVisit = 0 } of await store.read.feedStates()) {
    if (nextVisit > Date.now()) await visitSoon(store, url, Date.now());
  }
}

it(
  `${FEEDS} hostile feeds for ${SECONDS} s, seed ${SEED}`,
  async () => {
    const honest = await Honest.open();
    closing.push(() => honest.publisher.close());
    const feeds = await Promise.all(Array.from({ length: FEEDS }, (_, number) => hostile(number, honest)));
    const folder = await mkdtemp(join(tmpdir(), 'openactive-ical-'));
    closing.push(() => rm(folder, { recursive: true, force: true }));
    const config = join(folder, 'config.json');
    const urls = [honest.publisher.url, ...feeds.map(({ server }) => `${server.url}/feed`)];
    await writeFile(
      config,
      JSON.stringify({ feeds: urls, pollSeconds: 0.2, idlePollSeconds: 1, contact: 'test@example.org' }),
    );
    const data = join(folder, 'data');

    const first = await startServe(config, data, PLANTED_LEAK);
    closing.push(first.kill);
    const store = await openStore({ data });
    closing.push(() => store.close());
    await underFire(first, store, honest);
    // In the middle of whatever it is doing.
    const { seconds: took, code } = await first.end();
    expect({ code, log: first.log() }, `seed ${SEED}`).toMatchObject({
      code: 0,
      log: expect.not.stringContaining('fault of the program'),
    });
    expect(took, `seed ${SEED}`).toBeLessThan(15);

    const second = await startServe(config, data);
    closing.push(second.kill);
    for (const feed of feeds) feed.calm = true;
    await allEnd(second, store, honest);
    expect(await honest.different(), `seed ${SEED}`).toEqual([]);
    expect(await second.end(), `seed ${SEED}`).toMatchObject({ code: 0 });
  },
  1000 * (WARM_SECONDS + 2 * SECONDS + 2 * QUIET_SECONDS + 120),
);

/** Asks what operators and subscribers ask, as long as it lasts. */
async function underFire(program: Program, store: Store, honest: Honest): Promise<void> {
  const random = new Random(SEED);
  const memory: Memory[] = [];
  const warm = Date.now() + 1000 * WARM_SECONDS;
  const end = warm + 1000 * SECONDS;
  for (let round = 0; Date.now() < end; round += 1) {
    const health = await fetch(`${program.url}/healthz`, { signal: AbortSignal.timeout(10_000) });
    expect(health.status, `seed ${SEED}`).toBe(200);
    expect(await honest.check(program.url), `seed ${SEED}, ${round} s`).toEqual([]);
    if (round % 5 === 4) honest.change(random.int(0, 19));
    await nudge(store);
    if (round % 5 === 0 && Date.now() > warm) memory.push(await program.memory());
    await seconds(1);
  }
  const growth = { resident: growthOf(memory, 'resident'), used: growthOf(memory, 'used') };
  const blocked = Math.max(...memory.map((one) => one.blocked));
  process.stderr.write(
    `seed ${SEED}: ${JSON.stringify(growth)} MB more of ${JSON.stringify(memory.at(-1))}, blocked ${blocked} ms\n`,
  );
  if (process.env.TEST_HOSTILE_MEMORY) for (const one of memory) process.stderr.write(`${JSON.stringify(one)}\n`);
  expect(blocked, `ms without a turn, seed ${SEED}`).toBeLessThan(BLOCKED_MS);
  expect(growth.used, `MB of growth, seed ${SEED}`).toBeLessThan(LEAK_MB);
  expect(growth.resident, `MB of growth, seed ${SEED}`).toBeLessThan(LEAK_MB);
}

/** Every feed is read to its end once its publisher is calm: none hangs on what it did before. */
async function allEnd(program: Program, store: Store, honest: Honest): Promise<void> {
  const since = Date.now();
  for (let left: string[] = ['?']; left.length > 0; await seconds(1)) {
    const states = await store.read.feedStates();
    left = states
      .filter((feed) => (feed.lastSuccess ?? 0) < since && !staysFresh(feed))
      .map(({ url, state, lastError }) => `${url} ${state} ${lastError}`);
    if (Date.now() - since > 1000 * QUIET_SECONDS)
      expect(left, `feeds that hang, seed ${SEED}\n${program.log().slice(-3000)}`).toEqual([]);
    await nudge(store);
    expect(await honest.check(program.url), `seed ${SEED}`).toEqual([]);
  }
}

/** Its last page is fresh for an hour at most, as the publisher said of it: so long it is not asked. */
function staysFresh({ state, nextVisit = 0 }: FeedReport): boolean {
  const wait = nextVisit - Date.now();
  return state === 'ended' && wait > 0 && wait <= LIMITS.freshMaxMs;
}
