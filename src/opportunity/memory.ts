import { isObject, type Json, type JsonObject } from './json.ts';
import { note, noteOnce, type RankedRecord, type Reading, type Traced } from './reading.ts';
import { idText } from './values.ts';

/**
 * What objects say that come again and again: the same place and the same organiser are embedded in hundreds of items.
 * An object that says exactly what it said before is not read again: what was made of it is given out once more, and what
 * was found odd in it is noted once more. Results are the same with and without a memory.
 */
export class Memory {
  #young = new Map<string, Remembered>();
  #old = new Map<string, Remembered>();
  #size = 0;

  get(key: string): Remembered | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  /** What nobody has asked for since half of the room was filled is forgotten. */
  set(key: string, one: Remembered): void {
    if (this.#size + one.size > HALF) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#size = 0;
    }
    this.#size += one.size;
    this.#young.set(key, one);
  }
}

/** Values and characters of what is remembered, half of it: some megabytes in all. */
const HALF = 1_000_000;
/** Of one object: a place with hours for each day of a year is not worth the comparison. */
const MOST = 5_000;
const DEEPEST = 8;

/** One object, and all that came of it. */
interface Remembered {
  value: JsonObject;
  size: number;
  result: unknown;
  records: readonly RankedRecord[];
  notes: readonly Traced[];
}

/** May depend on nothing but the object, its path, the feed and the zone. */
type Read<T> = (reading: Reading, value: JsonObject, path: string) => T;

/** What `read` makes of the object at `path`. */
export function remembered<T>(reading: Reading, value: JsonObject, path: string, read: Read<T>): T {
  const { memory } = reading;
  if (memory === undefined) return read(reading, value, path);
  const key = keyOf(reading, value, path);
  if (key === undefined) return read(reading, value, path);
  const known = memory.get(key);
  if (known === undefined || !sameJson(known.value, value)) return learn(reading, memory, key, value, path, read);
  for (const { once, code, path, facts } of known.notes) (once ? noteOnce : note)(reading, code, path, facts);
  for (const record of known.records) reading.records.push(record);
  return known.result as T;
}

/** Only what states no id of its own is named after the feed. */
function keyOf({ feed, zone }: Reading, value: JsonObject, path: string): string | undefined {
  const id = idText(value['@id'] === undefined ? value.id : value['@id']);
  if (id !== undefined) return `${zone.id} ${path} ${id}`;
  return typeof value.name === 'string' ? `${zone.id} ${path} ${feed} ${value.name}` : undefined;
}

function learn<T>(reading: Reading, memory: Memory, key: string, value: JsonObject, path: string, read: Read<T>): T {
  const size = sizeOf(value, 0);
  if (size > MOST) return read(reading, value, path);
  const before = reading.records.length;
  const notes: Traced[] = [];
  reading.trace = notes;
  const result = read(reading, value, path);
  reading.trace = undefined;
  const records = reading.records.slice(before);
  for (const ranked of records) ranked.kept = {};
  memory.set(key, { value, size, result, records, notes });
  return result;
}

function sizeOf(value: Json, depth: number): number {
  if (typeof value === 'string') return value.length + 1;
  if (typeof value !== 'object' || value === null) return 1;
  if (depth > DEEPEST) return MOST + 1;
  let size = 1;
  for (const child of Object.values(value)) {
    size += 1 + sizeOf(child, depth + 1);
    if (size > MOST) return size;
  }
  return size;
}

/** Whether two values of JSON are the same, whatever the order of their properties. */
function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && sameEntries(a, b);
  return isObject(a) && isObject(b) && sameProperties(a, b);
}

function sameEntries(a: readonly Json[], b: readonly Json[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index += 1) if (!sameJson(a[index], b[index])) return false;
  return true;
}

function sameProperties(a: JsonObject, b: JsonObject): boolean {
  let count = 0;
  for (const key in b) {
    if (!sameJson(a[key], b[key])) return false;
    count += 1;
  }
  for (const _ in a) count -= 1;
  return count === 0;
}
