import { expect, it } from 'vitest';
import { PlainPublisher } from '../../generate/plain.ts';
import { START } from '../../harvest/rig.ts';
import { lived } from './town.ts';

/** The long run is in test/slow. */
it.each([1, 2, 3])('what is synced from any earlier state is the full listing (%i)', async (seed) => {
  const clients = await lived(seed, new PlainPublisher(seed, START).steps(40));
  for (const kind of ['series', 'places', 'search', 'my']) {
    const states = clients.filter(({ name }) => name.startsWith(kind)).map((client) => client.states.length);
    expect([kind, Math.max(...states) > 5]).toEqual([kind, true]);
  }
});
