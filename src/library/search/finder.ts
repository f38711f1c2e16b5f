import { type Details, inherit, statusIn, type TimedSession } from '../../opportunity/records.ts';
import { timedBy } from '../../recurrence/claim.ts';
import { explicit, type Occurrence } from '../../recurrence/overlay.ts';
import { currentVocabularies, searchDocument } from '../../search/document.ts';
import { type FoundOccurrence, type Reader, recordOf, type SearchQuery, storedSession } from '../../store/index.ts';
import { DAY_MS } from '../../time/days.ts';
import type { Instant } from '../../time/instant.ts';
import { KnownRecords, type KnownSeries } from './known-series.ts';
import type { LocalTimes } from './query/local-times.ts';
import { asksDocument, matchesDocument } from './query/matching.ts';

/** An occurrence that all filters accept. */
export interface Hit {
  found: FoundOccurrence;
  known: KnownSeries;
  occurrence: Occurrence;
  session?: TimedSession;
  /** Of the occurrence, with everything inherited. */
  details: Details;
  /** Of its local times. */
  zone: string;
}

/** Hits by start, then id. */
export interface Batch {
  hits: Hit[];
  /** All that start by then have been found; undefined: there are no more. */
  upTo?: Instant;
}

export interface Wanted {
  query: SearchQuery;
  times: LocalTimes;
  cancelled: boolean;
  /** Only these series, which the query is known to find. */
  among?: readonly number[];
}

/** Rows that one answer reads of the index: about a second's work. */
const MOST_ROWS = 50_000;
const MOST_AT_ONCE = 4_000;

/** Details that are searched: a session that has some of its own is found by these. */
const SEARCHED = [
  'name',
  'activity',
  'category',
  'programme',
  'location',
  'organizer',
  'leader',
  'level',
  'description',
  'offers',
  'ageRange',
  'gender',
  'attendance',
  'virtualLocation',
  'accessibilitySupport',
] as const satisfies readonly (keyof Details)[];

/** Finds occurrences in the index, and reads of the records what the index does not know. */
export class Finder {
  readonly #read: Reader;
  readonly #zone: string;
  readonly #zones = new Map<number, string>();
  readonly records: KnownRecords;

  /** `zone`: the default. */
  constructor(read: Reader, zone: string) {
    this.#read = read;
    this.#zone = zone;
    this.records = new KnownRecords(read);
  }

