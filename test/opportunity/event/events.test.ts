import { describe, expect, test } from 'vitest';
import { scopeOf } from '../../../src/opportunity/identity.ts';
import type { Series, Session } from '../../../src/opportunity/records.ts';
import { seriesWith, sessionWith, through } from '../reader.ts';

const SCOPE = scopeOf('https://feed.example/rpde');

const at = (text: string) => Date.parse(text);
const sessionOf = (data: Record<string, unknown>) => through(sessionWith(data)).sessions[0] as Session;

describe('a ScheduledSession', () => {
  test('of a series named by address', () => {
    const { all, records, findings } = through(
      sessionWith({
        eventStatus: 'https://schema.org/EventScheduled',
        remainingAttendeeCapacity: 3,
        url: 'https://x.org/book/1',
      }),
    );
    expect(all).toEqual([
      {
        kind: 'session',
        id: 'https://x.org/s/1',
        idStated: true,
        type: 'ScheduledSession',
        series: 'https://x.org/s',
        start: at('2027-03-01T10:00:00Z'),
        end: at('2027-03-01T11:00:00Z'),
        url: 'https://x.org/book/1',
        status: 'EventScheduled',
        details: {},
        remainingAttendeeCapacity: 3,
      },
    ]);
    expect(records).toEqual([[2, 'session', 'https://x.org/s/1']]);
    expect(findings).toEqual([]);
  });

  test('type and id without @, and the kind says nothing', () => {
    const { sessions, codes } = through({
      type: 'ScheduledSession',
      id: 'https://x.org/1',
      superEvent: 'https://x.org/s',
      startDate: '2027-03-01T10:00:00Z',
      duration: 'PT1H',
    });
    expect(sessions).toMatchObject([{ id: 'https://x.org/1', idStated: true, type: 'ScheduledSession' }]);
    expect(codes).toEqual(['unprefixed-keywords']);
  });

  test.each([
    'ScheduledSession ',
    'oa:ScheduledSession',
    'https://openactive.io/ScheduledSession',
    'https://openactive.io/ScheduledSession/',
    ['Thing', 'ScheduledSession'],
  ])('type %j', (type) => {
    expect(through(sessionWith({ '@type': type })).sessions).toHaveLength(1);
  });

  test('without an @id the item stands in for one', () => {
    const { sessions, findings } = through(sessionWith({ '@id': undefined, identifier: 'AB' }));
    expect(sessions).toMatchObject([{ id: `${SCOPE}#ScheduledSession/kind/1`, idStated: false }]);
    expect(findings).toEqual(['id-missing']);
  });

  test('an @id that is no address is kept as it is', () => {
    expect(through(sessionWith({ '@id': 1234 }))).toMatchObject({
      sessions: [{ id: '1234', idStated: true }],
      codes: ['id-not-url'],
    });
  });

  test.each(['a\nb', 'x'.repeat(3000), {}, true])('an @id that cannot be used: %j', (id) => {
    expect(through(sessionWith({ '@id': id }))).toMatchObject({
      sessions: [{ idStated: false }],
      codes: ['id-unusable', 'id-missing'],
    });
  });

  test('without a series it is a session of nobody', () => {
    const { sessions, codes } = through(sessionWith({ superEvent: undefined }));
    expect(sessions[0]).not.toHaveProperty('series');
    expect(codes).toEqual(['session-without-series']);
  });

  test.each([
    ['an address', 'https://x.org/s', 'https://x.org/s', []],
    ['an object that only points', { '@type': 'SessionSeries', '@id': 'https://x.org/s' }, 'https://x.org/s', []],
    ['an array', ['https://x.org/s'], 'https://x.org/s', []],
    ['a number', 77, '77', ['reference-not-url superEvent']],
    ['a word', 'series-77', 'series-77', ['reference-not-url superEvent']],
    ['itself', 'https://x.org/s/1', undefined, ['super-event-is-itself superEvent', 'session-without-series']],
    [
      'an object that is itself',
      { '@type': 'SessionSeries', '@id': 'https://x.org/s/1', name: 'x' },
      undefined,
      ['super-event-is-itself superEvent', 'session-without-series'],
    ],
    ['nothing usable', true, undefined, ['reference-unusable superEvent', 'session-without-series']],
  ])('superEvent: %s', (_name, superEvent, series, found) => {
    const { sessions, findings } = through(sessionWith({ superEvent }));
    expect(sessions[0]?.series).toBe(series);
    expect(findings).toEqual(found);
  });
});

