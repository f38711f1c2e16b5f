import { isDeepStrictEqual } from 'node:util';
import { planSeries } from '../calendar/series/plan.ts';
import { sessionUid } from '../calendar/uid.ts';
import {
  type BareSession,
  type CalendarRow,
  type Deferred,
  type FeedRow,
  IN_SESSIONS,
  isShown,
  META,
  type RecordBody,
  type StoredEvents,
  type StoredSession,
  storedSessions,
  storedVenue,
  type Writer,
} from '../store/index.ts';
import { eventHash, headerOf, type KnownStamps } from './changed-events.ts';
import { type RevisionContext, RULES_VERSION, type ShownSeries, shownSeries } from './context.ts';
import { openingStamps } from './opening-stamps.ts';

/** Stands for the hash of an event by older rules that cannot be made again: it equals no hash, so the event changed. */
const UNKNOWN = 'unknown';

/**
 * Stamps of calendars before a transaction. Where the store has a deferred hash (`store/contract/stored-hash.ts`), the hash
 * is made from the rows as they were before the transaction (`Writer.before`).
 */
export class Before {
  readonly #tx: Writer;
  readonly #context: RevisionContext;
  #feeds: Promise<FeedRow[]> | undefined;

  constructor(tx: Writer, context: RevisionContext) {
    this.#tx = tx;
    this.#context = context;
  }

  /** The stamps of sessions, for a series without a Schedule: its calendar has them in the rows of its sessions. */
  async stamps(series: number, stored: readonly StoredSession[]): Promise<KnownStamps> {
    const shown = stored.filter(({ row }) => isShown(row.hash));
    const rows = shown.map(({ row }) => row);
    const hashes = await this.hashes(series, rows);
    return Object.fromEntries(
      shown.map(({ row: { id, hash, sequence, changed }, session }) => [
        sessionUid(session.id),
        [hash.kind === 'hash' ? hash.hash : hashes.get(id), sequence, changed],
      ]),
    );
  }

  /** Hashes of sessions with deferred hashes, by row; none for those stamped in this transaction. */
  async hashes(series: number, rows: readonly Pick<BareSession, 'id' | 'hash'>[]): Promise<Map<number, string>> {
    const earlier: RecordBody[] = [];
    for (const { id, hash } of rows) {
      const row = hash.kind === 'deferred' ? await this.#tx.before.recordById(id) : undefined;
      if (row?.parent === series && isDeepStrictEqual(row.hash, hash)) earlier.push(row);
    }
    if (earlier.length === 0) return new Map();
    return this.#tolerant(() => this.#hashes(series, earlier), new Map(earlier.map(({ id }) => [id, UNKNOWN])));
  }

  async #hashes(series: number, earlier: readonly RecordBody[]): Promise<Map<number, string>> {
    const found = new Map<number, string>();
    const shown = await this.#series(series);
    if (shown === undefined) return found;
    for (const [today, rows] of Map.groupBy(earlier, (row) => (row.hash as Deferred).since)) {
      const stored = await storedSessions(this.#tx.before, series, rows);
      const sessions = stored.map(({ session }) => session);
      const { events } = planSeries(shown.series, sessions, { ...shown.options, today });
      const hashes = new Map(events.map((event) => [event.uid, eventHash([event])]));
      for (const { row, session } of stored) found.set(row.id, hashes.get(sessionUid(session.id)) ?? '');
    }
    return found;
  }

  /** Hash of the header of a calendar; undefined: this transaction made the calendar. */
  async header({ record, header }: Pick<CalendarRow, 'record' | 'header'>): Promise<string | undefined> {
    if (header !== undefined) return header;
    return this.#tolerant(async () => {
      const shown = await this.#series(record);
      return shown && headerOf(shown);
    }, UNKNOWN);
  }

  /** The stamps of a venue's opening hours; where this transaction made the calendar, those of `now`. */
  async opening(calendar: Omit<CalendarRow, 'seq'>, now?: RecordBody): Promise<StoredEvents> {
    const { events } = calendar;
    if (events.kind !== 'deferred') return events;
    const row = (await this.#tx.before.recordById(calendar.record)) ?? now;
    if (row === undefined) return IN_SESSIONS;
    const context = await this.#contextBefore();
    const compose = { ...context.compose, today: events.since };
    return this.#tolerant(async () => {
      const venue = await storedVenue(this.#tx.before, row);
      return openingStamps(venue, IN_SESSIONS, calendar, { ...context, compose }).events;
    }, IN_SESSIONS);
  }

  async #series(id: number): Promise<ShownSeries | undefined> {
    const row = await this.#tx.before.recordById(id);
    return row && shownSeries(this.#tx.before, row, await this.#contextBefore());
  }

  async #contextBefore(): Promise<RevisionContext> {
    this.#feeds ??= this.#tx.before.feeds();
    return { ...this.#context, feeds: new Map((await this.#feeds).map((feed) => [feed.url, feed])) };
  }

  async #tolerant<T>(make: () => Promise<T>, otherwise: T): Promise<T> {
    try {
      return await make();
    } catch (error) {
      if ((await this.#tx.before.meta(META.rules)) === RULES_VERSION) throw error;
      return otherwise;
    }
  }
}
