import type { OpportunityRecord, RecordKind } from '../../opportunity/records.ts';
import { inParts } from '../../process/event-loop.ts';
import {
  NO_HASH,
  type Owner,
  type RecordBody,
  type RecordWrite,
  type SessionRow,
  type StoredHash,
  type Writer,
} from '../../store/index.ts';
import { bodyText } from '../../store/sql/body-text.ts';
import type { Instant } from '../../time/instant.ts';
import type { PreparedRecord } from './prepared.ts';
import type { NamedRecord } from './rows.ts';

/**
 * A record with a new owner: the columns to save, and the row as it then is.
 */
export class Written implements RecordWrite, RecordBody, SessionRow {
  /** The row id; 0 until a new record has one. */
  id: number;
  parent: number | undefined = undefined;
  place: number | undefined = undefined;
  venue: number | undefined = undefined;
  named: number | undefined = undefined;
  fresh = false;
  /** Text, parent and places are as before: at most the owner has changed. */
  same = false;
  /** Owner of the record whose change gave this unchanged one another parent. */
  parentChangedBy: Owner | undefined = undefined;
  record: OpportunityRecord | undefined;
  /** The times that a session states, until those in the zone of its place or series are known (session-times.ts). */
  start: Instant | undefined;
  end: Instant | undefined;
  zone: string | undefined;
  readonly kind: RecordKind;
  readonly ident: string;
  readonly item: number;
  readonly rank: number;
  readonly cancelled: boolean;
  readonly packed: string;
  #body: string | undefined;
  readonly of: NamedRecord;
  readonly owner: Owner;
  readonly publisherId: number | undefined;
  readonly prepared: PreparedRecord;
  /** The row before. */
  readonly before: RecordBody | undefined;

  constructor(
    of: NamedRecord,
    owner: Owner,
    prepared: PreparedRecord,
    before: RecordBody | undefined,
    publisherId: number | undefined,
  ) {
    this.id = of.id ?? 0;
    this.of = of;
    this.owner = owner;
    this.item = owner.item;
    this.rank = owner.rank;
    this.publisherId = publisherId;
    this.prepared = prepared;
    this.before = before;
    this.kind = prepared.kind;
    this.ident = prepared.ident;
    this.cancelled = prepared.cancelled;
    this.packed = prepared.packed;
    this.record = prepared.record;
    this.start = prepared.start;
    this.end = prepared.end;
    this.zone = prepared.zone;
  }

  get sameText(): boolean {
    return this.before !== undefined && this.before.body === this.body;
  }

  get own(): boolean {
    return this.prepared.own === true;
  }

  get price(): number | undefined {
    return this.prepared.price;
  }

  get strays(): boolean {
    return this.before?.strays === true;
  }

  /** The text, unpacked on the first access: most new records need it never. */
  get body(): string {
    this.#body ??= bodyText(this.packed, this.ident);
    return this.#body;
  }

  /** The stored hash; none for a session that came to another series, which has not shown it yet. */
  get hash(): StoredHash {
    return this.before !== undefined && this.before.parent === this.parent ? this.before.hash : NO_HASH;
  }

  get sequence(): number {
    return this.before?.sequence ?? 0;
  }

  get changed(): Instant {
    return this.before?.changed ?? 0;
  }
}

/** The records that a transaction writes, by row. */
export class WrittenRecords {
  readonly #tx: Writer;
  readonly #written = new Map<number, Written>();

  constructor(tx: Writer) {
    this.#tx = tx;
  }

  /** Saves records that have their ids. */
  async save(writes: readonly Written[]): Promise<void> {
    for (const written of writes) this.#written.set(written.id, written);
    await inParts(writes, (part) => this.#tx.saveRecords(part));
  }

  get(id: number): Written | undefined {
    return this.#written.get(id);
  }

  all(): Iterable<Written> {
    return this.#written.values();
  }

  /** Rows by id, with those that the transaction has written. */
  async byId(ids: readonly number[]): Promise<(RecordBody | undefined)[]> {
    const stored = await this.#tx.recordsById(ids.filter((id) => !this.#written.has(id)));
    const found = new Map(stored.map((row) => [row?.id, row]));
    return ids.map((id) => this.#written.get(id) ?? found.get(id));
  }

  /** Written sessions, of these ids, that belong to the series. */
  sessions(series: number, ids: Iterable<number>): Written[] {
    const written = [...ids].map((id) => this.#written.get(id));
    return written.filter((one) => one !== undefined && one.parent === series) as Written[];
  }
}