describe('when a session is', () => {
  test.each([
    [
      'an offset',
      { startDate: '2027-03-01T10:00:00+01:00', endDate: '2027-03-01T11:00:00+01:00' },
      '2027-03-01T09:00:00Z',
      '2027-03-01T10:00:00Z',
      [],
    ],
    ['end by duration', { endDate: undefined, duration: 'PT45M' }, '2027-03-01T10:00:00Z', '2027-03-01T10:45:00Z', []],
    [
      'endDate wins over duration',
      { duration: 'PT45M' },
      '2027-03-01T10:00:00Z',
      '2027-03-01T11:00:00Z',
      ['end-differs-from-duration endDate'],
    ],
    [
      'a second before the full minute is the full minute',
      { endDate: '2027-03-01T10:59:59Z', duration: 'PT1H' },
      '2027-03-01T10:00:00Z',
      '2027-03-01T11:00:00Z',
      ['end-at-59-seconds endDate'],
    ],
    [
      'local time in summer',
      { startDate: '2027-07-01T10:00:00', endDate: '2027-07-01T11:00:00' },
      '2027-07-01T09:00:00Z',
      '2027-07-01T10:00:00Z',
      ['datetime-without-zone startDate'],
    ],
    [
      'an end before the start',
      { endDate: '2027-03-01T09:00:00Z', duration: 'PT1H' },
      '2027-03-01T10:00:00Z',
      '2027-03-01T11:00:00Z',
      ['end-before-start endDate'],
    ],
    [
      'the end of the series',
      { endDate: '2029-03-01T11:00:00Z', duration: 'PT24H' },
      '2027-03-01T10:00:00Z',
      '2027-03-02T10:00:00Z',
      ['session-too-long endDate'],
    ],
    [
      'an end a year off',
      { endDate: '2028-03-01T11:00:00Z', duration: 'PT1H' },
      '2027-03-01T10:00:00Z',
      '2027-03-01T11:00:00Z',
      ['session-end-far-off endDate'],
    ],
    [
      'an end a day and a minute off',
      { endDate: '2027-03-02T10:01:00Z', duration: 'PT1H' },
      '2027-03-01T10:00:00Z',
      '2027-03-01T11:00:00Z',
      ['session-end-far-off endDate'],
    ],
    [
      'an end the next morning',
      { endDate: '2027-03-02T10:00:00Z', duration: 'PT1H' },
      '2027-03-01T10:00:00Z',
      '2027-03-02T10:00:00Z',
      ['end-differs-from-duration endDate'],
    ],
    [
      'a date as an end',
      { endDate: '2027-03-01', duration: 'PT1H' },
      '2027-03-01T10:00:00Z',
      '2027-03-01T11:00:00Z',
      ['end-without-time endDate'],
    ],
    [
      'an unreadable end',
      { endDate: 'later', duration: 'PT1H' },
      '2027-03-01T10:00:00Z',
      '2027-03-01T11:00:00Z',
      ['date-invalid endDate'],
    ],
    ['no end at all', { endDate: undefined }, '2027-03-01T10:00:00Z', undefined, ['session-without-end']],
    [
      'a duration of nothing',
      { endDate: undefined, duration: 'PT0S' },
      '2027-03-01T10:00:00Z',
      undefined,
      ['duration-zero duration', 'session-without-end'],
    ],
  ])('%s', (_name, data, start, end, found) => {
    const { sessions, findings } = through(sessionWith(data));
    expect([sessions[0]?.start, sessions[0]?.end]).toEqual([at(start), end && at(end)]);
    expect(findings).toEqual(found);
  });

  test.each([
    ['no start', { startDate: undefined }, ['session-without-start']],
    ['an unreadable start', { startDate: '1 March' }, ['date-invalid startDate']],
    ['a start that means none', { startDate: '0001-01-01T00:00:00Z' }, ['date-out-of-range startDate']],
  ])('%s: nothing is guessed', (_name, data, found) => {
    const { all, findings } = through(sessionWith({ ...data, '@id': undefined }));
    expect(all).toEqual([]);
    expect(findings).toEqual(['id-missing', ...found]);
  });

  test.each<[string, Record<string, unknown>, object, string[]]>([
    ['no start', { startDate: undefined }, { end: at('2027-03-01T11:00:00Z') }, ['session-without-start']],
    [
      'an unreadable start',
      { startDate: '1 March', endDate: undefined, duration: 'PT1H' },
      { length: 3_600_000 },
      ['date-invalid startDate'],
    ],
    [
      'an earlier start alone',
      { '@id': undefined, startDate: undefined, endDate: undefined, previousStartDate: '2027-03-01T10:00:00Z' },
      { previousStart: at('2027-03-01T10:00:00Z') },
      ['id-missing', 'session-without-start'],
    ],
  ])('%s: it is kept for the instance that it may replace', (_name, data, known, found) => {
    const { sessions, findings } = through(sessionWith(data));
    expect(sessions).toEqual([expect.objectContaining(known)]);
    expect(sessions[0]).not.toHaveProperty('start');
    expect(findings).toEqual(found);
  });
});

