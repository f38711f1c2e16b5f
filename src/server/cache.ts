import { Keyv } from 'keyv';
import { BoundedMap } from './bounded.ts';
import { type Entry, entry, entryBytes, source } from './entry.ts';
import { type CalendarHead, type Library, type StoredCalendar, venueName } from './library.ts';
import type { Log } from './log.ts';
import { type Meter, Meters } from './meters.ts';
import { salvage } from './salvage.ts';
import type { SecondCounts, SecondLevel } from './second-level.ts';

/** What there is to say about a calendar's name. */
export type Answer =
  | { kind: 'entry'; entry: Entry }
  | { kind: 'moved'; to: string }
  | { kind: 'gone' }
  | { kind: 'unknown' }
  | { kind: 'failed' };

export interface CacheOptions {
  library: Library;
  /** Writes the calendar text; pure. */
  render: (stored: StoredCalendar) => string;
  log: Log;
  limitBytes: number;
  second?: SecondLevel | undefined;
}

/** A load under way. Once a change came in between, its result is answered but not kept. */
interface Load {
  current: boolean;
  answer: Promise<Answer>;
}

/** Carries what could not be rendered, for a second look at it. */
class RenderFailure extends Error {
  readonly stored: StoredCalendar;

  constructor(stored: StoredCalendar, cause: unknown) {
    super('A calendar could not be rendered.', { cause });
    this.stored = stored;
  }
}

/**
 * Every calendar's validators and bytes: Keyv in this process, over a map bounded by bytes, without serialisation; and
 * behind it, if configured, a shared one.
 *
 * Keyv owns the entries. `peek` reads the same map without Keyv's promise, because a handler that answers
 * synchronously keeps @hono/node-server on its fast path (libs.md 4.6).
 */
export class CalendarCache {
  readonly meters = new Meters();
  readonly #options: CacheOptions;
  readonly #map: BoundedMap<{ value: Entry }>;
  readonly #keyv: Keyv<Entry>;
  readonly #loads = new Map<string, Load>();
  readonly #unsubscribe: () => void;

  constructor(options: CacheOptions) {
    this.#options = options;
    this.#map = new BoundedMap(options.limitBytes, ({ value }) => entryBytes(value));
    this.#keyv = new Keyv<Entry>({ store: this.#map, useKeyPrefix: false });
    // Without these Keyv writes every value as JSON: 59 × slower than a map (libs.md 4.5).
    Object.assign(this.#keyv, { serialize: undefined, deserialize: undefined });
    this.#unsubscribe = options.library.onChange((keys) => this.#changed(keys));
  }

  /** The entry that is known to be current. */
  peek(key: string): Entry | undefined {
    const held = this.#map.get(key)?.value;
    if (held === undefined || held.stale) return undefined;
    held.meter.hits += 1;
    return held;
  }

  /** Calendars in memory. */
  held(): { entries: number; bytes: number } {
    return { entries: this.#map.size, bytes: this.#map.bytes };
  }

  /** What the shared cache answered; undefined: there is none. */
  shared(): Readonly<SecondCounts> | undefined {
    return this.#options.second?.counts;
  }

  /** Finds or makes the entry. One load per key at a time; never rejects. */
  load(key: string): Promise<Answer> {
    this.meters.of(key).misses += 1;
    const running = this.#loads.get(key);
    if (running) return running.answer;
    const load: Load = { current: true, answer: Promise.resolve({ kind: 'failed' }) };
    this.#loads.set(key, load);
    load.answer = this.#find(key, load).finally(() => {
      if (this.#loads.get(key) === load) this.#loads.delete(key);
    });
    return load.answer;
  }

  async close(): Promise<void> {
    this.#unsubscribe();
    await Promise.allSettled(Array.from(this.#loads.values(), (load) => load.answer));
    await this.#options.second?.close();
  }

  /** Changed entries stay as the last good bytes, and are not served as current any more. */
  #changed(keys: readonly string[] | 'all'): void {
    const held = keys === 'all' ? this.#map.values() : keys.flatMap((key) => this.#map.get(key) ?? []);
    for (const { value } of held) value.stale = true;
    for (const key of keys === 'all' ? [...this.#loads.keys()] : keys) {
      const load = this.#loads.get(key);
      if (load) load.current = false;
      this.#loads.delete(key);
    }
  }

  async #find(key: string, load: Load): Promise<Answer> {
    try {
      const head = await this.#options.library.head(key);
      if (head?.movedTo !== undefined) return { kind: 'moved', to: head.movedTo };
      if (head === undefined || head.state === 'gone') {
        await this.#keyv.delete(key);
        return { kind: head ? 'gone' : 'unknown' };
      }
      const made = this.#unchanged(key, head) ?? (await this.#sharedOf(key, head)) ?? (await this.#rendered(key));
      if (made === undefined) return { kind: 'unknown' };
      await this.#keep(key, made, load);
      return { kind: 'entry', entry: made };
    } catch (error) {
      return this.#lastGood(key, load, error);
    }
  }

  /** What we hold is of this revision after all (a change that was announced for everything). */
  #unchanged(key: string, head: CalendarHead): Entry | undefined {
    const held = this.#map.get(key)?.value;
    return held?.revision === head.revision ? held : undefined;
  }

  async #sharedOf(key: string, head: CalendarHead): Promise<Entry | undefined> {
    const found = await this.#options.second?.get(key, head.revision);
    return found && entry(found, this.meters.of(key));
  }

