/** Reads a feed into the store, page by page, from its cursor to its real end. */

import { FeedError, FetchError, messageOf, OvertakenError, StatusError } from '../../errors.ts';
import { type Freshness, freshnessOf, isGone, waitAfter } from '../../fetch/index.ts';
import { LIMITS } from '../../limits.ts';
import { PageError } from '../../opportunity/page/page.ts';
import { unlessStopped } from '../../process/stopping.ts';
import { type FeedHandle, type FeedMeta, type Ingest, NOTHING_DONE, type PageOutcome } from '../ingest/contract.ts';
import { PageReservations } from '../page/page-room.ts';
import { isEmpty } from './next-page.ts';
import type { FeedSource, FetchedPage, OnStep, Unchanged } from './source.ts';

/** A feed to read: the source of its pages, and its name, publisher and dataset. */
export interface Feed {
  source: FeedSource;
  meta: FeedMeta;
}

export interface CrawlOptions {
  ingest: Ingest;
  /** Resolves after `ms` milliseconds; rejects with `signal.reason` when aborted before. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** 0 … 1. */
  random(): number;
  signal?: AbortSignal;
  /** Tries of one page; between them the waits of `fetch/back-off.ts`, but none longer than `retryWaitMs`. Default 1. */
  tries?: number;
  retryWaitMs?: number;
  maxPages?: number;
  /** Called when the pass has made a step, with what it waits for next. */
  onStep?: OnStep;
  /** Names work that the pass waits for while its steps go on. */
  beside?<T>(waitsFor: string, work: Promise<T>): Promise<T>;
  /** The last page of the pass was read; its pages may not be committed yet. */
  onRead?(): void;
  /** Called after each committed page, with the sums so far. */
  onPage?(feed: Feed, sums: Sums): void;
}

/** Counts of a pass; `pages` counts pages without items too. */
export interface Sums extends PageOutcome {
  pages: number;
}

/** `fresh` and `age` are those of the last answer. */
export interface Pass extends Sums, Freshness {
  /** The real end of the feed was reached. */
  end: boolean;
  /** Why the end was not reached, in one sentence, where no page leads on. */
  stuck?: string;
}

/**
 * One pass over a feed. A page and the cursor after it are committed together, while the next page is requested.
 * A page that cannot be fetched or read leaves the cursor before it. An item that a pass does not meet is not deleted.
 * @throws FetchError, PageError, SourceError of the page that failed; FeedError past `maxPages`; what `ingest` throws
 */
export async function crawlOnce(feed: Feed, options: CrawlOptions): Promise<Pass> {
  options.onStep?.('for the store');
  return crawl(feed, await options.ingest.open(feed.source.url, feed.meta), options);
}

/** Crawls from the cursor of the handle, and moves that cursor on. @throws as `crawlOnce` */
export async function crawl(feed: Feed, handle: FeedHandle, options: CrawlOptions): Promise<Pass> {
  const walk: Walk = {
    feed,
    options,
    handle,
    isRepeated: repeatedCursor(handle.cursor),
    reservations: new PageReservations(options.ingest),
    sums: { pages: 0, ...NOTHING_DONE },
    pages: 0,
    empty: 0,
  };
  for (;;) {
    try {
      return await follow(walk);
    } catch (error) {
      if (!(error instanceof OvertakenError)) throw error;
      walk.handle.cursor = (await options.ingest.open(feed.source.url, feed.meta)).cursor;
      walk.isRepeated = repeatedCursor(walk.handle.cursor);
      walk.reservations = new PageReservations(options.ingest);
    }
  }
}

async function follow(walk: Walk): Promise<Pass> {
  const commits = commitsOf(walk);
  try {
    const end = await readPages(walk, commits);
    walk.options.onRead?.();
    await commits.all();
    return { ...walk.sums, ...end };
  } catch (error) {
    // Where an earlier page could not be committed, its error is thrown instead.
    await commits.all();
    throw error;
  } finally {
    walk.reservations.end();
  }
}

/** The request for the page at a cursor. */
interface Ahead {
  cursor: string | null;
  coming: Promise<FetchedPage | Unchanged>;
}

type End = Omit<Pass, keyof Sums>;

async function readPages(walk: Walk, commits: ReturnType<typeof commitsOf>): Promise<End> {
  const { cursor } = walk.handle;
  let next: Ahead | End = { cursor, coming: fetchPage(walk, cursor) };
  while ('coming' in next) next = await readNext(walk, commits, next);
  return next;
}

/** A function of its own, so that a page can be collected while the loop waits for the next one. */
async function readNext(
  walk: Walk,
  commits: ReturnType<typeof commitsOf>,
  { cursor, coming }: Ahead,
): Promise<Ahead | End> {
  const fetched = await coming;
  // No limit on this step: `beside` watches the commits of pages.
  walk.options.onStep?.('for the store', Number.POSITIVE_INFINITY);
  const fresh = freshnessOf(fetched);
  if (fetched.unchanged) return { end: true, ...fresh };
  const here = checkPaging(fetched, cursor, walk);
  const last = here.end || here.stuck !== undefined;
  const ahead = last ? undefined : { cursor: here.next, coming: early(fetchPage(walk, here.next)) };
  await commits.add(here, cursor);
  return ahead ?? { end: here.end, ...(here.stuck !== undefined && { stuck: here.stuck }), ...fresh };
}

interface Walk {
  feed: Feed;
  options: CrawlOptions;
  handle: FeedHandle;
  isRepeated: (cursor: string) => boolean;
  /** Memory for pages that are read and not stored yet. */
  reservations: PageReservations;
  sums: Sums;
  pages: number;
  /** Pages without items in a row. */
  empty: number;
}