test('an earlier start that is a date replaces nothing, and is named', () => {
  const { sessions, findings } = through(sessionWith({ previousStartDate: '2027-02-28' }));
  expect(sessions[0]).not.toHaveProperty('previousStart');
  expect(findings).toEqual(['previous-start-without-time previousStartDate']);
});

test('a start that the clocks skip is named, and not the end behind it', () => {
  const { sessions, findings } = through(
    sessionWith({ startDate: '2027-03-28T01:30:00', endDate: '2027-03-28T02:30:00', duration: 'PT1H' }),
  );
  expect(sessions).toMatchObject([{ start: at('2027-03-28T01:30:00Z'), end: at('2027-03-28T02:30:00Z') }]);
  expect(findings).toEqual(['datetime-without-zone startDate', 'start-skipped-by-clocks startDate']);
});

describe('a session of whole days', () => {
  const dates = (start: string, end: string) => [at(`${start}T00:00:00Z`), at(`${end}T00:00:00Z`)];
  test.each([
    ['a date only', {}, dates('2027-03-01', '2027-03-02'), []],
    ['its last day is included', { endDate: '2027-03-03' }, dates('2027-03-01', '2027-03-04'), []],
    ['the same day', { endDate: '2027-03-01' }, dates('2027-03-01', '2027-03-02'), []],
    ['days as a duration', { duration: 'P3D' }, dates('2027-03-01', '2027-03-04'), []],
    ['hours are of the day', { duration: 'PT2H' }, dates('2027-03-01', '2027-03-02'), []],
    ['an end with a time is of its date', { endDate: '2027-03-02T16:00:00Z' }, dates('2027-03-01', '2027-03-03'), []],
    ['an end at midnight is of the day before', { endDate: '2027-03-03T00:00' }, dates('2027-03-01', '2027-03-03'), []],
    ['the night the clocks change', { endDate: '2027-03-28' }, dates('2027-03-01', '2027-03-29'), []],
    [
      'an end against days as a duration',
      { endDate: '2027-03-03', duration: 'P5D' },
      dates('2027-03-01', '2027-03-04'),
      ['end-differs-from-duration endDate'],
    ],
    ['an end before', { endDate: '2027-02-27' }, dates('2027-03-01', '2027-03-02'), ['end-before-start endDate']],
    ['an end in years', { endDate: '2039-02-27' }, dates('2027-03-01', '2027-03-02'), ['session-too-long endDate']],
    ['an end that is none', { endDate: 'soon' }, dates('2027-03-01', '2027-03-02'), ['date-invalid endDate']],
  ])('%s', (_name, more, [start, end], found) => {
    const data = { startDate: '2027-03-01', endDate: undefined, duration: undefined, ...more };
    const { sessions, findings } = through(sessionWith(data));
    expect(sessions).toMatchObject([{ start, end, allDay: true }]);
    expect(findings).toEqual(['start-without-time startDate', ...found]);
  });
});

