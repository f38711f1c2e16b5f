import { identOf } from '../../opportunity/identity.ts';
import type { Facility, Place, Slot } from '../../opportunity/records.ts';
import { isShown, type RecordBody, type Writer } from '../../store/index.ts';
import { type Written, WrittenRecords } from './record-write.ts';

/** Rows that take something from others. */
export interface Dependents {
  series: ReadonlySet<number>;
  facilities: ReadonlySet<number>;
}

/** What the page changed, for the calendars to follow. Rows by id. */
export interface Affected {
  /** Series to plan anew as a whole. */
  series: Set<number>;
  records: WrittenRecords;
  /** Sessions that changed, came or left, by the series they belong (or belonged) to. */
  sessions: Map<number, Set<number>>;
  /** The series that sessions belonged to until now, by the series that they came to. */
  cameFrom: Map<number, Set<number>>;
  /** Series without a session, now, that their calendar showed. */
  reduced: Set<number>;
  /** Sessions that left a series, as they were, by that one. */
  departed: Map<number, RecordBody[]>;
  /** Series that sessions name and that have come or gone: such sessions may have a series of their own meanwhile. */
  awaited: Set<number>;
  /** Sessions that name no series, as they now stand; those of the series they hung on until now are among them. */
  unnamed: Set<number>;
  /** Keys (join/keys.ts) by which sessions that name no series find one, where such a series changed, came or went. */
  joins: Set<string>;
  /** Records that go by another identity now: row of the new one → row of the old one. */
  moved: Map<number, number>;
  /** Places, series and facilities whose dependents must be planned anew, and those dependents once they are known. */
  sources: Set<number>;
  dependents: Promise<Dependents> | undefined;
  /** Places and facilities whose text is another. */
  venues: Set<number>;
  /** Records of which another feed is the owner now, with the feed that was: calendars name who published them. */
  credits: Map<number, string>;
  /** Places at which something else is on; facilities with other slots. */
  sessionsAt: Set<number>;
  slotsOf: Set<number>;
  /** Identities of the FacilityUses that a facility, by its row, is or was a court of, where that is not the same now. */
  aggregates: Map<number, Set<string>>;
}

export const nothingAffected = (tx: Writer): Affected => ({
  series: new Set(),
  records: new WrittenRecords(tx),
  sessions: new Map(),
  cameFrom: new Map(),
  reduced: new Set(),
  departed: new Map(),
  awaited: new Set(),
  unnamed: new Set(),
  joins: new Set(),
  moved: new Map(),
  sources: new Set(),
  dependents: undefined,
  venues: new Set(),
  credits: new Map(),
  sessionsAt: new Set(),
  slotsOf: new Set(),
  aggregates: new Map(),
});

/** Whether a record that was written again has the text, the parent and the places that it had. */
export function isSameRecord(before: RecordBody, written: Written): boolean {
  const { parent, place, venue, named } = before;
  const isThere = place === written.place && venue === written.venue;
  return isThere && parent === written.parent && named === written.named && written.sameText;
}

/** Notes which calendars a written record reaches: those of its series, its place, or all that take from it. */
export function noteChange(affected: Affected, written: Written): void {
  const { id, kind, before } = written;
  const feed = before?.owner?.feed;
  if (feed !== undefined && feed !== written.owner.feed) affected.credits.set(id, feed);
  if (written.same) return;
  if (kind === 'session') noteSession(affected, written);
  else if (kind === 'series') {
    affected.series.add(id);
    if (before !== undefined && before.owner === undefined) affected.awaited.add(id);
    if (before !== undefined && before.venue !== written.venue)
      addAll(affected.sessionsAt, before.venue, written.venue);
    // What hangs on a row that is new has just been written too.
    if (before !== undefined) affected.sources.add(id);
  } else if (kind === 'slot') {
    if (before === undefined || freeness(before.body) !== freeness(written.body))
      addAll(affected.slotsOf, before?.parent, written.parent);
  } else {
    if (kind === 'facility') noteCourt(affected, id, aggregateOf(before?.body), aggregateOf(written.body));
    if (before === undefined || before.parent !== written.parent) replanVenue(affected, id);
    else noteVenue(affected, before, written);
  }
}

