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
 * A record that has just been given an owner: what is saved of it, and its row as it then stands.
 */
export class Written implements RecordWrite, RecordBody, SessionRow {
  /** 0 until it has one. */
  id: number;
  parent: number | undefined = undefined;
  place: number | undefined = undefined;
  venue: number | undefined = undefined;
  named: number | undefined = undefined;
  fresh = false;
  /** Text, parent and places are as before: only the owner is another. */
  same = false;
  /** Owner of the record whose change moved this one to another parent, where this one did not change itself. */
  parentChangedBy: Owner | undefined = undefined;
  record: OpportunityRecord | undefined;
  /** What a session says, until its place and its series are known (session-times.ts). */
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
  /** The row it had. */
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

  /** Unpacked when it is asked for: of most new records, nobody asks. */
  get body(): string {
    this.#body ??= bodyText(this.packed, this.ident);
    return this.#body;
  }

  /** A session that comes to another series has shown nothing there yet. */
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

  /** Records as they stand. */
  async byId(ids: readonly number[]): Promise<(RecordBody | undefined)[]> {
    const others = await this.#tx.recordsById(ids.filter((id) => !this.#written.has(id)));
    const found = new Map(others.map((row) => [row?.id, row]));
    return ids.map((id) => this.#written.get(id) ?? found.get(id));
  }

  /** Written sessions, of these ids, that belong to the series. */
  sessions(series: number, ids: Iterable<number>): Written[] {
    const written = [...ids].map((id) => this.#written.get(id));
    return written.filter((one) => one !== undefined && one.parent === series) as Written[];
  }
}
