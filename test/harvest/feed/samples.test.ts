import fc from 'fast-check';
import { DateTime } from 'luxon';
import { describe, expect, test } from 'vitest';
import { inWeekOf } from '../../../src/harvest/feed/samples.ts';
import { type Zone, zone } from '../../../src/time/zone.ts';

const LONDON = zone('Europe/London') as Zone;
const fill = (text: string, now: string) => inWeekOf(text, Date.parse(now), LONDON);

describe('placeholders become dates of the week they are read in', () => {
  const rows: [string, string, string, string][] = [
    ['a Wednesday: this Monday', '{{Mon+0}}', '2026-05-13T12:00:00Z', '2026-05-11'],
    ['the Monday itself', '{{Mon+0}}', '2026-05-11T00:00:00Z', '2026-05-11'],
    ['late on Sunday in UTC is Monday already in summer', '{{Mon+0}}', '2026-05-10T23:30:00Z', '2026-05-11'],
    ['late on Sunday in winter is Sunday', '{{Mon+0}}', '2026-01-11T23:30:00Z', '2026-01-05'],
    ['the Sunday that ends the week', '{{Sun+0}}', '2026-05-13T12:00:00Z', '2026-05-17'],
    ['weeks ahead', '{{Sat+2}}', '2026-05-13T12:00:00Z', '2026-05-30'],
    ['weeks ago, over a year', '{{Tue-20}}', '2026-05-13T12:00:00Z', '2025-12-23'],
    ['an instant in summer', '{{Tue+1T18:30}}', '2026-05-13T12:00:00Z', '2026-05-19T17:30:00Z'],
    ['an instant in winter', '{{Tue+1T18:30}}', '2026-01-14T12:00:00Z', '2026-01-20T18:30:00Z'],
    ['an instant after the clock changes', '{{Mon+1T09:00}}', '2026-03-27T12:00:00Z', '2026-03-30T08:00:00Z'],
    ['several in one text', 'a {{Mon+0}} b {{Mon+1}}', '2026-05-13T12:00:00Z', 'a 2026-05-11 b 2026-05-18'],
    [
      'what is none',
      '{{Mon}} {{startDate}} {startDate} {{Foo+1}}',
      '2026-05-13T12:00:00Z',
      '{{Mon}} {{startDate}} {startDate} {{Foo+1}}',
    ],
  ];
  test.each(rows)('%s', (_name, text, now, expected) => {
    expect(fill(text, now)).toBe(expected);
  });

  test('modified is a number, and larger next week', () => {
    const text = '{"a": "{{modified+3}}", "b": "{{modified+40000}}"}';
    const [one, two] = [JSON.parse(fill(text, '2026-05-13T12:00:00Z')), JSON.parse(fill(text, '2026-05-18T00:00:00Z'))];
    expect(one.b - one.a).toBe(39_997);
    expect(two.a).toBeGreaterThan(one.b);
  });

  test('agrees with luxon at any time', () => {
    const days = fc.constantFrom('Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun');
    const now = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2045, 0, 1) });
    fc.assert(
      fc.property(
        now,
        days,
        fc.integer({ min: -50, max: 50 }),
        fc.integer({ min: 3, max: 23 }),
        (at, day, weeks, hour) => {
          const index = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].indexOf(day);
          const monday = DateTime.fromMillis(at, { zone: 'Europe/London' }).startOf('week');
          const expected = monday.plus({ weeks, days: index }).set({ hour, minute: 5 }).toUTC();
          const text = `{{${day}${weeks < 0 ? '' : '+'}${weeks}T${String(hour).padStart(2, '0')}:05}}`;
          expect(inWeekOf(text, at, LONDON)).toBe(expected.toFormat("yyyy-MM-dd'T'HH:mm:ss'Z'"));
        },
      ),
    );
  });
});
