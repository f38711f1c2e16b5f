import { expect, test } from 'vitest';
import { disagreement } from '../../oracle/equal.ts';
import { runs } from '../../runs.ts';

/** Thousands of random series, row for row against a second reading of the rules; see `test/oracle`. */
const RUNS = runs(6000);
const BATCH = 1000;

test.each(Array.from({ length: RUNS / BATCH }, (_, batch) => [1_000_000 + batch * BATCH]))(
  `expand is what the rules say for ${BATCH} random series from seed %i`,
  (first) => {
    const wrong = Array.from({ length: BATCH }, (_, n) => disagreement(first + n)).filter((one) => one !== undefined);
    expect(wrong.slice(0, 5)).toEqual([]);
  },
);
