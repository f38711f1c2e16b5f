import { fileURLToPath } from 'node:url';
import { publicUrl } from '../errors.ts';
import type { Instant } from '../time/instant.ts';
import type { FeedRow, FeedState, Reader } from './contract/index.ts';

/** A feed's address as its operator may see it: without keys; of a folder, its path. */
export function publicFeed(url: string): string {
  if (isWeb(url)) return publicUrl(url);
  return isPath(url) ? fileURLToPath(url) : lastPart(url);
}

const isPath = (url: string): boolean => /^file:\/\/\/./i.test(url);

const lastPart = (url: string): string => url.split('/').at(-1) ?? url;

/**
 * The address of a feed as anybody may see it. Keys stand in paths too: whole it is shown only where a dataset site does so, else by its
 * server and its number here. Folders of the operator's are not named.
 */
export function shownFeed({ id, url, listed }: Pick<FeedRow, 'id' | 'url' | 'listed'>): string {
  if (!isWeb(url)) return lastPart(url);
  return listed ? publicFeed(url) : `${originOf(url)} (feed ${id})`;
}

/**
 * Whether somebody may end the wait of a feed. The wait of the others is that of a feed without trouble: minutes, or up to
 * an hour where its max-age says so.
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

/** A text that may quote addresses of a feed, or paths of its server, as anybody may see it. */
export function shownText(text: string, { listed }: Pick<FeedRow, 'listed'>): string {
  if (listed) return text;
  return text.replaceAll(/https?:\/\/[^\s"'<>()]+/gi, originOf).replaceAll(/(?<=^|[\s"'(])\/[^\s"'<>(),;]+/g, '/…');
}

/** What ends a sentence or begins another is no part of the address. */
function originOf(text: string): string {
  let end = text.length;
  while (':,.;'.includes(text.charAt(end - 1))) end -= 1;
  return `${URL.parse(text.slice(0, end))?.origin ?? 'an address that cannot be read'}${text.slice(end)}`;
}

function isWeb(url: string): boolean {
  return /^https?:/i.test(url);
}
