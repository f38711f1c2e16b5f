import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import type { Keyv } from 'keyv';
import { z } from 'zod';
import {
  isSameDigest,
  LateError,
  macOf,
  namespaceOf,
  onceUntilWell,
  openRedis,
  storeAsJson,
  withinTime,
} from '../../cache/index.ts';
import { LIMITS } from '../../limits.ts';
import { DAY_MS } from '../../time/days.ts';
import { type EntrySource, fileSlug } from '../calendars/entry.ts';
import type { Log } from '../operations/log.ts';

/**
 * Rendered calendars in Redis or Valkey, behind the map in memory, so that a restart or another process need not render again.
 * This cache bounds the work of a request, as that map does. It may neither fail a request nor delay it: a late answer is a
 * miss, and is logged once. A writer to that server must not be able to write calendars, so each value carries a MAC with a
 * key that only the store has. A value that no process of this store has made is a miss.
 */
export interface SecondLevel {
  /** Numbers of answers so far, by outcome. */
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
  /** Number of requests without an answer, or without a connection. */
  failures: number;
}

/** A calendar as it is stored: strings only, because Keyv's serialiser turns octets into long JSON. */
const kept = z.strictObject({
  revision: z.int().min(0),
  changedAt: z.int().min(0).max(8.64e15),
  slug: z.string().refine((slug) => fileSlug(slug) === slug),
  gzip: z.string(),
  mac: z.string(),
});
type Kept = z.output<typeof kept>;

/** How long the cache is not asked after a late answer, so that later requests do not wait too. */
const REST_MS = 5_000;
/** A month, after which keys of older releases and configurations expire. */
const KEEP_MS = 30 * DAY_MS;

const gunzipBytes = promisify(zlib.gunzip);

/**
 * Opens the cache behind CACHE_URL. `fingerprint` stands for everything but the stored data that shapes the bytes, and is part
 * of every key; `secret` is the store's.
 */
export function redisLevel(url: string, fingerprint: string, secret: string, log: Log): SecondLevel {
  const { keyv, ready, close } = openRedis(url, namespaceOf(secret, fingerprint));
  return { ...keyvLevel(keyv, secret, log, ready), close: async () => close() };
}

/** A second level over any Keyv. While `ready` is false, it is not asked. */
export function keyvLevel(keyv: Keyv, secret: string, log: Log, ready: () => boolean = () => true): SecondLevel {
  const complain = onceUntilWell(log, 'calendars are rendered without it');
  keyv.on('error', complain.failed);
  storeAsJson(keyv);
  const counts: SecondCounts = { hits: 0, misses: 0, refused: 0, failures: 0 };
  let restUntil = 0;
  const isAsked = () => ready() && performance.now() >= restUntil;
  const failed = (error: unknown) => {
    if (error instanceof LateError) restUntil = performance.now() + REST_MS;
    complain.failed(error);
  };

  async function find(key: string, revision: number | 'any'): Promise<EntrySource | undefined> {
    const value = await withinTime(keyv.get<unknown>(key));
    complain.well();
    const found = value === undefined ? undefined : await unpack(key, value, secret);
    if (value !== undefined && found === undefined) counts.refused += 1;
    else counts[found === undefined ? 'misses' : 'hits'] += 1;
    return found && (revision === 'any' || found.revision === revision) ? found : undefined;
  }

  return {
    counts,
    get: async (key, revision) => {
      if (!isAsked()) {
        counts.failures += 1;
        return undefined;
      }
      try {
        return await find(key, revision);
      } catch (error) {
        counts.failures += 1;
        failed(error);
        return undefined;
      }
    },
    put: (key, source) => {
      const value = isAsked() ? pack(key, source, secret) : undefined;
      if (value !== undefined) withinTime(keyv.set(key, value, KEEP_MS)).catch(failed);
    },
    close: () => keyv.disconnect(),
  };
}

/** The stored form of a calendar; undefined: it is too large to be read again. */
function pack(
  key: string,
  { revision, changedAt, slug, identity, gzip }: EntrySource,
  secret: string,
): Kept | undefined {
  if (identity.length > LIMITS.sharedBytes || gzip.length > LIMITS.sharedBytes / 2) return undefined;
  const value = { revision, changedAt, slug, gzip: gzip.toString('base64') };
  return { ...value, mac: signatureOf(key, value, secret) };
}

function signatureOf(key: string, { revision, changedAt, slug, gzip }: Omit<Kept, 'mac'>, secret: string): string {
  return macOf(secret, key, revision, changedAt, slug, gzip);
}

/** Reads a stored value, which is decoded only once its MAC is right. */
async function unpack(key: string, value: unknown, secret: string): Promise<EntrySource | undefined> {
  const { success, data } = kept.safeParse(value);
  if (!success || !isSameDigest(data.mac, signatureOf(key, data, secret))) return undefined;
  const gzip = Buffer.from(data.gzip, 'base64');
  const identity = Buffer.from(await gunzipBytes(gzip, { maxOutputLength: LIMITS.sharedBytes }));
  return { revision: data.revision, changedAt: data.changedAt, slug: data.slug, identity, gzip };
}
