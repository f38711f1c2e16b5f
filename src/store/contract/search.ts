import { perObject } from '../../bounded-map.ts';
import type { RecordKind } from '../../opportunity/records.ts';
import { type Field, KIND_FIELDS, PEOPLE_FIELDS, PLACE_FIELDS } from '../../search/document.ts';
import type { Instant } from '../../time/instant.ts';

/**
 * The search index of a store. It holds one document for each live series, place and facility, written by `saveCalendars` in
 * the transaction that changed it. Sessions that say more than their series have one too (`saveSessionDocuments`). Everything
 * here is answered by an index, and never by reading all documents.
 */

/** Lists of keys in a document, which a query asks for by whole keys (`foldedKey`, `conceptKey` of `search/document.ts`). */
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
 * Terms (`search/terms.ts`) of which a document has what one alternative wants: all terms of it, within one field. Every document
 * has an alternative without terms: beside `not`, everything else is found.
 */
export interface TermGroup {
  any: readonly (readonly string[])[];
  /** The terms of each alternative follow one another. */
  phrase?: boolean;
  /** The last term of each alternative may be the beginning of a longer one. */
  prefix?: boolean;
  /** A document that has one of these, their terms one after the other, is none of them: in its name, activities or category. */
  not?: readonly (readonly string[])[];
  /** Likewise in the names of its place, its towns and its postcode district: where it is. */
  notAt?: readonly (readonly string[])[];
  /** Likewise in the names of its organiser and of those who lead it. */
  notBy?: readonly (readonly string[])[];
  /** `names`: not in the description; `kind`: in the name, the activities, what is broader, or the category. */
  within?: 'names' | 'kind';
}

/** Names that a group does not want, each a list of terms. */
export type UnwantedNames = Pick<TermGroup, 'not' | 'notAt' | 'notBy'>;

const UNWANTED_IN = {
  not: KIND_FIELDS,
  notAt: PLACE_FIELDS,
  notBy: PEOPLE_FIELDS,
} as const satisfies Record<keyof UnwantedNames, readonly Field[]>;

const UNWANTED = Object.keys(UNWANTED_IN) as (keyof UnwantedNames)[];

/**
 * What a group does not want: names, and the fields in which a document that is found has none of them.
 *
 * @example unwantedOf({ any: [[]], notBy: [['anna']] }) // [{ fields: ['organizer', 'leader'], names: [['anna']] }]
 */
export const unwantedOf = perObject((group: UnwantedNames) =>
  UNWANTED.flatMap((list) => {
    const { [list]: names = [] } = group;
    return names.length === 0 ? [] : [{ fields: UNWANTED_IN[list], names }];
  }),
);

/** What a document must have: all that is given. Ranges of a document that says nothing do not match. */
export interface SearchQuery {
  /** Sessions are found where their series may not be: by something that they add to its document (`addedTerms`). */
  kind: RecordKind;
  words?: readonly TermGroup[];
  /** Keys, of each list that is named one at least. */
  keys?: Partial<Record<KeyList, readonly string[]>>;
  /** Within a distance on the globe, in kilometres. */
  near?: { latitude: number; longitude: number; km: number };
  /**
   * Years; some of these ages are allowed. A document without ages allows all. `stated`: such a document is not meant, and the
   * lowest age of others is at least this. It is 0 where a document says the highest alone. `highest`: a document says its highest
   * age, and that is at most this.
   */
  age?: { min: number; max?: number; stated?: number; highest?: number };
  gender?: 'FemaleOnly' | 'MaleOnly';
  /** A genderRestriction that a document does not have; `either`: it has none at all. */
  notGender?: 'FemaleOnly' | 'MaleOnly' | 'either';
  /** The lowest price is at most this. */
  maxPrice?: number;
  online?: boolean;
  /**
   * A session of the series says a price of at most this. The occurrences that are found are those sessions, if nothing else has
   * them searched by themselves.
   */
  sessionPrice?: number;
  /** One of these rows; of sessions: one of these series is theirs. */
  records?: readonly number[];
  /** At one of these Place rows. A session that names no Place is where its series is: its record may say another location. */
  venues?: readonly number[];
}

