import { type Bundle, type Bundled, bundled } from '../store/bundles.ts';
import { RECORD_KINDS, type RecordKind } from '../store/contract.ts';
import type { PreparedItem, PreparedPage, PreparedRecord, Target } from './prepared.ts';

/**
 * A prepared page on its way between threads. Objects are sent property name by property name, and texts each time they
 * are met; so items and records go as columns, and what comes again (identities, kinds, a place that many items embed)
 * goes once. Raw data goes in bundles, records as text only.
 */
export interface Parcel {
  page: Omit<PreparedPage, 'items'>;
  /** Kinds and identities, each once; the columns below hold their positions. */
  names: string[];
  kinds: Int32Array;
  rpdeIds: string[];
  modified: string[];
  hashes: (string | undefined)[];
  /** How many findings an item has, and their text. */
  findings: Int32Array;
  findingsTexts: (string | undefined)[];
  /** Where the records of an item begin in `said`; one more than there are items. */
  begins: Int32Array;
  /** Positions of records. */
  said: Int32Array;
  records: Records;
  bundles: Bundle[];
}

interface Records {
  /** Positions in `RECORD_KINDS`. */
  kinds: Uint8Array;
  ranks: Uint8Array;
  cancelled: Uint8Array;
  idents: Int32Array;
  parents: Int32Array;
  places: Int32Array;
  venues: Int32Array;
  /** NaN: none. */
  starts: Float64Array;
  ends: Float64Array;
  bodies: string[];
}

const NONE = -1;

/** Things by position, each once. */
class Numbered<T> {
  readonly all: T[] = [];
  readonly #positions = new Map<T, number>();

  of(one: T): number {
    const known = this.#positions.get(one);
    if (known !== undefined) return known;
    this.#positions.set(one, this.all.length);
    return this.all.push(one) - 1;
  }
}

/** All of the page is cleaned. */
export function packed({ items, ...page }: PreparedPage<string | Uint8Array>): Parcel {
  const names = new Numbered<string>();
  const records = new Numbered<PreparedRecord>();
  const raws: (string | Uint8Array)[] = [];
  const said: number[] = [];
  const count = items.length;
  const parcel: Omit<Parcel, 'records' | 'bundles' | 'said'> = {
    page,
    names: names.all,
    kinds: new Int32Array(count),
    rpdeIds: [],
    modified: [],
    hashes: [],
    findings: new Int32Array(count),
    findingsTexts: [],
    begins: new Int32Array(count + 1),
  };
  items.forEach((item, index) => {
    const { records: own, findings, findingsText } = item.said;
    parcel.kinds[index] = names.of(item.kind);
    parcel.rpdeIds.push(item.rpdeId);
    parcel.modified.push(item.modified);
    parcel.hashes.push(item.hash);
    parcel.findings[index] = findings;
    parcel.findingsTexts.push(findingsText);
    for (const record of own) said.push(records.of(record));
    parcel.begins[index + 1] = said.length;
    if (item.raw !== undefined) raws.push(item.raw);
  });
  return {
    ...parcel,
    said: Int32Array.from(said),
    records: columns(records.all, names),
    bundles: [...new Set(bundled(raws).map(({ bundle }) => bundle))],
  };
}

function columns(records: readonly PreparedRecord[], names: Numbered<string>): Records {
  const count = records.length;
  const columns: Records = {
    kinds: new Uint8Array(count),
    ranks: new Uint8Array(count),
    cancelled: new Uint8Array(count),
    idents: new Int32Array(count),
    parents: new Int32Array(count),
    places: new Int32Array(count),
    venues: new Int32Array(count),
    starts: new Float64Array(count),
    ends: new Float64Array(count),
    bodies: [],
  };
  const nameOf = (target: Target | undefined) => (target === undefined ? NONE : names.of(target[1]));
  records.forEach(({ kind, ident, rank, start, end, cancelled, body, parent, place, venue }, index) => {
    columns.kinds[index] = RECORD_KINDS.indexOf(kind);
    columns.ranks[index] = rank;
    columns.cancelled[index] = cancelled ? 1 : 0;
    columns.idents[index] = names.of(ident);
    columns.parents[index] = nameOf(parent);
    columns.places[index] = nameOf(place);
    columns.venues[index] = nameOf(venue);
    columns.starts[index] = start ?? Number.NaN;
    columns.ends[index] = end ?? Number.NaN;
    columns.bodies.push(body);
  });
  return columns;
}

/** What records of each kind hang on. */
const PARENT_KINDS: Record<RecordKind, RecordKind> = {
  session: 'series',
  series: 'series',
  facility: 'place',
  slot: 'facility',
  place: 'place',
};

/** The page as it was packed. What several items say alike is one object. */
export function unpacked({ page, names, ...parcel }: Parcel): PreparedPage {
  const records = recordsOf(parcel.records, names);
  const places = placesIn(parcel.bundles);
  const { kinds, rpdeIds, modified, hashes, findings, findingsTexts, begins, said } = parcel;
  const items: PreparedItem[] = rpdeIds.map((rpdeId, index) => {
    const own: PreparedRecord[] = [];
    for (let at = begins[index] as number; at < (begins[index + 1] as number); at += 1)
      own.push(records[said[at] as number] as PreparedRecord);
    const hash = hashes[index];
    return {
      kind: names[kinds[index] as number] as string,
      rpdeId,
      modified: modified[index] as string,
      hash,
      raw: hash === undefined ? undefined : places.next().value,
      said: { records: own, findings: findings[index] as number, findingsText: findingsTexts[index] },
    };
  });
  return { ...page, items };
}

function* placesIn(bundles: readonly Bundle[]): Generator<Bundled, undefined> {
  for (const bundle of bundles) for (let slot = 0; slot < bundle.size; slot += 1) yield { bundle, slot };
}

function recordsOf(records: Records, names: readonly string[]): PreparedRecord[] {
  const { kinds, ranks, cancelled, idents, parents, places, venues, starts, ends, bodies } = records;
  const target = (kind: RecordKind, position: number): Target | undefined =>
    position === NONE ? undefined : [kind, names[position] as string];
  const time = (value: number) => (Number.isNaN(value) ? undefined : value);
  return bodies.map((body, index) => {
    const kind = RECORD_KINDS[kinds[index] as number] as RecordKind;
    return {
      kind,
      ident: names[idents[index] as number] as string,
      rank: ranks[index] as number,
      start: time(starts[index] as number),
      end: time(ends[index] as number),
      cancelled: cancelled[index] === 1,
      body,
      parent: target(PARENT_KINDS[kind], parents[index] as number),
      place: target('place', places[index] as number),
      venue: target('place', venues[index] as number),
    };
  });
}
