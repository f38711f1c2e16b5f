import { statedZone } from '../../../src/calendar/header.ts';
import { facilityWhereabouts, placeWhereabouts } from '../../../src/hours/venue.ts';
import { asksDocument, matchesDocument } from '../../../src/library/search/query/matching.ts';
import { isTypingError } from '../../../src/nearest.ts';
import { zoneOfSeries } from '../../../src/opportunity/effective.ts';
import type { RecordKind, Series, Session } from '../../../src/opportunity/records.ts';
import {
  currentVocabularies,
  placeDocument,
  type SearchDocument,
  searchDocument,
  seriesDocument,
} from '../../../src/search/document.ts';
import { hasOwnDetails, sessionDocument } from '../../../src/search/session-document.ts';
import { addedTerms, documentRow } from '../../../src/store/document-row.ts';
import {
  activityTerm,
  effectiveSeries,
  type FoundOccurrence,
  type KeyList,
  namedPlace,
  type Reader,
  type RecordBody,
  recordOf,
  type SearchFacts,
  type SearchHit,
  type SearchQuery,
  type SearchReader,
  sessionsOf,
  storedVenue,
  venueIn,
  withFound,
} from '../../../src/store/index.ts';
import { wantedAdditions } from '../../../src/store/sql/search/added-terms.ts';
import { knownZone } from '../../../src/time/place-zone.ts';

/** The index as the contract has it, by reading every document at each call. Ranks are not compared. */

const ALL = 1_000_000;
const VOCABULARIES = currentVocabularies();

interface Known {
  row: RecordBody;
  document: SearchDocument;
  /** Of a session. */
  added?: string;
}

const SEARCHED = ['series', 'place', 'facility'] as const;
const KINDS = [...SEARCHED, 'session'] as const;

export class PlainIndex implements SearchReader {
  readonly #read: Reader;

  constructor(read: Reader) {
    this.#read = read;
  }

