/**
 * Every setting of the program in one table: where it comes from, what is allowed, what it is for.
 * `cli/settings.ts` reads it from flags, environment and file.
 */

import { resolve } from 'node:path';
import { z } from 'zod';
import {
  addresses,
  type BrandSetting,
  baseAddress,
  brand,
  brandInFolder,
  bytes,
  confirmed,
  contactText,
  databaseAddress,
  type FeedSetting,
  feed,
  feedInFolder,
  hostName,
  httpUrl,
  oneOf,
  optional,
  parted,
  readJson,
  readList,
  seconds,
  token,
  wholeNumber,
  yesOrNo,
  zoneType,
} from './config/values.ts';
import { FEED_TYPES, USUAL_FEED_TYPES } from './opportunity/feed-types.ts';

export type { BrandSetting, FeedSetting };

/** One line of the table. `allowed` ends the sentence "NAME is VALUE, allowed is …". */
export interface Setting<S extends z.ZodType = z.ZodType> {
  schema: S;
  default: z.output<S>;
  allowed: string;
  help: string;
  /** Environment variables beside its own (`variablesOf`), which wins. */
  alsoEnv?: readonly string[];
  /** Turns the text of a variable or flag into what the schema checks; absent: the text itself. */
  read?: (text: string) => unknown;
  /** Absent: file and environment only. */
  flag?: string;
  /** How `--help` calls the flag's value. */
  value?: string;
  /** Never shown: all of it, what is below its origin, or what addresses in it hold of keys and passwords. */
  secret?: true | 'path' | 'keys';
  /** Makes paths in the value absolute; `folder` is that of the file or shell that the value was written in. */
  inFolder?(value: z.output<S>, folder: string): z.output<S>;
}

/** Types a line by itself. */
function setting<S extends z.ZodType>(line: Setting<S>): Setting<S> {
  return line;
}

