/**
 * Every setting of the program in one table: where it comes from, what is allowed, what it is for.
 * `cli/settings.ts` reads it from flags, environment and file.
 */

import { resolve } from 'node:path';
import { z } from 'zod';
import { ADMIN_SETTINGS } from './config/admin.ts';
import { CALLER_SETTINGS } from './config/callers.ts';
import { type Setting, setting } from './config/setting.ts';
import {
  type FeedSetting,
  feed,
  httpUrl,
  parted,
  placedFeed,
  readBoolean,
  readBytes,
  readList,
  readNumber,
  zoneType,
} from './config/values.ts';
import { FEED_TYPES, USUAL_FEED_TYPES } from './opportunity/feed-types.ts';

export type { FeedSetting, Setting };

export const SETTINGS = {
  data: setting({
    schema: z.string().min(1),
    default: './data',
    allowed: 'a folder',
    help: 'folder of the embedded database',
    env: ['OPENACTIVE_ICAL_DATA'],
    flag: 'data',
    value: 'DIR',
    place: (value: string, folder) => resolve(folder, value),
  }),
  feeds: setting({
    schema: z.array(feed),
    default: [],
    allowed: 'a list of addresses or folders, or of objects with url, name, publisher, headers, zone, slots',
    help: 'feeds to harvest: http(s) addresses of RPDE feeds, or folders of pages',
    env: ['OPENACTIVE_ICAL_FEEDS'],
    flag: 'feed',
    value: 'URL|DIR',
    read: readList,
    secret: true,
    place: (value: FeedSetting[], folder) => value.map((one) => placedFeed(one, folder)),
  }),
  datasets: setting({
    schema: z.array(httpUrl()),
    default: [],
    allowed: 'a list of http(s) addresses',
    help: 'dataset sites: their pages name the feeds, the publisher and the licence',
    env: ['OPENACTIVE_ICAL_DATASETS'],
    flag: 'dataset',
    value: 'URL',
    read: readList,
    secret: true,
  }),
  catalogs: setting({
    schema: z.array(httpUrl()),
    default: [],
    allowed: 'a list of http(s) addresses',
    help: 'data catalogues, or collections of them: all their dataset sites',
    env: ['OPENACTIVE_ICAL_CATALOGS'],
    flag: 'catalog',
    value: 'URL',
    read: readList,
    secret: true,
  }),
  types: setting({
    schema: z.preprocess(parted, z.array(z.enum(FEED_TYPES)).min(1)),
    default: [...USUAL_FEED_TYPES],
    allowed: `a list of ${FEED_TYPES.join(', ')}`,
    help: 'types of feeds to harvest from dataset sites; default: all but Slot and OnDemandEvent',
    env: ['OPENACTIVE_ICAL_TYPES'],
    flag: 'types',
    value: 'TYPES',
    read: readList,
  }),
  samples: setting({
    schema: z.boolean(),
    default: false,
    allowed: 'true or false',
    help: 'harvest the sample feeds that come with the program',
    env: ['OPENACTIVE_ICAL_SAMPLES'],
    flag: 'samples',
    read: readBoolean,
  }),
  samePublisher: setting({
    schema: z.array(z.array(httpUrl()).min(2)),
    default: [],
    allowed: 'a list of lists of http(s) addresses, as [["https://a.example", "https://b.example"]]',
    help: 'dataset sites, and origins of feeds named one by one, that are one publisher: only within one is an @id believed of each other',
    env: ['OPENACTIVE_ICAL_SAME_PUBLISHER'],
    read: readList,
  }),
  role: setting({
    schema: z.enum(['all', 'harvest', 'web']),
    default: 'all',
    allowed: 'all, harvest or web',
    help: 'what this process does: harvest feeds, answer the web, or both',
    env: ['OPENACTIVE_ICAL_ROLE'],
    flag: 'role',
    value: 'ROLE',
  }),
  port: setting({
    schema: z.int().min(0).max(65535),
    default: 8080,
    allowed: 'a whole number from 0 (any free port) to 65535',
    help: 'port to listen on',
    env: ['OPENACTIVE_ICAL_PORT', 'PORT'],
    flag: 'port',
    value: 'PORT',
    read: readNumber,
  }),
  ...ADMIN_SETTINGS,
  host: setting({
    schema: z.string().regex(/^[\w.:-]+$/),
    default: '0.0.0.0',
    allowed: 'a host name or IP address of this machine',
    help: 'address to listen on',
    env: ['OPENACTIVE_ICAL_HOST', 'HOST'],
    flag: 'host',
    value: 'HOST',
  }),
  baseUrl: setting({
    schema: httpUrl().optional(),
    default: undefined,
    allowed: 'an http(s) address',
    help: 'address under which people reach the service; links are made from it, never from what a caller sends',
    env: ['OPENACTIVE_ICAL_BASE_URL'],
    flag: 'base-url',
    value: 'URL',
  }),
  ...CALLER_SETTINGS,
  databaseUrl: setting({
    schema: z
      .string()
      .regex(/^postgres(ql)?:\/\//)
      .optional(),
    default: undefined,
    allowed: 'a postgres:// address',
    help: 'PostgreSQL in place of the embedded database',
    env: ['OPENACTIVE_ICAL_DATABASE_URL', 'DATABASE_URL'],
    secret: true,
  }),
  cacheUrl: setting({
    schema: z
      .string()
      .regex(/^(rediss?|valkeys?):\/\//)
      .optional(),
    default: undefined,
    allowed: 'a redis:// address',
    help: 'Redis or Valkey that several processes share as cache; without it each has its own',
    env: ['OPENACTIVE_ICAL_CACHE_URL', 'CACHE_URL'],
    secret: true,
  }),
  cacheBytes: setting({
    schema: z.int().min(0),
    default: 64 * 1024 * 1024,
    allowed: 'a number of bytes, or as 64MB',
    help: 'most memory for rendered calendars',
    env: ['OPENACTIVE_ICAL_CACHE_BYTES'],
    read: readBytes,
  }),
  defaultTimezone: setting({
    schema: zoneType(),
    default: 'Europe/London',
    allowed: 'an IANA time zone, as Europe/London',
    help: 'the zone of what names none',
    env: ['OPENACTIVE_ICAL_DEFAULT_TIMEZONE'],
    flag: 'timezone',
    value: 'ZONE',
  }),
  holidays: setting({
    schema: z.string().regex(/^[A-Z]{2}(-[A-Z0-9]{1,3}){0,2}$/),
    default: 'GB-ENG',
    allowed: 'a country or region, as GB-ENG',
    help: 'the public holidays of places that name no country',
    env: ['OPENACTIVE_ICAL_HOLIDAYS'],
    flag: 'holidays',
    value: 'REGION',
  }),
  horizonDays: setting({
    schema: z.int().min(1).max(3660),
    default: 365,
    allowed: 'a whole number from 1 to 3660',
    help: 'how many days ahead occurrences are stored for lists and search; calendars carry the rules whatever it is',
    env: ['OPENACTIVE_ICAL_HORIZON_DAYS'],
    read: readNumber,
  }),
  placesLeft: setting({
    schema: z.boolean(),
    default: false,
    allowed: 'true or false',
    help: 'show the places left in calendars; they change all day, and every change is a new revision',
    env: ['OPENACTIVE_ICAL_PLACES_LEFT'],
    read: readBoolean,
  }),
  refresh: setting({
    schema: z.string().regex(/^P(?=.)(\d{1,3}D)?(T(?=.)(\d{1,4}H)?(\d{1,5}M)?)?$/),
    default: 'PT6H',
    allowed: 'a duration, as PT6H or P1D',
    help: 'how often calendar programs are asked to come back',
    env: ['OPENACTIVE_ICAL_REFRESH'],
  }),
  pollSeconds: setting({
    schema: z.number().min(0.1).max(86_400),
    default: 8,
    allowed: 'seconds from 0.1 to 86400',
    help: 'wait at the end of a feed before asking for news; RPDE names 8 s, and faster gives nothing',
    env: ['OPENACTIVE_ICAL_POLL_SECONDS'],
    read: readNumber,
  }),
  idlePollSeconds: setting({
    schema: z.number().min(0.1).max(86_400),
    default: 300,
    allowed: 'seconds from 0.1 to 86400',
    help: 'the longest such wait: it grows step by step while a feed has no news, and is short again with the next',
    env: ['OPENACTIVE_ICAL_IDLE_POLL_SECONDS'],
    read: readNumber,
  }),
  feedItems: setting({
    schema: z.int().min(1),
    default: 5_000_000,
    allowed: 'a whole number from 1',
    help: 'most live items of one feed, and ten times as many deleted ones; the largest real feed has 300,000',
    env: ['OPENACTIVE_ICAL_FEED_ITEMS'],
    read: readNumber,
  }),
  feedBytes: setting({
    schema: z.int().min(1),
    default: 8 * 1024 ** 3,
    allowed: 'a number of bytes, or as 8GB',
    help: 'most bytes stored of one feed, compressed; the largest real feed needs 200 MB',
    env: ['OPENACTIVE_ICAL_FEED_BYTES'],
    read: readBytes,
  }),
  hostRequests: setting({
    schema: z.int().min(1).max(20),
    default: 1,
    allowed: 'a whole number from 1 to 20',
    help: 'requests at a time to one host of feeds',
    env: ['OPENACTIVE_ICAL_HOST_REQUESTS'],
    read: readNumber,
  }),
  hostPauseSeconds: setting({
    schema: z.number().min(0).max(3600),
    default: 0,
    allowed: 'seconds from 0 to 3600',
    help: 'pause between two requests to one host of feeds, for publishers who ask for it',
    env: ['OPENACTIVE_ICAL_HOST_PAUSE_SECONDS'],
    read: readNumber,
  }),
  confirmDeletes: setting({
    schema: z.union([z.enum(['ask', 'apply']), z.array(z.string().min(1))]),
    default: 'ask',
    allowed: 'ask, apply, or a list of addresses of feeds whose deletions are applied',
    help: 'when over a twentieth of a feed would go at once: wait for feeds --confirm, or apply (all, or these)',
    env: ['OPENACTIVE_ICAL_CONFIRM_DELETES', 'OPENACTIVE_ICAL_HARVEST_CONFIRM_DELETES'],
    flag: 'confirm-deletes',
    value: 'HOW',
    read: (text: string) => (text === 'ask' || text === 'apply' ? text : readList(text)),
    secret: true,
  }),
  folderPollSeconds: setting({
    schema: z.number().min(0.1).max(86_400),
    default: 2,
    allowed: 'seconds from 0.1 to 86400',
    help: 'how often a folder of pages is looked at for changed files',
    env: ['OPENACTIVE_ICAL_FOLDER_POLL_SECONDS'],
    read: readNumber,
  }),
  republish: setting({
    schema: z.boolean(),
    default: false,
    allowed: 'true or false',
    help: 'publish what was harvested anew, as clean RPDE feeds at /rpde/',
    env: ['OPENACTIVE_ICAL_REPUBLISH'],
    flag: 'republish',
    read: readBoolean,
  }),
  calendarPollSeconds: setting({
    schema: z.number().min(0.1).max(604_800),
    default: 900,
    allowed: 'seconds from 0.1 to 604800',
    help: 'how often publish asks an address for its calendar',
    env: ['OPENACTIVE_ICAL_CALENDAR_POLL_SECONDS'],
    read: readNumber,
  }),
  allowPrivate: setting({
    schema: z.boolean(),
    default: false,
    allowed: 'true or false',
    help: 'let redirects, next pages and datasets lead to private and loopback addresses',
    env: ['OPENACTIVE_ICAL_ALLOW_PRIVATE'],
    flag: 'allow-private',
    read: readBoolean,
  }),
  contact: setting({
    schema: z
      .string()
      .max(200)
      .regex(/^[\x21-\x7e]+$/)
      .optional(),
    default: undefined,
    allowed: 'an address or e-mail address, without blanks',
    help: 'told to publishers in User-Agent, so that they can write before they block',
    env: ['OPENACTIVE_ICAL_CONTACT'],
  }),
  gzip: setting({
    schema: z.enum(['auto', 'never']),
    default: 'auto',
    allowed: 'auto (when asked, not for Microsoft agents) or never',
    help: 'compression of what is served; never: leave it to a proxy in front',
    env: ['OPENACTIVE_ICAL_GZIP'],
  }),
  logLevel: setting({
    schema: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']),
    default: 'info',
    allowed: 'trace, debug, info, warn, error or silent',
    help: 'how much is logged',
    env: ['OPENACTIVE_ICAL_LOG_LEVEL'],
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
