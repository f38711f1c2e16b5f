import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/opportunity/item/json.ts';
import type { Previous, PublishResult } from '../../src/publish/contract.ts';
import { publishCalendars } from '../../src/publish/publish-calendars.ts';
import { calendarOf, codesOf, eventOf, MAPPING, NOW, objectsOf, publish, rowsOf } from './published.ts';

/** Which session is which, when those that are written date by date move. */

const at = (local: string) => `DTSTART;TZID=Europe/London:${local}`;
const ONE = (local: string, ...more: string[]) =>
  calendarOf(eventOf('UID:race', 'SUMMARY:Race', at(local), 'DURATION:PT6H', ...more));
const LIST = (...locals: string[]) => ONE(locals[0] as string, `RDATE;TZID=Europe/London:${locals.slice(1).join(',')}`);

/** Publishes texts one after the other; the sessions of the last as `id start status previous`. */
function sessionsAfter(texts: string[], now = NOW): string[] {
  let previous: Previous = [];
  let result: PublishResult | undefined;
  for (const text of texts) {
    result = publish(text, MAPPING, previous, now);
    expect(publish(text, MAPPING, objectsOf(result.published), now).published).toEqual(result.published);
    previous = objectsOf(result.published);
  }
  return (result as PublishResult).published['scheduled-sessions'].map(({ data }) => rowOf(data));
}

function rowOf(data: JsonObject): string {
  const short = (value: unknown) =>
    (typeof value === 'string' ? value : '').replace(/^.*\/(?=[^/]+$)/, '').replace(':00Z', '');
  return ['@id', 'startDate', 'eventStatus', 'previousStartDate']
    .map((name) => short(data[name]))
    .join(' ')
    .trim();
}

describe('a single event', () => {
  test('that moves keeps its @id and is EventRescheduled', () => {
    expect(sessionsAfter([ONE('20261212T100000'), ONE('20261212T110000')])).toEqual([
      '2026-12-12T10:00 2026-12-12T11:00 EventRescheduled 2026-12-12T10:00',
    ]);
  });

  test('that moves again keeps the first one, also to another week; back again it is as it was', () => {
    const twice = [ONE('20261212T100000'), ONE('20261212T110000'), ONE('20270130T090000')];
    expect(sessionsAfter(twice)).toEqual(['2026-12-12T10:00 2027-01-30T09:00 EventRescheduled 2026-12-12T10:00']);
    expect(sessionsAfter([...twice, ONE('20261212T100000')])).toEqual([
      '2026-12-12T10:00 2026-12-12T10:00 EventScheduled',
    ]);
  });

  test('that is cancelled after it moved is EventCancelled', () => {
    const texts = [ONE('20261212T100000'), ONE('20261212T110000'), ONE('20261212T110000', 'STATUS:CANCELLED')];
    expect(sessionsAfter(texts)).toEqual(['2026-12-12T10:00 2026-12-12T11:00 EventCancelled']);
  });

  test('that has taken place is another one next year', () => {
    expect(sessionsAfter([ONE('20251212T100000'), ONE('20261212T110000')])).toEqual([
      '2026-12-12T11:00 2026-12-12T11:00 EventScheduled',
    ]);
  });

  test('of whole days moves by days', () => {
    const day = (date: string) => calendarOf(eventOf('UID:camp', 'SUMMARY:Camp', `DTSTART;VALUE=DATE:${date}`));
    const mapping = { ...MAPPING, events: [{ as: 'session' as const }] };
    const first = publish(day('20270501'), mapping);
    const second = publish(day('20270508'), mapping, objectsOf(first.published));
    expect(second.published['scheduled-sessions'].map(({ data }) => rowOf(data))).toEqual([
      '2027-04-30T23:00 2027-05-08 EventRescheduled 2027-05-01',
    ]);
  });

  test('that becomes a series is what its Schedule says', () => {
    expect(sessionsAfter([ONE('20261212T100000'), ONE('20261212T100000', 'RRULE:FREQ=WEEKLY')])).toEqual([]);
  });
});

