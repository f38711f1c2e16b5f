/** Lines of the log on feeds. */

import type { Logger } from 'pino';
import type { FeedStatus } from '../../harvest/index.ts';
import type { FeedState } from '../../store/index.ts';

const MESSAGES: Record<FeedStatus['state'], string> = {
  ended: 'A feed was read to its end.',
  failing: 'A feed cannot be read to its end.',
  stalled: 'A visit to a feed did not end: it was stopped, and the feed is tried again later.',
  gone: 'A feed is gone from its address.',
  held: 'A feed would take too many calendars or sessions away: they wait for a confirmation.',
  paused: 'A feed is paused by somebody: it is visited again once it is resumed.',
};

/**
 * Logs one line for each change of a feed's state, with the fields `feed`, `state`, `was`, `failures`, `nextVisitSeconds`,
 * `error`, and of a pass `pages`, `items`, `kept`, `deleted`, `findings`. A pass with items has a line too; the same trouble
 * again has none. `was`: the stored state before, perhaps by another process. A failure of the store changes no state, and
 * has one line for all feeds.
 */
export function feedLogger(
  log: Logger,
): (status: FeedStatus, feed: string, was: FeedState['state'] | undefined) => void {
  const known = new Map<string, { state: FeedStatus['state']; error: string | undefined }>();
  const ours = failuresOfOurs(log);
  return (status, feed, was) => {
    const { state, error, failures, wait, pass } = status;
    if (ours(status, feed)) return;
    const before = known.get(feed);
    known.set(feed, { state, error });
    const isNews = before?.state !== state || before.error !== error;
    // A pass without news, as there is every few seconds, has no line.
    if (!isNews && (state !== 'ended' || pass === undefined || pass.items === 0)) return;
    const facts = {
      feed,
      state,
      was: was ?? 'new',
      failures,
      ...(state !== 'paused' && { nextVisitSeconds: Math.round(wait / 1000) }),
      ...(error !== undefined && { error }),
      ...(pass && countsOf(pass)),
    };
    if (state === 'ended') log.info(facts, MESSAGES[state]);
    else log.warn(facts, MESSAGES[state]);
  };
}

/** Whether a status is a failure of the store. It is logged once, until every feed that met it was read again. */
function failuresOfOurs(log: Logger): (status: FeedStatus, feed: string) => boolean {
  const met = new Set<string>();
  let last: string | undefined;
  return ({ isOurs, error }, feed) => {
    if (!isOurs) {
      met.delete(feed);
      return false;
    }
    if (met.size === 0 || error !== last)
      log.warn({ feed, error }, 'Visits to feeds end early, for our own database failed: no state of a feed changes.');
    met.add(feed);
    last = error;
    return true;
  };
}

function countsOf({ pages, items, kept, deleted, findings }: NonNullable<FeedStatus['pass']>) {
  return { pages, items, kept, deleted, findings };
}
