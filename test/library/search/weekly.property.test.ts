import { expect, test } from 'vitest';
import { LocalTimes } from '../../../src/library/search/query/local-times.ts';
import type { Filters } from '../../../src/search/filters.ts';
import { DAY_MS } from '../../../src/time/days.ts';
import { Random } from '../../generate/random.ts';
import { START } from '../../harvest/rig.ts';

/** What is accepted starts at one of the times of a week that the index is told. */

const ZONES = ['Europe/London', 'Pacific/Auckland', 'America/St_Johns', 'Australia/Lord_Howe', 'Africa/Casablanca'];
const WEEK = 7 * DAY_MS;

function randomFilters(random: Random): Filters {
  const hours = [0, 6, 9, 18, 23].map((hour) => hour * 3600);
  return {
    ...(random.chance(0.7) && { day: [random.int(0, 6), random.int(0, 6)] as NonNullable<Filters['day']> }),
    ...(random.chance(0.5) && { after: random.pick(hours) }),
    ...(random.chance(0.5) && { before: random.pick([...hours, 86_400]) }),
  };
}

test.each(Array.from({ length: 30 }, (_, seed) => seed))('random filters %i', (seed) => {
  const random = new Random(seed);
  const filters = randomFilters(random);
  const zones = ZONES.filter(() => random.chance(0.5));
  const times = new LocalTimes(filters, { now: START, horizonDays: 365, zone: 'Europe/London', zones });
  const { weekly } = times;
  let [accepted, left] = [0, 0];
  for (let run = 0; run < 2000; run += 1) {
    const allDay = random.chance(0.2);
    const start = START - 30 * DAY_MS + random.int(0, 24 * 4 * 390) * 900_000;
    const day = Math.floor(start / DAY_MS) * DAY_MS;
    const time = allDay ? { start: day, end: day + 40 * DAY_MS, allDay } : { start, end: start + 40 * DAY_MS };
    const isTold = weekly?.some(({ from, length }) => (time.start - from) % WEEK < length) ?? true;
    if (times.accepts({ ...time, zone: random.pick(['Europe/London', ...zones]) })) {
      accepted += 1;
      expect(isTold).toBe(true);
    } else if (!isTold) left += 1;
  }
  const isAnyTime = filters.day === undefined && !filters.after && (filters.before ?? 86_400) >= 86_400;
  expect(weekly === undefined).toBe(isAnyTime);
  // Contradictory hours accept nothing, and tell nothing.
  if ((filters.before ?? 86_400) > (filters.after ?? 0)) expect(accepted).toBeGreaterThan(0);
  const told = weekly?.reduce((sum, { length }) => sum + length, 0) ?? WEEK;
  if (told < WEEK) expect(left).toBeGreaterThan(0);
});
