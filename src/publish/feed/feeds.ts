import { LIMITS } from '../../limits.ts';
import type { ChangeLog } from '../../store/index.ts';
import { type PageRequest, type PageText, pageText } from './page.ts';

export interface FeedsOptions {
  log: ChangeLog;
  /** The feeds there are, by the last part of their address. */
  names: readonly string[];
  /** Address under which the feeds are reached, without a slash at its end. */
  base: string;
  /** Address of the licence of the data: every page has to name one. */
  license: () => Promise<string>;
}

/** The published feeds of one change log, as what serves them over HTTP asks for them. */
export interface PublishedFeeds {
  readonly names: readonly string[];
  /** Tells one state of a page from another without making it. */
  stamp(feed: string, asked: PageRequest): Promise<string>;
  page(feed: string, asked: PageRequest): Promise<PageText>;
  /** The feeds that anything was ever published in. */
  begun(): Promise<string[]>;
}

/** Feeds at `{base}/rpde/{feed}`. */
export function publishedFeeds({ log, names, base, license }: FeedsOptions): PublishedFeeds {
  return {
    names,
    async stamp(feed, { after = 0, limit }) {
      const { count, last } = await log.stamp(feed, after, limit);
      return `${count}-${last}-${await license()}`;
    },
    async page(feed, asked) {
      const entries = await log.page(feed, asked.after ?? 0, asked.limit);
      const next = entries.at(-1)?.number ?? asked.after;
      const frame = { next: pageAddress(feedAddress(base, feed), { ...asked, after: next }), license: await license() };
      return pageText(entries, frame);
    },
    async begun() {
      const stamps = await Promise.all(names.map((feed) => log.stamp(feed, 0, 1)));
      return names.filter((_feed, index) => stamps[index]?.count !== 0);
    },
  };
}

export function feedAddress(base: string, feed: string): string {
  return `${base}/rpde/${feed}`;
}

/** In one spelling, whatever was asked: the last page is known by `next` being its own address to the letter. */
function pageAddress(address: string, { after, limit }: PageRequest): string {
  const query = new URLSearchParams({
    ...(after !== undefined && { afterChangeNumber: String(after) }),
    ...(limit !== LIMITS.pageItems && { limit: String(limit) }),
  });
  return query.size === 0 ? address : `${address}?${query}`;
}
