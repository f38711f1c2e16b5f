import type { DayHours } from '../../../hours/questions.ts';
import type { VenuePage } from '../../../library/index.ts';
import { geoJson } from '../../../opportunity/place/place-json.ts';
import { WEEKDAYS } from '../../../time/days.ts';
import { safeLink } from '../../links.ts';

/** A venue as a SportsActivityLocation of schema.org, for search engines. `scriptText` escapes its texts. */
export function placeJsonLd(venue: VenuePage, address: string): object {
  const { name, description, telephone, latitude, longitude, hours } = venue;
  const special = [...(hours?.week ?? []), ...(hours?.exceptions ?? [])].filter(({ exceptional }) => exceptional);
  const usual = (hours?.week ?? []).filter(({ exceptional }) => !exceptional);
  return {
    '@context': 'https://schema.org',
    '@type': 'SportsActivityLocation',
    '@id': address,
    url: address,
    name: name || undefined,
    description,
    telephone,
    sameAs: safeLink(venue.url),
    address: venue.address,
    ...geoJson(latitude, longitude),
    openingHoursSpecification:
      hours && usual.flatMap((day) => specifications(day, { dayOfWeek: WEEKDAYS[day.weekday] })),
    specialOpeningHoursSpecification:
      special.length === 0
        ? undefined
        : special.flatMap((day) => specifications(day, { validFrom: day.date, validThrough: day.date })),
  };
}

/** Closed all day is 00:00 to 00:00, as Google reads it. */
function specifications({ open }: DayHours, when: object): object[] {
  const spans = open.length === 0 ? [{ opens: '00:00', closes: '00:00' }] : open;
  return spans.map(({ opens, closes }) => ({
    '@type': 'OpeningHoursSpecification',
    ...when,
    opens,
    closes: closes === '24:00' ? '23:59' : closes,
  }));
}
