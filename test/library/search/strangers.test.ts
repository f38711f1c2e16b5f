import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sampleTown, type Town } from './town.ts';

/** What strangers asked of the sample town, and got wrong answers to, on a Tuesday at noon. */

let town: Town;
beforeAll(async () => {
  town = await sampleTown();
});
afterAll(() => town.rig.close());

describe('lists of places and facilities say what they cannot be asked', () => {
  test.each([
    ['places', 'pools today', ['today']],
    ['places', 'pools open now', ['open now']],
    ['places', 'pools on Monday after 6pm', ['on Monday', 'after 6pm']],
    ['places', 'gym for kids', ['for kids']],
    ['places', 'pools not free tonight', ['not free', 'tonight']],
    ['places', 'pools', undefined],
    ['facilities', 'court tonight', ['tonight']],
    ['facilities', 'court Saturday morning under £9', ['Saturday', 'morning']],
    ['facilities', 'court under £9', undefined],
  ] as const)('%s: %s', async (kind, q, leftOut) => {
    const found = await town.library.search.venues(kind, { q }, { limit: 10 });
    expect(found.leftOut).toEqual(leftOut);
    expect(found.items).not.toEqual([]);
  });
});
