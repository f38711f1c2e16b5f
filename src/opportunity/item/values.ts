import { DAY_MS, WEEKDAYS } from '../../time/days.ts';
import type { Instant, Weekday } from '../../time/instant.ts';
import { lengthOf, type Moment, parseDuration, parseMoment, parseTime } from '../../time/iso-text.ts';
import { toWall, type Wall, type Zone, zone as zoneNamed } from '../../time/zone.ts';
import { shown } from '../findings.ts';
import { MAX_LENGTH, MAX_LINE, MAX_TEXT, MAX_URL } from '../limits.ts';
import { isObject, type Json, type JsonObject, withoutWidePrefix } from './json.ts';
import {
  at,
  first,
  isEmpty,
  isEnglish,
  note,
  noteOnce,
  noteProperty,
  type Part,
  type Spot,
  single,
} from './reading.ts';
import { type PlainText, toLine, toLines } from './text.ts';
import { bareName } from './vocabulary.ts';

/** Readers of single properties: `(object, property)` → a value of its final type, or undefined. */

/** A single line of plain text. */
export function lineOf(part: Part, name: string): string | undefined {
  const text = rawText(part, name);
  return text === undefined ? undefined : noteText(part, name, toLine(text), MAX_LINE);
}

/** Plain text of several lines. `markup`: the property may hold HTML, as `beta:formattedDescription` does. */
export function linesOf(part: Part, name: string, markup = false): string | undefined {
  const text = rawText(part, name);
  if (text === undefined) return undefined;
  const result = toLines(text);
  if (markup) delete result.html;
  return noteText(part, name, result, MAX_TEXT);
}

/** A line of a value that is not a property of its own, such as an entry of a list. */
export function lineFrom(spot: Spot, name: string, value: string): string | undefined {
  return noteText(spot, name, toLine(withoutWidePrefix(value)), MAX_LINE);
}

function rawText(part: Part, name: string): string | undefined {
  const value = first(part, name);
  if (typeof value === 'string') return withoutWidePrefix(value);
  if (value === undefined) return undefined;
  if (typeof value === 'number') return String(value);
  const tag = isObject(value) ? languageOf(value) : undefined;
  if (tag !== undefined) {
    noteProperty(part, name, 'several-languages', isEnglish(tag) ? undefined : { used: shown(tag) });
    const texts = textsIn((value as JsonObject)[tag]);
    if (texts.length > 1) noteProperty(part, name, 'several-values');
    return texts[0];
  }
  noteProperty(part, name, 'value-not-text', { value: shown(value) });
  return undefined;
}

/** The language in which a text by languages is read: English, else its first. Undefined: the object is no such text. */
function languageOf(texts: JsonObject): string | undefined {
  const tags = Object.keys(texts).filter((tag) => LANGUAGE.test(tag));
  const stated = tags.filter((tag) => textsIn(texts[tag]).length > 0);
  return stated.find(isEnglish) ?? stated[0];
}

/** The texts of one language: one, or several in an array (JSON-LD 1.1, language maps). */
function textsIn(value: Json | undefined): string[] {
  return [value].flat().filter((text) => typeof text === 'string' && !isEmpty(text)) as string[];
}

/** A tag of BCP 47, of a language with a code of two letters; `id` is a name of JSON-LD's `@id`. */
const LANGUAGE = /^(?!id$)[a-z]{2}(?:-[a-z\d]{2,8})*$/i;

function noteText(spot: Spot, name: string, result: PlainText, most: number): string | undefined {
  if (result.html) noteOnce(at(spot, name), 'html-in-text', { property: name });
  if (result.controls) noteOnce(at(spot, name), 'control-characters', { property: name });
  if (result.cut) noteProperty(spot, name, 'text-too-long', { most });
  return INK.test(result.text) ? result.text : undefined;
}

/** A visible character: neither blank nor a format character such as a zero-width space. */
const INK = /[^\s\p{Cf}]/u;

/** An absolute http(s) address; anything else is dropped. */
export function urlOf(part: Part, name: string): string | undefined {
  const one = first(part, name);
  return one === undefined ? undefined : urlFrom(part, name, one);
}

/** The address of a value, which may be an object with a `url` or an `@id`; objects within it are not followed. */
export function urlFrom(spot: Spot, name: string, value: Json): string | undefined {
  const inner = isObject(value) ? (value.url ?? single(value['@id'] ?? value.id)) : value;
  // ImageObjects without an address are common, and get no finding.
  if (isEmpty(inner) && name === 'image') return undefined;
  const url = typeof inner === 'string' ? webAddress(inner) : undefined;
  if (url === undefined) noteProperty(spot, name, 'url-invalid', { value: shown(inner ?? value) });
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

/** A number, also one written as text; rounded down where the range is of integers. */
export function numberOf(part: Part, name: string, range: Range): number | undefined {
  const one = first(part, name);
  if (one === undefined) return undefined;
  const number = toNumber(one);
  const used = number !== undefined && range.integer ? Math.floor(number) : number;
  const fits = used !== undefined && used >= range.min && used <= range.max;
  if (!fits || used !== number) noteProperty(part, name, 'number-invalid', { value: shown(one) });
  return fits ? used : undefined;
}

/** A finite number, also of a text that is one; never -0, which JSON does not keep. */
export function toNumber(value: Json): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : undefined;
  if (typeof value !== 'string' || value.length > 40) return undefined;
  const text = withoutWidePrefix(value).trim();
  return /^[+-]?\d+(?:\.\d+)?$/.test(text) ? Number(text) + 0 : undefined;
}

/** Notes a value that is neither an object nor a text, where an object with a name is expected. */
export function noteNoObject(spot: Spot, name: string, value: Json | undefined): void {
  if (isEmpty(value)) return;
  noteProperty(spot, name, 'value-of-wrong-type', { expected: 'an object with a name', value: shown(value) });
}

