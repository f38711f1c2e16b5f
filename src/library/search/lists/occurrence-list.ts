import type { Filters } from '../../../search/filters.ts';
import type { Understood } from '../../../search/words.ts';
import { newSince, type Reader } from '../../../store/index.ts';
import { storedDay } from '../../reads.ts';
import { Finder } from '../finder.ts';
import type { Hit, ListPosition, Wanted } from '../hits.ts';
import type { Resolved } from '../query/resolve.ts';
import type { FoundPage, OccurrenceItem, PageQuery } from '../types.ts';
import { type Cursor, cursorText, readCursor, refusedPage } from './cursor.ts';
import { itemOf } from './items.ts';

/** A page of occurrences: by start, then id. */

const KIND = 'occurrences';
/** A tie behind all others with the same start. */
const LAST = '\uffff';

/** A search, with what it was made of. */
export interface OccurrenceRequest {
  /** The filters of the request, to which cursors belong. */
  filters: Filters;
  /** The words of the filters as they were understood, where there are any. */
  understood?: Understood | undefined;
  resolved: Resolved;
  wanted: Wanted;
  /** The default zone. */
  zone: string;
}

/** A page of occurrences by start, from its cursor on. */
export async function occurrencePage(
  read: Reader,
  { filters, resolved, wanted, zone }: OccurrenceRequest,
  { after, limit }: PageQuery,
): Promise<FoundPage<OccurrenceItem>> {
  const { replaced, problems } = resolved;
  const cursor = readCursor(KIND, filters, after);
  const refused = refusedPage(resolved, after, cursor);
  if (refused) return refused;
  const finder = new Finder(read, zone);
  const hits: Hit[] = [];
  let reached: number | undefined;
  for await (const batch of finder.batches(wanted, limit + 1, listPositionOf(cursor))) {
    hits.push(...batch.hits.filter((hit) => cursor === undefined || isAfter(hit, cursor)));
    reached = batch.upTo;
    if (hits.length > limit) break;
  }
  const shown = hits.slice(0, limit);
  const last = shown.at(-1);
  const items: OccurrenceItem[] = [];
  const originals = await read.replacedStarts(shown.flatMap(({ found }) => found.session ?? []));
  const rows = shown.map(({ found }) => found.series);
  const newSeries = await newAmong(read, rows);
  const around = { records: finder.records, originals, newSeries, near: resolved.near };
  for (const hit of shown) items.push(await itemOf(hit, around));
  const isWhole = reached === undefined && hits.length <= limit;
  if (isWhole) return { items, replaced, problems, ...(cursor === undefined && { total: items.length }) };
  const end =
    hits.length > limit ? last && { at: last.occurrence.start, id: last.tie } : { at: reached ?? 0, id: LAST };
  return { items, replaced, problems, ...(end && { next: cursorText(KIND, filters, end) }) };
}

/**
 * The series, among some, that were first published within the last seven days. A series of a feed that is itself new is not
 * one of them, because it may have been published for years.
 */
async function newAmong(read: Reader, series: readonly number[]): Promise<ReadonlySet<number>> {
  const first = await newSince(read, await storedDay(read));
  const later = first === undefined ? [] : series.filter((id) => id >= first.record);
  if (first === undefined || later.length === 0) return new Set();
  const known = new Set((await read.feeds()).filter(({ id }) => id < first.feed).map(({ url }) => url));
  const rows = await read.publishedRecords(later);
  return new Set(rows.filter(({ owner }) => owner !== undefined && known.has(owner.feed)).map(({ id }) => id));
}

function listPositionOf(cursor: Cursor | undefined): ListPosition | undefined {
  return cursor && { at: cursor.at, tie: cursor.id };
}

function isAfter({ occurrence: { start }, tie }: Hit, { at, id }: Cursor): boolean {
  return start > at || (start === at && tie > id);
}
