import { identOf } from '../../opportunity/identity.ts';
import type { Facility, Place, Slot } from '../../opportunity/records.ts';
import { isShown, type RecordBody, type Writer } from '../../store/index.ts';
import { type Written, WrittenRecords } from './record-write.ts';

/** Rows that inherit from others. */
export interface Dependents {
  series: ReadonlySet<number>;
  facilities: ReadonlySet<number>;
}

/** The changes of a transaction by which calendars are revised. Rows by id. */
export interface Affected {
  /** Series whose calendars are planned as a whole. */
  series: Set<number>;
  records: WrittenRecords;
  /** Sessions that changed, came or left, by their present (or former) series. */
  sessions: Map<number, Set<number>>;
  /** Former series of sessions, by the series that they came to. */
  cameFrom: Map<number, Set<number>>;
  /** Series that lost a session which their calendar showed. */
  reduced: Set<number>;
  /** Sessions that left a series, with their former rows, by that series. */
  departed: Map<number, RecordBody[]>;
  /** Series that came or went: sessions that name one have a series of their own while it is absent. */
  awaited: Set<number>;
  /** Sessions whose series is to be found (anew): those that name none, or that may have a series of their own. */
  unnamed: Set<number>;
  /** Keys (join/keys.ts) of series that changed, came or went, by which sessions that name no series are found. */
  joins: Set<string>;
  /** Records with a new identity: new row → old row. */
  moved: Map<number, number>;
  /** Places, series and facilities that changed, and the rows that inherit from them, once these are known. */
  sources: Set<number>;
  dependents: Promise<Dependents> | undefined;
  /** Places and facilities whose text changed. */
  venues: Set<number>;
  /** Records whose owner is of another feed now, with the former feed: calendars name the publisher. */
  credits: Map<number, string>;
  /** Places whose sessions changed; facilities whose slots changed. */
  sessionsAt: Set<number>;
  slotsOf: Set<number>;
  /** Courts that joined or left a FacilityUse, with the identities of these FacilityUses. */
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

/** Whether a written record has the same text, parent and places as before. */
export function isSameRecord(before: RecordBody, written: Written): boolean {
  const { parent, place, venue, named } = before;
  const isThere = place === written.place && venue === written.venue;
  return isThere && parent === written.parent && named === written.named && written.sameText;
}

/** Notes the calendars that a written record affects: of its series, of its place, and of all that inherit from it. */
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
    // Rows that refer to a new row are written in this transaction too.
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

/** Notes that a court joined or left a FacilityUse, whose slots are other ones now. */
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

/** Notes a session that changed, or came to another series. */
export function noteSession(affected: Affected, { id, parent, before, venue }: Written): void {
  if (before?.venue !== venue || before?.parent !== parent) addAll(affected.sessionsAt, before?.venue, venue);
  if (before?.parent !== undefined && before.parent !== parent) {
    noteDeparture(affected, before);
    if (parent !== undefined) add(affected.cameFrom, parent, before.parent);
  }
  if (parent !== undefined) add(affected.sessions, parent, id);
}

/** Notes a changed venue. A path alone is no change: feeds embed one place under many. Nothing inherits the hours of a place. */
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

/** The parts of a slot that free/busy shows: the number of uses left changes all day, whether one is left seldom. */
function freeness(body: string): string {
  // A rebuild has emptied its body.
  if (body === '') return '';
  const { facility, start, end, remainingUses } = JSON.parse(body) as Slot;
  return [facility, start, end, remainingUses > 0].join(' ');
}

/** Notes a venue to revise, with everything that inherits from it. */
function replanVenue(affected: Affected, id: number): void {
  affected.venues.add(id);
  affected.sources.add(id);
}

function addAll(rows: Set<number>, ...ids: (number | undefined)[]): void {
  for (const id of ids) if (id !== undefined) rows.add(id);
}

/** Notes the calendars that a record without an owner affects. */
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
  const known = departed.get(parent);
  if (known === undefined) departed.set(parent, [row]);
  else known.push(row);
  if (isShown(hash)) reduced.add(parent);
}

function add<T>(sets: Map<number, Set<T>>, key: number, value: T): void {
  const known = sets.get(key);
  if (known === undefined) sets.set(key, new Set([value]));
  else known.add(value);
}
