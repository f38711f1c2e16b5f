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
  readonly #rows = new Map<number, RecordBody | undefined>();
  readonly #calendars = new Map<number, CalendarRow>();
  readonly #series = new Map<number, Promise<KnownSeries | undefined>>();
  readonly #places = new Map<number | string, Promise<KnownPlaceRecord | undefined>>();

  constructor(read: Reader) {
    this.#read = read;
  }

  /** Reads these series and their places at once, before they are asked for one by one. */
  async readAll(series: readonly number[]): Promise<void> {
    const rows = await this.#readRows(series);
    await this.#readRows(rows.flatMap(({ venue }) => venue ?? []));
  }

  /** Those that were not read before. */
  async #readRows(ids: readonly number[]): Promise<RecordBody[]> {
    const unknown = [...new Set(ids)].filter((id) => !this.#rows.has(id));
    if (unknown.length === 0) return [];
    const rows = await this.#read.publishedRecords(unknown);
    for (const id of unknown) this.#rows.set(id, undefined);
    for (const row of rows) this.#rows.set(row.id, row);
    for (const calendar of await this.#read.mainCalendars(rows.map(({ id }) => id)))
      this.#calendars.set(calendar.record, calendar);
    return rows;
  }

  async #row(id: number): Promise<RecordBody | undefined> {
    await this.#readRows([id]);
    return this.#rows.get(id);
  }

  /** Undefined: it is not published any more. */
  series(row: number): Promise<KnownSeries | undefined> {
    return remembered(this.#series, row, () => this.#readSeries(row));
  }

  async #readSeries(id: number): Promise<KnownSeries | undefined> {
    const row = await this.#row(id);
    const calendar = this.#calendars.get(id);
    if (row === undefined || calendar?.state !== 'live') return undefined;
    const { series } = await effectiveSeries(this.#read, row);
    const makers = new Map<number, Maker>();
    const makerOf = (index: number): Maker | undefined => {
      const schedule = series.schedules.find((one) => one.index === index);
      return schedule && remembered(makers, index, () => maker(series, { schedule }));
    };
    return { row, calendar, series, makerOf };
  }

  /** Where something with these details takes place, `venue` being the Place of its series. */
  async placeOf({ location }: Details, venue: number | undefined): Promise<KnownPlaceRecord | undefined> {
    const id = location?.id;
    const there = venue === undefined ? undefined : await this.placeAt(venue);
    if (id === undefined || (there?.place.id !== undefined && identOf(there.place.id) === identOf(id))) return there;
    return this.#placeCalled(id);
  }

  /** Of a Place row. */
  placeAt(id: number): Promise<KnownPlaceRecord | undefined> {
    return remembered(this.#places, id, async () => this.#known(await this.#row(id)));
  }

  #placeCalled(id: string): Promise<KnownPlaceRecord | undefined> {
    return remembered(this.#places, id, async () => this.#known(await this.#read.recordByIdent('place', identOf(id))));
  }

  async #known(row: RecordBody | undefined): Promise<KnownPlaceRecord | undefined> {
    if (row === undefined || row.body === '') return undefined;
    const calendar = this.#calendars.get(row.id) ?? (await this.#read.calendarOf(row.id));
    const key = calendar?.state === 'live' ? calendar.key : undefined;
    return { row: row.id, place: recordOf(row) as Place, ...(key !== undefined && { key }) };
  }
}

function remembered<K, V>(known: Map<K, V>, key: K, make: () => V): V {
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}
