import type { Collection, VenuePart } from '../library/index.ts';

/**
 * Every address the server writes, made from the configured base address alone: never from a Host header, which
 * anybody can choose (SECURITY.md, "Links"). `baseUrl`: http(s); query and fragment are dropped.
 * @throws TypeError for anything else
 */
export function links(baseUrl: string) {
  const url = new URL(baseUrl);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new TypeError('The base address must be http(s).');
  const prefix = url.pathname.replace(/\/+$/, '');
  const base = url.origin + prefix;
  /** `part`: which of the calendars of a place or facility. */
  const ofCalendar = (kind: Collection, key: string, part: VenuePart = 'all') =>
    `/${kind}/${key}${part === 'all' ? '' : `/${part}`}.ics`;
  return {
    base,
    /** Absolute path, with the base's own path in front. */
    path: (path: string) => prefix + path,
    calendarPath: (...of: Parameters<typeof ofCalendar>) => prefix + ofCalendar(...of),
    calendar: (...of: Parameters<typeof ofCalendar>) => base + ofCalendar(...of),
  };
}

export type Links = ReturnType<typeof links>;

/**
 * Links to subscribe to the calendar at a full address, those of one click first (feed rule 35). `device`: the name of the
 * program in the script of pages; absent: a file that never changes. `external`: at another site.
 */
export function subscribeLinks(address: string, name: string): readonly SubscribeLink[] {
  const webcal = address.replace(/^https?:/, 'webcal:');
  const outlook = `?url=${encodeURIComponent(address)}&name=${encodeURIComponent(name.slice(0, 100).toWellFormed())}`;
  const download = `${address}${address.includes('?') ? '&' : '?'}download=1`;
  return [
    {
      label: 'Apple Calendar',
      device: 'apple',
      href: webcal,
      external: false,
      says: 'Opens on this iPhone, iPad or Mac. Looks for changes every hour or so.',
    },
    {
      label: 'Google Calendar',
      device: 'google',
      href: `https://calendar.google.com/calendar/u/0/r?cid=${encodeURIComponent(webcal)}`,
      external: true,
      says: 'Needs a computer: Google’s phone app cannot add an address, but shows it afterwards. Changes arrive within a day.',
    },
    {
      label: 'Outlook.com',
      device: 'ms',
      href: `https://outlook.live.com/calendar/0/addfromweb/${outlook}`,
      external: true,
      says: 'Changes arrive within hours, at most a day.',
    },
    {
      label: 'Microsoft 365',
      device: 'office',
      href: `https://outlook.office.com/calendar/0/addfromweb/${outlook}`,
      external: true,
      says: 'For work and school accounts. Changes arrive within hours, at most a day.',
    },
    { label: 'Download', href: download, external: false, says: 'Never updates.' },
  ];
}

export interface SubscribeLink {
  label: string;
  device?: 'apple' | 'google' | 'ms' | 'office';
  href: string;
  external: boolean;
  says: string;
}

/** An http(s) address; undefined for others: `javascript:` and `data:` never become a link (SECURITY.md, "Links"). */
export function safeLink(address: string | undefined): string | undefined {
  if (address === undefined || address.length > 2048) return undefined;
  const url = URL.parse(address);
  return url && (url.protocol === 'http:' || url.protocol === 'https:') ? url.href : undefined;
}
