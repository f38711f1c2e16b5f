/** The list of feeds of `serve`, which changes with dataset sites. */

import type { Logger } from 'pino';
import { messageOf, OvertakenError } from '../../errors.ts';
import { type Feed, type FeedList, retireOthers } from '../../harvest/index.ts';
import type { FeedRow, Store } from '../../store/index.ts';
import { type Feeds, feedName } from './configured.ts';
import { type CheckWrite, type DiscoveryRound, namesOf, notesOf } from './discovered.ts';

/** A feed list whose dataset sites another process may read. */
export interface SharedFeedList extends FeedList {
  /** Reads dataset sites; where `check` refuses the result, follows that of another process. Never rejects. */
  discover(check?: CheckWrite): Promise<void>;
  /** Brings `feeds` up to date with the last result of another process. Never rejects. */
  follow(): Promise<void>;
  /** Retires feeds; `follows`: calls `follow` before. */
  retire(feeds: readonly Feed[], follows?: boolean): Promise<void>;
}

interface FeedListOptions {
  feeds: Feeds;
  store: Store;
  log: Logger;
  signal: AbortSignal;
  /** Called after the first reading of the dataset sites, when the feeds are known. */
  first(): Promise<void>;
}

export function feedListOf({ feeds, store, log, signal, first }: FeedListOptions): SharedFeedList {
  let before: DiscoveryRound | undefined;
  const discover = async (check?: CheckWrite) => {
    const discovered = await orFollowed(feeds, store, () => feeds.discover('due', store, check));
    if (discovered === undefined) return;
    logTrouble(discovered, before, log);
    logChanges(discovered, log);
    if (before === undefined) await first();
    before = discovered;
  };
  const logged = async (work: () => Promise<unknown>) => {
    try {
      await work();
    } catch (error) {
      if (!signal.aborted) log.error({ error: messageOf(error) }, 'Dataset sites cannot be looked at.');
    }
  };
  // One reading at a time, as each replaces `feeds`.
  let last: Promise<void> = Promise.resolve();
  const inTurn = (work: () => Promise<unknown>) => {
    last = last.then(() => logged(work));
    return last;
  };
  const follow = () => feeds.discover('none', store);
  let leftOver: Promise<void> | undefined;
  return {
    feeds: () => feeds.list,
    wait: () => feeds.wait(),
    discover: (check) => inTurn(() => discover(check)),
    follow: () => inTurn(follow),
    // One call for all feeds that retire while another reading has its turn.
    retire: (_, follows) => {
      leftOver ??= inTurn(async () => {
        leftOver = undefined;
        if (follows) await follow();
        await retireLeftOver(feeds, store);
      });
      return leftOver;
    },
  };
}

/** Flags the feeds that neither settings nor dataset sites name, and returns them. */
export async function retireLeftOver(feeds: Feeds, store: Store): Promise<FeedRow[]> {
  const retire = () => retireOthers(store, new Set(feeds.list.map(({ source }) => source.url)), feeds.check);
  return (await orFollowed(feeds, store, retire)) ?? retire();
}

/** Runs `work`; undefined: another process has read the dataset sites since, and its list is taken over. */
async function orFollowed<T>(feeds: Feeds, store: Store, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof OvertakenError)) throw error;
    await feeds.discover('none', store);
    return undefined;
  }
}

/** Logs problems and notes that the round before did not have. */
function logTrouble(discovered: DiscoveryRound, before: DiscoveryRound | undefined, log: Logger): void {
  const known = new Set(before === undefined ? [] : [...before.problems, ...notesOf(before)]);
  for (const problem of discovered.problems.filter((one) => !known.has(one))) {
    log.warn({ problem }, 'A dataset site cannot be read; it is looked at again later.');
  }
  for (const note of notesOf(discovered).filter((one) => !known.has(one)))
    log.warn({ note }, 'Feeds of dataset sites.');
}

function logChanges({ joined, retired }: DiscoveryRound, log: Logger): void {
  const logged = (list: DiscoveryRound['joined']) => ({ count: list.length, feeds: namesOf(list.map(feedName)) });
  if (joined.length > 0) log.info(logged(joined), 'Feeds were found at dataset sites.');
  if (retired.length > 0) {
    log.warn(logged(retired), 'Feeds that no dataset site names any more are still served, and no longer read.');
  }
}