  async #documents(kind: RecordKind): Promise<Known[]> {
    if (kind === 'session') return this.#ofSessions();
    const calendars = await this.#read.calendars({ kind, limit: ALL });
    const rows = await Promise.all(calendars.map(({ record }) => this.#read.recordById(record)));
    const known = rows.filter((row) => row !== undefined).sort((a, b) => a.id - b.id);
    return Promise.all(known.map(async (row) => ({ row, document: await this.#document(row) })));
  }

  /** Sessions that say something themselves, with which they are found otherwise than their series. */
  async #ofSessions(): Promise<Known[]> {
    const known: Known[] = [];
    for (const series of await this.#documents('series'))
      for (const one of await this.#sessionsOf(series.row)) {
        const [own, others] = [documentRow(one.document), documentRow(series.document)];
        const isElsewhere = (one.row.venue ?? series.row.venue) !== series.row.venue;
        const added = addedTerms(own, others, isElsewhere);
        if (hasOwnDetails(recordOf(one.row) as Session) && added !== '') known.push({ ...one, added });
      }
    return known.sort((a, b) => a.row.id - b.row.id);
  }

  /** Every session of a series with what it inherits, but for the own event of a HeadlineEvent. */
  async #sessionsOf(row: RecordBody): Promise<Known[]> {
    const series = await effectiveSeries(this.#read, row);
    const around = await namedPlace(this.#read, row);
    const known: Known[] = [];
    for (const { row: bare, session } of await sessionsOf(this.#read, row.id)) {
      const own = (await this.#read.recordById(bare.id)) as RecordBody;
      const isThere = (recordOf(own) as Session).details.location === undefined;
      const place = isThere ? around : await namedPlace(this.#read, own);
      if (session.id !== series.id) known.push({ row: own, document: sessionDocument(series, session, place) });
    }
    return known;
  }

  async #document(row: RecordBody): Promise<SearchDocument> {
    if (row.kind === 'series') {
      const series = await effectiveSeries(this.#read, row);
      const place = await namedPlace(this.#read, row);
      const zone = await withFound(this.#read, row, (find) => zoneOfSeries(series, find)?.id);
      return seriesDocument(series, place, VOCABULARIES, zone ?? statedZone(series));
    }
    const { record, around } = venueIn(await storedVenue(this.#read, row));
    const zone = knownZone(
      record.kind === 'place' ? placeWhereabouts(record) : facilityWhereabouts(record, around),
    )?.id;
    if (record.kind === 'place') return placeDocument(record, zone);
    return searchDocument(record.details, around, VOCABULARIES, zone);
  }

  async #found(query: SearchQuery): Promise<Known[]> {
    const { kind, records, venues } = query;
    const usual = new Map<number, number | undefined>();
    if (kind === 'session') for (const { row } of await this.#documents('series')) usual.set(row.id, row.venue);
    return (await this.#documents(kind)).filter(
      ({ row, document, added }) =>
        (added === undefined || addsWanted(added, query)) &&
        (records === undefined || records.includes((kind === 'session' ? row.parent : row.id) ?? 0)) &&
        (venues === undefined || venues.includes(row.venue ?? usual.get(row.parent ?? 0) ?? 0)) &&
        (!asksDocument(query) || matchesDocument(document, query)),
    );
  }

  /** By series, the sessions that have what is asked for, of all series that have not. */
  async #foundByThemselves(query: SearchQuery, others: ReadonlySet<number>): Promise<Map<number, Set<number>>> {
    const found = new Map<number, Set<number>>();
    for (const { row: series } of await this.#documents('series')) {
      if (others.has(series.id) || query.records?.includes(series.id) === false) continue;
      const sessions = await this.#sessionsOf(series);
      const isThere = ({ row }: Known) => query.venues?.includes(row.venue ?? series.venue ?? 0) ?? true;
      const rows = sessions.filter((one) => matchesDocument(one.document, query) && isThere(one));
      found.set(series.id, new Set(rows.map(({ row }) => row.id)));
    }
    return found;
  }

  async search(query: SearchQuery, limit: number): Promise<SearchHit[]> {
    return (await this.#found(query)).map(({ row }) => ({ record: row.id, rank: 0 })).slice(0, limit);
  }

  async countFound(query: SearchQuery, most: number): Promise<number> {
    return Math.min(most, (await this.#found(query)).length);
  }

  async foundOccurrences(...[query, window]: Parameters<SearchReader['foundOccurrences']>): Promise<FoundOccurrence[]> {
    const { from, to, limit, cancelled = false, endsAfter = Number.NEGATIVE_INFINITY } = window;
    const found: FoundOccurrence[] = [];
    const rows = (await this.#found(query)).map(({ row }) => row);
    if (query.kind === 'session') {
      const sessions = new Set(rows.map(({ id }) => id));
      for (const series of new Set(rows.flatMap(({ parent }) => parent ?? [])))
        found.push(...(await this.#occurrences(series)).filter(({ session = 0 }) => sessions.has(session)));
    } else {
      for (const { id } of rows) found.push(...(await this.#occurrences(id)));
      for (const [series, sessions] of await this.#foundByThemselves(query, new Set(rows.map(({ id }) => id)))) {
        const own = (await this.#occurrences(series)).filter(({ session = 0 }) => sessions.has(session));
        found.push(...own.map((one) => ({ ...one, byItself: true as const })));
      }
    }
    const shown = found
      .filter((one) => one.start >= from && one.start < to && (cancelled || !one.cancelled))
      .filter(({ start, end = start }) => end > endsAfter)
      .sort(
        (a, b) =>
          a.start - b.start ||
          a.series - b.series ||
          (a.session ?? 0) - (b.session ?? 0) ||
          (a.schedule ?? 0) - (b.schedule ?? 0),
      );
    const last = shown[limit - 1];
    return last === undefined ? shown : shown.filter(({ start }) => start <= last.start);
  }

  async countWithin(query: SearchQuery): Promise<number> {
    return (await this.#found(query)).length;
  }

  async #occurrences(series: number): Promise<FoundOccurrence[]> {
    const generated = await this.#read.occurrences(series);
    const explicit = await sessionsOf(this.#read, series);
    const replaced = new Map(generated.map((one) => [one.session, one]));
    return [
      ...generated
        .filter(({ session }) => session === undefined)
        .map(({ start, end, schedule }): FoundOccurrence => ({ series, start, end, schedule, cancelled: false })),
      ...explicit.flatMap(({ row, session }): FoundOccurrence[] => {
        const instance = replaced.get(row.id);
        const { start = instance?.start, end } = session;
        if (start === undefined) return [];
        return [{ series, start, ...(end !== undefined && { end }), session: row.id, cancelled: isCancelled(session) }];
      }),
    ];
  }

  async searchFacts(records: readonly number[]): Promise<Map<number, SearchFacts>> {
    const facts = new Map<number, SearchFacts>();
    for (const kind of ['series', 'place', 'facility'] as const) {
      for (const { row, document } of await this.#documents(kind)) {
        if (!records.includes(row.id)) continue;
        const { zone, latitude, longitude } = document;
        facts.set(row.id, {
          record: row.id,
          ...(zone !== undefined && { zone }),
          ...(latitude !== undefined && longitude !== undefined && { latitude, longitude }),
          ...(row.venue !== undefined && { venue: row.venue }),
          ...(row.kind === 'series' && (recordOf(row) as Series).status === 'EventCancelled' && { cancelled: true }),
        });
      }
    }
    return facts;
  }

  async activityTerms(records: readonly number[]): Promise<Map<number, readonly string[]>> {
    const all = await Promise.all(KINDS.map((kind) => this.#documents(kind)));
    const wanted = all.flat().filter(({ row }) => records.includes(row.id));
    return new Map(wanted.map(({ row, document }) => [row.id, document.activities.map(activityTerm)]));
  }

  async positionOf(list: KeyList, key: string): Promise<{ latitude: number; longitude: number } | undefined> {
    const all = await Promise.all(SEARCHED.map((kind) => this.#documents(kind)));
    const there = all.flat().filter(({ document }) => document[list].includes(key) && document.latitude !== undefined);
    const mean = (of: (document: SearchDocument) => number | undefined) =>
      there.reduce((sum, { document }) => sum + (of(document) ?? 0), 0) / there.length;
    return there.length === 0
      ? undefined
      : { latitude: mean((one) => one.latitude), longitude: mean((one) => one.longitude) };
  }

  async wordsLike(word: string): Promise<string[]> {
    const all = await Promise.all(KINDS.map((kind) => this.#documents(kind)));
    const words = new Set(all.flat().flatMap(({ document }) => document.words));
    return [...words].filter((one) => isTypingError(word, one)).sort();
  }

  async searchZones(): Promise<string[]> {
    const all = await Promise.all(KINDS.map((kind) => this.#documents(kind)));
    return [...new Set(all.flat().flatMap(({ document }) => document.zone ?? []))].sort();
  }
}

/** Whether a session that adds this to its series is found by something of it (`test/store/sql/added-terms.test.ts`). */
export function addsWanted(added: string, query: SearchQuery): boolean {
  const wanted = wantedAdditions(query);
  const terms = added.split(' ');
  const has = ({ term, prefix }: (typeof wanted)[number]) =>
    terms.some((one) => (prefix ? one.startsWith(term) : one === term));
  return wanted.length === 0 || wanted.some(has);
}

function isCancelled({ status, statusStated }: Session): boolean {
  return status === 'EventCancelled' && statusStated !== false;
}
