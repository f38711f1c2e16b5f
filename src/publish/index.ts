/** From iCalendar to RPDE feeds: read, map, feed. */

export type { PublishFinding } from './codes.ts';
export { PUBLISHED_FEEDS } from './contract.ts';
export { catalogJsonLd, type DatasetAbout, datasetJsonLd } from './feed/dataset.ts';
export { aboutAll, aboutPublisher } from './feed/datasets.ts';
export { REPUBLISHED_FEEDS } from './feed/feed-names.ts';
export { firstPage, writeIfOther, writePages } from './feed/files.ts';
export { judge, type SourceState } from './feed/last-good.ts';
export { aboutDataset, Publisher, type Round, type SourceReading } from './feed/publisher.ts';
export { Republisher } from './feed/republish.ts';
export { feedAddress, type PublishedSite, publishedSite } from './feed/site.ts';
export { THREAD_MB, THREAD_MS } from './limits.ts';
export { type Mapping, NO_MAPPING } from './map/mapping.ts';
export { surveyOffThread } from './off-thread.ts';
export { type DecidedMapping, decidedMapping } from './starter/placeholders.ts';
export { type Starter, starterMapping } from './starter/starter.ts';
export type { Survey } from './starter/survey.ts';
export { calendarAddress } from './trial/address.ts';
export type { TrialAnswers } from './trial/answers.ts';
export { type Trial, trialOf } from './trial/trial.ts';
