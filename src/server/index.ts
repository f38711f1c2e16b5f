/** HTTP: calendars, API, RPDE, operations, pages. */

export { feedJson } from './api/feeds.ts';
export { type ComputingOptions, computeOnThreads, type ThreadLibrary } from './computing/computing.ts';
export { startAdmin } from './operations/admin.ts';
export type { FeedActions } from './operations/admin-forms.ts';
export { Metrics, type Serving } from './operations/metrics.ts';
export { startWaiting } from './operations/waiting.ts';
export { datasetPage } from './pages/dataset.ts';
export { logoOf } from './pages/frame/brand.ts';
export { themeOf } from './pages/frame/theme.ts';
export type { PublishTrial, TrialOutcome } from './publishing/publishing.ts';
export { startPublisher } from './rpde/publisher.ts';
export { type ImageSource, startServer } from './start.ts';
