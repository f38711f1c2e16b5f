import { perObject } from '../../bounded-map.ts';
import type { RecordKind } from '../../opportunity/records.ts';
import { type Field, KIND_FIELDS, PEOPLE_FIELDS, PLACE_FIELDS } from '../../search/document.ts';
import type { Instant } from '../../time/instant.ts';

/**
 * The search index of a store. It holds one document for each live series, place and facility, written by `saveCalendars` in
 * the transaction that changed it. Sessions with details of their own have one too (`saveSessionDocuments`). An index
 * answers every query; none reads all documents.
 */

/** Lists of keys in a document, which queries match by whole keys (`foldedKey`, `conceptKey` of `search/document.ts`). */
export type KeyList =
  | 'activities'
  | 'levels'
  | 'accessibility'
  | 'names'
  | 'organizers'
  | 'places'
  | 'towns'
  | 'districts'
  | 'offers';

/**
 * Alternatives of terms (`search/terms.ts`): a document matches that has all terms of one alternative within one field. An
 * alternative without terms matches every document, so that `not` can stand alone.
 */
export interface TermGroup {
  any: readonly (readonly string[])[];
  /** The terms of each alternative follow one another. */
  phrase?: boolean;
  /** The last term of each alternative may be the beginning of a longer one. */
  prefix?: boolean;
  /** Phrases that exclude a document with one of them in its name, activities or category. */
  not?: readonly (readonly string[])[];
  /** Phrases that exclude a document with one of them in the names of its place, towns or postcode district. */
  notAt?: readonly (readonly string[])[];
  /** Phrases that exclude a document with one of them in the names of its organiser or leaders. */
  notBy?: readonly (readonly string[])[];
  /** `names`: not in the description; `kind`: in the name, the activities, broader activities, or the category. */
  within?: 'names' | 'kind';
}

/** The excluding phrases of a group, each a list of terms. */
export type UnwantedNames = Pick<TermGroup, 'not' | 'notAt' | 'notBy'>;

const UNWANTED_IN = {
  not: KIND_FIELDS,
  notAt: PLACE_FIELDS,
  notBy: PEOPLE_FIELDS,
} as const satisfies Record<keyof UnwantedNames, readonly Field[]>;

const UNWANTED = Object.keys(UNWANTED_IN) as (keyof UnwantedNames)[];

/**
 * The excluding phrases of a group, with the fields in which a matching document has none of them.
 *
 * @example unwantedOf({ any: [[]], notBy: [['anna']] }) // [{ fields: ['organizer', 'leader'], names: [['anna']] }]
 */
export const unwantedOf = perObject((group: UnwantedNames) =>
  UNWANTED.flatMap((list) => {
    const { [list]: names = [] } = group;
    return names.length === 0 ? [] : [{ fields: UNWANTED_IN[list], names }];
  }),
);

/** Ages of people who are called so: 13 to 17 for teenagers. */
export interface AgeGroup {
  min: number;
  max: number;
}

/** Conditions that a document must meet, all of them. A document without a range does not match it. */
export interface SearchQuery {
  /** `session`: sessions found by terms that they add to the document of their series (`addedTerms`). */
  kind: RecordKind;
  words?: readonly TermGroup[];
  /** Keys: of each named list the document has one at least. */
  keys?: Partial<Record<KeyList, readonly string[]>>;
  /** Within a distance on the globe, in kilometres. */
  near?: { latitude: number; longitude: number; km: number };
  /**
   * Years; the document allows some of these ages. A document without ages allows all. `stated`: the document has ages, and
   * its lowest age is at least this; it counts as 0 where the highest alone is stated. `highest`: the document states its
   * highest age, and that is at most this.
   */
  age?: { min: number; max?: number; stated?: number; highest?: number };
  /**
   * Age groups that the document is not for. It is for a group that the middle of its stated ages belongs to, unless it is open to
   * twice as many ages or more. `11 to 16` is for teenagers, and `8 to 18` is not.
   */
  notAge?: readonly AgeGroup[];
  gender?: 'FemaleOnly' | 'MaleOnly';
  /** A genderRestriction that the document does not have; `either`: it has none at all. */
  notGender?: 'FemaleOnly' | 'MaleOnly' | 'either';
  /** The lowest price is at most this. */
  maxPrice?: number;
  online?: boolean;
  /**
   * A session of the series has a price of at most this. Occurrences of such a query are those sessions, if no other
   * condition finds sessions by themselves.
   */
  sessionPrice?: number;
  /** The row is one of these; a session's series is. */
  records?: readonly number[];
  /** The place is one of these rows. A session that names no Place counts as at that of its series. */
  venues?: readonly number[];
}

