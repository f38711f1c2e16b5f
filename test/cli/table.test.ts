import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Column, localSpan, tableLines, zoneColumn } from '../../src/cli/table.ts';
import { type Zone, zone } from '../../src/time/zone.ts';

const london = zone('Europe/London') as Zone;
const COLUMNS: readonly Column[] = [{ title: 'DAY' }, { title: 'NAME', most: 30, least: 6 }, { title: 'ID', least: 0 }];
const ROW = ['Monday', 'Swimming for everybody in the long pool', 'https://example.org/api/1'];

describe('a table', () => {
  test('where nobody says how wide: as wide as what is in it, within the most of each column', () => {
    expect(tableLines(COLUMNS, [ROW, ['Tue', 'Yoga', '2']])).toEqual([
      'DAY     NAME                            ID',
      'Monday  Swimming for everybody in the…  https://example.org/api/1',
      'Tue     Yoga                            2',
    ]);
  });

  test('in a narrow terminal the last free text is cut first, and left out when nothing useful is left', () => {
    expect(tableLines(COLUMNS, [ROW], 52)[1]).toBe('Monday  Swimming for everybody in the…  https://exa…');
    expect(tableLines(COLUMNS, [ROW], 30)).toEqual(['DAY     NAME', 'Monday  Swimming for everybod…']);
  });

  test('without rows is its header', () => {
    expect(tableLines(COLUMNS, [], 80)).toEqual(['DAY  NAME  ID']);
  });

  test('no line is wider than the terminal, and no cell breaks a line', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.string(), fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }))),
        fc.integer({ min: 10, max: 200 }),
        (rows, width) => {
          const lines = tableLines(COLUMNS, rows, width);
          expect(lines).toHaveLength(rows.length + 1);
          for (const line of lines) {
            expect(line.length).toBeLessThanOrEqual(width);
            expect(line).not.toMatch(/[\r\n]/);
          }
        },
      ),
    );
  });
});

describe('times for people', () => {
  test.each([
    ['2026-07-07T18:00:00Z', '2026-07-07T19:30:00Z', 'Tue  7 Jul 2026 19:00', '20:30'],
    ['2026-11-28T18:00:00Z', '2026-11-29T03:00:00Z', 'Sat 28 Nov 2026 18:00', 'Sun 29 Nov 2026 03:00'],
    ['2026-11-24T18:00:00Z', '2026-11-24T18:00:00Z', 'Tue 24 Nov 2026 18:00', ''],
    ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z', 'Sun 25 Oct 2026 01:30', '01:30 (2026-10-25T01:30:00Z)'],
  ])('%s to %s', (start, end, from, to) => {
    expect(localSpan(london, Date.parse(start), Date.parse(end))).toEqual([from, to]);
  });

  test('name their zone once where it is one, and in each row where there are several', () => {
    expect(zoneColumn(new Set(['Europe/London']))).toEqual({ start: 'START (Europe/London)', column: [] });
    expect(zoneColumn(new Set(['Europe/London', 'Europe/Paris']))).toEqual({
      start: 'START',
      column: [{ title: 'ZONE' }],
    });
    expect(zoneColumn(new Set())).toEqual({ start: 'START', column: [] });
  });
});
