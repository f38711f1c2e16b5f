/** Messages to `notifyUrl`: a notice for each feed whose state has changed, and a text for people. Pure. */

import { LIMITS } from '../../limits.ts';
import { type FeedReport, type FeedState, publicFeed } from '../../store/index.ts';
import type { Instant } from '../../time/instant.ts';
import type { FeedStatus } from '../visit/visit.ts';

type NotifiedTrouble = NonNullable<FeedState['notified']>;

/** One change of a feed's state, as JSON. */
export interface Notice {
  /** `failing` (or stalled), `held`, `gone`, or `back`: read to its end again, with nothing held. */
  event: NotifiedTrouble | 'back';
  /** The state in the last delivered message; `ok`: nothing was wrong. */
  was: NotifiedTrouble | 'ok';
  /** RFC 3339, UTC. */
  at: string;
  feed: { id: number; name: string; address: string; publisher?: string };
  /** Failed visits in a row. */
  failures: number;
  nextVisit: string;
  error?: string;
}

/** The body of one POST. */
export interface NoticeMessage {
  /** The notices in words, a line each, for services of chats. */
  text: string;
  /** The base address of the sending service, where the settings name it. */
  service?: string;
  notices: Notice[];
}

/**
 * The event to send; undefined: nothing new. A single failure is no event, unless the next visit is far away: it is sent
 * with the second failure.
 */
export function eventOf(notified: FeedState['notified'], status: FeedStatus): Notice['event'] | undefined {
  const { state, failures, wait } = status;
  if (state === 'paused') return undefined;
  if (state === 'ended') return notified === undefined ? undefined : 'back';
  const trouble = state === 'stalled' ? 'failing' : state;
  if (trouble === notified) return undefined;
  return trouble !== 'failing' || failures > 1 || wait > LIMITS.notifyDoubtMs ? trouble : undefined;
}

/** The notice of a visit that ended at `at`; undefined: there is no event. */
export function noticeOf(feed: FeedReport, status: FeedStatus, at: Instant): Notice | undefined {
  const event = eventOf(feed.notified, status);
  if (event === undefined) return undefined;
  const { id, url, publisher } = feed;
  const address = publicFeed(url);
  return {
    event,
    was: feed.notified ?? 'ok',
    at: new Date(at).toISOString(),
    feed: { id, name: feed.name ?? address, address, ...(publisher !== undefined && { publisher }) },
    failures: status.failures,
    nextVisit: new Date(at + status.wait).toISOString(),
    ...(status.error !== undefined && { error: status.error }),
  };
}

/** One message of several notices. */
export function messageWith(notices: Notice[], service: string | undefined): NoticeMessage {
  const text = notices.map(noticeLine).join('\n');
  return { text, ...(service !== undefined && { service }), notices };
}

const WORDS: Readonly<Record<Notice['event'], string>> = {
  failing: 'failing; what was read before is served',
  gone: 'gone from its address; what was read before is served',
  held: 'held: large deletions wait to be confirmed',
  back: 'back: it was read to its end',
};

const LONGEST = 300;

function noticeLine({ event, feed, failures, error }: Notice): string {
  const times = event === 'failing' && failures > 1 ? ` (${failures} visits in a row)` : '';
  const because = error === undefined || event === 'back' ? '' : `. ${error}`;
  const line = shownInChats(`${feed.name}: ${WORDS[event]}${times}${because}`);
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
}

/** Disarms the texts of publishers in chats: no mention of everybody, and no link behind other words. */
function shownInChats(text: string): string {
  const plain = text.replaceAll(/\p{Cc}+/gu, ' ');
  return plain.replaceAll('@', '＠').replaceAll('<', '‹').replaceAll('>', '›').replaceAll('](', '] (');
}
