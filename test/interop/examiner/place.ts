import { Random } from '../../generate/random.ts';

/** Random places and facilities with opening hours, as the specification and the OpenActive documents allow them. */

type Json = Record<string, unknown>;

/** Where places are: by coordinates, by country, or not said. */
const SITES: readonly (readonly [number, Json])[] = [
  [4, {}],
  [4, { address: { addressCountry: 'GB', postalCode: 'OX1 1AA' }, ...at(51.75, -1.25) }],
  [2, { address: { addressCountry: 'GB', addressRegion: 'Scotland' } }],
  [2, { address: { addressCountry: 'GB', postalCode: 'BT1 5GS' } }],
  [1, { address: { addressCountry: 'GB', postalCode: 'CF10 3NP' }, ...at(51.48, -3.18) }],
  [2, { address: { addressCountry: 'IE' }, ...at(53.35, -6.26) }],
  [2, { address: { addressCountry: 'US', addressRegion: 'NY' }, ...at(40.71, -74.0) }],
  [2, { address: { addressCountry: 'AU', addressRegion: 'NSW' }, ...at(-33.87, 151.2) }],
  [2, { address: { addressCountry: 'AU' }, ...at(-31.55, 159.08) }],
  [1, { address: { addressCountry: 'PT' }, ...at(37.74, -25.66) }],
  [1, { address: { addressCountry: 'EG' }, ...at(30.04, 31.24) }],
  [1, { address: { addressCountry: 'PY' }, ...at(-25.29, -57.65) }],
  [1, { address: { addressCountry: 'MX' }, ...at(19.43, -99.13) }],
  [1, { address: { addressCountry: 'CL' }, ...at(-33.45, -70.67) }],
  [1, { address: { addressCountry: 'IN' }, ...at(22.57, 88.36) }],
  [1, { address: { addressCountry: 'NZ' }, ...at(-43.95, -176.56) }],
  [1, { address: { addressCountry: 'DE' } }],
  [1, { address: { addressCountry: 'JP' }, ...at(35.68, 139.69) }],
];

function at(latitude: number, longitude: number): Json {
  return { geo: { '@type': 'GeoCoordinates', latitude, longitude } };
}

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** Pairs of opens and closes: usual ones, split days, all day, closed, past midnight, and around changes of the clocks. */
const TIMES: readonly (readonly [number, string])[] = [
  [6, '09:00 17:30'],
  [4, '06:30 22:00'],
  [3, '08:00:00 20:00:00'],
  [2, '09:00 12:00'],
  [2, '13:00 17:00'],
  [2, '12:00 13:00'],
  [3, '00:00 23:59'],
  [3, '00:00 00:00'],
  [1, '00:00 24:00'],
  [1, '00:00 23:59:59'],
  [3, '18:00 03:00'],
  [2, '22:00 06:00'],
  [1, '20:00 00:00'],
  [1, '18:00 24:00'],
  [1, '23:00 01:30'],
  [1, '00:00 01:00'],
  [1, '00:30 01:30'],
  [1, '01:00 02:00'],
  [1, '01:30 02:30'],
  [1, '02:00 03:00'],
  [1, '23:59 00:01'],
  [1, '12:00 11:59'],
];

/** A place or a facility with some hours. */
export function randomPlace(seed: number): Json {
  const r = new Random(seed * 11 + 7);
  const id = `https://id.example.com/api/places/${seed}`;
  const hours = Array.from({ length: r.int(1, 9) }, () => standard(r));
  const special = r.chance(0.65) ? Array.from({ length: r.int(1, r.chance(0.05) ? 120 : 8) }, () => exception(r)) : [];
  const where = r.among(SITES);
  const url = `https://example.com/places/${seed}`;
  const name = `P${seed} ${r.pick(['Leisure Centre', 'Piscine d’été; bassin 2', 'Halle “Süd”, Köln', 'プール'])}`;
  if (r.chance(0.7)) {
    return {
      '@context': 'https://openactive.io/',
      '@type': 'Place',
      '@id': id,
      name,
      url,
      ...where,
      openingHoursSpecification: hours,
      ...(special.length > 0 && { specialOpeningHoursSpecification: special }),
    };
  }
  const location = { '@type': 'Place', '@id': `${id}/location`, name: 'Elsewhere', ...where };
  return {
    '@type': r.pick(['FacilityUse', 'IndividualFacilityUse']),
    '@id': id,
    name,
    url,
    location,
    hoursAvailable: hours,
  };
}

function standard(r: Random): Json {
  const days = r.weighted({ some: 5, weekdays: 3, weekend: 2, all: 3, one: 2, holidays: 1 });
  const names = {
    some: r.some(DAYS, r.int(1, 6)),
    weekdays: DAYS.slice(0, 5),
    weekend: DAYS.slice(5),
    all: DAYS,
    one: [r.pick(DAYS)],
    holidays: ['PublicHolidays'],
  }[days];
  const list = r.chance(0.12) && days !== 'holidays' ? [...names, 'PublicHolidays'] : [...names];
  return { ...specification(r), dayOfWeek: spelt(r, list), ...season(r) };
}

function spelt(r: Random, days: readonly string[]): string | string[] {
  const base = r.pick(['https://schema.org/', 'https://schema.org/', 'http://schema.org/', 'schema:', '']);
  const list = days.map((day) => `${base}${day}`);
  return list.length === 1 && r.chance(0.5) ? (list[0] as string) : list;
}

function specification(r: Random): Json {
  const usual = r.among(TIMES).split(' ');
  const any = () => `${String(r.int(0, 23)).padStart(2, '0')}:${r.pick(['00', '15', '30', '59'])}`;
  const [opens, closes] = r.chance(0.85) ? usual : [any(), any()];
  return { '@type': 'OpeningHoursSpecification', opens, closes };
}

const day = (offset: number) => new Date(Date.UTC(2021, 8, 1) + offset * 86_400_000).toISOString().slice(0, 10);

/** All year, from a date on, until a date, or a season; from 2021 to 2032. */
function season(r: Random): Json {
  const from = r.int(0, 3800);
  return {
    all: {},
    from: { validFrom: day(from) },
    until: { validThrough: day(from) },
    season: { validFrom: day(from), validThrough: day(from + r.int(20, 400)) },
  }[r.weighted({ all: 10, from: 2, until: 2, season: 5 })];
}

/** Nights on which the clocks change, holidays, New Year, leap days. */
const DATES =
  '2026-10-25 2027-03-28 2026-11-01 2027-03-14 2026-10-04 2027-04-04 2026-12-25 2026-12-26 2027-01-01 2024-02-29'.split(
    ' ',
  );

function exception(r: Random): Json {
  const from = r.chance(0.25) ? r.pick(DATES) : day(r.int(0, 3800));
  const length = { one: 0, few: r.int(1, 5), weeks: r.int(6, 60), long: r.int(60, 500) };
  const days = length[r.weighted({ one: 8, few: 4, weeks: 3, long: 1 })];
  const validThrough = new Date(Date.parse(from) + days * 86_400_000).toISOString().slice(0, 10);
  const closed = r.chance(0.5) && { opens: '00:00', closes: '00:00' };
  const named = r.chance(0.15) && { dayOfWeek: spelt(r, r.some(DAYS, r.int(1, 4))) };
  return { ...specification(r), ...closed, ...named, validFrom: from, validThrough };
}
