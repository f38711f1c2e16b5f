import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/opportunity/item/json.ts';
import type { Previous, PublishResult } from '../../src/publish/contract.ts';
import { fillTemplate } from '../../src/recurrence/templates.ts';
import { calendarOf, codesOf, eventOf, MAPPING, publish, rowsOf } from './published.ts';

/** What of a recurring event becomes a session, and what does not: the rules of the complementary feed. */

const [FROM, TO] = [Date.UTC(2027, 0, 1), Date.UTC(2027, 5, 1)];
const at = (name: string, local: string) => `${name};TZID=Europe/London:${local}`;
const WEEKLY = (...more: string[]) =>
  eventOf(
    'UID:1',
    'SUMMARY:Yoga',
    at('DTSTART', '20270104T180000'),
    'DURATION:PT1H',
    'RRULE:FREQ=WEEKLY;COUNT=6',
    ...more,
  );
const OVERRIDE = (...lines: string[]) => eventOf('UID:1', at('RECURRENCE-ID', '20270118T180000'), ...lines);

const sessions = ({ published }: PublishResult) => published['scheduled-sessions'].map(({ data }) => data);
/** The first Schedule of the only series. */
function schedule({ published }: PublishResult): JsonObject {
  const [first] = published['session-series'].flatMap(({ data }) => data.eventSchedule ?? []);
  return first as JsonObject;
}

