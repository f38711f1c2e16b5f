import { type Cleaned, type CleanOptions, cleanItem } from '../opportunity/clean.ts';
import type { RawFinding } from '../opportunity/findings.ts';
import { identOf } from '../opportunity/identity.ts';
import type { RankedRecord } from '../opportunity/item/reading.ts';
import type { RpdeItem } from '../opportunity/page/page.ts';
import type { Facility, OpeningHours, OpportunityRecord, Place } from '../opportunity/records.ts';
import { countryCode, countryZone } from '../time/countries.ts';
import { dayOfDate } from '../time/days.ts';
import { type Whereabouts, zoneAt } from '../time/place-zone.ts';
import type { Hours } from './decide.ts';
import { holidayRegionOf } from './holiday-region.ts';
import { DAYS, onDay, overlapFindings } from './overlaps.ts';
import { spanOf } from './spans.ts';
import { facilityWhereabouts, placeWhereabouts } from './venue.ts';

/** Findings about opening hours as a whole; those about one entry come from the reader. */
export function hoursFindings(hours: Hours, whereabouts: Whereabouts): RawFinding[] {
  return [
    ...hours.standard.filter(seemsSpecial).map(lookingSpecial),
    ...overlappingSeasons(hours.standard),
    ...overlapFindings(hours.standard),
    ...overlapFindings(hours.special),
    ...holidaysOfNowhere(hours, whereabouts),
    ...zoneOfNowhere(hours, whereabouts),
  ];
}

/** A country has several zones, and no coordinates show which: the default zone is assumed, and may be half a day off. */
function zoneOfNowhere({ standard, special }: Hours, { country, latitude, longitude }: Whereabouts): RawFinding[] {
  const code = countryCode(country);
  const [entry] = [...standard, ...special];
  if (entry === undefined || code === undefined || countryZone(code) !== undefined) return [];
  return zoneAt(latitude, longitude) === undefined
    ? [{ code: 'zone-assumed', path: '$', facts: { country: code } }]
    : [];
}

/** Whether standard hours look like an exception: hours of one date, or closed from one date to another. */
function seemsSpecial(entry: OpeningHours): boolean {
  const { validFrom, validThrough } = entry;
  if (validFrom === undefined || validThrough === undefined) return false;
  return validFrom === validThrough || spanOf(entry) === undefined;
}

function lookingSpecial({ path, validFrom, validThrough }: OpeningHours): RawFinding {
  const date = validFrom === validThrough ? `${validFrom}` : `${validFrom} to ${validThrough}`;
  return { code: 'standard-hours-look-special', path, facts: { date } };
}

/** Entries of one weekday whose validities differ and overlap: read literally they add up, which few publishers mean. */
function overlappingSeasons(entries: readonly OpeningHours[]): RawFinding[] {
  const found = new Map<string, RawFinding>();
  const open = entries.filter((entry) => !seemsSpecial(entry) && spanOf(entry) !== undefined).map(season);
  open.sort((a, b) => a.from - b.from);
  for (const [weekday, day] of DAYS.entries()) {
    let widest: Season | undefined;
    for (const one of open.filter(({ entry }) => onDay(entry, weekday))) {
      if (
        widest !== undefined &&
        one.from <= widest.through &&
        (one.from !== widest.from || one.through !== widest.through) &&
        !found.has(one.entry.path)
      ) {
        const from = one.entry.validFrom ?? 'the beginning';
        found.set(one.entry.path, { code: 'hours-seasons-overlap', path: one.entry.path, facts: { day, from } });
      }
      if (widest === undefined || one.through > widest.through) widest = one;
    }
  }
  return [...found.values()];
}

interface Season {
  entry: OpeningHours;
  from: number;
  through: number;
}

function season(entry: OpeningHours): Season {
  return {
    entry,
    from: entry.validFrom === undefined ? -Infinity : dayOfDate(entry.validFrom),
    through: entry.validThrough === undefined ? Infinity : dayOfDate(entry.validThrough),
  };
}

function holidaysOfNowhere({ standard, special }: Hours, whereabouts: Whereabouts): RawFinding[] {
  const first = [...standard, ...special].find((entry) => entry.publicHolidays);
  if (first === undefined || holidayRegionOf(whereabouts, undefined).stated) return [];
  // Coordinates in the UK show the nation, and so the holidays.
  if (zoneAt(whereabouts.latitude, whereabouts.longitude) === 'Europe/London') return [];
  return [{ code: 'hours-holidays-without-country', path: first.path }];
}

/**
 * Findings about the opening hours of the places and facilities of one item, each once. A facility lies where its place
 * does, if the item holds the place too.
 */
function recordFindings(records: readonly RankedRecord[]): RawFinding[] {
  let found: Map<string, RawFinding> | undefined;
  const places = records.some(({ record }) => record.kind === 'facility') ? placesOf(records) : NOWHERE;
  for (const ranked of records) {
    for (const finding of findingsOf(ranked.record, places)) {
      found ??= new Map();
      found.set(`${finding.code} ${finding.path}`, finding);
    }
  }
  return found === undefined ? [] : [...found.values()];
}

type Places = ReadonlyMap<string, Place>;
const NOWHERE: Places = new Map();

function placesOf(records: readonly RankedRecord[]): Places {
  const places = new Map<string, Place>();
  for (const { record } of records) if (record.kind === 'place') places.set(identOf(record.id), record);
  return places;
}

function findingsOf(record: OpportunityRecord, places: Places): readonly RawFinding[] {
  if (record.kind === 'facility') return facilityFindings(record, places);
  return record.kind === 'place' ? placeFindings(record) : [];
}

function placeFindings(place: Place): RawFinding[] {
  const { hours: standard, specialHours: special } = place;
  if (standard.length === 0 && special.length === 0) return [];
  return hoursFindings({ standard, special }, placeWhereabouts(place));
}

function facilityFindings(facility: Facility, places: Places): RawFinding[] {
  const { hours, place: id } = facility;
  if (hours.length === 0) return [];
  const place = id === undefined ? undefined : places.get(identOf(id));
  return hoursFindings({ standard: hours, special: [] }, facilityWhereabouts(facility, place));
}

/** `cleanItem` with `hoursFindings`, which the reader cannot make because it does not know the holidays of a place. */
export function cleanWithHours(item: RpdeItem, options: CleanOptions): Cleaned {
  const { records, findings } = cleanItem(item, options);
  const more = recordFindings(records);
  return { records, findings: more.length === 0 ? findings : [...findings, ...more] };
}
