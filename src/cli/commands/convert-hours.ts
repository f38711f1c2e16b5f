/** `convert --as availability|freebusy|hours`: the calendar of the places and facilities of an input. */

import { toComponents } from '../../calendar/components.ts';
import type { Revision } from '../../calendar/objects.ts';
import { type BookableTime, bookableTimes } from '../../calendar/venue/bookable.ts';
import { FREEBUSY_WEEKS } from '../../calendar/venue/freebusy.ts';
import {
  availabilityCalendar,
  type BoundsOf,
  freeBusyCalendar,
  openingCalendar,
} from '../../calendar/venue/venue-calendar.ts';
import type { HolidayRegion } from '../../hours/holidays.ts';
import type { Component } from '../../ical/tree.ts';
import type { Input } from '../../join/input.ts';
import type { Joined } from '../../join/join.ts';
import { identOf } from '../../opportunity/identity.ts';
import type { OpeningHours } from '../../opportunity/records.ts';
import { civilOf, DAY_MS, dayOf } from '../../time/days.ts';
import type { Instant } from '../../time/instant.ts';
import { dayAt, type Zone } from '../../time/zone.ts';
import { venuesOf } from '../venues.ts';

export interface HoursOptions {
  /** The zone of places without one. */
  zone: Zone;
  holidays: HolidayRegion | undefined;
  /** The requested window; each end may be missing. */
  from?: Instant | undefined;
  to?: Instant | undefined;
  /** The clock; free/busy without a window begins on this day, and nothing else depends on it. */
  now: Instant;
  /** The stamp of everything that is converted: there is no history (semantics 6). */
  revision: Revision;
}

type Convert = (input: Input, options: HoursOptions) => Component;

/** The conversions by the value of `--as`. */
export const HOURS_AS: Record<'availability' | 'freebusy' | 'hours', Convert> = {
  availability: (input, options) => {
    const { venues } = venuesOf(input, options);
    return availabilityCalendar(venues, boundsFor(options), options.revision, { zone: options.zone.id });
  },
  freebusy: (input, options) => {
    const { venues, joined } = venuesOf(input, options);
    return freeBusyCalendar(venues, windowFor(options), options.revision, {
      zone: options.zone.id,
      slots: slotsOf(joined),
    });
  },
  hours: (input, options) => {
    const { venues } = venuesOf(input, options);
    const calendar = openingCalendar(venues, boundsFor(options), { zone: options.zone.id });
    return toComponents(calendar, () => options.revision);
  },
};

/** The bookable times of facilities, by identity: their own slots, and those of their courts. */
function slotsOf({ facilities, slots }: Joined): Map<string, BookableTime[]> {
  const byFacility = Map.groupBy(slots, ({ facility }) => identOf(facility ?? ''));
  const courts = Map.groupBy(facilities, ({ aggregate }) => aggregate && identOf(aggregate));
  const found = facilities.map(({ id }): [string, BookableTime[]] => {
    const of = (facility: string) => byFacility.get(identOf(facility)) ?? [];
    const ofCourts = (courts.get(identOf(id)) ?? []).flatMap((court) => of(court.id));
    return [identOf(id), bookableTimes(of(id), ofCourts)];
  });
  return new Map(found.filter(([, times]) => times.length > 0));
}

/**
 * Years that are written out without a window. They are many, because the result does not depend on the day of the
 * conversion (semantics 6). Dates in the hours add years, within `FURTHEST`.
 */
const USUAL = { first: 2020, last: 2039 };
const FURTHEST = { first: 2010, last: 2049 };

/** The whole years of the window; at a missing end, the usual years and those of the hours' dates. */
export function boundsFor({ from, to }: HoursOptions): BoundsOf {
  return ({ hours, context }) => {
    const years = [...hours.standard, ...hours.special].flatMap(yearsOf);
    const first = from === undefined ? Math.min(USUAL.first, ...years) : yearAt(context.zone, from);
    const last = to === undefined ? Math.max(USUAL.last, ...years) : yearAt(context.zone, to - 1);
    return { from: dayOf(first, 1, 1), to: dayOf(Math.max(first, last) + 1, 1, 1) };
  };
}

function yearsOf({ validFrom, validThrough }: OpeningHours): number[] {
  return [validFrom, validThrough].flatMap((date) => {
    const year = Number(date?.slice(0, 4));
    return year >= FURTHEST.first && year <= FURTHEST.last ? year : [];
  });
}

function yearAt(zone: Zone, instant: Instant): number {
  return civilOf(dayAt(zone, instant)).year;
}

/** The window of free/busy, which has no rules and needs an end; default: eight weeks from today. */
function windowFor({ from, to, now }: HoursOptions): { from: Instant; to: Instant } {
  const length = FREEBUSY_WEEKS * 7 * DAY_MS;
  const start = from ?? Math.floor(now / DAY_MS) * DAY_MS;
  return { from: start, to: to !== undefined && to > start ? to : start + length };
}
