/** Programs that go on asking a web process, and what may never happen to them. */

import { createHash } from 'node:crypto';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { searchName } from '../../../../src/library/index.ts';
import { LIMITS } from '../../../../src/limits.ts';
import { calendarAt } from '../../../../src/server/calendars/address.ts';
import { Random } from '../../../generate/random.ts';
import type { Program } from './programs.ts';
import type { Cluster, Redis } from './servers.ts';

/** What all callers know of each other. */
export interface Shared {
  /** Addresses of calendars that were served once, by whichever process. */
  served: Set<string>;
  /** Octets by tag, and tags by octets. */
  octets: Map<string, string>;
  /** What was wrong, each in a line. */
  faults: string[];
  /** Answers by what was asked for and their status. */
  counts: Record<string, number>;
  /** Calendars that a process has in memory since one of its starts. */
  inMemory: Set<string>;
  database: Pick<Cluster, 'longestAway'>;
  redis: Pick<Redis, 'wasAway' | 'ageOf'>;
}

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** What a caller has of a calendar. */
interface Held {
  tag: string;
  modified: string;
  /** Which start of the process said so. */
  start: number;
}

/** A calendar that is nowhere else is waited for when the database goes away, somewhat longer than this. */
const MOST_AWAY_MS = LIMITS.calendarMs - 4_000;
/** After so long a process has found a Redis again that was away, and asks it again. */
const SETTLED_MS = 10_000;
/** Longer than a process is stopped. */
const PATIENCE_MS = 40_000;
const agent = new Agent({ keepAlive: true, maxSockets: 64 });

export function ask(url: string, headers: Record<string, string> = {}): Promise<Answer> {
  const answered = Promise.withResolvers<Answer>();
  const sent = request(url, { agent, headers, timeout: PATIENCE_MS }, (response) => {
    const pieces: Buffer[] = [];
    response.on('data', (piece: Buffer) => pieces.push(piece));
    response.on('error', answered.reject);
    response.on('end', () =>
      answered.resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(pieces) }),
    );
  });
  sent.on('timeout', () => sent.destroy(new Error(`no answer in ${PATIENCE_MS} ms`)));
  sent.on('error', answered.reject);
  sent.end();
  return answered.promise;
}

export interface Asking {
  program: Program;
  url: string;
  calendars: readonly string[];
  pages: readonly string[];
  seed: number;
  shared: Shared;
}

/** Asks one thing after the other until stopped. */
export async function goOnAsking(asking: Asking, signal: AbortSignal): Promise<void> {
  const random = new Random(asking.seed);
  const held = new Map<string, Held>();
  while (!signal.aborted) {
    if (random.chance(0.8)) await askCalendar(random.pick(asking.calendars), held, random, asking);
    else await askPage(random.pick(asking.pages), asking);
    await setTimeout(random.int(20, 250));
  }
}

async function askCalendar(path: string, held: Map<string, Held>, random: Random, asking: Asking): Promise<void> {
  const { shared, program } = asking;
  const known = held.get(path);
  const how = known === undefined ? 'plain' : random.pick(['plain', 'tag', 'date'] as const);
  const headers: Record<string, string> = { 'Accept-Encoding': random.pick(['gzip', 'identity']) };
  if (known && how === 'tag') headers['If-None-Match'] = known.tag;
  if (known && how === 'date') headers['If-Modified-Since'] = known.modified;
  const start = program.starts;
  const began = performance.now();
  const answer = await answered(asking, path, headers);
  if (answer === undefined) return;
  const { status, body } = answer;
  counted(shared, `calendar ${status}`);
  const fault = (words: string) => shared.faults.push(`${program.name} ${path} (${how}): ${words}`);
  if (status === 404 && !shared.served.has(path)) return;
  if (status !== 200 && status !== 304) {
    if (!shared.served.has(path)) return;
    const holder = await holderOf({ path, start, began, status }, asking);
    if (holder === undefined) counted(shared, 'calendar of nowhere');
    else fault(`${status}, though ${holder} has it: ${body.toString().slice(0, 100)}`);
    return;
  }
  shared.served.add(path);
  if (status === 200) shared.inMemory.add(`${program.name} ${start} ${path}`);
  const [tag, modified] = [String(answer.headers.etag), String(answer.headers['last-modified'])];
  const [before, now] = [Date.parse(known?.modified ?? ''), Date.parse(modified)];
  if (known?.start === start && program.starts === start) {
    if (now < before) fault(`Last-Modified went from ${known.modified} back to ${modified}`);
    if (now === before && bare(tag) !== bare(known.tag)) {
      // Nothing is dated later than its answer (RFC 9110 8.8.2.1): two answers of one second may both say that second.
      const isOfNow = now >= Date.parse(String(answer.headers.date));
      // Who has the first of them and asks by date still gets the second.
      const again = isOfNow ? await answered(asking, path, { 'If-Modified-Since': known.modified }) : answer;
      const isKept = again?.status === 304 && bare(String(again.headers.etag)) !== bare(known.tag);
      if (program.starts === start && (!isOfNow || isKept)) fault(`${known.tag} and ${tag} are both of ${modified}`);
    }
  }
  if (status === 304 && how === 'tag' && bare(tag) !== bare(String(known?.tag))) fault(`304 with ${tag}`);
  if (status === 200) checkOctets(shared, tag, answer, fault);
  held.set(path, { tag, modified, start });
}

