import { expect, it } from 'vitest';
import { openLibrary } from '../../../src/library/stored-library.ts';
import { history } from '../../generate/history.ts';
import { PlainPublisher, type Step } from '../../generate/plain.ts';
import { type Rig, rig, START, withoutStamps } from '../../harvest/rig.ts';
import { seeds } from '../../runs.ts';
import { textOf } from './octets.ts';
import { lived } from './town.ts';

/** The long run is in test/slow. */
it.each(seeds(1, 1))('what is synced from any earlier state is the full listing (%i)', async (seed) => {
  const clients = await lived(seed, new PlainPublisher(seed, START).steps(40));
  for (const kind of ['series', 'places', 'search', 'my']) {
    const states = clients.filter(({ name }) => name.startsWith(kind)).map((client) => client.states.length);
    expect([kind, Math.max(...states) > 5]).toEqual([kind, true]);
  }
});

/** Rules with exceptions and overrides, whose series and sessions change, go and come back. */
it.each(seeds(1, 4))('so it is of series with Schedules (%i)', async (seed) => {
  const items = history(seed).all;
  const steps = Array.from({ length: Math.ceil(items.length / 12) }, (_, at): Step => {
    return { what: 'page', feed: 0, items: items.slice(at * 12, at * 12 + 12) };
  });
  const clients = await lived(seed, [...steps, { what: 'days', count: 3 }, { what: 'rebuild' }]);
  expect(clients.filter(({ states }) => states.length > 1).length).toBeGreaterThan(3);
});

/** The octets of all objects of live series, without what tells their history. */
async function objectsOf({ store, options }: Rig): Promise<Map<string, string>> {
  const library = await openLibrary(store, { ...options, rendering: 'test' });
  const found = new Map<string, string>();
  for (const { key } of await store.read.calendars({ kind: 'series', limit: 1_000 }))
    for (const member of (await library.objects.collection(`series/${key}`))?.members ?? [])
      found.set(`${key}/${member.name}`, textOf(member));
  return withoutStamps(found);
}

it.each(seeds(2, 4))(
  'a store that only saw the last copies has the same objects under the same names (%i)',
  async (seed) => {
    const { all, last } = history(seed);
    const [one, other] = [await rig(), await rig()];
    try {
      await one.feed(all, 17);
      await other.feed(last.toReversed(), 500);
      const objects = await objectsOf(one);
      expect(objects.size).toBeGreaterThan(5);
      expect(await objectsOf(other)).toEqual(objects);
    } finally {
      await Promise.all([one.close(), other.close()]);
    }
  },
);
