import type { Zone } from '../../time/zone.ts';
import type { Facts, FindingCode, RawFinding } from '../findings.ts';
import { MAX_DEPTH, MAX_FINDINGS } from '../limits.ts';
import type { OpportunityRecord } from '../records.ts';
import { isObject, type Json, type JsonObject } from './json.ts';

/** 2: the item itself. 1: embedded in a parent (`subEvent` …). 0: embedded in a child (`superEvent`, `location`). */
export type Rank = 0 | 1 | 2;
export const OWN: Rank = 2;

export interface RankedRecord {
  record: OpportunityRecord;
  rank: Rank;
}

/** One item while it is read: its options, and its records and findings so far. */
export interface Reading {
  readonly feed: string;
  /** RPDE kind and id, which stand in for an `@id`. */
  readonly kind: string;
  readonly itemId: string;
  /** The default zone of times without one. */
  readonly zone: Zone;
  /** Objects that hold the one being read, the nearest first. */
  around: readonly JsonObject[];
  /** Hints of objects about the zone of their times; made when needed. */
  zones?: Map<JsonObject, ZoneHints>;
  readonly slots: boolean;
  /** The label of a concept by its address. */
  readonly conceptLabel: ((id: string) => string | undefined) | undefined;
  readonly records: RankedRecord[];
  readonly findings: RawFinding[];
  /** Codes of `noteOnce` that were noted; made when needed. */
  noted?: Set<FindingCode>;
}

/** A place in the item that is read. */
export interface Spot {
  readonly reading: Reading;
  readonly path: string;
}

/** An object of the item. */
export interface Part extends Spot {
  readonly from: JsonObject;
}

/** The hints of one object about the zone of its times. */
export interface ZoneHints {
  /** The id of its place; empty: a place without an id. */
  place: string | undefined;
  ofPlace: Zone | undefined;
  ofSchedule: Zone | undefined;
}

export function note({ reading: { findings }, path }: Spot, code: FindingCode, facts?: Facts): void {
  if (findings.length > MAX_FINDINGS) return;
  if (findings.length === MAX_FINDINGS) {
    findings.push({ code: 'too-many-findings', path: '$', facts: { most: MAX_FINDINGS } });
    return;
  }
  findings.push(facts === undefined ? { code, path } : { code, path, facts });
}

/** Notes a fault once that every object of the item has, such as a spelling of days. */
export function noteOnce(spot: Spot, code: FindingCode, facts?: Facts): void {
  const { reading } = spot;
  reading.noted ??= new Set();
  if (reading.noted.has(code)) return;
  reading.noted.add(code);
  note(spot, code, facts);
}

/** Notes a finding about the value of a property. */
export function noteProperty(spot: Spot, name: string, code: FindingCode, facts?: Facts): void {
  note(at(spot, name), code, { property: name, ...facts });
}

export function emit({ reading }: Spot, record: OpportunityRecord, rank: Rank): void {
  reading.records.push({ record, rank });
}

/** Reads the objects within an object, which is `around` them meanwhile. */
export function within({ reading, from }: Part, read: () => void): void {
  const { around } = reading;
  reading.around = [from, ...around];
  read();
  reading.around = around;
}

/** The path of a property: `$.name`, `$['beta:virtualLocation']`. */
export function pathTo(path: string, name: string): string {
  return !name.includes(':') ? `${path}.${name}` : `${path}['${name}']`;
}

/** The place of a property, or with an index of an entry of its array. */
export function at({ reading, path }: Spot, name: string, index?: number): Spot {
  const here = pathTo(path, name);
  return { reading, path: index === undefined ? here : `${here}[${index}]` };
}

/** An object that is the value of a property, or in its array. */
export function partAt(spot: Spot, from: JsonObject, name: string, index?: number): Part {
  return { ...at(spot, name, index), from };
}

/** Whether a value is absent, null, blank or an empty array. Feeds write all of these for "not known". */
export function isEmpty(value: Json | undefined): value is null | undefined | '' | [] {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') return value.trim() === '';
  return Array.isArray(value) && value.length === 0;
}

/** Whether an object states anything besides its type, and the types of objects in it. `depth`: of the object within another. */
export function statesAnything(value: JsonObject, depth = 0): boolean {
  for (const name in value) {
    const one = value[name];
    const isBare = depth < MAX_DEPTH && isObject(one) && !statesAnything(one, depth + 1);
    if (!TYPE_KEYS.has(name) && !isEmpty(one) && !isBare) return true;
  }
  return false;
}

const TYPE_KEYS: ReadonlySet<string> = new Set(['@type', 'type', '@context']);

/** The value of a property that feeds also write as an array; the English one of several, else the first. */
export function first(part: Part, name: string): Json | undefined {
  const value = part.from[name];
  if (!Array.isArray(value)) return isEmpty(value) ? undefined : plain(value);
  const stated = value.filter((entry) => !isEmpty(entry));
  if (stated.length < 2) return stated[0] === undefined ? undefined : plain(stated[0]);
  const english = stated.find((entry) => isObject(entry) && isEnglish(entry['@language']));
  noteProperty(part, name, english === undefined ? 'several-values' : 'several-languages');
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

/** The only value of an array, such as an `@id` in an array; any other value unchanged. */
export function single(value: Json | undefined): Json | undefined {
  if (!Array.isArray(value)) return value;
  const stated = value.filter((entry) => !isEmpty(entry));
  return stated.length === 1 ? stated[0] : value;
}

/** The values of a property that feeds also write without an array; at most `most`. */
export function many(part: Part, name: string, most: number): Json[] {
  const value = part.from[name];
  if (isEmpty(value)) return [];
  if (!Array.isArray(value)) return [plain(value)];
  if (value.length <= most) return value.map(plain);
  const { length: count } = value;
  noteProperty(part, name, 'capped', { most, count, omitted: count - most });
  return value.slice(0, most).map(plain);
}

/** A property under its name, or under one that feeds use for it by mistake. */
export function named(part: Part, name: string, aliases: readonly string[]): string {
  const { from } = part;
  if (!isEmpty(from[name])) return name;
  for (const alias of aliases) {
    if (isEmpty(from[alias])) continue;
    noteOnce(at(part, alias), 'property-misnamed', { found: alias, use: name });
    return alias;
  }
  return name;
}
