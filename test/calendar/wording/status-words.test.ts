import ical from 'ical-generator';
import { describe, expect, test } from 'vitest';
import { toComponents } from '../../../src/calendar/components.ts';
import { icalEvents, icalTimezone } from '../../../src/calendar/ical-generator.ts';
import type { CalendarEvent } from '../../../src/calendar/objects.ts';
import { cancelledFrom, planSeries } from '../../../src/calendar/series/plan.ts';
import { withoutStatus } from '../../../src/calendar/wording/status-words.ts';
import { write } from '../../../src/ical/write.ts';
import type { EventStatus, Series, Session } from '../../../src/opportunity/records.ts';
import { schedule, series, session } from '../../recurrence/make.ts';

/** Outlook shows a cancelled event as an ordinary one: what STATUS says is said in words too (semantics 4.5). */

const HEAD = { name: 'test', zone: 'Europe/London', color: { name: 'teal', hex: '#008080' }, refresh: 'PT6H' };
const AT = '2026-11-16T18:00:00Z';
const WEEKLY = schedule({ startDate: '2026-11-02', count: 4 });
const PLAIN = series({ details: { name: 'Yoga', description: 'Bring a mat.' }, schedules: [WEEKLY] });
const ALONE = { ...PLAIN, schedules: [] };

function plan(of: Series, ...sessions: Session[]): CalendarEvent[] {
  return planSeries(of, sessions, { zone: 'Europe/London' }).events;
}

/** Summary and first sentence of the one event that is said in words. */
const statusesOf = (events: readonly CalendarEvent[]) =>
  events.flatMap(({ summary, description = '', status, transparent }) => {
    const sentence = description.split('\n\n')[0];
    return sentence === 'Bring a mat.' ? [] : [[summary, sentence, status, transparent === true ? 'free' : 'busy']];
  });

const CANCELLED = ['Cancelled: Yoga', 'Cancelled.', 'CANCELLED', 'free'];
const POSTPONED = ['Postponed: Yoga', 'Postponed: no new date yet.', 'TENTATIVE', 'busy'];
const moved = (was: string) => ['Yoga', `New time: it was ${was}.`, 'CONFIRMED', 'busy'];
const is = (status: EventStatus): Partial<Session> => ({ status });
const to = (start: string): Partial<Session> => ({ start: Date.parse(start), end: Date.parse(start) + 3_600_000 });

