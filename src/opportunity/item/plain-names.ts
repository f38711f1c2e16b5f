import { isObject, type Json, type JsonObject } from './json.ts';
import { pathTo } from './reading.ts';

/** The vocabularies whose names stand without a prefix in OpenActive's data. */
const PREFIX = /^(?:oa:|schema:|https?:\/\/(?:schema\.org|openactive\.io)\/)(?=[A-Za-z]+$)/;

/** Objects deeper within an item are left as they are: no property is looked for there. */
const DEEPEST = 20;

/** A property with a prefix, and its path. */
interface Prefixed {
  name: string;
  plain: string;
  path: string;
}

/**
 * Data whose properties have plain names: `startDate`, where JSON-LD also allows `schema:startDate`. Of a property under both
 * names the plain one stays. `first`: the first that had a prefix; undefined: none had.
 */
export function withPlainNames(data: JsonObject): { data: JsonObject; first: Prefixed | undefined } {
  const found: Prefixed[] = [];
  const plain = renamed(data, '$', 0, found) as JsonObject;
  return { data: plain, first: found[0] };
}

function renamed(value: Json, path: string, depth: number, found: Prefixed[]): Json {
  if (depth > DEEPEST) return value;
  if (Array.isArray(value)) return value.map((entry, index) => renamed(entry, `${path}[${index}]`, depth + 1, found));
  if (!isObject(value)) return value;
  const entries: [string, Json][] = [];
  for (const [name, entry] of Object.entries(value)) {
    const plain = name.replace(PREFIX, '');
    const here = pathTo(path, name);
    if (plain !== name) found.push({ name, plain, path: here });
    if (plain === name || value[plain] === undefined) entries.push([plain, renamed(entry, here, depth + 1, found)]);
  }
  return Object.fromEntries(entries);
}
