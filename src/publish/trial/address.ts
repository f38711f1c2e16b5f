import { isUtf8 } from 'node:buffer';

/** The address of a calendar that a person has entered: also that of the page that shows it. */

const LONGEST = 2_000;

/**
 * The http(s) address of the iCalendar text; undefined: the text has none. `webcal` is another name for https. Pages of Google
 * Calendar name the calendar that they show; that of a public one has an iCalendar address.
 *
 * @example calendarAddress('webcal://club.example/a.ics') // 'https://club.example/a.ics'
 */
export function calendarAddress(text: string): string | undefined {
  const pasted = text.trim().replace(/^<(.*)>$/s, '$1');
  if (pasted.length > LONGEST || /\s/.test(pasted)) return undefined;
  const whole = /^[a-z][a-z\d+.-]*:/i.test(pasted) ? pasted.replace(/^webcals?:/i, 'https:') : `https://${pasted}`;
  const url = URL.parse(whole);
  if (url === null || !/^https?:$/.test(url.protocol) || !/[.:]|^localhost$/.test(url.hostname)) return undefined;
  return ofGoogle(url) ?? url.href;
}

function ofGoogle({ hostname, pathname, searchParams }: URL): string | undefined {
  if (!/^(?:calendar|www)\.google\.com$/.test(hostname) || !/^\/calendar(?:\/|$)/.test(pathname)) return undefined;
  const id = searchParams.get('src') ?? fromBase64(searchParams.get('cid'));
  if (id === undefined || !/^[\w.%#+-]+@[\w.-]+$/.test(id)) return undefined;
  return `https://calendar.google.com/calendar/ical/${encodeURIComponent(id)}/public/basic.ics`;
}

/** Google writes the id of a calendar in base64 too. */
function fromBase64(text: string | null): string | undefined {
  if (text === null || text.includes('@')) return text ?? undefined;
  const bytes = Buffer.from(text, 'base64url');
  return isUtf8(bytes) ? bytes.toString() : undefined;
}
