import { identOf } from '../../opportunity/identity.ts';
import type { Details, Place, Series } from '../../opportunity/records.ts';
import { type Maker, maker } from '../../recurrence/overlay.ts';
import { effectiveSeries, type ListedRecord, namedPlace, type Reader, recordOf } from '../../store/index.ts';

/** Records that a search reads, each once for one answer. */

/** A series, as occurrences are made from it. */
export interface KnownSeries {
  /** The key of its calendar. */
  key: string;
  /** The row of its Place. */
  venue: number | undefined;
  /** The number of its sessions, as its calendar row has it. */
  sessions: number;
  /** With effective details. */
  series: Series;
  /** The Place whose names are in its search document. */
  namedPlace(): Promise<Place | undefined>;
  /** The maker of the occurrences of a Schedule, by the index of the Schedule. */
  makerOf(schedule: number): Maker | undefined;
}

/** A place that was read. */
export interface KnownPlaceRecord {
  row: number;
  place: Place;
  /** The key of its page; absent: it has none. */
  key?: string;
}

/** Series and places of one answer, each read once. */
export class KnownRecords {
  readonly #read: Reader;
  readonly #rows = new Map<number, ListedRecord | undefined>();
  readonly #series = new Map<number, Promise<KnownSeries | undefined>>();
  /** By row, and by `@id`. */
  readonly #places = new Map<number | string, KnownPlaceRecord | undefined>();

  constructor(read: Reader) {
    this.#read = read;
  }

  /** Reads these series and their places at once, before `series` and `placeOf` are called for each. */
  async readAll(series: readonly number[]): Promise<void> {
    const rows = await this.#readRows(series);
    await this.#readRows(rows.flatMap(({ venue }) => venue ?? []));
    const named = rows.filter(({ venue = 0 }) => this.#rows.get(venue) === undefined);
    await this.#readPlaces(named.flatMap((row) => placeIdOf(row) ?? []));
  }

  /** Rows that were not read before. */
  async #readRows(ids: readonly number[]): Promise<ListedRecord[]> {
    const unknown = [...new Set(ids)].filter((id) => !this.#rows.has(id));
    if (unknown.length === 0) return [];
    const rows = await this.#read.listedRecords(unknown);
    for (const id of unknown) this.#rows.set(id, undefined);
    for (const row of rows) this.#rows.set(row.id, row);
    return rows;
  }

  /** Places with one of these `@id`s. */
  async #readPlaces(ids: readonly string[]): Promise<void> {
    const idents = new Map(ids.filter((id) => !this.#places.has(id)).map((id) => [id, identOf(id)]));
    if (idents.size === 0) return;
    const rows = await this.#read.listedByIdent('place', [...idents.values()]);
    const byIdent = new Map(rows.map((row) => [row.ident, row]));
    for (const [id, ident] of idents) this.#places.set(id, placeOfRow(byIdent.get(ident)));
  }

  async #row(id: number): Promise<ListedRecord | undefined> {
    await this.#readRows([id]);
    return this.#rows.get(id);
  }

  /** The series of a row; undefined where it is not published any more. */
  series(row: number): Promise<KnownSeries | undefined> {
    return remembered(this.#series, row, () => this.#readSeries(row));
  }

  async #readSeries(id: number): Promise<KnownSeries | undefined> {
    const row = await this.#row(id);
    if (row?.key === undefined) return undefined;
    const { key, venue, sessions } = row;
    const series = await effectiveSeries(this.#read, row);
    const makers = new Map<number, Maker>();
    const makerOf = (index: number): Maker | undefined => {
      const schedule = series.schedules.find((one) => one.index === index);
      return schedule && remembered(makers, index, () => maker(series, { schedule }));
    };
    let place: Promise<Place | undefined> | undefined;
    const ofRow = (): Promise<Place | undefined> => {
      place ??= namedPlace(this.#read, row);
      return place;
    };
    return { key, venue, sessions, series, namedPlace: ofRow, makerOf };
  }

  /** The place of an occurrence with these details. `venue`: the row of the Place of its series. */
  async placeOf({ location }: Details, venue: number | undefined): Promise<KnownPlaceRecord | undefined> {
    const id = location?.id;
    const there = venue === undefined ? undefined : await this.placeAt(venue);
    if (id === undefined || (there?.place.id !== undefined && identOf(there.place.id) === identOf(id))) return there;
    await this.#readPlaces([id]);
    return this.#places.get(id);
  }

  /** The place of a row. */
  async placeAt(id: number): Promise<KnownPlaceRecord | undefined> {
    if (!this.#places.has(id)) this.#places.set(id, placeOfRow(await this.#row(id)));
    return this.#places.get(id);
  }
}

/** The place of a row; undefined for a stub. */
function placeOfRow(row: ListedRecord | undefined): KnownPlaceRecord | undefined {
  if (row === undefined || row.body === '') return undefined;
  return { row: row.id, place: recordOf(row) as Place, ...(row.key !== undefined && { key: row.key }) };
}

/** The `@id` of the place that the record of a series names. */
function placeIdOf(row: ListedRecord): string | undefined {
  return row.kind === 'series' && row.body !== '' ? (recordOf(row) as Series).details.location?.id : undefined;
}

function remembered<K, V>(known: Map<K, V>, key: K, make: () => V): V {
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}
