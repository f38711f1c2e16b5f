import { perObject } from '../../../bounded-map.ts';
import { kilometresBetween } from '../../../search/distance.ts';
import { KIND_FIELDS, type SearchDocument } from '../../../search/document.ts';
import type { SearchedDetail } from '../../../search/session-document.ts';
import {
  type AgeGroup,
  type KeyList,
  type SearchQuery,
  type SearchReader,
  sessionQueries,
  type TermGroup,
  unwantedOf,
} from '../../../store/index.ts';

/** Queries compared with documents, without an index. */

/** The conditions of a query on documents, without the rows that it is limited to. */
export type DocumentQuery = Omit<SearchQuery, 'kind' | 'records' | 'venues' | 'sessionPrice'>;

type AskedParts = Required<DocumentQuery>;

interface AskedPart<Asked> {
  has(document: SearchDocument, asked: Asked): boolean;
  /** The details that decide whether something has it. */
  details(asked: Asked): readonly SearchedDetail[];
}

const PARTS: { readonly [P in keyof AskedParts]: AskedPart<AskedParts[P]> } = {
  words: {
    has: (document, groups) =>
      groups.every((group) => hasGroup(textsOf(document, group), group) && !isOther(document, group)),
    details: (groups) =>
      groups.flatMap(({ within, notAt, notBy }): readonly SearchedDetail[] => [
        ...OF_WORDS.kind,
        ...(within === 'kind' ? [] : OF_WORDS.names),
        ...(within === undefined ? OF_WORDS.all : []),
        ...(notAt === undefined ? [] : OF_WORDS.place),
        ...(notBy === undefined ? [] : OF_WORDS.people),
      ]),
  },
  keys: {
    has: (document, keys) =>
      (Object.keys(keys) as KeyList[]).every((list) => keys[list]?.some((key) => document[list].includes(key)) ?? true),
    details: (keys) => (Object.keys(keys) as KeyList[]).map((list) => OF_KEYS[list]),
  },
  near: { has: isNear, details: () => ['location'] },
  age: { has: allowsAge, details: () => ['ageRange'] },
  notAge: { has: ({ age }, groups) => !groups.some((group) => isFor(age, group)), details: () => ['ageRange'] },
  gender: { has: (document, gender) => document.gender === gender, details: () => ['gender'] },
  notGender: {
    has: ({ gender }, not) => gender !== not && (not !== 'either' || gender === undefined),
    details: () => ['gender'],
  },
  maxPrice: { has: (document, most) => lowestPrice(document) <= most, details: () => ['offers'] },
  online: { has: ({ online }, asked) => online === asked, details: () => ['attendance', 'virtualLocation'] },
};

const PART_NAMES = Object.keys(PARTS) as (keyof AskedParts)[];

/**
 * Whether a document meets a query: the plain reading of the contract, with which every index must agree. It also decides
 * whether a session matches by details of its own. Pure.
 */
export function matchesDocument(document: SearchDocument, query: DocumentQuery): boolean {
  const has = <P extends keyof AskedParts>(name: P): boolean => {
    const asked = query[name] as AskedParts[P] | undefined;
    return asked === undefined || PARTS[name].has(document, asked);
  };
  return PART_NAMES.every(has);
}

/**
 * Whether a document of the kind matches. A narrower query is tried by this and not by `isFound`: a session that matches by
 * itself may be over, and wider words find it too.
 */
export async function hasOne(read: SearchReader, query: SearchQuery): Promise<boolean> {
  return (await read.countFound(query, 1)) > 0;
}

/** Whether anything matches: a document of the kind, or a session by details of its own. */
export async function isFound(read: SearchReader, query: SearchQuery): Promise<boolean> {
  for (const one of [query, ...sessionQueries(query)]) if ((await read.countFound(one, 1)) > 0) return true;
  return false;
}

/** Whether a query has a condition on documents. */
export function asksDocument(query: DocumentQuery): boolean {
  return PART_NAMES.some((name) => detailsOfPart(name, query).length > 0);
}

