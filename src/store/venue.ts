import { type EffectiveVenue, effectiveVenue } from '../opportunity/effective.ts';
import type { Facility, LocalDate, OpeningHours, Place } from '../opportunity/records.ts';
import type { CalendarRow, RecordBody } from './contract.ts';
import { type RecordReader, recordOf, withFound } from './find.ts';

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

/** As it is kept when nobody publishes it any more (semantics 6): not open after the day it was withdrawn on. */
export function venueTail({ row, around }: StoredVenue, day: LocalDate): string {
  const said = recordOf(row) as Place | Facility;
  const { record: _, ...kept } = row;
  const closed = { ...said, hours: until(said.hours, day) };
  if (said.kind === 'place') Object.assign(closed, { specialHours: until(said.specialHours, day) });
  return JSON.stringify({
    row: { ...kept, body: JSON.stringify(closed) },
    ...(around && { around }),
  } satisfies StoredVenue);
}

function until(hours: readonly OpeningHours[], day: LocalDate): OpeningHours[] {
  return hours.map((one) => ({ ...one, validThrough: earlier(one.validThrough, day) }));
}

function earlier(date: LocalDate | undefined, day: LocalDate): LocalDate {
  return date !== undefined && date < day ? date : day;
}

/** What `venueTail` kept; undefined for a live calendar. */
export function lastVenueOf({ tail }: Pick<CalendarRow, 'tail'>): StoredVenue | undefined {
  return tail === undefined ? undefined : (JSON.parse(tail) as StoredVenue);
}