describe('an event with several dates', () => {
  const WEEKS = ['20261201T100000', '20261208T100000', '20261215T100000'];

  test('one of which moves, on its day or within a week', () => {
    expect(sessionsAfter([LIST(...WEEKS), LIST('20261201T100000', '20261208T113000', '20261215T100000')])[1]).toBe(
      '2026-12-08T10:00 2026-12-08T11:30 EventRescheduled 2026-12-08T10:00',
    );
    expect(sessionsAfter([LIST(...WEEKS), LIST('20261201T100000', '20261210T100000', '20261215T100000')])[1]).toBe(
      '2026-12-08T10:00 2026-12-10T10:00 EventRescheduled 2026-12-08T10:00',
    );
  });

  test('all of which move on their days', () => {
    expect(sessionsAfter([LIST(...WEEKS), LIST(...WEEKS.map((one) => one.replace('T10', 'T12')))])).toEqual(
      ['01', '08', '15'].map(
        (day) => `2026-12-${day}T10:00 2026-12-${day}T12:00 EventRescheduled 2026-12-${day}T10:00`,
      ),
    );
  });

  test('where a date is added at the time that another one had, each has its own again', () => {
    const texts = [LIST(...WEEKS), LIST('20261201T100000', '20261208T113000', '20261215T100000')];
    const both = LIST('20261201T100000', '20261208T100000', '20261208T113000', '20261215T100000');
    expect(sessionsAfter([...texts, both]).slice(1, 3)).toEqual([
      '2026-12-08T10:00 2026-12-08T10:00 EventScheduled',
      '2026-12-08T11:30 2026-12-08T11:30 EventScheduled',
    ]);
  });

  test('one that is dropped and another that is added far away are two', () => {
    expect(sessionsAfter([LIST(...WEEKS), LIST('20261201T100000', '20261215T100000', '20270301T100000')])[2]).toBe(
      '2027-03-01T10:00 2027-03-01T10:00 EventScheduled',
    );
  });

  test('a rule that no Schedule can say moves with its sessions', () => {
    const rule = (time: string) =>
      ONE(`20261201T${time}`, 'RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1;COUNT=3');
    expect(sessionsAfter([rule('100000'), rule('103000')])).toEqual(
      ['2026-12-01', '2027-01-01', '2027-02-01'].map(
        (day) => `${day}T10:00 ${day}T10:30 EventRescheduled ${day}T10:00`,
      ),
    );
  });
});

