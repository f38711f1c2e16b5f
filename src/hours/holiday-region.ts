import { type CountryCode, countryCode, countryKey } from '../time/countries.ts';
import { type Whereabouts, zoneAt } from '../time/place-zone.ts';
import { type HolidayCalendar, type HolidayRegion, holidayCalendar, holidayRegions } from './holidays.ts';
import { countryOfPostcode, isFullPostcode, type Nation, nationAt, nationOfName, postcodeIn } from './nations.ts';

/**
 * The region whose public holidays a place has: its country and region, in the UK its nation; else `otherwise` (semantics 5).
 * `stated` is false where the feed does not name the country.
 *
 * A country without a known part takes the part of `otherwise`, if both are of one country. An operator who sets GB-SCT means
 * it for places that state only "UK".
 */
export function holidayRegionOf(
  place: Whereabouts,
  otherwise: HolidayRegion | undefined,
): { region: HolidayRegion | undefined; stated: boolean } {
  const written = statedCountry(place);
  const country = written ?? otherwise?.country;
  if (country === undefined) return { region: undefined, stated: false };
  const usual = otherwise?.country === country ? otherwise.region : undefined;
  const region = (country === 'GB' ? nationOf(place) : partOf(country, place)) ?? usual;
  return { region: region === undefined ? { country } : { country, region }, stated: written !== undefined };
}

/** The calendar of `holidayRegionOf`, computed at its first use, because most places never need it. */
export function placeHolidays(place: Whereabouts, otherwise: HolidayRegion | undefined): HolidayCalendar {
  let calendar: HolidayCalendar | undefined;
  let known = false;
  const find = (): HolidayCalendar | undefined => {
    if (!known) {
      const { region } = holidayRegionOf(place, otherwise);
      calendar = region && holidayCalendar(region);
      known = true;
    }
    return calendar;
  };
  return {
    get id() {
      return find()?.id ?? '';
    },
    on: (day) => find()?.on(day),
  };
}

/** The country the place itself names: outright, by a UK postcode, or by the name of a UK nation. */
function statedCountry(place: Whereabouts): CountryCode | undefined {
  const named = namedCountry(place.country);
  if (named !== undefined && named !== 'GB') return named;
  const postcode = place.postalCode ?? postcodeIn(place.address);
  const posted = named === 'GB' || isFullPostcode(postcode) ? countryOfPostcode(postcode) : undefined;
  // Feeds often place Man, Jersey and Guernsey in the UK; their holidays are others.
  if (posted === 'IM' || posted === 'JE' || posted === 'GG') return posted;
  return posted !== undefined || isNationName(place.region) ? 'GB' : named;
}

/** A name or code; `GB-SCT` and `Scotland` too. */
function namedCountry(text: string | undefined): CountryCode | undefined {
  return countryCode(text) ?? (isNationName(text) ? 'GB' : countryCode(subdivision(text)?.country));
}

function isNationName(text: string | undefined): boolean {
  return /^(?:england|scotland|wales|cymru|northern ireland)$/.test(countryKey(text ?? ''));
}

/** ISO 3166-2, as `AU-NSW`. */
function subdivision(text: string | undefined): { country: string; part: string } | undefined {
  const [, country, part] = /^([a-z]{2})-([a-z0-9]{1,3})$/i.exec(text?.trim() ?? '') ?? [];
  return country === undefined || part === undefined ? undefined : { country, part: part.toUpperCase() };
}

/** The nation by postcode, then by the name of the region, then by coordinates: an address is more exact than a pin on a map. */
function nationOf(place: Whereabouts): Nation | undefined {
  const posted = countryOfPostcode(place.postalCode ?? postcodeIn(place.address));
  if (posted !== undefined && posted.length === 3) return posted as Nation;
  const named = nationOfName(place.country) ?? nationOfName(place.region);
  if (named !== undefined) return named;
  const { latitude, longitude } = place;
  const inside = zoneAt(latitude, longitude) === 'Europe/London';
  return inside ? nationAt(latitude as number, longitude as number) : undefined;
}

/** The part of another country that has holidays of its own, by its code or name. */
function partOf(country: CountryCode, { country: written, region }: Whereabouts): string | undefined {
  const code = subdivision(written)?.part ?? subdivision(region)?.part ?? region?.trim().toUpperCase();
  if (code === undefined || code === '') return undefined;
  const name = countryKey(region ?? '');
  return holidayRegions(country).find(([one, label]) => one.toUpperCase() === code || countryKey(label) === name)?.[0];
}