describe('eventStatus', () => {
  test.each([
    ['https://schema.org/EventCancelled', 'EventCancelled', []],
    ['http://schema.org/EventCancelled', 'EventCancelled', []],
    ['schema:EventPostponed', 'EventPostponed', []],
    ['EventRescheduled ', 'EventRescheduled', []],
    ['cancelled', 'EventCancelled', ['status-spelling']],
    ['https://schema.org/Canceled', 'EventCancelled', ['status-spelling']],
    [{ '@id': 'https://schema.org/EventCancelled' }, 'EventCancelled', []],
    [['https://schema.org/EventCancelled'], 'EventCancelled', []],
    ['http://schema.org/EventCancelled/', 'EventCancelled', ['status-spelling']],
    ['Event Cancelled', 'EventCancelled', ['status-spelling']],
    ['EventStatusCancelled', 'EventCancelled', ['status-spelling']],
    ['event-postponed', 'EventPostponed', ['status-spelling']],
    [['https://schema.org/EventScheduled', 'https://schema.org/EventCancelled'], 'EventCancelled', ['status-several']],
    [['EventRescheduled', 'EventPostponed', 'Booked'], 'EventPostponed', ['status-several']],
    ['https://schema.org/EventMovedOnline', 'EventScheduled', ['status-moved-online']],
    [['EventRescheduled', 'EventMovedOnline'], 'EventRescheduled', ['status-several']],
  ])('%j', (eventStatus, status, found) => {
    const { sessions, codes } = through(sessionWith({ eventStatus }));
    expect(sessions).toMatchObject([{ status }]);
    expect(sessions[0]).not.toHaveProperty('statusStated');
    expect(codes).toEqual(found);
  });

  test.each(['https://schema.org/EventBooked', 7, {}])('%j is unknown: scheduled, and not stated', (eventStatus) => {
    expect(through(sessionWith({ eventStatus }))).toMatchObject({
      sessions: [{ status: 'EventScheduled', statusStated: false }],
      codes: ['status-unknown'],
    });
  });

  test.each<[Record<string, unknown>, string | undefined]>([
    [{ eventStatus: 'https://schema.org/EventMovedOnline' }, 'online'],
    [{ eventStatus: ['EventRescheduled', 'EventMovedOnline'] }, 'online'],
    [{ eventStatus: 'EventMovedOnline', eventAttendanceMode: 'https://schema.org/MixedEventAttendanceMode' }, 'mixed'],
    [{ eventStatus: 'https://schema.org/EventRescheduled' }, undefined],
  ])('%j is attended %s', (data, attendance) => {
    const { sessions, codes } = through(sessionWith(data));
    expect(sessions[0]?.details.attendance).toBe(attendance);
    expect(codes.includes('status-moved-online')).toBe(attendance === 'online' && typeof data.eventStatus === 'string');
  });

  test('not stated, the series’ holds', () => {
    expect(sessionOf({ eventStatus: undefined })).toMatchObject({ status: 'EventScheduled', statusStated: false });
  });
});

describe('a series embedded in its session', () => {
  const embedded = (superEvent: Record<string, unknown>) => through(sessionWith({ superEvent }));

  test('becomes a record of the least rank, with what its own EventSeries says', () => {
    const { records, series, codes } = embedded({
      '@type': 'SessionSeries',
      '@id': 'https://x.org/s',
      level: ['Beginner'],
      offers: [{ '@type': 'Offer', price: 5, priceCurrency: 'GBP' }],
      superEvent: {
        '@type': 'EventSeries',
        name: 'Yoga',
        level: ['All'],
        offers: [{ price: 1 }],
        eventStatus: 'https://schema.org/EventPostponed',
      },
    });
    expect(records).toEqual([
      [0, 'series', 'https://x.org/s'],
      [2, 'session', 'https://x.org/s/1'],
    ]);
    expect(series).toMatchObject([
      {
        type: 'SessionSeries',
        status: 'EventPostponed',
        details: { name: 'Yoga', level: ['Beginner'], offers: [{ price: 5, currency: 'GBP' }] },
      },
    ]);
    expect(codes).toEqual([]);
  });

  test.each([
    ['identifier', { identifier: 'S1', url: 'https://x.org/home', name: 'Yoga' }, 'SessionSeries/S1'],
    [
      'identifier as PropertyValue',
      { identifier: [{ '@type': 'PropertyValue', propertyID: 'ref', value: 12 }] },
      'SessionSeries/12',
    ],
    ['url and name', { url: 'https://x.org/home', name: 'Yoga' }, 'SessionSeries/https%3A%2F%2Fx.org%2Fhome/Yoga'],
    [
      'name and place',
      { name: 'Yoga', location: { '@type': 'Place', '@id': 'https://x.org/p', name: 'Hall' } },
      'SessionSeries/Yoga/https%3A%2F%2Fx.org%2Fp',
    ],
    ['the item it is in', { name: 'Yoga' }, 'SessionSeries/kind/1'],
  ])('without an @id its stand-in is made of %s', (_name, data, id) => {
    const { series, sessions } = embedded({ '@type': 'SessionSeries', ...data });
    expect(series[0]?.id).toBe(`${SCOPE}#${id}`);
    expect(sessions[0]?.series).toBe(series[0]?.id);
  });

  test.each([
    [undefined, 'SessionSeries', []],
    ['SessionSeries', 'SessionSeries', []],
    ['EventSeries', 'EventSeries', []],
    ['HeadlineEvent', 'HeadlineEvent', []],
    ['Course', 'CourseInstance', []],
    ['Programme', 'SessionSeries', ['super-event-type-unknown']],
  ])('of type %j', (type, expected, found) => {
    const { series, codes } = embedded({ ...(type && { '@type': type }), '@id': 'https://x.org/s', name: 'Yoga' });
    expect(series[0]?.type).toBe(expected);
    expect(codes).toEqual(found);
  });

  test('its other sub-events are not read, with a finding', () => {
    const { sessions, codes } = embedded({
      '@type': 'SessionSeries',
      '@id': 'https://x.org/s',
      name: 'Yoga',
      subEvent: [{ '@id': 'https://x.org/s/2' }],
    });
    expect([sessions.length, codes]).toEqual([1, ['sub-events-of-parent']]);
  });

  test('parents of parents end somewhere', () => {
    let chain: Record<string, unknown> = { '@type': 'EventSeries', name: 'the last' };
    for (let i = 0; i < 50; i += 1) chain = { '@type': 'EventSeries', superEvent: chain };
    const { series, codes } = embedded({ '@type': 'SessionSeries', '@id': 'https://x.org/s', superEvent: chain });
    expect(series).toHaveLength(1);
    expect(codes).toContain('nested-too-deep');
  });
});