describe('several events of one UID', () => {
  const event = (name: string, local: string, ...more: string[]) =>
    eventOf('UID:0', `SUMMARY:${name}`, at(local), 'DURATION:PT1H', ...more);
  const YOGA = event('Yoga', '20261207T180000', 'RRULE:FREQ=WEEKLY');
  const JUDO = event('Judo', '20261207T180000', 'RRULE:FREQ=WEEKLY');
  const LATE = event('Yoga', '20261209T200000', 'RRULE:FREQ=WEEKLY');

  /** `@id` of each series by `name start`; `calendars`: the events of each. */
  function idsOf(calendars: string[][], previous: Previous): { ids: Record<string, string>; objects: JsonObject[] } {
    const inputs = calendars.map((events, index) => ({ source: `${index}.ics`, text: calendarOf(...events) }));
    const { published } = publishCalendars(inputs, MAPPING, previous, NOW);
    const rows = published['session-series'].map(({ data }) => {
      const [schedule] = data.eventSchedule as JsonObject[];
      const name = `${data.name as string} ${schedule?.startTime as string}`;
      return [name, data['@id'] as string] as const;
    });
    expect(new Set(rows.map(([, id]) => id)).size).toBe(rows.length);
    return { ids: Object.fromEntries(rows), objects: objectsOf(published) };
  }

  test.each<[string, string[][], string[][]]>([
    ['in two calendars, in either order', [[YOGA], [JUDO]], [[JUDO], [YOGA]]],
    ['in three calendars', [[YOGA], [JUDO], [LATE]], [[LATE], [JUDO], [YOGA]]],
    ['in one calendar, in either order', [[YOGA, LATE]], [[LATE, YOGA]]],
    ['in one calendar and in two', [[YOGA, LATE]], [[LATE], [YOGA]]],
    ['twice in two calendars', [[YOGA, LATE], [YOGA]], [[YOGA], [LATE, YOGA]]],
  ])('are all published, %s', (_name, one, other) => {
    const first = idsOf(one, []);
    expect(Object.keys(first.ids)).toHaveLength(new Set(one.flat()).size);
    expect(idsOf(other, []).ids).toEqual(first.ids);
    expect(idsOf(other, first.objects).ids).toEqual(first.ids);
  });

  test.each([
    ['Yoga', YOGA],
    ['Judo', JUDO],
  ])('what was published of one keeps its @id when the other comes, and each when the other goes: %s', (name, own) => {
    const alone = idsOf([[own]], []);
    const both = idsOf([[JUDO], [YOGA]], alone.objects);
    expect(both.ids).toMatchObject(alone.ids);
    for (const kept of [YOGA, JUDO]) expect(both.ids).toMatchObject(idsOf([[kept]], both.objects).ids);
    const renamed = idsOf(
      [[JUDO], [YOGA]].map((list) => list.map((one) => one.replace(`SUMMARY:${name}`, 'SUMMARY:Tai Chi'))),
      both.objects,
    );
    expect(renamed.ids['Tai Chi 18:00']).toBe(alone.ids[`${name} 18:00`]);
  });

  test('changed dates stay with the series, wherever in the calendar it is', () => {
    const moved = event('Yoga', '20261215T090000', 'RECURRENCE-ID;TZID=Europe/London:20261214T180000');
    const single = event('Race', '20261201T090000');
    const sessions = (...events: string[]) =>
      publish(calendarOf(...events)).published['scheduled-sessions'].map(({ data }) => rowOf(data));
    expect(sessions(single, YOGA, moved)).toEqual(sessions(moved, YOGA, single));
    expect(sessions(single, YOGA, moved)).toContain(
      '2026-12-14T18:00 2026-12-15T09:00 EventRescheduled 2026-12-14T18:00',
    );
  });

  test('changed dates belong to the event that has them', () => {
    const spring = event('Yoga', '20261207T180000', 'RRULE:FREQ=WEEKLY;COUNT=3');
    const summer = event('Yoga', '20270104T190000', 'RRULE:FREQ=WEEKLY;UNTIL=20270126T000000Z');
    const cancelled = (local: string) =>
      event('Yoga', local, `RECURRENCE-ID;TZID=Europe/London:${local}`, 'STATUS:CANCELLED');
    const events = [spring, summer, cancelled('20261214T180000'), cancelled('20270111T190000')];
    for (const order of [events, events.toReversed()]) {
      const result = publish(calendarOf(...order));
      expect(codesOf(result)).toEqual(['uid-twice']);
      const rows = rowsOf(result.published, NOW, Date.UTC(2028, 0)).map((row) => row.split(' '));
      expect(rows.map(([start, , status]) => `${start?.slice(0, 10)} ${status}`)).toEqual([
        '2026-12-07 CONFIRMED',
        '2026-12-14 CANCELLED',
        '2026-12-21 CONFIRMED',
        '2027-01-04 CONFIRMED',
        '2027-01-11 CANCELLED',
        '2027-01-18 CONFIRMED',
        '2027-01-25 CONFIRMED',
      ]);
    }
  });

  const ALONE = 'Give each event a UID of its own, and delete an event that is there twice: several share this one; ';

  test.each<[string, string[][], string]>([
    [
      'an older version',
      [[event('Judo', '20261206T180000', 'SEQUENCE:1'), event('Yoga', '20261207T180000', 'SEQUENCE:2')]],
      '1 was published, without "Judo" of 2026-12-06T18:00 in line 4.',
    ],
    [
      'of two calendars',
      [[YOGA], [YOGA]],
      '"Yoga" of 2026-12-07T18:00 was published as it is in 0.ics, and the one of 1.ics was left out.',
    ],
    ['none', [[YOGA], [JUDO]], 'all were published; the other calendar is 0.ics.'],
    ['none of one calendar', [[YOGA, JUDO]], 'all were published.'],
  ])('name what was left out: %s', (_name, calendars, kept) => {
    const inputs = calendars.map((events, index) => ({ source: `${index}.ics`, text: calendarOf(...events) }));
    const found = publishCalendars(inputs, MAPPING, [], NOW).findings.filter(({ code }) => code === 'uid-twice');
    expect(found.map(({ item, message }) => [item, message])).toEqual([['0', `${ALONE}${kept}`]]);
  });

  test('that are one event stay one', () => {
    expect(Object.keys(idsOf([[YOGA], [YOGA]], []).ids)).toEqual(['Yoga 18:00']);
  });
});
