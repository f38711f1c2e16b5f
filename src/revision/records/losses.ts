import type { Session } from '../../opportunity/records.ts';
import { type Loss, lossOf, type Reader, type RecordBody, storedSessions, type Writer } from '../../store/index.ts';
import type { Affected } from './changed-records.ts';
import type { Written } from './record-write.ts';

/**
 * What subscribers lose by the changes of a transaction, whatever kind of item takes it away: calendars of records that
 * nothing says any more, sessions that are gone from a calendar, and series whose events are all gone. A session that is
 * over is no loss: publishers take those away every night.
 */

/** What one item takes away. */
export interface ItemLoss extends Loss {
  /** The address of its feed. */
  feed: string;
  item: number;
}

/** `gone`: records as they were, which nothing says any more. Called when the calendars have followed. */
export async function lossesOf(
  tx: Writer,
  gone: readonly RecordBody[],
  affected: Affected,
  now: number,
): Promise<ItemLoss[]> {
  const losses = new Map<number, ItemLoss>();
  const shown = new Shown(tx.before, now);
  for (const row of gone) if (await shown.was(row)) add(losses, row.owner, lossOf(row.kind, row.owner?.rank ?? 0));
  for (const written of affected.records.all()) {
    if (written.before?.owner === undefined || written.same) continue;
    const { owner, movedBy = owner } = written;
    if (await movedAway(written, written.before, shown)) add(losses, movedBy, { calendars: 0, sessions: 1 });
    if (await emptied(tx, written, written.before, now)) add(losses, written.owner, { calendars: 1, sessions: 0 });
  }
  return [...losses.values()];
}

function add(losses: Map<number, ItemLoss>, owner: RecordBody['owner'], { calendars, sessions }: Loss): void {
  if (owner === undefined || calendars + sessions === 0) return;
  const known = losses.get(owner.item) ?? { feed: owner.feed, item: owner.item, calendars: 0, sessions: 0 };
  losses.set(owner.item, {
    ...known,
    calendars: known.calendars + calendars,
    sessions: known.sessions + sessions,
  });
}

/** A session that the calendar of another series shows now, or none. */
async function movedAway({ kind, parent }: Written, before: RecordBody, shown: Shown): Promise<boolean> {
  return kind === 'session' && before.parent !== parent && shown.was(before);
}

/** A series whose Schedules went, and with them all that was ahead. */
async function emptied(tx: Writer, { id, kind, body }: Written, before: RecordBody, now: number): Promise<boolean> {
  if (kind !== 'series' || !hasSchedules(before.body) || hasSchedules(body)) return false;
  return (await isAhead(tx.before, id, now)) && !(await isAhead(tx, id, now));
}

const hasSchedules = (body: string): boolean => body.includes('"expandable":true');

/** Whether anything of a series is on from now on. */
async function isAhead(reader: Reader, series: number, now: number): Promise<boolean> {
  return (await reader.upcoming(series, now, Number.MAX_SAFE_INTEGER, 1)).length > 0;
}

/** What calendars showed before the transaction. */
class Shown {
  readonly #before: Reader;
  readonly #now: number;
  readonly #calendars = new Map<number, boolean>();

  constructor(before: Reader, now: number) {
    this.#before = before;
    this.#now = now;
  }

  /** Whether a record was shown to subscribers; a session: and is not over. */
  async was(row: RecordBody): Promise<boolean> {
    if (row.kind === 'session') return (await this.#isToCome(row)) && (await this.#isLive(row.parent));
    return row.kind !== 'slot' && this.#isLive(row.id);
  }

  async #isLive(record: number | undefined): Promise<boolean> {
    if (record === undefined) return false;
    let live = this.#calendars.get(record);
    if (live === undefined) {
      live = (await this.#before.calendarOf(record))?.state === 'live';
      this.#calendars.set(record, live);
    }
    return live;
  }

  /** A session that is yet to end and is on: a cancelled one is known to subscribers already. */
  async #isToCome(row: RecordBody): Promise<boolean> {
    const [found] = await storedSessions(this.#before, row.parent, [row]);
    const { start = 0, end = start, status } = (found as { session: Session }).session;
    return end >= this.#now && status !== 'EventCancelled';
  }
}