/** A court came to a FacilityUse, or left it: what can be booked there is something else. */
function noteCourt({ aggregates }: Affected, court: number, was: string | undefined, is: string | undefined): void {
  if (was === is) return;
  for (const ident of [was, is]) if (ident !== undefined) add(aggregates, court, ident);
}

/** The identity of the FacilityUse that a facility is a court of. */
export function aggregateOf(body: string | undefined): string | undefined {
  if (!body) return undefined;
  const { aggregate } = JSON.parse(body) as Facility;
  return aggregate === undefined ? undefined : identOf(aggregate);
}

/** A session changed, or came to another series. */
export function noteSession(affected: Affected, { id, parent, before, venue }: Written): void {
  if (before?.venue !== venue || before?.parent !== parent) addAll(affected.sessionsAt, before?.venue, venue);
  if (before?.parent !== undefined && before.parent !== parent) {
    noteDeparture(affected, before);
    if (parent !== undefined) add(affected.cameFrom, parent, before.parent);
  }
  if (parent !== undefined) add(affected.sessions, parent, id);
}

/** Feeds embed one place again and again, found under another path each time; the hours of a place are nothing that others take. */
function noteVenue(affected: Affected, before: RecordBody, { kind, body, place }: Written): void {
  const [was, is] = [venueText(before.body), venueText(body)];
  if (was.rest !== is.rest || before.place !== place) replanVenue(affected, before.id);
  else if (was.hours !== is.hours) {
    affected.venues.add(before.id);
    if (kind === 'facility') affected.sources.add(before.id);
  }
}

/** The text of a venue in two parts, its hours without their paths in the item: equal texts are equal venues. */
function venueText(body: string): { hours: string; rest: string } {
  if (body === '') return { hours: '', rest: '' };
  const { hours, specialHours, ...rest } = JSON.parse(body) as Partial<Place>;
  const unfound = (name: string, value: unknown): unknown => (name === 'path' ? undefined : value);
  return { hours: JSON.stringify([hours, specialHours], unfound), rest: JSON.stringify(rest) };
}

/** All that free/busy shows of a slot: the number of uses left moves all day, whether there is one seldom. */
function freeness(body: string): string {
  // A rebuild has emptied its body.
  if (body === '') return '';
  const { facility, start, end, remainingUses } = JSON.parse(body) as Slot;
  return [facility, start, end, remainingUses > 0].join(' ');
}

/** Has a venue revised, and everything that takes from it planned anew. */
function replanVenue(affected: Affected, id: number): void {
  affected.venues.add(id);
  affected.sources.add(id);
}

function addAll(rows: Set<number>, ...ids: (number | undefined)[]): void {
  for (const id of ids) if (id !== undefined) rows.add(id);
}

/** Notes which calendars a record reaches that nobody publishes any more. */
export function noteWithdrawal(affected: Affected, row: RecordBody): void {
  if (row.kind === 'session') noteDeparture(affected, row);
  if (row.kind === 'series') {
    affected.series.add(row.id);
    affected.awaited.add(row.id);
    affected.sources.add(row.id);
    if (row.venue !== undefined) affected.sessionsAt.add(row.venue);
  }
  if (row.kind === 'slot') addAll(affected.slotsOf, row.parent);
  if (row.kind === 'facility') noteCourt(affected, row.id, aggregateOf(row.body), undefined);
  if (row.kind === 'place' || row.kind === 'facility') replanVenue(affected, row.id);
}

/** Notes that a session has left its series: gone, or given to another one. */
function noteDeparture(affected: Affected, row: RecordBody): void {
  const { sessions, reduced, departed } = affected;
  const { id, parent, hash, venue } = row;
  if (parent === undefined) return;
  addAll(affected.sessionsAt, venue);
  add(sessions, parent, id);
  const others = departed.get(parent);
  if (others === undefined) departed.set(parent, [row]);
  else others.push(row);
  if (isShown(hash)) reduced.add(parent);
}

function add<T>(sets: Map<number, Set<T>>, key: number, value: T): void {
  const known = sets.get(key);
  if (known === undefined) sets.set(key, new Set([value]));
  else known.add(value);
}
