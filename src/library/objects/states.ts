import { messageOf } from '../../errors.ts';
import { sha256 } from '../../platform/hash.ts';
import type { SyncHistories, SyncLimits } from '../../store/index.ts';
import { DAY_MS } from '../../time/days.ts';
import type { Instant } from '../../time/instant.ts';
import type { CalendarName } from '../head.ts';
import { changesSince, type History, historyAfter, type MemberListing, STATE_DAYS } from './history.ts';
import { MemoryHistories } from './memory.ts';

/** States of collections that were given out, kept for as long as somebody may come back with one. */

/** Anybody can ask for any search, so there is an end: some ten thousand people with a list each, half a gigabyte at most. */
export const SYNC_LIMITS: SyncLimits = {
  unaskedMs: STATE_DAYS * DAY_MS,
  collections: 20_000,
  characters: 500_000_000,
};

export interface StatesOptions {
  now(): Instant;
  histories: SyncHistories;
  /** Hears of what cannot be kept, of the same once an hour: clients load such collections again. */
  onFault(error: unknown): void;
}

const REPORT_MS = 3_600_000;

/** Keeps the states that sync tokens name, and says what has changed since one. */
export class KeptStates {
  readonly #now: () => Instant;
  readonly #onFault: StatesOptions['onFault'];
  readonly #opened: () => Promise<SyncHistories>;
  #histories: Promise<SyncHistories> | undefined;
  #reported: { message: string; at: Instant } | undefined;

  constructor({ now, histories, onFault }: StatesOptions) {
    this.#now = now;
    this.#onFault = onFault;
    this.#opened = () => histories.open().then(() => histories);
  }

  /** Whoever has this state can come back with it. */
  async keep(name: CalendarName, listing: MemberListing): Promise<void> {
    const [key, now] = [historyKey(name), this.#now()];
    await this.#tolerantly(async (histories) => {
      if ((await histories.state(key, now)) === listing.state) return;
      await histories.update(key, now, (before) => {
        const history = historyAfter(before && (JSON.parse(before.content) as History), listing, now);
        return { state: listing.state, content: JSON.stringify(history) };
      });
    });
  }

  /** Undefined: the state is not known. */
  async changes(
    name: CalendarName,
    since: string,
    listing: MemberListing,
  ): Promise<{ changed: string[]; removed: string[] } | undefined> {
    if (since === listing.state) return { changed: [], removed: [] };
    return this.#tolerantly(async (histories) => {
      const known = await histories.history(historyKey(name));
      return known && changesSince(JSON.parse(known.content) as History, since, listing, this.#now());
    });
  }

  async #tolerantly<T>(work: (histories: SyncHistories) => Promise<T>): Promise<T | undefined> {
    try {
      return await work(await this.#open());
    } catch (error) {
      this.#report(error);
      return undefined;
    }
  }

  /** Where nothing can be written, in memory: each thread for itself. */
  #open(): Promise<SyncHistories> {
    this.#histories ??= this.#opened().catch((error: unknown) => {
      this.#report(error);
      return new MemoryHistories();
    });
    return this.#histories;
  }

  #report(error: unknown): void {
    const { message, at = 0 } = this.#reported ?? {};
    if (message === messageOf(error) && Math.abs(this.#now() - at) < REPORT_MS) return;
    this.#reported = { message: messageOf(error), at: this.#now() };
    this.#onFault(error);
  }
}

/** Names of lists are no file's business, and may be long. */
function historyKey(name: CalendarName): string {
  return sha256(name, 'base64url');
}
