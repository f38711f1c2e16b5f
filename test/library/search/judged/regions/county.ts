import { WEEKDAYS } from '../../../../../src/time/days.ts';
import type { Random } from '../../../../generate/random.ts';
import { sampleTown, type Town } from '../../town.ts';
import { ASIDES, KINDS, type Kind } from './county-kinds.ts';
import { kindData, placeData, seriesItems, type TownRow, weeklySchedule } from './region.ts';

/** A county around the sample town: 520 series at 24 places of 12 towns. The same each time. */

const SERIES = 520;
const API = 'https://data.county.example/api';

const TOWNS: readonly TownRow[] = [
  ['Exeter', 'EX4', 50.7256, -3.5269],
  ['Wexcombe', 'EX99', 50.7081, -3.4921],
  ['Great Harrow', 'EX98', 50.7365, -3.4402],
  ['Little Tarrow', 'EX97', 50.6902, -3.4307],
  ['Saltmouth', 'EX96', 50.6311, -3.4012],
  ['Combe Barton', 'EX95', 50.8014, -3.5108],
  ['Moorgate', 'TQ31', 50.5902, -3.7201],
  ['Stoke Averill', 'TQ32', 50.5305, -3.6104],
  ['Ashbury', 'EX93', 50.9021, -3.3905],
  ['Port Ellis', 'TQ33', 50.4604, -3.5302],
  ['Northam Cross', 'EX92', 51.0017, -3.6904],
  ['Beer Regis', 'EX91', 50.7708, -3.1106],
];
const PLACES = ['Leisure Centre', 'Community Hall'];
const ORGANISERS = ['County Leisure', 'Active Together', 'Moor and Coast Sports Trust'];
const LEADERS = ['Hannah Webb', 'Tom Okafor', 'Lucy Marsh', 'Dev Patel'];
const PRICES = [0, 2.5, 4, 5.5, 6, 7.5, 8, 9, 12];

/** The sample town with the county around it. */
export async function sampleCounty(): Promise<Town> {
  const town = await sampleTown();
  await feedCounty(town);
  return town;
}

/** The sample town takes in the county around it: a feed of another publisher. */
export async function feedCounty({ rig }: Town): Promise<void> {
  await rig.feed(
    seriesItems('county', { series: SERIES, seed: 16 }, seriesData),
    260,
    'https://data.county.example/api/series',
  );
}

function seriesData(random: Random, n: number): object {
  const kind = KINDS[n % KINDS.length] as Kind;
  const site = random.int(0, TOWNS.length * PLACES.length - 1);
  const price = random.pick(PRICES);
  const day = random.pick(kind.days ?? [0, 1, 2, 3, 4, 5, 6]);
  const [name, description] = [nameOf(random, kind, site, day), `${kind.name}. ${random.pick(ASIDES)}`];
  return {
    '@context': 'https://openactive.io/',
    '@type': 'SessionSeries',
    '@id': `${API}/series/${n}`,
    name,
    description,
    organizer: { '@type': 'Organization', name: random.pick(ORGANISERS) },
    leader: [{ '@type': 'Person', name: random.pick(LEADERS) }],
    location: placeOf(site),
    ...kindData(kind),
    offers: [
      { '@type': 'Offer', name: 'Adult', price, priceCurrency: 'GBP' },
      { '@type': 'Offer', name: 'Concession', price: price / 2, priceCurrency: 'GBP' },
    ],
    eventSchedule: [
      weeklySchedule(`${API}/series/${n}`, {
        day: WEEKDAYS[day] as string,
        time: random.pick(kind.times),
        duration: 'PT45M',
      }),
    ],
  };
}

/** Half of the feeds write the place or the day into the name. */
function nameOf(random: Random, { name }: Kind, site: number, day: number): string {
  const [town] = TOWNS[site % TOWNS.length] as TownRow;
  return random.among([
    [5, name],
    [2, `${name} - ${town}`],
    [2, `${name} (${WEEKDAYS[day]})`],
    [1, name.toUpperCase()],
  ]);
}

function placeOf(site: number): object {
  const which = Math.floor(site / TOWNS.length);
  return placeData(TOWNS[site % TOWNS.length] as TownRow, {
    id: `${API}/places/${site}`,
    name: PLACES[which] as string,
    street: `${site + 1} High Street`,
    region: 'Devon',
    inward: `${which + 1}AB`,
    away: which / 200,
  });
}