/** Who had a calendar that was refused; undefined: nobody had, for the process was started since, and Redis lost it. */
async function holderOf(
  { path, start, began, status }: { path: string; start: number; began: number; status: number },
  { shared, program }: Asking,
): Promise<string | undefined> {
  if (status !== 503 || shared.database.longestAway(began) <= MOST_AWAY_MS) return 'the database';
  if (shared.inMemory.has(`${program.name} ${start} ${path}`)) return 'the process';
  const since = performance.now() - SETTLED_MS;
  if (program.wasDisturbed(since) || shared.redis.wasAway(since)) return undefined;
  return ((await shared.redis.ageOf(nameOf(path))) ?? 0) > SETTLED_MS ? 'Redis' : undefined;
}

/** The name under which caches have the calendar of an address. */
export function nameOf(path: string): string {
  return calendarAt(path)?.name ?? searchName(path.slice(path.indexOf('?') + 1));
}

/** The tag of the same octets without a coding. */
const bare = (tag: string): string => tag.replace('-gzip"', '"');

function checkOctets({ octets }: Shared, tag: string, { headers, body }: Answer, fault: (words: string) => void): void {
  const plain = headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
  const coded = `${headers['content-encoding'] ?? 'plain'} ${createHash('sha256').update(plain).digest('hex')}`;
  for (const [from, to] of [
    [tag, coded],
    [coded, tag],
  ] as const) {
    const before = octets.get(from);
    octets.set(from, to);
    if (before !== undefined && before !== to) fault(`${from} is of ${to}, and was of ${before}`);
  }
  const text = plain.toString();
  if (!text.startsWith('BEGIN:VCALENDAR\r\n') || !text.endsWith('END:VCALENDAR\r\n')) fault('no whole calendar');
  const twice = namedTwice(text);
  if (twice !== undefined) fault(`${twice} is in it twice`);
}

/** A UID with its RECURRENCE-ID, of which a calendar has two. */
export function namedTwice(text: string): string | undefined {
  const seen = new Set<string>();
  for (const [event] of text.replaceAll('\r\n ', '').matchAll(/BEGIN:VEVENT\r\n.*?END:VEVENT/gs)) {
    const name = ['UID', 'RECURRENCE-ID']
      .map((one) => new RegExp(`^${one}[;:](.*)\r$`, 'm').exec(event)?.[1])
      .join(' ');
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return undefined;
}

/** Pages may be refused, while the database is away or the machine is overrun; they never fail. */
async function askPage(path: string, asking: Asking): Promise<void> {
  const { shared, program } = asking;
  const answer = await answered(asking, path, {});
  if (answer === undefined) return;
  const { status, body } = answer;
  counted(shared, `page ${status}`);
  if (status >= 500 && status !== 503) shared.faults.push(`${program.name} ${path}: ${status} ${shown(body)}`);
}

const shown = (body: Buffer): string =>
  body
    .toString()
    .replace(/<style.*?<\/style>/gs, '')
    .replace(/<[^>]*>|\s+/g, ' ')
    .slice(0, 300);

/** Undefined: there was no answer, because the process was killed or stopped. */
async function answered(
  { url, program, shared }: Asking,
  path: string,
  headers: Record<string, string>,
): Promise<Answer | undefined> {
  const began = performance.now();
  try {
    return await ask(`${url}${path}`, headers);
  } catch (error) {
    counted(shared, 'no answer');
    // A process that is starting does not listen yet.
    if (program.isReady && !program.wasDisturbed(began))
      shared.faults.push(`${program.name} ${path}: ${String(error)}`);
    return undefined;
  }
}

function counted({ counts }: Shared, what: string): void {
  counts[what] = (counts[what] ?? 0) + 1;
}
