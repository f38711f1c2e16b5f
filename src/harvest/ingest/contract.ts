/** The contract between the reading of feeds and the store: handles, outcomes, options. */

import type { Publishers } from '../../join/publishers.ts';
import type { CleanOptions } from '../../opportunity/clean.ts';
import type { Page } from '../../opportunity/page/page.ts';
import type { RevisionOptions } from '../../revision/index.ts';
import type { PreparedPage } from '../../revision/records/prepared.ts';
import type { FeedMeta, FeedRow, FeedState, Writer } from '../../store/index.ts';
import type { PageRequests } from '../page/page-requests.ts';
import type { PageRoom } from '../page/page-room.ts';
import type { Quota } from './quota.ts';

export type { FeedMeta };

/**
 * A feed as the store knows it. `cursor`: the cursor for `FeedSource.page`; null: from the start. Each page that is
 * committed moves it on.
 */
export interface FeedHandle {
  id: number;
  url: string;
  cursor: string | null;
}

/** Counts of one page. `kept`: items stored with new data. */
export interface PageOutcome {
  items: number;
  kept: number;
  deleted: number;
  findings: number;
}

export const NOTHING_DONE: PageOutcome = { items: 0, kept: 0, deleted: 0, findings: 0 };

/** Takes pages in. */
export interface Ingest extends PageRoom, PageRequests {
  /** @throws PausedError, as `commit` and `sweep` */
  open(feedUrl: string, meta: FeedMeta): Promise<FeedHandle>;
  /**
   * Commits a page, all that is derived from it and the cursor after it in one transaction. Pages of a feed may be passed
   * one after the other without waiting; where one fails, those after it fail too. `more`: other pages follow, and this
   * one may wait a moment for them.
   * @throws OvertakenError when the stored cursor is not the handle's
   */
  commit(feed: FeedHandle, page: Page | PreparedPage, cursor: string, more?: boolean): Promise<PageOutcome>;
  /** Commits queued pages without waiting for more. */
  flush(): void;
  /** Whether the queue is full: a crawl should read no more pages before its own are committed. */
  full(): boolean;
}

/** Takes pages in, and keeps the state of each feed. `signal`: stops between two transactions. */
export interface FeedKeeper extends Ingest {
  state(feedUrl: string): Promise<FeedState | undefined>;
  /** Whether an operator had the feed forgotten, and no process that started since names it. */
  wasForgotten(feedUrl: string): Promise<boolean>;
  /** Changes the state of a feed. A change of times alone, as by every visit, is written once in a while only. */
  note(feed: FeedHandle, change: (state: FeedState) => FeedState): Promise<void>;
  /** Moves the cursor to the start; items that are met from now on count as seen, and the others stay until `sweep`. */
  resync(feed: FeedHandle, reason: string): Promise<void>;
  /** Applies held losses that an operator has confirmed. Returns how many items were applied. */
  applyHeld(feed: FeedHandle, signal?: AbortSignal): Promise<number>;
  /**
   * Deletes items that a pass from the start has not met, at its real end. Returns how many. `onStep`: called after each batch.
   * @throws OvertakenError
   */
  sweep(feed: FeedHandle, onStep?: () => void, signal?: AbortSignal): Promise<number>;
}

export interface IngestOptions extends RevisionOptions {
  /** How the items of a feed are cleaned. */
  cleanOptions(feed: FeedRow): CleanOptions;
  /** Whether the settings name a feed; other feeds keep the settings they were read with. Absent: all are named. */
  names?(feed: FeedRow): boolean;
  /** Whether large deletions of a feed are applied too; absent: they are held until an operator confirms them. */
  applyDeletes?(feed: FeedRow): boolean;
  /** Checks that this process still has the lease of a feed. @throws EndedLeaseError where another process has it */
  fence?(tx: Writer, feedUrl: string): Promise<void>;
  /** Stored records were made by other rules: each is written again, and one with a new identity has moved. */
  again?: true;
  /** The most that one feed may hold; absent: no limit. */
  quota?: Quota;
}

/** A transaction that assigns records to publishers. */
export interface Assigning {
  tx: Writer;
  options: IngestOptions;
  publishers: Publishers;
}
