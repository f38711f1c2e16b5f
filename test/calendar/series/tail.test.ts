import { expect, test } from 'vitest';
import { toComponents } from '../../../src/calendar/components.ts';
import type { CalendarEvent } from '../../../src/calendar/objects.ts';
import { planSeries } from '../../../src/calendar/series/plan.ts';
import { recurrenceValue } from '../../../src/ical/recurrence.ts';
import { write } from '../../../src/ical/write.ts';
import { NO_PARTS, type Schedule } from '../../../src/opportunity/records.ts';
import { occurrences } from '../../../src/recurrence/overlay.ts';
import { Random } from '../../generate/random.ts';
import { runs } from '../../runs.ts';
import { type Made, madeSeries } from '../made.ts';
import { readWithIcalJs, row } from '../read.ts';

const FROM = Date.UTC(2025, 0, 1);
const TO = Date.UTC(2027, 6, 1);
const RUNS = runs(60);

const eventsOf = ({ series, sessions }: Made, withdrawn?: number): CalendarEvent[] =>
  planSeries(series, sessions, { zone: 'Europe/London', ...(withdrawn !== undefined && { withdrawn }) }).events;

function textOf(events: CalendarEvent[]): string {
  const head = { name: 'tail', zone: 'Europe/London', color: { name: 'teal', hex: '#008080' }, refresh: 'PT6H' };
  return write(toComponents({ ...head, events }, () => ({ sequence: 0, modified: 0 })));
}

const PREFIX = { CONFIRMED: '', TENTATIVE: 'Postponed: ', CANCELLED: 'Cancelled: ' } as const;

/** What a reader must see: the past as it was, and all that starts from `at` on cancelled. */
function expected({ series, sessions }: Made, at: number): string[] {
  const rows = occurrences(series, sessions, FROM, TO).map(({ start, end, name, status }) => {
    const was = status === 'EventCancelled' ? 'CANCELLED' : status === 'EventPostponed' ? 'TENTATIVE' : 'CONFIRMED';
    const is = start >= at ? 'CANCELLED' : was;
    return row(start, end, is, PREFIX[is] + name);
  });
  return rows.sort();
}

test('of a series that was taken away the past is as it was, and all that is ahead is cancelled', () => {
  const random = new Random(4711);
  for (let run = 0; run < RUNS; run++) {
    const made = madeSeries(new Random(70_000 + run), `s${run}`);
    const at = random.int(FROM / 1000, TO / 1000) * 1000;
    expect(readWithIcalJs(textOf(eventsOf(made, at)), FROM, TO), `series ${run}`).toEqual(expected(made, at));
  }
});

const WEEKLY: Schedule = {
  partial: false,
  expandable: true,
  index: 0,
  startDate: '2026-11-02',
  startTime: 64_800,
  duration: 3_600_000,
  frequency: { unit: 'week', every: 1 },
  ...NO_PARTS,
  byDay: [{ day: 0 }],
  except: [],
  zone: 'Europe/London',
  zoneStated: true,
  eventType: 'ScheduledSession',
};

function weekly(more: Partial<Schedule>): Made {
  const { series } = madeSeries(new Random(1), 'w');
  return { series: { ...series, status: 'EventScheduled', schedules: [{ ...WEEKLY, ...more }] }, sessions: [] };
}

const AT = Date.parse('2026-11-20T12:00:00Z');
const rules = (events: CalendarEvent[]) =>
  events.map(({ rrule, status }) => `${status} ${rrule && recurrenceValue(rrule)}`);

test.each<[string, Partial<Schedule>, string[]]>([
  [
    'COUNT',
    { count: 10 },
    ['CONFIRMED FREQ=WEEKLY;UNTIL=20261116T180000Z;BYDAY=MO', 'CANCELLED FREQ=WEEKLY;UNTIL=20270104T180000Z;BYDAY=MO'],
  ],
  [
    'an end',
    { endDate: '2027-01-04' },
    ['CONFIRMED FREQ=WEEKLY;UNTIL=20261116T180000Z;BYDAY=MO', 'CANCELLED FREQ=WEEKLY;UNTIL=20270104T180000Z;BYDAY=MO'],
  ],
  ['no end', {}, ['CONFIRMED FREQ=WEEKLY;UNTIL=20261116T180000Z;BYDAY=MO', 'CANCELLED FREQ=WEEKLY;BYDAY=MO']],
  ['an end that is over', { endDate: '2026-11-16' }, ['CONFIRMED FREQ=WEEKLY;UNTIL=20261116T180000Z;BYDAY=MO']],
  ['a COUNT that is over', { count: 3 }, ['CONFIRMED FREQ=WEEKLY;COUNT=3;BYDAY=MO']],
  ['nothing behind it', { startDate: '2026-11-23' }, ['CANCELLED FREQ=WEEKLY;BYDAY=MO']],
])('a weekly rule with %s', (_name, more, told) => {
  expect(rules(eventsOf(weekly(more), AT))).toEqual(told);
});

test('COUNT in CANCELLED, UNTIL in CONFIRMED: equal series are cancelled alike, however their end is given', () => {
  const cancelled = (more: Partial<Schedule>, at: number) =>
    eventsOf(weekly(more), at).map(({ status, rrule, span }) => [status, rrule, span]);
  for (let week = -1; week <= 11; week++) {
    const at = Date.UTC(2026, 10, 2, 12) + week * 7 * 86_400_000;
    const [counted, until] = [cancelled({ count: 10 }, at), cancelled({ endDate: '2027-01-04' }, at)];
    const [byCount, byDate] = [counted, until].map((events) => events.map(([status]) => status));
    expect(byCount, `week ${week}`).toEqual(byDate);
    expect(byCount?.includes('CANCELLED'), `week ${week}`).toBe(week <= 9);
  }
});

test('the rule of the past goes on under its UID, and so does one that is all ahead', () => {
  const uids = (made: Made, at?: number) => eventsOf(made, at).map(({ uid }) => uid);
  const [was] = uids(weekly({}));
  expect(uids(weekly({}), AT)).toEqual([was, expect.not.stringContaining(was as string)]);
  expect(uids(weekly({ startDate: '2026-11-23' }), AT)).toEqual([was]);
});
