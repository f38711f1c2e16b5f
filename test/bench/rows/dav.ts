import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { request } from 'undici';
import { serve } from '../../interop/program.ts';
import { FLOORS } from '../floors.ts';
import { type Bench, type Measurement, median } from '../measure.ts';

/**
 * CalDAV: one calendar of a thousand events, by this program, Radicale and Xandikos (Debian's packages), each a process of
 * its own. One caller asks each for the same in turns; the rival is the quicker of the two. What they answer must name as
 * many objects.
 *
 * Programs that poll a calendar send the same bodies, and this program then answers what it holds. Rows `asked for the first
 * time` have another comment in each body, so that every answer is made.
 */

const SESSIONS = 990;
const CHANGED = 10;
const ROUNDS = 5;
/** Of one turn. */
const MOST_REQUESTS = 2000;
const TURN_MS = 1000;
const DAY = 86_400_000;

interface Server {
  name: string;
  /** Of the collection, with a slash at its end. */
  url: string;
  stop(): Promise<void>;
}

interface Asked {
  name: string;
  /** No body comes twice. */
  isNew?: true;
  /** Objects in the answer. */
  objects: number | undefined;
  body(server: Server): string;
}

export const davBench: Bench = async ({ note }) => {
  const folder = mkdtempSync(join(tmpdir(), 'openactive-ical-dav-'));
  const servers: Server[] = [];
  try {
    const ours = await startOurs(folder);
    servers.push(ours);
    const objects = await objectsOf(ours);
    note(`${objects.size} objects are served`);
    for (const start of [startRadicale, startXandikos]) servers.push(await start(folder));
    for (const rival of servers.slice(1)) await putAll(rival, objects);
    const earlier = await tokens(servers);
    writePage(folder, 2, sessions(CHANGED, 1));
    await until('the changes are served', async () => (await token(ours)) !== earlier.get(ours));
    const now = await objectsOf(ours);
    const changed = new Map([...now].filter(([file, text]) => objects.get(file) !== text));
    assert.equal(changed.size, CHANGED);
    for (const rival of servers.slice(1)) await putAll(rival, changed);
    return await measured(servers, { earlier, files: [...now.keys()] }, note);
  } finally {
    for (const server of servers) await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};

async function measured(
  servers: Server[],
  { earlier, files }: { earlier: Map<Server, string>; files: readonly string[] },
  note: (line: string) => void,
): Promise<Measurement[]> {
  const latest = await tokens(servers);
  const month = { start: stamp(Date.now() + 30 * DAY), end: stamp(Date.now() + 60 * DAY) };
  const first = { name: 'first sync', objects: SESSIONS, body: () => sync('') };
  const hundred = {
    name: 'a hundred objects',
    objects: 100,
    body: (one: Server) => multiget(one, files.slice(0, 100)),
  };
  const inMonth = { name: "a month's query", objects: undefined, body: () => query(month.start, month.end) };
  const cases: Asked[] = [
    { name: 'nothing changed', objects: 0, body: (one) => sync(latest.get(one) ?? '') },
    { name: `${CHANGED} of a thousand changed`, objects: CHANGED, body: (one) => sync(earlier.get(one) ?? '') },
    first,
    hundred,
    inMonth,
    ...[first, hundred, inMonth].map((one) => ({ ...one, isNew: true as const })),
  ];
  const all: Measurement[] = [];
  for (const asked of cases) all.push(await compare(servers, asked, note));
  return all;
}

async function compare(servers: Server[], asked: Asked, note: (line: string) => void): Promise<Measurement> {
  const counts: number[] = [];
  for (const server of servers) counts.push(objectsIn(await report(server, asked.body(server))));
  for (const count of counts)
    assert.equal(count, asked.objects ?? counts[0], `${asked.name}: ${counts.join(', ')} objects`);
  for (const server of servers) await turn(server, asked);
  const speeds = new Map<Server, number[]>(servers.map((server) => [server, []]));
  for (let round = 0; round < ROUNDS; round += 1)
    for (const server of round % 2 === 0 ? servers : servers.toReversed())
      speeds.get(server)?.push(await turn(server, asked));
  const medians = servers.map((server) => ({ server, speed: median(speeds.get(server) ?? []) }));
  const name = asked.isNew ? `${asked.name}, asked for the first time` : asked.name;
  note(`${name}: ${medians.map(({ server, speed }) => `${server.name} ${speed.toFixed(1)}`).join(', ')} requests/s`);
  const [ours, ...rivals] = medians as [(typeof medians)[0], ...typeof medians];
  const best = rivals.reduce((a, b) => (a.speed > b.speed ? a : b));
  return {
    name: `CalDAV, ${name}`,
    value: ours.speed / best.speed,
    floor: asked.isNew ? FLOORS.davNew : FLOORS.dav,
    ours: `${ours.speed.toFixed(0)} requests/s`,
    rival: `${best.server.name} ${best.speed.toFixed(1)} requests/s`,
  };
}

/** Requests a second, one after another. */
async function turn(server: Server, { body, isNew }: Asked): Promise<number> {
  const same = body(server);
  const start = performance.now();
  let requests = 0;
  for (; requests < MOST_REQUESTS && (requests === 0 || performance.now() - start < TURN_MS); requests += 1)
    await load(server, isNew ? `${same}<!-- ${randomUUID()} -->` : same);
  return (requests / (performance.now() - start)) * 1000;
}

/** Octets alone: what a caller makes of them takes longer than many an answer. */
async function load({ url, name }: Server, body: string): Promise<void> {
  const { statusCode, body: answer } = await request(url, { method: 'REPORT', headers: headersOf(body), body });
  await answer.arrayBuffer();
  if (statusCode !== 207) throw new Error(`${name} answers ${statusCode}`);
}

async function report({ url, name }: Server, body: string): Promise<string> {
  const answer = await fetch(url, { method: 'REPORT', headers: headersOf(body), body });
  const text = await answer.text();
  if (answer.status !== 207) throw new Error(`${name} answers ${answer.status}: ${text.slice(0, 300)}`);
  return text;
}

function headersOf(body: string): Record<string, string> {
  const depth = body.includes('calendar-query') ? '1' : '0';
  return { ...SOMEBODY, depth, 'content-type': 'application/xml; charset=utf-8' };
}

/** Radicale has calendars of users only. */
const SOMEBODY = { authorization: `Basic ${btoa('bench:any')}` };
const NAMES = 'xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"';
const PROPERTIES = '<D:prop><D:getetag/><C:calendar-data/></D:prop>';
const ETAG = '<D:prop><D:getetag/></D:prop>';

/** RFC 6578, 3.2. As clients ask: they get objects by multiget afterwards. */
function sync(from: string): string {
  return `<?xml version="1.0"?><D:sync-collection ${NAMES}><D:sync-token>${from}</D:sync-token><D:sync-level>1</D:sync-level>${ETAG}</D:sync-collection>`;
}

/** RFC 4791, 7.8.1. */
function query(start: string, end: string): string {
  const filter = `<C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT"><C:time-range start="${start}" end="${end}"/></C:comp-filter></C:comp-filter>`;
  return `<?xml version="1.0"?><C:calendar-query ${NAMES}>${PROPERTIES}<C:filter>${filter}</C:filter></C:calendar-query>`;
}

/** RFC 4791, 7.9. */
function multiget({ url }: Server, files: readonly string[]): string {
  const { pathname } = new URL(url);
  const addresses = files.map((file) => `<D:href>${pathname}${file}</D:href>`).join('');
  return `<?xml version="1.0"?><C:calendar-multiget ${NAMES}>${PROPERTIES}${addresses}</C:calendar-multiget>`;
}

const stamp = (instant: number): string => new Date(instant).toISOString().replaceAll(/[-:]|\.\d+/g, '');

const objectsIn = (text: string): number => text.match(/\.ics<\/(?:\w+:)?href>/g)?.length ?? 0;

async function token(server: Server): Promise<string> {
  const found = /<(?:\w+:)?sync-token>([^<]+)</.exec(await report(server, sync('')));
  if (found?.[1] === undefined) throw new Error(`${server.name} gives no sync-token`);
  return found[1];
}

async function tokens(servers: readonly Server[]): Promise<Map<Server, string>> {
  const found = new Map<Server, string>();
  for (const server of servers) found.set(server, await token(server));
  return found;
}

/** The octets of each object, by the last part of its address. */
async function objectsOf(server: Server): Promise<Map<string, string>> {
  const text = await report(server, sync(''));
  const files = [...text.matchAll(/\/([0-9a-f]{40}\.ics)</g)].map(([, file]) => file as string);
  const found = new Map<string, string>();
  for (const file of files) found.set(file, await (await fetch(server.url + file)).text());
  return found;
}

async function putAll({ url, name }: Server, objects: ReadonlyMap<string, string>): Promise<void> {
  for (const [file, body] of objects) {
    const answer = await fetch(url + file, {
      method: 'PUT',
      headers: { ...SOMEBODY, 'content-type': 'text/calendar' },
      body,
    });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${name} answers ${answer.status} to PUT`);
  }
}

async function startOurs(folder: string): Promise<Server> {
  mkdirSync(join(folder, 'feed'));
  writePage(folder, 1, [seriesItem(), ...sessions(SESSIONS, 0)]);
  const [data, config] = [join(folder, 'data'), join(folder, 'config.json')];
  writeFileSync(config, JSON.stringify({ rateLimit: 0 }));
  const { url, stop } = await serve('--feed', join(folder, 'feed'), '--data', data, '--config', config);
  let key: string | undefined;
  await until('the calendar is served', async () => {
    const list = (await (await fetch(`${url}/api/series`)).json()) as { items: { key: string }[] };
    key = list.items[0]?.key;
    if (key === undefined) return false;
    return (await (await fetch(`${url}/series/${key}.ics`)).text()).split('BEGIN:VEVENT').length > SESSIONS;
  });
  return { name: 'ours', url: `${url}/dav/series/${key}/`, stop };
}

const SERIES = 'https://dav.example.org/series/1';

function seriesItem(): object {
  const data = { '@context': 'https://openactive.io/', type: 'SessionSeries', id: SERIES, name: 'Lunchtime yoga' };
  return { state: 'updated', kind: 'SessionSeries', id: '1', modified: 1, data };
}

/** One each eight hours from the day before yesterday on; the `edition` makes each an hour longer. */
function sessions(count: number, edition: number): object[] {
  const first = Math.floor(Date.now() / DAY - 2) * DAY;
  return Array.from({ length: count }, (_, n) => {
    const start = first + (n * DAY) / 3;
    const end = start + (edition + 1) * 3_600_000;
    const data = {
      '@context': 'https://openactive.io/',
      type: 'ScheduledSession',
      id: `${SERIES}/sessions/${n}`,
      superEvent: SERIES,
      startDate: new Date(start).toISOString(),
      endDate: new Date(end).toISOString(),
    };
    return { state: 'updated', kind: 'ScheduledSession', id: `s${n}`, modified: 2 + n + edition * 10_000, data };
  });
}

/** A page of the folder that is read as a feed (RPDE). */
function writePage(folder: string, number: number, items: readonly object[]): void {
  const page = { next: `https://dav.example.org/feed?page=${number + 1}`, items, license: LICENSE };
  writeFileSync(join(folder, 'feed', `page-${number}.json`), JSON.stringify(page));
}

const LICENSE = 'https://creativecommons.org/licenses/by/4.0/';

async function startRadicale(folder: string): Promise<Server> {
  const port = await freePort();
  const options = [
    `--storage-filesystem-folder=${join(folder, 'radicale')}`,
    '--auth-type=none',
    '--rights-type=authenticated',
  ];
  const rival = await startRival(
    'radicale',
    [`--server-hosts=127.0.0.1:${port}`, ...options, '--logging-level=critical'],
    port,
  );
  const url = `http://127.0.0.1:${port}/bench/calendar/`;
  const made = await fetch(url, { method: 'MKCALENDAR', headers: SOMEBODY });
  if (made.status !== 201) throw new Error(`Radicale answers ${made.status} to MKCALENDAR`);
  return { name: 'Radicale', url, stop: () => ended(rival) };
}

async function startXandikos(folder: string): Promise<Server> {
  const port = await freePort();
  const data = join(folder, 'xandikos');
  const rival = await startRival('xandikos', ['-d', data, '--defaults', '-l', '127.0.0.1', '-p', String(port)], port);
  return { name: 'Xandikos', url: `http://127.0.0.1:${port}/user/calendars/calendar/`, stop: () => ended(rival) };
}

async function startRival(program: string, args: readonly string[], port: number): Promise<ChildProcess> {
  const child = spawn(program, args, { stdio: 'ignore' });
  const failed = new Promise<never>((_, reject) =>
    child.once('error', (cause) =>
      reject(new Error(`${program} does not start: apt-get install ${program}`, { cause })),
    ),
  );
  const up = until(`${program} answers`, () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    ),
  );
  await Promise.race([failed, up]);
  return child;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const over = new Promise((done) => child.once('exit', done));
  child.kill('SIGTERM');
  await over;
}

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => done(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 60_000; Date.now() < end; await setTimeout(200)) if (await isSo()) return;
  throw new Error(`Not within a minute: ${what}.`);
}
