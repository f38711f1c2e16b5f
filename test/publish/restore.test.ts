import { describe, expect, test } from 'vitest';
import { toComponents } from '../../src/calendar/components.ts';
import { seriesCalendar } from '../../src/calendar/header.ts';
import { planSeries } from '../../src/calendar/series/plan.ts';
import { write } from '../../src/ical/write.ts';
import { readInput } from '../../src/join/input.ts';
import { type Claim, join } from '../../src/join/join.ts';
import type { EventStatus, Series, Session } from '../../src/opportunity/records.ts';
import { occurrences } from '../../src/recurrence/overlay.ts';
import { loosened } from '../generate/loose.ts';
import { type RpdeJson, randomSeries } from '../generate/series.ts';
import { withWholeDays } from '../generate/whole-days.ts';
import { runs } from '../runs.ts';
import { codesOf, objectsOf, publish, rowOf, rowsOf } from './published.ts';

/** Feeds → calendar → feeds: what this program wrote, it reads back as it was. */

const [FROM, TO] = [Date.UTC(2024, 0, 1), Date.UTC(2028, 0, 1)];
const STATUS: Record<EventStatus, string> = {
  EventScheduled: 'CONFIRMED',
  EventRescheduled: 'CONFIRMED',
  EventCancelled: 'CANCELLED',
  EventPostponed: 'TENTATIVE',
};

interface Known {
  series: Series;
  sessions: Session[];
}

function seriesOf(seed: number): Known[] {
  return join(recordsOf(JSON.stringify(randomSeries(seed).items))).series;
}

function recordsOf(text: string): Claim[] {
  return readInput(text, { zone: 'Europe/London', feed: 'x' }).records;
}

function calendarOf({ series, sessions }: Known): string {
  const { events } = planSeries(series, sessions, { zone: 'Europe/London' });
  const calendar = seriesCalendar(series, events, { zone: 'Europe/London' });
  return write(toComponents(calendar, () => ({ sequence: 0, modified: 0 })));
}

function textOf(objects: unknown): string {
  return calendarOf(join(recordsOf(JSON.stringify(objects))).series[0] as Known);
}

function rows({ series, sessions }: Known): string[] {
  return occurrences(series, sessions, FROM, TO)
    .map(({ start, end, status, name }) => rowOf(start, end, STATUS[status], name ?? ''))
    .sort();
}

/**
 * Afterwards a Schedule states what the model requires: its zone, its end time, a frequency, exceptions of one kind. What
 * the exceptions leave is in the occurrences, which are compared above.
 */
const schedulesOf = (series: readonly Series[]) =>
  series.flatMap(({ schedules }) =>
    schedules.map(({ endTime: _, except: __, ...one }) => {
      const once = one.frequency === undefined && one.byDay.length + one.byMonth.length + one.byMonthDay.length === 0;
      const rule = once && !one.partial ? { frequency: { unit: 'day', every: 1 }, count: 1 } : {};
      return { ...one, ...rule, zoneStated: true };
    }),
  );

