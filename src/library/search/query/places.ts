import type { Position } from '../../../search/distance.ts';
import { districtOf, foldedKey } from '../../../search/document.ts';
import { termsOf } from '../../../search/terms.ts';
import type { KeyList, SearchReader } from '../../../store/index.ts';

/** What somebody calls a place, as far as the data knows it. */
export interface KnownPlace {
  /** Which of its names it is; absent: a part of one. */
  list?: Extract<KeyList, 'towns' | 'districts' | 'places'>;
  key: string;
  /** Absent: nothing there has coordinates. */
  position?: Position;
}

const LISTS = ['towns', 'districts', 'places'] as const;
/** The first half of a postcode. */
const DISTRICT = /^[a-z]{1,2}\d[a-z\d]?$/i;

/** Parts of an address that are tried. */
const MOST_PARTS = 4;

/** A town, a postcode, the district of one, a place by its name, or an address with one; undefined: nothing in the data has it. */
export async function knownPlace(read: SearchReader, text: string): Promise<KnownPlace | undefined> {
  const parts = text.includes(',') ? text.split(',', MOST_PARTS) : [];
  for (const one of [text, ...parts]) {
    const place = await placeCalled(read, one);
    if (place !== undefined) return place;
  }
  return undefined;
}

async function placeCalled(read: SearchReader, text: string): Promise<KnownPlace | undefined> {
  const key = foldedKey(districtOf(text) ?? text);
  if (key === '') return undefined;
  const lists = DISTRICT.test(key) ? (['districts', 'towns', 'places'] as const) : LISTS;
  for (const list of lists) {
    const position = await read.positionOf(list, key);
    if (position !== undefined) return { list, key, position };
  }
  for (const list of lists) {
    if ((await read.countFound({ kind: 'series', keys: { [list]: [key] } }, 1)) > 0) return { list, key };
  }
  const position = key.includes(' ') ? await positionOfPart(read, key) : undefined;
  return position && { key, position };
}

/** Where the first place is whose name has these words one after the other: `Harbour Lane` of its leisure centre. */
async function positionOfPart(read: SearchReader, key: string): Promise<Position | undefined> {
  const words = [{ any: [termsOf(key)], phrase: true, within: 'kind' as const }];
  const [first] = await read.search({ kind: 'place', words }, 1);
  if (first === undefined) return undefined;
  const { latitude, longitude } = (await read.searchFacts([first.record])).get(first.record) ?? {};
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
}

/** A known place whose name is one typing error away. */
export async function placeLike(read: SearchReader, text: string): Promise<string | undefined> {
  const words = foldedKey(text).split(' ');
  for (const [at, word] of words.entries()) {
    for (const like of await read.wordsLike(word)) {
      const name = words.with(at, like).join(' ');
      if ((await knownPlace(read, name)) !== undefined) return name;
    }
  }
  return undefined;
}
