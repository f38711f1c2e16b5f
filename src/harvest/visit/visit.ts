/** One visit to a feed: a pass, its status and the wait until the next visit, which are stored with the feed. */

import { setTimeout } from 'node:timers/promises';
import {
  FeedError,
  messageOf,
  OvertakenError,
  PausedError,
  RefusedAddressError,
  StalledError,
  StatusError,
  StoreError,
} from '../../errors.ts';
import { freshnessOf, isGone, waitAfter } from '../../fetch/index.ts';
import { LIMITS } from '../../limits.ts';
import type { UnderWay } from '../../process/under-way.ts';
import type { Instant } from '../../time/instant.ts';
import { type CrawlOptions, crawl, type Feed, type Pass, type Sums, summed } from '../feed/crawl.ts';
import type { FeedHandle, FeedKeeper } from '../ingest/contract.ts';
import { heldSentence } from './deletion-guard.ts';
import { doubtfulEnd, type EndReading } from './doubtful-end.ts';
import { StallWatch } from './stall-watch.ts';
import { mayResync, outdated, passEnded, passFailed } from './states.ts';

/** How a feed is doing, for operators. */
export interface FeedStatus {
  /** The feed, as `FeedSource.describe` shows it. */
  feed: string;
  /**
   * `ended`: read to its end. `failing`: the last pass failed. `stalled`: the visit made no step, and was stopped. `gone`:
   * 404 or 410, visited once a day. `held`: read to its end, and losses wait to be confirmed. `paused`: an operator has
   * paused it.
   */
  state: 'ended' | 'failing' | 'stalled' | 'gone' | 'held' | 'paused';
  /** Counts of the last pass; absent when it failed. */
  pass?: Pass;
  error?: string;
  /** Our own database failed: neither the state of the feed nor a message mentions that. */
  isOurs?: true;
  /** Failed passes in a row. */
  failures: number;
  /** Milliseconds until the next pass. */
  wait: number;
}

export interface VisitOptions extends Omit<CrawlOptions, 'ingest' | 'onStep' | 'beside'> {
  ingest: FeedKeeper;
  now(): number;
  /** Failed visits in a row before this one. */
  failures: number;
  /** Milliseconds to wait after a pass that found the end; the least wait after any other (`pass` undefined). */
  waitMs(pass: Pass | undefined): number;
  /** Read the feed from its start, and delete items that it no longer has. */
  resync?: boolean;
  /** The longest wait, in milliseconds, for a doubtful end to be read again by this visit; default: another visit reads it. */
  endWaitMs?: number;
  /** Milliseconds without a step after which the visit is stopped. */
  stallMs?: number;
  /** Milliseconds to wait for the store to note a stalled visit. */
  stallNoteMs?: number;
  /** The operations under way, to which the visit adds what it waits for. */
  underWay?: UnderWay;
}

type Watched = VisitOptions & Pick<CrawlOptions, 'onStep' | 'beside'>;

/** Visits a feed. Never rejects: a failure is a status. A visit that the caller aborts leaves the feed's state unchanged. */
export async function visit(feed: Feed, options: VisitOptions): Promise<FeedStatus> {
  const watch = new StallWatch(options.signal, options.stallMs);
  const ended = options.underWay?.begin(() => `a visit to ${feed.source.describe()} waits ${watch.waitsFor}`);
  const start = options.now();
  const watched: Watched = {
    ...options,
    signal: watch.signal,
    onStep: (waitsFor, ms) => watch.step(waitsFor, ms),
    beside: (waitsFor, work) => watch.beside(waitsFor, work),
  };
  try {
    return await watch.watch(visitFeed(feed, watched, start));
  } catch (error) {
    return await stallVisit(feed, options, start, error);
  } finally {
    ended?.();
  }
}

async function visitFeed(feed: Feed, options: Watched, start: number): Promise<FeedStatus> {
  let handle: FeedHandle | undefined;
  options.onStep?.('for the store');
  try {
    handle = await options.ingest.open(feed.source.url, feed.meta);
    const pass = await passOver(feed, handle, options);
    options.onStep?.('for the store');
    if (pass.stuck !== undefined) return await failVisit(feed, handle, options, start, { stuck: pass.stuck, pass });
    const wait = options.waitMs(pass);
    const times = { start, now: options.now(), wait };
    await options.ingest.note(handle, (state) => passEnded(state, times));
    const held = (await options.ingest.state(handle.url))?.held;
    const ended = { feed: feed.source.describe(), pass, failures: 0, wait };
    return held === undefined
      ? { ...ended, state: 'ended' }
      : { ...ended, state: 'held', error: heldSentence(handle.url, held) };
  } catch (error) {
    if (error instanceof PausedError) return pausedStatus(feed, options, error);
    return failVisit(feed, handle, options, start, { error });
  }
}

