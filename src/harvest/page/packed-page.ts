import type { Outline } from '../../calendar/outline.ts';
import { RECORD_KINDS, type RecordKind } from '../../opportunity/records.ts';
import type { PreparedItem, PreparedPage, PreparedRecord, Target } from '../../revision/records/prepared.ts';
import type { Bundle, Bundled } from '../../store/bundles.ts';
import type { Instant } from '../../time/instant.ts';

/**
 * A prepared page on its way between threads. Objects are sent property name by property name, and texts each time they
 * are met; so items and records go as columns, and what comes again (identities, kinds, a place that many items embed)
 * goes once. Raw data goes in bundles, and what records say as the octets that are stored: nobody reads most of it on the way.
 */
export interface PackedPage {
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
  /** Where the records of an item begin; one more than there are items. */
  begins: Int32Array;
  /** Positions of records. */
  content: Int32Array;
  records: Records;
  bundles: Bundle[];
}

export interface Records {
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
  zones: Int32Array;
  /** In UTF-8, one after the other, and where each ends. */
  texts: Uint8Array;
  textEnds: Int32Array;
  outlines: Outlines;
  keys: Keys;
}

interface Keys {
  /** Of the records they are of, ascending. */
  records: Int32Array;
  values: (readonly string[])[];
}

interface Outlines {
  /** Of the records they are of, ascending. */
  records: Int32Array;
  types: Int32Array;
  scheduled: Uint8Array;
  hasDates: Uint8Array;
  limits: Int32Array;
  mayBeOff: Uint8Array;
  keys: string[];
  names: string[];
  searches: string[];
}

/** Where a column of positions names nothing. */
export const NONE = -1;

/** What records of each kind hang on. */
const PARENT_KINDS: Record<RecordKind, RecordKind> = {
  session: 'series',
  series: 'series',
  facility: 'place',
  slot: 'facility',
  place: 'place',
};

/** The page as it was packed. What several items say alike is one object. */
export function unpacked({ page, names, ...packed }: PackedPage): PreparedPage {
  const sheet = {
    names,
    ...packed.records,
    outlines: outlinesOf(packed.records.outlines, names),
    keys: keysIn(packed.records.keys),
  };
  const records = Array.from({ length: sheet.kinds.length }, (_, index) => new PackedRecord(sheet, index));
  const places = placesIn(packed.bundles);
  const { kinds, rpdeIds, modified, hashes, findings, findingsTexts, begins, content } = packed;
  const items: PreparedItem[] = rpdeIds.map((rpdeId, index) => {
    const begin = begins[index] as number;
    const count = (begins[index + 1] as number) - begin;
    const hash = hashes[index];
    return {
      kind: names[kinds[index] as number] as string,
      rpdeId,
      modified: modified[index] as string,
      hash,
      raw: hash === undefined ? undefined : places.next().value,
      content: {
        records: Array.from({ length: count }, (_, n) => records[content[begin + n] as number] as PackedRecord),
        findings: findings[index] as number,
        findingsText: findingsTexts[index],
      },
    };
  });
  return { ...page, items };
}

function* placesIn(bundles: readonly Bundle[]): Generator<Bundled, undefined> {
  for (const bundle of bundles) for (let slot = 0; slot < bundle.size; slot += 1) yield { bundle, slot };
}

interface Sheet extends Omit<Records, 'outlines' | 'keys'> {
  names: readonly string[];
  outlines: ReadonlyMap<number, Outline>;
  keys: ReadonlyMap<number, readonly string[]>;
}

/** A record of a packed page, read where it is: there are thousands until their transaction ends, and most are read once. */
class PackedRecord implements PreparedRecord {
  readonly #sheet: Sheet;
  readonly #at: number;

  constructor(sheet: Sheet, at: number) {
    this.#sheet = sheet;
    this.#at = at;
  }

  get kind(): RecordKind {
    return RECORD_KINDS[this.#sheet.kinds[this.#at] as number] as RecordKind;
  }

  get ident(): string {
    return this.#sheet.names[this.#sheet.idents[this.#at] as number] as string;
  }

  get rank(): number {
    return this.#sheet.ranks[this.#at] as number;
  }

  get start(): Instant | undefined {
    return timeOf(this.#sheet.starts[this.#at] as number);
  }

  get end(): Instant | undefined {
    return timeOf(this.#sheet.ends[this.#at] as number);
  }

  get zone(): string | undefined {
    return this.#sheet.names[this.#sheet.zones[this.#at] as number];
  }

  get cancelled(): boolean {
    return this.#sheet.cancelled[this.#at] === 1;
  }

  get text(): Buffer {
    const { texts, textEnds } = this.#sheet;
    const from = this.#at === 0 ? 0 : (textEnds[this.#at - 1] as number);
    return Buffer.from(texts.buffer, from, (textEnds[this.#at] as number) - from);
  }

  get parent(): Target | undefined {
    return this.#target(PARENT_KINDS[this.kind], this.#sheet.parents);
  }

  get place(): Target | undefined {
    return this.#target('place', this.#sheet.places);
  }

  get venue(): Target | undefined {
    return this.#target('place', this.#sheet.venues);
  }

  get keys(): readonly string[] | undefined {
    return this.#sheet.keys.get(this.#at);
  }

  get outline(): Outline | undefined {
    return this.#sheet.outlines.get(this.#at);
  }

  #target(kind: RecordKind, positions: Int32Array): Target | undefined {
    const position = positions[this.#at] as number;
    return position === NONE ? undefined : [kind, this.#sheet.names[position] as string];
  }
}

const timeOf = (value: number): Instant | undefined => (Number.isNaN(value) ? undefined : value);

function keysIn({ records, values }: Keys): Map<number, readonly string[]> {
  return new Map(values.map((keys, index) => [records[index] as number, keys]));
}

function outlinesOf(outlines: Outlines, names: readonly string[]): Map<number, Outline> {
  const { records, types, scheduled, hasDates, limits, mayBeOff, keys, names: titles, searches } = outlines;
  const found = new Map<number, Outline>();
  records.forEach((record, index) => {
    found.set(record, {
      type: names[types[index] as number] as Outline['type'],
      scheduled: scheduled[index] === 1,
      hasDates: hasDates[index] === 1,
      limit: limits[index] as number,
      mayBeOff: mayBeOff[index] === 1,
      key: keys[index] as string,
      name: titles[index] as string,
      search: searches[index] as string,
    });
  });
  return found;
}
