import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import type { MergedParts } from '../../library/index.ts';
import { DAY_MS } from '../../time/days.ts';
import { type Instant, wholeSecond } from '../../time/instant.ts';
import type { Meter } from '../operations/meters.ts';
import { READABLE_WITH_TIME } from './conditions.ts';

/** Calendars as they are cached: octets in two codings, validators and headers. */

/** The octets of one coding, with the headers of a 200 and of a 304, which are made once for all answers. */
export interface Variant {
  body: Buffer<ArrayBuffer>;
  tag: string;
  headers: Record<string, string>;
  notModified: Record<string, string>;
}

/** A rendered calendar, ready to be sent. */
export interface Entry {
  revision: number;
  /** The time of change, in whole seconds. */
  modified: Instant;
  /** The time in the Last-Modified of its headers (`statedTime`). */
  stated: Instant;
  /** The HTTP date that an If-Modified-Since is compared with before it is parsed. */
  lastModified: string;
  slug: string;
  identity: Variant;
  /** Undefined where compression does not make it smaller. */
  gzip: Variant | undefined;
  /** Both tags, that of the identity coding first. */
  tags: readonly string[];
  /** Whether the calendar has changed since. A stale entry is served only if the new one cannot be made. */
  stale: boolean;
  /** The calendars on which a merged calendar depends; absent for others. */
  parts?: MergedParts['parts'] | undefined;
  meter: Meter;
}

/** A rendered calendar without headers, as threads and the shared cache pass it on. */
export interface EntrySource {
  revision: number;
  changedAt: Instant;
  slug: string;
  identity: Buffer<ArrayBuffer>;
  gzip: Buffer<ArrayBuffer>;
}

/** The Cache-Control of calendars (RFC 5861), for CDNs and clients; `max-age` is below REFRESH-INTERVAL (feed rule 24). */
export const CACHE_CONTROL = 'public, max-age=900, stale-while-revalidate=86400, stale-if-error=604800';

export const gzipBytes = promisify(zlib.gzip);

/** The source of an entry: the octets, not copied, and their compressed form, without a time stamp. */
export async function source(
  bytes: Uint8Array<ArrayBuffer>,
  head: { revision: number; changedAt: Instant },
  slug: string,
): Promise<EntrySource> {
  const identity = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const gzip = Buffer.from(await gzipBytes(identity, { level: 6 }));
  return { revision: head.revision, changedAt: head.changedAt, slug: fileSlug(slug), identity, gzip };
}

const PERIOD_MS = 365 * DAY_MS;

/**
 * Whether a time is no more than a day ahead: changes within one second are stored a second apart, and clocks are corrected.
 */
const isSoon = (modified: Instant, now: Instant): boolean => modified - now < DAY_MS;

/**
 * The time in Last-Modified, never later than the answer (RFC 9110 8.8.2.1). A time of change far ahead was stored by a wrong
 * clock: Last-Modified is whole periods earlier. That is the same after a restart, and the revision in it distinguishes
 * changes since the clock was corrected.
 */
function statedTime(modified: Instant, revision: number, now: Instant): Instant {
  if (isSoon(modified, now)) return Math.min(modified, now);
  const own = modified + revision * 1000;
  return own - Math.ceil((own - now) / PERIOD_MS) * PERIOD_MS;
}

/** Completes a source with validators and headers. */
export function entry(from: EntrySource, meter: Meter, now: Instant): Entry {
  const hash = etagHash(from.identity);
  const modified = wholeSecond(from.changedAt);
  const stated = statedTime(modified, from.revision, now);
  // If-Modified-Since never has a time less than a day ahead before that time has come.
  const lastModified = new Date(isSoon(modified, now) ? modified : stated).toUTCString();
  // The slug goes into a header, so it is made a safe file name once more.
  const slug = fileSlug(from.slug);
  const common = { lastModified: new Date(stated).toUTCString(), slug };
  const identity = variant(from.identity, { ...common, tag: `"${hash}"` });
  // One strong tag per coding (RFC 9110 8.8.3.3), in the form that Apache's mod_deflate made usual.
  const gzip =
    from.gzip.length < from.identity.length
      ? variant(from.gzip, { ...common, tag: `"${hash}-gzip"`, coding: 'gzip' })
      : undefined;
  const tags = gzip ? [identity.tag, gzip.tag] : [identity.tag];
  const times = { modified, lastModified, stated };
  return { revision: from.revision, ...times, slug, identity, gzip, tags, stale: false, meter };
}

