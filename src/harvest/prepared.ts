import { hash } from 'node:crypto';
import { cleanWithHours } from '../hours/door.ts';
import type { CleanOptions, Rank, RankedRecord } from '../opportunity/clean.ts';
import { placeToFind } from '../opportunity/effective.ts';
import type { RawFinding } from '../opportunity/findings.ts';
import { identOf } from '../opportunity/identity.ts';
import { keysOf } from '../opportunity/keys.ts';
import { Memory } from '../opportunity/memory.ts';
import { latest, type Page, parseData, type RpdeItem, rawData } from '../opportunity/page.ts';
import type { OpportunityRecord } from '../opportunity/records.ts';
import type { Bundled } from '../store/bundles.ts';
import type { ItemKey, RecordKind, RecordWrite } from '../store/contract.ts';
import { type Outline, outlineOf } from './outline.ts';

/**
 * A page as the store wants it: everything that can be made of it without looking into the store, so that it can be made
 * elsewhere and earlier (door.ts).
 */
export interface PreparedPage<Raw = string | Bundled> extends Pick<Page, 'next' | 'license' | 'findings'> {
  /** How many items were on the page. */
  count: number;
  /** The newest copy of each key. */
  items: PreparedItem<Raw>[];
}

export interface PreparedItem<Raw = string | Bundled> extends ItemKey {
  modified: string;
  /** Of the raw data; undefined: deleted. */
  hash: string | undefined;
  raw: Raw | undefined;
  /** What it says; made when it is asked for, where the page was prepared in place. */
  readonly said: Said;
}

export interface Said {
  records: PreparedRecord[];
  findings: number;
  /** As JSON text; undefined: none. */
  findingsText: string | undefined;
}

/** Identity of a record that this one points to. */
export type Target = [kind: RecordKind, ident: string];

export interface PreparedRecord
  extends Readonly<Pick<RecordWrite, 'kind' | 'ident' | 'rank' | 'start' | 'end' | 'zone' | 'cancelled' | 'text'>> {
  /** The record it hangs on. */
  readonly parent: Target | undefined;
  /** The Place it takes its location from, and the one it is at. */
  readonly place: Target | undefined;
  readonly venue: Target | undefined;
  /** What it is found by besides its identity; undefined: nothing else. */
  readonly keys: readonly string[] | undefined;
  /** Of a series that hangs on nothing and says itself where it is. */
  readonly outline: Outline | undefined;
  /** What `text` says, where it is at hand. */
  readonly record?: OpportunityRecord;
  /** Other items say it too: it is one object for all of them. */
  readonly shared?: boolean;
}

/** Pure; items are cleaned when they are looked at. @throws BugError for an unknown zone, then */
export function preparePage({ items, ...page }: Page, options: CleanOptions): PreparedPage<string> {
  const remembering = { memory: new Memory(), ...options };
  return { ...page, count: items.length, items: latest(items).map((item) => prepareItem(item, remembering, rawText)) };
}

const rawText = (item: RpdeItem): string =>
  item.raw === undefined ? rawData(item) : Buffer.from(item.raw).toString('utf8');

const NOTHING: Said = { records: [], findings: 0, findingsText: undefined };

/** With raw data of whatever form. */
export function prepareItem<Raw extends string | Uint8Array>(
  item: RpdeItem,
  options: CleanOptions,
  rawOf: (item: RpdeItem) => Raw,
): PreparedItem<Raw> {
  if (item.state === 'deleted') return new Prepared<Raw>(item, undefined, NOTHING);
  return new Prepared(item, rawOf(item), () => clean(item, options));
}

/**
 * Lets go of the item when it has said what it says. A class, for an object with a getter of its own is of a shape of its
 * own, and that keeps all that the getter knows until the whole heap is swept.
 */
class Prepared<Raw extends string | Uint8Array> implements PreparedItem<Raw> {
  readonly kind: string;
  readonly rpdeId: string;
  readonly modified: string;
  readonly hash: string | undefined;
  readonly raw: Raw | undefined;
  #said: Said | (() => Said);

  constructor({ kind, id, modified }: RpdeItem, raw: Raw | undefined, said: Said | (() => Said)) {
    this.kind = kind;
    this.rpdeId = id;
    this.modified = modified;
    this.hash = raw === undefined ? undefined : hash('sha1', raw, 'base64');
    this.raw = raw;
    this.#said = said;
  }

  get said(): Said {
    if (typeof this.#said === 'function') this.#said = this.#said();
    return this.#said;
  }
}

/** The rank of what an item is itself. */
export const OWN: Rank = 2;

/** What an item says by the raw data that is stored of it. Pure. */
export function cleanRaw(
  { kind, rpdeId, modified }: ItemKey & { modified: string },
  raw: string,
  options: CleanOptions,
  ofEnvelope: RawFinding[] = [],
): Said {
  const read = { ...parseData(raw), ...(ofEnvelope.length > 0 && { findings: ofEnvelope }) };
  return clean({ state: 'updated', kind, id: rpdeId, modified, ...read }, options);
}

/** What an item says. Pure. */
export function clean(item: RpdeItem, options: CleanOptions): Said {
  const { records, findings } = cleanWithHours(item, options);
  return {
    records: records.map(prepareRecord),
    findings: findings.length,
    findingsText: findings.length > 0 ? JSON.stringify(findings) : undefined,
  };
}

export function prepareRecord(ranked: RankedRecord): PreparedRecord {
  const { kept } = ranked;
  if (kept === undefined) return recordOf(ranked);
  kept.prepared ??= { ...recordOf(ranked), shared: true };
  return kept.prepared as PreparedRecord;
}

function recordOf({ record, rank }: RankedRecord): PreparedRecord {
  const timed = record.kind === 'session' || record.kind === 'slot';
  const text = JSON.stringify(record);
  const parent = parentOf(record);
  const place = referredPlace(record);
  const keys = keysOf(record);
  const alone = record.kind === 'series' && parent === undefined && place === undefined;
  return {
    kind: record.kind,
    ident: identOf(record.id),
    rank,
    start: timed ? record.start : undefined,
    end: timed ? (record.end ?? record.start) : undefined,
    zone: record.kind === 'session' ? record.stated && (record.stated.zone ?? '') : undefined,
    cancelled: (record.kind === 'session' || record.kind === 'series') && record.status === 'EventCancelled',
    text,
    parent,
    place,
    venue: venueOf(record),
    keys: keys.length === 0 ? undefined : keys,
    outline: alone ? outlineOf(record, text) : undefined,
    record,
  };
}

const target = (kind: RecordKind, id: string | undefined): Target | undefined =>
  id === undefined ? undefined : [kind, identOf(id)];

function parentOf(record: OpportunityRecord): Target | undefined {
  if (record.kind === 'session') return target('series', record.series);
  if (record.kind === 'series') return target('series', record.parent);
  if (record.kind === 'facility') return target('place', record.place);
  return record.kind === 'slot' ? target('facility', record.facility) : undefined;
}

function referredPlace(record: OpportunityRecord): Target | undefined {
  if (record.kind !== 'series' && record.kind !== 'session') return undefined;
  return target('place', placeToFind(record));
}

function venueOf(record: OpportunityRecord): Target | undefined {
  if (record.kind === 'series') return target('place', record.details.location?.id);
  return record.kind === 'facility' ? target('place', record.place) : undefined;
}