describe('a SessionSeries', () => {
  test('with sub-events: they are its sessions', () => {
    const { records, sessions, codes } = through(
      seriesWith({
        eventSchedule: undefined,
        subEvent: [
          {
            '@type': 'ScheduledSession',
            '@id': 'https://x.org/s/1',
            startDate: '2027-03-01T10:00:00Z',
            duration: 'PT1H',
            name: 'Special',
          },
          { '@id': 'https://x.org/s/2', startDate: '2027-03-08T10:00:00Z', duration: 'PT1H' },
        ],
      }),
    );
    expect(records).toEqual([
      [2, 'series', 'https://x.org/s'],
      [1, 'session', 'https://x.org/s/1'],
      [1, 'session', 'https://x.org/s/2'],
    ]);
    expect(sessions).toMatchObject([
      { series: 'https://x.org/s', type: 'ScheduledSession', details: { name: 'Special' } },
      { series: 'https://x.org/s', type: 'ScheduledSession', details: {} },
    ]);
    expect(codes).toEqual([]);
  });

  test('one sub-event without an array', () => {
    expect(
      through(
        seriesWith({ subEvent: { '@id': 'https://x.org/1', startDate: '2027-03-01T10:00:00Z', duration: 'PT1H' } }),
      ).sessions,
    ).toHaveLength(1);
  });

  test('its own dates and duration are its bounds, and no session’s', () => {
    const { series, sessions } = through(
      seriesWith({ startDate: '2027-01-01T10:00:00Z', endDate: '2027-12-31T11:00:00Z', duration: 'P126D' }),
    );
    expect([series.length, sessions.length]).toEqual([1, 0]);
  });

  test('sub-events by address are counted', () => {
    const { codes, sessions } = through(seriesWith({ subEvent: ['https://x.org/1', { '@id': 'https://x.org/2' }] }));
    expect([codes, sessions]).toEqual([['sub-event-by-reference'], []]);
    const one = { '@id': 'https://x.org/1', startDate: '2027-03-01T10:00:00Z', duration: 'PT1H' };
    expect(through(seriesWith({ subEvent: ['', one] }))).toMatchObject({
      findings: ['reference-unusable subEvent[0]'],
      sessions: [{}],
    });
  });

  test('a start of their parent that cannot be read is a finding where it is', () => {
    const headline = {
      '@type': 'HeadlineEvent',
      '@id': 'https://x.org/h',
      name: 'Gala',
      startDate: 'x',
      subEvent: [{}],
    };
    const { findings } = through({
      '@type': 'EventSeries',
      '@id': 'https://x.org/e',
      name: 'Galas',
      subEvent: [headline],
    });
    expect(findings.filter((one) => one.startsWith('date-invalid'))).toEqual(['date-invalid subEvent[0].startDate']);
  });

  test('with nothing in it', () => {
    expect(through(seriesWith({ eventSchedule: [] }))).toMatchObject({
      series: [{ schedules: [] }],
      codes: ['series-without-schedule'],
    });
  });

  test('a parent named by address is kept for joining', () => {
    expect(through(seriesWith({ superEvent: 'https://x.org/es', name: undefined }))).toMatchObject({
      series: [{ parent: 'https://x.org/es' }],
      codes: [],
    });
  });

  test('no name anywhere', () => {
    expect(through(seriesWith({ name: ' ' })).codes).toEqual(['name-missing']);
  });

  test('broken sub-events leave the others alone', () => {
    const subEvent = [
      5,
      null,
      { '@type': 'ScheduledSession' },
      { '@id': 'https://x.org/1', startDate: '2027-03-01T10:00:00Z', duration: 'PT1H' },
    ];
    const { sessions, findings } = through(seriesWith({ subEvent }));
    expect(sessions.map(({ id }) => id)).toEqual(['https://x.org/1']);
    expect(findings).toEqual([
      'reference-unusable subEvent[0]',
      'reference-unusable subEvent[1]',
      'session-without-start subEvent[2]',
    ]);
  });
});

