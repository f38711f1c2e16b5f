import { Random } from './random.ts';
import type { RpdeJson } from './series.ts';

type Data = Record<string, unknown>;

const PLACES = ['Lantern Yard', 'Bridge Street Hall', 'Ashdown Pools and Gym'];

/** Sessions of a feed that say more than their series do: where, for whom, by whom and for how much. */
export function withOwnDetails(items: readonly RpdeJson[], seed: number): RpdeJson[] {
  const random = new Random(seed);
  return items.map((item) => (item.data === undefined ? item : { ...item, data: changed(random, item.data as Data) }));
}

function changed(random: Random, data: Data): Data {
  const type = String(data['@type'] ?? data.type);
  if (Array.isArray(data.subEvent))
    return { ...data, subEvent: data.subEvent.map((part) => (isObject(part) ? changed(random, part) : part)) };
  const isSession = type === 'ScheduledSession' || (type === 'Event' && data.superEvent !== undefined);
  return isSession ? { ...data, ...ownDetails(random) } : data;
}

const isObject = (value: unknown): value is Data => typeof value === 'object' && value !== null;

/** None, or some of all that is searched. */
export function ownDetails(random: Random): Data {
  const at = random.int(0, PLACES.length - 1);
  const all: Data = {
    name: `${random.pick(['Gentle', 'Evening', 'Sunrise'])} ${random.pick(['yoga', 'swim', 'badminton'])}`,
    description: 'Bring a drill, a pool noodle and a friend.',
    activity: [{ '@type': 'Concept', prefLabel: random.pick(['Yoga', 'Swimming', 'Football']) }],
    location: {
      '@type': 'Place',
      ...(random.chance(0.7) && { '@id': `https://example.org/places/${at}` }),
      name: PLACES[at],
      address: { '@type': 'PostalAddress', addressLocality: 'Wexcombe', postalCode: 'EX99 1AA' },
      geo: { '@type': 'GeoCoordinates', latitude: 50.7 + at / 100, longitude: -3.48 },
    },
    level: [random.pick(['Beginner', 'Advanced'])],
    leader: [{ '@type': 'Person', name: random.pick(['Kenji Drill', 'Ann Walker']) }],
    organizer: { '@type': 'Organization', name: 'Marlowe Leisure Trust' },
    ageRange: { '@type': 'QuantitativeValue', minValue: random.int(0, 60) },
    genderRestriction: `https://openactive.io/${random.pick(['FemaleOnly', 'MaleOnly'])}`,
    offers: [{ '@type': 'Offer', price: random.int(0, 8), priceCurrency: 'GBP' }],
  };
  const chance = random.pick([0, 0.1, 0.4]);
  const own = Object.entries(all).filter(([name]) => random.chance(name === 'offers' ? 2 * chance : chance));
  return Object.fromEntries(own);
}
