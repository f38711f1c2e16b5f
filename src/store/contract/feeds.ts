import type { KnownFeed } from '../../join/publishers.ts';
import type { PageFinding } from '../../opportunity/page/page.ts';
import type { Instant } from '../../time/instant.ts';
import { storedJson } from '../trouble.ts';
import type { HeldSum, Loss } from './held.ts';

/** The state of a feed, stored for every process and later start. */
export interface FeedState {
  /**
   * `new`: never visited. `reading`: on its way to the end. `stalled`: the last visit made no step, and was stopped.
   * `gone`: 404 or 410, visited once a day. `held`: read to its end, and losses wait to be confirmed.
   * `retired`: not among the feeds of the settings any more.
   */
  state: 'new' | 'reading' | 'ended' | 'failing' | 'stalled' | 'gone' | 'held' | 'retired';
  lastAttempt: Instant | undefined;
  /** When it was last read to its real end. */
  lastSuccess: Instant | undefined;
  /** When a page was last committed. */
  lastPage: Instant | undefined;
  /** When a page that changed an item was last committed. */
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
  /** Items on these pages, live and deleted. */
  taken: number;
  nextVisit: Instant | undefined;
  /**
   * A pass from the start is under way; items that it has not met by the real end are deleted. `swept`: the last item that
   * was checked; absent while pages are read. `end`: the real end was met in a response that may be stale; it is read again
   * from `due` on, before items are deleted.
   */
  resync: { since: Instant; reason: string; swept?: number; end?: { at: Instant; due: Instant } } | undefined;
  /** When the last pass from the start began. */
  lastResync: Instant | undefined;
  /** Why another pass from the start is needed as soon as one may begin. */
  resyncDue: string | undefined;
  /** The sums of held losses (held.ts). `of`: the calendars and sessions that the feed had. */
  held: (HeldSum & { of: Loss; since: Instant }) | undefined;
  /** When an operator confirmed the losses: all of them are applied until the next real end. */
  confirmed: Instant | undefined;
  /** When an operator paused the feed. */
  paused: Instant | undefined;
  /** Recent losses by the feed. `of`: the calendars and sessions it had, where the losses are many. */
  burst: (Loss & { of?: Loss; since: Instant }) | undefined;
  /** The last trouble that was sent to `notifyUrl`; absent: none was, or its end was. */
  notified: 'failing' | 'gone' | 'held' | undefined;
  /** The feed has items of a Slot kind: feeds keep their tombstones for a shorter time. */
  slots: boolean;
  /** The settings by which its records were made; undefined: not noted yet. */
  reading: { zone: string; slots: boolean } | undefined;
  /** Items that were left out as older than stored copies, up to `than`; `finding`: the key of the finding on them. */
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

/** Reads a stored state; absent properties are as in `NEW_FEED`. */
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

/** Picks the state of a feed. */
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
  /** The cursor of the next page; undefined: from the start. */
  cursor: string | undefined;
  /** The key of the publisher: the address of its dataset, or the origin of its feeds. */
  publisherKey: string | undefined;
  /** A dataset site names the address of the feed, so that it is public. */
  listed: boolean;
}

/** The properties of a feed that an operator or a dataset site states. */
export type FeedMeta = Partial<
  Pick<FeedRow, 'name' | 'publisher' | 'publisherUrl' | 'license' | 'publisherKey' | 'listed'>
>;

/** Counts of a feed, kept in its row as items come and go. */
export interface FeedCounts {
  /** Live items. */
  items: number;
  deleted: number;
  findings: number;
  /** Octets of its items' data, compressed, and of the findings on its pages. */
  bytes: number;
}

/** A feed with its state and its counts. */
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
  /** Findings on the newest pages, and on items without a usable key, with their raw text. */
  pageFindings(feed: number): Promise<PageFinding[]>;
  /** The number of findings of each code, of the newest pages and of the first `items` items with findings. */
  findingCodes(feed: number, items: number): Promise<CodeCount[]>;
}

export interface FeedWriter {
  openFeed(url: string, meta: FeedMeta): Promise<FeedRow>;
  /** Saves the cursor and the licence of a feed; `cursor` undefined: from the start. */
  saveCursor(feed: number, cursor: string | undefined, license: string | undefined): Promise<void>;
  saveFeedState(feed: number, state: FeedState): Promise<void>;
  /** Notes items that a pass from the start has met. */
  saveSeen(feed: number, items: readonly number[]): Promise<void>;
  forgetSeen(feed: number): Promise<void>;
  /** Replaces the findings of the page before a cursor; those of the `LIMITS.findingPages` newest pages stay. */
  savePageFindings(feed: number, cursor: string, findings: readonly PageFinding[]): Promise<void>;
  /** Sets `publisherId` to 0: the feed is being forgotten, and may claim nothing. */
  beginForgetting(feed: number): Promise<void>;
  /** Deletes the row of a feed without items, and the findings on its pages. */
  dropFeed(feed: number): Promise<void>;
  /** Deletes publishers without a feed. */
  prunePublishers(): Promise<void>;
}
