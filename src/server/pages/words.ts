import type { Details, EventStatus, Offer } from '../../opportunity/records.ts';
import { DAY_MS } from '../../time/days.ts';
import type { Instant, LocalDate } from '../../time/instant.ts';
import { toWall, zone as zoneNamed } from '../../time/zone.ts';

/** Data in UK English. Every function takes hostile values and gives plain text; escaping is the template's work. */

const formats = new Map<string, Intl.DateTimeFormat>();

/** `Thu 26 November 2026, 18:00–19:00 GMT` in the zone; UTC if the zone is not known. */
export function when(zone: string, start: Instant, end?: Instant): string {
  const format = formatOf(zone);
  const text = end !== undefined && end > start ? format.formatRange(start, end) : format.format(start);
  return text.replaceAll(/[\u2009\u202f]/g, ' ');
}

/** `Sat 14 November 2026, all day`, `Sat 14 – Mon 16 November 2026` of whole days; the end is excluded. */
export function whenDays(start: Instant, end: Instant = start + DAY_MS): string {
  const last = end - DAY_MS;
  if (last <= start) return `${days.format(start)}, all day`;
  return days.formatRange(start, last).replaceAll(/[\u2009\u202f]/g, ' ');
}

const days = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

/** For `<time datetime>`. */
export function iso(instant: Instant): string {
  return `${new Date(instant).toISOString().slice(0, 19)}Z`;
}

const TIME = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZoneName: 'short' } as const;
const STYLES = {
  full: { weekday: 'short', day: 'numeric', month: 'long', year: 'numeric', ...TIME },
  time: TIME,
} as const;

function formatOf(zone: string, style: keyof typeof STYLES = 'full'): Intl.DateTimeFormat {
  const known = formats.get(`${style} ${zone}`);
  if (known) return known;
  try {
    const format = new Intl.DateTimeFormat('en-GB', { ...STYLES[style], timeZone: zone });
    formats.set(`${style} ${zone}`, format);
    return format;
  } catch {
    return formatOf('UTC', style);
  }
}

/** `today at 22:00 GMT`, `tomorrow at 07:00 GMT`, `on Monday 30 November at 07:00 GMT`, as seen at `now`. */
export function soon(zone: string, at: Instant, now: Instant): string {
  const [day, today] = [dayIn(zone, at), dayIn(zone, now)];
  const time = formatOf(zone, 'time').format(at);
  if (day === today) return `today at ${time}`;
  if (day === today + 1) return `tomorrow at ${time}`;
  return `on ${longDate(day * DAY_MS, day - today > 300)} at ${time}`;
}

function dayIn(zone: string, at: Instant): number {
  const known = zoneNamed(zone);
  return Math.floor((known ? toWall(known, at) : at) / DAY_MS);
}

/** `Monday 23 November`, of a local date. */
export function dayWords(date: LocalDate): string {
  return longDate(Date.parse(`${date}T00:00:00Z`), false);
}

const LONG = { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' } as const;
const longDates = new Intl.DateTimeFormat('en-GB', LONG);
const longDatesOfYear = new Intl.DateTimeFormat('en-GB', { ...LONG, year: 'numeric' });

function longDate(midnight: Instant, withYear: boolean): string {
  return (withYear ? longDatesOfYear : longDates).format(midnight).replace(',', '');
}

/** `98 hours`, `1 hour 30 minutes`. */
export function lengthWords(milliseconds: number): string {
  const minutes = Math.round(milliseconds / 60_000);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const parts = [hours > 0 ? plural(hours, 'hour') : '', rest > 0 ? plural(rest, 'minute') : ''];
  return parts.filter((part) => part !== '').join(' ') || '0 hours';
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Seconds for which "open now" is true, a minute at most: what says it is not to be kept longer. */
export function freshFor(hours: { at: Instant; next?: { at: Instant } } | undefined): number {
  if (hours?.next === undefined) return 60;
  return Math.max(0, Math.min(60, Math.floor((hours.next.at - hours.at) / 1000)));
}

const TYPES: Record<string, string> = {
  SessionSeries: 'Sessions',
  Event: 'Event',
  HeadlineEvent: 'Headline event',
  CourseInstance: 'Course',
  EventSeries: 'Event series',
  Place: 'Place',
  FacilityUse: 'Facility',
  IndividualFacilityUse: 'Facility',
};

export function typeName(type: string): string {
  return Object.hasOwn(TYPES, type) ? (TYPES[type] ?? type) : type;
}

/** Nothing for a scheduled one: that is what a reader expects. */
export function statusWord(status: EventStatus): string | undefined {
  if (status === 'EventCancelled') return 'Cancelled';
  if (status === 'EventPostponed') return 'Postponed';
  if (status === 'EventRescheduled') return 'New time';
  return undefined;
}

/** `Adult: £6.50`, `Free`. */
export function price({ name, price: amount, currency }: Offer): string | undefined {
  const sum = amount === undefined ? undefined : amount === 0 ? 'Free' : money(amount, currency);
  return [name, sum].filter((part) => part !== undefined && part !== '').join(': ') || undefined;
}

function money(amount: number, currency = 'GBP'): string {
  try {
    return new Intl.NumberFormat('en-GB', { style: 'currency', currency }).format(amount);
  } catch {
    return `${amount} ${currency}`;
  }
}

export function ages(range: Details['ageRange']): string | undefined {
  if (range === undefined) return undefined;
  const { min, max } = range;
  if (min !== undefined && max !== undefined) return `${min} to ${max}`;
  if (max !== undefined) return `Up to ${max}`;
  return min === undefined || min === 0 ? undefined : `${min} and over`;
}

export function gender(restriction: Details['gender']): string | undefined {
  if (restriction === 'FemaleOnly') return 'Women and girls only';
  return restriction === 'MaleOnly' ? 'Men and boys only' : undefined;
}

/** `CC BY 4.0` for the licence nearly all publishers use, else its address. */
export function licenceName(address: string): string {
  const match = /creativecommons\.org\/licenses\/(by[a-z-]{0,9})\/([\d.]{1,5})/.exec(address);
  if (match) return `CC ${match[1]?.toUpperCase()} ${match[2]}`;
  return /creativecommons\.org\/publicdomain\/zero\/1\.0/.test(address) ? 'CC0 1.0' : address;
}
