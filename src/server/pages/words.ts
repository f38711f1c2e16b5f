import type { Details, EventStatus, Instant, Offer } from '../../opportunity/records.ts';

/** Data in UK English. Every function takes hostile values and gives plain text; escaping is the template's work. */

const formats = new Map<string, Intl.DateTimeFormat>();

/** `Thu 26 November 2026, 18:00–19:00 GMT` in the zone; UTC if the zone is not known. */
export function when(zone: string, start: Instant, end?: Instant): string {
  const format = formatOf(zone);
  const text = end !== undefined && end > start ? format.formatRange(start, end) : format.format(start);
  return text.replaceAll(/[\u2009\u202f]/g, ' ');
}

/** For `<time datetime>`. */
export function iso(instant: Instant): string {
  return `${new Date(instant).toISOString().slice(0, 19)}Z`;
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const options = {
    weekday: 'short',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  } as const;
  try {
    const format = new Intl.DateTimeFormat('en-GB', { ...options, timeZone: zone });
    formats.set(zone, format);
    return format;
  } catch {
    return formatOf('UTC');
  }
}

const TYPES: Record<string, string> = {
  SessionSeries: 'Sessions',
  Event: 'Event',
  HeadlineEvent: 'Headline event',
  CourseInstance: 'Course',
  EventSeries: 'Event series',
  Place: 'Place',
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
