/**
 * Who publishes a feed (semantics 1): the same text for all feeds of one publisher, which is the origin of their addresses.
 * The one place that says whether two records are of the same publisher.
 */
export function publisherOf(feed: string): string {
  return /^https?:\/\/[^/?#]*/i.exec(feed)?.[0].toLowerCase() ?? feed;
}
