import { mkdirSync } from 'node:fs';
import type { Body } from '../../src/fetch/decode.ts';
import type { FeedHandle, Ingest } from '../../src/harvest/ingest/contract.ts';
import { createIngest } from '../../src/harvest/ingest/ingest.ts';
import { readOnThread } from '../../src/harvest/page/page-reader.ts';
import { LIMITS } from '../../src/limits.ts';
import type { CleanOptions } from '../../src/opportunity/clean.ts';
import type { PreparedPage } from '../../src/revision/records/prepared.ts';
import { openStore, type Store } from '../../src/store/index.ts';
import type { BenchPage } from './generate.ts';

export type TargetPage = Pick<BenchPage, 'feed' | 'next' | 'text'>;

/** The program's own way from a page's text into its store, as `sync` goes it, without the network. */
export interface Target {
  /** In order, a transaction a page; while one is committed the next ones are read at the reader. Resolves when all are in. */
  run(pages: Iterable<TargetPage>): Promise<void>;
  close(): Promise<void>;
}

/** Pages that are read before the one that is committed: `sync` goes further. */
const AHEAD = 3;

/** The middle of the generated sessions, so that some are past and some to come. */
const NOW = Date.UTC(2026, 2, 2, 12);

export const cleanOptions = (feed: { url: string }): CleanOptions => ({ zone: 'Europe/London', feed: feed.url });

export function ingestOf(store: Store): Ingest {
  return createIngest(store, {
    now: () => NOW,
    cleanOptions: cleanOptions,
    compose: { zone: 'Europe/London', placesLeft: false, refresh: 'PT6H' },
    horizonDays: 365,
  });
}

/** Octets, as they come from the network. */
function bodyOf(text: string): Body {
  const bytes = new TextEncoder().encode(text);
  return { bytes, coding: '', contentType: '', limit: LIMITS.pageBytes };
}

export async function openTarget(data: string): Promise<Target> {
  mkdirSync(data, { recursive: true });
  const store = await openStore({ data });
  const ingest = ingestOf(store);
  const reader = readOnThread();
  const handles = new Map<string, FeedHandle>();

  async function commit({ feed, next }: TargetPage, coming: Promise<PreparedPage>): Promise<void> {
    const handle = handles.get(feed) ?? (await ingest.open(feed, {}));
    handles.set(feed, handle);
    await ingest.commit(handle, await coming, next);
  }

  return {
    async run(pages) {
      const ahead: Parameters<typeof commit>[] = [];
      for (const page of pages) {
        ahead.push([page, reader.read(bodyOf(page.text), cleanOptions({ url: page.feed }))]);
        if (ahead.length > AHEAD) await commit(...(ahead.shift() as Parameters<typeof commit>));
      }
      for (const next of ahead) await commit(...next);
    },
    async close() {
      await Promise.all([reader.close(), store.close()]);
    },
  };
}
