import { expect, it } from 'vitest';
import { followed } from '../../server/subscribers/year.ts';

/** Half of the seeds; the others are in `subscribers-others.test.ts`, as a file is run by one worker. */
const SEEDS = Array.from({ length: 3 * Number(process.env.OPENACTIVE_ICAL_RUNS ?? 1) }, (_, index) => 100 + index);

it.each(SEEDS)(
  'subscribers of every kind end a year of changes with exactly what a new one gets (%i)',
  async (seed) => {
    await followed(seed, 365);
    expect.hasAssertions();
  },
);
