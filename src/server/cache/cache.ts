import { setTimeout } from 'node:timers/promises';
import { Keyv } from 'keyv';
import { BoundedMap } from '../../bounded-map.ts';
import { BusyError, OverBudgetError, StoreError } from '../../errors.ts';
import { type CalendarHead, isMerged, type Library } from '../../library/index.ts';
import { LIMITS } from '../../limits.ts';
import { withinRunning } from '../../process/budget.ts';
import type { FilterProblem } from '../../search/query.ts';
import { type Instant, wholeSecond } from '../../time/instant.ts';
import { datedNow, type Entry, type EntrySource, entry, entryBytes, etagHash, isTimely } from '../calendars/entry.ts';
import { type Renderer, RenderFailure } from '../calendars/renderer.ts';
import { type Log, sparseWarning } from '../operations/log.ts';
import { Meters } from '../operations/meters.ts';
import { FirstSeen } from './first-seen.ts';
import { Holders } from './holders.ts';
import type { SecondCounts, SecondLevel } from './second-level.ts';

/** The rendered calendars in memory, and the shared cache behind them. */

/** The outcome for a calendar's name. */
export type CacheAnswer =
  | { kind: 'entry'; entry: Entry }
  | { kind: 'moved'; to: string }
  | { kind: 'gone' }
  | { kind: 'unknown' }
  /** A search that cannot be read. */
  | { kind: 'refused'; problem: FilterProblem }
  | { kind: 'failed' };

export interface CacheOptions {
  library: Pick<Library, 'head' | 'noteError' | 'onChange'>;
  renderer: Renderer;
  meters?: Meters | undefined;
  log: Log;
  limitBytes: number;
  now(): Instant;
  second?: SecondLevel | undefined;
}

const AWAY = 'The database gives no answer; calendars in memory go on being served.';

/** Whether the database is away for a while. A fault that lasts until an operator helps has a `trouble`. */
const isAway = (error: unknown): error is StoreError => error instanceof StoreError && error.trouble === undefined;

/** A load under way. After a change in between, its result is sent but not stored. */
interface Load {
  current: boolean;
  answer: Promise<CacheAnswer>;
}

/** The most calendars over their budget that are not tried again for a while. With one more, all are tried again. */
const MOST_OVERDUE = 10_000;

/**
 * The cache bounds the work of a request, and is no fast path: a calendar is composed and written once for all requests
 * between two changes. It has every calendar's validators and octets: Keyv in this process, over a map bounded by octets,
 * without serialisation; and behind it, if configured, a shared cache. Keyv owns the entries. `peek` reads the same map
 * without Keyv's promise, because a handler that answers synchronously keeps @hono/node-server on its fast path.
 */
export class CalendarCache {
  readonly meters: Meters;
  readonly #options: CacheOptions;
  readonly #map: BoundedMap<{ value: Entry }>;
  readonly #holders = new Holders();
  readonly #firstSeen = new FirstSeen();
  readonly #keyv: Keyv<Entry>;
  readonly #loads = new Map<string, Load>();
  /** Until when a calendar that ran over its budget is not tried again. */
  readonly #overdue = new Map<string, number>();
  readonly #unsubscribe: () => void;
  readonly #warnBusy: (facts: object) => void;
  readonly #warnAway: (facts: object) => void;
  /** Since when the database has given no answer, and when a request met that last; undefined: it has answered. */
  #away: { since: number; last: number } | undefined;
  #closed = false;

  constructor(options: CacheOptions) {
    this.#options = options;
    this.#warnBusy = sparseWarning(options.log, 'Calendars were asked for faster than they can be made.');
    this.#warnAway = sparseWarning(options.log, AWAY);
    this.meters = options.meters ?? new Meters();
    this.#map = new BoundedMap(
      options.limitBytes,
      ({ value }) => entryBytes(value),
      (name) => this.#holders.drop(name),
    );
    this.#keyv = new Keyv<Entry>({ store: this.#map, useKeyPrefix: false });
    // Without these Keyv writes every value as JSON (decision 3).
    Object.assign(this.#keyv, { serialize: undefined, deserialize: undefined });
    this.#unsubscribe = options.library.onChange((keys) => this.#invalidate(keys));
  }

  /** The current entry in memory; undefined where there is none, or the calendar has changed since. */
  peek(key: string): Entry | undefined {
    const entry = this.#inMemory(key);
    if (entry === undefined || entry.stale) return undefined;
    entry.meter.hits += 1;
    return entry;
  }

  /** The entry made last, even if the calendar has changed since. */
  lastMade(key: string): Entry | undefined {
    return this.#inMemory(key);
  }

  /** The entry in memory, stale or not, with its present Last-Modified. */
  #inMemory(key: string): Entry | undefined {
    const entry = this.#map.get(key)?.value;
    return entry !== undefined && entry.stated < entry.modified ? datedNow(entry, this.#options.now()) : entry;
  }

