import { type Component, raw, text } from '../../ical/tree.ts';
import { utcValue } from '../../ical/values.ts';
import type { Instant } from '../../time/instant.ts';
import { type Period, periodLines, union, within, without } from './freebusy.ts';

/** Free/busy of several calendars in one component (RFC 5545 3.6.4). */

/** The stronger first: what is taken by an event is busy, whether the place is open or not (RFC 7953 4). */
const TYPES = ['BUSY', 'BUSY-UNAVAILABLE', 'BUSY-TENTATIVE'] as const;
type BusyType = (typeof TYPES)[number];

interface BusyPeriod extends Period {
  type: BusyType;
}

interface FreeBusyHeader {
  uid: string;
  stamp: Instant;
  window: { from: Instant; to: Instant };
}

/** One VFREEBUSY: periods of each type merged and clipped to the window, none under two types. */
export function unitedFreeBusy({ uid, stamp, window }: FreeBusyHeader, periods: readonly BusyPeriod[]): Component {
  const { from, to } = window;
  const united: BusyPeriod[] = [];
  for (const type of TYPES) {
    const own = periods.filter((period) => period.type === type && period.start < to && period.end > from);
    const merged = within(union(own.filter(({ start, end }) => start < end)), window);
    united.push(...without(merged, union(united)).map(({ start, end }) => ({ type, start, end })));
  }
  const lines = united.sort((a, b) => a.start - b.start).flatMap((period) => periodLines(period.type, [period]));
  return {
    name: 'VFREEBUSY',
    properties: [
      text('UID', uid),
      raw('DTSTAMP', utcValue(stamp)),
      raw('DTSTART', utcValue(from)),
      raw('DTEND', utcValue(to)),
      ...lines,
    ],
    components: [],
  };
}

/** The periods of a VFREEBUSY that this program made; without those that are free. */
export function periodsOf({ properties }: Component): BusyPeriod[] {
  return properties.flatMap(({ name, value, params = [] }) => {
    const type = TYPES.find((known) => known === params.find(([param]) => param === 'FBTYPE')?.[1]);
    if (name !== 'FREEBUSY' || type === undefined || typeof value !== 'string') return [];
    const [start, end] = value.split('/').map(instantOfValue);
    return start === undefined || end === undefined ? [] : [{ type, start, end }];
  });
}

function instantOfValue(value: string): Instant {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = (
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(value) ?? []
  )
    .slice(1)
    .map(Number);
  return Date.UTC(year, month - 1, day, hour, minute, second);
}