  /** From `after` on, what starts then included. `size`: about as many as are wanted. */
  async *batches(wanted: Wanted, size: number, after = Number.NEGATIVE_INFINITY): AsyncGenerator<Batch> {
    const { times, cancelled } = wanted;
    const query = asked(wanted);
    let [limit, rows] = [size, 0];
    for (const found of after < times.from ? runsOf(await this.#running(wanted, query, after), size) : []) {
      rows += found.length;
      yield { hits: await this.#hits(found, wanted), upTo: found.at(-1)?.start as Instant };
    }
    for (let from = Math.max(times.from, after); from < times.to; ) {
      const stretch = times.stretch(from);
      const found = await this.#read.foundOccurrences(query, { ...stretch, limit, cancelled });
      const upTo = found.length >= limit ? (found.at(-1)?.start as Instant) : stretch.to - 1;
      const isEnd = found.length < limit && stretch.to >= times.to;
      const hits = await this.#hits(found, wanted);
      rows += found.length;
      yield { hits, ...(!isEnd && { upTo }) };
      if (isEnd || rows >= MOST_ROWS) return;
      from = upTo + 1;
      limit = Math.min(limit * 2, MOST_AT_ONCE);
    }
  }

  /** What began before the window and ends in it, from `after` on. */
  async #running({ times, cancelled }: Wanted, query: SearchQuery, after: Instant): Promise<FoundOccurrence[]> {
    const found = await this.#read.runningOccurrences(query, times.from, cancelled);
    return found.filter(({ start }) => start >= after);
  }

  async #hits(found: readonly FoundOccurrence[], wanted: Wanted): Promise<Hit[]> {
    const zones = await this.#zonesOf(found);
    const near = found.filter((one) => {
      const { start, end = start } = one;
      return isKnownLater(one) || wanted.times.accepts({ start, end, zone: zones.get(one.series) as string });
    });
    const bodies = await this.#read.bodies(near.flatMap(({ session }) => session ?? []));
    const hits: Hit[] = [];
    for (const one of near) {
      const hit = await this.#hit(one, bodies, zones.get(one.series) as string);
      if (hit !== undefined && (await this.#isWanted(hit, wanted))) hits.push(hit);
    }
    return uncovered(hits).sort(byStartAndId);
  }

  async #zonesOf(found: readonly FoundOccurrence[]): Promise<ReadonlyMap<number, string>> {
    const unknown = [...new Set(found.map(({ series }) => series))].filter((series) => !this.#zones.has(series));
    const facts = unknown.length === 0 ? new Map() : await this.#read.searchFacts(unknown);
    for (const series of unknown) this.#zones.set(series, facts.get(series)?.zone ?? this.#zone);
    return this.#zones;
  }

  async #hit(found: FoundOccurrence, bodies: ReadonlyMap<number, string>, zone: string): Promise<Hit | undefined> {
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
      ? timedBy(stored, instance.start, instance.end - instance.start)
      : (stored as TimedSession);
    const details = inherit(series.details, session.details, true);
    return { found, known, occurrence: explicit(series, session, undefined), session, details, zone };
  }

  async #isWanted(hit: Hit, { query, times, cancelled }: Wanted): Promise<boolean> {
    const { occurrence, session, details, zone, known } = hit;
    if (!cancelled && statusIn(known.series, session) === 'EventCancelled') return false;
    if (!times.accepts({ ...occurrence, zone })) return false;
    const own = session?.details ?? {};
    if (!SEARCHED.some((name) => own[name] !== undefined)) return true;
    const place = await this.records.placeOf(details, known.row.venue);
    const isThere = own.location === undefined || query.venues === undefined || query.venues.includes(place?.row ?? 0);
    if (!isThere) return false;
    return (
      !asksDocument(query) || matchesDocument(searchDocument(details, place?.place, currentVocabularies(), zone), query)
    );
  }
}

function asked({ query, among }: Wanted): SearchQuery {
  return among === undefined ? query : { kind: query.kind, records: among };
}

/** As many at once, those that start together too. */
function runsOf(found: readonly FoundOccurrence[], size: number): FoundOccurrence[][] {
  const runs: FoundOccurrence[][] = [];
  for (const one of found) {
    const run = runs.at(-1);
    if (run !== undefined && (run.length < size || run.at(-1)?.start === one.start)) run.push(one);
    else runs.push([one]);
  }
  return runs;
}

/** Only the record says whether it is of whole days, and when it ends by the instance that it replaces. */
function isKnownLater({ start, session, instance }: FoundOccurrence): boolean {
  return session !== undefined && (instance !== undefined || start % DAY_MS === 0);
}

/** Without the own event of a HeadlineEvent where a part is on at the same times (semantics 4.9). */
function uncovered(hits: Hit[]): Hit[] {
  const isOwn = ({ known: { series }, session }: Hit) => series.type === 'HeadlineEvent' && session?.id === series.id;
  const isSame = (a: Hit, b: Hit) =>
    a !== b &&
    b.session !== undefined &&
    a.known === b.known &&
    a.occurrence.start === b.occurrence.start &&
    a.session?.end === b.session.end;
  return hits.some(isOwn) ? hits.filter((one) => !isOwn(one) || !hits.some((other) => isSame(one, other))) : hits;
}

/** What orders those that start together: the id, then what keeps the order the same. */
export function tieOf({ occurrence: { id = '', session = '', schedule }, known: { calendar } }: Hit): string {
  return [id, calendar.key, session, schedule ?? ''].join('\n');
}

/** By start, then id. */
export function byStartAndId(a: Hit, b: Hit): number {
  return a.occurrence.start - b.occurrence.start || compareText(tieOf(a), tieOf(b));
}

export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
