import { harvestRPDE } from '@openactive/harvesting-utils';

/**
 * `node rival-harvest.ts FEED…`: @openactive/harvesting-utils reads the feeds, all side by side, into a Map of what is live,
 * and ends with the last page of the last one. Prints how many items came and how many are left.
 */
const live = new Map<string, unknown>();
let items = 0;

interface RpdePage {
  items: { state: string; kind: string; id: string | number; data?: unknown }[];
}

function keep(feed: string, page: RpdePage): void {
  items += page.items.length;
  for (const { state, kind, id, data } of page.items) {
    const key = `${feed} ${kind} ${id}`;
    if (state === 'deleted') live.delete(key);
    else live.set(key, data);
  }
}

/** Harvesting has no end of its own: the first end of the feed is the one that counts. */
function harvest(feed: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const failed = harvestRPDE({
    baseUrl: feed,
    feedContextIdentifier: feed,
    headers: async () => ({}),
    processPage: async ({ rpdePage }) => keep(feed, rpdePage as RpdePage),
    onReachedEndOfFeed: async () => resolve(),
    isOrdersFeed: false,
    config: { howLongToSleepAtFeedEnd: () => 3_600_000, REQUEST_LOGGING_ENABLED: false },
  });
  failed.then(({ error }) => reject(new Error(`${error.type} ${JSON.stringify(error).slice(0, 500)}`)), reject);
  return promise;
}

await Promise.all(process.argv.slice(2).map(harvest));
process.stdout.write(JSON.stringify({ items, live: live.size }), () => process.exit(0));
