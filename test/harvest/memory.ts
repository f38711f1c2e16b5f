/** An ingest that keeps what it is given, and a clock that only moves when somebody sleeps. */

import type { FeedHandle, Ingest, PageOutcome } from '../../src/harvest/contract.ts';
import type { Page } from '../../src/opportunity/page.ts';

export interface MemoryIngest extends Ingest {
  commits: { feed: string; page: Page; cursor: string }[];
  cursors: Map<string, string>;
}

export function memoryIngest(): MemoryIngest {
  const commits: MemoryIngest['commits'] = [];
  const cursors = new Map<string, string>();
  const open = async (url: string): Promise<FeedHandle> => ({ id: 1, url, cursor: cursors.get(url) ?? null });
  const commit = async (feed: FeedHandle, page: Page, cursor: string): Promise<PageOutcome> => {
    commits.push({ feed: feed.url, page, cursor });
    cursors.set(feed.url, cursor);
    const deleted = page.items.filter((item) => item.state === 'deleted').length;
    return { items: page.items.length, kept: page.items.length - deleted, deleted, findings: page.findings.length };
  };
  return { commits, cursors, open, commit };
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
