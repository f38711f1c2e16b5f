import { hash } from 'node:crypto';
import { boundsAround, REACH_DAYS } from '../calendar/availability.ts';
import { facilityWhereabouts, placeWhereabouts } from '../hours/venue.ts';
import { keyOf } from '../opportunity/identity.ts';
import type { Facility, Instant, LocalDate, OpeningHours, Place } from '../opportunity/records.ts';
import { dayOfDate } from '../recurrence/days.ts';
import type {
  CalendarPart,
  CalendarRow,
  CalendarTouch,
  CalendarWrite,
  FeedRow,
  RecordBody,
  Writer,
} from '../store/contract.ts';
import { openMark } from '../store/open-mark.ts';
import { lastVenueOf, type StoredVenue, storedVenue, venueIn, venueTail } from '../store/venue.ts';
import { breathe, inParts, isLong } from './breathe.ts';
import { type SettleContext, withdrawalOf } from './context.ts';
import { latest, type Moves, movedAway } from './moves.ts';
import type { Before } from './open-marks.ts';
import { openingMarks } from './opening-marks.ts';
import { type Next, nextRevision } from './revision.ts';

/**
 * Places and facilities have two histories: that of their opening hours (part ''), and that of what is on at a place
 * ('sessions') or can be booked at a facility ('slots').
 */

/**
 * Gives every place and facility whose hours, or whose name or address, changed a new revision. Returns their keys, and the
 * rows whose other calendars show the change too.
 */
export async function settleVenues(
  tx: Writer,
  ids: readonly number[],
  context: SettleContext,
  last: ReadonlyMap<number, StoredVenue>,
  moves: Moves,
  before: Before,
): Promise<{ keys: string[]; renamed: number[] }> {
  const rows = await tx.recordsById(ids);
  const writes: CalendarWrite[] = [];
  const renamed: number[] = [];
  for (const row of rows) {
    if (isLong()) await breathe();
    if (row?.kind !== 'place' && row?.kind !== 'facility') continue;
    const parts = await tx.calendarParts(row.id);
    const calendar = parts.find(({ part }) => part === '');
    const next = revisionOf(parts, '', context.now, moves.from.get(row.id));
    if (row.owner === undefined) {
      if (calendar?.state !== 'live') continue;
      const to = moves.to.get(row.id);
      const tail = last.get(row.id);
      writes.push(
        to === undefined ? await ended(calendar, tail, next, context, before) : movedAway(calendar, to, context.now),
      );
      continue;
    }
    const write = await venueWrite(tx, row, calendar, next, context, before);
    if (write === undefined) continue;
    writes.push(write);
    if (calendar !== undefined && headPart(write.header) !== headPart(calendar.header)) renamed.push(row.id);
  }
  await tx.saveCalendars(writes);
  return { keys: writes.map((write) => write.key), renamed };
}

/** Nobody publishes it any more: closed from tomorrow on, and served for its time (semantics 6). */
async function ended(
  calendar: CalendarRow,
  last: StoredVenue | undefined,
  next: Next,
  context: SettleContext,
  before: Before,
): Promise<CalendarWrite> {
  const { seq: _, ...row } = calendar;
  const events = await before.opening(calendar, last?.row);
  const deletedAt = context.now;
  const closed = { ...row, ...next, events, state: 'deleted' as const, rolling: false, deletedAt };
  if (last === undefined) return closed;
  const tail = venueTail(last, withdrawalOf(context));
  return {
    ...closed,
    tail,
    events: openingMarks(lastVenueOf({ tail, deletedAt }) as StoredVenue, events, next, context),
  };
}

