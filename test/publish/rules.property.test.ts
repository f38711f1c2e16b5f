import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Random } from '../generate/random.ts';
import { runs } from '../runs.ts';
import { calendarOf, eventOf, publish, rowsOf } from './published.ts';
import { FROM, randomEvent, TO } from './random-event.ts';

const seeds = fc.integer({ min: 0, max: 2 ** 31 - 1 });

describe('what is published of any recurring event', () => {
  test('stands for the very occurrences that other engines find in the calendar', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const { lines, overrides, rows, rule } = randomEvent(new Random(seed), 1);
        const { published } = publish(calendarOf(eventOf(...lines), ...overrides.map((one) => eventOf(...one))));
        expect(rowsOf(published, FROM, TO), `${rule}\n${lines.join('\n')}\n${overrides.join('\n')}`).toEqual(rows);
      }),
      { numRuns: runs(300) },
    );
  });
});
