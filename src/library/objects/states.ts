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
export function keptStates({ now: clock, histories, onFault }: StatesOptions) {
  let opened: Promise<SyncHistories> | undefined;
  let reported: { message: string; at: Instant } | undefined;

  /** Keeps a state, so that `changes` can begin at it. */
  async function keep(name: CalendarName, listing: MemberListing): Promise<void> {
    const [key, now] = [historyKey(name), clock()];
    await tolerantly(async (kept) => {
      if ((await kept.state(key, now)) === listing.state) return;
      await kept.update(key, now, (before) => {
        const history = historyAfter(before && (JSON.parse(before.content) as History), listing, now);
        return { state: listing.state, content: JSON.stringify(history) };
      });
    });
  }

  /** Undefined: the state is not known. */
  async function changes(
    name: CalendarName,
    since: string,
    listing: MemberListing,
  ): Promise<{ changed: string[]; removed: string[] } | undefined> {
    if (since === listing.state) return { changed: [], removed: [] };
    return tolerantly(async (kept) => {
      const known = await kept.history(historyKey(name));
      return known && changesSince(JSON.parse(known.content) as History, since, listing, clock());
    });
  }

  async function tolerantly<T>(work: (histories: SyncHistories) => Promise<T>): Promise<T | undefined> {
    try {
      return await work(await open());
    } catch (error) {
      report(error);
      return undefined;
    }
  }

  /** The histories; where they cannot be opened, those in the memory of this thread. */
  function open(): Promise<SyncHistories> {
    opened ??= histories.open().then(
      () => histories,
      (error: unknown) => {
        report(error);
        return new MemoryHistories();
      },
    );
    return opened;
  }

  function report(error: unknown): void {
    const { message, at = 0 } = reported ?? {};
    if (message === messageOf(error) && Math.abs(clock() - at) < REPORT_MS) return;
    reported = { message: messageOf(error), at: clock() };
    onFault(error);
  }

  return { keep, changes };
}

export type KeptStates = ReturnType<typeof keptStates>;

/** The key of a history: a hash, because names of lists are private, and may be long. */
function historyKey(name: CalendarName): string {
  return sha256(name, 'base64url');
}
