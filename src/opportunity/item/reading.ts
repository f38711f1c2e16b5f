import type { Zone } from '../../time/zone.ts';
import type { Facts, FindingCode, RawFinding } from '../findings.ts';
import { MAX_FINDINGS } from '../limits.ts';
import type { OpportunityRecord } from '../records.ts';
import { isObject, type Json, type JsonObject } from './json.ts';

/** 2: the item itself. 1: embedded in a parent (`subEvent` …). 0: embedded in a child (`superEvent`, `location`). */
export type Rank = 0 | 1 | 2;
export const OWN: Rank = 2;

export interface RankedRecord {
  record: OpportunityRecord;
  rank: Rank;
}

/** One item while it is being read: what it is read with, and what has come of it so far. */
export interface Reading {
  readonly feed: string;
  /** RPDE kind and id, which stand in for an `@id`. */
  readonly kind: string;
  readonly itemId: string;
  /** The zone of times that name none, where nothing around them says it. */
  readonly zone: Zone;
  /** Objects that hold the one being read, the nearest first. */
  around: readonly JsonObject[];
  /** What objects say of the zone of their times; made when needed. */
  zones?: Map<JsonObject, ZoneHints>;
  readonly slots: boolean;
  /** The label of a concept by its address. */
  readonly conceptLabel: ((id: string) => string | undefined) | undefined;
  readonly records: RankedRecord[];
  readonly findings: RawFinding[];
  /** Codes that were noted and shall be noted once only; made when needed. */
  noted?: Set<FindingCode>;
}

/** What one object says of the zone of its times. */
export interface ZoneHints {
  /** The place that it has; empty: one without an id. */
  place: string | undefined;
  ofPlace: Zone | undefined;
  ofSchedule: Zone | undefined;
}

export function note(reading: Reading, code: FindingCode, path: string, facts?: Facts): void {
  const { findings } = reading;
  if (findings.length > MAX_FINDINGS) return;
  if (findings.length === MAX_FINDINGS) {
    findings.push({ code: 'too-many-findings', path: '$', facts: { most: MAX_FINDINGS } });
    return;
  }
  findings.push(facts === undefined ? { code, path } : { code, path, facts });
}

/** Notes once what is true of every object of the item, such as its way of spelling days. */
export function noteOnce(reading: Reading, code: FindingCode, path: string, facts?: Facts): void {
  reading.noted ??= new Set();
  if (reading.noted.has(code)) return;
  reading.noted.add(code);
  note(reading, code, path, facts);
}

export function emit(reading: Reading, record: OpportunityRecord, rank: Rank): void {
  reading.records.push({ record, rank });
}

/** Reads what an object holds. */
export function within(reading: Reading, holder: JsonObject, read: () => void): void {
  const { around } = reading;
  reading.around = [holder, ...around];
  read();
  reading.around = around;
}

/** The path of a property: `$.name`, `$['beta:virtualLocation']`. */
export function at(path: string, name: string): string {
  return !name.includes(':') ? `${path}.${name}` : `${path}['${name}']`;
}

/** Whether nothing is stated: absent, null, blank, an empty array. Feeds write all of these for "not known". */
export function isEmpty(value: Json | undefined): value is null | undefined | '' | [] {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') return !isInk(value.charCodeAt(0)) && value.trim() === '';
  return Array.isArray(value) && value.length === 0;
}

/** Printable ASCII but the blank. */
function isInk(code: number): boolean {
  return code > 0x20 && code < 0x7f;
}

/** The one value of a property that feeds also write as an array; of several the English one, else the first. */
export function first(reading: Reading, from: JsonObject, name: string, path: string): Json | undefined {
  const value = from[name];
  if (!Array.isArray(value)) return isEmpty(value) ? undefined : plain(value);
  const stated = value.filter((entry) => !isEmpty(entry));
  if (stated.length < 2) return stated[0] === undefined ? undefined : plain(stated[0]);
  const english = stated.find((entry) => isObject(entry) && isEnglish(entry['@language']));
  note(reading, english === undefined ? 'several-values' : 'several-languages', at(path, name), { property: name });
  return plain(english ?? (stated[0] as Json));
}

/** The value of JSON-LD's object for a value with its type or language: `{"@value": "Yoga", "@language": "en"}`. */
function plain(value: Json): Json {
  if (!isObject(value)) return value;
  const scalar = value['@value'];
  return scalar === undefined || typeof scalar === 'object' ? value : scalar;
}

/** Whether a tag of BCP 47 is one of English, the language of calendars. */
export function isEnglish(tag: Json | undefined): boolean {
  return typeof tag === 'string' && /^en(?:-|$)/i.test(tag);
}

/** What an array has where that is one value alone, such as an `@id` in an array; any other value as it is. */
export function single(value: Json | undefined): Json | undefined {
  if (!Array.isArray(value)) return value;
  const stated = value.filter((entry) => !isEmpty(entry));
  return stated.length === 1 ? stated[0] : value;
}

/** The values of a property that feeds also write without an array; at most `most`. */
export function many(reading: Reading, from: JsonObject, name: string, path: string, most: number): Json[] {
  const value = from[name];
  if (isEmpty(value)) return [];
  if (!Array.isArray(value)) return [plain(value)];
  if (value.length <= most) return value.map(plain);
  const { length: count } = value;
  note(reading, 'capped', at(path, name), { property: name, most, count, omitted: count - most });
  return value.slice(0, most).map(plain);
}

/** A property under its name, or under one that feeds use for it by mistake. */
export function named(
  reading: Reading,
  from: JsonObject,
  name: string,
  path: string,
  aliases: readonly string[],
): string {
  if (!isEmpty(from[name])) return name;
  for (const alias of aliases) {
    if (isEmpty(from[alias])) continue;
    noteOnce(reading, 'property-misnamed', at(path, alias), { found: alias, use: name });
    return alias;
  }
  return name;
}
