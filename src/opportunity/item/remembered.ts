import { isObject, type Json, type JsonObject } from './json.ts';
import type { Memory } from './memory.ts';
import type { Traced } from './ranked-record.ts';
import { note, noteOnce, type Reading } from './reading.ts';
import { idText } from './values.ts';

/** Of one object: a place with hours for each day of a year is not worth the comparison. */
const MOST = 5_000;
const DEEPEST = 8;

/** May depend on nothing but the object, its path, the feed and the zone. */
type Read<T> = (reading: Reading, value: JsonObject, path: string) => T;

/** What `read` makes of the object at `path`. */
export function remembered<T>(reading: Reading, value: JsonObject, path: string, read: Read<T>): T {
  const { memory } = reading;
  if (memory === undefined) return read(reading, value, path);
  const key = memoryKey(reading, value, path);
  if (key === undefined) return read(reading, value, path);
  const known = memory.get(key);
  if (known === undefined || !sameJson(known.value, value)) return learn(reading, memory, key, value, path, read);
  for (const { once, code, path, facts } of known.notes) (once ? noteOnce : note)(reading, code, path, facts);
  for (const record of known.records) reading.records.push(record);
  return known.result as T;
}

/** Only what states no id of its own is named after the feed. */
function memoryKey({ feed, zone }: Reading, value: JsonObject, path: string): string | undefined {
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
