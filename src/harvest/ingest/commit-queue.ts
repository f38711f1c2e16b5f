import { ForgottenError, OvertakenError, PausedError } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { shown } from '../../opportunity/findings.ts';
import { compareModified, type Page } from '../../opportunity/page/page.ts';
import { SLOT_KIND } from '../../opportunity/page/rpde-item.ts';
import { yieldToEventLoop } from '../../process/event-loop.ts';
import { revisionContext, sameSource } from '../../revision/index.ts';
import type { Change, PreparedItem, PreparedPage } from '../../revision/records/prepared.ts';
import { type FeedReport, type FeedState, type Store, stateOf, type Writer } from '../../store/index.ts';
import type { Instant } from '../../time/instant.ts';
import { preparePage } from '../page/prepare.ts';
import { noteHeld, type ToHold, writeGuarded } from '../visit/deletion-guard.ts';
import { pageTaken } from '../visit/states.ts';
import { applyChanges, replanFeed } from './apply-changes.ts';
import { type Taken, takeItems } from './changes.ts';
import { type FeedHandle, type Ingest, type IngestOptions, NOTHING_DONE, type PageOutcome } from './contract.ts';
import { checkQuota } from './quota.ts';

/**
 * The queue of pages before the store. Pages that wait when a transaction begins, or come while it is under way, share it.
 * Each page is stored with the cursor after it, and each calendar that any of the pages changes is revised once, at the end.
 * A page waits a moment for those that follow, unless the caller awaits it. So a calendar whose sessions are spread over
 * twenty pages is revised once and not twenty times, and a page of the database is written once.
 */

interface QueuedPage {
  feed: FeedHandle;
  page: Page | PreparedPage;
  /** The cursor of the page, and the cursor after it. */
  from: string | null;
  to: string;
  /** Other pages of the feed follow, and this one may wait for them. */
  more: boolean;
  done: PromiseWithResolvers<PageOutcome>;
}

/** A page that the open transaction has taken in. */
interface UncommittedPage {
  waiting: QueuedPage;
  outcome: PageOutcome;
}

/** The queue of pages of one store, with the function that takes a page in. */
export function commitQueue(store: Store, options: IngestOptions): Pick<Ingest, 'commit' | 'flush' | 'full'> {
  const queue: QueuedPage[] = [];
  /** The cursor after the last queued page of each feed. */
  const ahead = new Map<FeedHandle, string>();
  let busy = false;
  let timer: NodeJS.Timeout | undefined;

  const isFull = () => queue.length >= LIMITS.pagesWaiting;

  async function run(): Promise<void> {
    busy = true;
    clearTimeout(timer);
    timer = undefined;
    try {
      await groupCommit(store, queue, options);
    } finally {
      busy = false;
      schedule();
    }
  }

  /** Rejects the queued pages behind a page that failed: the crawl begins anew at the stored cursor. */
  function fail(feed: FeedHandle): void {
    ahead.delete(feed);
    for (const behind of queue.filter((waiting) => waiting.feed === feed)) {
      queue.splice(queue.indexOf(behind), 1);
      behind.done.reject(new OvertakenError(feed.url));
    }
  }

  function flush(): void {
    for (const waiting of queue) waiting.more = false;
    schedule();
  }

  function schedule(): void {
    if (busy || queue.length === 0) return;
    if (queue.length >= LIMITS.pagesTogether || queue.some(({ more }) => !more)) void run();
    else timer ??= setTimeout(() => void run(), LIMITS.lingerMs);
  }

  /** Puts a page into the queue. The promise resolves when the transaction with the page has ended. @throws OvertakenError */
  function commit(feed: FeedHandle, page: Page | PreparedPage, to: string, more = false): Promise<PageOutcome> {
    const done = Promise.withResolvers<PageOutcome>();
    queue.push({ feed, page, from: ahead.get(feed) ?? feed.cursor, to, more, done });
    ahead.set(feed, to);
    schedule();
    return done.promise.then(
      (outcome) => {
        if (ahead.get(feed) === to) ahead.delete(feed);
        return outcome;
      },
      (error: unknown) => {
        fail(feed);
        throw error;
      },
    );
  }

  return { commit, flush, full: isFull };
}

/** Commits queued pages in one transaction; where it fails, each page in its own, so that the bad one alone fails. */
async function groupCommit(store: Store, queue: QueuedPage[], options: IngestOptions): Promise<void> {
  const uncommitted: UncommittedPage[] = [];
  let keys: string[];
  try {
    keys = await writeGuarded(store, (tx, toHold) => {
      // `writeGuarded` tries again where a feed would lose too much: the pages of the failed try come first.
      queue.unshift(...uncommitted.splice(0).map(({ waiting }) => waiting));
      return takePages(tx, queue, uncommitted, toHold, options);
    });
  } catch (error) {
    // Where no page was taken, the transaction did not begin: the first page fails.
    const tried = uncommitted.length > 0 ? uncommitted.map(({ waiting }) => waiting) : queue.splice(0, 1);
    if (tried.length === 1) tried[0]?.done.reject(error);
    else for (const waiting of tried) await groupCommit(store, [waiting], options);
    return;
  }
  resolvePages(uncommitted, keys, options);
}

/** Resolves the promises of committed pages, and reports changed calendars to `onChange`. */
function resolvePages(uncommitted: readonly UncommittedPage[], keys: readonly string[], options: IngestOptions): void {
  for (const { waiting, outcome } of uncommitted) {
    waiting.feed.cursor = waiting.to;
    waiting.done.resolve(outcome);
  }
  if (keys.length > 0) options.onChange?.(keys);
}

