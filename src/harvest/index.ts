/** From feeds to the store: feed, page, ingest; visits and discovery. */

export { chooseFeeds, type DiscoveredFeed, feedKey } from './discovery/choose.ts';
export { createDiscovery, type DiscoverOptions, type Discovery, type Which } from './discovery/discover.ts';
export { type FeedList, harvestList } from './discovery/feed-list.ts';
export { type Dataset, readSite } from './discovery/site.ts';
export { crawlOnce, type Feed, type Sums, stuckError } from './feed/crawl.ts';
export { folderSource } from './feed/folder-source.ts';
export { httpSource } from './feed/http-source.ts';
export { namedFeed } from './feed/named-feed.ts';
export { sampleFeeds } from './feed/samples.ts';
export type { FeedSource, ReadPage } from './feed/source.ts';
export type { FeedKeeper, Ingest, IngestOptions } from './ingest/contract.ts';
export { beginForgetting, finishForgetting, forgetFeed } from './ingest/forget.ts';
export { createIngest, registerFeeds } from './ingest/ingest.ts';
export { beginRebuild, rebuildIfNeeded, rebuildSlice } from './ingest/rebuild.ts';
export { verifyStore } from './ingest/verify.ts';
export { type NoticeCounts, Notifier } from './notify/notifier.ts';
export { type PageReader, readOnThread } from './page/page-reader.ts';
export { appliesDeletes } from './visit/deletion-guard.ts';
export { confirmDeletes, pauseFeed, resumeFeed, retireOthers, visitSoon } from './visit/operator.ts';
export { type FeedStatus, visit } from './visit/visit.ts';
