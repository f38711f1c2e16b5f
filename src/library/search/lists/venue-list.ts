import { defined, type Place } from '../../../opportunity/records.ts';
import { postcodeOf } from '../../../search/document.ts';
import {
  type CalendarQuery,
  type CalendarRow,
  type ListedRecord,
  type Reader,
  recordOf,
  type SearchHit,
} from '../../../store/index.ts';
import type { FoundPage, FoundRow, ListingRow, PageQuery } from '../types.ts';
import {
  CURSOR,
  cursorText,
  type NamedPosition,
  namedCursor,
  namedPosition,
  readCursor,
  refusedPage,
} from './cursor.ts';
import { distanceKm } from './items.ts';
import type { OccurrenceRequest } from './occurrence-list.ts';

/** A page of places or facilities: by rank where there are words, by distance from where they are near, else by name. */

/** The most rows of a list by rank or distance. */
const MOST_FOUND = 1000;
const MOST_COUNTED = 10_000;
const KIND = 'venues';
const BY_NAME = 'venues by name';

/** Makes the row of a list; undefined where the record has gone since its calendar row was read. */
export type RowOf = (row: CalendarRow) => Promise<ListingRow | undefined>;

/** One page of the places or facilities that a search finds. */
export async function venuePage(
  read: Reader,
  asked: OccurrenceRequest,
  { after, limit }: PageQuery,
  rowOf: RowOf,
): Promise<FoundPage<FoundRow>> {
  const { filters, resolved, wanted } = asked;
  const { query } = wanted;
  const { kind: _, venues = [], ...others } = query;
  if (Object.keys(others).length === 0 && venues.length <= 1) return namedPage(read, asked, { after, limit }, rowOf);
  const { replaced, problems } = resolved;
  const cursor = readCursor(KIND, filters, after);
  const refused = refusedPage(resolved, after, cursor, CURSOR);
  if (refused) return refused;
  const found = await orderedRows(read, query, resolved);
  const known = cursor && (await read.calendarByKey(cursor.id))?.record;
  const at = known === undefined ? -1 : found.findIndex(({ record }) => record === known);
  const from = cursor === undefined ? 0 : (at < 0 ? cursor.at : at) + 1;
  const items: FoundRow[] = [];
  let key = '';
  for (const { record, distance } of found.slice(from, from + limit)) {
    const row = await read.calendarOf(record);
    if (row?.state !== 'live') continue;
    key = row.key;
    const listed = await rowOf(row);
    if (listed !== undefined) items.push({ ...listed, ...defined({ distanceKm: distance }) });
  }
  const isMore = from + limit < found.length;
  const total = found.length < MOST_FOUND ? found.length : await countedWhole(read, query);
  const next = isMore ? cursorText(KIND, filters, { at: from + limit - 1, id: key }) : undefined;
  return { items, replaced, problems, ...defined({ total, next }) };
}

/** A page by name: of all places or facilities, or of the facilities at one place. */
async function namedPage(
  read: Reader,
  { filters, resolved, wanted: { query } }: OccurrenceRequest,
  { after, limit }: Pick<PageQuery, 'limit'> & { after: string | undefined },
  rowOf: RowOf,
): Promise<FoundPage<FoundRow>> {
  const { replaced, problems } = resolved;
  const position = namedPosition(readCursor(BY_NAME, filters, after)?.id);
  const refused = refusedPage(resolved, after, position, CURSOR);
  if (refused) return refused;
  const [venue] = query.venues ?? [];
  const listed = { kind: query.kind, ...(venue !== undefined && { venue }) };
  const rows = await namedRows(read, listed, position, limit + 1);
  const shown = rows.slice(0, limit);
  const items = (await Promise.all(shown.map(rowOf))).filter((row) => row !== undefined);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  const next = last && cursorText(BY_NAME, filters, { at: 0, id: namedCursor(last) });
  return { items, replaced, problems, total: await read.countCalendars(listed), ...defined({ next }) };
}

/** The position behind all rows without a name: no key sorts behind this one. */
const NAMED: NamedPosition = { name: '', key: '~' };

/** Rows by name; those without a name are last. */
async function namedRows(
  read: Reader,
  listed: CalendarQuery,
  position: NamedPosition | undefined,
  limit: number,
): Promise<CalendarRow[]> {
  const isNameless = position?.name === '';
  const named = isNameless ? [] : await read.calendars({ ...listed, limit, after: position ?? NAMED });
  if (named.length === limit) return named;
  const after = isNameless && { after: position };
  const others = await read.calendars({ ...listed, limit: limit - named.length, ...after });
  return [...named, ...others.filter(({ name }) => name === '')];
}

interface RankedVenue {
  record: number;
  distance?: number | undefined;
}

async function orderedRows(
  read: Reader,
  query: OccurrenceRequest['wanted']['query'],
  { near, postcode }: OccurrenceRequest['resolved'],
): Promise<RankedVenue[]> {
  const hits: SearchHit[] = await read.search(query, MOST_FOUND);
  if (near === undefined) return hits;
  const facts = await read.searchFacts(hits.map(({ record }) => record));
  const rows = hits.map(({ record }): RankedVenue => {
    const { latitude = 0, longitude = 0 } = facts.get(record) ?? {};
    return { record, distance: distanceKm({ latitude, longitude }, near) };
  });
  if (query.words) return rows;
  const byDistance = rows.sort((a, b) => (a.distance ?? 0) - (b.distance ?? 0) || a.record - b.record);
  return query.kind === 'place' && postcode !== undefined ? sameFirst(read, byDistance, postcode) : byDistance;
}

/** The most places whose postcode is read: a district has fewer. */
const MOST_IN_DISTRICT = 200;

/** Places with this postcode first. Distances are from the middle of its district, and do not tell them apart. */
async function sameFirst(read: Reader, rows: readonly RankedVenue[], postcode: string): Promise<RankedVenue[]> {
  const listed = await read.listedRecords(rows.slice(0, MOST_IN_DISTRICT).map(({ record }) => record));
  const isSame = (row: ListedRecord): boolean => postcodeOf((recordOf(row) as Place).postalCode) === postcode;
  const same = new Set(
    listed
      .filter(({ body }) => body !== '')
      .filter(isSame)
      .map(({ id }) => id),
  );
  return [...rows.filter(({ record }) => same.has(record)), ...rows.filter(({ record }) => !same.has(record))];
}

async function countedWhole(read: Reader, query: OccurrenceRequest['wanted']['query']): Promise<number | undefined> {
  const count = await read.countFound(query, MOST_COUNTED);
  return count < MOST_COUNTED ? count : undefined;
}
