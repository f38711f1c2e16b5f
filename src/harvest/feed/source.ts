/** Where pages come from: an RPDE address, or a folder. */

import type { Body } from '../../fetch/decode.ts';
import type { Freshness } from '../../fetch/index.ts';
import type { Page } from '../../opportunity/page/page.ts';
import type { PreparedPage } from '../../revision/records/prepared.ts';

export type { Page };

/** What a page's text says: as it stands, or prepared for the store. @throws PageError, UndecodableError */
export type ReadPage = (text: string | Body) => Promise<Page | PreparedPage>;

/** Nothing new since this cursor, found out without reading a page. */
export interface Unchanged extends Freshness {
  unchanged: true;
}

export interface FetchedPage extends Freshness {
  unchanged: false;
  /** The page, with what is odd about its paging among its findings. */
  page: Page | PreparedPage;
  /** The cursor after it; its own again at the end of the feed, and where it cannot be followed further. */
  next: string;
  /** The feed's real end: what `next` gives is this page again, until there is news. */
  end: boolean;
  /** Why it cannot be followed beyond this page, in one sentence. */
  stuck?: string;
}

/** Something came, and something else is waited for; `ms`: for so long, where it is not as long as usual. */
export type OnStep = (waitsFor: string, ms?: number) => void;

export type Enter = (octets: number) => Promise<void>;

export interface FeedSource {
  /** The feed's identity in the store, without passwords. */
  readonly url: string;
  /** It tells of deletions for some days only, so that a cursor may be too old to be trusted. */
  readonly forgets?: boolean;
  /** For people: without keys either. */
  describe(): string;
  /**
   * The page at a cursor; null: the first. A throw leaves the cursor where it is: a later try may succeed.
   * `enter`: waited for with the octets of the body before it is read, which takes several times as much memory.
   * @throws FetchError, PageError, SourceError, FeedError
   */
  page(cursor: string | null, signal?: AbortSignal, onStep?: OnStep, enter?: Enter): Promise<FetchedPage | Unchanged>;
}
