import { expect, test } from 'vitest';
import { sessionUid } from '../../src/calendar/uid.ts';
import { rebuild } from '../../src/harvest/ingest/rebuild.ts';
import { readInput } from '../../src/join/input.ts';
import { join } from '../../src/join/join.ts';
import { identOf, keyOf } from '../../src/opportunity/identity.ts';
import { Random } from '../generate/random.ts';
import type { RpdeJson } from '../generate/series.ts';
import { FEED, type Rig, rig, venuesServedBy } from '../harvest/rig.ts';
import { wronglyMoved } from '../paths/paths.ts';

const id = (path: string) => `https://ex.org/${path}`;
const PLACES = ['p/1', 'p/2'].map(id);
const GROUPS = ['g/1', 'g/2', 'h/1'].map(id);
const SERIES = ['s/1', 's/2', 's/3'].map(id);

function location(random: Random, chance: number): object {
  if (!random.chance(chance)) return {};
  const place = random.pick(PLACES);
  return {
    location: random.pick([
      place,
      { '@type': 'Place', '@id': place, name: 'Hall' },
      { '@type': 'Place', name: 'Park' },
    ]),
  };
}

function superEvent(random: Random, name: string): object {
  const above = random.pick(GROUPS.filter((one) => one !== name));
  return random.chance(name.includes('/s/') ? 0.8 : 0.3) ? { superEvent: above } : {};
}

const DATE = { startDate: '2026-12-07T18:00:00Z', endDate: '2026-12-07T19:00:00Z' };

function data(random: Random, name: string): Record<string, unknown> {
  const named = { '@id': name, name: random.pick(['Yoga', 'Boxing']) };
  if (PLACES.includes(name)) return { '@type': 'Place', ...named };
  const isGroup = GROUPS.includes(name);
  const type = isGroup ? (name.includes('/g/') ? 'EventSeries' : 'HeadlineEvent') : 'SessionSeries';
  const part = { '@type': 'ScheduledSession', '@id': `${name}/1`, ...DATE };
  return {
    '@type': type,
    ...named,
    ...location(random, isGroup ? 0.7 : 0.2),
    ...superEvent(random, name),
    ...(!isGroup && { subEvent: [part] }),
  };
}

function page(random: Random, modified: number): RpdeJson[] {
  const names = [...PLACES, ...GROUPS, ...SERIES].filter(() => random.chance(0.25));
  return random.shuffle(names).map((name) => {
    const item = { kind: 'any', id: name, modified };
    if (random.chance(0.2)) return { ...item, state: 'deleted' };
    return { ...item, state: 'updated', data: data(random, name) };
  });
}

/** UIDs of what is on at each place whose calendar is served. */
async function shownAt(one: Rig): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const [name, text] of await venuesServedBy(one.store, one.options)) {
    const [, key] = /^places\/(.*)\/sessions$/.exec(name) ?? [];
    if (key !== undefined)
      found.set(
        key,
        [...text.replaceAll('\r\n ', '').matchAll(/^UID:(.*)\r$/gm)].map(([, uid]) => uid as string).sort(),
      );
  }
  return found;
}

/** The same by the one reading of the domain (semantics 2). */
function expectedAt(items: readonly RpdeJson[]): Map<string, string[]> {
  const { records } = readInput(JSON.stringify({ items }), { zone: 'Europe/London', feed: FEED });
  const { series, places } = join(records);
  const found = new Map(places.map((place) => [keyOf('place', identOf(place.id)), [] as string[]]));
  for (const { series: one, sessions } of series) {
    const { location } = one.details;
    if (location?.id === undefined) continue;
    const at = found.get(keyOf('place', identOf(location.id)));
    at?.push(...sessions.map((session) => sessionUid(session.id)));
  }
  for (const uids of found.values()) uids.sort();
  return found;
}

test.each([1, 2, 3, 4, 5, 6])(
  'a place shows the series that inherit it, in every order of arrival (%i)',
  async (seed) => {
    const random = new Random(seed);
    const one = await rig();
    one.options.applyDeletes = () => true;
    const now = new Map<string, RpdeJson>();
    try {
      let before = await venuesServedBy(one.store, one.options);
      for (let step = 1; step <= 30; step += 1) {
        one.clock.now += 60_000;
        one.changed.clear();
        const changes = page(random, step);
        await one.feed(changes);
        for (const item of changes) now.set(String(item.id), item);
        const shown = await shownAt(one);
        expect([step, shown]).toEqual([step, expectedAt([...now.values()])]);
        const after = await venuesServedBy(one.store, one.options);
        const unsaid = wronglyMoved(before, after, one.changed).filter((text) => text.endsWith('unsaid'));
        expect([step, unsaid]).toEqual([step, []]);
        before = after;
      }
      one.changed.clear();
      await rebuild(one.store, one.options);
      expect(await venuesServedBy(one.store, one.options)).toEqual(before);
      expect([...one.changed]).toEqual([]);
    } finally {
      await one.close();
    }
  },
);
