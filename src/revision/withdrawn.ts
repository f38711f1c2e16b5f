import type { Calendar } from '../calendar/objects.ts';
import { startOf } from '../calendar/series/compose.ts';
import { type LastSeries, lastCalendar } from '../calendar/series/last-series.ts';
import {
  type CalendarRow,
  type CalendarWrite,
  lastVenueOf,
  type StoredVenue,
  stampsIn,
  stampsOn,
  type Tail,
  tailOf,
  tailText,
  type Writer,
  withdrawnAt,
  withoutAhead,
} from '../store/index.ts';
import { DAY_MS, dateOfDay } from '../time/days.ts';
import type { Instant } from '../time/instant.ts';
import { nextRevision, stampsAfter } from './changed-events.ts';
import type { RevisionContext } from './context.ts';
import { openingStamps } from './opening-stamps.ts';

/** Days for which a withdrawn calendar is served (semantics 6). */
const TAIL_DAYS = 90;

/**
 * Updates withdrawn calendars on a new day, also on an earlier one: after 90 days they are gone, and after the clock was set
 * back they may be served again. Where the clock was wrong at the withdrawal, the time of the correction counts. `wasSet`:
 * the clock was set, and no day passed. Returns the keys of changed calendars.
 */
export async function withdrawAnew(
  tx: Writer,
  records: readonly number[],
  context: RevisionContext,
  wasSet: boolean,
): Promise<string[]> {
  const writes: CalendarWrite[] = [];
  for (const record of records)
    for (const row of await tx.calendarParts(record)) {
      const write =
        row.state === 'live' || row.movedTo !== undefined ? undefined : withdrawnWrite(row, context, wasSet);
      if (write !== undefined) writes.push(write);
    }
  await tx.saveCalendars(writes);
  return writes.map(({ key }) => key);
}

function withdrawnWrite(
  { seq: _, ...row }: CalendarRow,
  context: RevisionContext,
  wasSet: boolean,
): CalendarWrite | undefined {
  const kept = tailOf<LastSeries | Calendar | StoredVenue>(row);
  // Without a tail the calendar cannot be served again.
  if (kept === undefined && row.state === 'gone') return undefined;
  const { deletedAt = 0 } = row;
  const at = wasSet ? withdrawnAt(kept ?? { clocks: [deletedAt] }, context.now) : deletedAt;
  const isGone = at < startOf(context.compose.today) - TAIL_DAYS * DAY_MS;
  const state = isGone ? 'gone' : 'deleted';
  if (state === row.state && at === row.deletedAt) return undefined;
  const tail = kept && tailText(knownNow(kept, at, isGone && !wasSet));
  const now: CalendarWrite = { ...row, state, deletedAt: at, tail };
  return at === deletedAt || kept === undefined ? now : restampedWrite(now, kept, at, context);
}

/** The tail with the clock that counts now. `isOver`: its time passed day by day, so that times ahead were wrong. */
function knownNow<Last>(tail: Tail<Last>, at: Instant, isOver: boolean): Tail<Last> {
  const clocks = tail.clocks.includes(at) ? tail.clocks : [...tail.clocks, at];
  return { ...tail, ...(isOver ? withoutAhead({ ...tail, clocks }, at) : { clocks }) };
}

/** Stamps a calendar whose cancellations or closing begin at another time; unchanged events keep their SEQUENCE. */
function restampedWrite(
  row: CalendarWrite,
  { last }: Tail<LastSeries | Calendar | StoredVenue>,
  at: Instant,
  context: RevisionContext,
): CalendarWrite {
  const next = nextRevision(row, context.now);
  if (row.kind !== 'series') {
    const venue = lastVenueOf(row) as StoredVenue;
    const compose = { ...context.compose, today: dateOfDay(Math.floor(at / DAY_MS)) };
    if (row.part !== '') return row;
    return { ...row, ...next, events: openingStamps(venue, row.events, next, { ...context, compose }).events };
  }
  // A tail of an earlier release is the calendar itself, with its future cancelled.
  if (!('sessions' in last)) return row;
  const { events } = lastCalendar(last, at, context.compose);
  const { stamps, differ } = stampsAfter(stampsIn(row.events) ?? {}, events, next);
  return differ ? { ...row, ...next, events: stampsOn(stamps) } : row;
}
