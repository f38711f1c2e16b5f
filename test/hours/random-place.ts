import { WEEKDAYS } from '../../src/time/days.ts';
import type { Random } from '../generate/random.ts';
import type { PlaceHours, Specification } from './reference.ts';

/** Random opening hours in which every rule of semantics 5 meets every other. */

const FIRST = Date.UTC(2025, 11, 1);
const DAY = 86_400_000;

/** Pairs people and machines write, and those around the hours in which clocks change. */
const TIMES: readonly (readonly [number, readonly [string, string]])[] = [
  [4, ['09:00', '17:30']],
  [3, ['06:30', '21:30']],
  [2, ['08:30:00', '18:00:00']],
  [2, ['18:00', '03:00']],
  [2, ['00:00', '23:59']],
  [2, ['00:00', '00:00']],
  [2, ['09:00', '12:59']],
  [1, ['09:00', '12:59:59']],
  [1, ['13:00', '16:00']],
  [1, ['16:00', '24:00']],
  [1, ['00:00', '24:00']],
  [1, ['18:00', '00:00']],
  [1, ['22:00', '06:00']],
  [1, ['10:00', '10:00']],
  [1, ['01:30', '02:30']],
  [1, ['01:15', '01:45']],
  [1, ['02:15', '04:00']],
  [1, ['00:30', '01:30']],
  [1, ['23:30', '01:15']],
];

function times(random: Random): { opens: string; closes: string } {
  if (random.chance(0.25)) return { opens: anyTime(random), closes: anyTime(random) };
  const [opens, closes] = random.among(TIMES);
  return { opens, closes };
}

function anyTime(random: Random): string {
  return `${String(random.int(0, 23)).padStart(2, '0')}:${random.pick(['00', '10', '15', '30', '45'])}`;
}

const dateOf = (offset: number): string => new Date(FIRST + offset * DAY).toISOString().slice(0, 10);

/** A validity within two years: none, one-sided, a season, a week, one day. */
function validity(random: Random, weights: Record<'none' | 'from' | 'through' | 'season' | 'week' | 'day', number>) {
  const from = random.int(0, 760);
  const kind = random.weighted(weights);
  if (kind === 'none') return {};
  if (kind === 'from') return { validFrom: dateOf(from) };
  if (kind === 'through') return { validThrough: dateOf(from) };
  const days = kind === 'season' ? random.int(20, 200) : kind === 'week' ? random.int(2, 10) : 0;
  return { validFrom: dateOf(from), validThrough: dateOf(from + days) };
}

function days(random: Random, holidays: number): string[] {
  const chosen = random.chance(0.3) ? WEEKDAYS : random.some(WEEKDAYS, random.int(1, 5));
  return random.chance(holidays) ? [...chosen, 'PublicHolidays'] : [...chosen];
}

function standard(random: Random): Specification {
  const only = random.chance(0.08) ? ['PublicHolidays'] : days(random, 0.15);
  const season = validity(random, { none: 14, from: 1, through: 1, season: 4, week: 1, day: 1 });
  return { ...(random.chance(0.97) && { dayOfWeek: only }), ...times(random), ...season };
}

function special(random: Random): Specification {
  const range = validity(random, { none: 1, from: 1, through: 1, season: 3, week: 6, day: 10 });
  return { ...(random.chance(0.2) && { dayOfWeek: days(random, 0.2) }), ...times(random), ...range };
}

/** One to eight standard and up to eight special specifications; at times hundreds of special days. */
export function randomHours(random: Random): PlaceHours {
  const hours: PlaceHours = { standard: [], special: [] };
  for (let n = random.int(0, 8); n > 0; n--) hours.standard.push(standard(random));
  for (let n = random.chance(0.6) ? random.int(0, 8) : 0; n > 0; n--) hours.special.push(special(random));
  if (random.chance(0.03)) for (let n = 0; n < 300; n++) hours.special.push(special(random));
  // The same dates once more, so that equal ranges meet.
  for (const one of hours.special.slice(0, 2)) {
    if (random.chance(0.3)) hours.special.push({ ...one, ...times(random) });
  }
  return hours;
}

/** Where places are said to be, and what follows from it: their zone and the nation whose bank holidays they keep. */
const SITES: readonly (readonly [where: object, zone: string, nation: 'ENG' | 'SCT' | 'WLS' | 'NIR'])[] = [
  [{}, 'Europe/London', 'ENG'],
  [{ address: { addressCountry: 'GB', postalCode: 'EH1 1YZ' } }, 'Europe/London', 'SCT'],
  [{ address: { addressCountry: 'gb', addressRegion: 'Northern Ireland' } }, 'Europe/London', 'NIR'],
  [{ address: { postalCode: 'CF10 3NP' } }, 'Europe/London', 'WLS'],
  [{ address: '1 Donegall Square, Belfast BT1 5GS' }, 'Europe/London', 'NIR'],
  [{ address: { addressCountry: 'United Kingdom' }, ...at(55.95, -3.19) }, 'Europe/London', 'SCT'],
  // The clock is that of the coordinates, the holidays are those of the country.
  [{ address: { addressCountry: 'GB', postalCode: 'M12 4TF' }, ...at(40.71, -74.0) }, 'America/New_York', 'ENG'],
  [{ address: { addressCountry: 'GB', postalCode: 'G2 1DY' }, ...at(-33.87, 151.2) }, 'Australia/Sydney', 'SCT'],
  [{ address: { addressCountry: 'UK', addressRegion: 'England' }, ...at(22.57, 88.36) }, 'Asia/Kolkata', 'ENG'],
];

function at(latitude: number, longitude: number) {
  return { geo: { '@type': 'GeoCoordinates', latitude, longitude } };
}

const SPELLINGS = [(day: string) => `https://schema.org/${day}`, (day: string) => `http://schema.org/${day}`];

/** The JSON of specifications, in the spellings of live data. */
function specifications(random: Random, list: readonly Specification[]): object[] {
  return list.map(({ dayOfWeek, ...rest }) => {
    const spelt = dayOfWeek?.map(random.pick(SPELLINGS));
    const days = spelt?.length === 1 && random.chance(0.5) ? spelt[0] : spelt;
    return { '@type': 'OpeningHoursSpecification', ...(days !== undefined && { dayOfWeek: days }), ...rest };
  });
}

/** A Place or a FacilityUse as a feed would have it, with what is to be expected of it. */
export function randomVenueJson(random: Random, index: number) {
  const hours = randomHours(random);
  const [where, zone, nation] = random.pick(SITES);
  const id = `https://example.org/${index}`;
  if (random.chance(0.7)) {
    const json = {
      '@type': 'Place',
      '@id': id,
      name: `Place ${index}`,
      ...where,
      openingHoursSpecification: specifications(random, hours.standard),
      specialOpeningHoursSpecification: specifications(random, hours.special),
    };
    return { id, json, hours, zone, nation };
  }
  const location = { '@type': 'Place', '@id': `${id}/place`, name: `Place ${index}`, ...where };
  const hoursAvailable = specifications(random, hours.standard);
  const json = { '@type': 'FacilityUse', '@id': id, name: `Court ${index}`, location, hoursAvailable };
  return { id, json, hours: { standard: hours.standard, special: [] }, zone, nation };
}
