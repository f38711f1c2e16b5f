import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CalendarOutcome, publishReading, readSource } from '../../src/publish/publish-calendar.ts';
import { Combined } from '../../src/publish/publish-calendars.ts';
import { fairShare, Share } from '../../src/publish/share.ts';
import { calendarOf, eventOf, MAPPING, NOW } from './published.ts';

/** What is too much of one calendar takes no room from another. */

const dates = (count: number) =>
  Array.from({ length: count }, (_, i) =>
    new Date(Date.UTC(2027, 0, 1 + i, 10)).toISOString().slice(0, 19).replaceAll(/[-:]/g, ''),
  );
const listed = (uid: string, count: number) =>
  eventOf(
    `UID:${uid}`,
    `SUMMARY:${uid}`,
    'DTSTART:20270101T100000Z',
    'DURATION:PT1H',
    `RDATE:${dates(count)
      .map((one) => `${one}Z`)
      .join(',')}`,
  );
const outcome = (source: string, ...events: string[]): CalendarOutcome =>
  publishReading(readSource({ source, text: calendarOf(...events) }, MAPPING), [], NOW);
const combined = (most: number, ...outcomes: CalendarOutcome[]) => {
  const all = new Combined(MAPPING, most);
  for (const one of outcomes) all.add(one);
  return all.finish();
};
const names = ({ published }: ReturnType<typeof combined>) =>
  published['session-series'].map(({ data }) => data.name).sort();

describe('several calendars', () => {
  const runaway = outcome('a-other.ics', ...[1, 2, 3].map((n) => listed(`other ${n}`, 100)));
  const club = outcome('b-club.ics', listed('yoga', 20), listed('race', 1));

  test.each([
    ['first', [runaway, club]],
    ['last', [club, runaway]],
  ])('one that is too much starves no other, whether it comes %s or not', (_name, outcomes) => {
    const result = combined(150, ...outcomes);
    expect(names(result)).toEqual(['other 1', 'race', 'yoga']);
    expect(result.published['scheduled-sessions']).toHaveLength(121);
    const told = result.findings.filter(({ code }) => code === 'too-many-sessions');
    expect(told.map(({ feed, severity }) => [feed, severity])).toEqual([['a-other.ics', 'error']]);
    expect(told[0]?.message).toMatch(/2 events with 200 sessions beyond 1(?:27|50) were not published/);
    expect(result.overLimit).toHaveLength(2);
  });

  test('that fit are published whole', () => {
    expect(combined(1000, runaway, club)).toMatchObject({ overLimit: [], calendars: [{ source: 'a-other.ics' }, {}] });
  });
});

test('an equal share is the largest with which all fit', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(100), { minLength: 1, maxLength: 20 }), fc.nat(1000), (needs, total) => {
      const sum = (most: number) => needs.reduce((all, need) => all + Math.min(need, most), 0);
      const most = fairShare(needs, total);
      expect(sum(most)).toBeLessThanOrEqual(Math.max(total, 0));
      if (most !== Number.POSITIVE_INFINITY) expect(sum(most + 1)).toBeGreaterThan(total);
    }),
  );
});

test('of one calendar large series go first, then those that are over', () => {
  const share = new Share<string>(10);
  const series = [
    { id: 'a', size: 1, last: '2026' },
    { id: 'b', size: 8, last: '2028' },
    { id: 'c', size: 2, last: '2026' },
    { id: 'd', size: 2, last: '2027' },
    { id: 'e', size: 2, last: '2025' },
    { id: 'f', size: 2, last: '2029' },
    { id: 'g', size: 2, last: '2020' },
  ];
  for (const one of series) share.add(one, one.id);
  const { kept, left } = share.finish();
  expect([kept.sort(), left.map(({ id }) => id)]).toEqual([
    ['a', 'c', 'd', 'e', 'f'],
    ['b', 'g'],
  ]);
});

test('many findings of one kind hide no other, and what is not listed is counted', () => {
  const hidden = Array.from({ length: 600 }, (_, i) =>
    eventOf(`UID:${i}`, 'DTSTART:20270101T100000Z', 'CLASS:PRIVATE'),
  );
  const { findings } = outcome('a.ics', ...hidden, eventOf('UID:x', 'SUMMARY:x'));
  const counts = Map.groupBy(findings, ({ code }) => code);
  expect(counts.get('event-private')).toHaveLength(100);
  expect(counts.get('event-without-start')).toHaveLength(1);
  expect(counts.get('findings-not-listed')?.map(({ message }) => message)).toEqual([
    '500 more findings event-private of this calendar are not listed.',
  ]);
});