describe('the sessions of a recurring event', () => {
  test('none, where the Schedule says it all', () => {
    expect(sessions(publish(calendarOf(WEEKLY())))).toEqual([]);
  });

  test('none for an override that changes nothing', () => {
    const same = OVERRIDE('SUMMARY:Yoga', at('DTSTART', '20270118T180000'), 'DURATION:PT1H', 'SEQUENCE:3');
    expect(sessions(publish(calendarOf(WEEKLY(), same)))).toEqual([]);
  });

  test('none for an EXDATE: it is an exceptDate, in UTC', () => {
    const result = publish(calendarOf(WEEKLY(at('EXDATE', '20270118T180000'))));
    expect(sessions(result)).toEqual([]);
    expect(schedule(result).exceptDate).toEqual(['2027-01-18T18:00:00Z']);
  });

  test('a cancelled instance under the @id of its start', () => {
    const off = OVERRIDE(at('DTSTART', '20270118T180000'), 'DURATION:PT1H', 'STATUS:CANCELLED');
    expect(sessions(publish(calendarOf(WEEKLY(), off)))).toEqual([
      {
        '@context': 'https://openactive.io/',
        '@type': 'ScheduledSession',
        '@id': expect.stringMatching(/\/2027-01-18T18:00:00Z$/),
        identifier: expect.any(String),
        superEvent: expect.stringMatching(/session-series/),
        startDate: '2027-01-18T18:00:00Z',
        endDate: '2027-01-18T19:00:00Z',
        duration: 'PT1H',
        eventStatus: 'https://schema.org/EventCancelled',
      },
    ]);
  });

  test('a moved one keeps the @id of its original start, and the template makes that very @id', () => {
    const result = publish(
      calendarOf(WEEKLY(), OVERRIDE('SUMMARY:Yoga', at('DTSTART', '20270119T200000'), 'DURATION:PT1H')),
    );
    const [moved] = sessions(result);
    expect(moved).toMatchObject({
      startDate: '2027-01-19T20:00:00Z',
      previousStartDate: '2027-01-18T18:00:00Z',
      eventStatus: 'https://schema.org/EventRescheduled',
    });
    expect(fillTemplate(schedule(result).idTemplate as string, Date.UTC(2027, 0, 18, 18), 0)).toBe(moved?.['@id']);
    expect(moved).not.toHaveProperty('name');
  });

  test.each<[string, string]>([
    ['as an instant', 'RECURRENCE-ID:20270118T180000Z'],
    ['as a day', 'RECURRENCE-ID;VALUE=DATE:20270118'],
    ['in another zone', 'RECURRENCE-ID;TZID=Europe/Berlin:20270118T190000'],
    ['floating', 'RECURRENCE-ID:20270118T180000'],
  ])('an instance named %s', (_name, id) => {
    const result = publish(
      calendarOf(WEEKLY(), eventOf('UID:1', id, at('DTSTART', '20270118T190000'), 'DURATION:PT1H')),
    );
    expect(sessions(result)).toMatchObject([{ '@id': expect.stringMatching(/2027-01-18T18:00:00Z$/) }]);
    expect(rowsOf(result.published, FROM, TO)).toHaveLength(6);
  });

  test('RDATE is a session', () => {
    const text = calendarOf(
      eventOf(
        'UID:1',
        at('DTSTART', '20270104T180000'),
        'DURATION:PT1H',
        'RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=3',
        at('RDATE', '20270115T100000'),
      ),
    );
    const result = publish(text);
    expect(rowsOf(result.published, FROM, TO).map((row) => row.slice(0, 10))).toEqual([
      '2027-01-04',
      '2027-01-11',
      '2027-01-15',
      '2027-01-18',
    ]);
  });

  test('RDATE with a PERIOD is a session of its own length', () => {
    const periods = 'RDATE;VALUE=PERIOD:20270113T100000Z/PT3H,20270114T100000Z/20270114T103000Z';
    const result = publish(
      calendarOf(eventOf('UID:1', 'SUMMARY:Yoga', at('DTSTART', '20270104T180000'), 'DURATION:PT1H', periods)),
    );
    expect(rowsOf(result.published, FROM, TO).map((row) => row.slice(0, 39))).toEqual([
      '2027-01-04T18:00:00 2027-01-04T19:00:00',
      '2027-01-13T10:00:00 2027-01-13T13:00:00',
      '2027-01-14T10:00:00 2027-01-14T10:30:00',
    ]);
  });

  test('RDATE with a PERIOD at a date of the rule gives that date its length', () => {
    const period = 'RDATE;VALUE=PERIOD:20270111T180000Z/PT3H';
    const result = publish(calendarOf(WEEKLY(period)));
    expect(rowsOf(result.published, FROM, TO).map((row) => row.slice(5, 39))).toEqual(
      ['04', '11', '18', '25']
        .map((day) => `01-${day}T18:00:00 2027-01-${day}T${day === '11' ? 21 : 19}:00:00`)
        .concat(['01', '08'].map((day) => `02-${day}T18:00:00 2027-02-${day}T19:00:00`)),
    );
    expect(sessions(result)).toHaveLength(1);
  });

  test('from this one on everything moves: RANGE=THISANDFUTURE', () => {
    const future = eventOf(
      'UID:1',
      'RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/London:20270118T180000',
      at('DTSTART', '20270119T190000'),
      'DURATION:PT2H',
      'SUMMARY:Yoga, longer',
    );
    const result = publish(calendarOf(WEEKLY(), future));
    expect(rowsOf(result.published, FROM, TO).map((row) => row.slice(0, 16) + row.slice(39))).toEqual([
      '2027-01-04T18:00 CONFIRMED Yoga',
      '2027-01-11T18:00 CONFIRMED Yoga',
      ...['19', '26'].map((day) => `2027-01-${day}T19:00 CONFIRMED Yoga, longer`),
      ...['02', '09'].map((day) => `2027-02-${day}T19:00 CONFIRMED Yoga, longer`),
    ]);
    expect(schedule(result)).toMatchObject({ endDate: '2027-01-17' });
    expect(schedule(result)).not.toHaveProperty('repeatCount');
  });

  test('and of two RRULEs the one that has ended before keeps its COUNT', () => {
    const ended = 'RRULE:FREQ=DAILY;COUNT=2';
    const future = eventOf(
      'UID:1',
      'RECURRENCE-ID;RANGE=THISANDFUTURE:20270118T180000Z',
      at('DTSTART', '20270119T190000'),
    );
    const { published } = publish(calendarOf(WEEKLY(ended), future));
    const schedules = published['session-series'].flatMap(({ data }) => data.eventSchedule as JsonObject[]);
    expect(schedules.map(({ repeatCount, endDate }) => [repeatCount, endDate])).toEqual([
      [undefined, '2027-01-17'],
      [2, undefined],
    ]);
  });

  test('an override whose master is not there, and one of no instance, are kept', () => {
    const alone = publish(calendarOf(OVERRIDE('SUMMARY:Alone', at('DTSTART', '20270118T180000'), 'DURATION:PT1H')));
    expect(codesOf(alone)).toContain('override-without-master');
    expect(rowsOf(alone.published, FROM, TO)).toEqual(['2027-01-18T18:00:00 2027-01-18T19:00:00 CONFIRMED Alone']);
    const odd = eventOf(
      'UID:1',
      at('RECURRENCE-ID', '20270502T180000'),
      at('DTSTART', '20270502T180000'),
      'SUMMARY:Odd',
      'DURATION:PT1H',
    );
    const strange = publish(calendarOf(WEEKLY(), odd));
    expect(codesOf(strange)).toContain('override-without-instance');
    expect(rowsOf(strange.published, FROM, TO)).toHaveLength(7);
  });

  test('the newer of two versions holds, two different events of one UID are both there', () => {
    const older = eventOf('UID:1', 'SUMMARY:Old', 'SEQUENCE:1', 'DTSTART:20270104T180000Z');
    const newer = eventOf('UID:1', 'SUMMARY:New', 'SEQUENCE:2', 'DTSTART:20270105T180000Z');
    expect(rowsOf(publish(calendarOf(newer, older)).published, FROM, TO).map((row) => row.slice(-3))).toEqual(['New']);
    const other = newer.replace('SEQUENCE:2', 'SEQUENCE:1');
    expect(rowsOf(publish(calendarOf(older, other)).published, FROM, TO)).toHaveLength(2);
  });
});

