import { publicText, publicUrl } from '../errors.ts';
import { sha256 } from '../platform/hash.ts';
import { shown } from './findings.ts';

import { isActive } from './ids.ts';

export { decodedId, identOf, isActive } from './ids.ts';

import { isObject, type Json, type JsonObject, toJson } from './item/json.ts';
import { at, first, isEmpty, note, noteOnce, type Part, partAt, type Spot, single } from './item/reading.ts';
import { idText } from './item/values.ts';

/**
 * Identity. The id of a record is the `@id` of its publisher, unchanged. Without one, as in many live feeds of sessions, the
 * record gets a stand-in id (decision 7). It is the feed, `#`, the type, and data that distinguishes the object from its siblings.
 * It is the same for any order of items, and changes as seldom as the data allows, because addresses of calendars and UIDs of
 * events are made of it.
 *
 * | object | stand-in of |
 * |---|---|
 * | item of its own | its RPDE kind and id; a series, facility or place: as below, where that is enough |
 * | sub-event | its series and its `identifier`, else its start |
 * | embedded series, facility | `identifier`, else `url` and name, else name and place; else the item it is in |
 * | embedded place | `identifier`, else `url` and name, else name with postcode, coordinates or address, else these alone |
 */

/**
 * The short public key of an object, for addresses: 80 bits of SHA-256 over kind and id, as 16 characters [a-z2-7].
 * Stable for ever: calendars are subscribed at addresses made of it.
 *
 * @example
 * ```ts
 * const address = `/series/${keyOf('series', 'https://example.org/series/1')}.ics`;
 * ```
 */
export function keyOf(kind: string, id: string): string {
  const digest = sha256(`${kind}\n${id}`);
  let key = '';
  // Five hexadecimal digits are four letters.
  for (let at = 0; at < 20; at += 5) {
    const bits = Number.parseInt(digest.slice(at, at + 5), 16);
    for (const shift of [15, 10, 5, 0]) key += 'abcdefghijklmnopqrstuvwxyz234567'[(bits >> shift) & 31];
  }
  return key;
}

/** The `@id` (or `id`) that an object states; undefined if it states none that can be used. */
export function statedId(part: Part): string | undefined {
  const name = part.from['@id'] === undefined && part.from.id !== undefined ? 'id' : '@id';
  const value = part.from[name];
  if (isEmpty(value)) return undefined;
  if (name === 'id') noteOnce(at(part, name), 'unprefixed-keywords');
  const id = idText(single(value));
  if (id === undefined) note(at(part, name), 'id-unusable', { value: shown(value) });
  else if (Array.isArray(value)) noteOnce(at(part, name), 'id-in-array', { value: shown(id) });
  else if (!isAbsolute(id)) noteOnce(at(part, name), 'id-not-url', { value: shown(id) });
  return id;
}

/** An id that a property refers to: text, number, or an object that states one. `index`: its place in an array. */
export function referenceOf(spot: Spot, name: string, value: Json, index?: number): string | undefined {
  if (isObject(value)) return statedId(partAt(spot, value, name, index));
  const id = idText(value);
  const code = id === undefined ? 'reference-unusable' : 'reference-not-url';
  if (id === undefined || !isAbsolute(id))
    note(at(spot, name, index), code, { property: name, value: shown(id ?? value) });
  return id;
}

/** Whether an id has a scheme, such as `https:` or `urn:`, that is not active (`isActive`). */
function isAbsolute(id: string): boolean {
  return id.startsWith('https://') || (/^[a-z][a-z\d+.-]{1,30}:\S/i.test(id) && !isActive(id));
}

/** Whether an object only points to another: it states nothing but its type and id. */
export function isPointer(value: JsonObject): boolean {
  for (const key in value) if (!POINTER_KEYS.has(key) && !isEmpty(value[key])) return false;
  return !(isEmpty(value['@id']) && isEmpty(value.id));
}

const POINTER_KEYS = new Set(['@id', 'id', '@type', 'type', '@context']);

/** The `identifier` as text: a string, a number, or the value of a PropertyValue. */
export function identifierOf(part: Part): string | undefined {
  const value = first(part, 'identifier');
  return idText(isObject(value) ? value.value : value);
}

/**
 * The public form of a feed in ids: the origin and a hash of its address, because paths may hold keys. Values of keys in the
 * query are not hashed, because they change. For a feed without an address, such as a folder, it is a hash alone.
 */
export function scopeOf(feed: string): string {
  return webScopeOf(feed) ?? `urn:openactive-ical:${keyOf('feed', feed)}`;
}

function webScopeOf(feed: string): string | undefined {
  const url = /^https?:/i.test(feed) ? URL.parse(feed) : null;
  return url === null ? undefined : `${url.origin}/~${sha256(publicText(url.href, mask)).slice(0, 16)}`;
}

/** Masks a value: those of named keys are dropped; one that only looks like a key is hashed, as it may distinguish feeds. */
const mask = (value: string, named: boolean): string => (named ? '***' : keyOf('feed', value));

/** The scope by the rules before version 4, with the path of the address, which older stores have in ids. */
export function formerScopeOf(feed: string): string {
  return /^https?:/i.test(feed) ? publicUrl(feed, mask) : scopeOf(feed);
}

/** A stand-in id; parts that are undefined are left out. Long ones are hashed. */
export function standIn(feed: string, type: string, ...parts: (string | undefined)[]): string {
  const stated = parts.filter((part) => part !== undefined).map((part) => encodeURIComponent(part.toWellFormed()));
  const text = stated.join('/');
  return `${scopeOf(feed)}#${type}/${text.length <= 200 ? text : sha256(text).slice(0, 32)}`;
}

/** The stand-in of an object within another. `parent`: its id with the property at the end. */
export function childId(parent: string, key: string): string {
  return `${parent}/${encodeURIComponent(key.toWellFormed())}`;
}

/** A digest of an object's whole content, which distinguishes siblings without other differences. */
export function digestOf(from: JsonObject): string {
  return sha256(toJson(from, false)).slice(0, 16);
}

export function itemStandIn({ reading }: Spot, type: string): string {
  return standIn(reading.feed, type, reading.kind, reading.itemId);
}

/**
 * The stand-in of a series or facility by its content; undefined where the content does not identify it. A `url` alone does
 * not, because many publishers give all their objects the address of their home page.
 */
export function standInByContent(
  part: Part,
  type: string,
  about: { name?: string | undefined; url?: string | undefined; place?: string | undefined },
): string | undefined {
  const identifier = identifierOf(part);
  if (identifier !== undefined) return standIn(part.reading.feed, type, identifier);
  const { name, url, place } = about;
  if (url !== undefined) return standIn(part.reading.feed, type, url, name);
  if (name !== undefined && place !== undefined) return standIn(part.reading.feed, type, name, place);
  return undefined;
}
