import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import KeyvRedis, { createClient } from '@keyv/redis';
import { Keyv } from 'keyv';
import { type EntrySource, etagHash } from './entry.ts';
import type { Log } from './log.ts';

/**
 * Rendered calendars in Redis or Valkey, behind the map in memory: a restart, or another process, need not render again.
 * Nothing here may fail a request or hold it up: what does not answer in time is a miss, and is said once.
 */
export interface SecondLevel {
  /** The source of this key if it was made from this revision; `any` accepts an older one (the last good bytes). */
  get(key: string, revision: number | 'any'): Promise<EntrySource | undefined>;
  /** Does not wait. */
  put(key: string, source: EntrySource): void;
  close(): Promise<void>;
}

/** As it is kept: strings only, because Keyv's serialiser turns bytes into long JSON (libs.md 5). */
interface Kept {
  revision: number;
  changedAt: number;
  slug: string;
  hash: string;
  gzip: string;
}

/** Half a second: rendering again takes less, so waiting longer never pays. */
const ANSWER_MS = 500;
/** After one that did not answer in time the next are not made to wait as well. */
const REST_MS = 5_000;
/** A month; keys of older releases and configurations go by themselves. */
const KEEP_MS = 30 * 24 * 60 * 60 * 1000;

const gunzipBytes = promisify(zlib.gunzip);

/**
 * Opens the cache behind CACHE_URL (`redis://`, `rediss://`, `valkey://`, `valkeys://`). Connects in the background.
 * `fingerprint` stands for everything but the stored data that shapes the bytes; it is part of every key.
 */
export function redisLevel(url: string, fingerprint: string, log: Log): SecondLevel {
  // Without an offline queue a command fails at once while there is no connection, instead of waiting for one.
  const client = createClient({
    url: url.replace(/^valkey/, 'redis'),
    disableOfflineQueue: true,
    socket: { connectTimeout: 5000, reconnectStrategy: (tries) => Math.min(30_000, 2 ** Math.min(tries, 9) * 100) },
  });
  const keyv = new Keyv({
    store: new KeyvRedis(client, { throwOnErrors: true }),
    namespace: `openactive-ical:${fingerprint}`,
  });
  const level = keyvLevel(keyv, log, () => client.isReady);
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
export function keyvLevel(keyv: Keyv, log: Log, ready: () => boolean = () => true): SecondLevel {
  const complain = onceUntilWell(log);
  keyv.on('error', complain.failed);
  // Otherwise a failed read is a miss without a word.
  keyv.throwOnErrors = true;
  let restUntil = 0;
  return {
    get: async (key, revision) => {
      if (!ready() || performance.now() < restUntil) return undefined;
      try {
        const kept = await inTime(keyv.get<Kept>(key));
        complain.well();
        return kept && (revision === 'any' || kept.revision === revision) ? await unpack(kept) : undefined;
      } catch (error) {
        if (error instanceof LateError) restUntil = performance.now() + REST_MS;
        complain.failed(error);
        return undefined;
      }
    },
    put: (key, source) => {
      if (ready()) inTime(keyv.set(key, pack(source), KEEP_MS)).catch(complain.failed);
    },
    close: () => keyv.disconnect(),
  };
}

function pack({ revision, changedAt, slug, plain, gzip }: EntrySource): Kept {
  return { revision, changedAt, slug, hash: etagHash(plain), gzip: gzip.toString('base64') };
}

/** Refuses what does not hash to what was kept: a damaged value is a miss, not a damaged calendar. */
async function unpack({ revision, changedAt, slug, hash, gzip: packed }: Kept): Promise<EntrySource | undefined> {
  const gzip = Buffer.from(packed, 'base64');
  const plain = Buffer.from(await gunzipBytes(gzip));
  return etagHash(plain) === hash ? { revision, changedAt, slug, plain, gzip } : undefined;
}

class LateError extends Error {}

/** The promise, or an error after `ANSWER_MS`. */
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
