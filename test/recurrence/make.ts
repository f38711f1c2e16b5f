import { type ByDay, NO_PARTS, type Schedule, type Series, type Session } from '../../src/opportunity/records.ts';
import type { Rule } from '../../src/recurrence/types.ts';
import { dayOfDate, WEEKDAY_CODES } from '../../src/time/days.ts';
import type { Weekday } from '../../src/time/instant.ts';

/** Records with everything that a test does not speak about filled in. */

/** `MO,2TU,-1FR` as the rule has it. */
export function byDay(codes: string): ByDay[] {
  return codes.split(',').map((code) => {
    const day = WEEKDAY_CODES.indexOf(code.slice(-2)) as Weekday;
    return code.length > 2 ? { day, ordinal: Number(code.slice(0, -2)) } : { day };
  });
}

export function rule(firstDate: string, given: Partial<Rule> & Pick<Rule, 'unit'>): Rule {
  return { every: 1, ...NO_PARTS, firstDay: dayOfDate(firstDate), time: 9 * 3600, ...given };
}

/** An hour on 2026-01-05 (a Monday) at 18:00 in London, weekly. */
export function schedule(given: Partial<Schedule> = {}): Schedule {
  return {
    partial: false,
    expandable: true,
    index: 0,
    startDate: '2026-01-05',
    startTime: 18 * 3600,
    duration: 3_600_000,
    frequency: { unit: 'week', every: 1 },
    ...NO_PARTS,
    except: [],
    zone: 'Europe/London',
    zoneStated: true,
    eventType: 'ScheduledSession',
    ...given,
  };
}

export function series(given: Partial<Series> = {}): Series {
  return {
    kind: 'series',
    id: 'https://example.org/series/1',
    type: 'SessionSeries',
    status: 'EventScheduled',
    details: { name: 'Yoga' },
    schedules: [schedule()],
    ...given,
  };
}

/** `start` and `end` as `2026-01-05T18:00:00Z`; without an end, an hour. */
export function session(id: string, start: string, given: Partial<Session> = {}): Session {
  return {
    kind: 'session',
    id,
    idStated: true,
    type: 'ScheduledSession',
    series: 'https://example.org/series/1',
    start: Date.parse(start),
    end: Date.parse(start) + 3_600_000,
    status: 'EventScheduled',
    details: {},
    ...given,
  };
}

/** `2026-01-05T18:00:00Z`. */
export function utc(instant: number): string {
  return new Date(instant).toISOString().replace('.000Z', 'Z');
}

/** A copy that does not say these. */
export function without<T extends object, K extends keyof T>(record: T, ...keys: K[]): Omit<T, K> {
  const copy = { ...record };
  for (const key of keys) delete copy[key];
  return copy;
}
