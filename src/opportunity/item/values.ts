import { DAY_MS, WEEKDAYS } from '../../time/days.ts';
import type { Instant, Weekday } from '../../time/instant.ts';
import { lengthOf, type Moment, parseDuration, parseMoment, parseTime } from '../../time/iso-text.ts';
import { toWall, type Wall, type Zone, zone as zoneNamed } from '../../time/zone.ts';
import { shown } from '../findings.ts';
import { MAX_LENGTH, MAX_LINE, MAX_TEXT, MAX_URL } from '../limits.ts';
import { isObject, type Json, type JsonObject, withoutWidePrefix } from './json.ts';
import { at, first, isEmpty, isEnglish, note, noteOnce, type Reading, single } from './reading.ts';
import { type PlainText, toLine, toLines } from './text.ts';
import { bareName } from './vocabulary.ts';

/** Readers of single properties: `(reading, object, property, path of the object)` → a value of its final type, or undefined. */

/** A single line of plain text. */
export function lineOf(reading: Reading, from: JsonObject, name: string, path: string): string | undefined {
  const text = rawText(reading, from, name, path);
  return text === undefined ? undefined : noteText(reading, toLine(text), name, path, MAX_LINE);
}

/** Plain text of several lines. `markup`: the property may hold HTML, as `beta:formattedDescription` does. */
export function linesOf(
  reading: Reading,
  from: JsonObject,
  name: string,
  path: string,
  markup = false,
): string | undefined {
  const text = rawText(reading, from, name, path);
  if (text === undefined) return undefined;
  const result = toLines(text);
  if (markup) delete result.html;
  return noteText(reading, result, name, path, MAX_TEXT);
}

/** A line of a value that is not a property of its own, such as an entry of a list. */
export function lineFrom(reading: Reading, value: string, name: string, path: string): string | undefined {
  return noteText(reading, toLine(withoutWidePrefix(value)), name, path, MAX_LINE);
}

function rawText(reading: Reading, from: JsonObject, name: string, path: string): string | undefined {
  const value = first(reading, from, name, path);
  if (typeof value === 'string') return withoutWidePrefix(value);
  if (value === undefined) return undefined;
  if (typeof value === 'number') return String(value);
  const english = isObject(value) ? Object.keys(value).find(isEnglish) : undefined;
  const text = english && (value as JsonObject)[english];
  if (typeof text === 'string') {
    note(reading, 'several-languages', at(path, name), { property: name });
    return text;
  }
  note(reading, 'value-not-text', at(path, name), { property: name, value: shown(value) });
  return undefined;
}

function noteText(reading: Reading, result: PlainText, name: string, path: string, most: number): string | undefined {
  if (result.html) noteOnce(reading, 'html-in-text', at(path, name), { property: name });
  if (result.controls) noteOnce(reading, 'control-characters', at(path, name), { property: name });
  if (result.cut) note(reading, 'text-too-long', at(path, name), { property: name, most });
  return result.text === '' ? undefined : result.text;
}

/** An absolute http(s) address; anything else is dropped. */
export function urlOf(reading: Reading, from: JsonObject, name: string, path: string): string | undefined {
  const one = first(reading, from, name, path);
  return one === undefined ? undefined : urlFrom(reading, one, name, path);
}

/** The address of a value, which may be an object with a `url` or an `@id`; objects within it are not followed. */
export function urlFrom(reading: Reading, value: Json, name: string, path: string): string | undefined {
  const inner = isObject(value) ? (value.url ?? single(value['@id'] ?? value.id)) : value;
  // An ImageObject without any address, of which there are many, says nothing.
  if (isEmpty(inner) && name === 'image') return undefined;
  const url = typeof inner === 'string' ? webAddress(inner) : undefined;
  if (url === undefined) note(reading, 'url-invalid', at(path, name), { property: name, value: shown(inner ?? value) });
  return url;
}

/** An http(s) address in a form that is safe to write anywhere; undefined for anything else. */
export function webAddress(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed.length > MAX_URL || !/^https?:\/\//i.test(trimmed)) return undefined;
  if (SAFE_URL.test(trimmed)) return trimmed;
  // Blanks, quotation marks and letters beyond ASCII are percent-encoded.
  const parsed = URL.parse(trimmed);
  // A user name before the host imitates another host.
  return parsed === null || parsed.username !== '' || parsed.href.length > MAX_URL ? undefined : parsed.href;
}