  async #rendered(key: string): Promise<Entry | undefined> {
    const stored = await this.#options.library.calendar(key);
    if (stored === undefined) return undefined;
    const meter = this.meters.of(key);
    const made = await source(this.#text(stored, meter), stored.head, stored.slug);
    this.#options.second?.put(key, made);
    return entry(made, meter);
  }

  /** Renders without keeping. Rejects if it cannot be rendered. */
  async once(stored: StoredCalendar): Promise<Entry> {
    const { kind, key } = stored.head;
    const meter = this.meters.of(kind === 'series' ? key : venueName(kind, key, 'freebusy'));
    return entry(await source(this.#text(stored, meter), stored.head, stored.slug), meter);
  }

  #text(stored: StoredCalendar, meter: Meter): string {
    const began = performance.now();
    try {
      return this.#options.render(stored);
    } catch (cause) {
      throw new RenderFailure(stored, cause);
    } finally {
      meter.renders += 1;
      meter.renderMs += performance.now() - began;
    }
  }

  /** Not current before it is stored and nothing changed meanwhile; and never over what a later load has stored. */
  async #keep(key: string, made: Entry, load: Load): Promise<void> {
    if (!load.current) return;
    made.stale = true;
    await this.#keyv.set(key, made);
    made.stale = !load.current;
  }

  /** Semantics 6: a client never pays for our failure. Feed rule 21. */
  async #lastGood(key: string, load: Load, error: unknown): Promise<Answer> {
    const { log, second } = this.#options;
    log.error({ err: error, key }, 'A calendar could not be made; its last good bytes are served if there are any.');
    const old = this.#map.get(key)?.value ?? (await this.#anyShared(key, second));
    const good = old ?? (await this.#sound(error, key));
    if (good === undefined) return { kind: 'failed' };
    // The same data fails the same way: it is not tried again before it changes.
    if (error instanceof RenderFailure) await this.#keep(key, good, load);
    return { kind: 'entry', entry: good };
  }

  async #anyShared(key: string, second: SecondLevel | undefined): Promise<Entry | undefined> {
    const found = await second?.get(key, 'any');
    return found && entry(found, this.meters.of(key));
  }

  /** What can be written of a calendar that was never whole. */
  async #sound(error: unknown, key: string): Promise<Entry | undefined> {
    if (!(error instanceof RenderFailure)) return undefined;
    const { stored } = error;
    const text = salvage(stored, this.#options.render);
    return text === undefined ? undefined : entry(await source(text, stored.head, stored.slug), this.meters.of(key));
  }
}
