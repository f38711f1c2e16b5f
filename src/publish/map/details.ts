import type { JsonObject } from '../../opportunity/item/json.ts';
import { defined } from '../../opportunity/records.ts';
import { accessibilitySupport, MODEL_LEVELS } from '../../vocabulary/shipped.ts';
import type { Wording } from '../read/model.ts';
import { conceptJson } from './concepts.ts';
import { ageRangeJson, offerJson } from './json.ts';
import { linesAbout, type Mapped } from './mapped.ts';
import type { MappedDetails, MappedOffer } from './schema.ts';

/** What a session has besides time, place and activity: from the mapping file, and from the few properties that say it. */

/**
 * `offers`, `leader`, `ageRange`, … of a series. A line about the event comes before what the event says itself, and that
 * before what holds for its calendar or all of them. `id` is that of the series.
 */
export function detailsJson(wording: Wording, mapped: Mapped, id: string): JsonObject {
  const { calendar = {}, mapping } = mapped;
  return jsonOf([...statedDetails(wording, mapped), calendar, mapping], id);
}

/** What one session has otherwise than its series. `id` is its own. */
export function otherDetailsJson(own: Wording, series: Wording, mapped: Mapped, id: string): JsonObject {
  const [of, usual] = [jsonOf(statedDetails(own, mapped), id), detailsJson(series, mapped, id)];
  const other = Object.entries(of).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(usual[name]));
  return Object.fromEntries(other);
}

function statedDetails(wording: Wording, mapped: Mapped): MappedDetails[] {
  const { mapping, calendar } = mapped;
  const own = defined({
    offers: offersOf(wording, calendar?.offers ?? mapping.offers),
    level: levelsOf(wording),
    image: wording.images?.slice(),
  });
  return [...linesAbout(wording, mapping), own];
}

/** The details as JSON, each from the first of the lines that has it. */
function jsonOf(from: readonly MappedDetails[], id: string): JsonObject {
  const first = <K extends keyof MappedDetails>(key: K) => from.find((one) => one[key] !== undefined)?.[key];
  const [offers, ageRange, gender] = [first('offers'), first('ageRange'), first('genderRestriction')];
  return defined({
    offers: offers?.length ? offers.map((one, index) => pricedOffer(one, `${id}#/offers/${index}`)) : undefined,
    leader: first('leader')?.map(({ name, id: own, url }) => ({
      '@type': 'Person',
      ...defined({ '@id': own, name, url }),
    })),
    ageRange: ageRange && ageRangeJson(ageRange),
    genderRestriction: gender && `https://openactive.io/${gender}`,
    level: first('level'),
    maximumAttendeeCapacity: first('maximumAttendeeCapacity'),
    accessibilitySupport: first('accessibilitySupport')?.map((one) => conceptJson(one, accessibilitySupport())),
    accessibilityInformation: first('accessibilityInformation'),
    image: first('image')?.map((url) => ({ '@type': 'ImageObject', url })),
  });
}

/** What the event says it costs, in the currency that its calendar's other prices are in. */
function offersOf({ price }: Wording, usual: readonly MappedOffer[] | undefined): MappedOffer[] | undefined {
  if (price === undefined) return undefined;
  const currency = price.currency ?? usual?.find((one) => one.currency !== undefined)?.currency;
  return [{ price: price.amount, ...defined({ currency, url: price.url }) }];
}

/** CATEGORIES that are called as levels of the data model are. */
function levelsOf({ categories }: Wording): string[] | undefined {
  const labels = new Set(categories.map((one) => one.trim().toLowerCase().replace(/s$/, '')));
  const found = MODEL_LEVELS.filter((level) => labels.has(level.toLowerCase()));
  return found.length === 0 ? undefined : found;
}

/** An amount without a currency is in pounds. */
function pricedOffer(offer: MappedOffer, id: string): JsonObject {
  return offerJson({ ...offer, currency: offer.currency ?? (offer.price > 0 ? 'GBP' : undefined) }, id);
}
