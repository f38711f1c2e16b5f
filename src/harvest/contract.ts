/** What reading feeds and taking them in say to each other. */

import type { Page } from '../opportunity/page.ts';
import type { FeedMeta } from '../store/contract.ts';
import type { PreparedPage } from './prepared.ts';

export type { FeedMeta };

/** A feed as the store knows it. `cursor`: what `FeedSource.page` takes to go on; null: from the start. */
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
  open(feedUrl: string, meta: FeedMeta): Promise<FeedHandle>;
  /** Page, everything derived from it and the cursor after it: in one transaction. */
  commit(feed: FeedHandle, page: Page | PreparedPage, cursor: string): Promise<PageOutcome>;
}
