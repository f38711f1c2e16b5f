import { headerOptions, planOptions } from '../calendar/compose.ts';
import { cancelledSince, isCertain } from '../calendar/context.ts';
import { eventHash } from '../calendar/fingerprint.ts';
import { seriesCalendar } from '../calendar/header.ts';
import type { Calendar } from '../calendar/objects.ts';
import { planSeries, sessionUid } from '../calendar/series.ts';
import type { LocalDate, Session } from '../opportunity/records.ts';
import { dateOfDay, dayOfDate } from '../recurrence/days.ts';
import type { FeedRow, RecordBody, SessionRow, Writer } from '../store/contract.ts';
import { storedSessions } from '../store/series.ts';
import { type Look, lookAt, type SettleContext } from './context.ts';

/**
 * Open marks. A session that a calendar shows for the first time is compared with nothing, so nothing is made of it: its
 * mark has, instead of the hash of what it shows, the day it was first shown on. What it showed is found out when a change
 * asks for it, from the rows as they were before that change (`Writer.before`).
 */

/** The header of a calendar that has been shown since it was first made; no hash begins like that. */
export const OPEN = '?';

/** The words of a series depend on the stored day: what was shown is what was so under this one. */
export function openMark(today: LocalDate): string {
  return `${OPEN}${dayOfDate(today)}`;
}

export function isOpen(hash: string | undefined): hash is string {
  return hash?.startsWith(OPEN) === true;
}

/** Whether a session is shown in any case, by the rows alone; false: that is yet to be found out. */
export function certainlyShown(series: RecordBody, today: LocalDate): (session: SessionRow) => boolean {
  const since = cancelledSince(today);
  const mayBeOff = series.body.includes('EventCancelled');
  return ({ start, end, cancelled }) => isCertain(start, end, cancelled || mayBeOff, since);
}

/** What calendars showed before this transaction. */
export class Before {
  readonly #tx: Writer;
  readonly #context: SettleContext;
  #feeds: Promise<FeedRow[]> | undefined;
  #last: { series: number; look: Promise<Look | undefined> } | undefined;

  constructor(tx: Writer, context: SettleContext) {
    this.#tx = tx;
    this.#context = context;
  }

  /** A series as it was; undefined: there was none. */
  look(series: number): Promise<Look | undefined> {
    if (this.#last?.series !== series) this.#last = { series, look: this.#look(series) };
    return this.#last.look;
  }

  async #look(series: number): Promise<Look | undefined> {
    const { before } = this.#tx;
    const row = await before.recordById(series);
    if (row === undefined) return undefined;
    this.#feeds ??= before.feeds();
    const feeds = new Map((await this.#feeds).map((feed) => [feed.url, feed]));
    return lookAt(before, row, { ...this.#context, feeds });
  }

  /** Hash of what the header of a calendar said that lived from sessions; undefined: it was made in this transaction. */
  async header(series: number): Promise<string | undefined> {
    const look = await this.look(series);
    return look && headerHash(emptyCalendar(look));
  }

  /** Hashes of what those of the sessions showed that have open marks, by row. Those marked in this transaction showed nothing yet. */
  async hashes(series: number, rows: readonly SessionRow[]): Promise<Map<number, string>> {
    const were = await this.#asTheyWere(series, rows);
    const look = were.length > 0 ? await this.look(series) : undefined;
    const found = new Map<number, string>();
    if (look === undefined) return found;
    for (const [mark, own] of Map.groupBy(were, (row) => row.hash as string)) {
      const today = dateOfDay(Number(mark.slice(OPEN.length)));
      const stored = await storedSessions(this.#tx.before, own);
      const hashes = shownHashes({ ...look, options: { ...look.options, today } }, stored);
      for (const { row, session } of stored) found.set(row.id, hashes.get(sessionUid(session.id)) ?? '');
    }
    return found;
  }

  async #asTheyWere(series: number, rows: readonly SessionRow[]): Promise<RecordBody[]> {
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
