import type { RawFinding } from '../opportunity/findings.ts';
import { identOf } from '../opportunity/identity.ts';
import type { OpeningHours, OpportunityRecord, Place } from '../opportunity/records.ts';
import { dayOfDate } from '../recurrence/days.ts';
import type { Hours } from './decide.ts';
import { holidayRegionOf } from './holiday-region.ts';
import { DAYS, onDay, overlapFindings } from './overlaps.ts';
import { type Whereabouts, zoneAt } from './place-zone.ts';
import { spanOf } from './spans.ts';
import { facilityWhereabouts, placeWhereabouts } from './venue.ts';

/** What is odd about opening hours as a whole; what one entry shows by itself the door has already said. */
export function hoursFindings(hours: Hours, whereabouts: Whereabouts): RawFinding[] {
  return [
    ...hours.standard.filter(looksSpecial).map(lookingSpecial),
    ...overlappingSeasons(hours.standard),
    ...overlapFindings(hours.standard),
    ...overlapFindings(hours.special),
    ...holidaysOfNowhere(hours, whereabouts),
  ];
}

/** Standard hours describe no exceptions: those of one date do, and so does being closed from one date to another. */
function looksSpecial(entry: OpeningHours): boolean {
  const { validFrom, validThrough } = entry;
  if (validFrom === undefined || validThrough === undefined) return false;
  return validFrom === validThrough || spanOf(entry) === undefined;
}

function lookingSpecial({ path, validFrom, validThrough }: OpeningHours): RawFinding {
  const date = validFrom === validThrough ? `${validFrom}` : `${validFrom} to ${validThrough}`;
  return { code: 'standard-hours-look-special', path, facts: { date } };
}

/** Entries of one weekday whose validities differ and overlap: the literal reading adds them up, few mean that. */
function overlappingSeasons(entries: readonly OpeningHours[]): RawFinding[] {
  const found = new Map<string, RawFinding>();
  const open = entries.filter((entry) => !looksSpecial(entry) && spanOf(entry) !== undefined).map(season);
  open.sort((a, b) => a.from - b.from);
  for (const [weekday, day] of DAYS.entries()) {
    let widest: Season | undefined;
    for (const one of open.filter(({ entry }) => onDay(entry, weekday))) {
      if (
        widest !== undefined &&
        one.from <= widest.through &&
        !sameSeason(one, widest) &&
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

function sameSeason(a: Season, b: Season): boolean {
  return a.from === b.from && a.through === b.through;
}

function holidaysOfNowhere({ standard, special }: Hours, whereabouts: Whereabouts): RawFinding[] {
  const first = [...standard, ...special].find((entry) => entry.publicHolidays);
  if (first === undefined || holidayRegionOf(whereabouts, undefined).stated) return [];
  // Coordinates in the UK tell its nations apart, and with that whose holidays are meant.
  if (zoneAt(whereabouts.latitude, whereabouts.longitude) === 'Europe/London') return [];
  return [{ code: 'hours-holidays-without-country', path: first.path }];
}

/**
 * What is odd about the opening hours of the places and facilities of one item, each thing once. A facility lies where
 * its place does, if the item holds that too.
 */
export function recordFindings(records: readonly OpportunityRecord[]): RawFinding[] {
  const places = new Map<string, Place>();
  for (const record of records) if (record.kind === 'place') places.set(identOf(record.id), record);
  const found = new Map<string, RawFinding>();
  for (const record of records) {
    for (const finding of findingsOf(record, places)) found.set(`${finding.code} ${finding.path}`, finding);
  }
  return [...found.values()];
}

function findingsOf(record: OpportunityRecord, places: ReadonlyMap<string, Place>): RawFinding[] {
  if (record.kind === 'place') {
    return hoursFindings({ standard: record.hours, special: record.specialHours }, placeWhereabouts(record));
  }
  if (record.kind !== 'facility') return [];
  const place = record.place === undefined ? undefined : places.get(identOf(record.place));
  return hoursFindings({ standard: record.hours, special: [] }, facilityWhereabouts(record, place));
}
