/** The source of a feed's pages: an RPDE address, or a folder. */

import type { Body } from '../../fetch/decode.ts';
import type { Freshness } from '../../fetch/index.ts';
import type { Page } from '../../opportunity/page/page.ts';
import type { PreparedPage } from '../../revision/records/prepared.ts';

export type { Page };

/** Reads the text of a page: as it stands, or prepared for the store. @throws PageError, UndecodableError */
export type ReadPage = (text: string | Body) => Promise<Page | PreparedPage>;

/** The feed has nothing after this cursor: its last page was not sent again. */
export interface Unchanged extends Freshness {
  unchanged: true;
}

export interface FetchedPage extends Freshness {
  unchanged: false;
  /** The page, with the findings on its paging among its own. */
  page: Page | PreparedPage;
  /** The cursor after this page; its own at the end of the feed, and where the feed cannot be followed further. */
  next: string;
  /** The end of the feed: `next` gives this page again, until an item changes. */
  end: boolean;
  /** Why the feed cannot be followed beyond this page, in one sentence. */
  stuck?: string;
}

/** A visit has made a step, and waits for `waitsFor` next: for `ms` milliseconds at most, where that is not the usual limit. */
export type OnStep = (waitsFor: string, ms?: number) => void;

/** Resolves when there is memory to read a body: `octets` of its text, estimated, and `bodyOctets` as they came. */
type Reserve = (octets: number, bodyOctets: number) => Promise<void>;

export interface FeedSource {
  /** The feed's identity in the store, without passwords. */
  readonly url: string;
  /** The feed keeps deletions for some days only: a cursor that is older misses some. */
  readonly forgets?: boolean;
  /** The address of the feed as people read it, without passwords and keys. */
  describe(): string;
  /**
   * The page at a cursor; null: the first. A later call with the same cursor may succeed where this one throws.
   * `reserve`: awaited before a body is read, because the page takes several times as much memory.
   * @throws FetchError, PageError, SourceError, FeedError
   */
  page(
    cursor: string | null,
    signal?: AbortSignal,
    onStep?: OnStep,
    reserve?: Reserve,
  ): Promise<FetchedPage | Unchanged>;
}
