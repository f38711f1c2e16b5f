/** From iCalendar to RPDE feeds: read, map, feed. */

export { PUBLISHED_FEEDS, type PublishFinding } from './contract.ts';
export { catalogJsonLd, type DatasetAbout, datasetJsonLd } from './feed/dataset.ts';
export { feedAddress } from './feed/feeds.ts';
export { firstPage, writeIfOther, writePages } from './feed/files.ts';
export type { SourceState } from './feed/last-good.ts';
export { aboutDataset, Publisher, type Reading, type Round } from './feed/publisher.ts';
export { REPUBLISHED_FEEDS, Republisher } from './feed/republish.ts';
export { type PublishedSite, publishedSite } from './feed/site.ts';
export { type Mapping, NO_MAPPING, parseMapping } from './map/mapping.ts';
