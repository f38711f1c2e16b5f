import { compareText } from '../../opportunity/ids.ts';
import { type Details, defined, inherit, statusIn, type TimedSession } from '../../opportunity/records.ts';
import { explicit } from '../../recurrence/overlay.ts';
import { withInstanceTimes } from '../../recurrence/replacements.ts';
import {
  type FoundOccurrence,
  type Reader,
  recordOf,
  type SearchFacts,
  type SearchQuery,
  sessionQueries,
  storedSession,
} from '../../store/index.ts';
import { DAY_MS } from '../../time/days.ts';
import type { Instant } from '../../time/instant.ts';
import type { BareOccurrence, Batch, CountedBatch, Hit, ListPosition, Wanted } from './hits.ts';
import { KnownRecords } from './known-series.ts';
import { needsRecord, ownDetails, sessionMatches } from './own-details.ts';
import type { LocalTimes } from './query/local-times.ts';
import { detailsAsked } from './query/matching.ts';
import { type Order, piecesOf, type Tied, tieOf, tiesOf } from './ties.ts';

/** The most rows of the index that one answer reads: about a second's work. */
const MOST_ROWS = 50_000;
/** The bound up to which the limit of one read grows. */
const MOST_AT_ONCE = 4_000;
/** The first read within the window is for at least this part of `size`, because not all found rows become hits. */
const PART = 4;
/** Occurrences that began longer before the window are not read, even if they go on in it. */
export const LONGEST = 366 * DAY_MS;
/** More occurrences with one start are ordered first, so that only the records of the page are read. */
const MOST_TOGETHER = 50;

/** Finds occurrences in the index, and reads from records what the index does not have. */
export class Finder {
  readonly #read: Reader;
  readonly #zone: string;
  readonly #facts = new Map<number, SearchFacts>();
  readonly records: KnownRecords;

  /** `zone`: the default zone. */
  constructor(read: Reader, zone: string) {
    this.#read = read;
    this.#zone = zone;
    this.records = new KnownRecords(read);
  }

  /**
   * Hits by start, then by `wanted.order`. `size`: about how many the caller wants. `after`: the position behind which they
   * begin.
   */
  async *batches(wanted: Wanted, size: number, after?: ListPosition): AsyncGenerator<Batch> {
    let rows = 0;
    for await (const { found, isEnd, upTo } of this.#rows(wanted, size, defined({ after: after?.at }))) {
      rows += found.length;
      const accepted = await this.#accepted(found, wanted);
      const parts = await this.#parts(accepted, size, wanted.order, after);
      for (const [index, part] of parts.entries()) {
        const isLast = index === parts.length - 1;
        const hits = await this.#hits(part, wanted, accepted);
        if (!isLast) yield { hits, upTo: part.at(-1)?.start as Instant };
        else yield { hits, ...(!isEnd && { upTo }) };
      }
      if (rows >= MOST_ROWS && !isEnd) return;
    }
  }

  /** Whether anything is found. */
  async findsOne(wanted: Wanted): Promise<boolean> {
    for await (const { hits } of this.batches(wanted, 1)) if (hits.length > 0) return true;
    return false;
  }

