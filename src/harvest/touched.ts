import type { Place, Series, Slot } from '../opportunity/records.ts';
import type { RecordBody } from '../store/contract.ts';
import { recordOf } from '../store/series.ts';
import type { Written } from './written.ts';

/** What the page changed, for the calendars to follow. Rows by id. */
export interface Touched {
  /** Series to plan anew as a whole. */
  series: Set<number>;
  /** Rows that were written, as they now stand. */
  fresh: Map<number, Written>;
  /** Sessions among them that are yet to be saved, by series: `saveSessions`. */
  unsaved: Map<number, Written[]>;
  /** Sessions that changed, came or left, by the series they belong (or belonged) to; each once. */
  sessions: Map<number, number[]>;
  /** The series that sessions came from which belong to another one now, by that one. */
  cameFrom: Map<number, Set<number>>;
  /** Series that lost a session which their calendar showed. */
  lost: Set<number>;
  /** Sessions that name no series, as they now stand; those of the series they hung on until now are among them. */
  unnamed: Set<number>;
  /** What sessions that name none find series by that changed, came or went (opportunity/keys.ts, within a publisher). */
  joins: Set<string>;
  /** Records that go by another identity now: the new one → the old one. */
  moved: Map<number, number>;
  /** Places, EventSeries and facilities whose dependents must be planned anew. */
  sources: Set<number>;
  /** Places and facilities of which something else is said. */
  places: Set<number>;
  /** Records that another feed says now, with the feed that did before: calendars name who published them. */
  credits: Map<number, string>;
  /** Places at which something else is on; facilities with other slots. */
  venues: Set<number>;
  slots: Set<number>;
}

export const untouched = (): Touched => ({
  series: new Set(),
  fresh: new Map(),
  unsaved: new Map(),
  sessions: new Map(),
  cameFrom: new Map(),
  lost: new Set(),
  unnamed: new Set(),
  joins: new Set(),
  moved: new Map(),
  sources: new Set(),
  places: new Set(),
  credits: new Map(),
  venues: new Set(),
  slots: new Set(),
});

export function saysTheSame(before: RecordBody, written: Written): boolean {
  return before.place === written.place && before.parent === written.parent && before.body === written.body;
}

export function mark(touched: Touched, written: Written): void {
  const { id, kind, before } = written;
  const feed = before?.owner?.feed;
  if (feed !== undefined && feed !== written.owner.feed) touched.credits.set(id, feed);
  if (written.same) return;
  if (kind === 'session') sessionChanged(touched, written);
  else if (kind === 'series') {
    touched.series.add(id);
    if (before !== undefined && before.venue !== written.venue) touchAll(touched.venues, before.venue, written.venue);
    if (typeOf(written) === 'EventSeries') touched.sources.add(id);
  } else if (kind === 'slot') {
    if (before === undefined || freeness(before.body) !== freeness(written.body))
      touchAll(touched.slots, before?.parent, written.parent);
  } else if (before === undefined || before.parent !== written.parent) venueMoved(touched, id);
  else venueChanged(touched, before, written);
}

/** A session changed, or came to another series. */
export function sessionChanged(touched: Touched, { id, parent, before }: Written): void {
  if (before?.parent !== undefined && before.parent !== parent) {
    leave(touched, before);
    if (parent !== undefined) add(touched.cameFrom, parent, before.parent);
  }
  if (parent !== undefined) append(touched.sessions, parent, id);
}

function typeOf(row: Written): Series['type'] {
  return row.outline?.type ?? (recordOf(row) as Series).type;
}

/** Feeds embed one place again and again, found under another path each time; the hours of a place are nothing that others take. */
function venueChanged(touched: Touched, before: RecordBody, { kind, body, place }: Written): void {
  const [was, is] = [venueSaid(before.body), venueSaid(body)];
  if (was.rest !== is.rest || before.place !== place) venueMoved(touched, before.id);
  else if (was.hours !== is.hours) {
    touched.places.add(before.id);
    if (kind === 'facility') touched.sources.add(before.id);
  }
}

function venueSaid(body: string): { hours: string; rest: string } {
  if (body === '') return { hours: '', rest: '' };
  const { hours, specialHours, ...rest } = JSON.parse(body) as Partial<Place>;
  const unfound = (name: string, value: unknown): unknown => (name === 'path' ? undefined : value);
  return { hours: JSON.stringify([hours, specialHours], unfound), rest: JSON.stringify(rest) };
}

/** All that free/busy shows of a slot: the number of uses left moves all day, whether there is one seldom. */
function freeness(body: string): string {
  // A rebuild has taken away what it said.
  if (body === '') return '';
  const { facility, start, end, remainingUses } = JSON.parse(body) as Slot;
  return [facility, start, end, remainingUses > 0].join(' ');
}

function venueMoved(touched: Touched, id: number): void {
  touched.places.add(id);
  touched.sources.add(id);
}

function touchAll(rows: Set<number>, ...ids: (number | undefined)[]): void {
  for (const id of ids) if (id !== undefined) rows.add(id);
}

export function left(touched: Touched, row: RecordBody): void {
  if (row.kind === 'session') leave(touched, row);
  if (row.kind === 'series') {
    touched.series.add(row.id);
    touched.sources.add(row.id);
    if (row.venue !== undefined) touched.venues.add(row.venue);
  }
  if (row.kind === 'slot') touchAll(touched.slots, row.parent);
  if (row.kind === 'place' || row.kind === 'facility') venueMoved(touched, row.id);
}

function leave(touched: Touched, row: RecordBody): void {
  if (row.parent === undefined) return;
  append(touched.sessions, row.parent, row.id);
  if (row.hash) touched.lost.add(row.parent);
}

function add(sets: Map<number, Set<number>>, key: number, value: number): void {
  const known = sets.get(key);
  if (known === undefined) sets.set(key, new Set([value]));
  else known.add(value);
}

export function append<T>(lists: Map<number, T[]>, key: number, value: T): void {
  const known = lists.get(key);
  if (known === undefined) lists.set(key, [value]);
  else known.push(value);
}
