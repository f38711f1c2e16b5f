import type { Context } from 'hono';
import { FREEBUSY_WEEKS } from '../../calendar/venue/freebusy.ts';
import { MOST_WINDOW_DAYS } from '../../library/index.ts';
import { DAY_MS } from '../../time/days.ts';
import type { Instant, InstantWindow } from '../../time/instant.ts';
import { validTime } from '../../time/iso-text.ts';

/** Parameters of addresses: instants, numbers and windows. */

/** A value out of a query, or a sentence about its fault. */
export type Read<T> = { value: T } | { bad: string };

/** The years with data of time zones and holidays. */
const EARLIEST = Date.UTC(1970, 0, 1);
const LATEST = Date.UTC(2100, 0, 1);

const MOMENT = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d))?Z)?$/;
const ALLOWED =
  'must be a date (2026-11-21, its midnight in UTC) or a UTC date-time (2026-11-21T18:30:00Z) from 1970 to 2100';

/** A date (UTC midnight) or a UTC date-time. `name` is that of the parameter. */
export function readMoment(name: string, text: string): Read<Instant> {
  const match = MOMENT.exec(text);
  const value = match ? instantFromFields(match.slice(1).map((part) => Number(part ?? 0))) : undefined;
  return value === undefined || value < EARLIEST || value > LATEST ? { bad: `"${name}" ${ALLOWED}.` } : { value };
}

/** `undefined` for 30 February and 25:00. */
function instantFromFields(fields: readonly number[]): Instant | undefined {
  const [, , , hour = 0, , second = 0] = fields;
  return hour > 23 || second > 59 ? undefined : validTime(fields);
}

/** A number of decimal digits alone; undefined for any other text. */
export function naturalNumber(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** `?limit`: the number of rows. */
export function readLimit(c: Context, usual: number, most: number): Read<number> {
  const limit = naturalNumber(c.req.query('limit') ?? String(usual)) ?? 0;
  return limit < 1 || limit > most ? { bad: `"limit" must be a whole number from 1 to ${most}.` } : { value: limit };
}

/** Whether a request has one of the parameters of a window. */
export function asksWindow(c: Context): boolean {
  return c.req.query('from') !== undefined || c.req.query('to') !== undefined;
}

/** The parameters of a valid window, as a query in one order. */
export function windowQuery(c: Context): string {
  const given = ['from', 'to'].flatMap((name) => c.req.query(name)?.replace(/^/, `${name}=`) ?? []);
  return given.join('&');
}

/** `?from&to`, the end excluded. Without `from` it begins with today (UTC); without `to` it is eight weeks long. */
export function readWindow(c: Context, now: Instant): Read<InstantWindow> {
  const given = { from: c.req.query('from'), to: c.req.query('to') };
  const from = given.from === undefined ? { value: now - (now % DAY_MS) } : readMoment('from', given.from);
  if ('bad' in from) return from;
  const to = given.to === undefined ? { value: from.value + FREEBUSY_WEEKS * 7 * DAY_MS } : readMoment('to', given.to);
  if ('bad' in to) return to;
  if (to.value <= from.value) return { bad: '"from" must be earlier than "to".' };
  if (to.value - from.value > MOST_WINDOW_DAYS * DAY_MS)
    return { bad: `"to" must be at most ${MOST_WINDOW_DAYS} days after "from".` };
  return { value: { from: from.value, to: to.value } };
}