export const SETTINGS = {
  data: setting({
    schema: z.string().min(1),
    default: './data',
    allowed: 'a folder',
    help: 'folder of the embedded database, and of what is kept beside a store',
    flag: 'data',
    value: 'DIR',
    inFolder: (value, folder) => resolve(folder, value),
  }),
  feeds: setting({
    schema: z.array(feed),
    default: [],
    allowed: 'a list of addresses or folders, or of objects with url, name, publisher, headers, zone, slots',
    help: 'feeds to harvest: http(s) addresses of RPDE feeds, or folders of pages',
    flag: 'feed',
    value: 'URL|DIR',
    read: readList,
    secret: 'keys',
    inFolder: (value, folder) => value.map((one) => feedInFolder(one, folder)),
  }),
  datasets: setting({
    ...addresses,
    help: 'dataset sites: their pages name the feeds, the publisher and the licence',
    flag: 'dataset',
  }),
  catalogs: setting({
    ...addresses,
    help: 'data catalogues, or collections of them: all their dataset sites',
    flag: 'catalog',
  }),
  types: setting({
    schema: z.preprocess(parted, z.array(z.enum(FEED_TYPES)).min(1)),
    default: [...USUAL_FEED_TYPES],
    allowed: `a list of ${FEED_TYPES.join(', ')}`,
    help: 'types of feeds to harvest from dataset sites; default: all but Slot and OnDemandEvent',
    flag: 'types',
    value: 'TYPES',
    read: readList,
  }),
  samples: setting({ ...yesOrNo, help: 'harvest the sample feeds that come with the program', flag: 'samples' }),
  samePublisher: setting({
    schema: z.array(z.array(httpUrl()).min(2)),
    default: [],
    allowed: 'a list of lists of http(s) addresses, as [["https://a.example", "https://b.example"]]',
    help: 'dataset sites, and origins of feeds named one by one, that are one publisher: only within one is an @id believed of each other',
    read: readList,
  }),
  role: setting({
    ...oneOf(['all', 'harvest', 'web'], 'all, harvest or web'),
    default: 'all',
    help: 'what this process does: harvest feeds, answer the web, or both',
    flag: 'role',
    value: 'ROLE',
  }),
  port: setting({
    ...wholeNumber(0, 65535, ' (any free port)'),
    default: 8080,
    help: 'port to listen on',
    alsoEnv: ['PORT'],
    flag: 'port',
    value: 'PORT',
  }),
  adminPort: setting({
    ...wholeNumber(0, 65535, ' (any free port)'),
    schema: z.int().min(0).max(65535).optional(),
    default: undefined,
    help: 'port of the admin address: /admin (feeds with errors in full), /metrics, /healthz, /readyz; default: none',
    alsoEnv: ['OPENACTIVE_ICAL_HARVEST_PORT'],
    flag: 'admin-port',
    value: 'PORT',
  }),
  adminHost: setting({
    ...hostName,
    default: '127.0.0.1',
    help: 'address that the admin port listens on; any but a loopback one needs adminToken',
    flag: 'admin-host',
    value: 'HOST',
  }),
  adminToken: setting({
    ...optional(token, 'at least 16 letters, digits or . ~ + / = _ -'),
    help: 'what who asks the admin address must give, as a bearer token or as a password',
    secret: true,
  }),
  notifyUrl: setting({
    ...optional(httpUrl(), 'an http(s) address'),
    help: 'webhook that gets a POST when a feed is failing, held, gone or back',
    secret: 'path',
  }),
  host: setting({
    ...hostName,
    default: '0.0.0.0',
    help: 'address to listen on',
    alsoEnv: ['HOST'],
    flag: 'host',
    value: 'HOST',
  }),
  baseUrl: setting({
    ...optional(baseAddress(), 'an http(s) address without ? and #'),
    help: 'address under which people reach the service; links are made from it, never from what a caller sends',
    flag: 'base-url',
    value: 'URL',
  }),
  baseFromProxy: setting({
    ...yesOrNo,
    help: 'where baseUrl is not set, take the base address from X-Forwarded-Proto and X-Forwarded-Host of trustedProxies',
  }),
  davLogin: setting({
    ...yesOrNo,
    help: 'ask CalDAV clients for a name and a password, and take any: account set-up of Apple’s programs does not go on without',
    flag: 'dav-login',
  }),
  brand: setting({
    schema: brand,
    default: {},
    allowed: 'an object with name, logo, accent, imprint, privacy',
    help: 'how the pages show their operator: name, logo (a file, SVG or PNG), accent (#rrggbb), addresses of imprint and privacy',
    read: readJson,
    inFolder: (value, folder) => brandInFolder(value, folder),
  }),
  rateLimit: setting({
    ...wholeNumber(0, 1_000_000, ' (any)'),
    default: 1200,
    help: 'requests a minute from one caller for pages, searches and the API (searches and the first page count 5, lists, windows and explanations 10); calendars are limited only where a search in them has to be computed',
  }),
  trustedProxies: setting({
    schema: z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])),
    default: [],
    allowed: 'a list of IP addresses and networks, as 10.0.0.0/8',
    help: 'proxies in front of this service: only what they send in X-Forwarded-For is believed',
    read: readList,
  }),
  databaseUrl: setting({
    ...optional(databaseAddress(), 'a postgres:// address'),
    help: 'PostgreSQL, version 15 or later, that holds the store in place of the embedded database: postgres://user:password@host/database',
    alsoEnv: ['DATABASE_URL'],
    secret: 'keys',
  }),
  cacheUrl: setting({
    ...optional(z.string().regex(/^(rediss?|valkeys?):\/\//), 'a redis:// address'),
    help: 'Redis or Valkey that several processes share as cache; without it each has its own',
    alsoEnv: ['CACHE_URL'],
    secret: 'keys',
  }),
  cacheBytes: setting({
    ...bytes(0, '64MB'),
    default: 64 * 1024 * 1024,
    help: 'most memory for rendered calendars',
  }),
  defaultTimezone: setting({
    schema: zoneType(),
    default: 'Europe/London',
    allowed: 'an IANA time zone, as Europe/London',
    help: 'the zone of what names none',
    flag: 'timezone',
    value: 'ZONE',
  }),
  holidays: setting({
    schema: z.string().regex(/^[A-Z]{2}(-[A-Z0-9]{1,3}){0,2}$/),
    default: 'GB-ENG',
    allowed: 'a country or region, as GB-ENG',
    help: 'the public holidays of places that name no country',
    flag: 'holidays',
    value: 'REGION',
  }),
  horizonDays: setting({
    ...wholeNumber(1, 3660),
    default: 365,
    help: 'how many days ahead occurrences are stored for lists and search; calendars carry the rules whatever it is',
  }),
  images: setting({
    ...yesOrNo,
    default: true,
    help: "show the publishers' images, fetched once and served from this address; they are kept in the folder of the database",
  }),
  vocabularies: setting({
    ...yesOrNo,
    default: true,
    help: 'ask openactive.io once a day for newer lists of activities, facility types and accessibility support; they are used from the next start',
  }),
  placesLeft: setting({
    ...yesOrNo,
    help: 'show the places left in calendars; they change all day, and every change is a new revision',
  }),
  refresh: setting({
    schema: z.string().regex(/^P(?=.)(\d{1,3}D)?(T(?=.)(\d{1,4}H)?(\d{1,5}M)?)?$/),
    default: 'PT6H',
    allowed: 'a duration, as PT6H or P1D',
    help: 'how often calendar programs are asked to come back',
  }),
  pollSeconds: setting({
    ...seconds(0.1, 86_400),
    default: 8,
    help: 'wait at the end of a feed before asking for news; RPDE names 8 s, and faster gives nothing',
  }),
  idlePollSeconds: setting({
    ...seconds(0.1, 86_400),
    default: 300,
    help: 'the longest such wait: it grows step by step while a feed has no news, and is short again with the next; the max-age of a feed makes it longer, up to an hour',
  }),
  feedItems: setting({
    ...wholeNumber(1),
    default: 5_000_000,
    help: 'most live items of one feed, and ten times as many deleted ones; the largest real feed has 300,000',
  }),
  feedBytes: setting({
    ...bytes(1, '8GB'),
    default: 8 * 1024 ** 3,
    help: 'most bytes stored of one feed, compressed; the largest real feed needs 200 MB',
  }),
  hostRequests: setting({
    ...wholeNumber(1, 20),
    default: 1,
    help: 'requests at a time to one host of feeds',
  }),
  hostPauseSeconds: setting({
    ...seconds(0, 3600),
    default: 0,
    help: 'pause between two requests to one host of feeds, for publishers who ask for it',
  }),
  confirmDeletes: setting({
    ...confirmed,
    default: 'ask',
    help: 'when over a twentieth of a feed would go at once: wait for feeds --confirm, or apply (all, or these)',
    alsoEnv: ['OPENACTIVE_ICAL_HARVEST_CONFIRM_DELETES'],
    flag: 'confirm-deletes',
    value: 'HOW',
    secret: 'keys',
  }),
  folderPollSeconds: setting({
    ...seconds(0.1, 86_400),
    default: 2,
    help: 'how often a folder of pages is searched for changed files',
  }),
  republish: setting({
    ...yesOrNo,
    help: 'publish what was harvested anew, as clean RPDE feeds at /rpde/',
    flag: 'republish',
  }),
  publishPage: setting({
    ...yesOrNo,
    help: 'a page at /publish where anybody can see what of a calendar would be published; it fetches public addresses that callers name',
    flag: 'publish-page',
  }),
  calendarPollSeconds: setting({
    ...seconds(0.1, 604_800),
    default: 900,
    help: 'how often publish asks an address for its calendar',
  }),
  allowPrivate: setting({
    ...yesOrNo,
    help: 'let redirects, next pages and datasets lead to private and loopback addresses',
    flag: 'allow-private',
  }),
  contact: setting({
    ...optional(contactText, 'an address or e-mail address, without blanks'),
    help: 'sent in User-Agent, so that publishers can write before they block',
  }),
  gzip: setting({
    ...oneOf(['auto', 'never'], 'auto (when asked, not for Microsoft agents) or never'),
    default: 'auto',
    help: 'compression of what is served; never: leave it to a proxy in front',
  }),
  logLevel: setting({
    ...oneOf(['trace', 'debug', 'info', 'warn', 'error', 'silent'], 'trace, debug, info, warn, error or silent'),
    default: 'info',
    help: 'how much is logged',
    flag: 'log-level',
    value: 'LEVEL',
  }),
};

/** Earlier spellings in a settings file: they are still read. */
export const FORMER_KEYS: Readonly<Record<string, SettingKey>> = {
  'harvest.confirm-deletes': 'confirmDeletes',
  harvestPort: 'adminPort',
};

export type SettingKey = keyof typeof SETTINGS;
export type Settings = { [K in SettingKey]: z.output<(typeof SETTINGS)[K]['schema']> };

/** Environment variables of a setting, the first that is set wins: `horizonDays` is `OPENACTIVE_ICAL_HORIZON_DAYS`. */
export function variablesOf(key: SettingKey): string[] {
  const name = key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
  return [`OPENACTIVE_ICAL_${name}`, ...(SETTINGS[key].alsoEnv ?? [])];
}
