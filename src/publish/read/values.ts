import { validTime } from '../../time/iso-text.ts';
import type { Wall } from '../../time/zone.ts';

/** DATE and DATE-TIME values (RFC 5545 3.3.4, 3.3.5), also with dashes and colons, as in some exports. */
interface WrittenTime {
  form: 'date' | 'local' | 'utc';
  /** The time as if in UTC. */
  wall: Wall;
}

const FORM = /^(\d{4})-?(\d\d)-?(\d\d)(?:[T ](\d\d):?(\d\d)(?::?(\d\d)(?:\.\d{1,6})?)?(Z)?)?$/i;

/** A DATE or DATE-TIME; undefined for other texts and for dates that do not exist. A leap second is the second before it. */
export function parseTime(value: string): WrittenTime | undefined {
  const text = value.trim();
  const match = text.length > 40 ? null : FORM.exec(text);
  if (match === null) return undefined;
  const wall = validTime(match.slice(1, 7).map((digits) => Number(digits ?? 0)));
  if (wall === undefined) return undefined;
  if (match[4] === undefined) return { form: 'date', wall };
  return { form: match[7] === undefined ? 'local' : 'utc', wall };
}

/** Whether a time can be published: it lies in the years 1900 to 2199. */
export function isPlausible(wall: Wall): boolean {
  return wall >= FIRST && wall < LAST;
}

const FIRST: Wall = Date.UTC(1900, 0, 1);
export const LAST: Wall = Date.UTC(2200, 0, 1);

/** UTC-OFFSET (RFC 5545 3.3.14) in ms east; undefined for other texts. */
export function parseOffset(value: string): number | undefined {
  const match = /^([+-])(\d\d):?(\d\d)(?::?(\d\d))?$/.exec(value.trim());
  if (match === null) return undefined;
  const seconds = Number(match[2]) * 3600 + Number(match[3]) * 60 + Number(match[4] ?? 0);
  return (match[1] === '-' ? -seconds : seconds) * 1000;
}
