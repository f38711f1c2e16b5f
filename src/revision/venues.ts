import { hash } from 'node:crypto';
import { boundsAround, REACH_DAYS } from '../calendar/venue/availability.ts';
import { facilityWhereabouts, placeWhereabouts } from '../hours/venue.ts';
import type { EffectiveVenue } from '../opportunity/effective.ts';
import { keyOf } from '../opportunity/identity.ts';
import type { Facility, OpeningHours, Place } from '../opportunity/records.ts';
import { inParts, isLong, yieldToEventLoop } from '../process/event-loop.ts';
import { currentVocabularies, placeDocument, type SearchDocument, searchDocument } from '../search/document.ts';
import {
  type CalendarPart,
  type CalendarRow,
  type CalendarTouch,
  type CalendarWrite,
  type DocumentWrite,
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
import { knownZone } from '../time/place-zone.ts';
import { latest, type Next, nextRevision } from './changed-events.ts';
import { type RevisionContext, withdrawalOf } from './context.ts';
import { type LastStates, type Moves, movedCalendar } from './last-calendars.ts';
import { openingStamps } from './opening-stamps.ts';
import { documentWrite, hashedDocument } from './searched.ts';
import type { Revising } from './series-calendars.ts';

/**
 * Revises the calendars of places and facilities, of which each has two. The part '' is that of its opening hours. The other
 * part is 'sessions' of a place, for its events, and 'slots' of a facility, for its free times.
 */

/**
 * Gives a new revision to the opening hours of each place and facility whose hours, name or address changed. Returns the keys
 * of these calendars, and the rows whose other part shows the change too.
 */
export async function reviseVenues(
  revising: Revising,
  last: LastStates,
  moves: Moves,
): Promise<{ keys: string[]; headChanged: number[] }> {
  const { tx, context, affected } = revising;
  const writes: CalendarWrite[] = [];
  const documents: DocumentWrite[] = [];
  const headChanged: number[] = [];
  const partsOf = await tx.partsOfCalendars([...affected.venues]);
  for (const row of await tx.recordsById([...affected.venues])) {
    if (isLong()) await yieldToEventLoop();
    if (row?.kind !== 'place' && row?.kind !== 'facility') continue;
    const parts = partsOf.get(row.id) ?? [];
    const calendar = parts.find(({ part }) => part === '');
    const to = moves.to.get(row.id);
    if (row.owner === undefined && calendar?.state !== 'live') continue;
    const next = revisionOf([...parts, ...(moves.from.get(row.id) ?? [])], '', context.now);
    if (row.owner !== undefined) {
      const write = await venueWrite(revising, row, calendar, next);
      if (write === undefined) continue;
      if ('found' in write) {
        documents.push(write.found);
        continue;
      }
      writes.push(write);
      if (calendar !== undefined && headPart(write.header) !== headPart(calendar.header)) headChanged.push(row.id);
    } else if (to === undefined)
      writes.push(await closedVenueWrite(revising, calendar as CalendarRow, last.venues.get(row.id), next));
    else writes.push(movedCalendar(calendar as CalendarRow, to, context.now));
  }
  await tx.saveCalendars(writes);
  await tx.saveDocuments(documents);
  return { keys: writes.map((write) => write.key), headChanged };
}

/** The calendar of a venue without an owner: closed from tomorrow on, and served for 90 days more (semantics 6). */
async function closedVenueWrite(
  { context, before }: Revising,
  { seq: _, ...row }: CalendarRow,
  last: StoredVenue | undefined,
  next: Next,
): Promise<CalendarWrite> {
  const events = await before.opening(row, last?.row);
  const tail = last && venueTail(last, withdrawalOf(context));
  const closed: CalendarWrite = {
    ...row,
    ...next,
    tail,
    events,
    state: 'deleted',
    rolling: false,
    deletedAt: context.now,
  };
  const shown = lastVenueOf(closed);
  return shown === undefined ? closed : { ...closed, events: openingStamps(shown, events, next, context).events };
}

/** The calendar to write; undefined: it is unchanged. `found`: the search document alone changed. */
async function venueWrite(
  { tx, context, before }: Revising,
  row: RecordBody,
  calendar: CalendarRow | undefined,
  next: Next,
): Promise<CalendarWrite | { found: DocumentWrite } | undefined> {
  const venue = await storedVenue(tx, row);
  const { record } = venueIn(venue);
  const { name = '' } = record.kind === 'place' ? record : record.details;
  const header = `${headHash(record, venue.around, context.feeds.get(row.owner?.feed ?? ''))} ${hoursHash(record, context.compose.today)}`;
  const { search, document } = documentWrite(hashedDocument(venueDocument(venueIn(venue))), calendar);
  if (header === calendar?.header && calendar.state === 'live')
    return document && { found: { record: row.id, kind: row.kind, search, document } };
  const rolling = record.hours.length > 0 || (record.kind === 'place' && record.specialHours.length > 0);
  // Fast path for a new calendar: nothing was shown before. The rows `ingest` and `sync` of `npm run bench` pay for it.
  const isFirst = calendar === undefined && !context.withoutFastPaths;
  const was = calendar === undefined ? IN_SESSIONS : await before.opening(calendar, row);
  const { events, differ } = isFirst
    ? { events: rolling ? deferred(context.compose.today) : IN_SESSIONS, differ: true }
    : openingStamps(venue, was, next, context);
  // A new year, or hours outside the years that are written out, may change the header and nothing visible.
  const isSame = !differ && calendar?.state === 'live' && headPart(header) === headPart(calendar.header);
  return {
    record: row.id,
    part: '',
    kind: row.kind,
    key: calendar?.key ?? keyOf(row.kind, row.ident),
    state: 'live',
    ...(isSame ? { revision: calendar.revision, changed: calendar.changed } : next),
    name,
    search,
    ...(document && { document }),
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

function venueDocument({ record, around }: EffectiveVenue): SearchDocument {
  const zone = knownZone(record.kind === 'place' ? placeWhereabouts(record) : facilityWhereabouts(record, around))?.id;
  return record.kind === 'place'
    ? placeDocument(record, zone)
    : searchDocument(record.details, around, currentVocabularies(), zone);
}

const headPart = (header: string | undefined): string | undefined => header?.split(' ')[0];

/** Hash of the name, address and attribution of a venue, and of its whereabouts, which decide its zone and holidays. */
function headHash(record: Place | Facility, around: Place | undefined, feed: FeedRow | undefined): string {
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

/** Hash of the hours of a venue within the years around the stored day that are written out. */
function hoursHash(record: Place | Facility, today: LocalDate): string {
  const { from, to } = boundsAround(today);
  const within = ({ validFrom, validThrough }: OpeningHours): boolean =>
    (validFrom === undefined || dayOfDate(validFrom) < to) &&
    // A period may reach into the days after the one it opens on.
    (validThrough === undefined || dayOfDate(validThrough) >= from - REACH_DAYS);
  const special = record.kind === 'place' ? record.specialHours : [];
  return digest([sorted(record.hours.filter(within)), sorted(special.filter(within)), from]);
}

function digest(content: unknown[]): string {
  return hash('sha1', JSON.stringify(content), 'base64');
}

/** Hours as sorted texts without paths, as neither their order nor their path in the item is visible. */
function sorted(hours: readonly OpeningHours[]): string[] {
  return hours.map(({ path: _, ...rest }) => JSON.stringify(rest)).sort();
}

/** Gives a new revision to the events of places, or the slots of facilities, that changed. Returns their keys. */
export async function reviseVenueParts(
  tx: Writer,
  ids: readonly number[],
  part: CalendarPart,
  context: RevisionContext,
): Promise<string[]> {
  const writes: CalendarWrite[] = [];
  const touches: CalendarTouch[] = [];
  const keys: string[] = [];
  const partsOf = await tx.partsOfCalendars(ids);
  for (const record of ids) {
    if (isLong()) await yieldToEventLoop();
    const parts = partsOf.get(record) ?? [];
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

/** The next revision of one part. Its time is later than that of any part, because the parts are served together too. */
function revisionOf(parts: readonly CalendarRow[], part: CalendarPart, now: Instant): Next {
  const { revision } = nextRevision(latest(...parts.filter((row) => row.part === part)), now);
  return { revision, changed: nextRevision(latest(...parts), now).changed };
}