describe('stand-ins of sub-events', () => {
  const one = (data: Record<string, unknown>) => ({
    '@type': 'ScheduledSession',
    startDate: '2027-03-01T10:00:00Z',
    duration: 'PT1H',
    ...data,
  });
  const ids = (subEvent: unknown[]) =>
    through(seriesWith({ subEvent })).sessions.map(({ id }) => id.replace('https://x.org/s#/subEvent/', ''));

  test('the identifier, else the start', () => {
    expect(ids([one({ identifier: 14 }), one({ startDate: '2027-03-08T10:00:00Z' })])).toEqual([
      '14',
      '2027-03-08T10%3A00%3A00.000Z',
    ]);
  });

  test('an identifier that all share is joined by the start', () => {
    const found = ids([one({ identifier: 'S' }), one({ identifier: 'S', startDate: '2027-03-08T10:00:00Z' })]);
    expect(found).toEqual(['S%2F2027-03-01T10%3A00%3A00.000Z', 'S%2F2027-03-08T10%3A00%3A00.000Z']);
  });

  test('two courts at the same time stay two, whatever their order', () => {
    const courts = [one({ name: 'Court 1' }), one({ name: 'Court 2' })];
    const forwards = through(seriesWith({ subEvent: courts })).sessions;
    const backwards = through(seriesWith({ subEvent: courts.toReversed() })).sessions;
    const byName = (sessions: Session[]) => Object.fromEntries(sessions.map(({ id, details }) => [details.name, id]));
    expect(new Set(forwards.map(({ id }) => id)).size).toBe(2);
    expect(byName(forwards)).toEqual(byName(backwards));
  });

  test('one that is listed twice is one', () => {
    const { sessions, codes } = through(seriesWith({ subEvent: [one({}), one({})] }));
    expect(sessions).toHaveLength(1);
    expect(codes).toContain('repeated-within-item');
  });
});