describe('clients that ignore STATUS show it all the same', () => {
  test.each<[string, Series, Partial<Session>, unknown]>([
    ['a cancelled override', PLAIN, is('EventCancelled'), CANCELLED],
    ['a postponed override', PLAIN, is('EventPostponed'), POSTPONED],
    ['a cancelled single event', ALONE, is('EventCancelled'), CANCELLED],
    ['a postponed single event', ALONE, is('EventPostponed'), POSTPONED],
  ])('%s', (_, of, given, expected) => {
    expect(statusesOf(plan(of, session('https://e.org/1', AT, given)))).toEqual([expected]);
  });

  const templated = { ...PLAIN, schedules: [{ ...WEEKLY, idTemplate: 'https://e.org/{startDate}' }] };
  const id = `https://e.org/${AT}`;
  test.each<[string, Partial<Session>, string[]]>([
    ['a moved one says when it was', to('2026-11-17T07:00:00Z'), moved('Mon 16 Nov, 18:00')],
    ['past its neighbour too', to('2026-11-26T07:00:00Z'), moved('Mon 16 Nov, 18:00')],
    ['into another year', to('2027-01-26T07:00:00Z'), moved('Mon 16 Nov 2026, 18:00')],
    [
      'a rescheduled one of which nobody says when it was',
      is('EventRescheduled'),
      ['Yoga', 'New time.', 'CONFIRMED', 'busy'],
    ],
    ['a cancelled one that moved is cancelled', { ...to('2026-11-17T07:00:00Z'), ...is('EventCancelled') }, CANCELLED],
  ])('%s', (_, given, expected) => {
    expect(statusesOf(plan(templated, session(id, AT, given)))).toEqual([expected]);
  });

  test('the earlier time is local time of the place, in summer too', () => {
    const summer = { ...WEEKLY, startDate: '2026-07-06', idTemplate: 'https://e.org/{startDate}' };
    const one = session('https://e.org/2026-07-13T17:00:00Z', '2026-07-14T17:00:00Z');
    expect(statusesOf(plan({ ...PLAIN, schedules: [summer] }, one))).toEqual([moved('Mon 13 Jul, 18:00')]);
  });

  test.each([
    ['EventCancelled', CANCELLED],
    ['EventPostponed', POSTPONED],
  ] as const)('a whole series that is %s, by a rule and one by one', (status, expected) => {
    const nightly = schedule({
      index: 1,
      startDate: '2026-10-24',
      startTime: 5400,
      count: 2,
      frequency: { unit: 'day', every: 1 },
    });
    const events = plan({ ...PLAIN, status, schedules: [WEEKLY, nightly] });
    expect(events.length).toBeGreaterThan(2);
    expect(statusesOf(events)).toEqual(events.map(() => expected));
  });

  test('a name that says it already says it once; no description is the sentence alone', () => {
    const named = { ...ALONE, details: { name: 'Cancelled: Yoga' } };
    const [event] = plan(named, session('https://e.org/1', AT, is('EventCancelled')));
    expect([event?.summary, event?.description]).toEqual(['Cancelled: Yoga', 'Cancelled.']);
  });

  test('what comes of a series that was deleted, whatever it was before', () => {
    const events = plan(
      templated,
      session(id, AT, to('2026-11-17T07:00:00Z')),
      session('https://e.org/2026-11-09T18:00:00Z', '2026-11-09T18:00:00Z', is('EventPostponed')),
    );
    const tail = cancelledFrom(events, Date.parse('2026-11-01'));
    expect(statusesOf(tail)).toEqual(events.map(() => CANCELLED));
  });

  const free = ['TRANSP:TRANSPARENT', 'X-MICROSOFT-CDO-BUSYSTATUS:FREE'];
  test.each<[string, (events: CalendarEvent[]) => string]>([
    ['our calendars', (events) => write(toComponents({ ...HEAD, events }, () => ({ sequence: 0, modified: 0 })))],
    [
      'those of ical-generator',
      (events) => ical({ timezone: icalTimezone(events), events: icalEvents(events) }).toString(),
    ],
  ])('nobody is busy at a cancelled session in %s', (_, textOf) => {
    const lines = textOf(plan(ALONE, session('https://e.org/1', AT, is('EventCancelled')))).split('\r\n');
    expect(lines).toEqual(expect.arrayContaining([...free, 'SUMMARY:Cancelled: Yoga', 'STATUS:CANCELLED']));
    const on = textOf(plan(ALONE, session('https://e.org/1', AT))).split('\r\n');
    expect(on.filter((line) => free.includes(line))).toEqual([]);
  });
});

test.each<[CalendarEvent['status'], boolean, [string, string?], [string?, string?]]>([
  ['CANCELLED', false, ['Cancelled: Yoga', 'Cancelled.\n\nBring a mat.'], ['Yoga', 'Bring a mat.']],
  ['TENTATIVE', false, ['Postponed: Yoga', 'Postponed: no new date yet.'], ['Yoga']],
  ['CONFIRMED', true, ['Yoga', 'New time: it was Mon 6 Nov, 18:00.\n\nBring a mat.'], ['Yoga', 'Bring a mat.']],
  ['CONFIRMED', false, ['Yoga', 'New time: it was Mon 6 Nov, 18:00.'], ['Yoga', 'New time: it was Mon 6 Nov, 18:00.']],
  ['CONFIRMED', true, ['Cancelled: Yoga', 'Cancelled.'], ['Cancelled: Yoga', 'Cancelled.']],
  ['CANCELLED', true, ['Postponed: Yoga', 'Cancelled. Sorry.'], ['Postponed: Yoga', 'Cancelled. Sorry.']],
])(
  'the words that %s (our calendar: %s) repeats come off, and no others: %j',
  (status, ours, [summary, description], [name, rest]) => {
    const texts = { summary, ...(description !== undefined && { description }) };
    expect(withoutStatus(texts, status, ours)).toEqual({
      ...(name !== undefined && { summary: name }),
      ...(rest !== undefined && { description: rest }),
    });
  },
);
