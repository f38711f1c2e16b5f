import type { Instant, OpportunityRecord, Place, Series, Slot } from '../opportunity/records.ts';
import type { Owner, RecordBody, RecordKind, RecordWrite, SessionRow } from '../store/contract.ts';
import { recordOf } from '../store/series.ts';
import type { Outline } from './outline.ts';
import type { PreparedRecord } from './prepared.ts';

/** What the page changed, for the calendars to follow. Rows by id. */
export interface Touched {
  /** Series to plan anew as a whole. */
  series: Set<number>;
  /** Rows that were written, as they now stand. */
  fresh: Map<number, FreshRow>;
  /** Sessions among them that are yet to be saved, by series: `saveSessions`. */
  unsaved: Map<number, Map<number, RecordWrite>>;
  /** Those of them that had no row before: nothing but what is fresh can belong to them. */
  created: Set<number>;
  /** Sessions that changed, came or left, by the series they belong (or belonged) to. */
  sessions: Map<number, Set<number>>;
  /** The series that sessions came from which belong to another one now, by that one. */
  cameFrom: Map<number, Set<number>>;
  /** Series that lost a session which their calendar showed. */
  lost: Set<number>;
  /** Records that go by another identity now: the new one → the old one. */
  moved: Map<number, number>;
  /** Places and EventSeries whose dependents must be planned anew. */
  sources: Set<number>;
  /** Places and facilities of which something else is said. */
  places: Set<number>;
  /** Records that another feed says now, with the feed that did before: calendars name who published them. */
  credits: Map<number, string>;
  /** Places at which something else is on; facilities with other slots. */
  venues: Set<number>;
  slots: Set<number>;
}

/** A row as it was just written. What it says is made text when somebody reads it. */
export class FreshRow implements RecordBody, SessionRow {
  readonly id: number;
  readonly kind: RecordKind;
  readonly ident: string;
  readonly parent: number | undefined;
  readonly place: number | undefined;
  readonly venue: number | undefined;
  readonly owner: Owner;
  readonly hash: string | undefined;
  readonly sequence: number;
  readonly changed: Instant;
  readonly start: Instant | undefined;
  readonly end: Instant | undefined;
  readonly cancelled: boolean;
  readonly outline: Outline | undefined;
  record?: OpportunityRecord;
  readonly #text: string | Buffer;

  constructor(write: RecordWrite, { record, outline }: PreparedRecord, owner: Owner, before: RecordBody | undefined) {
    this.id = write.id as number;
    this.kind = write.kind;
    this.ident = write.ident;
    this.parent = write.parent;
    this.place = write.place;
    this.venue = write.venue;
    this.owner = owner;
    // A session that comes to another series has shown nothing there yet.
    this.hash = before?.parent === write.parent ? before?.hash : undefined;
    this.sequence = before?.sequence ?? 0;
    this.changed = before?.changed ?? 0;
    this.start = write.start;
    this.end = write.end;
    this.cancelled = write.cancelled;
    this.outline = outline;
    if (record !== undefined) this.record = record;
    this.#text = write.text;
  }

  get body(): string {
    return this.#text.toString();
  }
}

export const untouched = (): Touched => ({
  series: new Set(),
  fresh: new Map(),
  unsaved: new Map(),
  created: new Set(),
  sessions: new Map(),
  cameFrom: new Map(),
  lost: new Set(),
  moved: new Map(),
  sources: new Set(),
  places: new Set(),
  credits: new Map(),
  venues: new Set(),
  slots: new Set(),
});

export function saysTheSame(before: RecordBody, { text, place, parent }: RecordWrite): boolean {
  return before.place === place && before.parent === parent && before.body === text.toString();
}

export function mark(touched: Touched, id: number, write: RecordWrite, before: RecordBody | undefined): void {
  const feed = before?.owner?.feed;
  if (feed !== undefined && feed !== touched.fresh.get(id)?.owner?.feed) touched.credits.set(id, feed);
  if (before !== undefined && saysTheSame(before, write)) return;
  if (write.kind === 'session') {
    if (before?.parent !== undefined && before.parent !== write.parent) {
      leave(touched, before);
      if (write.parent !== undefined) add(touched.cameFrom, write.parent, before.parent);
    }
    if (write.parent !== undefined) add(touched.sessions, write.parent, id);
  } else if (write.kind === 'series') {
    touched.series.add(id);
    if (before !== undefined && before.venue !== write.venue) touchAll(touched.venues, before.venue, write.venue);
    if (typeOf(touched.fresh.get(id) as FreshRow) === 'EventSeries') touched.sources.add(id);
  } else if (write.kind === 'slot') {
    if (before === undefined || freeness(before.body) !== freeness(write.text.toString()))
      touchAll(touched.slots, before?.parent, write.parent);
  } else if (before === undefined || before.parent !== write.parent) venueMoved(touched, id, write.kind);
  else venueChanged(touched, before, write);
}

function typeOf(row: FreshRow): Series['type'] {
  return row.outline?.type ?? (recordOf(row) as Series).type;
}

/** Feeds embed one place again and again, found under another path each time; and hours are nothing that others take. */
function venueChanged(touched: Touched, before: RecordBody, { kind, text, place }: RecordWrite): void {
  const [was, is] = [venueSaid(before.body), venueSaid(text.toString())];
  if (was.rest !== is.rest || before.place !== place) venueMoved(touched, before.id, kind);
  else if (was.hours !== is.hours) touched.places.add(before.id);
}

function venueSaid(body: string): { hours: string; rest: string } {
  if (body === '') return { hours: '', rest: '' };
  const { hours, specialHours, ...rest } = JSON.parse(body) as Partial<Place>;
  const unfound = (name: string, value: unknown): unknown => (name === 'path' ? undefined : value);
  return { hours: JSON.stringify([hours, specialHours], unfound), rest: JSON.stringify(rest) };
}

/** All that free/busy shows of a slot: the number of uses left moves all day, whether there is one seldom. */
function freeness(body: string): string {
  const { facility, start, end, remainingUses } = JSON.parse(body) as Slot;
  return [facility, start, end, remainingUses > 0].join(' ');
}

function venueMoved(touched: Touched, id: number, kind: RecordKind): void {
  touched.places.add(id);
  if (kind === 'place') touched.sources.add(id);
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
  if (row.kind === 'place' || row.kind === 'facility') venueMoved(touched, row.id, row.kind);
}

function leave(touched: Touched, row: RecordBody): void {
  if (row.parent === undefined) return;
  add(touched.sessions, row.parent, row.id);
  if (row.hash) touched.lost.add(row.parent);
}

function add(sets: Map<number, Set<number>>, key: number, value: number): void {
  const known = sets.get(key);
  if (known === undefined) sets.set(key, new Set([value]));
  else known.add(value);
}