/**
 * Updates Last-Modified of an entry made before its time of change, once that time has come. Until then If-Modified-Since is
 * compared with the time of change all the same, because another revision may have been answered within the second in the
 * header.
 */
export function datedNow(entry: Entry, now: Instant): Entry {
  const { stated, modified, identity, gzip } = entry;
  if (stated >= modified || modified > now) return entry;
  const lastModified = new Date(modified).toUTCString();
  const times = { stated: modified, lastModified };
  // Headers in use are not changed, because an answer may be under way.
  return Object.assign(entry, times, {
    identity: redatedVariant(identity, lastModified),
    gzip: gzip && redatedVariant(gzip, lastModified),
  });
}

function redatedVariant(variant: Variant, lastModified: string): Variant {
  const time = { 'Last-Modified': lastModified };
  return {
    ...variant,
    headers: { ...variant.headers, ...time },
    notModified: { ...variant.notModified, ...time },
  };
}

/** Whether Last-Modified of an entry is right by the present clock, which may have been set since. */
export function isTimely({ revision, stated, modified }: Entry, now: Instant): boolean {
  if (modified <= now || !isSoon(modified, now)) return stated === statedTime(modified, revision, now);
  return stated <= now && isSoon(modified, stated);
}

/** The octets of an entry in the cache, with a rough number for its headers. */
export function entryBytes({ identity, gzip, parts }: Entry): number {
  const names = parts === undefined || parts === 'all' ? 0 : parts.length;
  return identity.body.length + (gzip?.body.length ?? 0) + 2048 + names * PART_BYTES;
}

/** The memory of one part: its name, and an entry in two maps. */
const PART_BYTES = 200;

/** A strong hash of the octets without a coding: 132 bits of SHA-256, in characters that need no quoting in a header. */
export function etagHash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
}

/** A readable file name out of anything: `[a-z0-9-]{1,80}` (SECURITY.md, "File names"). */
export function fileSlug(name: string): string {
  const letters = name.slice(0, 400).normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const slug = letters
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, 80)
    .replace(/-$/, '');
  return slug || 'calendar';
}

/** The Content-Disposition (RFC 6266) in both spellings, because some clients know only one. */
export function disposition(kind: 'inline' | 'attachment', slug: string): string {
  return `${kind}; filename="${slug}.ics"; filename*=UTF-8''${slug}.ics`;
}

/** One coding of a calendar, with the headers of its 200 and of its 304. */
function variant(
  body: Buffer<ArrayBuffer>,
  { tag, lastModified, slug, coding }: { tag: string; lastModified: string; slug: string; coding?: string },
): Variant {
  // RFC 9110 15.4.5: a 304 has the caching headers of a 200.
  const notModified = {
    ETag: tag,
    'Last-Modified': lastModified,
    'Cache-Control': CACHE_CONTROL,
    // Microsoft's agents never get gzip, and no cache may give them that of others (RFC 9110 12.5.5).
    Vary: coding === undefined ? 'Accept-Encoding' : 'Accept-Encoding, User-Agent',
    ...READABLE_WITH_TIME,
  };
  const headers: Record<string, string> = {
    'Content-Type': 'text/calendar; charset=utf-8',
    'Content-Length': String(body.length),
    ...notModified,
    'Content-Disposition': disposition('inline', slug),
    'X-Content-Type-Options': 'nosniff',
  };
  if (coding !== undefined) headers['Content-Encoding'] = coding;
  return { body, tag, headers, notModified };
}
