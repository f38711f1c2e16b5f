import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { exceptionOf } from '../../src/calendar/explain/explain-words.ts';
import { planSeries } from '../../src/calendar/series/plan.ts';
import { scheduleWords } from '../../src/calendar/wording/schedule-words.ts';
import { whenOf } from '../../src/calendar/wording/when-words.ts';
import { readInput } from '../../src/join/input.ts';
import { type Joined, join } from '../../src/join/join.ts';
import type { Schedule } from '../../src/opportunity/records.ts';
import { verdicts } from '../../src/recurrence/explain.ts';
import { occurrences } from '../../src/recurrence/overlay.ts';
import { readWithIcalJs, row } from '../calendar/read.ts';
import { converted, FILE, items, pairs, served } from './paths.ts';

/**
 * Where a property of a Schedule acts: on dates, on other text of the calendar, on the Schedule as JSON in
 * X-OPENACTIVE-SERIES, on what pages and descriptions say of it, on the reasons why dates are not shown, or on findings.
 */
const WHERE = ['dates', 'calendar', 'source', 'words', 'reasons', 'findings'] as const;

type Where = (typeof WHERE)[number];

/** Undefined takes a property away. */
type Changes = Record<string, unknown>;

/** A property that is stated by `to`, and not or otherwise by `from`: both are changes of `WEEKLY`. */
interface Row {
  /** Of `WHERE`, all. */
  acts: string;
  from?: Changes;
  /** Several: the last Schedule is the one that counts. */
  to: Changes | Changes[];
}

/** On 28 March the clocks change before its end. */
const NIGHT = { startTime: '22:00', endTime: undefined, duration: 'PT8H', byDay: ['https://schema.org/Saturday'] };
const SIX_HOURLY = { repeatFrequency: 'PT6H', byDay: undefined };

/** A row for each property: without it this file does not compile, and where the property acts elsewhere it fails. */
const ROWS = {
  partial: { acts: 'dates calendar source words findings', to: { '@type': 'PartialSchedule' } },
  expandable: { acts: 'dates calendar source words findings', to: { startTime: undefined } },
  unusable: { acts: 'dates calendar source words findings', to: { byDay: ['Someday'] } },
  index: { acts: 'calendar source words', to: [{ '@type': 'PartialSchedule' }, {}] },
  id: { acts: 'calendar source', to: { '@id': 'https://ex.org/schedules/1' } },
  startDate: { acts: 'dates calendar source words', to: { startDate: '2026-02-02' } },
  endDate: { acts: 'dates calendar source words', to: { endDate: '2026-02-28' } },
  lastTime: {
    acts: 'dates calendar source',
    from: { ...SIX_HOURLY, endDate: '2026-01-20' },
    to: { ...SIX_HOURLY, endDate: '2026-01-20T12:00:00' },
  },
  startTime: { acts: 'dates calendar source words', to: { startTime: '10:15' } },
  endTime: { acts: 'dates calendar source words', to: { endTime: '11:15' } },
  duration: { acts: 'dates calendar source words', to: { endTime: undefined, duration: 'PT45M' } },
  endsByClock: { acts: 'dates calendar source', from: NIGHT, to: { ...NIGHT, endTime: '06:00', duration: undefined } },
  frequency: { acts: 'dates calendar source words', to: { repeatFrequency: 'P2W' } },
  byDay: { acts: 'dates calendar source words findings', to: { byDay: ['https://schema.org/Tuesday'] } },
  byMonth: { acts: 'dates calendar source words findings', to: { byMonth: [2] } },
  byMonthDay: {
    acts: 'dates calendar source words findings',
    from: { repeatFrequency: 'P1M' },
    to: { repeatFrequency: 'P1M', byMonthDay: [12] },
  },
  count: { acts: 'dates calendar source words', to: { repeatCount: 3 } },
  except: { acts: 'dates calendar source reasons', to: { exceptDate: ['2026-01-19', '2026-02-02'] } },
  zone: { acts: 'dates calendar source words', to: { scheduleTimezone: 'Europe/Paris' } },
  zoneStated: { acts: 'dates calendar source words', to: { scheduleTimezone: undefined } },
  instants: {
    acts: 'dates calendar source words',
    from: { scheduleTimezone: undefined, byDay: undefined },
    to: { scheduleTimezone: undefined, byDay: undefined, startDate: '2026-01-05T03:00:00Z' },
  },
  eventType: { acts: 'source', to: { scheduledEventType: 'Event' } },
  idTemplate: {
    acts: 'dates calendar source reasons findings',
    to: { idTemplate: 'https://ex.org/series/1/{startDate}' },
  },
  urlTemplate: {
    acts: 'calendar source',
    from: SIX_HOURLY,
    to: { ...SIX_HOURLY, urlTemplate: 'https://ex.org/book/{startDate}' },
  },
  templateUnusable: { acts: 'findings', to: { idTemplate: 'https://ex.org/series/1' } },
} satisfies Record<keyof Schedule, Row>;

