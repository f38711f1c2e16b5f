import { type Composed, type ComposeOptions, composeSeries, startOf } from '../calendar/series/compose.ts';
import type { Trace } from '../calendar/series/trace.ts';
import { sessionLimit } from '../calendar/size.ts';
import { attribution } from '../calendar/wording/attribution.ts';
import { type Finding, finish, type RawFinding } from '../opportunity/findings.ts';
import { itemName } from '../opportunity/page/page.ts';
import type { Series } from '../opportunity/records.ts';
import {
  type CalendarRow,
  effectiveSeries,
  type FeedRow,
  META,
  type Reader,
  type RecordBody,
  recordOf,
  type StoredSession,
  sessionsOf,
  shownFeedOf,
  storedVenue,
  unreadSessions,
  venueIn,
} from '../store/index.ts';
import type { LocalDate } from '../time/instant.ts';
import type { Publisher } from './library.ts';

/** The stored day (semantics 6), on which calendars, pages and explanations depend. */

export async function storedDay(read: Reader): Promise<LocalDate> {
  return (await read.meta(META.today)) ?? '1970-01-01';
}

/** The feed whose item owns a record. */
export async function feedOf(read: Reader, { owner }: RecordBody): Promise<FeedRow | undefined> {
  return owner && read.feedState(owner.feed);
}

/** The publisher of a feed. Without a name from a dataset site, it is the host of the feed. */
export function publisherOf(feed: FeedRow | undefined): Publisher | undefined {
  if (feed === undefined) return undefined;
  const { publisherUrl: url, license } = feed;
  const name = feed.publisher ?? URL.parse(feed.url)?.host;
  return name === undefined ? undefined : { name, ...(url && { url }), ...(license && { license }) };
}

/** Publishers, each name once. */
export function distinctPublishers(publishers: readonly Publisher[]): Publisher[] {
  return [...new Map(publishers.map((publisher) => [publisher.name, publisher])).values()];
}

/** The publishers of several records, each once. */
export async function publishersOf(read: Reader, rows: readonly RecordBody[]): Promise<Publisher[]> {
  const owners = new Set(rows.map(({ owner }) => owner?.feed));
  const found = (await read.feeds()).filter(({ url }) => owners.has(url)).flatMap((feed) => publisherOf(feed) ?? []);
  return distinctPublishers(found);
}

/** Findings of the item that owns a record, and `more`, which need other records too. */
export async function findingsOfRecord(read: Reader, row: RecordBody, more: readonly RawFinding[]): Promise<Finding[]> {
  const { owner } = row;
  if (owner === undefined) return [];
  const item = itemName({ kind: owner.kind, id: owner.rpdeId });
  const ofItem = JSON.parse((await read.findingsOf(owner.item)) ?? '[]') as RawFinding[];
  const feed = await shownFeedOf(read, owner.feed);
  return [...ofItem, ...more].map((finding) => finish(finding, feed, item, recordOf(row).id));
}

/** The address of the image of a live record, as its publisher has it. */
export async function imageOf(read: Reader, row: CalendarRow | undefined): Promise<string | undefined> {
  const record = row?.state === 'live' ? await read.recordById(row.record) : undefined;
  if (record === undefined) return undefined;
  if (record.kind === 'series') return (await effectiveSeries(read, record)).details.image;
  const venue = venueIn(await storedVenue(read, record)).record;
  return venue.kind === 'facility' ? venue.details.image : undefined;
}

/** The options to compose a series, the same for each calendar, so that its events are the same text (semantics 6.2). */
export async function composeOptionsOf(
  read: Reader,
  record: RecordBody,
  compose: Omit<ComposeOptions, 'attribution'>,
): Promise<(series: Series) => ComposeOptions> {
  const feed = (await feedOf(read, record)) ?? {};
  return ({ details }) => ({ ...compose, attribution: attribution(feed, details.organizer?.name) });
}

/** How much of a series is read for a calendar. */
export interface ReadSessions {
  /** Most sessions around today in a calendar of several series; absent: the limit of a calendar of its own. */
  share?: number;
  /** Rows of further sessions to read. */
  rows?: readonly number[];
  trace?: Trace;
}

/** A series with its calendar, from a part of its sessions. */
export async function composedSeries(
  read: Reader,
  row: RecordBody,
  optionsOf: (series: Series) => ComposeOptions,
  { share, rows = [], trace }: ReadSessions = {},
): Promise<Composed & { series: Series; sessions: StoredSession[] }> {
  const series = await effectiveSeries(read, row);
  const options = optionsOf(series);
  const limit = sessionLimit(series, share);
  const near = await sessionsOf(read, row.id, { limit, around: startOf(options.today) });
  const known = new Set(near.map((one) => one.row.id));
  const others = rows.filter((id) => !known.has(id));
  const far = others.length === 0 ? [] : await sessionsOf(read, row.id, { rows: others });
  const sessions = far.length === 0 ? near : [...near, ...far].sort(byStart);
  const unread = (await unreadSessions(read, row.id, near.length, limit)) - far.length;
  const planned = sessions.map(({ session }) => session);
  return { series, sessions, ...composeSeries(series, planned, { ...options, unread }, trace) };
}

/** The order of the store: by start, then by row. */
function byStart({ row: a }: StoredSession, { row: b }: StoredSession): number {
  const [one, other] = [a.start ?? Number.MAX_SAFE_INTEGER, b.start ?? Number.MAX_SAFE_INTEGER];
  return one - other || a.id - b.id;
}
