import type { KnownFeed } from '../../join/publishers.ts';
import type { PageFinding } from '../../opportunity/page/page.ts';
import type { Instant } from '../../time/instant.ts';
import { storedJson } from '../trouble.ts';
import type { HeldSum, Loss } from './held.ts';

/** How a feed is doing; kept with it, so that every process and a later start know. */
export interface FeedState {
  /**
   * `new`: never visited. `reading`: on its way to the end. `stalled`: the last visit did not get on, and was stopped.
   * `gone`: 404 or 410, visited once a day. `held`: read to its end, and losses wait for somebody to confirm them.
   * `retired`: not among the feeds of the settings any more.
   */
  state: 'new' | 'reading' | 'ended' | 'failing' | 'stalled' | 'gone' | 'held' | 'retired';
  lastAttempt: Instant | undefined;
  /** Read to its real end. */
  lastSuccess: Instant | undefined;
  /** A page was committed. */
  lastPage: Instant | undefined;
  /** A page that changed something was committed. */
  lastChange: Instant | undefined;
  /** `modified` of the last item that was read, as its publisher wrote it. */
  modified: string | undefined;
  /** In words, without secrets; stays until the next success. */
  lastError: string | undefined;
  lastErrorAt: Instant | undefined;
  /** Failed passes in a row. */
  failures: number;
  /** Failed passes ever. */
  totalFailures: number;
  /** Pages taken in, ever. */
  pages: number;
  /** Items on them, live and deleted. */
  taken: number;
  nextVisit: Instant | undefined;
  /**
   * A pass from the start is under way; what it has not met at the real end goes. `swept`: the last item read by
   * then; absent while pages are still read. `end`: the real end was met, by an answer that a cache may have kept; it is
   * read again from `due` on, before anything goes.
   */
  resync: { since: Instant; reason: string; swept?: number; end?: { at: Instant; due: Instant } } | undefined;
  /** When the last pass from the start began. */
  lastResync: Instant | undefined;
  /** Why another is needed as soon as it may begin. */
  resyncDue: string | undefined;
  /** Losses that are held back (held.ts), of so many calendars and sessions that the feed had. */
  held: (HeldSum & { of: Loss; since: Instant }) | undefined;
  /** When an operator confirmed the losses: all of them are applied until the next real end. */
  confirmed: Instant | undefined;
  /** When an operator paused the feed. */
  paused: Instant | undefined;
  /** What the feed took away lately, and, where that is many, of how many. */
  burst: (Loss & { of?: Loss; since: Instant }) | undefined;
  /** The trouble that was last sent to `notifyUrl`; absent: none, or that it is over. */
  notified: 'failing' | 'gone' | 'held' | undefined;
  /** Items of a Slot kind were met: their tombstones are kept for a shorter time. */
  slots: boolean;
  /** The settings by which its records were made; undefined: nobody has noted them yet. */
  reading: { zone: string; slots: boolean } | undefined;
  /** Items that were left out for copies of `than` and before, and the key of the finding that says so. */
  older: { count: number; than: string; finding: string } | undefined;
}

export const NEW_FEED: Readonly<FeedState> = {
  state: 'new',
  lastAttempt: undefined,
  lastSuccess: undefined,
  lastPage: undefined,
  lastChange: undefined,
  modified: undefined,
  lastError: undefined,
  lastErrorAt: undefined,
  failures: 0,
  totalFailures: 0,
  pages: 0,
  taken: 0,
  nextVisit: undefined,
  resync: undefined,
  lastResync: undefined,
  resyncDue: undefined,
  held: undefined,
  confirmed: undefined,
  paused: undefined,
  burst: undefined,
  notified: undefined,
  slots: false,
  reading: undefined,
  older: undefined,
};

/** Reads a stored state; what the text leaves out is as in `NEW_FEED`. */
export function feedStateOf(json: string | undefined): FeedState {
  const { held, burst, ...state } = json === undefined ? {} : storedJson<Partial<FeedState>>(json);
  return {
    ...NEW_FEED,
    ...state,
    // Earlier releases counted items, and left the page that held them unread: it is read again.
    held: held?.calendars === undefined ? undefined : held,
    burst: burst?.calendars === undefined ? undefined : burst,
  };
}

/** A feed's state alone, of everything that is known of it. */
export function stateOf(feed: FeedState): FeedState {
  const state: Partial<Record<keyof FeedState, unknown>> = {};
  for (const key of Object.keys(NEW_FEED) as (keyof FeedState)[]) state[key] = feed[key];
  return state as FeedState;
}

/** A feed and how far it has been read. */
export interface FeedRow extends KnownFeed {
  name: string | undefined;
  publisher: string | undefined;
  publisherUrl: string | undefined;
  license: string | undefined;
  /** The address of the page to ask for next; undefined: from the beginning of time. */
  cursor: string | undefined;
  /** How that publisher is called in settings: its dataset, or the origin of its feeds. */
  publisherKey: string | undefined;
  /** A dataset site names its address, so that anybody may know it. */
  listed: boolean;
}

/** What an operator or a dataset site says of a feed. */
export type FeedMeta = Partial<
  Pick<FeedRow, 'name' | 'publisher' | 'publisherUrl' | 'license' | 'publisherKey' | 'listed'>
>;

/** The counts a feed's summary shows; kept up as items come and go, so asking costs nothing. */
export interface FeedCounts {
  /** Live ones. */
  items: number;
  deleted: number;
  findings: number;
  /** Octets of its items' data, compressed, and of what is odd about its pages. */
  bytes: number;
}

/** A feed, how it is doing and what it holds. */
export type FeedReport = FeedRow & FeedState & FeedCounts;

export interface CodeCount {
  code: string;
  count: number;
  /** The facts of one of the findings, as JSON. */
  facts?: string;
}

export interface FeedReader {
  feeds(): Promise<FeedRow[]>;
  feedCounts(feed: number): Promise<FeedCounts>;
  feedStates(): Promise<FeedReport[]>;
  feedState(url: string): Promise<FeedReport | undefined>;
  /** Feeds whose items own records with calendars that changed after `seq`, and when the newest of these changed. */
  feedsChanged(seq: number): Promise<{ feed: number; changed: Instant }[]>;
  /** What is odd about the newest pages, and items that cannot be kept under a key, with their raw text. */
  pageFindings(feed: number): Promise<PageFinding[]>;
  /** How often each code of finding is there: of pages, and of the first so many items that have some. */
  findingCodes(feed: number, items: number): Promise<CodeCount[]>;
}

export interface FeedWriter {
  openFeed(url: string, meta: FeedMeta): Promise<FeedRow>;
  /** `cursor` undefined: from the beginning of time. */
  saveCursor(feed: number, cursor: string | undefined, license: string | undefined): Promise<void>;
  saveFeedState(feed: number, state: FeedState): Promise<void>;
  /** Items that a pass from the start has met. */
  saveSeen(feed: number, items: readonly number[]): Promise<void>;
  forgetSeen(feed: number): Promise<void>;
  /** Replaces the findings of the page that led to this cursor; of `LIMITS.findingPages` pages they stay, the newest by cursor. */
  savePageFindings(feed: number, cursor: string, findings: readonly PageFinding[]): Promise<void>;
  /** The feed may not speak any more (`publisherId` 0): it is being forgotten. */
  beginForgetting(feed: number): Promise<void>;
  /** The row of a feed without items, with all that was found of its pages. */
  dropFeed(feed: number): Promise<void>;
  /** Publishers without a feed are forgotten. */
  prunePublishers(): Promise<void>;
}
