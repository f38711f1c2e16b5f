/** What reading feeds and taking them in say to each other. */

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
 * A feed as the store knows it. `cursor`: what `FeedSource.page` takes to go on; null: from the start. Each page that is
 * taken in moves it on.
 */
export interface FeedHandle {
  id: number;
  url: string;
  cursor: string | null;
}

/** What one page did. */
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
   * Page, everything derived from it and the cursor after it: in one transaction. The pages of a feed may be given one
   * after the other without waiting; where one fails, those after it do too. `more`: others are to follow, and this one
   * may wait a moment for them.
   * @throws OvertakenError when the stored cursor is not the handle's
   */
  commit(feed: FeedHandle, page: Page | PreparedPage, cursor: string, more?: boolean): Promise<PageOutcome>;
  /** Commits what was given so far without waiting for more: somebody waits for it. */
  flush(): void;
  /** Whether so many pages wait that nobody should read on before his are committed. */
  full(): boolean;
}

/** Takes pages in, and keeps with each feed how it is doing. `signal`: between two transactions. */
export interface FeedKeeper extends Ingest {
  state(feedUrl: string): Promise<FeedState | undefined>;
  /** Somebody had it forgotten, and no process that started since has named it. */
  wasForgotten(feedUrl: string): Promise<boolean>;
  /** Times that move with every visit are written down once in a while only. */
  note(feed: FeedHandle, change: (state: FeedState) => FeedState): Promise<void>;
  /** From the start: everything stays as it is, and what is met from now on is remembered. */
  resync(feed: FeedHandle, reason: string): Promise<void>;
  /** Applies losses that are held back, where somebody has confirmed them; how many items went. */
  applyHeld(feed: FeedHandle, signal?: AbortSignal): Promise<number>;
  /**
   * At the real end: what a pass from the start has not met goes; how many items did. `onStep`: some of them went.
   * @throws OvertakenError
   */
  sweep(feed: FeedHandle, onStep?: () => void, signal?: AbortSignal): Promise<number>;
}

export interface IngestOptions extends RevisionOptions {
  /** How the items of a feed are cleaned. */
  cleanOptions(feed: FeedRow): CleanOptions;
  /** Whether the settings name a feed; one of earlier settings stays as it was read. Absent: they name all. */
  names?(feed: FeedRow): boolean;
  /** Whether deletions of a feed are applied however many they are; absent: they wait for somebody. */
  applyDeletes?(feed: FeedRow): boolean;
  /** Whether this process may still write what comes of a feed. @throws EndedLeaseError where another one does by now */
  fence?(tx: Writer, feedUrl: string): Promise<void>;
  /** Other rules made what is stored: all of it is written, and what has another identity now has moved. */
  again?: true;
  /** What one feed may hold; absent: whatever it sends. */
  quota?: Quota;
}

/** A transaction that gives records to their publishers. */
export interface Assigning {
  tx: Writer;
  options: IngestOptions;
  publishers: Publishers;
}
