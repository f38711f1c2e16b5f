import { headerOptions, planOptions } from '../calendar/compose.ts';
import { cancelledSince, certainty } from '../calendar/context.ts';
import { eventHash } from '../calendar/fingerprint.ts';
import { seriesCalendar } from '../calendar/header.ts';
import type { Calendar } from '../calendar/objects.ts';
import { planSeries, sessionUid } from '../calendar/series.ts';
import type { Instant, Session } from '../opportunity/records.ts';
import {
  type BareSession,
  type CalendarRow,
  type FeedRow,
  type Mark,
  META,
  type RecordBody,
  type Writer,
} from '../store/contract.ts';
import { isOpen, openMark, openSince } from '../store/open-mark.ts';
import { storedSessions } from '../store/series.ts';
import { storedVenue } from '../store/venue.ts';
import { type Look, lookAt, type SettleContext } from './context.ts';
import { openingMarks } from './opening-marks.ts';
import type { Next } from './revision.ts';
import { RULES_VERSION } from './rules.ts';

/**
 * What calendars showed before a transaction. A thing that is shown for the first time is compared with nothing, so nothing
 * is made of it but an open mark (`store/open-mark.ts`). What it showed is found out when a change asks for it, from the rows
 * as they were before that change (`Writer.before`).
 */

/** Of what cannot be read any more: no hash is like that. */
const UNKNOWN = 'unknown';

/** What calendars showed before this transaction. */
export class Before {
  /** The mark of what is seen now for the first time. */
  readonly mark: string;
  readonly #tx: Writer;
  readonly #context: SettleContext;
  readonly #cancelledSince: Instant;
  #feeds: Promise<FeedRow[]> | undefined;
  #last: { series: number; look: Promise<Look | undefined> } | undefined;

  constructor(tx: Writer, context: SettleContext) {
    const { today } = context.compose;
    this.mark = openMark(today);
    this.#tx = tx;
    this.#context = context;
    this.#cancelledSince = cancelledSince(today);
  }

  /** The mark of a session that was not seen before, by its row alone; undefined: that is yet to be found out. */
  firstMark(mayBeOff: boolean, { revision, changed }: Next): (session: BareSession) => Mark | undefined {
    const marks = {
      shown: { hash: this.mark, sequence: revision, changed },
      over: { hash: '', sequence: revision, changed },
    };
    return (session) => {
      const certain = certainty(session, mayBeOff, this.#cancelledSince);
      return certain && marks[certain];
    };
  }

  /** A series as it was; undefined: there was none, or none that can be read. */
  look(series: number): Promise<Look | undefined> {
    return this.#told(() => this.#look(series), undefined);
  }

  #look(series: number): Promise<Look | undefined> {
    if (this.#last?.series !== series) this.#last = { series, look: this.#lookAgain(series) };
    return this.#last.look;
  }

  async #lookAgain(series: number): Promise<Look | undefined> {
    const row = await this.#tx.before.recordById(series);
    return row && lookAt(this.#tx.before, row, await this.#was());
  }

  async #was(): Promise<SettleContext> {
    this.#feeds ??= this.#tx.before.feeds();
    return { ...this.#context, feeds: new Map((await this.#feeds).map((feed) => [feed.url, feed])) };
  }

  /** What older rules made may be more than these can read: then nobody can tell what it showed, and it counts as other than now. */
  async #told<T>(make: () => Promise<T>, otherwise: T): Promise<T> {
    try {
      return await make();
    } catch (error) {
      if ((await this.#tx.before.meta(META.rules)) === RULES_VERSION) throw error;
      return otherwise;
    }
  }

  /** The marks of a venue's opening hours; where the calendar was made in this transaction, of what `now` says. */
  async opening(calendar: CalendarRow, now?: RecordBody): Promise<string | undefined> {
    const { events } = calendar;
    if (!isOpen(events)) return events;
    const row = (await this.#tx.before.recordById(calendar.record)) ?? now;
    if (row === undefined) return undefined;
    const context = await this.#was();
    const compose = { ...context.compose, today: openSince(events) };
    return this.#told(
      async () => openingMarks(await storedVenue(this.#tx.before, row), undefined, calendar, { ...context, compose }),
      undefined,
    );
  }

  /** Hash of what the header of a calendar said that lived from sessions; undefined: it was made in this transaction. */
  header(series: number): Promise<string | undefined> {
    return this.#told(async () => {
      const look = await this.#look(series);
      return look && headerHash(emptyCalendar(look));
    }, UNKNOWN);
  }

  /** Hashes of what those of the sessions showed that have open marks, by row; without those marked in this transaction. */
  async hashes(series: number, rows: readonly BareSession[]): Promise<Map<number, string>> {
    const were = await this.#asTheyWere(series, rows);
    const unknown = new Map(were.map(({ id }) => [id, UNKNOWN]));
    return were.length === 0 ? unknown : this.#told(() => this.#hashes(series, were), unknown);
  }

  async #hashes(series: number, were: readonly RecordBody[]): Promise<Map<number, string>> {
    const look = await this.#look(series);
    const found = new Map<number, string>();
    if (look === undefined) return found;
    for (const [mark, own] of Map.groupBy(were, (row) => row.hash as string)) {
      const today = openSince(mark);
      const stored = await storedSessions(this.#tx.before, series, own);
      const hashes = shownHashes({ ...look, options: { ...look.options, today } }, stored);
      for (const { row, session } of stored) found.set(row.id, hashes.get(sessionUid(session.id)) ?? '');
    }
    return found;
  }

  async #asTheyWere(series: number, rows: readonly BareSession[]): Promise<RecordBody[]> {
    const found: RecordBody[] = [];
    for (const { id, hash } of rows) {
      const row = isOpen(hash) ? await this.#tx.before.recordById(id) : undefined;
      if (row?.parent === series && row.hash === hash) found.push(row);
    }
    return found;
  }
}

function shownHashes({ series, options }: Look, stored: readonly { session: Session }[]): Map<string, string> {
  const sessions = stored.map(({ session }) => session);
  const { events } = planSeries(series, sessions, planOptions(options));
  return new Map(events.map((event) => [event.uid, eventHash([event])]));
}

/** A calendar without its events: those of sessions do not change its header. */
export function emptyCalendar({ series, options }: Look): Calendar {
  return seriesCalendar(series, [], headerOptions(options));
}

/** All of a calendar that is not an event. */
export function headerHash({ events: _, ...header }: Calendar): string {
  return eventHash([header]);
}