/**
 * Queries that find sessions by their own details, where their series does not match a query of series. The first is of their
 * documents, the second of their prices where the series meets all else. None: no detail of a session can match.
 */
export const sessionQueries = perObject((query: SearchQuery): readonly SearchQuery[] => {
  const { kind, records: _, maxPrice, keys: { offers, ...keys } = {}, ...rest } = query;
  const isFree = offers !== undefined;
  const conditions = Object.keys(rest).length + Object.keys(keys).length;
  if (kind !== 'series' || (conditions === 0 && maxPrice === undefined && !isFree)) return [];
  const queries: SearchQuery[] = [{ ...query, kind: 'session' }];
  if (maxPrice === undefined && !isFree) return queries;
  const { maxPrice: __, keys: ___, ...other } = query;
  const ofSeries = { ...other, ...(Object.keys(keys).length > 0 && { keys }) };
  return [...queries, { ...ofSeries, sessionPrice: isFree ? 0 : (maxPrice as number) }];
});

/** A document that matches. */
export interface SearchHit {
  record: number;
  /** Greater is better; comparable within one answer alone. */
  rank: number;
}

/** An occurrence that matches: of a Schedule, or an explicit session. */
export interface FoundOccurrence {
  series: number;
  start: Instant;
  /** Absent: the session has no end. */
  end?: Instant;
  /** Index of the Schedule that generates it; absent for a session. */
  schedule?: number;
  /** Row of the session; absent for an occurrence of a Schedule alone. */
  session?: number;
  /** The instance that a session without a start or end replaces. */
  instance?: { start: Instant; end: Instant };
  /** The session is cancelled; a cancelled series has that in its record alone. */
  cancelled: boolean;
  /** The series does not match: the session was found by details of its own. */
  byItself?: true;
}

/** Which occurrences are asked for, and how many. */
export interface OccurrenceWindow {
  /** Starts at this instant or later. */
  from: Instant;
  /** Starts before this. */
  to: Instant;
  /** At most this many, and all that start together with the last of them. */
  limit: number;
  /** With cancelled sessions. */
  cancelled?: boolean;
  /** Only occurrences that end after this instant. */
  endsAfter?: Instant;
  /** Occurrences that start at other times of the week may be left out. */
  weekly?: readonly TimeOfWeek[];
}

/** A part of each week, in milliseconds from its beginning at 1970-01-01T00:00Z and every seven days after. */
export interface TimeOfWeek {
  from: number;
  length: number;
}

/** The columns of a document that lists and facets need, without its record. */
export interface SearchFacts {
  record: number;
  /** IANA zone of its local times; absent: the configured default. */
  zone?: string;
  latitude?: number;
  longitude?: number;
  /** Row of its Place. */
  venue?: number;
  /** The series, or an EventSeries above it, may be cancelled: the record decides. */
  cancelled?: true;
}

/** The questions that every search index answers. */
export interface SearchReader {
  /**
   * The best first, then by row; without words by row. Among many, documents with all words in the name come first, then
   * those with them in `kind` fields, then in any name.
   */
  search(query: SearchQuery, limit: number): Promise<SearchHit[]>;
  /** The number of documents that match, at most `most`. */
  countFound(query: SearchQuery, most: number): Promise<number>;
  /** The number of documents that match; undefined: counting would read more than `most`. */
  countWithin(query: SearchQuery, most: number): Promise<number | undefined>;
  /**
   * Occurrences of the series that match, and sessions that match by themselves (`sessionQueries`); by start, then by row of
   * the series.
   */
  foundOccurrences(query: SearchQuery, window: OccurrenceWindow): Promise<FoundOccurrence[]>;
  /** By row; absent for a row without a document. */
  searchFacts(records: readonly number[]): Promise<Map<number, SearchFacts>>;
  /** The `activityTerm` of each activity of a document, and of each broader one, by row. */
  activityTerms(records: readonly number[]): Promise<Map<number, readonly string[]>>;
  /** The mean position of the documents with this key; undefined where none of them has coordinates. */
  positionOf(list: KeyList, key: string): Promise<{ latitude: number; longitude: number } | undefined>;
  /**
   * Folded words of names, places and towns that differ from this one by one typing error (`isTypingError` in `nearest.ts`).
   */
  wordsLike(word: string): Promise<string[]>;
  /** Zones that documents name. */
  searchZones(): Promise<string[]>;
}
