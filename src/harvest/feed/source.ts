/** Where pages come from: an RPDE address, or a folder. */

import type { Body } from '../../fetch/decode.ts';
import type { Freshness } from '../../fetch/index.ts';
import type { Page } from '../../opportunity/page/page.ts';
import type { PreparedPage } from '../../revision/records/prepared.ts';

export type { Page };

/** Reads the text of a page: as it stands, or prepared for the store. @throws PageError, UndecodableError */
export type ReadPage = (text: string | Body) => Promise<Page | PreparedPage>;

/** The feed has nothing after this cursor; no page was read to learn that. */
export interface Unchanged extends Freshness {
  unchanged: true;
}

export interface FetchedPage extends Freshness {
  unchanged: false;
  /** The page, with what is odd about its paging among its findings. */
  page: Page | PreparedPage;
  /** The cursor after this page; the cursor of this page at the end of the feed, and where the feed cannot be followed further. */
  next: string;
  /** The end of the feed: `next` gives this page again, until an item changes. */
  end: boolean;
  /** Why the feed cannot be followed beyond this page, in one sentence. */
  stuck?: string;
}

/** Something came, and something else is waited for; `ms`: for so long, where it is not as long as usual. */
export type OnStep = (waitsFor: string, ms?: number) => void;

/** A body is to be read: with the octets of its text, as far as they are known, and those that came. Resolves when there is room. */
type Reserve = (octets: number, bodyOctets: number) => Promise<void>;

export interface FeedSource {
  /** The feed's identity in the store, without passwords. */
  readonly url: string;
  /** The feed keeps deletions for some days only: a cursor that is older misses some. */
  readonly forgets?: boolean;
  /** The address of the feed as people read it, without passwords and keys. */
  describe(): string;
  /**
   * The page at a cursor; null: the first. A throw leaves the cursor where it is: a later try may succeed.
   * `reserve`: waited for before a body is read, which takes several times as much memory.
   * @throws FetchError, PageError, SourceError, FeedError
   */
  page(
    cursor: string | null,
    signal?: AbortSignal,
    onStep?: OnStep,
    reserve?: Reserve,
  ): Promise<FetchedPage | Unchanged>;
}