/** The status of a feed that an operator has paused: that is no failure, and its stored state stays. */
function pausedStatus(feed: Feed, { failures }: VisitOptions, error: PausedError): FeedStatus {
  return { feed: feed.source.describe(), state: 'paused', error: messageOf(error), failures, wait: LIMITS.confirmMs };
}

/** Reads a feed to its real end. After a pass from the start, items that were not met are removed. */
async function passOver(feed: Feed, handle: FeedHandle, options: Watched): Promise<Pass> {
  const confirmed = await options.ingest.applyHeld(handle, options.signal);
  const pass = await passToEnd(feed, handle, options);
  const swept = pass.isBelieved ? await sweep(handle, options) : 0;
  return { ...pass.read, deleted: pass.read.deleted + swept + confirmed };
}

/** Reads to an end that is believed, or as far as this visit gets. */
async function passToEnd(
  feed: Feed,
  handle: FeedHandle,
  options: Watched,
): Promise<{ read: Pass; isBelieved: boolean }> {
  const { endWaitMs = 0, resync, sleep, signal, now } = options;
  await resyncIfNeeded(feed, handle, options);
  const begun = now();
  const first = await crawlPastGone(feed, handle, options);
  if (!first.end) return { read: first, isBelieved: false };
  const wait = await endWait(handle, first, begun, options);
  if (wait === 0) return { read: first, isBelieved: true };
  // Another visit reads the end again. A resync that an operator asked for waits `endWaitMs` at most.
  if (wait > endWaitMs && !resync) return { read: first, isBelieved: false };
  options.onStep?.('to read the end again');
  await sleep(Math.min(wait, endWaitMs), signal);
  const again = now();
  const read = await crawlOn(feed, handle, first, options);
  return { read, isBelieved: read.end && (resync === true || (await endWait(handle, read, again, options)) === 0) };
}

/** Deletes items that a pass from the start did not meet. Returns how many. */
async function sweep(handle: FeedHandle, options: Watched): Promise<number> {
  const onStep = () => options.onStep?.('for the store to take out what is gone');
  onStep();
  return options.ingest.sweep(handle, onStep, options.signal).catch((error: unknown) => {
    // Another process has read new pages: the next visit sweeps.
    if (error instanceof OvertakenError) return 0;
    throw error;
  });
}

/** Milliseconds until the end of a pass from the start is to be read again; 0: it is believed, or the pass began later. */
async function endWait(handle: FeedHandle, pass: Pass, start: Instant, { ingest, now }: Watched): Promise<number> {
  const end: EndReading = { ...freshnessOf(pass), start, now: now() };
  const resync = (await ingest.state(handle.url))?.resync;
  if (resync === undefined || resync.swept !== undefined) return 0;
  const doubtful = doubtfulEnd(resync.end, end);
  if (doubtful === undefined) return 0;
  await ingest.note(handle, (state) => ({ ...state, resync: state.resync && { ...state.resync, end: doubtful } }));
  // At least 1: the end must be read anew, though it may be due by now.
  return Math.max(doubtful.due - end.now, 1);
}

/** Continues a pass: `first` are the counts of its part before. */
async function crawlOn(feed: Feed, handle: FeedHandle, first: Sums, options: Watched): Promise<Pass> {
  const onPage: VisitOptions['onPage'] = (of, sums) => options.onPage?.(of, summed(first, sums));
  return summed(first, await crawl(feed, handle, { ...options, onPage }));
}

/** Has the feed read from its start, where the stored cursor cannot be trusted or an operator wants it. */
async function resyncIfNeeded(feed: Feed, handle: FeedHandle, { ingest, now, resync }: VisitOptions): Promise<void> {
  if (handle.cursor === null) return;
  if (resync) return ingest.resync(handle, 'somebody asked for it');
  if (!feed.source.forgets) return;
  const state = await ingest.state(handle.url);
  const reason = state && (state.resyncDue ?? outdated(state, now()));
  if (state === undefined || reason === undefined) return;
  if (mayResync(state, now())) await ingest.resync(handle, reason);
  else if (state.resyncDue === undefined) await ingest.note(handle, (one) => ({ ...one, resyncDue: reason }));
}