describe('the Event family', () => {
  const event = (data: Record<string, unknown>) =>
    through({ '@type': 'Event', '@id': 'https://x.org/e', name: 'Run', ...data });
  const when = { startDate: '2027-03-01T10:00:00Z', endDate: '2027-03-01T11:00:00Z' };
  const kinds = (result: ReturnType<typeof through>) => result.records.map(([rank, kind]) => `${kind}${rank}`);

  test('an Event by itself is a series and its one session, of the same id', () => {
    const result = event({
      ...when,
      url: 'https://x.org/e.html',
      eventStatus: 'https://schema.org/EventCancelled',
      offers: { price: '0' },
    });
    expect(result.series).toMatchObject([
      {
        id: 'https://x.org/e',
        type: 'Event',
        status: 'EventCancelled',
        details: { name: 'Run', offers: [{ price: 0 }] },
      },
    ]);
    expect(result.sessions).toMatchObject([
      {
        id: 'https://x.org/e',
        idStated: true,
        series: 'https://x.org/e',
        type: 'Event',
        status: 'EventCancelled',
        url: 'https://x.org/e.html',
        details: {},
      },
    ]);
    expect(kinds(result)).toEqual(['series2', 'session2']);
  });

  test.each([
    ['an embedded EventSeries', { '@type': 'EventSeries', '@id': 'https://x.org/es', level: ['Easy'] }],
    ['an embedded parent without a type', { '@id': 'https://x.org/es', level: ['Easy'] }],
  ])('under %s it stays by itself, and takes what that says', (_name, superEvent) => {
    const result = event({ ...when, superEvent });
    expect(result.series).toMatchObject([{ id: 'https://x.org/e', details: { name: 'Run', level: ['Easy'] } }]);
    expect(kinds(result)).toEqual(['series2', 'session2']);
  });

  test.each([
    ['an address', 'https://x.org/h', ['series2', 'session2']],
    [
      'an embedded HeadlineEvent',
      { '@type': 'HeadlineEvent', '@id': 'https://x.org/h', name: 'Games' },
      ['series0', 'series2', 'session2'],
    ],
    [
      'an embedded CourseInstance',
      { '@type': 'CourseInstance', '@id': 'https://x.org/h', name: 'Course' },
      ['series0', 'series2', 'session2'],
    ],
    [
      'an embedded SessionSeries',
      { '@type': 'SessionSeries', '@id': 'https://x.org/h', name: 'Yoga' },
      ['series0', 'series2', 'session2'],
    ],
  ])('under %s it is a session of that', (_name, superEvent, expected) => {
    const result = event({ ...when, superEvent });
    expect(kinds(result)).toEqual(expected);
    const named = { id: 'https://x.org/e', series: 'https://x.org/h', type: 'Event', details: { name: 'Run' } };
    expect(result.sessions).toMatchObject([{ ...named, ownSeries: true }]);
    // Its own, which is shown while the other one is missing.
    expect(result.series.at(-1)).toMatchObject({ id: 'https://x.org/e', untilJoined: true, details: { name: 'Run' } });
    expect(result.series.at(-1)).not.toHaveProperty('parent');
  });

  test('under an address without a start it is a session of that alone', () => {
    expect(kinds(event({ superEvent: 'https://x.org/h', previousStartDate: when.startDate }))).toEqual(['session2']);
  });

  test('version 1: an Event with subEvent is a series', () => {
    const result = event({
      subEvent: [{ type: 'Event', ...when }],
      offer: { type: 'Offer', price: '5.00' },
      activities: 'Running',
      location: undefined,
    });
    expect(kinds(result)).toEqual(['series2', 'session1']);
    expect(result.series).toMatchObject([{ details: { offers: [{ price: 5 }], activity: ['Running'] } }]);
    expect(result.codes).toEqual(
      expect.arrayContaining(['event-with-schedule', 'property-misnamed', 'price-as-text', 'id-missing']),
    );
  });

  test('a HeadlineEvent’s sub-event without a start takes place when it does', () => {
    const { sessions, codes } = event({
      '@type': 'HeadlineEvent',
      ...when,
      subEvent: [{ '@id': 'https://x.org/e/1', name: 'Stage' }],
    });
    const times = { start: at(when.startDate), end: at(when.endDate) };
    // Its own event is beside the part (semantics 4.9); the calendar leaves it out, for the times are the same.
    expect(sessions).toMatchObject([
      { id: 'https://x.org/e', ...times, type: 'HeadlineEvent' },
      { id: 'https://x.org/e/1', ...times, type: 'Event' },
    ]);
    expect(codes).toEqual(['start-inherited']);
  });

  test('sub-events of sub-events are sessions of the whole', () => {
    const { sessions } = event({
      '@type': 'HeadlineEvent',
      subEvent: [{ '@type': 'Event', subEvent: [{ '@id': 'https://x.org/e/1', ...when }] }],
    });
    expect(sessions).toMatchObject([{ id: 'https://x.org/e/1', series: 'https://x.org/e' }]);
  });

  test('sub-events within each other end somewhere', () => {
    let inner: Record<string, unknown> = { ...when };
    for (let i = 0; i < 5000; i += 1) inner = { '@type': 'Event', subEvent: [inner] };
    expect(event({ '@type': 'HeadlineEvent', subEvent: [inner] }).codes).toContain('nested-too-deep');
  });

  test('a CourseInstance has what its course says, without the course’s offers', () => {
    const { series, codes } = event({
      '@type': 'CourseInstance',
      startDate: '2027-08-01',
      instanceOfCourse: { '@type': 'Course', name: 'Camp', description: 'Balls!', offers: [{ price: 1 }] },
      eventSchedule: [{ '@type': 'PartialSchedule' }],
    });
    expect(series[0]?.details).toEqual({ name: 'Run', description: 'Balls!' });
    expect(codes).toEqual([]);
  });

  test.each<[string, unknown, string, string[]]>([
    ['a course', undefined, 'https://x.org/c', []],
    ['a course and an EventSeries', 'https://x.org/es', 'https://x.org/es', ['course-beside-super-event']],
    ['a course beside an embedded EventSeries', { '@type': 'EventSeries', name: 'Camps' }, 'https://x.org/c', []],
  ])('a CourseInstance that names %s', (_name, superEvent, parent, expected) => {
    for (const instanceOfCourse of ['https://x.org/c', { '@type': 'Course', '@id': 'https://x.org/c' }]) {
      const { series, codes } = event({ '@type': 'CourseInstance', ...when, superEvent, instanceOfCourse });
      expect(series).toMatchObject([{ id: 'https://x.org/e', parent }]);
      expect(codes).toEqual(expected);
    }
  });

  test.each(['HeadlineEvent', 'CourseInstance', 'Event'])('a %s with dates only is an event of whole days', (type) => {
    const { sessions, codes } = event({
      '@type': type,
      startDate: '2027-08-01',
      endDate: '2027-08-04',
      duration: 'P3D',
    });
    expect(sessions).toMatchObject([
      { start: at('2027-08-01T00:00:00Z'), end: at('2027-08-05T00:00:00Z'), allDay: true },
    ]);
    expect(codes).toEqual(['start-without-time']);
  });

  test('a HeadlineEvent with a time of its own is one session', () => {
    expect(kinds(event({ '@type': 'HeadlineEvent', ...when }))).toEqual(['series2', 'session2']);
  });

  test('an EventSeries is a series, and so are the SessionSeries in it', () => {
    const result = event({
      '@type': 'EventSeries',
      level: ['Easy'],
      offers: [{ price: 1 }],
      subEvent: [
        {
          '@type': 'SessionSeries',
          '@id': 'https://x.org/a',
          name: 'A',
          subEvent: [{ '@id': 'https://x.org/a/1', ...when }],
        },
        { '@type': 'HeadlineEvent', '@id': 'https://x.org/b', name: 'B', ...when },
      ],
    });
    expect(result.records).toEqual([
      [2, 'series', 'https://x.org/e'],
      [1, 'series', 'https://x.org/a'],
      [1, 'session', 'https://x.org/a/1'],
      [1, 'series', 'https://x.org/b'],
      [1, 'session', 'https://x.org/b'],
    ]);
    expect(result.series[1]).toMatchObject({ type: 'SessionSeries', details: { name: 'A', level: ['Easy'] } });
    expect((result.series[1] as Series).details).not.toHaveProperty('offers');
    expect(result.codes).toEqual([]);
  });

  test('two events of one name and address without ids stay two', () => {
    const data = { '@type': 'Event', name: 'Run', url: 'https://x.org/', ...when };
    expect(through(data).series[0]?.id).toBe(`${SCOPE}#Event/kind/1`);
  });
});

