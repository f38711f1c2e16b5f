import type { Session } from '../../opportunity/records.ts';
import {
  type ItemKey,
  type Loss,
  lossOf,
  type Reader,
  type RecordBody,
  recordOf,
  storedSessions,
  type Writer,
} from '../../store/index.ts';
import type { Affected } from './changed-records.ts';
import type { Written } from './record-write.ts';

/**
 * Counts what subscribers lose by a transaction, by the item that causes it: calendars of records without an owner, sessions
 * that left a calendar, and series without future events. A session that is over is no loss: publishers delete those every
 * night.
 */

/** The losses that one item causes. */
export interface ItemLoss extends Loss, ItemKey {
  /** The address of its feed. */
  feed: string;
  item: number;
}

/** Losses by item, after the calendars are revised. `gone`: former rows of records that no item claims any more. */
export async function lossesOf(
  tx: Writer,
  gone: readonly RecordBody[],
  affected: Affected,
  now: number,
): Promise<ItemLoss[]> {
  const losses = new Map<number, ItemLoss>();
  for (const row of gone) {
    if (!(await wasShown(tx.before, row, now))) continue;
    const { calendars, sessions } = lossOf(row.kind, row.owner?.rank ?? 0);
    const left = row.kind === 'series' ? await sessionsLeft(tx, row.id, affected, now) : 0;
    add(losses, row.owner, { calendars, sessions: sessions + left });
  }
  for (const written of affected.records.all()) {
    if (written.before?.owner === undefined || written.same) continue;
    const { owner, parentChangedBy: movedBy = owner } = written;
    const leftItsSeries = written.kind === 'session' && written.before.parent !== written.parent && !isKept(written);
    if (leftItsSeries && (await wasShown(tx.before, written.before, now)))
      add(losses, movedBy, { calendars: 0, sessions: 1 });
    if (await isEmptied(tx, written, written.before, now)) add(losses, written.owner, { calendars: 1, sessions: 0 });
  }
  return [...losses.values()];
}

/** Counts future sessions that stay with a series that is gone: subscribers lose them with it. */
async function sessionsLeft(tx: Writer, series: number, affected: Affected, now: number): Promise<number> {
  const rows = await tx.children('session', series);
  const stayed = rows.filter(({ id }) => (affected.records.get(id)?.before ?? { parent: series }).parent === series);
  const found = await storedSessions(tx.before, series, stayed);
  return found.filter(({ session }) => isToCome(session, now)).length;
}

/** Whether a session that left its series stays shown: the calendar of an Event moves to the series that the Event joins. */
function isKept(written: Written): boolean {
  return (recordOf(written) as Session).ownSeries === true;
}

function add(losses: Map<number, ItemLoss>, owner: RecordBody['owner'], { calendars, sessions }: Loss): void {
  if (owner === undefined || calendars + sessions === 0) return;
  const { feed, item, kind, rpdeId } = owner;
  const known = losses.get(item) ?? { feed, item, kind, rpdeId, calendars: 0, sessions: 0 };
  losses.set(item, {
    ...known,
    calendars: known.calendars + calendars,
    sessions: known.sessions + sessions,
  });
}

/** Whether a series lost its Schedules, and with them all future occurrences. */
async function isEmptied(tx: Writer, { id, kind, body }: Written, before: RecordBody, now: number): Promise<boolean> {
  if (kind !== 'series' || !hasSchedules(before.body) || hasSchedules(body)) return false;
  return (await isAhead(tx.before, id, now)) && !(await isAhead(tx, id, now));
}

const hasSchedules = (body: string): boolean => body.includes('"expandable":true');

/** Whether a series has future occurrences. */
async function isAhead(reader: Reader, series: number, now: number): Promise<boolean> {
  return (await reader.upcoming(series, now, Number.MAX_SAFE_INTEGER, 1)).length > 0;
}

/** Whether the calendar of a record was served before the transaction; a session must also be neither over nor cancelled. */
async function wasShown(before: Reader, row: RecordBody, now: number): Promise<boolean> {
  const calendar = row.kind === 'session' ? row.parent : row.id;
  if (row.kind === 'slot' || calendar === undefined) return false;
  if ((await before.calendarOf(calendar))?.state !== 'live') return false;
  if (row.kind !== 'session') return true;
  const [found] = await storedSessions(before, row.parent, [row]);
  return isToCome((found as { session: Session }).session, now);
}

/** Whether a session is neither over nor cancelled: subscribers know already that a cancelled one is lost. */
function isToCome({ start = 0, end = start, status }: Session, now: number): boolean {
  return end >= now && status !== 'EventCancelled';
}
