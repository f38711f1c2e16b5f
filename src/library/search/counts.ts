import { compareText } from '../../opportunity/ids.ts';
import type { Details, Series } from '../../opportunity/records.ts';
import { activityKeysOf, foldedKey } from '../../search/document.ts';
import { DAY_NAMES } from '../../search/filters.ts';
import { activityTerm, type Reader, recordOf } from '../../store/index.ts';
import { DAY_MS, type Day, weekdayOf } from '../../time/days.ts';
import { lastDay } from '../../time/evening.ts';
import { dayAt, zoneOrUtc } from '../../time/zone.ts';
import { activityList, facilityTypes } from '../../vocabulary/shipped.ts';
import { Finder } from './finder.ts';
import type { BareOccurrence, Hit, Wanted } from './hits.ts';
import type { KnownRecords } from './known-series.ts';
import type { Counted, DayCount, Facets, PopularActivity } from './types.ts';

/** Counts of the occurrences that a search finds. Records are read only of occurrences that may differ from their series. */

/** The most occurrences that one answer counts. */
const MOST_COUNTED = 5_000;
/** The most rows of one facet. */
const MOST_ROWS = 50;

interface CountedRows {
  bare: BareOccurrence[];
  hits: Hit[];
  /** Whether all occurrences were read. */
  whole: boolean;
}

/** The numbers of found occurrences by weekday, activity and place. `zone`: the default zone. */
export async function facetsOf(read: Reader, wanted: Wanted, zone: string): Promise<Facets> {
  const finder = new Finder(read, zone);
  const found = await countedOf(finder, wanted, ['activity', 'location']);
  const days = tally(localDays(found).map((day) => DAY_NAMES[weekdayOf(day)]));
  return {
    day: Object.fromEntries(DAY_NAMES.map((name) => [name, days.get(name) ?? 0])),
    activity: await activitiesOf(read, finder, found),
    place: await placesOf(read, finder, found),
    counted: found.bare.length + found.hits.length,
    whole: found.whole,
  };
}

/** The number of occurrences on each of some days. `zone`: the default zone. */
export async function occurrencesByDay(
  read: Reader,
  wanted: Wanted,
  zone: string,
  days: readonly Day[],
): Promise<Omit<DayCount, 'date'>[]> {
  const { bare, hits, whole } = await countedOf(new Finder(read, zone), wanted);
  const found = [...bare, ...hits.map(({ occurrence, zone: own }) => ({ ...occurrence, zone: own }))];
  const spans = found.map((one) => daysOn(one, one.zone));
  const latest = found.reduce((start, one) => Math.max(start, one.start), 0);
  // Occurrences are counted by their start: the day of the last one, and those after it, may have more.
  const cut = whole ? Number.POSITIVE_INFINITY : dayAt(zoneOrUtc(zone), latest);
  return days.map((day) => ({
    count: spans.filter(([first, last]) => first <= day && day <= last).length,
    ...(day >= cut && { isLeast: true as const }),
  }));
}

function daysOn(span: Parameters<typeof lastDay>[0], name: string): [first: Day, last: Day] {
  const zone = zoneOrUtc(name);
  return [lastDay({ ...span, end: span.start }, zone), lastDay(span, zone)];
}

/** Activities with the number of occurrences that name them. Broader activities are not counted. */
export async function activityCounts(read: Reader, wanted: Wanted, zone: string): Promise<PopularActivity[]> {
  const finder = new Finder(read, zone);
  const { bare, hits, whole } = await countedOf(finder, wanted, ['activity']);
  const named = new Map<string, { id?: string; name: string; count: number }>();
  const add = (labels: readonly string[], count: number): void => {
    for (const label of new Set(labels)) {
      const concept = activityList().byLabel(label);
      const key = concept?.id ?? foldedKey(label);
      const one = concept === undefined ? { name: label } : { id: concept.id, name: concept.prefLabel };
      named.set(key, { ...one, count: count + (named.get(key)?.count ?? 0) });
    }
  };
  const bySeries = tally(bare.map(({ series }) => series));
  for (const [row, body] of await read.bodies([...bySeries.keys()])) {
    const { details, parent } = recordOf({ body }) as Series;
    const isWhole = details.activity !== undefined || parent === undefined;
    const { activity = [] } = isWhole ? details : ((await finder.records.series(row))?.series.details ?? {});
    add(activity, bySeries.get(row) ?? 0);
  }
  for (const { details } of hits) add(details.activity ?? [], 1);
  return mostFrequent([...named.values()].map((one) => ({ ...one, ...(!whole && { isLeast: true as const }) })));
}

/** The number of occurrences, `most` at most. `whole`: whether all were read. */
export async function countOf(read: Reader, wanted: Wanted, zone: string, most: number) {
  const { bare, hits, whole } = await countedOf(new Finder(read, zone), wanted, [], most);
  return { count: Math.min(bare.length + hits.length, most), whole };
}

/** Occurrences to count. `details`: the details of a session that its counts depend on, besides those of the query. */
async function countedOf(
  finder: Finder,
  wanted: Wanted,
  details: readonly (keyof Details)[] = [],
  most = MOST_COUNTED,
): Promise<CountedRows> {
  const found: CountedRows = { bare: [], hits: [], whole: true };
  for await (const batch of finder.counted(wanted, most, details)) {
    found.bare.push(...batch.bare);
    found.hits.push(...batch.hits);
    found.whole = batch.isEnd;
    if (found.bare.length + found.hits.length >= most) break;
  }
  return found;
}