const OF_WORDS = {
  kind: ['name', 'activity', 'category', 'programme'],
  names: ['location', 'organizer', 'leader', 'level'],
  all: ['description'],
  place: ['location'],
  people: ['organizer', 'leader'],
} as const satisfies Record<string, readonly SearchedDetail[]>;

const OF_KEYS: Readonly<Record<KeyList, SearchedDetail>> = {
  activities: 'activity',
  levels: 'level',
  accessibility: 'accessibilitySupport',
  names: 'name',
  organizers: 'organizer',
  places: 'location',
  towns: 'location',
  districts: 'location',
  offers: 'offers',
};

/**
 * The details that decide whether something matches a query. A session with none of these of its own is found as its series
 * is.
 */
export const detailsAsked = perObject((query: SearchQuery): readonly SearchedDetail[] => {
  const asked = PART_NAMES.flatMap((name) => detailsOfPart(name, query));
  return [...new Set([...asked, ...(query.venues === undefined ? [] : (['location'] as const))])];
});

function detailsOfPart<P extends keyof AskedParts>(name: P, query: DocumentQuery): readonly SearchedDetail[] {
  const asked = query[name] as AskedParts[P] | undefined;
  return asked === undefined ? [] : PARTS[name].details(asked);
}

/** Whether a document has one of the excluding phrases of a group. */
function isOther({ fields }: SearchDocument, group: TermGroup): boolean {
  return unwantedOf(group).some(({ fields: within, names }) => {
    const texts = within.map((field) => fields[field].split(' '));
    return hasGroup(texts, { any: names, phrase: true });
  });
}

function textsOf({ fields }: SearchDocument, { within }: TermGroup): string[][] {
  const { description: _, ...names } = fields;
  const texts = within === 'kind' ? KIND_FIELDS.map((field) => fields[field]) : Object.values(within ? names : fields);
  return texts.map((text) => text.split(' '));
}

/** Whether one of some texts has an alternative of a group. Texts are lists of terms. */
export function hasGroup(texts: readonly string[][], { any, phrase = false, prefix = false }: TermGroup): boolean {
  const isTerm = (terms: readonly string[], at: number, term: string): boolean =>
    term === terms[at] || (prefix && at === terms.length - 1 && term.startsWith(terms[at] as string));
  const hasAll = (text: readonly string[], terms: readonly string[]): boolean =>
    phrase
      ? text.some((_, from) => terms.every((_term, at) => isTerm(terms, at, text[from + at] ?? '')))
      : terms.every((_, at) => text.some((term) => isTerm(terms, at, term)));
  return any.some((terms) => texts.some((text) => hasAll(text, terms)));
}

function isNear({ latitude, longitude }: SearchDocument, near: NonNullable<SearchQuery['near']>): boolean {
  if (latitude === undefined || longitude === undefined) return false;
  return kilometresBetween({ latitude, longitude }, near) <= near.km;
}

function allowsAge(
  { age = {} }: SearchDocument,
  { min, max, stated, highest }: NonNullable<SearchQuery['age']>,
): boolean {
  const lowest = age.min ?? (age.max === undefined ? Number.NEGATIVE_INFINITY : 0);
  if (stated !== undefined && lowest < stated) return false;
  if (highest !== undefined && (age.max === undefined || age.max > highest)) return false;
  return (age.max ?? min) >= min && (max === undefined || (age.min ?? max) <= max);
}

function isFor({ min = 0, max }: NonNullable<SearchDocument['age']> = {}, group: AgeGroup): boolean {
  if (max === undefined || min + max < 2 * group.min || min + max > 2 * group.max) return false;
  return max - min + 1 < 2 * (group.max - group.min + 1);
}

function lowestPrice({ offers, prices }: SearchDocument): number {
  return offers.includes('free') ? 0 : Math.min(...prices.map(({ min }) => min));
}