describe('when a rule changes', () => {
  const EARLIER = WEEKLY();
  const MOVED = OVERRIDE('SUMMARY:Yoga', at('DTSTART', '20270118T200000'), 'DURATION:PT1H');
  const LATER = EARLIER.replace('T180000', 'T183000');

  const previousOf = ({ published }: PublishResult): Previous =>
    Object.values(published).flatMap((objects) => objects.map(({ data }) => data));

  test('the new Schedule excepts what overlaps a session made under the earlier one', () => {
    const before = publish(calendarOf(EARLIER, MOVED));
    const after = publish(calendarOf(LATER, MOVED), MAPPING, previousOf(before));
    expect(sessions(after).map((one) => one['@id'])).toEqual(sessions(before).map((one) => one['@id']));
    expect(schedule(after).exceptDate).toEqual(['2027-01-18T18:30:00Z']);
    expect(rowsOf(after.published, FROM, TO).filter((row) => row.startsWith('2027-01-18'))).toEqual([
      '2027-01-18T20:00:00 2027-01-18T21:00:00 CONFIRMED Yoga',
    ]);
  });

  describe('a session that was cancelled under the earlier one', () => {
    const cancelled = OVERRIDE('SUMMARY:Yoga', 'STATUS:CANCELLED', at('DTSTART', '20270118T180000'), 'DURATION:PT1H');
    const LATEST = EARLIER.replace('T180000', 'T184500');
    const on18 = ({ published }: PublishResult) =>
      rowsOf(published, FROM, TO).filter((row) => row.startsWith('2027-01-18'));
    const OFF = '2027-01-18T18:00:00 2027-01-18T19:00:00 CANCELLED Yoga';

    test('stays cancelled under the new one, and under the next', () => {
      const before = publish(calendarOf(EARLIER, cancelled));
      const after = publish(calendarOf(LATER, cancelled), MAPPING, previousOf(before));
      expect([schedule(after).exceptDate, on18(after)]).toEqual([['2027-01-18T18:30:00Z'], [OFF]]);
      expect(codesOf(after)).toContain('earlier-date-excepted');
      const again = publish(calendarOf(LATER, cancelled), MAPPING, previousOf(after));
      expect(again.published).toEqual(after.published);
      const latest = publish(calendarOf(LATEST, cancelled), MAPPING, previousOf(again));
      expect([schedule(latest).exceptDate, on18(latest)]).toEqual([['2027-01-18T18:45:00Z'], [OFF]]);
    });

    test('is on where no earlier rule is known, as calendar programs show it', () => {
      const first = publish(calendarOf(LATER, cancelled));
      expect(on18(first)).toEqual([OFF, '2027-01-18T18:30:00 2027-01-18T19:30:00 CONFIRMED Yoga']);
      const again = publish(calendarOf(LATER, cancelled), MAPPING, previousOf(first));
      expect(again.published).toEqual(first.published);
    });
  });

  test('on the whole day of it, and of where it has moved', () => {
    const moved = MOVED.replace('20270118T200000', '20270126T070000');
    const daily = LATER.replace('FREQ=WEEKLY;COUNT=6', 'FREQ=DAILY;COUNT=30');
    const result = publish(calendarOf(daily, moved), MAPPING, previousOf(publish(calendarOf(EARLIER, moved))));
    expect(schedule(result).exceptDate).toEqual(['2027-01-18T18:30:00Z', '2027-01-26T18:30:00Z']);
  });

  test('of two times a day, by the length that the earlier Schedule had', () => {
    const twice = LATER.replace('FREQ=WEEKLY;COUNT=6', 'FREQ=WEEKLY;COUNT=12;BYHOUR=7,20').replace('PT1H', 'PT15M');
    const moved = MOVED.replace('T200000', 'T100000');
    const long = calendarOf(EARLIER.replace('PT1H', 'PT3H'), moved);
    expect(schedule(publish(calendarOf(twice, moved))).exceptDate).toBeUndefined();
    const { published } = publish(calendarOf(twice, moved), MAPPING, previousOf(publish(long)));
    const all = published['session-series'].flatMap(({ data }) => data.eventSchedule as JsonObject[]);
    const excepted = all.map((one) => one.exceptDate);
    expect(excepted).toEqual([undefined, ['2027-01-18T20:30:00Z']]);
  });

  test('a session that the calendar no longer has goes, and takes no date with it', () => {
    const before = publish(calendarOf(EARLIER, MOVED));
    const after = publish(calendarOf(LATER), MAPPING, previousOf(before));
    expect(sessions(after)).toEqual([]);
    expect(schedule(after).exceptDate).toBeUndefined();
  });
});

