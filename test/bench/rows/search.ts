import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { FoundRow, OccurrenceItem } from '../../../src/library/index.ts';
import { readFilters } from '../../../src/search/query.ts';
import { FLOORS } from '../floors.ts';
import { type LargeStore, largeStore } from '../large-store.ts';
import { type Bench, type Measurement, versusProcessor, workedFor } from '../measure.ts';

/**
 * A page of the search, beside its rows by their keys: each series, session, place and generated occurrence of the page, by
 * prepared statements, its stored text with it. Whoever answers at all has to read those.
 */

/** As many as a page of the API. */
const ROWS = 20;
/** Processor time in milliseconds before it is measured: a server has answered before, and the engine has compiled what it does often. */
const WARM_MS = 600;

/** What is documented, as an address has it. `PLACE`: where the first series of the store is. */
const QUERIES: [name: string, filters: string][] = [
  ['everything', ''],
  ['words', 'q=pilates'],
  ['two words', 'q=walking football'],
  ['words that are filters', 'q=free swimming on saturday morning'],
  ['a typing error', 'q=badmintin'],
  ['near', 'near=PLACE&within=10'],
  ['a town', 'near=anytown&within=60'],
  ['a postcode district', 'near=OX7&within=60'],
  ['an activity', 'activity=Tai Chi'],
  ['free tonight', 'q=free tonight'],
  ['a day after an hour', 'day=sat&after=18:00'],
  ['an age', 'age=7'],
  ['a price', 'maxPrice=3'],
];

export const searchBench: Bench = async (options) => {
  const large = await largeStore(options);
  try {
    const measurements: Measurement[] = [];
    for (const kind of ['occurrences', 'series'] as const)
      for (const query of QUERIES) measurements.push(await measured(large, kind, query, options.quick ? 5 : 9));
    return measurements;
  } finally {
    await large.close();
  }
};

async function measured(
  { library: { search }, db }: LargeStore,
  kind: 'occurrences' | 'series',
  [name, template]: (typeof QUERIES)[number],
  rounds: number,
): Promise<Measurement> {
  const address = template.replace('PLACE', firstPlace(db));
  const { filters, problems } = readFilters(new URLSearchParams(address));
  if (problems.length > 0) throw new Error(`${address}: ${JSON.stringify(problems)}`);
  const ask = () => search[kind](filters, { limit: ROWS });
  const { items } = await ask();
  if (items.length === 0) throw new Error(`${address} finds nothing.`);
  const keys = keysOf(db, items);
  const lookup = lookupOf(db);
  await workedFor(WARM_MS, async () => {
    await ask();
    lookup(keys);
  });
  const times = await versusProcessor(rounds, ask, () => lookup(keys));
  return {
    name: `${kind}: ${name}`,
    value: times.ours / times.rival,
    floor: FLOORS.search,
    ours: `${times.ours.toFixed(2)} ms`,
    rival: `${keys.records.length + 2 * keys.series.length + keys.occurrences.length} rows by key ${times.rival.toFixed(3)} ms`,
  };
}

/** Stores of different sizes have different places. */
function firstPlace(db: DatabaseSync): string {
  const sql = 'SELECT latitude, longitude FROM search WHERE kind = 0 AND latitude IS NOT NULL ORDER BY record LIMIT 1';
  const { latitude, longitude } = db.prepare(sql).get() ?? {};
  return `${latitude},${longitude}`;
}

/** The rows that a page is made of. */
interface Keys {
  /** Series, sessions and places. */
  records: number[];
  series: number[];
  occurrences: [series: number, start: number, schedule: number][];
}

const isOccurrence = (item: OccurrenceItem | FoundRow): item is OccurrenceItem => 'rows' in item;

function keysOf(db: DatabaseSync, items: readonly (OccurrenceItem | FoundRow)[]): Keys {
  const byKey = db.prepare('SELECT record FROM calendar WHERE key = ?');
  const venueOf = db.prepare('SELECT venue FROM record WHERE id = ? AND venue IS NOT NULL');
  const rows = items.map((item) => (isOccurrence(item) ? item.rows : { series: Number(byKey.get(item.key)?.record) }));
  const series = [...new Set(rows.map((row) => row.series))];
  const sessions = items.flatMap((item) => (isOccurrence(item) ? (item.rows.session ?? []) : []));
  const places = series.flatMap((row) => Number(venueOf.get(row)?.venue ?? []));
  const occurrences = items.flatMap((item): Keys['occurrences'] =>
    isOccurrence(item) && item.rows.schedule !== undefined ? [[item.rows.series, item.start, item.rows.schedule]] : [],
  );
  return { records: [...new Set([...series, ...sessions, ...places])], series, occurrences };
}

function lookupOf(db: DatabaseSync): (keys: Keys) => void {
  const prepared = (sql: string) => {
    const statement = db.prepare(sql);
    statement.setReturnArrays(true);
    return (...values: SQLInputValue[]) => statement.get(...values);
  };
  const record = prepared('SELECT * FROM record r CROSS JOIN record_body s ON s.record = r.id WHERE r.id = ?');
  const calendar = prepared("SELECT * FROM calendar WHERE record = ? AND part = ''");
  const document = prepared('SELECT * FROM search WHERE record = ?');
  const occurrence = prepared('SELECT * FROM occurrence WHERE series = ? AND start = ? AND schedule = ?');
  return ({ records, series, occurrences }) => {
    for (const row of records) record(row);
    for (const row of series) {
      calendar(row);
      document(row);
    }
    for (const key of occurrences) occurrence(...key);
  };
}
