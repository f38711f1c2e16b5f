import { messageOf } from '../../errors.ts';
import { sha256 } from '../../platform/hash.ts';
import type { SyncHistories, SyncLimits } from '../../store/index.ts';
import { DAY_MS } from '../../time/days.ts';
import type { Instant } from '../../time/instant.ts';
import type { CalendarName } from '../head.ts';
import { changesSince, type History, historyAfter, type MemberListing, STATE_DAYS } from './history.ts';
import { MemoryHistories } from './memory.ts';

/** States of collections that clients have in sync tokens, and their histories. */

/** Limits for all collections, as anybody may request any search: ten thousand people with a list each, half a gigabyte. */
export const SYNC_LIMITS: SyncLimits = {
  unaskedMs: STATE_DAYS * DAY_MS,
  collections: 20_000,
  characters: 500_000_000,
};

export interface StatesOptions {
  now(): Instant;
  histories: SyncHistories;
  /** Receives errors of the histories, an equal one once an hour. Clients load such collections again. */
  onFault(error: unknown): void;
}

const REPORT_MS = 3_600_000;

/** Keeps the states that sync tokens name, and finds the changes since a state. */
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

  /** Keeps a state, so that `changes` can begin at it. */
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

  /** The histories; where they cannot be opened, those in the memory of this thread. */
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

/** The key of a history: a hash, because names of lists are private, and may be long. */
function historyKey(name: CalendarName): string {
  return sha256(name, 'base64url');
}
