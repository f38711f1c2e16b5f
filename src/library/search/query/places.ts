import type { Place, RecordKind } from '../../../opportunity/records.ts';
import type { Position } from '../../../search/distance.ts';
import { districtOf, foldedKey } from '../../../search/document.ts';
import { SHORT_FORMS } from '../../../search/synonyms.ts';
import { queryTerms, termsOf } from '../../../search/terms.ts';
import { type KeyList, type Reader, recordOf, type SearchHit } from '../../../store/index.ts';
import { activityList } from '../../../vocabulary/shipped.ts';
import { isFound } from './matching.ts';

/** Places in the data by what people call them. */

/** A place that a text names. */
export interface KnownPlace {
  /** The list of keys that has the name; absent: the text is a part of a place's name. */
  list?: Extract<KeyList, 'towns' | 'districts' | 'places'>;
  key: string;
  /** The whole name of the only place whose name begins with the text. */
  name?: string;
  /** The position; absent: nothing there has coordinates. */
  position?: Position;
}

const LISTS = ['towns', 'districts', 'places'] as const;
/** The first half of a postcode. */
const DISTRICT = /^[a-z]{1,2}\d[a-z\d]?$/i;

/** The most parts of an address that are looked up. */
const MOST_PARTS = 4;

/**
 * The place of a text: a town, a postcode or its district, the name of a place, or an address with one. Undefined: unknown.
 */
export async function knownPlace(read: Reader, text: string): Promise<KnownPlace | undefined> {
  const parts = text.includes(',') ? text.split(',', MOST_PARTS) : [];
  for (const one of [text, ...parts]) {
    const place = await placeCalled(read, one);
    if (place !== undefined) return place;
    for (const other of otherSpellings(one)) {
      const found = await placeCalled(read, other);
      if (found !== undefined) return { ...found, ...(found.list === 'places' && { name: found.name ?? other }) };
    }
  }
  return undefined;
}

/** A name with one word in its other forms: `bridge street hall` of `Bridge St Hall`. */
function otherSpellings(text: string): string[] {
  const words = foldedKey(text).split(' ');
  return words.flatMap((word, at) => {
    const forms = words.length === 1 ? undefined : SHORT_FORMS.find((one) => one.includes(word));
    return (forms ?? []).filter((form) => form !== word).map((form) => words.with(at, form).join(' '));
  });
}

async function placeCalled(read: Reader, text: string): Promise<KnownPlace | undefined> {
  const key = foldedKey(districtOf(text) ?? text);
  if (key === '') return undefined;
  const lists = DISTRICT.test(key) ? (['districts', 'towns', 'places'] as const) : LISTS;
  for (const list of lists) {
    const position = await read.positionOf(list, key);
    if (position !== undefined) return { list, key, position };
  }
  for (const list of lists) {
    if (await isFound(read, { kind: 'series', keys: { [list]: [key] } })) return { list, key };
  }
  return key.includes(' ') ? placeWithPart(read, key) : undefined;
}

/** The most places whose names are read to find the only one that begins with the text. */
const MOST_BEGUN = 20;

/** The first place with these words one after the other in its name: `Harbour Lane` of Harbour Lane Leisure Centre. */
async function placeWithPart(read: Reader, key: string): Promise<KnownPlace | undefined> {
  const words = [{ any: [termsOf(key)], phrase: true, within: 'kind' as const }];
  const found = await read.search({ kind: 'place', words }, MOST_BEGUN);
  const [first] = found;
  if (first === undefined) return undefined;
  const begun = found.length < MOST_BEGUN ? await namesBegun(read, key, found) : [];
  const [only] = begun.length === 1 ? begun : [];
  const { record } = only ?? first;
  const { latitude, longitude } = (await read.searchFacts([record])).get(record) ?? {};
  if (latitude === undefined || longitude === undefined) return undefined;
  const position = { latitude, longitude };
  return only === undefined ? { key, position } : { list: 'places', key, name: only.name, position };
}

/** Names of places that begin with a key and have more words, each once. */
async function namesBegun(
  read: Reader,
  key: string,
  found: readonly SearchHit[],
): Promise<{ record: number; name: string }[]> {
  const begun = new Map<string, { record: number; name: string }>();
  for (const { record } of found) {
    const row = await read.recordById(record);
    const { name = '' } = row === undefined ? {} : (recordOf(row) as Place);
    if (foldedKey(name).startsWith(`${key} `)) begun.set(foldedKey(name), { record, name });
  }
  return [...begun.values()];
}

/** The name of a known place that differs from the text by one typing error. */
export async function placeLike(read: Reader, text: string): Promise<string | undefined> {
  const words = foldedKey(text).split(' ');
  for (const [at, word] of words.entries()) {
    for (const like of await read.wordsLike(word)) {
      const name = words.with(at, like).join(' ');
      if ((await knownPlace(read, name)) !== undefined) return name;
    }
  }
  return undefined;
}

/** The most words of a town, and of a text that is looked up. */
const MOST_TOWN_WORDS = 3;
const MOST_WORDS = 12;

/** The keys of towns in the data that a text names. Words that are all activities name none. */
export async function townsIn(read: Reader, text: string): Promise<Set<string>> {
  if (queryTerms(text, activityList()).every(({ concept }) => concept !== undefined)) return new Set();
  const words = foldedKey(text)
    .split(/[ /,]+/)
    .slice(0, MOST_WORDS);
  const runs = words.flatMap((_, from) =>
    Array.from({ length: MOST_TOWN_WORDS }, (_length, more) => words.slice(from, from + more + 1).join(' ')),
  );
  const isTown = (keys: readonly string[], kind: RecordKind) => isFound(read, { kind, keys: { towns: keys } });
  // A town that only places have counts too: the search then finds nothing there.
  if (!(await isTown(runs, 'series')) && !(await isTown(runs, 'place'))) return new Set();
  const found = await Promise.all(
    [...new Set(runs)].map(async (run) => ((await read.positionOf('towns', run)) === undefined ? [] : run)),
  );
  return new Set(found.flat());
}