/**
 * Crawls, and begins again at the start where the page of the cursor is gone. Its publisher may page the feed differently
 * now, or the address of the page may be refused by now.
 */
async function crawlPastGone(feed: Feed, handle: FeedHandle, options: Watched): Promise<Pass> {
  let read: Sums | undefined;
  const onPage: VisitOptions['onPage'] = (of, sums) => {
    read = sums;
    options.onPage?.(of, sums);
  };
  try {
    return await crawl(feed, handle, { ...options, onPage });
  } catch (error) {
    if (!isPageGone(error, handle)) throw error;
    // The feed itself must answer before its cursor is given up.
    await feed.source.page(null, options.signal).catch(() => {
      throw error;
    });
    const state = await options.ingest.state(handle.url);
    if (state !== undefined && !mayResync(state, options.now())) throw leadsNowhere(error);
    await options.ingest.resync(handle, `the page it was read to is gone (${messageOf(error)})`);
    const again = read === undefined ? crawl(feed, handle, options) : crawlOn(feed, handle, read, options);
    return again.catch((cause: unknown) => {
      throw isPageGone(cause, handle) ? leadsNowhere(cause) : cause;
    });
  }
}

/** Whether a page after the first of its feed is gone, or has an address that is refused. */
function isPageGone(error: unknown, { cursor }: FeedHandle): boolean {
  return cursor !== null && (isGoneError(error) || error instanceof RefusedAddressError);
}

/** The error of a feed that answers, and whose `next` leads to a page that is gone. */
function leadsNowhere(cause: unknown): FeedError {
  return new FeedError(`it leads to a page that is gone (${messageOf(cause)})`, { cause });
}

function isGoneError(error: unknown): boolean {
  return error instanceof StatusError && isGone(error.status);
}

type VisitTrouble = { error: unknown } | { stuck: string; pass: Pass };

async function failVisit(
  feed: Feed,
  handle: FeedHandle | undefined,
  options: VisitOptions,
  start: number,
  trouble: VisitTrouble,
): Promise<FeedStatus> {
  const status = statusOf(feed, trouble, options);
  if (options.signal?.aborted || handle === undefined || status.isOurs) return status;
  const { state, error = '', wait } = status;
  const times = { start, now: options.now(), wait };
  // A failure to write is ignored: this status or the next one reports the store.
  await options.ingest
    .note(handle, (before) => passFailed(before, { ...times, state: troubleOf(state), error }))
    .catch(() => {});
  return status;
}

const troubleOf = (state: FeedStatus['state']) => (state === 'gone' || state === 'stalled' ? state : 'failing');

/** Notes a stalled visit, for `stallNoteMs` at most: if the visit hangs at the store, this write hangs too. */
async function stallVisit(feed: Feed, options: VisitOptions, start: number, cause: unknown): Promise<FeedStatus> {
  const status = statusOf(feed, { error: cause }, options);
  const { error = '', wait } = status;
  const times = { start, now: options.now(), wait };
  const handle = { id: 0, url: feed.source.url, cursor: null };
  const noted = options.ingest.note(handle, (before) => passFailed(before, { ...times, state: 'stalled', error }));
  const late = new AbortController();
  await Promise.race([
    noted,
    setTimeout(options.stallNoteMs ?? LIMITS.stallNoteMs, undefined, { signal: late.signal }),
  ]).catch(() => {});
  late.abort();
  return status;
}

function statusOf(feed: Feed, trouble: VisitTrouble, options: VisitOptions): FeedStatus {
  const shown = feed.source.describe();
  const isOurs = 'error' in trouble && trouble.error instanceof StoreError;
  // A store that is only away is soon back, and counts no failure; one that needs help is tried ever less often.
  const isAway = isOurs && (trouble.error as StoreError).trouble === undefined;
  const failures = options.failures + (isAway ? 0 : 1);
  if ('stuck' in trouble) {
    const { stuck, pass } = trouble;
    // The stuck page may have new items later: it is worth a visit, but not every few seconds.
    return { feed: shown, state: 'failing', pass, error: stuck, failures, wait: LIMITS.retryMaxMs };
  }
  const { error } = trouble;
  const words = messageOf(error);
  const wait = Math.max(waitAfter(error, failures, options.random()), options.waitMs(undefined));
  const state = error instanceof StalledError ? 'stalled' : isGoneError(error) ? 'gone' : 'failing';
  return { feed: shown, state, error: words, failures, wait, ...(isOurs && { isOurs }) };
}
