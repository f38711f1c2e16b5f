/** The feeds of `serve`, as dataset sites name them in the course of time. */

import type { Logger } from 'pino';
import { messageOf } from '../../errors.ts';
import { type Roster, retireOthers } from '../../harvest/index.ts';
import type { Store } from '../../store/index.ts';
import { type Feeds, feedName } from './configured.ts';
import { type DiscoveryRound, namesOf, notesOf } from './discovered.ts';

/** A roster of which another process may read the dataset sites. */
export interface FollowingRoster extends Roster {
  /** Brings `feeds` up to date with what another process read last. Never rejects. */
  follow(): Promise<void>;
}

/** @param first called after the first reading, when the feeds are known */
export function rosterOf(
  feeds: Feeds,
  store: Store,
  log: Logger,
  signal: AbortSignal,
  first: () => Promise<void>,
): FollowingRoster {
  let before: DiscoveryRound | undefined;
  const discover = async () => {
    const discovered = await feeds.discover('due', store);
    if (discovered === undefined) return;
    tellTrouble(discovered, before, log);
    tellChanges(discovered, log);
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
  return {
    feeds: () => feeds.list,
    wait: () => feeds.wait(),
    discover: () => logged(discover),
    follow: () => logged(() => feeds.discover('none', store)),
    retired: () => logged(() => retireOthers(store, new Set(feeds.list.map(({ source }) => source.url)))),
  };
}

/** What was logged in the round before is not logged again. */
function tellTrouble(discovered: DiscoveryRound, before: DiscoveryRound | undefined, log: Logger): void {
  const known = new Set(before === undefined ? [] : [...before.problems, ...notesOf(before)]);
  for (const problem of discovered.problems.filter((one) => !known.has(one))) {
    log.warn({ problem }, 'A dataset site cannot be read; it is looked at again later.');
  }
  for (const note of notesOf(discovered).filter((one) => !known.has(one)))
    log.warn({ note }, 'Feeds of dataset sites.');
}

function tellChanges({ joined, retired }: DiscoveryRound, log: Logger): void {
  const logged = (list: DiscoveryRound['joined']) => ({ count: list.length, feeds: namesOf(list.map(feedName)) });
  if (joined.length > 0) log.info(logged(joined), 'Feeds were found at dataset sites.');
  if (retired.length > 0) {
    log.warn(logged(retired), 'Feeds that no dataset site names any more are still served, and no longer read.');
  }
}