function localDays({ bare, hits }: CountedRows): number[] {
  return [
    ...bare.map(({ start, zone }) => dayAt(zoneOrUtc(zone), start)),
    ...hits.map(({ occurrence: { start, allDay }, zone }) => (allDay ? start / DAY_MS : dayAt(zoneOrUtc(zone), start))),
  ];
}

/** The counts of activities; an occurrence also counts for everything broader. */
async function activitiesOf(
  read: Reader,
  finder: Finder,
  { bare, hits }: CountedRows,
): Promise<(Counted & { id?: string })[]> {
  const bySeries = tally(bare.map(({ series }) => series));
  const byTerm = new Map<string, NamedCount>();
  for (const [series, terms] of await read.activityTerms([...bySeries.keys()])) {
    const named = async () => (await finder.records.series(series))?.series.details;
    for (const term of terms) addCount(byTerm, term, bySeries.get(series) ?? 0, named);
  }
  for (const { details } of hits)
    for (const key of activityKeysOf(details.activity ?? []))
      addCount(byTerm, activityTerm(key), 1, async () => details);
  const sorted = [...byTerm].sort(([, a], [, b]) => b.count - a.count);
  // Names decide among equal counts, so all activities with the least count are named.
  const least = sorted[MOST_ROWS - 1]?.[1].count ?? 0;
  const shown = sorted.filter(([, { count }]) => count >= least).slice(0, 2 * MOST_ROWS);
  const named = shown.map(async ([term, { count, named }]) => ({ ...(await activityNamed(term, named)), count }));
  return mostFrequent(await Promise.all(named));
}

/** A count of an activity or place. `named`: details with its name, where neither a vocabulary nor a record has one. */
interface NamedCount {
  count: number;
  readonly named: () => Promise<Details | undefined>;
}

function addCount<K>(counted: Map<K, NamedCount>, key: K, count: number, named: NamedCount['named']): void {
  const known = counted.get(key);
  if (known === undefined) counted.set(key, { count, named });
  else known.count += count;
}

/** The name of an activity: that of its concept, else a label in the data. */
async function activityNamed(term: string, named: NamedCount['named']): Promise<{ id?: string; name: string }> {
  const uuid = term.replaceAll('_', '-');
  const concept = activityList().byId(uuid) ?? facilityTypes().byId(uuid);
  if (concept !== undefined) return { id: concept.id, name: concept.prefLabel };
  const labels = (await named())?.activity ?? [];
  return { name: labels.find((label) => activityKeysOf([label]).map(activityTerm).includes(term)) ?? term };
}

async function placesOf(
  read: Reader,
  { records }: Finder,
  { bare, hits }: CountedRows,
): Promise<(Counted & { key: string })[]> {
  const byRow = new Map<number, NamedCount>();
  const add = (row: number | undefined, named: NamedCount['named'], count = 1): void => {
    if (row !== undefined) addCount(byRow, row, count, named);
  };
  const nowhere: BareOccurrence[] = [];
  for (const one of bare) {
    if (one.venue === undefined) nowhere.push(one);
    else add(one.venue, async () => (await records.series(one.series))?.series.details);
  }
  // The place may be that of a parent.
  const bySeries = tally(nowhere.map(({ series }) => series));
  const inParents = await withParents(read, [...bySeries.keys()]);
  await records.readAll(inParents);
  for (const series of inParents) {
    const details = (await records.series(series))?.series.details ?? {};
    add((await records.placeOf(details, undefined))?.row, async () => details, bySeries.get(series));
  }
  for (const { details, known } of hits) add((await records.placeOf(details, known.venue))?.row, async () => details);
  return mostFrequentPlaces(records, byRow);
}

/** The most frequent places that have a page. Their records are read in batches, until there are enough. */
async function mostFrequentPlaces(records: KnownRecords, byRow: ReadonlyMap<number, NamedCount>) {
  const sorted = [...byRow].sort(([a, one], [b, other]) => other.count - one.count || a - b);
  const places: (Counted & { key: string })[] = [];
  for (let at = 0; at < sorted.length && places.length < MOST_ROWS; at += MOST_ROWS) {
    const some = sorted.slice(at, at + MOST_ROWS);
    await records.readAll(some.map(([row]) => row));
    for (const [row, { count, named }] of some) {
      const found = await records.placeAt(row);
      if (found?.key === undefined) continue;
      places.push({ key: found.key, name: found.place.name ?? (await named())?.location?.name ?? '', count });
    }
  }
  return mostFrequent(places);
}

/** The series with parents, among some. */
async function withParents(read: Reader, series: readonly number[]): Promise<number[]> {
  const bodies = await read.bodies(series);
  return [...bodies].filter(([, body]) => (recordOf({ body }) as Series).parent !== undefined).map(([row]) => row);
}

function tally<K>(keys: readonly K[]): Map<K, number> {
  const counts = new Map<K, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

function mostFrequent<T extends Counted>(counted: T[]): T[] {
  return counted.sort((a, b) => b.count - a.count || compareText(a.name, b.name)).slice(0, MOST_ROWS);
}