  size(): { entries: number; bytes: number } {
    return { entries: this.#map.size, bytes: this.#map.bytes };
  }

  /** The counts of the shared cache; undefined: there is none. */
  sharedCounts(): Readonly<SecondCounts> | undefined {
    return this.#options.second?.counts;
  }

  /**
   * Finds or makes the entry. One load per key at a time; never rejects. A caller with an older entry in the cache gets that
   * after a while, and a slow load serves later callers.
   */
  load(key: string): Promise<CacheAnswer> {
    this.meters.of(key).misses += 1;
    const cached = this.#inMemory(key);
    const instead: CacheAnswer = cached === undefined ? { kind: 'failed' } : { kind: 'entry', entry: cached };
    return withinRunning(this.#load(key), cached === undefined ? LIMITS.calendarMs : LIMITS.answerMs, () => instead);
  }

  #load(key: string): Promise<CacheAnswer> {
    const running = this.#loads.get(key);
    if (running) return running.answer;
    if (this.#isOverdue(key)) {
      const entry = this.#inMemory(key);
      return Promise.resolve(entry === undefined ? { kind: 'failed' } : { kind: 'entry', entry });
    }
    const load: Load = { current: true, answer: Promise.resolve({ kind: 'failed' }) };
    this.#loads.set(key, load);
    load.answer = this.#find(key, load).finally(() => {
      if (this.#loads.get(key) === load) this.#loads.delete(key);
    });
    return load.answer;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#unsubscribe();
    await Promise.allSettled(Array.from(this.#loads.values(), (load) => load.answer));
    await this.#options.second?.close();
  }

  /** Marks changed entries as stale: they stay as the last good octets, and are not served as current any more. */
  #invalidate(keys: readonly string[] | 'all'): void {
    const reached = keys === 'all' ? 'all' : [...keys, ...this.#holders.of(keys)];
    const changed = reached === 'all' ? this.#map.values() : reached.flatMap((key) => this.#map.get(key) ?? []);
    for (const { value } of changed) value.stale = true;
    // The content of a merged calendar in the making is unknown, so any change may concern it.
    const loads = [...this.#loads.keys()];
    for (const key of reached === 'all' ? loads : [...reached, ...loads.filter(isMerged)]) {
      const load = this.#loads.get(key);
      if (load) load.current = false;
      this.#loads.delete(key);
    }
  }

  /** Finds an entry. Without a cached one, a database that has just gone away is waited for, as long as the caller waits. */
  async #find(key: string, load: Load): Promise<CacheAnswer> {
    const until = performance.now() + LIMITS.calendarMs;
    for (;;) {
      try {
        const answer = await this.#answerFor(key, load);
        this.#away = undefined;
        return answer;
      } catch (error) {
        const answer = await this.#lastGood(key, load, error);
        if (answer.kind !== 'failed' || !this.#isShortlyAway(error) || performance.now() >= until) return answer;
      }
      await setTimeout(LIMITS.awayTryMs);
    }
  }

  async #answerFor(key: string, load: Load): Promise<CacheAnswer> {
    if (isMerged(key)) return this.#merged(key, load);
    const head = await this.#options.library.head(key);
    if (head?.movedTo !== undefined) return { kind: 'moved', to: head.movedTo };
    if (head === undefined || head.state === 'gone') {
      await this.#keyv.delete(key);
      return { kind: head ? 'gone' : 'unknown' };
    }
    const made = this.#unchanged(key, head) ?? (await this.#sharedAs(key, head)) ?? (await this.#rendered(key));
    if (made === undefined) return { kind: 'unknown' };
    await this.#keep(key, made, load);
    return { kind: 'entry', entry: made };
  }

  /** Whether the database has gone away just now, or all threads are busy waiting for it while it is away. */
  #isShortlyAway(error: unknown): boolean {
    const isBusy = error instanceof BusyError && this.#away !== undefined;
    if (this.#closed || !(isAway(error) || isBusy)) return false;
    const now = performance.now();
    // A fault that no request has met for so long may be over, and this one another.
    if (this.#away === undefined || now - this.#away.last > LIMITS.calendarMs) this.#away = { since: now, last: now };
    this.#away.last = now;
    return now - this.#away.since < LIMITS.calendarMs;
  }

  /** A merged calendar: only making it shows whether it has changed. Its parts show when it has to be made again. */
  async #merged(key: string, load: Load): Promise<CacheAnswer> {
    const rendered = await this.#options.renderer.calendar(key);
    if (rendered === undefined) {
      await this.#keyv.delete(key);
      return { kind: 'unknown' };
    }
    const { source, ms, merged } = rendered;
    if (merged?.problem && !(await this.#isStored(key))) return { kind: 'refused', problem: merged.problem };
    const changedAt = await this.#dated(key, source, merged?.isDated === true);
    this.#count(key, ms);
    const made = { ...this.#entryOf(key, { ...source, changedAt }), parts: merged?.parts };
    this.#options.second?.put(key, { ...source, changedAt });
    await this.#keep(key, made, load);
    return { kind: 'entry', entry: made };
  }

  /** Whether a search is stored, so that its subscribers go on without a failure once it cannot be read. */
  async #isStored(key: string): Promise<boolean> {
    return this.#map.get(key) !== undefined || (await this.#sharedLast(key)) !== undefined;
  }

  async #dated(key: string, { identity, changedAt }: EntrySource, isDated: boolean): Promise<Instant> {
    const shared = isDated ? undefined : await this.#options.second?.get(key, 'any');
    if (shared !== undefined) this.#firstSeen.learn(key, etagHash(shared.identity), shared.changedAt);
    return this.#firstSeen.of(key, etagHash(identity), this.#options.now(), isDated ? changedAt : undefined);
  }

  #count(key: string, ms: number): void {
    const meter = this.meters.of(key);
    meter.renders += 1;
    meter.renderMs += ms;
  }

  /**
   * The entry in memory, where it is of this revision after all: a change is announced for every calendar. After a restore other
   * octets may have the same revision, and have another time.
   */
  #unchanged(key: string, { revision, changedAt }: CalendarHead): Entry | undefined {
    const entry = this.#map.get(key)?.value;
    const isSame = entry?.revision === revision && entry.modified === wholeSecond(changedAt);
    return isSame && isTimely(entry, this.#options.now()) ? entry : undefined;
  }

  /** The octets of one revision in the shared cache, with the time of change in the store. */
  async #sharedAs(key: string, { revision, changedAt }: CalendarHead): Promise<Entry | undefined> {
    const found = await this.#options.second?.get(key, revision);
    return found?.changedAt === changedAt ? this.#entryOf(key, found) : undefined;
  }

  async #sharedLast(key: string): Promise<Entry | undefined> {
    const found = await this.#options.second?.get(key, 'any');
    return found && this.#entryOf(key, found);
  }

