import { type EffectiveVenue, effectiveVenue } from '../opportunity/effective.ts';
import type { Facility, LocalDate, OpeningHours, Place } from '../opportunity/records.ts';
import { DAY_MS, dateOfDay } from '../recurrence/days.ts';
import type { CalendarRow, RecordBody } from './contract.ts';
import { type RecordReader, recordOf, withFound } from './find.ts';
import { tailOf, tailText, type Withdrawal } from './tail.ts';

/** A place or facility as its calendars need it: its row says all that it takes from others too (semantics 2). */
export interface StoredVenue {
  row: RecordBody;
  /** The Place record around a facility. */
  around?: Place;
}

export async function storedVenue(reader: RecordReader, row: RecordBody): Promise<StoredVenue> {
  const said = recordOf(row) as Place | Facility;
  const { record, around } = await withFound(reader, row, (find) => effectiveVenue(said, find));
  return { row: record === said ? row : { ...row, record }, ...(around && { around }) };
}

export function venueIn({ row, around }: StoredVenue): EffectiveVenue {
  return { record: recordOf(row) as Place | Facility, ...(around && { around }) };
}

/** As it is kept when nobody publishes it any more. */
export function venueTail({ row, around }: StoredVenue, withdrawal: Withdrawal): string {
  const { record: _, ...kept } = row;
  const last: StoredVenue = { row: { ...kept, body: JSON.stringify(recordOf(row)) }, ...(around && { around }) };
  return tailText({ ...withdrawal, last });
}

/** What `venueTail` kept: not open after the day it was withdrawn on (semantics 6). Undefined for a live calendar. */
export function lastVenueOf(calendar: Pick<CalendarRow, 'tail' | 'deletedAt'>): StoredVenue | undefined {
  const last = tailOf<StoredVenue>(calendar)?.last;
  if (last === undefined) return undefined;
  const day = dateOfDay(Math.floor((calendar.deletedAt ?? 0) / DAY_MS));
  const said = recordOf({ body: last.row.body }) as Place | Facility;
  const closed = { ...said, hours: until(said.hours, day) };
  if (said.kind === 'place') Object.assign(closed, { specialHours: until(said.specialHours, day) });
  return { ...last, row: { ...last.row, body: JSON.stringify(closed) } };
}

function until(hours: readonly OpeningHours[], day: LocalDate): OpeningHours[] {
  return hours.map((one) => ({ ...one, validThrough: earlier(one.validThrough, day) }));
}

function earlier(date: LocalDate | undefined, day: LocalDate): LocalDate {
  return date !== undefined && date < day ? date : day;
}
