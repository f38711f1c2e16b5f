import { createHmac, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import KeyvRedis, { createClient } from '@keyv/redis';
import { Keyv } from 'keyv';
import { z } from 'zod';
import { LIMITS } from '../../limits.ts';
import { DAY_MS } from '../../time/days.ts';
import { type EntrySource, fileSlug } from '../calendars/entry.ts';
import type { Log } from '../operations/log.ts';

/**
 * Rendered calendars in Redis or Valkey, behind the map in memory: a restart, or another process, need not render again. It
 * bounds the work of a request, as that map does.
 * Nothing here may fail a request or hold it up: an answer that is late is a miss, and is logged once.
 *
 * Whoever can write to that server must not be able to write calendars: each value carries a MAC made with a key that only
 * the store has, and a value that no process of this store has made is a miss.
 */
export interface SecondLevel {
  /** Answers so far, by what they were worth. */
  readonly counts: Readonly<SecondCounts>;
  /** The source of this key if it was made from this revision; `any` accepts an older one (the last good bytes). */
  get(key: string, revision: number | 'any'): Promise<EntrySource | undefined>;
  put(key: string, source: EntrySource): void;
  close(): Promise<void>;
}

export interface SecondCounts {
  hits: number;
  misses: number;
  /** Without a MAC of this store, too large, or not a calendar. */
  refused: number;
  failures: number;
}

/** As it is kept: strings only, because Keyv's serialiser turns bytes into long JSON. */
const kept = z.strictObject({
  revision: z.int().min(0),
  changedAt: z.int().min(0).max(8.64e15),
  slug: z.string().refine((slug) => fileSlug(slug) === slug),
  gzip: z.string(),
  mac: z.string(),
});
type Kept = z.output<typeof kept>;

/** Half a second: rendering again takes less, so waiting longer never pays. */
const ANSWER_MS = 500;
/** After one that did not answer in time the next are not made to wait as well. */
const REST_MS = 5_000;
/** A month; keys of older releases and configurations go by themselves. */
const KEEP_MS = 30 * DAY_MS;

const gunzipBytes = promisify(zlib.gunzip);

/** Reads no more of a value than one may have: GET would hold the whole of it before its length is known. */
class BoundedRedis extends KeyvRedis<string> {
  override async get<U = string>(key: string): Promise<U | undefined> {
    const client = await this.getClient();
    const text = await client.getRange(this.createKeyPrefix(key, this.namespace), 0, LIMITS.sharedBytes);
    return text === '' ? undefined : (text as U);
  }
}

/**
 * Opens the cache behind CACHE_URL (`redis://`, `rediss://`, `valkey://`, `valkeys://`). Connects in the background. `fingerprint`
 * stands for everything but the stored data that shapes the bytes, and is part of every key; `secret` is the store's.
 */
export function redisLevel(url: string, fingerprint: string, secret: string, log: Log): SecondLevel {
  // Without an offline queue a command fails at once while there is no connection, instead of waiting for one.
  const client = createClient({
    url: url.replace(/^valkey/, 'redis'),
    disableOfflineQueue: true,
    socket: { connectTimeout: 5000, reconnectStrategy: (tries) => Math.min(30_000, 2 ** Math.min(tries, 9) * 100) },
  });
  // Stores that share a server by mistake do not overwrite each other's values for ever.
  const apart = createHmac('sha256', secret).update(fingerprint).digest('base64url').slice(0, 22);
  const keyv = new Keyv({
    store: new BoundedRedis(client, { throwOnErrors: true }),
    namespace: `openactive-ical:${apart}`,
  });
  const level = keyvLevel(keyv, secret, log, () => client.isReady);
  client.connect().catch(() => {
    // Already heard through the error event; the client goes on trying by itself.
  });
  return {
    ...level,
    close: async () => {
      if (client.isOpen) client.destroy();
    },
  };
}

/** A second level over any Keyv. `ready` false: not even asked. */
export function keyvLevel(keyv: Keyv, secret: string, log: Log, ready: () => boolean = () => true): SecondLevel {
  const complain = onceUntilWell(log);
  keyv.on('error', complain.failed);
  // Otherwise a failed read is a miss without a word.
  keyv.throwOnErrors = true;
  keyv.serialize = JSON.stringify;
  keyv.deserialize = parseBounded;
  const counts: SecondCounts = { hits: 0, misses: 0, refused: 0, failures: 0 };
  let restUntil = 0;

  async function find(key: string, revision: number | 'any'): Promise<EntrySource | undefined> {
    const value = await inTime(keyv.get<unknown>(key));
    complain.well();
    const found = value === undefined ? undefined : await unpack(key, value, secret);
    if (value !== undefined && found === undefined) counts.refused += 1;
    else counts[found === undefined ? 'misses' : 'hits'] += 1;
    return found && (revision === 'any' || found.revision === revision) ? found : undefined;
  }

  return {
    counts,
    get: async (key, revision) => {
      if (!ready() || performance.now() < restUntil) return undefined;
      try {
        return await find(key, revision);
      } catch (error) {
        if (error instanceof LateError) restUntil = performance.now() + REST_MS;
        counts.failures += 1;
        complain.failed(error);
        return undefined;
      }
    },
    put: (key, source) => {
      const value = ready() ? pack(key, source, secret) : undefined;
      if (value !== undefined) inTime(keyv.set(key, value, KEEP_MS)).catch(complain.failed);
    },
    close: () => keyv.disconnect(),
  };
}

/** What stands for a text that nobody here wrote. */
const FOREIGN = { value: null };

/** Keyv's own reading would fail of what is no JSON: that is no failure of the server. */
function parseBounded<T>(text: string): { value: T } {
  try {
    const found: unknown = text.length > LIMITS.sharedBytes ? FOREIGN : JSON.parse(text);
    return (typeof found === 'object' && found !== null && 'value' in found ? found : FOREIGN) as { value: T };
  } catch {
    return FOREIGN as { value: T };
  }
}

/** A calendar too large to be read again is not put in. */
function pack(key: string, { revision, changedAt, slug, plain, gzip }: EntrySource, secret: string): Kept | undefined {
  if (plain.length > LIMITS.sharedBytes || gzip.length > LIMITS.sharedBytes / 2) return undefined;
  const value = { revision, changedAt, slug, gzip: gzip.toString('base64') };
  return { ...value, mac: macOf(key, value, secret) };
}

function macOf(key: string, { revision, changedAt, slug, gzip }: Omit<Kept, 'mac'>, secret: string): string {
  const text = JSON.stringify([key, revision, changedAt, slug, gzip]);
  return createHmac('sha256', secret).update(text).digest('base64url');
}

/** Nothing of a value is decoded before its MAC is right. */
async function unpack(key: string, value: unknown, secret: string): Promise<EntrySource | undefined> {
  const { success, data } = kept.safeParse(value);
  if (!success || !isSameDigest(data.mac, macOf(key, data, secret))) return undefined;
  const gzip = Buffer.from(data.gzip, 'base64');
  const plain = Buffer.from(await gunzipBytes(gzip, { maxOutputLength: LIMITS.sharedBytes }));
  return { revision: data.revision, changedAt: data.changedAt, slug: data.slug, plain, gzip };
}

/** In a time that does not tell how much of it was right. */
function isSameDigest(given: string, right: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}

class LateError extends Error {}

async function inTime<T>(promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new LateError(`no answer in ${ANSWER_MS} ms`)), ANSWER_MS);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** One line when it fails, and one when it is well again: not one per request. */
function onceUntilWell(log: Log): { failed: (error: unknown) => void; well: () => void } {
  let failing = false;
  return {
    failed: (error) => {
      if (!failing) log.warn({ err: error }, 'The shared cache does not answer; calendars are rendered without it.');
      failing = true;
    },
    well: () => {
      if (failing) log.info({}, 'The shared cache answers again.');
      failing = false;
    },
  };
}
