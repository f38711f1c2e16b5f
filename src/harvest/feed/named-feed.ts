import { publicText, UsageError } from '../../errors.ts';
import { didYouMean } from '../../nearest.ts';
import { type FeedReport, publicFeed } from '../../store/index.ts';

/**
 * The feed with an address, as it is stored or as it is shown, or with a number.
 * @throws UsageError when there is no such feed, or several feeds are shown with that address
 */
export function namedFeed(feeds: readonly FeedReport[], feedUrl: string): FeedReport {
  // Some feeds are shown by their number alone.
  const exact = feeds.filter(({ id, url }) => url === feedUrl || String(id) === feedUrl);
  const [feed, other] = exact.length > 0 ? exact : feeds.filter(({ url }) => publicFeed(url) === feedUrl);
  if (feed === undefined) {
    const known = feeds.map(({ url }) => publicFeed(url));
    const meant = publicText(feedUrl);
    throw new UsageError(`there is no feed ${meant} in this database${didYouMean(meant, known)}`);
  }
  // Addresses are shown without their keys, so those of two feeds may look the same.
  if (other !== undefined) {
    const alike = feeds.filter(({ url }) => publicFeed(url) === feedUrl).map(({ id, url }) => `${id} (${url})`);
    throw new UsageError(`several feeds are shown as ${feedUrl}: name one by its number: ${alike.join(', ')}`);
  }
  return feed;
}
