import { seriesCalendar } from '../calendar/header.ts';
import type { Calendar } from '../calendar/objects.ts';
import { cancelledSince, certainty } from '../calendar/series/context.ts';
import { planSeries, sessionUid } from '../calendar/series/plan.ts';
import type { Session } from '../opportunity/records.ts';
import {
  type BareSession,
  type CalendarRow,
  type Deferred,
  deferred,
  type FeedRow,
  HIDDEN,
  IN_SESSIONS,
  META,
  type RecordBody,
  type Stamp,
  type StoredEvents,
  type StoredHash,
  storedSessions,
  storedVenue,
  type Writer,
} from '../store/index.ts';
import type { Instant } from '../time/instant.ts';
import { type RevisionContext, RULES_VERSION, type ShownSeries, shownSeries } from './context.ts';
import { eventHash, type Next } from './event-stamps.ts';
import { openingStamps } from './opening-stamps.ts';

/**
 * What calendars showed before a transaction. A thing that is shown for the first time is compared with nothing, so nothing
 * is made of it but a deferred hash (`store/contract/stored-hash.ts`). What it showed is found out when a change asks for it, from the rows
 * as they were before that change (`Writer.before`).
 */

/** Of what cannot be read any more: no hash is like that. */
export const UNKNOWN = 'unknown';

/** What calendars showed before this transaction. */
export class Before {
  /** The hash of what is seen now for the first time. */
  readonly hash: Deferred;
  readonly #tx: Writer;
  readonly #context: RevisionContext;
  readonly #cancelledSince: Instant;
  #feeds: Promise<FeedRow[]> | undefined;
  #last: { series: number; shown: Promise<ShownSeries | undefined> } | undefined;

  constructor(tx: Writer, context: RevisionContext) {
    const { today } = context.compose;
    this.hash = deferred(today);
    this.#tx = tx;
    this.#context = context;
    this.#cancelledSince = cancelledSince(today);
  }

  /** The stamp of a session that was not seen before, by its row alone; undefined: that is yet to be found out. */
  firstStamp(mayBeOff: boolean, { revision, changed }: Next): (session: BareSession) => Stamp | undefined {
    const stamps = {
      shown: { hash: this.hash, sequence: revision, changed },
      over: { hash: HIDDEN, sequence: revision, changed },
    };
    return (session) => {
      const certain = certainty(session, mayBeOff, this.#cancelledSince);
      return certain && stamps[certain];
    };
  }

  /** Whether that is the deferred hash of this stored day. */
  isOfToday(hash: StoredHash): boolean {
    return isSameDeferred(hash, this.hash);
  }

  /** A series as it was; undefined: there was none, or none that can be read. */
  shown(series: number): Promise<ShownSeries | undefined> {
    return this.#tolerant(() => this.#readSeries(series), undefined);
  }

  #readSeries(series: number): Promise<ShownSeries | undefined> {
    if (this.#last?.series !== series) this.#last = { series, shown: this.#readAgain(series) };
    return this.#last.shown;
  }

  async #readAgain(series: number): Promise<ShownSeries | undefined> {
    const row = await this.#tx.before.recordById(series);
    return row && shownSeries(this.#tx.before, row, await this.#was());
  }

  async #was(): Promise<RevisionContext> {
    this.#feeds ??= this.#tx.before.feeds();
    return { ...this.#context, feeds: new Map((await this.#feeds).map((feed) => [feed.url, feed])) };
  }

  /** What older rules made may be more than these can read: then nobody can tell what it showed, and it counts as other than now. */
  async #tolerant<T>(make: () => Promise<T>, otherwise: T): Promise<T> {
    try {
      return await make();
    } catch (error) {
      if ((await this.#tx.before.meta(META.rules)) === RULES_VERSION) throw error;
      return otherwise;
    }
  }

  /** The stamps of a venue's opening hours; where the calendar was made in this transaction, of what `now` says. */
  async opening(calendar: CalendarRow, now?: RecordBody): Promise<StoredEvents> {
    const { events } = calendar;
    if (events.kind !== 'deferred') return events;
    const row = (await this.#tx.before.recordById(calendar.record)) ?? now;
    if (row === undefined) return IN_SESSIONS;
    const context = await this.#was();
    const compose = { ...context.compose, today: events.since };
    return this.#tolerant(
      async () =>
        openingStamps(await storedVenue(this.#tx.before, row), IN_SESSIONS, calendar, { ...context, compose }),
      IN_SESSIONS,
    );
  }

  /** Hash of the header of a calendar that lived from sessions; undefined: it was made in this transaction. */
  header(series: number): Promise<string | undefined> {
    return this.#tolerant(async () => {
      const shown = await this.#readSeries(series);
      return shown && headerHash(emptyCalendar(shown));
    }, UNKNOWN);
  }

  /** Hashes of what those of the sessions showed that have deferred hashes, by row; without those stamped in this transaction. */
  async hashes(series: number, rows: readonly BareSession[]): Promise<Map<number, string>> {
    const were = await this.#asTheyWere(series, rows);
    const unknown = new Map(were.map(({ id }) => [id, UNKNOWN]));
    return were.length === 0 ? unknown : this.#tolerant(() => this.#hashes(series, were), unknown);
  }

  async #hashes(series: number, were: readonly RecordBody[]): Promise<Map<number, string>> {
    const shown = await this.#readSeries(series);
    const found = new Map<number, string>();
    if (shown === undefined) return found;
    for (const [today, own] of Map.groupBy(were, (row) => (row.hash as Deferred).since)) {
      const stored = await storedSessions(this.#tx.before, series, own);
      const hashes = shownHashes({ ...shown, options: { ...shown.options, today } }, stored);
      for (const { row, session } of stored) found.set(row.id, hashes.get(sessionUid(session.id)) ?? '');
    }
    return found;
  }

  async #asTheyWere(series: number, rows: readonly BareSession[]): Promise<RecordBody[]> {
    const found: RecordBody[] = [];
    for (const { id, hash } of rows) {
      const row = hash.kind === 'deferred' ? await this.#tx.before.recordById(id) : undefined;
      if (row?.parent === series && isSameDeferred(row.hash, hash)) found.push(row);
    }
    return found;
  }
}

function isSameDeferred(a: StoredHash, b: StoredHash): boolean {
  return a.kind === 'deferred' && b.kind === 'deferred' && a.since === b.since;
}

function shownHashes({ series, options }: ShownSeries, stored: readonly { session: Session }[]): Map<string, string> {
  const sessions = stored.map(({ session }) => session);
  const { events } = planSeries(series, sessions, options);
  return new Map(events.map((event) => [event.uid, eventHash([event])]));
}

/** A calendar without its events: those of sessions do not change its header. */
export function emptyCalendar({ series, options }: ShownSeries): Calendar {
  return seriesCalendar(series, [], options);
}

/** All of a calendar that is not an event. */
export function headerHash({ events: _, ...header }: Calendar): string {
  return eventHash([header]);
}
