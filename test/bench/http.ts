/**
 * A cached calendar over HTTP against a bare node:http server that sends the same bytes: status, headers, body.
 *
 * Each server is a process of its own, the load comes from this one, rounds are interleaved and medians compared, so
 * that a busy machine hits both alike. `cpuRatio` compares processor time per request, which does not depend on who
 * else uses the cores. Run alone: `node test/bench/http.ts`.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import autocannon from 'autocannon';
import { startServer } from '../../src/server/index.ts';
import { FakeLibrary } from '../server/fake.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 5);
const SECONDS = Number(process.env.SECONDS ?? 3);
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
    const etag = (await fetch(ours.url + PATH)).headers.get('etag') ?? '';
    const results: HttpBench[] = [];
    const cases = {
      'cached 200': {},
      'cached 200 gzip': { 'accept-encoding': 'gzip, br' },
      'cached 304': { 'if-none-match': etag },
    };
    for (const [name, headers] of Object.entries(cases)) results.push(await compare(name, headers, ours, rival));
    return results;
  } finally {
    ours.child.kill();
    rival.child.kill();
  }
}

type Rival = Awaited<ReturnType<typeof start>>;

async function compare(name: string, headers: Record<string, string>, ours: Rival, rival: Rival): Promise<HttpBench> {
  const rounds: Record<'ours' | 'rival', Round[]> = { ours: [], rival: [] };
  for (let round = 0; round <= ROUNDS; round++) {
    // The first round warms up and does not count.
    const [a, b] = [await load(ours, headers), await load(rival, headers)];
    if (round > 0) rounds.ours.push(a) && rounds.rival.push(b);
  }
  const perSecond = (of: Round[]) => median(of.map((round) => round.perSecond));
  const perCpu = (of: Round[]) => median(of.map((round) => round.perCpuSecond));
  return {
    name,
    ratio: perSecond(rounds.ours) / perSecond(rounds.rival),
    cpuRatio: perCpu(rounds.ours) / perCpu(rounds.rival),
    ours: perSecond(rounds.ours),
    rival: perSecond(rounds.rival),
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
  const server = await startServer({ library, port: 0, host: '127.0.0.1', render: () => TEXT });
  return server.url;
}

/** Learns status, headers and bytes from our own answers, then sends those with nothing in between. */
async function serveBare(): Promise<string> {
  const model = await serveOurs();
  const plain = await fetch(model + PATH, { headers: { 'accept-encoding': 'identity' } });
  const [headers, body] = [named(plain.headers), Buffer.from(await plain.arrayBuffer())];
  const gzip = await fetch(model + PATH, { headers: { 'accept-encoding': 'gzip' } });
  const gzipHeaders = named(gzip.headers);
  const gzipBody = (await import('node:zlib')).gzipSync(await gzip.bytes(), { level: 6 });
  const etag = plain.headers.get('etag') ?? '';
  const unchanged = named((await fetch(model + PATH, { headers: { 'if-none-match': etag } })).headers);
  const server = createServer((request, response) => {
    if (request.headers['if-none-match'] === etag) response.writeHead(304, unchanged).end();
    else if (request.headers['accept-encoding'] !== undefined) response.writeHead(200, gzipHeaders).end(gzipBody);
    else response.writeHead(200, headers).end(body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Headers as node writes them, without those it adds itself. */
function named(headers: Headers): Record<string, string> {
  const own = ['date', 'connection', 'keep-alive', 'transfer-encoding'];
  return Object.fromEntries([...headers].filter(([name]) => !own.includes(name)));
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