describe('what has no time', () => {
  test.each([
    ['OnDemandEvent', 'on-demand-event'],
    ['Order', 'unknown-type'],
    ['toString', 'unknown-type'],
    ['__proto__', 'unknown-type'],
  ])('%s: nothing, and why', (type, code) => {
    expect(through({ '@type': type, '@id': 'https://x.org/1', name: 'x' })).toMatchObject({ all: [], codes: [code] });
  });

  test('a Course that nothing can name: nothing, and why', () => {
    expect(through({ '@type': 'Course', name: 'x' })).toMatchObject({ all: [], codes: ['course-without-instance'] });
  });

  test('a Course with an @id is there for its instances', () => {
    const { series, codes } = through({ '@type': 'Course', '@id': 'https://x.org/c', name: 'Camp' });
    expect(series).toMatchObject([{ type: 'EventSeries', details: { name: 'Camp' }, schedules: [] }]);
    expect(codes).toEqual([]);
  });

  test.each([
    ['no type', {}, 'type-missing'],
    ['an empty type', { '@type': '' }, 'type-missing'],
    ['a number as type', { '@type': 5 }, 'type-missing'],
    ['no object', 'text', 'item-without-data'],
    ['an array', [], 'item-without-data'],
    ['nothing', undefined, 'item-without-data'],
  ])('%s', (_name, data, code) => {
    expect(through(data)).toMatchObject({ all: [], codes: [code] });
  });

  test('a type that was seen once is read as what it is', () => {
    const { sessions, codes } = through({
      '@type': 'CourseInstanceSubEvent',
      '@id': 'https://x.org/1',
      superEvent: 'https://x.org/c',
      startDate: '2027-03-01T10:00:00Z',
      duration: 'PT1H',
    });
    expect(sessions).toMatchObject([{ series: 'https://x.org/c', type: 'Event' }]);
    expect(codes).toEqual(['type-unofficial']);
  });
});
