import { WEEKDAYS } from '../../../../../src/time/days.ts';
import type { Random } from '../../../../generate/random.ts';
import { sampleTown, type Town } from '../../town.ts';
import { kindData, placeData, seriesItems, type TownRow, weeklySchedule } from './region.ts';
import { SHIRE_KINDS, type ShireKind } from './shire-kinds.ts';

/** A second county around the sample town, of which no word is in the first: 600 series at 40 places of ten towns. */

const SERIES = 600;
const API = 'https://open.shire.example/api';

const TOWNS: readonly TownRow[] = [
  ['Thornbridge', 'LS81', 53.95, -1.55],
  ['Kirkby Moss', 'LS82', 53.91, -1.38],
  ['Hallam Green', 'LS83', 53.86, -1.61],
  ['Ottershaw', 'LS84', 53.99, -1.72],
  ['Marsh Ferry', 'HG71', 54.09, -1.49],
  ['Newbold', 'HG72', 54.15, -1.61],
  ['Saxby', 'HG73', 54.05, -1.26],
  ['Castle Weir', 'BD61', 53.82, -1.8],
  ['Rook Hill', 'BD62', 53.77, -1.7],
  ['Eastmere', 'BD63', 53.73, -1.52],
];
const SITES = ['Sports Centre', 'Village Hall', 'Park', 'Pool'];
const HALLS = [0, 1];
const DAYS = [0, 1, 2, 3, 4, 5, 6];
const ORGANISERS = ['Shire Active', 'Northern Leisure CIC', 'Thornbridge Community Trust', 'Moss Valley Clubs'];
const LEADERS = ['Grace Oduya', 'Will Hartley', 'Nadia Rahman', 'Pete Dunn', 'Siobhan Kelly'];
const PRICES = [0, 2, 3.5, 4.5, 5, 6.5, 7, 8.5, 10, 14];
const ASIDES = [
  'Everyone welcome.',
  'Parking and a café on site.',
  'Wear trainers and bring water.',
  'Book in advance.',
  'No equipment needed.',
  'After the session join us for tea.',
  'Close to the swimming pool and the tennis courts.',
];

/** The sample town with the shire around it. */
export async function sampleShire(): Promise<Town> {
  const town = await sampleTown();
  await town.rig.feed(seriesItems('shire', { series: SERIES, seed: 77 }, shireSeries), 300, `${API}/series`);
  return town;
}

function shireSeries(random: Random, n: number): object {
  const kind = SHIRE_KINDS[n % SHIRE_KINDS.length] as ShireKind;
  const town = random.pick(TOWNS);
  const site = random.pick(kind.sites ?? HALLS);
  const price = random.pick(kind.prices ?? PRICES);
  const day = WEEKDAYS[random.pick(kind.days ?? DAYS)] as string;
  const time = random.pick(kind.times);
  const { name } = kind;
  return {
    '@context': 'https://openactive.io/',
    '@type': 'SessionSeries',
    '@id': `${API}/series/${n}`,
    // Some feeds write the place, the time or the day into the name.
    name: random.among([
      [6, name],
      [2, `${name} - ${town[0]}`],
      [1, `${name} (${time})`],
      [1, `${day} ${name}`],
    ]),
    description: [kind.about ?? [], random.pick(ASIDES)].flat().join(' '),
    organizer: { '@type': 'Organization', name: random.pick(ORGANISERS) },
    leader: [{ '@type': 'Person', name: random.pick(LEADERS) }],
    ...kindData(kind),
    ...(kind.online ? {} : { location: shirePlace(town, site) }),
    offers: [{ '@type': 'Offer', name: 'Standard', price, priceCurrency: 'GBP' }],
    eventSchedule: [weeklySchedule(`${API}/series/${n}`, { day, time, duration: 'PT1H' })],
  };
}

function shirePlace(town: TownRow, site: number): object {
  return placeData(town, {
    id: `${API}/places/${town[0].replaceAll(' ', '-')}-${site}`,
    name: SITES[site] as string,
    street: '1 Mill Lane',
    region: 'Yorkshire',
    inward: `${site}QZ`,
    away: site / 300,
  });
}
