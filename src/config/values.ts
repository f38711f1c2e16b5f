/** Types of settings (feeds, addresses, zones, numbers): how each is checked, described and read from text. */

import { resolve } from 'node:path';
import { z } from 'zod';
import { databaseScheme } from '../database-schemes.ts';
import { didYouMean } from '../nearest.ts';
import { nearestZone } from '../time/nearest-zone.ts';
import { zone } from '../time/zone.ts';

const PLACE = 'an http(s) address or a folder';

/** An object schema that refuses unknown keys, and names the nearest known one. */
function closed<T extends z.core.$ZodLooseShape>(shape: T) {
  const unknown = (key: string) => `${JSON.stringify(key)} is not known here${didYouMean(key, Object.keys(shape))}`;
  return z.strictObject(shape, {
    error: ({ code, keys = [] }) =>
      code === 'unrecognized_keys' ? (keys as string[]).map(unknown).join(', ') : undefined,
  });
}

/** A publisher as attribution names it. */
const publisher = z.union(
  [
    z
      .string()
      .min(1)
      .transform((name): { name: string; url?: string | undefined } => ({ name })),
    z.strictObject({ name: z.string().min(1), url: httpUrl().optional() }),
  ],
  {
    error: 'a name, or {"name", "url"}',
  },
);

const feedObject = closed({
  /** An http(s) address, or a folder (or one file) of pages; paths are absolute once read. */
  url: z.string({ error: PLACE }).refine(isAddressOrPath, PLACE),
  name: z.string({ error: 'a text' }).min(1, 'a text').optional(),
  publisher: publisher.optional(),
  /** Sent with every request of this feed; often keys, so never shown. */
  headers: z.record(z.string(), z.string({ error: 'a text' }), { error: 'header names with text values' }).optional(),
  /** The zone of times without one. */
  zone: zoneType().optional(),
  /** Harvest Slots too: millions of items in big feeds, so only where asked for. */
  slots: z.boolean({ error: 'true or false' }).optional(),
});

export const feed = z.preprocess((value) => (typeof value === 'string' ? { url: value } : value), feedObject);

/** One feed as the operator names it. */
export type FeedSetting = z.output<typeof feedObject>;

export function feedInFolder(feed: FeedSetting, folder: string): FeedSetting {
  return /^https?:\/\//i.test(feed.url) ? feed : { ...feed, url: resolve(folder, feed.url) };
}

/** Whether a text is an http(s) address or a path. An address with another scheme is no path: that folder never exists. */
function isAddressOrPath(text: string): boolean {
  if (/^https?:/i.test(text)) return URL.canParse(text) && new URL(text).host !== '';
  return text !== '' && !/^[a-z][a-z\d+.-]+:/i.test(text);
}

function readBoolean(text: string): unknown {
  const values: Record<string, boolean> = { true: true, 1: true, yes: true, false: false, 0: false, no: false };
  return values[text.toLowerCase()] ?? text;
}

function readNumber(text: string): unknown {
  return /^\d{1,15}(\.\d{1,9})?$/.test(text) ? Number(text) : text;
}

function readBytes(text: string): unknown {
  const [, digits, unit = ''] = /^(\d{1,12})\s?([kmg]?)b?$/i.exec(text) ?? [];
  return digits === undefined ? text : Number(digits) * 1024 ** ['', 'k', 'm', 'g'].indexOf(unit.toLowerCase());
}

const COLOUR = 'a colour such as #2440cc';

