/**
 * A cached calendar over HTTP against a bare node:http server that sends the same bytes: status, headers, body.
 *
 * Each server is a process of its own, the load comes from this one, rounds alternate and the figure is the median of
 * the ratios of neighbouring rounds, so that a busy machine hits both alike. `cpuRatio` compares processor time per
 * request, which depends even less on who else uses the cores. Run alone: `node test/bench/rows/http.ts`.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import autocannon from 'autocannon';
import { startServer } from '../../../src/server/start.ts';
import { FakeLibrary } from '../../server/fake.ts';

const ROUNDS = 11;
const SECONDS = 1;
const PATH = '/series/bench.ics';
const TEXT = `BEGIN:VCALENDAR\r\n${'DESCRIPTION:Gentle yoga for everybody, mats are provided.\r\n'.repeat(85)}END:VCALENDAR\r\n`;

export interface HttpBench {
  name: string;
  /** Requests per second, ours through the rival's. */
  ratio: number;
  /** Requests per processor second, ours through the rival's. */
  cpuRatio: number;
  ours: number;
  rival: number;
}

interface Round {
  perSecond: number;
  perCpuSecond: number;
}

/** Measures a cached 200, plain and gzip, and a 304. */
export async function bench(): Promise<HttpBench[]> {
  const ours = await start('ours');
  const rival = await start('bare');
  try {
    const { headers } = await learn(ours.url + PATH, {});
    const results: HttpBench[] = [];
    const cases = {
      'cached 200': {},
      'cached 200 gzip': { 'accept-encoding': 'gzip, br' },
      'cached 304': { 'if-none-match': headers.ETag ?? '' },
    };
    for (const [name, asked] of Object.entries(cases)) results.push(await compare(name, asked, ours, rival));
    return results;
  } finally {
    ours.child.kill();
    rival.child.kill();
  }
}

type Rival = Awaited<ReturnType<typeof start>>;

async function compare(name: string, headers: Record<string, string>, ours: Rival, rival: Rival): Promise<HttpBench> {
  // A rival that sends something else would make a good figure worthless.
  assert.deepEqual(await learn(ours.url + PATH, headers), await learn(rival.url + PATH, headers));
  const rounds: Record<'ours' | 'rival', Round[]> = { ours: [], rival: [] };
  for (let round = 0; round <= ROUNDS; round++) {
    // Turn about, because what ran before matters; the first round warms up and does not count.
    for (const side of round % 2 === 0 ? (['ours', 'rival'] as const) : (['rival', 'ours'] as const)) {
      const measured = await load(side === 'ours' ? ours : rival, headers);
      if (round > 0) rounds[side].push(measured);
    }
  }
  // Of neighbours in time, so that what else the machine does meanwhile counts for both.
  const ratio = (of: keyof Round) => median(rounds.ours.map((round, at) => round[of] / (rounds.rival[at]?.[of] ?? 0)));
  return {
    name,
    ratio: ratio('perSecond'),
    cpuRatio: ratio('perCpuSecond'),
    ours: median(rounds.ours.map((round) => round.perSecond)),
    rival: median(rounds.rival.map((round) => round.perSecond)),
  };
}

async function load({ url, cpu }: Rival, headers: Record<string, string>): Promise<Round> {
  const before = await cpu();
  const result = await autocannon({ url: url + PATH, connections: 50, duration: SECONDS, headers });
  if (result.errors > 0 || result.requests.total === 0) throw new Error(`${url}: ${result.errors} errors`);
  const used = (await cpu()) - before;
  return { perSecond: result.requests.total / result.duration, perCpuSecond: (result.requests.total * 1e6) / used };
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** A server in a process of its own; `cpu` is its processor time so far, in microseconds. */
async function start(kind: 'ours' | 'bare'): Promise<{ url: string; child: ChildProcess; cpu: () => Promise<number> }> {
  const child = fork(import.meta.filename, [kind], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const [url] = (await once(child, 'message')) as [string];
  const cpu = async () => {
    child.send('cpu');
    const [used] = (await once(child, 'message')) as [number];
    return used;
  };
  return { url, child, cpu };
}

async function serveOurs(): Promise<string> {
  const library = new FakeLibrary();
  library.commit('bench', 'Bench');
  const server = await startServer({ library, port: 0, host: '127.0.0.1', render: () => Buffer.from(TEXT) });
  return server.url;
}

/** Learns status, headers and bytes from our own answers, then sends those with nothing in between. */
async function serveBare(): Promise<string> {
  const model = (await serveOurs()) + PATH;
  const plain = await learn(model, {});
  const gzip = await learn(model, { 'accept-encoding': 'gzip' });
  const etag = plain.headers.ETag ?? '';
  const unchanged = await learn(model, { 'if-none-match': etag });
  const server = createServer((request, response) => {
    const asked = request.headers;
    const answer = asked['if-none-match'] === etag ? unchanged : asked['accept-encoding'] !== undefined ? gzip : plain;
    response.writeHead(answer.status, answer.headers);
    if (answer.body.length > 0) response.end(answer.body);
    else response.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** An answer as it came: names in their own spelling, bytes still coded; without the headers node adds by itself. */
async function learn(
  url: string,
  headers: Record<string, string>,
): Promise<{ status: number; headers: Record<string, string>; body: Buffer }> {
  const [response] = (await once(get(url, { headers, agent: false }), 'response')) as [IncomingMessage];
  const pairs = response.rawHeaders.flatMap((name, at, all) =>
    at % 2 === 0 ? [[name, all[at + 1] ?? ''] as const] : [],
  );
  const own = ['Date', 'Connection', 'Keep-Alive'];
  return {
    status: response.statusCode ?? 0,
    headers: Object.fromEntries(pairs.filter(([name]) => !own.includes(name))),
    body: await buffer(response),
  };
}

if (process.send !== undefined) {
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.(user + system);
  });
  process.send(await (process.argv[2] === 'ours' ? serveOurs() : serveBare()));
} else if (import.meta.main) {
  for (const result of await bench()) console.log(JSON.stringify(result));
}