/** What is to be said of its calendar now; undefined: nothing new. */
async function venueWrite(
  tx: Writer,
  row: RecordBody,
  calendar: CalendarRow | undefined,
  next: Next,
  context: SettleContext,
  before: Before,
): Promise<CalendarWrite | undefined> {
  const venue = await storedVenue(tx, row);
  const { record } = venueIn(venue);
  const { name = '', address } = record.kind === 'place' ? record : facilityNames(record);
  const header = `${headShown(record, venue.around, context.feeds.get(row.owner?.feed ?? ''))} ${hoursShown(record, context.compose.today)}`;
  if (header === calendar?.header && calendar.state === 'live') return undefined;
  const rolling = record.hours.length > 0 || (record.kind === 'place' && record.specialHours.length > 0);
  const first = rolling ? openMark(context.compose.today) : undefined;
  return {
    record: row.id,
    part: '',
    kind: row.kind,
    key: calendar?.key ?? keyOf(row.kind, row.ident),
    state: 'live',
    ...next,
    name,
    search: [name, address].filter(Boolean).join('\n').toLowerCase(),
    header,
    events: calendar === undefined ? first : openingMarks(venue, await before.opening(calendar, row), next, context),
    tail: undefined,
    deletedAt: undefined,
    movedTo: undefined,
    sessions: 0,
    rolling,
    findings: undefined,
  };
}

function facilityNames({ details: { name, location } }: Facility): { name?: string; address?: string } {
  return { ...(name && { name }), ...(location?.name && { address: location.name }) };
}

const headPart = (header: string): string | undefined => header.split(' ')[0];

/** Hash of what stands over every calendar of a venue, and where it is: that decides its zone and its holidays. */
function headShown(record: Place | Facility, around: Place | undefined, feed: FeedRow | undefined): string {
  const source = [feed?.publisher, feed?.publisherUrl, feed?.license];
  if (record.kind === 'place') {
    const { id, name, url, address } = record;
    return digest([id, name, url, address, placeWhereabouts(record), source]);
  }
  const { id, url, details } = record;
  const { name, location, organizer } = details;
  const { zone: _, ...place } = location ?? {};
  return digest([id, url, name, location && place, organizer?.name, facilityWhereabouts(record, around), source]);
}

/** Hash of its hours, as far as they reach into the years around the stored day that are written out. */
function hoursShown(record: Place | Facility, today: LocalDate): string {
  const { from, to } = boundsAround(today);
  const within = ({ validFrom, validThrough }: OpeningHours): boolean =>
    (validFrom === undefined || dayOfDate(validFrom) < to) &&
    // What a day opens may reach into the next ones.
    (validThrough === undefined || dayOfDate(validThrough) >= from - REACH_DAYS);
  const special = record.kind === 'place' ? record.specialHours : [];
  return digest([sorted(record.hours.filter(within)), sorted(special.filter(within)), from]);
}

function digest(said: unknown[]): string {
  return hash('sha1', JSON.stringify(said), 'base64');
}

/** Neither their order nor their place in the item is shown. */
function sorted(hours: readonly OpeningHours[]): string[] {
  return hours.map(({ path: _, ...rest }) => JSON.stringify(rest)).sort();
}

/** What is on at these places, or can be booked at these facilities, changed. Returns their keys. */
export async function touchVenues(
  tx: Writer,
  ids: readonly number[],
  part: CalendarPart,
  context: SettleContext,
): Promise<string[]> {
  const writes: CalendarWrite[] = [];
  const touches: CalendarTouch[] = [];
  const keys: string[] = [];
  for (const record of ids) {
    if (isLong()) await breathe();
    const parts = await tx.calendarParts(record);
    const [main] = parts;
    if (main === undefined) continue;
    keys.push(main.key);
    const revision = revisionOf(parts, part, context.now);
    if (parts.some((row) => row.part === part)) touches.push({ record, part, ...revision, sessions: 0 });
    else {
      const { seq: _, ...row } = main;
      writes.push({ ...row, part, ...revision, name: '', search: '', header: '', rolling: false });
    }
  }
  await inParts(writes, (part) => tx.saveCalendars(part));
  await inParts(touches, (part) => tx.touchCalendars(part));
  return keys;
}

/** The parts are served together too: their times are a second apart, as those of one calendar are. */
function revisionOf(
  own: readonly CalendarRow[],
  part: CalendarPart,
  now: Instant,
  before: readonly CalendarRow[] = [],
): Next {
  const all = [...own, ...before];
  const { revision } = nextRevision(latest(...all.filter((row) => row.part === part)), now);
  return { revision, changed: nextRevision(latest(...all), now).changed };
}
