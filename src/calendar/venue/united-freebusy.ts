import type { Component } from '../../ical/tree.ts';
import { utcInstant } from '../../ical/values.ts';
import type { Instant, InstantWindow } from '../../time/instant.ts';
import { freeBusyComponent, type Period, periodLines, union, within, without } from './freebusy.ts';

/** Free/busy of several calendars in one component (RFC 5545 3.6.4). */

/** The types by precedence: the time of an event is BUSY, whether the place is open or not (RFC 7953 4). */
const TYPES = ['BUSY', 'BUSY-UNAVAILABLE', 'BUSY-TENTATIVE'] as const;
type BusyType = (typeof TYPES)[number];

interface BusyPeriod extends Period {
  type: BusyType;
}

interface FreeBusyHeader {
  uid: string;
  stamp: Instant;
  window: InstantWindow;
}

/** One VFREEBUSY: periods of each type merged and clipped to the window, none under two types. */
export function unitedFreeBusy({ uid, stamp, window }: FreeBusyHeader, periods: readonly BusyPeriod[]): Component {
  const { from, to } = window;
  const united: BusyPeriod[] = [];
  for (const type of TYPES) {
    const ofType = periods.filter((period) => period.type === type && period.start < to && period.end > from);
    const merged = within(union(ofType.filter(({ start, end }) => start < end)), window);
    united.push(...without(merged, union(united)).map(({ start, end }) => ({ type, start, end })));
  }
  const lines = united.sort((a, b) => a.start - b.start).flatMap((period) => periodLines(period.type, [period]));
  return freeBusyComponent(uid, window, stamp, lines);
}

/** The periods of a VFREEBUSY that this program made; without those that are free. */
export function periodsOf({ properties }: Component): BusyPeriod[] {
  return properties.flatMap(({ name, value, params = [] }) => {
    const type = TYPES.find((known) => known === params.find(([param]) => param === 'FBTYPE')?.[1]);
    if (name !== 'FREEBUSY' || type === undefined || typeof value !== 'string') return [];
    const [start, end] = value.split('/').map(utcInstant);
    return start === undefined || end === undefined ? [] : [{ type, start, end }];
  });
}
