import type { FeedHealth, FindingKind } from '../../../library/index.ts';

/** Feeds by state, by words of their name, and by publisher. Pure. */

/** The groups of feeds, in the order of their chips. */
export const GROUPS = ['failing', 'held', 'reading', 'paused', 'findings', 'ok', 'retired'] as const;
export type FeedGroup = (typeof GROUPS)[number];

export const GROUP_LABELS: Readonly<Record<FeedGroup, string>> = {
  failing: 'Failing',
  held: 'Held back',
  reading: 'First reading',
  paused: 'Paused',
  findings: 'With findings',
  ok: 'Up to date',
  retired: 'Not read any more',
};

/** The class of the dot beside a feed. */
export const DOTS: Readonly<Record<FeedGroup, string>> = {
  failing: 'fail',
  held: 'warn',
  reading: 'wait',
  paused: 'wait',
  findings: 'warn',
  ok: '',
  retired: 'wait',
};

/** The group of a feed. Feeds that are stalled or gone count as failing; `reading`: never yet read to its end. */
export function groupOf({ state, lastSuccess, findings }: FeedHealth): FeedGroup {
  if (state === 'failing' || state === 'stalled' || state === 'gone') return 'failing';
  if (state === 'held' || state === 'paused' || state === 'retired') return state;
  if (lastSuccess === undefined) return 'reading';
  return findings > 0 ? 'findings' : 'ok';
}

export interface FeedsQuery {
  /** Absent: all groups. */
  state?: FeedGroup | undefined;
  /** Words in the name of a feed or of its publisher. */
  q?: string | undefined;
  /** The code of a finding that the feeds have. */
  found?: string | undefined;
}

/** The query of `/feeds` and `/admin`. Unknown values are ignored. */
export function readFeedsQuery(given: Readonly<Record<string, string>>): FeedsQuery {
  const q = (given.q ?? '').trim().slice(0, 200).toWellFormed();
  const found = /^[a-z-]{1,60}$/.exec(given.found ?? '')?.[0];
  return { state: GROUPS.find((group) => group === given.state), q: q || undefined, ...(found && { found }) };
}

/** The path of a page with this query. */
export function address(path: string, { state, q, found }: FeedsQuery): string {
  const given = { ...(state && { state }), ...(q !== undefined && { q }), ...(found && { found }) };
  const query = new URLSearchParams(given).toString();
  return query === '' ? path : `${path}?${query}`;
}

/** Feeds with the words of the query in their name. `kind`: only those that have findings of it. */
export function matching(feeds: readonly FeedHealth[], { q }: Pick<FeedsQuery, 'q'>, kind?: FindingKind): FeedHealth[] {
  const words = q?.toLowerCase();
  const texts = ({ name, publisher }: FeedHealth) => `${name}\n${publisher?.name ?? ''}`.toLowerCase();
  const ids = kind && new Set(kind.feeds.map(({ id }) => id));
  return feeds.filter((feed) => (words === undefined || texts(feed).includes(words)) && (ids?.has(feed.id) ?? true));
}

/**
 * Feeds that are failing, held back, in their first reading or paused: in this order, those with most failures in a row
 * first.
 */
export function inTrouble(feeds: readonly FeedHealth[]): FeedHealth[] {
  const rank = (feed: FeedHealth) => TROUBLES.indexOf(groupOf(feed));
  return feeds
    .filter((feed) => rank(feed) >= 0)
    .toSorted((a, b) => rank(a) - rank(b) || b.failures - a.failures || a.id - b.id);
}

const TROUBLES: readonly FeedGroup[] = ['failing', 'held', 'reading', 'paused'];

export interface PublisherFeeds {
  name: string;
  feeds: FeedHealth[];
}

/** Feeds by the name of their publisher, as people sort. A feed without a publisher stands under its own name. */
export function byPublisher(feeds: readonly FeedHealth[]): PublisherFeeds[] {
  const groups = Map.groupBy(feeds, ({ publisher, name }) => publisher?.name ?? name);
  const compare = new Intl.Collator('en-GB', { sensitivity: 'base', numeric: true }).compare;
  return [...groups].map(([name, own]) => ({ name, feeds: own })).toSorted((a, b) => compare(a.name, b.name));
}

/** `6 feeds, 1 failing` */
export function sumWords(feeds: readonly FeedHealth[]): string {
  const count = (group: FeedGroup) => feeds.filter((feed) => groupOf(feed) === group).length;
  const [failing, held] = [count('failing'), count('held')];
  const parts = [
    `${feeds.length} ${feeds.length === 1 ? 'feed' : 'feeds'}`,
    ...(failing > 0 ? [`${failing} failing`] : []),
    ...(held > 0 ? [`${held} held back`] : []),
  ];
  return parts.join(', ');
}