export const brand = closed({
  /** In the header and the title of every page. */
  name: z.string({ error: 'a text' }).min(1, 'a text').max(60, 'a text of at most 60 characters').optional(),
  /** A file; absolute once read. */
  logo: z.string({ error: 'a file' }).min(1, 'a file').optional(),
  accent: z
    .string({ error: COLOUR })
    .regex(/^#(?:[\da-f]{3}|[\da-f]{6})$/i, COLOUR)
    .optional(),
  imprint: httpUrl().optional(),
  privacy: httpUrl().optional(),
});

/** How the operator shows the service. */
export type BrandSetting = z.output<typeof brand>;

export function brandInFolder(value: BrandSetting, folder: string): BrandSetting {
  return value.logo === undefined ? value : { ...value, logo: resolve(folder, value.logo) };
}

export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Reads a JSON list, or texts separated by blanks or commas. */
export function readList(text: string): unknown {
  return text.trimStart().startsWith('[') ? readJson(text) : text.split(/[\s,]+/).filter((part) => part !== '');
}

/** Splits texts of a list at blanks and commas: `--types A,B --types C` is one list. */
export function parted(value: unknown): unknown {
  return Array.isArray(value) ? value.flatMap((one) => (typeof one === 'string' ? one.split(/[\s,]+/) : [one])) : value;
}

/** The check of an address that paths are appended to. */
export function baseAddress() {
  return httpUrl().refine((url) => !/[?#]/.test(url));
}

export function httpUrl() {
  return z.string().refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), 'an http(s) address');
}

/** The check of an address of a database. */
export function databaseAddress() {
  return z.string().refine((text) => databaseScheme(text) !== undefined);
}

export function zoneType() {
  return z
    .string({ error: 'an IANA time zone' })
    .refine((name) => zone(name) !== undefined, {
      error: 'an IANA time zone, as Europe/London',
      params: { nearest: nearestZone },
    })
    .transform((name) => zone(name)?.id ?? name);
}

/** Kinds of values: the check, the end of the sentence "NAME is VALUE, allowed is …", and how a text is read. */
export const yesOrNo = { schema: z.boolean(), default: false, allowed: 'true or false', read: readBoolean };

export const addresses = {
  schema: z.array(httpUrl()),
  default: [] as string[],
  allowed: 'a list of http(s) addresses',
  value: 'URL',
  read: readList,
  secret: 'keys' as const,
};

/** The address of a feed in the store; a folder has a `file:` address. */
const feedAddress = z.string().refine((text) => /^(?:https?|file):$/.test(URL.parse(text)?.protocol ?? ''));

/** Feeds whose deletions are applied without confirmation. One word is no list, so that a message shows a misspelt word. */
export const confirmed = {
  schema: z.union([z.enum(['ask', 'apply']), z.array(feedAddress)]),
  allowed: 'ask, apply, or a list of addresses of feeds whose deletions are applied',
  read: (text: string): unknown => (/[:[]/.test(text) ? readList(text) : text),
};

/** A bearer token, of characters that a header may have. */
export const token = z
  .string()
  .min(16)
  .regex(/^[\w.~+/=-]+$/);

export const hostName = {
  schema: z.string().regex(/^[\w.:-]+$/),
  allowed: 'a host name or IP address of this machine',
};

export function wholeNumber(from: number, to?: number, ofFrom = '') {
  const least = z.int().min(from);
  const allowed = `a whole number from ${from}${ofFrom}${to === undefined ? '' : ` to ${to}`}`;
  return { schema: to === undefined ? least : least.max(to), allowed, read: readNumber };
}

export function seconds(from: number, to: number) {
  return { schema: z.number().min(from).max(to), allowed: `seconds from ${from} to ${to}`, read: readNumber };
}

export function bytes(from: number, example: string) {
  return { schema: z.int().min(from), allowed: `a number of bytes, or as ${example}`, read: readBytes };
}

/** A setting that may be absent. */
export function optional<S extends z.ZodType>(schema: S, allowed: string) {
  return { schema: schema.optional(), default: undefined, allowed };
}

export function oneOf<const T extends readonly string[]>(choices: T, allowed: string) {
  return { schema: z.enum(choices), allowed };
}

/** The contact for publishers in User-Agent. */
export const contactText = z
  .string()
  .max(200)
  .regex(/^[\x21-\x7e]+$/);
