import { identOf } from '../../opportunity/identity.ts';
import type { Details, Place, Series } from '../../opportunity/records.ts';
import { type Maker, maker } from '../../recurrence/overlay.ts';
import { type CalendarRow, effectiveSeries, type Reader, type RecordBody, recordOf } from '../../store/index.ts';

/** A series as occurrences of it need it. */
export interface KnownSeries {
  row: RecordBody;
  calendar: CalendarRow;
  /** With effective details. */
  series: Series;
  /** Of what a Schedule generates, by its index. */
  makerOf(schedule: number): Maker | undefined;
}

export interface KnownPlaceRecord {
  row: number;
  place: Place;
  /** Absent: it has no page. */
  key?: string;
}

/** Series and places of one answer, each read once. */
export class KnownRecords {
  readonly #read: Reader;
  readonly #series = new Map<number, Promise<KnownSeries | undefined>>();
  readonly #places = new Map<number | string, Promise<KnownPlaceRecord | undefined>>();

  constructor(read: Reader) {
    this.#read = read;
  }

  /** Undefined: it is not published any more. */
  series(row: number): Promise<KnownSeries | undefined> {
    return remembered(this.#series, row, () => this.#readSeries(row));
  }

  async #readSeries(id: number): Promise<KnownSeries | undefined> {
    const [row, calendar] = [await this.#read.recordById(id), await this.#read.calendarOf(id)];
    if (row === undefined || calendar?.state !== 'live') return undefined;
    const { series } = await effectiveSeries(this.#read, row);
    const makers = new Map(series.schedules.map((schedule) => [schedule.index, maker(series, { schedule })]));
    return { row, calendar, series, makerOf: (schedule) => makers.get(schedule) };
  }

  /** Where something with these details takes place, `venue` being the Place of its series. */
  placeOf({ location }: Details, venue: number | undefined): Promise<KnownPlaceRecord | undefined> {
    const id = location?.id;
    return id === undefined ? this.#placeAt(venue) : this.#placeCalled(id);
  }

  #placeAt(row: number | undefined): Promise<KnownPlaceRecord | undefined> {
    if (row === undefined) return Promise.resolve(undefined);
    return remembered(this.#places, row, async () => this.#known(await this.#read.recordById(row)));
  }

  #placeCalled(id: string): Promise<KnownPlaceRecord | undefined> {
    return remembered(this.#places, id, async () => this.#known(await this.#read.recordByIdent('place', identOf(id))));
  }

  async #known(row: RecordBody | undefined): Promise<KnownPlaceRecord | undefined> {
    if (row === undefined || row.body === '') return undefined;
    const calendar = await this.#read.calendarOf(row.id);
    const key = calendar?.state === 'live' ? calendar.key : undefined;
    return { row: row.id, place: recordOf(row) as Place, ...(key !== undefined && { key }) };
  }
}

function remembered<K, V>(known: Map<K, Promise<V>>, key: K, make: () => Promise<V>): Promise<V> {
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}