const WEEKLY = {
  '@type': 'Schedule',
  startDate: '2026-01-05',
  endDate: '2026-03-31',
  startTime: '10:00',
  endTime: '11:00',
  repeatFrequency: 'P1W',
  byDay: ['https://schema.org/Monday'],
  scheduleTimezone: 'Europe/London',
  scheduledEventType: 'ScheduledSession',
};

/** Its place is in New York. */
const yoga = (eventSchedule: Changes[]): Changes => ({
  '@type': 'SessionSeries',
  '@id': 'https://ex.org/series/1',
  name: 'Yoga',
  location: {
    '@type': 'Place',
    name: 'Hall',
    geo: { '@type': 'GeoCoordinates', latitude: 40.71, longitude: -74.01 },
  },
  eventSchedule,
});

/** Its `@id` has the time of an instance, and it starts later. */
const moved = {
  '@type': 'ScheduledSession',
  '@id': 'https://ex.org/series/1/2026-01-12T10:00:00Z',
  superEvent: 'https://ex.org/series/1',
  startDate: '2026-01-12T12:00:00Z',
  endDate: '2026-01-12T13:00:00Z',
};

const FROM = Date.UTC(2025, 11, 1);
const TO = Date.UTC(2026, 5, 1);

interface Effects extends Record<Where, unknown> {
  schedule: Schedule;
}

/** What comes of a series with one Schedule; memory and store must agree, and the calendar show the occurrences. */
async function effectsOf(changes: Changes | Changes[]): Promise<Effects> {
  const schedules = [changes].flat().map((change) => ({ ...WEEKLY, ...change }));
  const all = items(JSON.parse(JSON.stringify(yoga(schedules))), moved);
  const memory = await converted(all);
  for (const [is, expected] of pairs(memory, await served(all), all)) expect(is).toEqual(expected);

  const { records } = readInput(JSON.stringify({ items: all }), { zone: 'Europe/London', feed: FILE });
  const schedule = records.flatMap(({ record }) => (record.kind === 'series' ? record.schedules : [])).at(-1);
  const [{ series, sessions }] = join(records).series as [Joined['series'][number]];
  const [text] = memory.series as [string];
  const dates = readWithIcalJs(text, FROM, TO);
  const expected = occurrences(series, sessions, FROM, TO).map(({ start, end }) =>
    row(start, end, 'CONFIRMED', 'Yoga'),
  );
  expect(dates, 'the calendar shows the occurrences').toEqual(expected.sort());
  const unfolded = text.replaceAll('\r\n ', '');
  const source = /^X-OPENACTIVE-SERIES.*$/m;
  return {
    schedule: schedule as Schedule,
    dates,
    calendar: unfolded.replace(source, ''),
    source: source.exec(unfolded)?.[0],
    words: series.schedules.map((one) => [scheduleWords(one), whenOf(one)]),
    reasons: verdicts(series, sessions, FROM, TO)
      .filter(({ shown }) => !shown)
      .map((verdict) => [verdict.because, exceptionOf(verdict)]),
    findings: planSeries(series, sessions, { zone: 'Europe/London' }).findings.map(({ code }) => code),
  };
}

describe('a property of a Schedule acts where its row says', () => {
  test.each(Object.entries<Row>(ROWS))('%s', async (name, { acts, from = {}, to }) => {
    const [before, after] = [await effectsOf(from), await effectsOf(to)];
    const property = name as keyof Schedule;
    expect(after.schedule[property]).not.toEqual(before.schedule[property]);
    const differ = WHERE.filter((where) => !isDeepStrictEqual(after[where], before[where]));
    expect(differ.join(' ')).toBe(acts);
  });
});
