import { compareText } from '../../opportunity/ids.ts';
import { defined, type Facility, type Slot } from '../../opportunity/records.ts';
import { type CalendarRow, courtsOf, type Reader, type RecordBody, recordOf, storedVenue } from '../../store/index.ts';
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
    if (await this.#hasSlots(row)) return { ...about, publishesTimes: true, times: await this.#own(row, window) };
    const courts: RecordBody[] = [];
    for (const court of await courtsOf(this.#read, row)) if (await this.#hasSlots(court)) courts.push(court);
    const each: FreeTime[][] = [];
    for (const court of courts) each.push(await this.#own(court, window));
    // A court is one unless it says otherwise.
    const times = together(each.flat().map((time) => ({ ...time, of: time.of ?? Math.max(1, time.free) })));
    return { ...about, publishesTimes: courts.length > 0, times };
  }

  async #hasSlots({ id }: RecordBody): Promise<boolean> {
    return (await this.#read.countChildren('slot', id, 1)) > 0;
  }

  async #own({ id }: RecordBody, window: StartsWithin): Promise<FreeTime[]> {
    const rows = await this.#read.childrenWithin('slot', id, { ...window, limit: MOST_SLOTS });
    return together(rows.map((row) => timeOf(recordOf(row) as Slot)));
  }
}

function timeOf({ start, end, remainingUses, maximumUses }: Slot): FreeTime {
  return { start, end, free: Math.max(0, remainingUses), ...(maximumUses !== undefined && { of: maximumUses }) };
}

/** One time for all that have the same start and end. */
function together(times: readonly FreeTime[]): FreeTime[] {
  const found = new Map<string, FreeTime>();
  for (const time of times) {
    const key = `${time.start} ${time.end}`;
    const other = found.get(key);
    found.set(key, other === undefined ? { ...time } : sum(other, time));
  }
  return [...found.values()].sort((a, b) => a.start - b.start || a.end - b.end);
}

function sum(a: FreeTime, b: FreeTime): FreeTime {
  const both = a.of !== undefined && b.of !== undefined ? { of: a.of + b.of } : {};
  return { start: a.start, end: a.end, free: a.free + b.free, ...both };
}
