import { expect, it } from 'vitest';
import { PlainPublisher } from '../../generate/plain.ts';
import { START } from '../../harvest/rig.ts';
import { changesIn, lived } from '../../library/objects/town.ts';

it.each([7, 8])('after 1,000 changes, what is synced from any earlier state is the full listing (%i)', async (seed) => {
  const steps = new PlainPublisher(seed, START).steps(340);
  expect(changesIn(steps)).toBeGreaterThanOrEqual(1_000);
  const clients = await lived(seed, steps);
  const sum = (of: 'asked' | 'expired') => clients.reduce((total, client) => total + client[of], 0);
  expect(sum('expired')).toBeGreaterThan(0);
  expect(sum('asked')).toBeGreaterThan(3 * sum('expired'));
  for (const name of ['places', 'search', 'my'])
    expect(
      Math.max(...clients.filter((one) => one.name.startsWith(name)).map(({ states }) => states.length)),
    ).toBeGreaterThan(20);
});
