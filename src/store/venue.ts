import { aggregateKey } from '../join/keys.ts';
import { type EffectiveVenue, effectiveVenue, zoneOfFacility } from '../opportunity/effective.ts';
import { identOf } from '../opportunity/identity.ts';
import type { Facility, OpeningHours, Place } from '../opportunity/records.ts';
import { DAY_MS, dateOfDay } from '../time/days.ts';
import type { LocalDate } from '../time/instant.ts';
import type { Zone } from '../time/zone.ts';
import { type CalendarRow, type Reader, type RecordBody, tailOf, tailText, type Withdrawal } from './contract/index.ts';
import { type IdentReader, recordOf, withFound } from './find.ts';

/** A place or facility with all that it inherits, in its row (semantics 2). */
export interface StoredVenue {
  row: RecordBody;
  /** The Place record around a facility. */
  around?: Place;
}

/** Reads the records that a place or facility inherits from, and puts the result into its row. */
export async function storedVenue(reader: IdentReader, row: RecordBody): Promise<StoredVenue> {
  const stated = recordOf(row) as Place | Facility;
  const { record, around } = await withFound(reader, row, (find) => effectiveVenue(stated, find));
  return { row: record === stated ? row : { ...row, record }, ...(around && { around }) };
}

/** The effective venue of a stored one. */
export function venueIn({ row, around }: StoredVenue): EffectiveVenue {
  return { record: recordOf(row) as Place | Facility, ...(around && { around }) };
}

/** The most courts and lanes of one FacilityUse that are read. */
const MOST_COURTS = 100;

/** The rows of the IndividualFacilityUses of a FacilityUse. */
export async function courtsOf(
  reader: Pick<Reader, 'recordsByKey'>,
  { ident, publisherId }: Pick<RecordBody, 'ident' | 'publisherId'>,
): Promise<RecordBody[]> {
  const rows = await reader.recordsByKey('facility', [aggregateKey(ident)], MOST_COURTS);
  // Keys are compared by their tags, so that other records may be among them.
  return rows.filter((row) => {
    const { aggregate } = recordOf(row) as Facility;
    return aggregate !== undefined && identOf(aggregate) === ident && row.publisherId === publisherId;
  });
}

/** The zone of a facility, for the times of its slots that name none. */
export function facilityZone(reader: IdentReader, row: RecordBody): Promise<Zone | undefined> {
  return withFound(reader, row, (find) => zoneOfFacility(recordOf(row) as Facility, find));
}

/** The tail of a venue without an owner, as text. */
export function venueTail({ row, around }: StoredVenue, withdrawal: Withdrawal): string {
  const { record: _, ...kept } = row;
  const last: StoredVenue = { row: { ...kept, body: JSON.stringify(recordOf(row)) }, ...(around && { around }) };
  return tailText({ ...withdrawal, last });
}

/** The venue of a tail, closed after the day of its withdrawal (semantics 6). Undefined for a live calendar. */
export function lastVenueOf(calendar: Pick<CalendarRow, 'tail' | 'deletedAt'>): StoredVenue | undefined {
  const last = tailOf<StoredVenue>(calendar)?.last;
  if (last === undefined) return undefined;
  const day = dateOfDay(Math.floor((calendar.deletedAt ?? 0) / DAY_MS));
  const stated = recordOf({ body: last.row.body }) as Place | Facility;
  const closed = { ...stated, hours: until(stated.hours, day) };
  if (stated.kind === 'place') Object.assign(closed, { specialHours: until(stated.specialHours, day) });
  return { ...last, row: { ...last.row, body: JSON.stringify(closed) } };
}

/** Opening hours that end at a day at the latest. */
function until(hours: readonly OpeningHours[], day: LocalDate): OpeningHours[] {
  return hours.map((one) => ({ ...one, validThrough: earlier(one.validThrough, day) }));
}

function earlier(date: LocalDate | undefined, day: LocalDate): LocalDate {
  return date !== undefined && date < day ? date : day;
}
