import type { Outline } from '../../calendar/outline.ts';
import { RECORD_KINDS } from '../../opportunity/records.ts';
import type { PreparedItem, PreparedRecord, Target } from '../../revision/records/prepared.ts';
import { bundled } from '../../store/bundles.ts';
import { NONE, type PackedPage, type Records } from './packed-page.ts';

/** Names by position, each once. */
class Names {
  readonly all: string[] = [];
  readonly #positions = new Map<string, number>();

  of(one: string): number {
    const known = this.#positions.get(one);
    if (known !== undefined) return known;
    this.#positions.set(one, this.all.length);
    return this.all.push(one) - 1;
  }

  ofTarget(target: Target | undefined): number {
    return target === undefined ? NONE : this.of(target[1]);
  }
}

/** Packs a page item by item: of one that was packed nothing is kept but its columns. */
export class Packer {
  readonly #names = new Names();
  readonly #records = new RecordColumns(this.#names);
  readonly #raws: (string | Uint8Array)[] = [];
  readonly #kinds: number[] = [];
  readonly #findings: number[] = [];
  readonly #begins = [0];
  readonly #content: number[] = [];
  readonly #texts: Pick<PackedPage, 'rpdeIds' | 'modified' | 'hashes' | 'findingsTexts'> = {
    rpdeIds: [],
    modified: [],
    hashes: [],
    findingsTexts: [],
  };

  add({ kind, rpdeId, modified, hash, raw, content }: PreparedItem<string | Uint8Array>): void {
    this.#kinds.push(this.#names.of(kind));
    this.#texts.rpdeIds.push(rpdeId);
    this.#texts.modified.push(modified);
    this.#texts.hashes.push(hash);
    this.#texts.findingsTexts.push(content.findingsText);
    this.#findings.push(content.findings);
    for (const record of content.records) this.#content.push(this.#records.add(record));
    this.#begins.push(this.#content.length);
    if (raw !== undefined) this.#raws.push(raw);
  }

  packed(page: PackedPage['page']): PackedPage {
    return {
      page,
      names: this.#names.all,
      ...this.#texts,
      kinds: new Int32Array(this.#kinds),
      findings: new Int32Array(this.#findings),
      begins: new Int32Array(this.#begins),
      content: new Int32Array(this.#content),
      records: this.#records.packed(),
      bundles: [...new Set(bundled(this.#raws).map(({ bundle }) => bundle))],
    };
  }
}

/** What each record has, one list for each of it. */
class RecordColumns {
  readonly #names: Names;
  readonly #shared = new Map<PreparedRecord, number>();
  readonly #texts = new Texts();
  readonly #numbers = {
    kinds: [] as number[],
    ranks: [] as number[],
    cancelled: [] as number[],
    idents: [] as number[],
    parents: [] as number[],
    places: [] as number[],
    venues: [] as number[],
    starts: [] as number[],
    ends: [] as number[],
    zones: [] as number[],
  };
  readonly #outlines = {
    records: [] as number[],
    types: [] as number[],
    scheduled: [] as number[],
    hasDates: [] as number[],
    limits: [] as number[],
    mayBeOff: [] as number[],
    keys: [] as string[],
    names: [] as string[],
    searches: [] as string[],
  };
  readonly #keys = { records: [] as number[], values: [] as (readonly string[])[] };

  constructor(names: Names) {
    this.#names = names;
  }

  /** Gives its position; one that several items say has one. */
  add(record: PreparedRecord): number {
    const known = record.shared === true ? this.#shared.get(record) : undefined;
    if (known !== undefined) return known;
    const position = this.#append(record);
    if (record.shared === true) this.#shared.set(record, position);
    return position;
  }

  #append(record: PreparedRecord): number {
    const { kind, ident, rank, start, end, zone, cancelled, text, parent, place, venue, keys, outline } = record;
    const [names, columns] = [this.#names, this.#numbers];
    columns.ranks.push(rank);
    columns.cancelled.push(cancelled ? 1 : 0);
    columns.idents.push(names.of(ident));
    columns.parents.push(names.ofTarget(parent));
    columns.places.push(names.ofTarget(place));
    columns.venues.push(names.ofTarget(venue));
    columns.starts.push(start ?? Number.NaN);
    columns.ends.push(end ?? Number.NaN);
    columns.zones.push(zone === undefined ? NONE : names.of(zone));
    this.#texts.add(text);
    const position = columns.kinds.push(RECORD_KINDS.indexOf(kind)) - 1;
    if (outline !== undefined) this.#outline(position, outline);
    if (keys !== undefined) {
      this.#keys.records.push(position);
      this.#keys.values.push(keys);
    }
    return position;
  }

  #outline(position: number, { type, scheduled, hasDates, limit, mayBeOff, key, name, search }: Outline): void {
    const columns = this.#outlines;
    columns.records.push(position);
    columns.types.push(this.#names.of(type));
    columns.scheduled.push(scheduled ? 1 : 0);
    columns.hasDates.push(hasDates ? 1 : 0);
    columns.limits.push(limit);
    columns.mayBeOff.push(mayBeOff ? 1 : 0);
    columns.keys.push(key);
    columns.names.push(name);
    columns.searches.push(search);
  }

  packed(): Records {
    const [columns, outlines] = [this.#numbers, this.#outlines];
    return {
      kinds: new Uint8Array(columns.kinds),
      ranks: new Uint8Array(columns.ranks),
      cancelled: new Uint8Array(columns.cancelled),
      idents: new Int32Array(columns.idents),
      parents: new Int32Array(columns.parents),
      places: new Int32Array(columns.places),
      venues: new Int32Array(columns.venues),
      starts: new Float64Array(columns.starts),
      ends: new Float64Array(columns.ends),
      zones: new Int32Array(columns.zones),
      ...this.#texts.packed(),
      outlines: {
        ...outlines,
        records: new Int32Array(outlines.records),
        types: new Int32Array(outlines.types),
        scheduled: new Uint8Array(outlines.scheduled),
        hasDates: new Uint8Array(outlines.hasDates),
        limits: new Int32Array(outlines.limits),
        mayBeOff: new Uint8Array(outlines.mayBeOff),
      },
      keys: { records: new Int32Array(this.#keys.records), values: this.#keys.values },
    };
  }
}

/** Octets of what the records of a page say, as pages usually are; more are given back after the page that needed them. */
const ROOM = 4 * 1024 * 1024;

/** Texts in UTF-8, one after the other. They are put together in one place, which is the same for every page. */
class Texts {
  static #room = Buffer.allocUnsafeSlow(ROOM);
  #length = 0;
  readonly #ends: number[] = [];

  add(text: string | Buffer): void {
    // No text grows to more than three octets a character.
    const most = this.#length + text.length * 3;
    if (most > Texts.#room.length) Texts.#room = Buffer.concat([Texts.#room], most * 2);
    this.#length +=
      typeof text === 'string' ? Texts.#room.write(text, this.#length) : text.copy(Texts.#room, this.#length);
    this.#ends.push(this.#length);
  }

  packed(): Pick<Records, 'texts' | 'textEnds'> {
    const texts = new Uint8Array(Texts.#room.subarray(0, this.#length));
    if (Texts.#room.length > ROOM) Texts.#room = Buffer.allocUnsafeSlow(ROOM);
    return { texts, textEnds: new Int32Array(this.#ends) };
  }
}
