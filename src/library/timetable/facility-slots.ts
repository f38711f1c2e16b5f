import { type BookableTime, bookableTimes } from '../../calendar/venue/bookable.ts';
import { compareText } from '../../opportunity/ids.ts';
import { defined, type Facility, type Slot } from '../../opportunity/records.ts';
import {
  type CalendarRow,
  courtsOf,
  type Reader,
  type RecordBody,
  recordOf,
  type StartWindow,
  storedVenue,
} from '../../store/index.ts';
import { type FacilityTimes, type FreeTime, MOST_SLOTS, type StartsWithin } from './timetable.ts';

/** When facilities can be booked: their slots, those of all courts of one facility together. */
export class FacilitySlots {
  readonly #read: Reader;

  constructor(read: Reader) {
    this.#read = read;
  }

  /** The facilities at a place, by name, at most `limit`; courts of a facility that is there too are part of it. */
  async at(venue: number, window: StartsWithin, limit: number): Promise<FacilityTimes[]> {
    const hits = await this.#read.search({ kind: 'facility', venues: [venue] }, limit);
    const rows = new Map<CalendarRow, RecordBody>();
    for (const { record } of hits) {
      const [calendar, row] = [await this.#read.calendarOf(record), await this.#read.recordById(record)];
      if (calendar !== undefined && row !== undefined) rows.set(calendar, row);
    }
    const here = new Set([...rows.values()].map((row) => (recordOf(row) as Facility).id));
    const found: FacilityTimes[] = [];
    for (const [calendar, row] of rows) {
      const { aggregate } = recordOf(row) as Facility;
      if (aggregate === undefined || !here.has(aggregate)) found.push(await this.times(calendar.key, row, window));
    }
    return found.sort((a, b) => compareText(a.name, b.name) || compareText(a.key, b.key));
  }

  async times(key: string, row: RecordBody, window: StartsWithin): Promise<FacilityTimes> {
    const { details, url } = recordOf((await storedVenue(this.#read, row)).row) as Facility;
    const about = { key, offers: details.offers ?? [], ...defined({ name: details.name, url }) };
    const { publishesTimes, times } = await this.bookable(row, { ...window, limit: MOST_SLOTS });
    return { ...about, publishesTimes, times: times.map(freeTime) };
  }

  /** When a facility can be booked, all its courts together: what pages and free/busy say of it. */
  async bookable(row: RecordBody, window: StartWindow): Promise<{ publishesTimes: boolean; times: BookableTime[] }> {
    const facilities = [row, ...(await courtsOf(this.#read, row))].map(({ id }) => id);
    const rows = await this.#read.childrenWithin('slot', facilities, window);
    const [own, ofCourts] = [true, false].map((isOwn) =>
      rows.filter(({ parent }) => (parent === row.id) === isOwn).map((slot) => recordOf(slot) as Slot),
    ) as [Slot[], Slot[]];
    const publishesTimes = rows.length > 0 || (await this.#haveSlots(facilities));
    return { publishesTimes, times: bookableTimes(own, ofCourts) };
  }

  async #haveSlots(facilities: readonly number[]): Promise<boolean> {
    for (const id of facilities) if ((await this.#read.countChildren('slot', id, 1)) > 0) return true;
    return false;
  }
}

function freeTime({ start, end, remainingUses, maximumUses }: BookableTime): FreeTime {
  return { start, end, free: remainingUses, ...(maximumUses !== undefined && { of: maximumUses }) };
}
