import { z } from 'zod';
import { setting } from './setting.ts';
import { readList, readNumber } from './values.ts';

/** What callers may ask for, and who they are. */
export const CALLER_SETTINGS = {
  rateLimit: setting({
    schema: z.int().min(0).max(1_000_000),
    default: 1200,
    allowed: 'a whole number from 0 (any) to 1000000',
    help: 'requests a minute from one caller for pages, searches and the API (searches count 5, windows and explanations 10); calendars are never limited',
    env: ['OPENACTIVE_ICAL_RATE_LIMIT'],
    read: readNumber,
  }),
  trustedProxies: setting({
    schema: z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])),
    default: [],
    allowed: 'a list of IP addresses and networks, as 10.0.0.0/8',
    help: 'proxies in front of this service: only what they send in X-Forwarded-For is believed',
    env: ['OPENACTIVE_ICAL_TRUSTED_PROXIES'],
    read: readList,
  }),
};
