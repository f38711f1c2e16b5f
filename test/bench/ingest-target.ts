import { mkdirSync } from 'node:fs';
import type { FeedHandle } from '../../src/harvest/contract.ts';
import { createIngest } from '../../src/harvest/ingest.ts';
import { parsePage } from '../../src/opportunity/page.ts';
import { openStore } from '../../src/store/index.ts';
import type { BenchPage } from './generate.ts';

export type TargetPage = Pick<BenchPage, 'feed' | 'next' | 'text'>;

/** The program's own way from a page's text into its store, as `sync` goes it, without the network. */
export interface Target {
  run(pages: Iterable<TargetPage>): Promise<void>;
  close(): Promise<void>;
}

/** The middle of the generated sessions, so that some are past and some to come. */
const NOW = Date.UTC(2026, 2, 2, 12);

export async function openTarget(data: string): Promise<Target> {
  mkdirSync(data, { recursive: true });
  const store = await openStore({ data });
  const ingest = createIngest(store, {
    now: () => NOW,
    door: (feed) => ({ zone: 'Europe/London', feed: feed.url }),
    compose: { zone: 'Europe/London', placesLeft: false, refresh: 'PT6H' },
    horizonDays: 365,
  });
  const handles = new Map<string, FeedHandle>();
  return {
    async run(pages) {
      for (const page of pages) {
        const handle = handles.get(page.feed) ?? (await ingest.open(page.feed, {}));
        handles.set(page.feed, handle);
        await ingest.commit(handle, parsePage(page.text), page.next);
      }
    },
    close: () => store.close(),
  };
}
