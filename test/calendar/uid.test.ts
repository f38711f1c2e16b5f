import { describe, expect, test } from 'vitest';
import type { CalendarEvent } from '../../src/calendar/objects.ts';
import { planSeries } from '../../src/calendar/series/plan.ts';
import { masterUid, occurrenceUid, sessionUid } from '../../src/calendar/uid.ts';
import type { Schedule, Series } from '../../src/opportunity/records.ts';
import { DAY_MS } from '../../src/time/days.ts';
import { Random } from '../generate/random.ts';
import { seriesWith, through } from '../opportunity/reader.ts';
import { seeds } from '../runs.ts';
import { madeSeries } from './made.ts';

/** UIDs are the same for ever for the same thing (feed rule 15). */

const SERIES = 'https://example.org/series/1';
const schedule = (index: number, id?: string) => ({ index, ...(id !== undefined && { id }) });

test('the UIDs that people have subscribed to', () => {
  expect([
    masterUid(SERIES, schedule(0), 'week'),
    occurrenceUid(SERIES, schedule(1), 1_800_000_000_000),
    sessionUid('https://example.org/session/1'),
  ]).toMatchInlineSnapshot(`
    [
      "4872ffc6aa796d9dcd12ee1c38838f027a850f1a@openactive-ical",
      "85c343b895ddee763ad5f1112000cbde8c844c7a@openactive-ical",
      "ff79d7d4a90982df01aed9b77e7c8cd2a976bc06@openactive-ical",
    ]
  `);
});

test('a Schedule with an `@id` has its UIDs by it, however it is spelled and wherever it stands', () => {
  const id = 'https://example.org/schedules/a%20b';
  const uid = masterUid(SERIES, schedule(0, id), 'week');
  expect(masterUid(SERIES, schedule(3, 'https://EXAMPLE.org/schedules/a b/'), 'week')).toBe(uid);
  expect(masterUid(SERIES, schedule(0), 'week')).not.toBe(uid);
  expect(masterUid(SERIES, schedule(0, 'https://example.org/schedules/c'), 'week')).not.toBe(uid);
});

test('a Schedule whose `@id` is a number is not the one at that position', () => {
  expect(masterUid(SERIES, schedule(0, '1'), 'week')).not.toBe(masterUid(SERIES, schedule(1), 'week'));
});

describe('the `@id` of a Schedule', () => {
  const ids = (...own: (string | undefined)[]) => {
    const read = through(seriesWith({ eventSchedule: own.map((id) => ({ '@type': 'PartialSchedule', '@id': id })) }));
    return (read.series[0] as Series).schedules.map(({ id }) => id);
  };

  test('is kept', () => expect(ids('https://e.org/1', undefined)).toEqual(['https://e.org/1', undefined]));
  test('that several have names none of them', () =>
    expect(ids('https://e.org/1', 'https://e.org/2', 'https://E.org/1')).toEqual([
      undefined,
      'https://e.org/2',
      undefined,
    ]));
  test('of a blank node is left out', () => expect(ids('_:b0', '_:b1')).toEqual([undefined, undefined]));
});

/** What a calendar says of each UID. */
function byUid(events: readonly CalendarEvent[]): Map<string, string[]> {
  const lines = Map.groupBy(events, ({ uid }) => uid);
  return new Map([...lines].map(([uid, own]) => [uid, own.map((event) => JSON.stringify(event)).sort()]));
}

/** The same Schedules on days of their own: none hides an instance of another. */
function apart(schedules: readonly Schedule[]): Schedule[] {
  return schedules.map((one, at) => ({ ...one, id: `https://example.org/schedule/${at}`, startTime: 600 + at * 7 }));
}

test.each(seeds(3, 1))('Schedules with an `@id` keep their UIDs in any order, and when one goes (%i)', (first) => {
  let several = 0;
  for (let seed = first * 1000; seed < first * 1000 + 150; seed++) {
    const { series } = madeSeries(new Random(seed), 'x');
    const schedules = apart(series.schedules);
    if (schedules.length < 2) continue;
    several += 1;
    const options = { zone: 'Europe/London', window: { from: 0, to: 25_000 * DAY_MS } };
    const uids = (own: readonly Schedule[]) =>
      byUid(planSeries({ ...series, schedules: own.map((one, index) => ({ ...one, index })) }, [], options).events);
    const all = uids(schedules);
    expect(uids(schedules.toReversed())).toEqual(all);
    for (const [uid, events] of uids(schedules.slice(1))) expect(all.get(uid)).toEqual(events);
  }
  expect(several).toBeGreaterThan(20);
});
