import { inParts } from '../../process/event-loop.ts';
import type { BareSession, RecordBody, SessionStamp, SessionTimes, SessionWindow, Writer } from '../../store/index.ts';
import type { Written } from './record-write.ts';

/**
 * The records that a transaction writes. A session that only the plan of its series has to do with is saved together with
 * what that plan makes of it: one write, and no row that grows in its page just after it was put there. Only the buffer
 * knows which those are: the store is asked through it for what may not be saved yet.
 */
export class RecordBuffer {
  readonly #tx: Writer;
  readonly #written = new Map<number, Written>();
  /** Sessions yet to be saved: series → id → session. */
  readonly #unsaved = new Map<number, Map<number, Written>>();

  constructor(tx: Writer) {
    this.#tx = tx;
  }

  /** Takes records that have their ids. */
  async add(writes: readonly Written[]): Promise<void> {
    const others: Written[] = [];
    for (const written of writes) {
      this.#written.set(written.id, written);
      if (canWait(written)) this.#keep(written.parent as number, written);
      else others.push(written);
    }
    await inParts(others, (part) => this.#tx.saveRecords(part));
  }

  #keep(series: number, written: Written): void {
    const sessions = this.#unsaved.get(series);
    if (sessions === undefined) this.#unsaved.set(series, new Map([[written.id, written]]));
    else sessions.set(written.id, written);
  }

  /** What this transaction wrote of a record. */
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

  /** The record had no row before: nothing but what this transaction wrote can belong to it. */
  isCreated(id: number): boolean {
    return this.#written.get(id)?.created === true;
  }

  /** Those of the sessions that were written and belong to the series. */
  sessions(series: number, ids: readonly number[] = []): Written[] {
    return ids.flatMap((id) => {
      const written = this.#written.get(id);
      return written?.parent === series ? [written] : [];
    });
  }

  /**
   * The sessions of a series as they stand, by start; `withBody`: with their records. `changed`: those that were written, and
   * those that left it.
   */
  async rows(
    series: number,
    changed: readonly number[] | undefined,
    withBody: boolean,
    window: SessionWindow = {},
  ): Promise<BareSession[]> {
    const { limit = Number.POSITIVE_INFINITY } = window;
    if (this.isCreated(series)) {
      const written = this.sessions(series, changed);
      if (written.length <= limit) return byStart(written);
    }
    const read = (): Promise<BareSession[]> =>
      withBody ? this.#tx.sessions(series, window) : this.#tx.bareSessions(series, window);
    const saved = await read();
    const unsaved = this.#unsaved.get(series);
    if (unsaved === undefined) return saved;
    const all = [...saved.filter(({ id }) => !unsaved.has(id)), ...unsaved.values()];
    if (saved.length < limit && all.length <= limit) return byStart(all);
    await this.save(series);
    return read();
  }

  /** Stamps of sessions: with those that are yet to be saved, or by themselves. */
  async stamp(stamps: readonly SessionStamp[]): Promise<void> {
    const saved: SessionStamp[] = [];
    for (const stamp of stamps) {
      const written = this.#written.get(stamp.id);
      if (written !== undefined && this.#isUnsaved(written)) written.stamp = stamp;
      else saved.push(stamp);
    }
    if (saved.length > 0) await this.#tx.stampSessions(saved);
  }

  /** Gives sessions that were written other times. */
  async time(sessions: readonly { row: Written; times: SessionTimes }[]): Promise<void> {
    for (const { row, times } of sessions) row.times = times;
    await this.#tx.saveTimes(sessions.flatMap(({ row, times }) => (this.#isUnsaved(row) ? [] : times)));
  }

  #isUnsaved({ id, parent }: Written): boolean {
    return parent !== undefined && this.#unsaved.get(parent)?.has(id) === true;
  }

  /** Saves the sessions of one series, or all that are left. */
  async save(series?: number): Promise<void> {
    const groups = series === undefined ? [...this.#unsaved.values()] : [this.#unsaved.get(series) ?? new Map()];
    await inParts(
      groups.flatMap((sessions) => [...sessions.values()]),
      (part) => this.#tx.saveRecords(part),
    );
    if (series === undefined) this.#unsaved.clear();
    else this.#unsaved.delete(series);
  }
}

function canWait({ kind, parent, place, before, prepared }: Written): boolean {
  return (
    kind === 'session' &&
    parent !== undefined &&
    prepared.parent !== undefined &&
    place === undefined &&
    (before === undefined || before.parent === parent)
  );
}

function byStart<Row extends BareSession>(rows: Row[]): Row[] {
  return rows.sort((a, b) => (a.start ?? 0) - (b.start ?? 0) || a.id - b.id);
}