/**
 * Queries that find sessions by what they say themselves, where the series has not what a query of series asks for. The first is
 * about their documents, the second about their prices beside all else that the series has. None: no session can say it.
 */
export const sessionQueries = perObject((query: SearchQuery): readonly SearchQuery[] => {
  const { kind, records: _, maxPrice, keys: { offers, ...keys } = {}, ...rest } = query;
  const isFree = offers !== undefined;
  const asked = Object.keys(rest).length + Object.keys(keys).length;
  if (kind !== 'series' || (asked === 0 && maxPrice === undefined && !isFree)) return [];
  const queries: SearchQuery[] = [{ ...query, kind: 'session' }];
  if (maxPrice === undefined && !isFree) return queries;
  const { maxPrice: __, keys: ___, ...other } = query;
  const ofSeries = { ...other, ...(Object.keys(keys).length > 0 && { keys }) };
  return [...queries, { ...ofSeries, sessionPrice: isFree ? 0 : (maxPrice as number) }];
});

/** A document that was found. */
export interface SearchHit {
  record: number;
  /** Greater is better; comparable within one answer alone. */
  rank: number;
}

/** An occurrence of a series that was found: of a Schedule, or an explicit session. */
export interface FoundOccurrence {
  series: number;
  start: Instant;
  /** Absent: the session says no end. */
  end?: Instant;
  /** Index of the Schedule that generates it; absent for a session. */
  schedule?: number;
  /** Row of the session; absent where a Schedule alone says it. */
  session?: number;
  /** What a session replaces that does not say when it starts or ends. */
  instance?: { start: Instant; end: Instant };
  /** The session is cancelled; whether its series is, the record of that says. */
  cancelled: boolean;
  /** The series does not fit the query: the session was found by details of its own. */
  byItself?: true;
}

export interface OccurrenceWindow {
  /** Starts at this instant or later. */
  from: Instant;
  /** Starts before this. */
  to: Instant;
  /** At most this many, and all that start together with the last of them. */
  limit: number;
  /** With cancelled sessions. */
  cancelled?: boolean;
  /** Only what ends after this instant. */
  endsAfter?: Instant;
  /** What starts at no such time of a week is not wanted, and may be left out. */
  weekly?: readonly TimeOfWeek[];
}

/** A part of each week, in milliseconds from its beginning at 1970-01-01T00:00Z and every seven days after. */
export interface TimeOfWeek {
  from: number;
  length: number;
}

/** What lists and facets need of a document, without its record. */
export interface SearchFacts {
  record: number;
  /** IANA zone of its local times; absent: the configured default. */
  zone?: string;
  latitude?: number;
  longitude?: number;
  /** Row of its Place. */
  venue?: number;
  /** The series may be, by itself or by an EventSeries above it: its record says whether it is. */
  cancelled?: true;
}

export interface SearchReader {
  /**
   * The best first, then by row; without words by row. Of many, those come first that have all words in the name, then in what
   * says the kind, then in any name.
   */
  search(query: SearchQuery, limit: number): Promise<SearchHit[]>;
  /** How many documents match, counted no further than `most`. */
  countFound(query: SearchQuery, most: number): Promise<number>;
  /** How many documents match; undefined: more than `most` would have to be read to tell. */
  countWithin(query: SearchQuery, most: number): Promise<number | undefined>;
  /**
   * Occurrences of the series that a query finds, and sessions that it finds by themselves (`sessionQueries`); by start, then by
   * row of the series.
   */
  foundOccurrences(query: SearchQuery, window: OccurrenceWindow): Promise<FoundOccurrence[]>;
  /** By row; absent for a row without a document. */
  searchFacts(records: readonly number[]): Promise<Map<number, SearchFacts>>;
  /** By row, the `activityTerm` of each activity of its document, and of everything broader. */
  activityTerms(records: readonly number[]): Promise<Map<number, readonly string[]>>;
  /** The middle of all documents with this key; undefined: none of them has coordinates. */
  positionOf(list: KeyList, key: string): Promise<{ latitude: number; longitude: number } | undefined>;
  /** Folded words of names, places and towns that differ from this one by one typing error (`isTypingError` in `nearest.ts`). */
  wordsLike(word: string): Promise<string[]>;
  /** Zones that documents name. */
  searchZones(): Promise<string[]>;
}
