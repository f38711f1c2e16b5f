import { Random } from '../../../../generate/random.ts';
import type { RpdeJson } from '../../../../generate/series.ts';
import type { Kind } from './county-kinds.ts';

/** Parts of the regions around the sample town: items of a feed, and objects that their series have alike. */

export type TownRow = readonly [name: string, district: string, latitude: number, longitude: number];

/** Items of one feed of SessionSeries, each of which `make` draws by its number. */
export function seriesItems(
  name: string,
  { series, seed }: { series: number; seed: number },
  make: (random: Random, n: number) => object,
): RpdeJson[] {
  const random = new Random(seed);
  return Array.from({ length: series }, (_, n) => ({
    state: 'updated',
    kind: 'SessionSeries',
    id: `${name}-${n}`,
    modified: n + 1,
    data: make(random, n),
  })) as RpdeJson[];
}

const conceptsOf = (labels: readonly string[]) => labels.map((prefLabel) => ({ '@type': 'Concept', prefLabel }));

/** The activities of a kind, and whom it is for. */
export function kindData({
  activity,
  age,
  level,
  gender,
  support,
  online,
}: Omit<Kind, 'name' | 'times' | 'days'>): object {
  return {
    activity: conceptsOf(activity),
    ...(age && {
      ageRange: { '@type': 'QuantitativeValue', minValue: age[0], ...(age[1] !== undefined && { maxValue: age[1] }) },
    }),
    ...(level && { level }),
    genderRestriction: `https://openactive.io/${gender ?? 'NoRestriction'}`,
    ...(support && { accessibilitySupport: conceptsOf(support) }),
    ...(online && { eventAttendanceMode: 'https://schema.org/OnlineEventAttendanceMode' }),
  };
}

interface PlaceWords {
  id: string;
  name: string;
  street: string;
  region: string;
  /** The second half of the postcode. */
  inward: string;
  /** Degrees from the middle of the town. */
  away: number;
}

/** A Place in a town. */
export function placeData(
  [town, district, latitude, longitude]: TownRow,
  { id, name, street, region, inward, away }: PlaceWords,
): object {
  return {
    '@type': 'Place',
    '@id': id,
    name: `${town} ${name}`,
    address: {
      '@type': 'PostalAddress',
      streetAddress: street,
      addressLocality: town,
      addressRegion: region,
      postalCode: `${district} ${inward}`,
      addressCountry: 'GB',
    },
    geo: { '@type': 'GeoCoordinates', latitude: latitude + away, longitude: longitude - away },
  };
}

/** A Schedule on one day of each week. `series`: the address of the series. */
export function weeklySchedule(series: string, { day, time, duration }: Record<'day' | 'time' | 'duration', string>) {
  return {
    '@type': 'Schedule',
    repeatFrequency: 'P1W',
    startDate: '2026-01-05',
    startTime: time,
    duration,
    byDay: [`https://schema.org/${day}`],
    idTemplate: `${series}/{startDate}`,
    scheduleTimezone: 'Europe/London',
    scheduledEventType: 'ScheduledSession',
  };
}
