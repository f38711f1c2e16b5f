import { type BookableTime, bookableTimes } from '../../calendar/venue/bookable.ts';
import { identOf } from '../../opportunity/identity.ts';
import { slotIn } from '../../opportunity/local-times.ts';
import { defined, type Facility, type Slot } from '../../opportunity/records.ts';
import {
  type CalendarRow,
  courtsOf,
  facilityZone,
  type Reader,
  type RecordBody,
  recordOf,
  type StartWindow,
  storedVenue,
} from '../../store/index.ts';
import type { Instant, InstantWindow } from '../../time/instant.ts';
import type { FacilitiesHere, FacilityTimes, FreeTime } from './timetable.ts';

/** Most facilities of one place, with their courts. */
const MOST_HERE = 1000;
/** Most slots of one facility for one page: a fortnight of quarter hours, day and night, on fifteen courts. */
const MOST_SLOTS = 20_000;

interface Bookable {
  publishesTimes: boolean;
  /** By start. */
  times: BookableTime[];
  /** Absent: `times` are all. Otherwise they are all that start before this instant. */
  until?: Instant;
}

/** The facilities at a place, by name, at most `limit`. Courts are part of their facility, if it is at the place too. */
export async function facilitiesAt(
  read: Reader,
  venue: number,
  window: InstantWindow,
  limit: number,
): Promise<FacilitiesHere> {
  const calendars = await read.calendars({ kind: 'facility', venue, limit: MOST_HERE });
  const rows = new Map((await read.publishedRecords(calendars.map(({ record }) => record))).map(byId));
  const here = new Set([...rows.values()].map(({ ident, publisherId }) => `${publisherId} ${ident}`));
  const isWhole = ({ record }: CalendarRow): boolean => {
    const row = rows.get(record);
    const { aggregate } = row ? (recordOf(row) as Facility) : {};
    return row !== undefined && (aggregate === undefined || !here.has(`${row.publisherId} ${identOf(aggregate)}`));
  };
  const found = calendars.filter(isWhole);
  const shown: FacilityTimes[] = [];
  for (const { key, record } of found.slice(0, limit))
    shown.push(await facilityTimes(read, key, rows.get(record) as RecordBody, window));
  return { shown, left: found.length - shown.length };
}

export async function facilityTimes(
  read: Reader,
  key: string,
  row: RecordBody,
  window: InstantWindow,
): Promise<FacilityTimes> {
  const { details, url } = recordOf((await storedVenue(read, row)).row) as Facility;
  const about = { key, offers: details.offers ?? [], ...defined({ name: details.name, url }) };
  const { times, ...more } = await bookableSlots(read, row, { ...window, limit: MOST_SLOTS });
  return { ...about, ...more, times: times.map(freeTime) };
}

/** The bookable times of a facility, all its courts together, for pages and free/busy. */
export async function bookableSlots(read: Reader, row: RecordBody, window: StartWindow): Promise<Bookable> {
  const whole = [row, ...(await courtsOf(read, row))];
  const facilities = whole.map(({ id }) => id);
  const rows = await read.childrenWithin('slot', facilities, { ...window, limit: window.limit + 1 });
  const [ofFacility, ofCourts]: [Slot[], Slot[]] = [[], []];
  for (const facility of whole) {
    const slots = rows.filter(({ parent }) => parent === facility.id).map((slot) => recordOf(slot) as Slot);
    const lacksZone = slots.some(({ stated }) => stated !== undefined);
    const zone = lacksZone ? await facilityZone(read, facility) : undefined;
    (facility === row ? ofFacility : ofCourts).push(...slots.map((slot) => slotIn(zone, slot)));
  }
  const times = bookableTimes(ofFacility, ofCourts);
  const publishesTimes = rows.length > 0 || (await haveSlots(read, facilities)) || (await hadSlots(read, row));
  const until = rows.length > window.limit ? times.at(-1)?.start : undefined;
  if (until === undefined) return { publishesTimes, times };
  return { publishesTimes, times: times.filter(({ start }) => start < until), until };
}

async function haveSlots(read: Reader, facilities: readonly number[]): Promise<boolean> {
  for (const id of facilities) if ((await read.countChildren('slot', id, 1)) > 0) return true;
  return false;
}

/** Whether a facility had slots until its publisher deleted the last: then it cannot be booked, and is not free. */
async function hadSlots(read: Reader, { id, publisherId }: RecordBody): Promise<boolean> {
  if ((await read.calendarOf(id, 'slots')) === undefined) return false;
  const feeds = await read.feedStates();
  return feeds.some((feed) => feed.publisherId === publisherId && feed.reading?.slots === true);
}

const byId = (row: RecordBody): [number, RecordBody] => [row.id, row];

function freeTime({ start, end, remainingUses, maximumUses, offers }: BookableTime): FreeTime {
  const different = new Map(offers.map((offer) => [JSON.stringify(offer), offer]));
  return { start, end, free: remainingUses, ...defined({ of: maximumUses }), offers: [...different.values()] };
}