  /**
   * All occurrences that `batches` finds. `bare` has those about which the index tells everything. `hits` has those that may
   * differ from their series, in what the query asks for or in one of `details`. `size`: about how many one batch has.
   */
  async *counted(wanted: Wanted, size: number, details: readonly (keyof Details)[]): AsyncGenerator<CountedBatch> {
    let rows = 0;
    for await (const { found, isEnd } of this.#rows(wanted, size)) {
      rows += found.length;
      const accepted = await this.#accepted(found, wanted);
      const facts = await this.#factsOf(accepted);
      const isOwn = ownDetails([...detailsAsked(wanted.query), ...details]);
      const bodies = await this.#read.bodies(accepted.flatMap(({ session }) => session ?? []));
      const [bare, read]: [BareOccurrence[], FoundOccurrence[]] = [[], []];
      for (const one of accepted) {
        const { series, session } = one;
        const known: Partial<SearchFacts> = facts.get(series) ?? {};
        const { zone = this.#zone, venue, cancelled = false } = known;
        const isOther = needsRecord(one) || one.byItself || (session !== undefined && isOwn(bodies.get(session)));
        if (isOther || (cancelled && !wanted.cancelled)) read.push(one);
        else bare.push({ ...one, zone, ...(venue !== undefined && { venue }) });
      }
      yield { bare, hits: await this.#hits(read, wanted, accepted), isEnd };
      if (rows >= MOST_ROWS && !isEnd) return;
    }
  }

  /** Series with sessions that match by themselves (`sessionQueries`): `most` at most, for each query by start. */
  async seriesOfSessions(wanted: Wanted, most: number): Promise<Set<number>> {
    const series = new Set<number>();
    for (const query of sessionQueries(wanted.query)) {
      let rows = 0;
      for await (const { found } of this.#rows({ ...wanted, query }, most)) {
        rows += found.length;
        for (const one of found) if (series.size < most) series.add(one.series);
        if (series.size === most || rows >= MOST_ROWS) break;
      }
    }
    return series;
  }

  /** The first occurrence of each of some series; none for a series without one. */
  async firstOfEach(wanted: Wanted, series: readonly number[]): Promise<Map<number, Hit>> {
    const first = new Map<number, Hit>();
    const isBySession = (row: number) => wanted.bySessions?.has(row) === true;
    for (const [, rows] of Map.groupBy(series, isBySession)) await this.#addFirst(first, wanted, rows);
    return first;
  }

  async #addFirst(first: Map<number, Hit>, wanted: Wanted, series: readonly number[]): Promise<void> {
    const among = new Set(series);
    for await (const { found } of this.#rows(wanted, 0, { among })) {
      let left = await this.#accepted(found, wanted);
      while (left.length > 0) {
        const next = earliestOfEach(left);
        const hits = await this.#hits(next, wanted);
        for (const hit of hits) if (!first.has(hit.found.series)) first.set(hit.found.series, hit);
        const tried = new Set(next);
        left = left.filter((one) => !tried.has(one) && !first.has(one.series));
      }
      for (const row of among) if (first.has(row)) among.delete(row);
      if (among.size === 0) break;
    }
  }

  /**
   * Rows of the index by start, first those that began before the window. `among`: only rows of these series; the caller may
   * remove some.
   */
  async *#rows(wanted: Wanted, size: number, { after, among }: { after?: Instant; among?: ReadonlySet<number> } = {}) {
    const { times, cancelled } = wanted;
    const { weekly, from: begin, to: end } = times;
    const isFew = among !== undefined;
    let from = earliestOf(times, after);
    let limit = !isFew ? size : times.isFiltering ? MOST_AT_ONCE : among.size;
    for (let isFirst = true; from < end; isFirst = false) {
      const isRunning = from < begin;
      const window = windowAt(from, times, { isFew, isFirst });
      const asks = { ...window, limit, cancelled, ...defined({ weekly }), ...(isRunning && { endsAfter: begin }) };
      const found = window.from < window.to ? await this.#read.foundOccurrences(queryAmong(wanted, among), asks) : [];
      const upTo = found.length < limit ? Math.max(from, window.to - 1) : (found.at(-1)?.start as Instant);
      const isEnd = upTo >= end - 1;
      yield { found, isEnd, upTo };
      if (isEnd) return;
      from = upTo + 1;
      // A limit that was not reached is large enough.
      if (found.length >= limit) limit = Math.min(limit * 2, Math.max(size, MOST_AT_ONCE));
      // Occurrences that are on already count towards `size`.
      else if (isRunning && !isFew) limit = Math.max(Math.ceil(size / PART), size - found.length);
    }
  }

