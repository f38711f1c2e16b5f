import { foldedKey } from '../../search/document.ts';
import { DAY_NAMES } from '../../search/filters.ts';
import type { Reader } from '../../store/index.ts';
import { DAY_MS, dateOfDay, weekdayOf } from '../../time/days.ts';
import type { LocalDate } from '../../time/instant.ts';
import { toWall, type Zone, zone as zoneNamed } from '../../time/zone.ts';
import { activityList } from '../../vocabulary/shipped.ts';
import { allBroader, type Concept } from '../../vocabulary/vocabulary.ts';
import { Finder, type Hit, type Wanted } from './finder.ts';
import type { Counted, Facets } from './types.ts';

/** How many there are of what is found. */

/** Occurrences that one answer counts: half a second's work. */
const MOST_COUNTED = 5_000;
/** Rows of one facet. */
const MOST_ROWS = 50;

export async function facetsOf(read: Reader, wanted: Wanted, zone: string): Promise<Facets> {
  const finder = new Finder(read, zone);
  const { hits, whole } = await countedHits(finder, wanted);
  const days = tally(hits.map((hit) => DAY_NAMES[weekdayOf(localDay(hit))]));
  const activities = new Map<string, { id?: string; name: string; count: number }>();
  for (const hit of hits) {
    for (const [key, one] of activitiesOf(hit)) {
      const counted = activities.get(key) ?? { ...one, count: 0 };
      activities.set(key, { ...counted, count: counted.count + 1 });
    }
  }
  return {
    day: Object.fromEntries(DAY_NAMES.map((name) => [name, days.get(name) ?? 0])),
    activity: mostFrequent([...activities.values()]),
    place: mostFrequent(await placesOf(finder, hits)),
    counted: hits.length,
    whole,
  };
}

/** Occurrences by local date. */
export async function occurrencesByDate(
  read: Reader,
  wanted: Wanted,
  zone: string,
): Promise<ReadonlyMap<LocalDate, number>> {
  const { hits } = await countedHits(new Finder(read, zone), wanted);
  return tally(hits.map((hit) => dateOfDay(localDay(hit))));
}

/** The activities that occurrences name themselves. */
export async function activityCounts(
  read: Reader,
  wanted: Wanted,
  zone: string,
): Promise<(Counted & { id?: string })[]> {
  const { hits } = await countedHits(new Finder(read, zone), wanted);
  const named = new Map<string, { id?: string; name: string; count: number }>();
  for (const { details } of hits) {
    for (const label of new Set(details.activity ?? [])) {
      const concept = activityList().byLabel(label);
      const key = concept?.id ?? foldedKey(label);
      const known = named.get(key) ?? { ...named.get(key), ...activityName(concept, label), count: 0 };
      named.set(key, { ...known, count: known.count + 1 });
    }
  }
  return mostFrequent([...named.values()]);
}

/** How many there are, no further than a bound; `whole`: there are no more. */
export async function countOf(read: Reader, wanted: Wanted, zone: string, most: number) {
  const { hits, whole } = await countedHits(new Finder(read, zone), wanted, most);
  return { count: Math.min(hits.length, most), whole };
}

async function countedHits(
  finder: Finder,
  wanted: Wanted,
  most = MOST_COUNTED,
): Promise<{ hits: Hit[]; whole: boolean }> {
  const hits: Hit[] = [];
  let isMore = false;
  for await (const batch of finder.batches(wanted, Math.min(most, 1000))) {
    hits.push(...batch.hits);
    isMore = batch.upTo !== undefined;
    if (hits.length >= most) break;
  }
  return { hits, whole: !isMore };
}

function localDay({ occurrence: { start, allDay }, zone }: Hit): number {
  const wall = allDay ? start : toWall((zoneNamed(zone) ?? zoneNamed('UTC')) as Zone, start);
  return Math.floor(wall / DAY_MS);
}

/** Its activities and everything broader, by key. */
function activitiesOf({ details }: Hit): Map<string, { id?: string; name: string }> {
  const found = new Map<string, { id?: string; name: string }>();
  for (const label of details.activity ?? []) {
    const concept = activityList().byLabel(label);
    found.set(concept?.id ?? foldedKey(label), activityName(concept, label));
    for (const above of concept ? allBroader(concept) : []) found.set(above.id, activityName(above, label));
  }
  return found;
}

function activityName(concept: Concept | undefined, label: string): { id?: string; name: string } {
  return concept === undefined ? { name: label } : { id: concept.id, name: concept.prefLabel };
}

async function placesOf(finder: Finder, hits: readonly Hit[]): Promise<(Counted & { key: string })[]> {
  const places = new Map<string, Counted & { key: string }>();
  for (const { details, known } of hits) {
    const place = await finder.records.placeOf(details, known.row.venue);
    if (place?.key === undefined) continue;
    const name = place.place.name ?? details.location?.name ?? '';
    const counted = places.get(place.key) ?? { key: place.key, name, count: 0 };
    places.set(place.key, { ...counted, count: counted.count + 1 });
  }
  return mostFrequent([...places.values()]);
}

function tally<K>(keys: readonly K[]): Map<K, number> {
  const counts = new Map<K, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

function mostFrequent<T extends Counted>(counted: T[]): T[] {
  return counted.sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1)).slice(0, MOST_ROWS);
}
