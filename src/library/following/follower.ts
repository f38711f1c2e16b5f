import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { LIMITS } from '../../limits.ts';
import type { Reader, StoreVersions } from '../../store/index.ts';
import type { LocalDate } from '../../time/instant.ts';
import { listName } from '../lists/names.ts';
import { namesOf } from '../names.ts';
import { storedDay } from '../reads.ts';

/** Changes that are read at once: half a millisecond's work. */
const CHANGES_AT_ONCE = 250;

interface FollowerOptions {
  read: Reader;
  /** The newest versions in a cache, which may lack them or be behind; undefined: only the database has them. */
  versions: (() => Promise<StoreVersions | undefined>) | undefined;
  /** Receives the names of calendars and lists that changed. */
  emit(names: readonly string[] | 'all'): void;
  /** Called where the health of a feed may have changed. */
  emitFeeds(): void;
}

/** Reads the changes of other processes, and announces them by calendar name. */
export class Follower {
  readonly #options: FollowerOptions;
  #polls: Promise<unknown> = Promise.resolve();
  #day: LocalDate | undefined;
  /** `seq` of the last change that was read, of calendars and of lists; Infinity: none was read. */
  #seen = Number.POSITIVE_INFINITY;
  #seenList = Number.POSITIVE_INFINITY;
  /** The version of the database, before it was read last. */
  #version: string | undefined;
  #read = Number.NEGATIVE_INFINITY;
  #feeds: StoreVersions['feeds'] | undefined;

  constructor(options: FollowerOptions) {
    this.#options = options;
  }

  /** Polls take turns, so that the next one finds a change made during this one. */
  poll(): Promise<void> {
    const turn = this.#polls.then(() => this.#poll());
    this.#polls = turn.catch(() => undefined);
    return turn;
  }

  async #poll(): Promise<void> {
    const versions = await this.#options.versions?.();
    if (versions !== undefined && this.#isKnown(versions)) return this.#pollFeeds(versions.feeds);
    const version = await this.#options.read.version();
    const at = performance.now();
    if (version !== this.#version) {
      await this.#pollDay();
      await this.#pollNumbers();
      await this.#pollLists();
      await this.#pollCalendars();
      this.#pollFeeds(versions?.feeds);
    }
    this.#version = version;
    this.#read = at;
  }

  /** Whether the cache has no newer versions. After some seconds the database is read all the same. */
  #isKnown({ day, calendars, lists }: StoreVersions): boolean {
    const isRecent = performance.now() - this.#read < LIMITS.versionsBelievedMs;
    return isRecent && day === this.#day && calendars === this.#seen && lists === this.#seenList;
  }

  /** Announces feeds whose versions moved; without versions any feed may have changed. */
  #pollFeeds(feeds: StoreVersions['feeds'] | undefined): void {
    const isSame = feeds !== undefined && isDeepStrictEqual(feeds, this.#feeds);
    this.#feeds = feeds;
    if (!isSame) this.#options.emitFeeds();
  }

  async #pollDay(): Promise<void> {
    const today = await storedDay(this.#options.read);
    // The window of free/busy begins on another day now.
    if (this.#day !== undefined && this.#day !== today) this.#options.emit('all');
    this.#day = today;
  }

  /** Announces `all` where `seq` went back: the database was restored from a copy, and later changes are undone. */
  async #pollNumbers(): Promise<void> {
    const { read, emit } = this.#options;
    const [calendars, lists] = [await read.lastSeq(), await read.lastKeptListSeq()];
    if (calendars >= this.#seen && lists >= this.#seenList) return;
    this.#seen = calendars;
    this.#seenList = lists;
    emit('all');
  }

  async #pollLists(): Promise<void> {
    const { read, emit } = this.#options;
    for (;;) {
      const changes = await read.keptListsSince(this.#seenList, CHANGES_AT_ONCE);
      if (changes.length === 0) return;
      this.#seenList = (changes.at(-1) as { seq: number }).seq;
      emit(changes.map(({ token }) => listName(token)));
    }
  }

  async #pollCalendars(): Promise<void> {
    const { read, emit } = this.#options;
    for (;;) {
      const changes = await read.changesSince(this.#seen, CHANGES_AT_ONCE);
      if (changes.length === 0) return;
      this.#seen = (changes.at(-1) as { seq: number }).seq;
      emit(changes.flatMap(({ key }) => namesOf(key)));
      // Thousands change in a second while a feed is read for the first time, and requests do not wait for all of them.
      await setImmediate();
    }
  }
}
