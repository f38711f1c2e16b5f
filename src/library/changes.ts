import { changeWords } from '../calendar/changes/change-words.ts';
import type { Change } from '../calendar/changes/changes.ts';
import { statedZone } from '../calendar/header.ts';
import { sha256 } from '../platform/hash.ts';
import { type CalendarRow, CHANGE_DAYS, type ChangeRow, effectiveSeries, type Reader } from '../store/index.ts';
import { DAY_MS } from '../time/days.ts';
import { zoneOrUtc } from '../time/zone.ts';
import type { ChangeEntry, ChangeFeed, LibraryOptions } from './library.ts';
import { feedOf, publisherOf } from './reads.ts';

/** Recent changes, for pages and Atom feeds. */

/** `Moved: Tue 24 Nov 18:00 is now 19:00`, in the time of the place. `one`: another change of the same revision. */
export function entryWords(entry: ChangeEntry, one: Change = entry): string {
  return changeWords(one, zoneOrUtc(entry.zone), entry.at);
}

/** The first changes of an entry of kind `many`, in words. */
export function firstWords(entry: ChangeEntry): string[] {
  return (entry.first ?? []).map((one) => entryWords(entry, one));
}

/** Changes of the series or place of a calendar, the newest first, with its name and publisher. */
export async function changesIn(
  read: Reader,
  { kind, record, name }: Pick<CalendarRow, 'kind' | 'record' | 'name'>,
  limit: number,
  { now, compose }: Pick<LibraryOptions, 'now' | 'compose'>,
): Promise<Omit<ChangeFeed, 'head'>> {
  const of = kind === 'series' ? { series: record } : { venue: record };
  const rows = await read.changes(of, now() - CHANGE_DAYS * DAY_MS, limit);
  const known = new Map<number, Promise<Pick<ChangeEntry, 'zone' | 'publisher'>>>();
  const entries: ChangeEntry[] = [];
  for (const row of rows) {
    const more = known.get(row.series) ?? ofSeries(read, row.series, compose.zone);
    known.set(row.series, more);
    entries.push(...entriesOf(row, await more));
  }
  const body = await read.recordById(record);
  const publisher = body && publisherOf(await feedOf(read, body));
  return { name, ...(publisher && { publisher }), entries: withoutReturns(entries).slice(0, limit) };
}

/** The longest time between the deletion of a session and its return under another RPDE id, on pages of one visit. */
const RETURN_MS = 600_000;

/** Entries, the newest first, without dates that were removed and soon added again unchanged. */
function withoutReturns(entries: readonly ChangeEntry[]): ChangeEntry[] {
  const added = new Map<string, ChangeEntry[]>();
  const returns = new Set<ChangeEntry>();
  for (const entry of entries) {
    const { series, start, end, allDay, name } = entry;
    const date = JSON.stringify([series.key, start, end, allDay, name]);
    if (entry.what === 'added') added.set(date, [...(added.get(date) ?? []), entry]);
    if (entry.what !== 'removed') continue;
    const again = added.get(date)?.pop();
    if (again !== undefined && again.at - entry.at <= RETURN_MS) returns.add(entry).add(again);
  }
  return entries.filter((entry) => !returns.has(entry));
}

function entriesOf({ key, name, at, text }: ChangeRow, more: Pick<ChangeEntry, 'zone' | 'publisher'>): ChangeEntry[] {
  return (JSON.parse(text) as Change[]).map((change, index) => {
    const id = uuidOf(`${key} ${at} ${index} ${JSON.stringify(change)}`);
    return { ...change, id, at, series: { key, name }, ...more };
  });
}

async function ofSeries(read: Reader, id: number, usual: string): Promise<Pick<ChangeEntry, 'zone' | 'publisher'>> {
  const record = await read.recordById(id);
  if (record === undefined) return { zone: usual };
  const series = await effectiveSeries(read, record);
  const publisher = publisherOf(await feedOf(read, record));
  return { zone: statedZone(series) ?? usual, ...(publisher && { publisher }) };
}

/** A UUID of data: the same for the same text (RFC 9562, version 8). */
export function uuidOf(text: string): string {
  const hex = sha256(text, 'hex');
  const variant = '89ab'[Number.parseInt(hex[16] ?? '0', 16) % 4];
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
