import { fileURLToPath } from 'node:url';
import { publicUrl } from '../errors.ts';
import type { Instant } from '../time/instant.ts';
import type { FeedRow, FeedState, Reader } from './contract/index.ts';

/** A feed's address for its operator: without keys; of a folder, its path. */
export function publicFeed(url: string): string {
  if (isWeb(url)) return publicUrl(url);
  return isPath(url) ? fileURLToPath(url) : lastPart(url);
}

const isPath = (url: string): boolean => /^file:\/\/\/./i.test(url);

const lastPart = (url: string): string => url.split('/').at(-1) ?? url;

/**
 * The address of a feed for the public. Paths may hold keys too: it is whole only where a dataset site lists it, else its
 * server and the feed's number. Of a folder only the last part of its path is shown.
 */
export function shownFeed({ id, url, listed }: Pick<FeedRow, 'id' | 'url' | 'listed'>): string {
  if (!isWeb(url)) return lastPart(url);
  return listed ? publicFeed(url) : `${originOf(url)} (feed ${id})`;
}

/**
 * Whether an operator may end the wait of a feed, because it is in trouble. Other feeds wait for minutes, or up to an hour
 * where their max-age says so.
 */
export function isTroubled({
  state,
  paused,
}: {
  state: FeedState['state'] | 'paused';
  paused?: Instant | undefined;
}): boolean {
  return paused === undefined && ['failing', 'stalled', 'gone', 'held'].includes(state);
}

export async function shownFeedOf(read: Pick<Reader, 'feedState'>, url: string): Promise<string> {
  const feed = await read.feedState(url);
  return feed === undefined ? originOf(url) : shownFeed(feed);
}

/** A text for the public: addresses in it are cut to their origin, and paths hidden, unless the feed is listed. */
export function shownText(text: string, { listed }: Pick<FeedRow, 'listed'>): string {
  if (listed) return text;
  return text.replaceAll(/https?:\/\/[^\s"'<>()]+/gi, originOf).replaceAll(/(?<=^|[\s"'(])\/[^\s"'<>(),;]+/g, '/…');
}

/** The origin of an address in a text; punctuation at its end belongs to the text. */
function originOf(text: string): string {
  let end = text.length;
  while (':,.;'.includes(text.charAt(end - 1))) end -= 1;
  return `${URL.parse(text.slice(0, end))?.origin ?? 'an address that cannot be read'}${text.slice(end)}`;
}

function isWeb(url: string): boolean {
  return /^https?:/i.test(url);
}
