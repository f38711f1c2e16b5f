import { type Details, defined, type PlaceSummary } from '../../../opportunity/records.ts';
import { kilometresBetween, type Position } from '../../../search/distance.ts';
import { shownPrices } from '../../../search/document.ts';
import type { FoundOccurrence } from '../../../store/index.ts';
import type { Instant } from '../../../time/instant.ts';
import { activityList } from '../../../vocabulary/shipped.ts';
import type { Hit } from '../hits.ts';
import type { KnownPlaceRecord, KnownRecords } from '../known-series.ts';
import type { ItemActivity, ItemPlace, ItemPrice, OccurrenceItem } from '../types.ts';

/** Occurrences as items of a list. */

export interface ItemContext {
  records: KnownRecords;
  /** The start of the instance that a session replaces, by row of the session. */
  originals: ReadonlyMap<number, Instant>;
  /** Series that were first published lately. */
  newSeries: ReadonlySet<number>;
  /** The position that distances are from. */
  near: Position | undefined;
}

/** The item of an occurrence. */
export async function itemOf(hit: Hit, { records, originals, newSeries, near }: ItemContext): Promise<OccurrenceItem> {
  const { found, known, occurrence, session, details, zone } = hit;
  const { start, end, status, id, allDay, url, name = '' } = occurrence;
  const { series, key } = known;
  const place = await records.placeOf(details, known.venue);
  const before = session?.previousStart ?? (found.session === undefined ? undefined : originals.get(found.session));
  const own = session?.details.location;
  const isElsewhere = own !== undefined && isOther(own, series.details.location);
  const was = before === start ? undefined : before;
  return {
    start,
    end,
    zone,
    name,
    status,
    series: { key, id: series.id, name: series.details.name ?? '' },
    activity: activitiesOf(details),
    ...defined({
      id,
      allDay,
      url,
      was,
      place: itemPlace(details, place, near),
      price: priceOf(details),
      age: details.ageRange,
      level: details.level,
      organizer: organizerOf(details),
      placesLeft: session?.remainingAttendeeCapacity,
      elsewhere: isElsewhere || undefined,
      isNew: newSeries.has(found.series) || undefined,
    }),
    details,
    rows: storedRows(found),
  };
}

function storedRows({ series, session, schedule, byItself }: FoundOccurrence): OccurrenceItem['rows'] {
  return { series, ...defined({ session, schedule, byItself }) };
}

/** Whether a place is another than the usual one, by name or address; by `@id` where it has neither. */
function isOther({ id, name, address }: PlaceSummary, usual: PlaceSummary | undefined): boolean {
  const called = name ?? address;
  if (called === undefined) return id !== undefined && id !== usual?.id;
  return usual?.name !== undefined && called !== usual.name;
}

/** The activities of an item, each with its id where the activity list has it. */
export function activitiesOf({ activity = [] }: Details): ItemActivity[] {
  return activity.map((name) => {
    const id = activityList().byLabel(name)?.id;
    return id === undefined ? { name } : { id, name };
  });
}

/** The place of an item. `known`: its Place record; `near`: the position that its distance is from. */
export function itemPlace(
  { location }: Details,
  known: KnownPlaceRecord | undefined,
  near: Position | undefined,
): ItemPlace | undefined {
  if (location === undefined && known === undefined) return undefined;
  const { latitude, longitude } = location?.latitude === undefined ? (known?.place ?? {}) : location;
  const at = latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
  return defined({
    key: known?.key,
    id: location?.id ?? known?.place.id,
    name: location?.name ?? known?.place.name,
    address: location?.address ?? known?.place.address,
    ...at,
    distanceKm: at && near && distanceKm(at, near),
  });
}

/** The distance in kilometres, to a tenth. */
export function distanceKm(a: Position, b: Position): number {
  return Math.round(kilometresBetween(a, b) * 10) / 10;
}

/** The range of prices in the first currency, with those of other currencies. */
function priceOf({ offers = [] }: Details): ItemPrice | undefined {
  const [range, ...others] = shownPrices(offers);
  const free = offers.some(({ price }) => price === 0);
  return range && { ...range, free, ...(others.length > 0 && { others }) };
}

function organizerOf({ organizer }: Details): { id?: string; name: string } | undefined {
  if (organizer?.name === undefined) return undefined;
  return { name: organizer.name, ...(organizer.id !== undefined && { id: organizer.id }) };
}