const SAFE_URL = /^https?:\/\/[\w.-]+(?::\d{1,5})?(?:[/?#][\w\-.~:/?#[\]@!$&'()*+,;=%]*)?$/i;

export interface Range {
  min: number;
  max: number;
  integer?: boolean;
}

/** A number, also one written as text; where it counts things, the whole ones of a fraction. */
export function numberOf(
  reading: Reading,
  from: JsonObject,
  name: string,
  path: string,
  range: Range,
): number | undefined {
  const one = first(reading, from, name, path);
  if (one === undefined) return undefined;
  const number = toNumber(one);
  const used = number !== undefined && range.integer ? Math.floor(number) : number;
  const fits = used !== undefined && used >= range.min && used <= range.max;
  if (!fits || used !== number) note(reading, 'number-invalid', at(path, name), { property: name, value: shown(one) });
  return fits ? used : undefined;
}

/** A finite number, also of a text that is one; never -0, which JSON does not keep. */
export function toNumber(value: Json): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : undefined;
  if (typeof value !== 'string' || value.length > 40) return undefined;
  const text = withoutWidePrefix(value).trim();
  return /^[+-]?\d+(?:\.\d+)?$/.test(text) ? Number(text) + 0 : undefined;
}

/** Notes what is neither an object nor a text where something with a name is expected. */
export function noteNoObject(reading: Reading, value: Json | undefined, name: string, path: string): void {
  if (isEmpty(value)) return;
  note(reading, 'value-of-wrong-type', at(path, name), {
    property: name,
    expected: 'an object with a name',
    value: shown(value),
  });
}

/** A word of a vocabulary as it is spelled: a text, or what an object has as its `@value`, `@id` or name. */
export function wordOf(value: Json | undefined): string | undefined {
  const word = isObject(value)
    ? (value['@value'] ?? single(value['@id'] ?? value.id) ?? value.prefLabel ?? value.name)
    : value;
  return typeof word === 'string' ? word : undefined;
}

/** The type of an object without base, prefix and blanks; of several the first one that `known` knows. */
export function typeOf(
  reading: Reading,
  from: JsonObject,
  path: string,
  known?: ReadonlySet<string>,
): string | undefined {
  let value = from['@type'];
  if (typeof value === 'string' && known?.has(value)) return value;
  if (value === undefined && from.type !== undefined) {
    value = from.type;
    noteOnce(reading, 'unprefixed-keywords', at(path, 'type'));
  }
  if (Array.isArray(value)) {
    const names = value.filter((entry) => typeof entry === 'string').map(bareName);
    return names.find((name) => known?.has(name)) ?? names[0];
  }
  return typeof value === 'string' && value !== '' ? bareName(value) : undefined;
}

/** Notes once that days are not spelled as the specification wants it. */
export function noteDaySpelling(reading: Reading, value: string, day: Weekday, path: string): void {
  if (value.startsWith('https://schema.org/')) return;
  noteOnce(reading, 'vocabulary-spelling', path, { value: shown(value), used: `https://schema.org/${WEEKDAYS[day]}` });
}

/** A moment near our time; `far`, `invalid`: stated, with a finding, and not used. */
export type ReadMoment = Exclude<Moment, { kind: 'far' }> | 'far' | 'invalid';

/** A date or date-time; what is far from our time is noted and not used. */
export function momentOf(reading: Reading, from: JsonObject, name: string, path: string): ReadMoment | undefined {
  const value = first(reading, from, name, path);
  return value === undefined ? undefined : momentFrom(reading, value, name, at(path, name));
}

/** The moment of a value; `path` is the value's own. */
export function momentFrom(reading: Reading, value: Json, name: string, path: string): ReadMoment {
  const moment = typeof value === 'string' ? parseMoment(value.trim()) : undefined;
  if (moment !== undefined && moment.kind !== 'far') return moment;
  const far = moment !== undefined;
  note(reading, far ? 'date-out-of-range' : 'date-invalid', path, { property: name, value: shown(value) });
  return far ? 'far' : 'invalid';
}

/** A date as local time, with the instant where that depends on the zone. */
interface LocalDay {
  wall: Wall;
  instant?: Instant;
}

/** A date as its midnight. A date-time is as written if that is a midnight, else what it is in the zone. */
export function localDayOf(
  reading: Reading,
  from: JsonObject,
  name: string,
  path: string,
  zone: () => Zone,
): LocalDay | 'invalid' | undefined {
  const moment = momentOf(reading, from, name, path);
  if (moment === 'invalid') return 'invalid';
  if (moment === 'far' || moment === undefined) return undefined;
  if (moment.kind === 'date') return { wall: moment.wall };
  note(reading, 'date-with-time', at(path, name), { property: name, value: shown(from[name]) });
  if (moment.kind === 'wall' || moment.wall % DAY_MS === 0) return { wall: moment.wall };
  return { wall: toWall(zone(), moment.instant), instant: moment.instant };
}

/** A time of day in seconds since midnight; `invalid` when there is one that cannot be read. */
export function timeOf(
  reading: Reading,
  from: JsonObject,
  name: string,
  path: string,
  most: number,
): number | 'invalid' | undefined {
  const value = first(reading, from, name, path);
  if (value === undefined) return undefined;
  const time = typeof value === 'string' ? parseTime(value.trim()) : undefined;
  if (time === undefined || time.seconds > most) {
    note(reading, 'time-invalid', at(path, name), { property: name, value: shown(value) });
    return 'invalid';
  }
  if (time.short) note(reading, 'time-without-leading-zero', at(path, name), { property: name, value: shown(value) });
  if (time.zoned) note(reading, 'time-with-zone', at(path, name), { property: name, value: shown(value) });
  return time.seconds;
}

/** A length in ms. Zero, months and years are no lengths; more than a year is not the length of one occurrence. */
export function durationOf(reading: Reading, from: JsonObject, name: string, path: string): number | undefined {
  const one = first(reading, from, name, path);
  if (one === undefined) return undefined;
  const parts = typeof one === 'string' ? parseDuration(one.trim()) : undefined;
  const length = parts === undefined ? Number.NaN : lengthOf(parts);
  if (parts !== undefined && (parts.years > 0 || parts.months > 0)) {
    note(reading, 'duration-calendar-units', at(path, name), { property: name, value: shown(one) });
    return undefined;
  }
  if (length > 0 && length <= MAX_LENGTH) return length;
  if (length === 0) note(reading, 'duration-zero', at(path, name), { property: name });
  else
    note(reading, length > MAX_LENGTH ? 'duration-too-long' : 'duration-invalid', at(path, name), {
      property: name,
      value: shown(one),
    });
  return undefined;
}

/** A zone by name; an unknown one is noted. */
export function zoneOf(reading: Reading, from: JsonObject, name: string, path: string) {
  const value = first(reading, from, name, path);
  if (value === undefined) return undefined;
  const known = typeof value === 'string' ? zoneNamed(value.trim()) : undefined;
  if (known === undefined) {
    note(reading, 'timezone-unknown', at(path, name), { property: name, value: shown(value) });
  }
  return known;
}

/** An id or reference as text: trimmed, numbers written out; undefined if it is none. */
export function idText(value: Json | undefined): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  if (typeof value !== 'string') return undefined;
  const text = withoutWidePrefix(value).trim();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: an id with them could break any line it is written in
  return text === '' || text.length > MAX_URL || /[\u0000-\u001f\u007f-\u009f]/.test(text) ? undefined : text;
}

/** A reader of one property; undefined: nothing is stated that can be used. */
export type Read<T> = (reading: Reading, from: JsonObject, name: string, path: string) => T | undefined;

/** Reads an object property by property, each by its own reader; undefined: it states nothing. */
export function objectReader<T extends object>(readers: { readonly [K in keyof T]-?: Read<NonNullable<T[K]>> }) {
  const rows = Object.entries<Read<unknown>>(readers);
  return (reading: Reading, from: JsonObject, path: string): T | undefined => {
    let found: Record<string, unknown> | undefined;
    for (const [name, read] of rows) {
      const value = read(reading, from, name, path);
      if (value === undefined) continue;
      found ??= {};
      found[name] = value;
    }
    return found as T | undefined;
  };
}