/** A word of a vocabulary as spelled: a text, or the `@value`, `@id` or name of an object. */
export function wordOf(value: Json | undefined): string | undefined {
  const word = isObject(value)
    ? (value['@value'] ?? single(value['@id'] ?? value.id) ?? value.prefLabel ?? value.name)
    : value;
  return typeof word === 'string' ? word : undefined;
}

/** The type of an object without base, prefix and blanks; of several the first one that `known` knows. */
export function typeOf(part: Part, known?: ReadonlySet<string>): string | undefined {
  const { from } = part;
  let value = from['@type'];
  if (typeof value === 'string' && known?.has(value)) return value;
  if (value === undefined && from.type !== undefined) {
    value = from.type;
    noteOnce(at(part, 'type'), 'unprefixed-keywords');
  }
  if (Array.isArray(value)) {
    const names = value.filter((entry) => typeof entry === 'string').map(bareName);
    return names.find((name) => known?.has(name)) ?? names[0];
  }
  return typeof value === 'string' && value !== '' ? bareName(value) : undefined;
}

/** Notes once that days are not spelled as the specification demands. */
export function noteDaySpelling(spot: Spot, value: string, day: Weekday): void {
  if (value.startsWith('https://schema.org/')) return;
  noteOnce(spot, 'vocabulary-spelling', { value: shown(value), used: `https://schema.org/${WEEKDAYS[day]}` });
}

/** A moment of the years 1900 to 2199; `far`, `invalid`: a value with a finding, which is not used. */
export type ReadMoment = Exclude<Moment, { kind: 'far' }> | 'far' | 'invalid';

/** A date or date-time; one outside the years 1900 to 2199 is noted and not used. */
export function momentOf(part: Part, name: string): ReadMoment | undefined {
  const value = first(part, name);
  return value === undefined ? undefined : momentFrom(at(part, name), name, value);
}

/** The moment of a value; `spot` is the value's own. */
export function momentFrom(spot: Spot, name: string, value: Json): ReadMoment {
  const moment = typeof value === 'string' ? parseMoment(value.trim()) : undefined;
  if (moment !== undefined && moment.kind !== 'far') return moment;
  const far = moment !== undefined;
  note(spot, far ? 'date-out-of-range' : 'date-invalid', { property: name, value: shown(value) });
  return far ? 'far' : 'invalid';
}

/** A date as local time, with the instant where that depends on the zone. */
interface LocalDay {
  wall: Wall;
  instant?: Instant;
}

/** A date as its midnight. A date-time is taken as written if it is a midnight, else as local time of the zone. */
export function localDayOf(part: Part, name: string, zone: () => Zone): LocalDay | 'invalid' | undefined {
  const moment = momentOf(part, name);
  if (moment === 'invalid') return 'invalid';
  if (moment === 'far' || moment === undefined) return undefined;
  if (moment.kind === 'date') return { wall: moment.wall };
  noteProperty(part, name, 'date-with-time', { value: shown(part.from[name]) });
  if (moment.kind === 'wall' || moment.wall % DAY_MS === 0) return { wall: moment.wall };
  return { wall: toWall(zone(), moment.instant), instant: moment.instant };
}

/** A time of day in seconds since midnight; `invalid` when there is one that cannot be read. */
export function timeOf(part: Part, name: string, most: number): number | 'invalid' | undefined {
  const value = first(part, name);
  if (value === undefined) return undefined;
  const time = typeof value === 'string' ? parseTime(value.trim()) : undefined;
  if (time === undefined || time.seconds > most) {
    noteProperty(part, name, 'time-invalid', { value: shown(value) });
    return 'invalid';
  }
  if (time.short) noteProperty(part, name, 'time-without-leading-zero', { value: shown(value) });
  if (time.zoned) noteProperty(part, name, 'time-with-zone', { value: shown(value) });
  return time.seconds;
}

/** A length in ms. Zero, months, years and lengths beyond a year are noted and not used. */
export function durationOf(part: Part, name: string): number | undefined {
  const one = first(part, name);
  if (one === undefined) return undefined;
  const parts = typeof one === 'string' ? parseDuration(one.trim()) : undefined;
  const length = parts === undefined ? Number.NaN : lengthOf(parts);
  if (parts !== undefined && (parts.years > 0 || parts.months > 0)) {
    noteProperty(part, name, 'duration-calendar-units', { value: shown(one) });
    return undefined;
  }
  if (length > 0 && length <= MAX_LENGTH) return length;
  if (length === 0) noteProperty(part, name, 'duration-zero');
  else noteProperty(part, name, length > MAX_LENGTH ? 'duration-too-long' : 'duration-invalid', { value: shown(one) });
  return undefined;
}

/** A zone by name; an unknown one is noted. */
export function zoneOf(part: Part, name: string) {
  const value = first(part, name);
  if (value === undefined) return undefined;
  const known = typeof value === 'string' ? zoneNamed(value.trim()) : undefined;
  if (known === undefined) noteProperty(part, name, 'timezone-unknown', { value: shown(value) });
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
export type Read<T> = (part: Part, name: string) => T | undefined;

/** Reads an object property by property, each by its own reader; undefined: it states nothing. */
export function objectReader<T extends object>(readers: { readonly [K in keyof T]-?: Read<NonNullable<T[K]>> }) {
  const rows = Object.entries<Read<unknown>>(readers);
  return (part: Part): T | undefined => {
    let found: Record<string, unknown> | undefined;
    for (const [name, read] of rows) {
      const value = read(part, name);
      if (value === undefined) continue;
      found ??= {};
      found[name] = value;
    }
    return found as T | undefined;
  };
}