/** Takes in as many pages as one transaction may have, then applies their changes. Returns the keys of changed calendars. */
async function takePages(
  tx: Writer,
  queue: QueuedPage[],
  uncommitted: UncommittedPage[],
  toHold: ToHold,
  options: IngestOptions,
): Promise<string[]> {
  const group: GroupChanges = {
    changes: [],
    items: new Set(),
    toHold,
    heldChanged: new Set(),
    attributionChanged: new Set(),
  };
  for (let items = 0; items < LIMITS.commitItems && uncommitted.length < LIMITS.commitPages; ) {
    const waiting = queue.shift();
    if (waiting === undefined) break;
    const one = { waiting, outcome: NOTHING_DONE };
    uncommitted.push(one);
    one.outcome = await takePage(tx, waiting, group, options);
    items += one.outcome.items;
    await yieldToEventLoop();
  }
  const context = await revisionContext(tx, options);
  const keys = await applyChanges(tx, group.changes, context, options);
  for (const url of group.heldChanged) await noteHeld(tx, url, context.now);
  for (const feed of group.attributionChanged) keys.push(...(await replanFeed(tx, feed, context)));
  return keys;
}

/** The changes of all pages of a transaction, to be applied at its end. */
interface GroupChanges {
  changes: Change[];
  /** Items that changed. */
  items: Set<number>;
  /** Items whose copies are to be held back. */
  toHold: ToHold;
  /** Addresses of feeds with more or fewer held copies than before. */
  heldChanged: Set<string>;
  /** Feeds with stored items whose attribution has changed. */
  attributionChanged: Set<number>;
}

/** Takes in one page: its cursor, its findings and its items. @throws ForgottenError, PausedError, OvertakenError */
async function takePage(
  tx: Writer,
  { feed: { id, url }, page, from, to }: QueuedPage,
  group: GroupChanges,
  options: IngestOptions,
): Promise<PageOutcome> {
  await options.fence?.(tx, url);
  const before = await tx.feedState(url);
  if (before === undefined || before.publisherId === 0) throw new ForgottenError(url);
  if (before.paused !== undefined) throw new PausedError(url);
  if ((before.cursor ?? null) !== from) throw new OvertakenError(url);
  await tx.saveCursor(id, to, page.license);
  await tx.savePageFindings(id, to, page.findings);
  const feed: FeedReport = page.license === undefined ? before : { ...before, license: page.license };
  if (before.items > 0 && !sameSource(before, feed)) group.attributionChanged.add(id);
  const prepared = 'count' in page ? page : preparePage(page, options.cleanOptions(feed));
  const { items: undecided, toHold } = group;
  const taken = await takeItems(tx, feed, prepared.items, { options, undecided, toHold });
  if (options.quota !== undefined) checkQuota(before, await tx.feedCounts(id), options.quota);
  if (taken.heldChanged) group.heldChanged.add(url);
  const older = await noteOlder(tx, before, { page: to, items: prepared.items, newer: taken.newer });
  await saveProgress(tx, { ...before, older }, prepared, taken, options.now());
  for (const change of taken.changes) {
    group.changes.push(change);
    group.items.add(change.item);
  }
  const { kept, deleted, findings } = taken;
  return { items: prepared.count, kept, deleted, findings: findings + page.findings.length };
}

/** Counts a page in the state of its feed; during a resync, its items are seen. */
async function saveProgress(
  tx: Writer,
  feed: FeedReport,
  { items }: PreparedPage,
  { kept, deleted, met }: Taken,
  now: Instant,
): Promise<void> {
  if (feed.resync !== undefined) await tx.saveSeen(feed.id, met);
  const slots = items.some(({ kind }) => kind.includes(SLOT_KIND));
  const taken = { now, items: items.length, modified: items.at(-1)?.modified, changed: kept + deleted > 0, slots };
  await tx.saveFeedState(feed.id, pageTaken(stateOf(feed), taken));
}

interface TakenPage {
  /** The cursor after the page. */
  page: string;
  items: readonly PreparedItem[];
  /** `Taken.newer` of the page. */
  newer: readonly string[];
}

/**
 * Adds a finding to a feed whose `modified` has gone back, as after a move to another database: its items are left out. A
 * feed that lists earlier copies reaches those that are stored later, and past their `modified` the finding is removed.
 */
async function noteOlder(tx: Writer, feed: FeedReport, { page, items, newer }: TakenPage): Promise<FeedState['older']> {
  const before = feed.older;
  if (items.length === 0 || (before === undefined && newer.length === 0)) return before;
  const than = newestOf(before === undefined ? newer : [before.than, ...newer]);
  const isPast = compareModified(newestOf(items.map(({ modified }) => modified)), than) >= 0;
  if (!isPast && newer.length === 0) return before;
  if (before !== undefined) await tx.savePageFindings(feed.id, before.finding, []);
  if (isPast) return undefined;
  // The count begins anew with each visit.
  const count = newer.length + (feed.state === 'reading' ? (before?.count ?? 0) : 0);
  const facts = { count, than: shown(than, 40) };
  // A key of its own: the findings under a page's cursor are replaced when the page is read again.
  const older = { count, than, finding: `${page}#older` };
  await tx.savePageFindings(feed.id, older.finding, [
    { item: '', finding: { code: 'items-older-than-stored', path: '$', facts } },
  ]);
  return older;
}

function newestOf(all: readonly string[]): string {
  return all.reduce((newest, one) => (compareModified(one, newest) > 0 ? one : newest));
}
