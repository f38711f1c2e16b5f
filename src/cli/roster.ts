/** The feeds of `serve`, as dataset sites name them in the course of time. */

import type { Logger } from 'pino';
import { messageOf } from '../errors.ts';
import type { Roster } from '../harvest/discovery/roster.ts';
import { retireOthers } from '../harvest/retire.ts';
import type { Store } from '../store/contract.ts';
import { type Looked, namesOf, notesOf } from './discovered.ts';
import { type Feeds, feedName } from './feeds.ts';

/** @param first called after the first look, when it is known which feeds there are */
export function rosterOf(
  feeds: Feeds,
  store: Store,
  log: Logger,
  signal: AbortSignal,
  first: () => Promise<void>,
): Roster {
  let before: Looked | undefined;
  const look = async () => {
    const looked = await feeds.look('due', store);
    if (looked === undefined) return;
    tellTrouble(looked, before, log);
    tellChanges(looked, log);
    if (before === undefined) await first();
    before = looked;
  };
  const told = async (work: () => Promise<unknown>) => {
    try {
      await work();
    } catch (error) {
      if (!signal.aborted) log.error({ error: messageOf(error) }, 'Dataset sites cannot be looked at.');
    }
  };
  return {
    feeds: () => feeds.list,
    wait: () => feeds.wait(),
    look: () => told(look),
    retired: () => told(() => retireOthers(store, new Set(feeds.list.map(({ source }) => source.url)))),
  };
}

/** What was told at the look before is not told again. */
function tellTrouble(looked: Looked, before: Looked | undefined, log: Logger): void {
  const known = new Set(before === undefined ? [] : [...before.problems, ...notesOf(before)]);
  for (const problem of looked.problems.filter((one) => !known.has(one))) {
    log.warn({ problem }, 'A dataset site cannot be read; it is looked at again later.');
  }
  for (const note of notesOf(looked).filter((one) => !known.has(one))) log.warn({ note }, 'Feeds of dataset sites.');
}

function tellChanges({ joined, retired }: Looked, log: Logger): void {
  const told = (list: Looked['joined']) => ({ count: list.length, feeds: namesOf(list.map(feedName)) });
  if (joined.length > 0) log.info(told(joined), 'Feeds were found at dataset sites.');
  if (retired.length > 0) {
    log.warn(told(retired), 'Feeds that no dataset site names any more are still served, and no longer read.');
  }
}
