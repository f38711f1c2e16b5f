import type { PageDate } from '../../../library/index.ts';
import { geoJson, postalAddress } from '../../../opportunity/place/place-json.ts';
import { type Offer, shownCurrency } from '../../../opportunity/records.ts';
import { ATTENDANCE_MODES, isOnline } from '../../../opportunity/whereabouts.ts';
import { momentText } from '../../../time/instant.ts';
import { safeLink } from '../../links.ts';
import { adultFirst } from '../offers.ts';
import { pictureAddress } from './picture.tsx';
import { nextOf, pathOf, type SeriesView, seriesName } from './view.ts';

/**
 * The next date as an Event of schema.org, for search engines. Texts are as they were published: `scriptText` escapes them.
 */

/** The most offers that are written one by one. */
const OFFERS = 20;

/**
 * Offers as a list; more than `OFFERS` as an AggregateOffer with the first of them, their number and, in one currency, their
 * range.
 */
function offersOf(priced: readonly Offer[], page: string): object {
  const usual = shownCurrency(priced);
  const offers = priced.slice(0, OFFERS).map((offer) => offerOf(offer, page, usual));
  if (priced.length <= OFFERS) return offers;
  const prices = priced.map(({ price = 0 }) => price);
  const range = new Set(priced.map(({ currency = usual }) => currency)).size === 1 && {
    lowPrice: Math.min(...prices),
    highPrice: Math.max(...prices),
    ...(usual !== '' && { priceCurrency: usual }),
  };
  return { '@type': 'AggregateOffer', offerCount: priced.length, ...range, offers };
}

/** The next date that people can come to, else the first one; undefined where the series has no date. */
export function eventJsonLd(view: SeriesView): object | undefined {
  const { series, dates, site } = view;
  const date = nextOf(dates) ?? dates.dates[0];
  if (date === undefined) return undefined;
  const { details } = series;
  const picture = pictureAddress(view);
  const page = site.links.base + pathOf(view);
  const priced = adultFirst(details.offers ?? []).filter(({ price }) => price !== undefined);
  return {
    '@context': 'https://schema.org',
    '@type': 'Event',
    name: date.name ?? seriesName(view),
    url: page,
    startDate: momentText(date.start, date.allDay),
    ...(date.end !== undefined && { endDate: endText(date) }),
    eventStatus: `https://schema.org/${date.status}`,
    eventAttendanceMode: ATTENDANCE_MODES[isOnline(details) ? 'online' : (details.attendance ?? 'offline')],
    ...(date.was !== undefined && { previousStartDate: momentText(date.was, date.allDay) }),
    ...(details.description && { description: details.description }),
    ...(picture && { image: picture }),
    location: locationOf(view),
    ...(details.organizer?.name && { organizer: organizerOf(details.organizer) }),
    ...(details.leader && { performer: details.leader.map((name) => ({ '@type': 'Person', name })) }),
    ...(priced.length > 0 && {
      offers: offersOf(priced, page),
      isAccessibleForFree: priced.some(({ price }) => price === 0),
    }),
  };
}

/** `endDate`: of whole days the last day, because schema.org counts it in. */
function endText({ end = 0, allDay }: PageDate): string {
  return momentText(allDay ? end - 1 : end, allDay);
}

/** Whether the series has a place or is online: search engines refuse an Event without a location. */
export function hasPlace({ series: { details } }: SeriesView): boolean {
  return isOnline(details) || details.location?.name !== undefined || details.location?.address !== undefined;
}

function locationOf(view: SeriesView): object | undefined {
  const { details } = view.series;
  if (isOnline(details)) {
    const url = safeLink(details.virtualLocation?.url) ?? view.site.links.base + pathOf(view);
    return { '@type': 'VirtualLocation', url };
  }
  const { location } = details;
  if (location === undefined) return undefined;
  const { name, address, latitude, longitude } = location;
  // A country alone is no address that search engines take.
  const { addressCountry, ...parts } = postalAddress(view.dates.place ?? {});
  return {
    '@type': 'Place',
    name,
    address: Object.keys(parts).length > 0 ? { '@type': 'PostalAddress', ...parts, addressCountry } : (address ?? name),
    ...geoJson(latitude, longitude),
  };
}

function organizerOf({ name, url }: { name?: string; url?: string }): object {
  return { '@type': 'Organization', name, url: safeLink(url) };
}

/** One Offer. `usual`: the currency of an offer that names none; empty where it is unknown. */
function offerOf({ name, price, currency: stated, url }: Offer, page: string, usual: string): object {
  const currency = stated ?? usual;
  return {
    '@type': 'Offer',
    name,
    price,
    ...(currency !== '' && { priceCurrency: currency }),
    url: safeLink(url) ?? page,
  };
}
