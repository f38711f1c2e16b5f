import { hash } from 'node:crypto';
import { boundsAround, REACH_DAYS } from '../calendar/venue/availability.ts';
import { facilityWhereabouts, placeWhereabouts } from '../hours/venue.ts';
import { keyOf } from '../opportunity/identity.ts';
import type { Facility, OpeningHours, Place } from '../opportunity/records.ts';
import { inParts, isLong, yieldToEventLoop } from '../process/event-loop.ts';
import {
  type CalendarPart,
  type CalendarRow,
  type CalendarTouch,
  type CalendarWrite,
  deferred,
  type FeedRow,
  IN_SESSIONS,
  lastVenueOf,
  type RecordBody,
  type StoredVenue,
  storedVenue,
  venueIn,
  venueTail,
  type Writer,
} from '../store/index.ts';
import { dayOfDate } from '../time/days.ts';
import type { Instant, LocalDate } from '../time/instant.ts';
import { latest, type Next, nextRevision } from './changed-events.ts';
import { type RevisionContext, withdrawalOf } from './context.ts';
import type { Before } from './deferred-stamps.ts';
import { type Moves, movedAway } from './moved-calendars.ts';
import { openingStamps } from './opening-stamps.ts';

/**
 * Places and facilities have two histories: that of their opening hours (part ''), and that of what is on at a place
 * ('sessions') or can be booked at a facility ('slots').
 */

/**
 * Gives every place and facility whose hours, or whose name or address, changed a new revision. Returns their keys, and the
 * rows whose other calendars show the change too.
 */
export async function reviseVenues(
  tx: Writer,
  ids: readonly number[],
  context: RevisionContext,
  last: ReadonlyMap<number, StoredVenue>,
  moves: Moves,
  before: Before,
): Promise<{ keys: string[]; renamed: number[] }> {
  const rows = await tx.recordsById(ids);
  const writes: CalendarWrite[] = [];
  const renamed: number[] = [];
  for (const row of rows) {
    if (isLong()) await yieldToEventLoop();
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
  context: RevisionContext,
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
    events: openingStamps(lastVenueOf({ tail, deletedAt }) as StoredVenue, events, next, context).events,
  };
}

/** What is to be said of its calendar now; undefined: nothing new. */
async function venueWrite(
  tx: Writer,
  row: RecordBody,
  calendar: CalendarRow | undefined,
  next: Next,
  context: RevisionContext,
  before: Before,
): Promise<CalendarWrite | undefined> {
  const venue = await storedVenue(tx, row);
  const { record } = venueIn(venue);
  const { name = '', address } = record.kind === 'place' ? record : facilityNames(record);
  const header = `${headShown(record, venue.around, context.feeds.get(row.owner?.feed ?? ''))} ${hoursShown(record, context.compose.today)}`;
  if (header === calendar?.header && calendar.state === 'live') return undefined;
  const rolling = record.hours.length > 0 || (record.kind === 'place' && record.specialHours.length > 0);
  const first = { events: rolling ? deferred(context.compose.today) : IN_SESSIONS, moved: true };
  const { events, moved } =
    calendar === undefined ? first : openingStamps(venue, await before.opening(calendar, row), next, context);
  // Another year, or hours outside the years that are written out, change nothing that is shown.
  const isSame = !moved && calendar?.state === 'live' && headPart(header) === headPart(calendar.header);
  return {
    record: row.id,
    part: '',
    kind: row.kind,
    key: calendar?.key ?? keyOf(row.kind, row.ident),
    state: 'live',
    ...(isSame ? { revision: calendar.revision, changed: calendar.changed } : next),
    name,
    search: [name, address].filter(Boolean).join('\n').toLowerCase(),
    header,
    events,
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

const headPart = (header: string | undefined): string | undefined => header?.split(' ')[0];

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

function digest(content: unknown[]): string {
  return hash('sha1', JSON.stringify(content), 'base64');
}

/** Neither their order nor their place in the item is shown. */
function sorted(hours: readonly OpeningHours[]): string[] {
  return hours.map(({ path: _, ...rest }) => JSON.stringify(rest)).sort();
}

/** What is on at these places, or can be booked at these facilities, changed. Returns their keys. */
export async function reviseAllVenues(
  tx: Writer,
  ids: readonly number[],
  part: CalendarPart,
  context: RevisionContext,
): Promise<string[]> {
  const writes: CalendarWrite[] = [];
  const touches: CalendarTouch[] = [];
  const keys: string[] = [];
  for (const record of ids) {
    if (isLong()) await yieldToEventLoop();
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
