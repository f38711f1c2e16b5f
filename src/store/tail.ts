import type { Facility, LocalDate, OpeningHours, Place } from '../opportunity/records.ts';
import type { CalendarRow, RecordBody } from './contract.ts';

/** A place or facility that nobody publishes any more, kept with its calendar while that is served (semantics 6). */
export interface LastVenue {
  row: RecordBody;
  /** The Place record around a facility. */
  around?: Place;
}

/** As it is kept: not open any more after the day it was withdrawn on. */
export function venueTail({ row, around }: LastVenue, day: LocalDate): string {
  const { record: _, ...kept } = row;
  const said = JSON.parse(row.body) as Place | Facility;
  const closed = { ...said, hours: until(said.hours, day) };
  if (said.kind === 'place') Object.assign(closed, { specialHours: until(said.specialHours, day) });
  return JSON.stringify({
    row: { ...kept, body: JSON.stringify(closed) },
    ...(around && { around }),
  } satisfies LastVenue);
}

function until(hours: readonly OpeningHours[], day: LocalDate): OpeningHours[] {
  return hours.map((one) => ({ ...one, validThrough: earlier(one.validThrough, day) }));
}

function earlier(date: LocalDate | undefined, day: LocalDate): LocalDate {
  return date !== undefined && date < day ? date : day;
}

/** What `venueTail` kept; undefined for a live calendar. */
export function lastVenueOf({ tail }: Pick<CalendarRow, 'tail'>): LastVenue | undefined {
  return tail === undefined ? undefined : (JSON.parse(tail) as LastVenue);
}