  /** Rows whose times the filters accept, and rows whose times only the record tells. */
  async #accepted(found: readonly FoundOccurrence[], { times }: Wanted): Promise<FoundOccurrence[]> {
    if (!times.isFiltering) return [...found];
    const anywhere = new Map(
      found.map((one) => {
        const { start, end = start } = one;
        return [one, needsRecord(one) || times.acceptsAnywhere({ start, end })];
      }),
    );
    const zones = await this.#zonesOf(found.filter((one) => anywhere.get(one) === undefined));
    return found.filter((one) => {
      const { start, end = start } = one;
      return anywhere.get(one) ?? times.accepts({ start, end, zone: zones(one.series) });
    });
  }

  /**
   * Rows in parts, each of which is read with its records at once. Rows with the same start are in one part, unless they are
   * many.
   */
  async #parts(
    found: readonly FoundOccurrence[],
    size: number,
    order: Order | undefined,
    after: ListPosition | undefined,
  ): Promise<FoundOccurrence[][]> {
    const parts: FoundOccurrence[][] = [[]];
    for (const [start, together] of Map.groupBy(found, (one) => one.start)) {
      if (together.length > MOST_TOGETHER) {
        const ties = await tiesOf(this.#read, together, order);
        const isBefore = ([, tie]: Tied) => start === after?.at && tie <= (after.tie ?? '');
        parts.push(
          ...piecesOf(
            ties.filter((one) => !isBefore(one)),
            size,
          ),
        );
      } else if ((parts.at(-1)?.length ?? 0) < size) parts.at(-1)?.push(...together);
      else parts.push(together);
    }
    const some = parts.filter(({ length }) => length > 0);
    return some.length === 0 ? [[]] : some;
  }

  /**
   * The hits of some rows, without the event of a HeadlineEvent that one of its parts covers. `around`: rows that may be such
   * parts.
   */
  async #hits(found: readonly FoundOccurrence[], wanted: Wanted, around = found): Promise<Hit[]> {
    const hits = await this.#wantedOf(found, wanted);
    const own = hits.filter(isOwnEvent);
    if (own.length === 0) return hits;
    const covered = new Set<Hit>();
    for (const one of own) {
      const { series, start, session } = one.found;
      const beside = around.filter(
        (other) => other.series === series && other.start === start && other.session !== session,
      );
      if (beside.length === 0) continue;
      if ((await this.#wantedOf(beside, wanted)).some((part) => covers(part, one))) covered.add(one);
    }
    return hits.filter((one) => !covered.has(one));
  }

  async #wantedOf(found: readonly FoundOccurrence[], wanted: Wanted): Promise<Hit[]> {
    const zones = await this.#zonesOf(found);
    const bodies = await this.#read.bodies(found.flatMap(({ session }) => session ?? []));
    await this.records.readAll(found.map(({ series }) => series));
    const hits: Hit[] = [];
    for (const one of found) {
      const hit = await this.#hit(one, bodies, zones(one.series));
      if (hit === undefined || !(await this.#isWanted(hit, wanted))) continue;
      hits.push({ ...hit, tie: tieOf(one, { ...hit.occurrence, series: hit.known.series.id }, wanted.order) });
    }
    return hits.sort(byStartAndTie);
  }

  async #factsOf(found: readonly FoundOccurrence[]): Promise<ReadonlyMap<number, SearchFacts>> {
    const unknown = [...new Set(found.map(({ series }) => series))].filter((series) => !this.#facts.has(series));
    if (unknown.length > 0)
      for (const [row, facts] of await this.#read.searchFacts(unknown)) this.#facts.set(row, facts);
    return this.#facts;
  }

  async #zonesOf(found: readonly FoundOccurrence[]): Promise<(series: number) => string> {
    const facts = await this.#factsOf(found);
    return (series) => facts.get(series)?.zone ?? this.#zone;
  }

  async #hit(
    found: FoundOccurrence,
    bodies: ReadonlyMap<number, string>,
    zone: string,
  ): Promise<Omit<Hit, 'tie'> | undefined> {
    const known = await this.records.series(found.series);
    if (known === undefined) return undefined;
    const { series, makerOf } = known;
    if (found.session === undefined) {
      const { start, end = start, schedule = 0 } = found;
      const occurrence = makerOf(schedule)?.({ start, end });
      return occurrence && { found, known, occurrence, details: series.details, zone };
    }
    const body = bodies.get(found.session);
    if (body === undefined) return undefined;
    const stored = await storedSession(this.#read, recordOf({ body }) as TimedSession, series);
    const { instance } = found;
    const session = instance
      ? withInstanceTimes(stored, instance.start, instance.end - instance.start)
      : (stored as TimedSession);
    const details = inherit(series.details, session.details, true);
    return { found, known, occurrence: explicit(series, session, undefined), session, details, zone };
  }

  async #isWanted(hit: Omit<Hit, 'tie'>, { query, times, cancelled, bySessions }: Wanted): Promise<boolean> {
    const { found, occurrence, session, zone, known } = hit;
    if (!cancelled && statusIn(known.series, session) === 'EventCancelled') return false;
    if (!times.accepts({ ...occurrence, zone })) return false;
    const own = session?.details ?? {};
    const isByItself = found.byItself === true || bySessions?.has(found.series) === true;
    if (!detailsAsked(query).some((name) => own[name] !== undefined)) return !isByItself;
    return sessionMatches(this.#read, { found, known, session: session as TimedSession }, query);
  }
}

/** The query for rows of some series that match. Series that match by sessions alone are asked for with the whole query. */
function queryAmong({ query, bySessions }: Wanted, among: ReadonlySet<number> | undefined): SearchQuery {
  if (among === undefined) return query;
  const records = [...among];
  const isBySessions = bySessions !== undefined && records.every((row) => bySessions.has(row));
  return isBySessions ? { ...query, records } : { kind: query.kind, records };
}

/** The earliest start that is read. It is before the window, because an occurrence may go on in it. */
function earliestOf({ from: begin, earliestStart }: LocalTimes, after = Number.NEGATIVE_INFINITY): Instant {
  const earliest = Math.max(after, begin - LONGEST, earliestStart);
  return earliest < begin ? earliest : Math.max(after, begin);
}

/**
 * The starts that are read next: up to the beginning of the window, up to its end, or one stretch of accepted times. They are
 * read without stretches where the index leaves out other times of a week, for few series, and for the first read before the
 * window.
 */
function windowAt(
  from: Instant,
  times: LocalTimes,
  { isFew, isFirst }: { isFew: boolean; isFirst: boolean },
): { from: Instant; to: Instant } {
  const isRunning = from < times.from;
  const last = isRunning ? times.from : times.to;
  const isWhole = times.weekly !== undefined || isFew || (isRunning && isFirst);
  if (isWhole && (isRunning || isFew)) return { from, to: last };
  // Times of a week are widened by all offsets of a year, a stretch only by those of its dates.
  const next = times.stretch(from);
  return { from: next.from, to: isWhole ? last : Math.min(next.to, last) };
}

/** The occurrences of each series with its earliest start. `found`: by start. */
function earliestOfEach(found: readonly FoundOccurrence[]): FoundOccurrence[] {
  const starts = new Map(found.toReversed().map(({ series, start }) => [series, start]));
  return found.filter(({ series, start }) => starts.get(series) === start);
}

function isOwnEvent({ known: { series }, session }: Hit): boolean {
  return series.type === 'HeadlineEvent' && session?.id === series.id;
}

/** Whether a part of a HeadlineEvent has the times of the event itself, which is then left out (semantics 4.9). */
function covers({ session }: Hit, own: Hit): boolean {
  return session !== undefined && session.end === own.session?.end;
}

function byStartAndTie(a: Hit, b: Hit): number {
  return a.occurrence.start - b.occurrence.start || compareText(a.tie, b.tie);
}
