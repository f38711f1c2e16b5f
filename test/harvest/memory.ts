/** An ingest that keeps what it is given, and a clock that only moves when somebody sleeps. */

import { OvertakenError } from '../../src/errors.ts';
import type { FeedHandle, FeedKeeper, PageOutcome } from '../../src/harvest/ingest/contract.ts';
import { pageTaken, resyncBegun } from '../../src/harvest/visit/states.ts';
import type { Page } from '../../src/opportunity/page/page.ts';
import { NEW_FEED } from '../../src/store/contract/feeds.ts';
import type { FeedState } from '../../src/store/index.ts';

export interface MemoryIngest extends FeedKeeper {
  commits: { feed: string; page: Page; cursor: string }[];
  cursors: Map<string, string>;
  states: Map<string, FeedState>;
}

export function memoryIngest(now: () => number = () => 0): MemoryIngest {
  const commits: MemoryIngest['commits'] = [];
  const cursors = new Map<string, string>();
  const states = new Map<string, FeedState>();
  const note = async ({ url }: FeedHandle, change: (state: FeedState) => FeedState) => {
    states.set(url, change(states.get(url) ?? NEW_FEED));
  };
  return {
    commits,
    cursors,
    states,
    note,
    open: async (url) => ({ id: 1, url, cursor: cursors.get(url) ?? null }),
    flush: () => {},
    reserve: async () => () => {},
    request: async () => ({ received: () => {}, end: () => {} }),
    full: () => true,
    state: async (url) => states.get(url),
    wasForgotten: async () => false,
    async commit(feed, page, cursor): Promise<PageOutcome> {
      if ((cursors.get(feed.url) ?? null) !== feed.cursor) throw new OvertakenError(feed.url);
      commits.push({ feed: feed.url, page: page as Page, cursor });
      cursors.set(feed.url, cursor);
      feed.cursor = cursor;
      const deleted = (page as Page).items.filter((item) => item.state === 'deleted').length;
      await note(feed, (state) => pageTaken(state, { now: now(), items: 1, changed: true, slots: false }));
      return { items: page.items.length, kept: page.items.length - deleted, deleted, findings: page.findings.length };
    },
    async resync(feed, reason) {
      cursors.delete(feed.url);
      feed.cursor = null;
      await note(feed, (state) => resyncBegun(state, now(), reason));
    },
    applyHeld: async () => 0,
    async sweep(feed) {
      await note(feed, (state) => ({ ...state, resync: undefined }));
      return 0;
    },
  };
}

/** Ids of all items committed, in order. */
export function idsOf(ingest: MemoryIngest, feed?: string): string[] {
  return ingest.commits
    .filter((commit) => feed === undefined || commit.feed === feed)
    .flatMap(({ page }) => page.items.map((item) => item.id));
}

/** Codes of all findings of pages, in order. */
export function codesOf(ingest: MemoryIngest): string[] {
  return ingest.commits.flatMap(({ page }) => page.findings.map(({ finding }) => finding.code));
}

/** Sleeping takes no time, and is remembered. */
export function sleeper(most = 100) {
  const slept: number[] = [];
  const sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
    slept.push(ms);
    if (slept.length > most) throw new Error('slept too often');
    await new Promise((done) => setImmediate(done));
    signal?.throwIfAborted();
  };
  return { slept, sleep };
}

export function pageText(ids: readonly (string | number)[], next: string, more: object = {}): string {
  const items = ids.map((id) => ({ state: 'updated', kind: 'Event', id, modified: 1, data: { '@type': 'Event' } }));
  return JSON.stringify({ items, next, license: 'https://creativecommons.org/licenses/by/4.0/', ...more });
}
