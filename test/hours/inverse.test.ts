import { describe, expect, test } from 'vitest';
import { hoursOfDays, spansOfPeriods } from '../../src/hours/inverse.ts';
import { openPeriods } from '../../src/hours/periods.ts';
import { DAY_MS, dayOfDate } from '../../src/time/days.ts';
import { Random } from '../generate/random.ts';
import { randomHours } from './random-place.ts';
import { venueOf } from './venue.ts';

const FROM = dayOfDate('2026-01-01');
const THROUGH = dayOfDate('2027-12-31');
const WINDOW = [Date.UTC(2026, 0, 1), Date.UTC(2028, 0, 1)] as const;

test('hours made of the periods of random places give the same periods again', () => {
  for (let seed = 0; seed < 80; seed++) {
    // In zones whose clocks change a few spans have no name: an hour that comes twice is written once.
    const random = new Random(seed);
    const { hours, context } = venueOf(randomHours(random), random.pick(['Asia/Kolkata', 'UTC']));
    const shift = context.zone.offsets.at(-1) as number;
    const [from, to] = [WINDOW[0] - shift, WINDOW[1] - shift];
    const periods = openPeriods(hours, context, from, to);
    const again = hoursOfDays(spansOfPeriods(periods, context.zone, FROM, THROUGH));
    // The usual week goes on outside the days it was learnt from, and reaches into the first of them.
    const inner = (of: typeof hours) =>
      openPeriods(of, context, from + 3 * DAY_MS, to - 3 * DAY_MS).map(({ start, end }) => [start, end]);
    expect(inner(again), `seed ${seed}`).toEqual(inner(hours));
  }
});

describe('what comes out is what a person would write', () => {
  const inverse = (venue: ReturnType<typeof venueOf>) => {
    const periods = openPeriods(venue.hours, venue.context, ...WINDOW);
    return hoursOfDays(spansOfPeriods(periods, venue.context.zone, FROM, THROUGH));
  };
  const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'];

  test('the usual week, and an exception for what differs', () => {
    const { standard, special } = inverse(
      venueOf({
        standard: [
          { dayOfWeek: WEEKDAYS, opens: '09:00', closes: '17:00' },
          { dayOfWeek: ['Saturday'], opens: '18:00', closes: '03:00' },
        ],
        special: [
          { opens: '00:00', closes: '00:00', validFrom: '2026-12-24', validThrough: '2027-01-03' },
          { opens: '10:00', closes: '12:00', validFrom: '2026-06-15', validThrough: '2026-06-15' },
        ],
      }),
    );
    expect(standard.map(({ days, opens, closes }) => [days, opens / 3600, closes / 3600])).toEqual([
      [[0, 1, 2, 3, 4], 9, 17],
      [[5], 18, 3],
    ]);
    expect(
      special.map(({ opens, closes, validFrom, validThrough }) => [
        opens / 3600,
        closes / 3600,
        validFrom,
        validThrough,
      ]),
    ).toEqual([
      [10, 12, '2026-06-15', '2026-06-15'],
      [0, 0, '2026-12-24', '2027-01-02'],
    ]);
  });

  test('open day and night', () => {
    const { standard, special } = inverse(
      venueOf({ standard: [{ opens: '00:00', closes: '23:59' }], special: [] }, 'UTC'),
    );
    expect(standard.map(({ days, opens, closes }) => [days.length, opens, closes])).toEqual([[7, 0, 86_400]]);
    expect(special).toEqual([]);
  });
});
