/** `check` of one feed, page by page, to its end. */

import { FeedError, FetchError, messageOf, SourceError } from '../../errors.ts';
import { crawlOnce, type Feed, type FeedSource, type Ingest, stuckError } from '../../harvest/index.ts';
import { LIMITS } from '../../limits.ts';
import { type cleanItem, OWN } from '../../opportunity/clean.ts';
import { type FindingCode, finish, type RawFinding } from '../../opportunity/findings.ts';
import { advice } from '../../opportunity/page/item-findings.ts';
import { PageError, type RpdeItem } from '../../opportunity/page/page.ts';
import type { Page } from '../../opportunity/page/rpde-item.ts';
import { sleep } from '../../process/stopping.ts';
import type { Io } from '../io.ts';
import type { Kept } from './kept.ts';
import type { Report } from './report.ts';

/**
 * Reports the findings of a feed and its items, and keeps its records to be joined. An error that stops it is a finding too.
 * @param publisher the key of the feed's publisher
 * @throws PageError where the first page is none and the source `mayBeOther` than a feed; errors that no feed causes
 */
export async function checkFeed(
  source: FeedSource,
  how: Checking,
  publisher: string,
  mayBeOther = false,
): Promise<void> {
  const seen = new SeenPages(source);
  const feed: Feed = { source: seen.source, meta: {} };
  const options = { sleep, random: Math.random, signal: how.io.signal, tries: LIMITS.triesPerPage };
  try {
    how.kept.addFeed(source.describe(), publisher);
    const pass = await crawlOnce(feed, {
      ...options,
      retryWaitMs: LIMITS.checkRetryWaitMs,
      ingest: reportingIngest(source, seen, how),
    });
    await reportPage(source, seen.uncounted(), how);
    const trouble = stuckError(feed, pass);
    if (trouble === undefined) await reportWhole(source, seen, how);
    else {
      // An error of the page's "next" is a finding that is counted already.
      if (!seen.leadsNowhere) how.report.counts.error += 1;
      how.report.note(`reading stopped: ${messageOf(trouble)}`);
    }
  } catch (error) {
    if (mayBeOther && seen.pages === 0 && error instanceof PageError && error.code === 'not-a-page') throw error;
    const code = stopped(error);
    if (code === undefined) throw error;
    await reportFinding(source, how, code, { reason: messageOf(error).replace(/\.$/, '') });
  }
}

/** The code of an error that stopped the reading; undefined: the feed did not cause it. */
function stopped(error: unknown): FindingCode | undefined {
  // A folder wraps a PageError into a SourceError that names the file.
  if (error instanceof PageError || (error instanceof SourceError && error.cause instanceof PageError))
    return 'page-unreadable';
  return error instanceof FetchError || error instanceof FeedError ? 'page-not-fetched' : undefined;
}

function reportFinding(source: FeedSource, how: Checking, code: FindingCode, facts: Record<string, string | number>) {
  return how.report.add(finish({ code, path: '$', facts }, source.describe(), ''));
}

/** Counts over all pages. A last page that the crawl does not commit, as it has no items, is kept until it is reported. */
class SeenPages {
  readonly source: FeedSource;
  pages = 0;
  items = 0;
  deleted = 0;
  /** Small pages before others with items. */
  small = 0;
  /** The last page has an error in its "next". */
  leadsNowhere = false;
  #last: Page | undefined;
  #before = Number.POSITIVE_INFINITY;

  constructor(source: FeedSource) {
    const page: FeedSource['page'] = async (cursor, signal) => {
      const fetched = await source.page(cursor, signal);
      if (!fetched.unchanged) this.#last = fetched.page as Page;
      return fetched;
    };
    this.source = { url: source.url, describe: () => source.describe(), page };
  }

  /** Counts a committed page. The crawl may have requested the next page before. */
  committed(page: Page): void {
    if (page === this.#last) this.#last = undefined;
    this.leadsNowhere = page.findings.some(({ finding }) => finding.path === '$.next' && isError(finding));
    this.pages += 1;
    this.items += page.items.length;
    for (const { state } of page.items) if (state === 'deleted') this.deleted += 1;
    if (page.items.length > 0 && this.#before < FULL_PAGE) this.small += 1;
    this.#before = page.items.length;
  }

  uncounted(): Page | undefined {
    return this.#last;
  }
}

function isError(finding: RawFinding): boolean {
  return finish(finding, '', '').severity === 'error';
}

/** The number of items below which a page is small ("Scaling feeds" of RPDE advises to put more on it). */
const FULL_PAGE = 500;

/** Takes pages in by reporting their findings. */
function reportingIngest(source: FeedSource, seen: SeenPages, how: Checking): Ingest {
  const commit: Ingest['commit'] = async (_, taken) => {
    const before = how.report.total;
    const page = taken as Page;
    seen.committed(page);
    await reportPage(source, page, how);
    for (const item of page.items) await takeItem(source, item, how);
    return { items: page.items.length, kept: 0, deleted: 0, findings: how.report.total - before };
  };
  return {
    open: async (url) => ({ id: 0, url, cursor: null }),
    commit,
    flush: () => {},
    reserve: async () => () => {},
    request: async () => ({ received: () => {}, end: () => {} }),
    full: () => true,
  };
}

async function reportPage(source: FeedSource, page: Page | undefined, { report }: Checking): Promise<void> {
  if (page === undefined) return;
  for (const { item, finding } of [...page.findings, ...advice(page)]) {
    await report.add(finish(finding, source.describe(), item));
  }
}

async function takeItem(source: FeedSource, item: RpdeItem, how: Checking): Promise<void> {
  how.report.items += 1;
  if (item.state === 'deleted') {
    how.kept.remove(source.describe(), item);
    return;
  }
  const { findings, records } = how.clean(item, { ...how.options, feed: source.url });
  how.kept.put(source.describe(), item, records);
  const object = records.find(({ rank }) => rank === OWN)?.record.id;
  for (const finding of findings) await how.report.add(finish(finding, source.describe(), how.nameOf(item), object));
}

async function reportWhole(source: FeedSource, seen: SeenPages, how: Checking): Promise<void> {
  if (seen.items > 0 && seen.deleted === 0) await reportFinding(source, how, 'deleted-items-missing', {});
  if (seen.small > 0) await reportFinding(source, how, 'pages-small', { count: seen.small, most: FULL_PAGE });
}

/** The settings and the state of one run of `check`. */
export interface Checking {
  options: { zone: string; slots: true };
  clean: typeof cleanItem;
  nameOf(item: RpdeItem): string;
  allowPrivate: boolean;
  kept: Kept;
  report: Report;
  io: Io;
}