/** The commits of a pass, in the order of its pages. */
function commitsOf(walk: Walk) {
  let last: Promise<void> = Promise.resolve();
  let failed = false;

  /** Commits a page; resolves when the next one may follow. @throws the error of this page or of an earlier one */
  async function add(page: FetchedPage, cursor: string | null): Promise<void> {
    if (failed) return last;
    const { ingest, signal } = walk.options;
    signal?.throwIfAborted();
    const { reservations } = walk;
    const outcome = early(commitPage(walk, page, cursor).finally(() => reservations.release()));
    const before = last;
    last = early(before.then(async () => addOutcome(walk, await outcome)));
    last.catch(() => {
      failed = true;
    });
    if (ingest.full()) await last;
  }

  /** Resolves when all pages are committed. @throws the error of the first page that failed */
  function all(): Promise<void> {
    walk.options.ingest.flush();
    return last;
  }

  return { add, all };
}

/** Keeps an early rejection from being unhandled: the loop awaits the promise after the commit, or throws before. */
function early<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

/** Ends the pass at a cycle, after many pages without items in a row, and after more pages than any feed has. */
function checkPaging(fetched: FetchedPage, cursor: string | null, walk: Walk): FetchedPage {
  walk.pages += 1;
  if (fetched.end || fetched.stuck !== undefined) return fetched;
  if (walk.isRepeated(fetched.next)) {
    fetched.page.findings.push({ item: '', finding: { code: 'next-cycle', path: '$.next' } });
    return { ...fetched, next: cursor ?? walk.feed.source.url, stuck: '"next" leads back to an earlier page' };
  }
  walk.empty = isEmpty(fetched.page) ? walk.empty + 1 : 0;
  if (walk.empty === LIMITS.emptyPages) {
    const count = walk.empty;
    fetched.page.findings.push({
      item: '',
      finding: { code: 'empty-pages-in-a-row', path: '$.next', facts: { count } },
    });
    return { ...fetched, stuck: `${count} pages in a row without items lead on and on` };
  }
  if (walk.pages < (walk.options.maxPages ?? LIMITS.pagesPerPass)) return fetched;
  return { ...fetched, stuck: `not at its end after ${walk.pages} pages` };
}

async function commitPage(walk: Walk, { page, next, end }: FetchedPage, cursor: string | null): Promise<PageOutcome> {
  // A last page without news writes nothing.
  const idle = end && page.items.length === 0 && next === cursor;
  if (idle) return NOTHING_DONE;
  const { ingest, beside } = walk.options;
  const committed = ingest.commit(walk.handle, page, next, true);
  return beside === undefined ? committed : beside('for the store to take a page in', committed);
}

function addOutcome(walk: Walk, outcome: PageOutcome): void {
  walk.sums = summed(walk.sums, { pages: 1, ...outcome });
  walk.options.onPage?.(walk.feed, walk.sums);
}

export function summed<T extends Sums>(a: Sums, b: T): T {
  return {
    ...b,
    pages: a.pages + b.pages,
    items: a.items + b.items,
    kept: a.kept + b.kept,
    deleted: a.deleted + b.deleted,
    findings: a.findings + b.findings,
  };
}

async function fetchPage(
  { feed, options, reservations }: Walk,
  cursor: string | null,
): Promise<FetchedPage | Unchanged> {
  const { tries = 1, retryWaitMs = Number.POSITIVE_INFINITY, signal } = options;
  for (let failures = 1; ; failures++) {
    let release: (() => void) | undefined;
    options.onStep?.('for other pages to be stored', Number.POSITIVE_INFINITY);
    const request = await options.ingest.request(signal);
    const reserve = async (octets: number, bodyOctets: number) => {
      request.received(bodyOctets);
      release = await reservations.reserve(octets);
      request.end();
    };
    try {
      options.onStep?.('for a page');
      return await unlessStopped(feed.source.page(cursor, signal, options.onStep, reserve), signal);
    } catch (error) {
      // Pages of other feeds take its place while this one waits for another try.
      release?.();
      request.end();
      if (failures >= tries || !worthAnotherTry(error)) throw error;
      await options.sleep(Math.min(waitAfter(error, failures, options.random()), retryWaitMs), signal);
    } finally {
      request.end();
    }
  }
}

/** Whether a short wait may help. 503, 429 and 404 are answers: they end the pass, and the next visit tries again. */
function worthAnotherTry(error: unknown): boolean {
  if (error instanceof StatusError) return error.status >= 500 && error.status !== 503 && !isGone(error.status);
  // HTML of a maintenance page and half a body pass soon; JSON that is no page stays.
  if (error instanceof PageError) return error.code !== 'not-a-page' && error.code !== 'too-deep';
  return error instanceof FetchError && error.transient;
}

/** Tells whether a cursor of a pass came before, among its newest `visitedPages`: a cycle. A longer one ends at `maxPages`. */
function repeatedCursor(first: string | null): (cursor: string) => boolean {
  const cursors = new Set(first === null ? [] : [first]);
  return (cursor) => {
    if (cursors.has(cursor)) return true;
    if (cursors.size >= LIMITS.visitedPages) cursors.delete(cursors.values().next().value as string);
    cursors.add(cursor);
    return false;
  };
}

/** The error of a pass that is stuck before the feed's end. */
export function stuckError(feed: Feed, pass: Pass): FeedError | undefined {
  return pass.stuck === undefined ? undefined : new FeedError(`${feed.source.describe()}: ${messageOf(pass.stuck)}`);
}