describe('calendars of this program become feeds again', () => {
  test('with every occurrence, whatever the series', () => {
    for (let seed = 0; seed < runs(80); seed++) {
      for (const known of seriesOf(seed)) {
        expect(rowsOf(publish(calendarOf(known)).published, FROM, TO), `seed ${seed}`).toEqual(rows(known));
      }
    }
  });

  test('with every Schedule and session of a SessionSeries, under their own @id', () => {
    for (let seed = 0; seed < runs(80); seed++) {
      for (const known of seriesOf(seed).filter(({ series }) => series.type === 'SessionSeries')) {
        const back = recordsOf(JSON.stringify(objectsOf(publish(calendarOf(known)).published))).map(
          ({ record }) => record,
        );
        const series = back.filter((one) => one.kind === 'series');
        expect(series.map(({ id }) => id)).toEqual([known.series.id]);
        expect(schedulesOf(series), `seed ${seed}`).toEqual(schedulesOf([known.series]));
        const ids = back.filter((one) => one.kind === 'session').map(({ id }) => id);
        expect(ids.sort(), `seed ${seed}`).toEqual(known.sessions.map(({ id }) => id).sort());
      }
    }
  });

  /** All that no mapping adds to. */
  const KEPT =
    /^(?:UID|DTSTART|DTEND|RRULE|EXDATE|RECURRENCE-ID|SUMMARY|STATUS|TRANSP|X-OPENACTIVE-ID)\b.*|^DESCRIPTION:New time[^.]*/gm;

  /** An event of its own whose session has no `@id` has a UID that hangs on the feed. */
  const kept = (text: string): string[] =>
    text
      .replaceAll('\r\n ', '')
      .split(/(?=BEGIN:VEVENT)/)
      .map((event) => {
        const isNameless = /^X-OPENACTIVE-ID[^:]*:_:\r$/m.test(event) && !event.includes('RECURRENCE-ID');
        return (event.match(KEPT) ?? []).filter((line) => !isNameless || !line.startsWith('UID:')).join('\n');
      })
      .sort();

  test.each<[string, (seed: number, items: RpdeJson[]) => RpdeJson[]]>([
    ['as they are', (_seed, items) => items],
    ['with sessions that leave out times and ids', loosened],
    ['with whole days', (_seed, items) => withWholeDays(items)],
  ])('and these the same calendar: random series %s', (_how, changed) => {
    for (let seed = 0; seed < runs(60); seed++) {
      const text = JSON.stringify(changed(seed, randomSeries(seed).items));
      for (const known of join(recordsOf(text)).series.filter(({ series }) => series.type === 'SessionSeries')) {
        const once = calendarOf(known);
        expect(kept(textOf(objectsOf(publish(once).published))), `seed ${seed}`).toEqual(kept(once));
      }
    }
  });

  const schedule = {
    '@type': 'Schedule',
    startDate: '2027-01-04',
    startTime: '18:00',
    duration: 'PT1H',
    repeatFrequency: 'P1W',
    byDay: ['https://schema.org/Monday'],
    scheduleTimezone: 'Europe/London',
    idTemplate: 'https://e.org/sessions/{startDate}',
  };
  const [known] = join(
    recordsOf(
      JSON.stringify({
        '@type': 'SessionSeries',
        '@id': 'https://e.org/series/1',
        name: 'Yoga',
        eventSchedule: [schedule],
      }),
    ),
  ).series as [Known];

  test('unless somebody edited them since: then the events count, not what was noted beside them', () => {
    const edited = calendarOf(known).replaceAll('T190000', 'T200000').replaceAll('T180000', 'T190000');
    const result = publish(edited);
    expect(codesOf(result)).toContain('mark-outdated');
    expect(rowsOf(result.published, Date.UTC(2027, 0, 1), Date.UTC(2027, 0, 6))).toEqual([
      expect.stringContaining('2027-01-04T19:00:00'),
    ]);
  });

  const moved = {
    '@type': 'ScheduledSession',
    '@id': 'https://e.org/sessions/2027-01-11T18:00:00Z',
    superEvent: 'https://e.org/series/1',
    startDate: '2027-01-12T18:00:00Z',
    duration: 'PT1H',
    eventStatus: 'https://schema.org/EventRescheduled',
    location: { '@type': 'Place', name: 'Small Hall', address: '2 Low Street' },
  };

  test.each([
    ['as an override', schedule],
    ['as an event of its own, for the rule leaves its date out', { ...schedule, exceptDate: ['2027-01-11T18:00:00Z'] }],
  ])('with what was said of a session that moved, %s: that it did, and to which place', (_how, rule) => {
    const series = { '@type': 'SessionSeries', '@id': moved.superEvent, name: 'Yoga', eventSchedule: [rule] };
    const [own] = join(recordsOf(JSON.stringify([series, moved]))).series as [Known];
    const { published } = publish(calendarOf(own));
    expect(published['scheduled-sessions'].map(({ data }) => data)).toEqual([
      expect.objectContaining({
        '@id': moved['@id'],
        startDate: moved.startDate,
        eventStatus: moved.eventStatus,
        location: expect.objectContaining({ name: 'Small Hall' }),
      }),
    ]);
  });

  test('and these the same calendar: the words for a status do not grow with every way there and back', () => {
    const session = (day: string, more: object) => ({
      '@type': 'ScheduledSession',
      '@id': `https://e.org/sessions/2027-01-${day}T18:00:00Z`,
      superEvent: 'https://e.org/series/1',
      startDate: `2027-01-${day}T18:00:00Z`,
      duration: 'PT1H',
      ...more,
    });
    const sessions = [
      session('11', { eventStatus: 'https://schema.org/EventCancelled' }),
      session('18', { eventStatus: 'https://schema.org/EventPostponed' }),
      session('25', { startDate: '2027-01-26T18:00:00Z', eventStatus: 'https://schema.org/EventRescheduled' }),
    ];
    const series = { '@type': 'SessionSeries', '@id': 'https://e.org/series/1', name: 'Yoga', description: 'Slow.' };
    const once = textOf([{ ...series, eventSchedule: [schedule] }, ...sessions]);
    const twice = textOf(objectsOf(publish(once).published));
    const linesIn = (text: string) =>
      text.replaceAll('\r\n ', '').match(/^(?:SUMMARY|DESCRIPTION|STATUS|TRANSP|DTSTART|RECURRENCE-ID)\b.*/gm);
    expect(once).toMatch(
      /SUMMARY:Cancelled: Yoga[\s\S]*SUMMARY:Postponed: Yoga[\s\S]*DESCRIPTION:New time: it was Mon 25 Jan/,
    );
    expect(linesIn(twice)?.map((line) => line.replace(/\\n\\nPrice: .*/, ''))).toEqual(linesIn(once));
    expect(textOf(objectsOf(publish(twice).published))).toBe(twice);
  });

  test.each([
    '{',
    '[]',
    '{"@type":"SessionSeries"}',
    '{"@type":"SessionSeries","@id":"nonsense"}',
    `{"@type":"SessionSeries","@id":"https://e.org/series/1","eventSchedule":[{"@type":"Schedule"}]}`,
  ])('and not by a mark that says %s', (mark) => {
    const text = calendarOf(known)
      .replaceAll('\r\n ', '')
      .replace(/X-OPENACTIVE-SERIES:.*/, () => `X-OPENACTIVE-SERIES:${mark.replaceAll(/[,;\\]/g, String.raw`\$&`)}`);
    expect(rowsOf(publish(text).published, Date.UTC(2027, 0, 1), Date.UTC(2027, 0, 6))).toHaveLength(1);
  });
});