test('the same input gives the same bytes, in whatever order the events come', () => {
  const parts = [WEEKLY(), OVERRIDE(at('DTSTART', '20270119T200000')), eventOf('UID:2', 'DTSTART:20270104T180000Z')];
  const bytes = (list: string[]) => JSON.stringify(publish(calendarOf(...list)).published);
  expect(bytes(parts.toReversed())).toBe(bytes(parts));
});

describe('the pattern of dates that are written out', () => {
  const schedulesOf = (...lines: string[]) =>
    publish(calendarOf(eventOf('UID:1', 'SUMMARY:Race', 'DURATION:PT1H', ...lines))).published['session-series'][0]
      ?.data.eventSchedule;
  const START = 'DTSTART;TZID=Europe/London:20261130T100000';
  const TIMED = { '@type': 'PartialSchedule', startDate: '2026-11-30', startTime: '10:00', endTime: '11:00' };

  test.each<[string, string[]]>([
    ['one date', [START]],
    ['dates without a rule', [START, 'RDATE:20261209T180000Z']],
  ])('none of %s: nothing is usual', (_name, lines) => {
    expect(schedulesOf(...lines)).toEqual([{ '@type': 'PartialSchedule' }]);
  });

  test.each<[string, object]>([
    ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1', { ...TIMED, repeatFrequency: 'P1M' }],
    ['FREQ=MONTHLY;BYMONTHDAY=-1', { ...TIMED, repeatFrequency: 'P1M' }],
    ['FREQ=HOURLY;INTERVAL=12;COUNT=4', { repeatFrequency: 'PT12H' }],
    ['FREQ=YEARLY;BYWEEKNO=1,20;BYHOUR=9,12', { repeatFrequency: 'P1Y' }],
  ])('that of its rule: %s', (rule, expected) => {
    const [only] = schedulesOf(START, `RRULE:${rule}`) as Record<string, unknown>[];
    expect(only).toMatchObject({ '@type': 'PartialSchedule', ...expected });
    expect(only).not.toHaveProperty('byDay');
    expect(Object.hasOwn(only ?? {}, 'startTime')).toBe('startTime' in expected);
  });

  test('all that a Schedule would say, where only the zone or an EXRULE forbids one', () => {
    const rules = ['RRULE:FREQ=WEEKLY;BYDAY=MO,WE;COUNT=6', 'EXRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=WE'];
    const byDay = ['https://schema.org/Monday', 'https://schema.org/Wednesday'];
    expect(schedulesOf(START, ...rules)).toMatchObject([{ ...TIMED, repeatFrequency: 'P1W', byDay }]);
  });
});
