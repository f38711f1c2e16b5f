/** What reading feeds and taking them in say to each other. */

import type { Page } from '../opportunity/page.ts';
import type { FeedMeta, FeedState } from '../store/contract.ts';
import type { PreparedPage } from './prepared.ts';

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

/** Takes pages in. */
export interface Ingest {
  /** @throws PausedError, as `commit` and `sweep` */
  open(feedUrl: string, meta: FeedMeta): Promise<FeedHandle>;
  /**
   * Page, everything derived from it and the cursor after it: in one transaction. The pages of a feed may be given one
   * after the other without waiting; where one fails, those after it do too. `more`: others are to follow, and this one
   * may wait a moment for them.
   * @throws OvertakenError when the stored cursor is not the handle's
   */
  commit(feed: FeedHandle, page: Page | PreparedPage, cursor: string, more?: boolean): Promise<PageOutcome>;
  /** Somebody waits for what was given so far. */
  hurry(): void;
  /** So many pages wait to be committed that nobody should read on before his are. */
  full(): boolean;
}

/** Takes pages in, and keeps with each feed how it is doing. */
export interface FeedKeeper extends Ingest {
  state(feedUrl: string): Promise<FeedState | undefined>;
  /** Times that move with every visit are written down once in a while only. */
  note(feed: FeedHandle, change: (state: FeedState) => FeedState): Promise<void>;
  /** From the start: everything stays as it is, and what is met from now on is remembered. */
  resync(feed: FeedHandle, reason: string): Promise<void>;
  /** Applies losses that are set aside, where somebody has confirmed them; how many items went. */
  applyAside(feed: FeedHandle): Promise<number>;
  /**
   * At the real end: what a pass from the start has not met goes; how many items did. `onStep`: some of them went.
   * @throws OvertakenError
   */
  sweep(feed: FeedHandle, onStep?: () => void): Promise<number>;
}