  /** The entry that another process made last. Later entries of this process get a later time. */
  async #foundShared(key: string): Promise<Entry | undefined> {
    const found = await this.#sharedLast(key);
    if (found !== undefined && isMerged(key)) this.#firstSeen.of(key, etagHash(found.identity.body), found.modified);
    return found;
  }

  #entryOf(key: string, source: EntrySource): Entry {
    return entry(source, this.meters.of(key), this.#options.now());
  }

  async #rendered(key: string): Promise<Entry | undefined> {
    const rendered = await this.#options.renderer.calendar(key);
    if (rendered === undefined) return undefined;
    const { source, ms } = rendered;
    this.#count(key, ms);
    this.#options.second?.put(key, source);
    return this.#entryOf(key, source);
  }

  #setOverdue(key: string): void {
    if (this.#overdue.size >= MOST_OVERDUE) this.#overdue.clear();
    this.#overdue.set(key, performance.now() + LIMITS.overdueMs);
  }

  /** Whether a calendar ran over its budget too recently to be tried again, which would keep others waiting. */
  #isOverdue(key: string): boolean {
    const until = this.#overdue.get(key);
    if (until === undefined) return false;
    if (performance.now() < until) return true;
    this.#overdue.delete(key);
    return false;
  }

  /**
   * Stores an entry. It is current only once it is stored without a change meanwhile, and never replaces that of a later
   * load.
   */
  async #keep(key: string, made: Entry, load: Load): Promise<void> {
    const cached = this.#map.get(key)?.value;
    // A client that got this entry must not get an earlier one, if the next cannot be made.
    if (!load.current && cached !== undefined && made.modified <= cached.modified) return;
    made.stale = true;
    await this.#keyv.set(key, made);
    if (made.parts !== undefined && this.#map.get(key)?.value === made) this.#holders.hold(key, made.parts);
    made.stale = !load.current;
  }

  /** The last good octets after a failure, which no client may notice (semantics 6, feed rule 21). */
  async #lastGood(key: string, load: Load, error: unknown): Promise<CacheAnswer> {
    const { library, log } = this.#options;
    if (error instanceof BusyError) this.#warnBusy({ key, reason: error.message });
    else if (isAway(error)) this.#warnAway({ reason: error.message });
    else if (library.noteError(error) === undefined) {
      log.error({ err: error, key }, 'A calendar could not be made; its last good bytes are served if there are any.');
    }
    if (error instanceof OverBudgetError) this.#setOverdue(key);
    const old = this.#inMemory(key) ?? (await this.#foundShared(key));
    const good = old ?? (error instanceof RenderFailure && error.sound && this.#entryOf(key, error.sound));
    if (!good) return { kind: 'failed' };
    // Equal data fails in the same way, so the calendar is tried again only after a change.
    if (error instanceof RenderFailure) {
      if (isMerged(key)) good.parts ??= 'all';
      await this.#keep(key, good, load);
    }
    // Later tries are answered from memory.
    else if (good !== this.#map.get(key)?.value) await this.#keyv.set(key, Object.assign(good, { stale: true }));
    return { kind: 'entry', entry: good };
  }
}
