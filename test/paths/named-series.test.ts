import { expect, test } from 'vitest';
import { sessionUid } from '../../src/calendar/uid.ts';
import { rebuild } from '../../src/harvest/ingest/rebuild.ts';
import { openLibrary } from '../../src/library/stored-library.ts';
import { identOf, keyOf } from '../../src/opportunity/identity.ts';
import { renderCalendar } from '../../src/server/calendars/renderer.ts';
import { Random } from '../generate/random.ts';
import type { RpdeJson } from '../generate/series.ts';
import { type Rig, rig } from '../harvest/rig.ts';
import { byPart, converted, feed, items, pairs, servedBy, wronglyMoved } from './paths.ts';

const id = (path: string) => `https://ex.org/${path}`;
const EVENTS = ['e/1', 'e/2', 'e/3'].map(id);
/** The last is an Event too, which may name one of the others. */
const ABOVE = new Map([
  [id('h/1'), 'HeadlineEvent'],
  [id('g/1'), 'EventSeries'],
  [id('s/1'), 'SessionSeries'],
  [id('e/3'), 'Event'],
]);

function event(random: Random, name: string): Record<string, unknown> {
  const above = random.pick([...ABOVE.keys()]);
  const superEvent = random.chance(0.8) ? above : { '@type': ABOVE.get(above), '@id': above, name: 'Embedded' };
  return {
    '@type': 'Event',
    '@id': name,
    name: random.pick(['Run', 'Walk']),
    ...(random.chance(0.95) && {
      startDate: `2026-12-0${random.int(6, 8)}T18:00:00Z`,
      duration: 'PT1H',
      ...(random.chance(0.7) && { superEvent }),
    }),
  };
}

function page(random: Random, modified: number): RpdeJson[] {
  const names = [...new Set([...EVENTS, ...ABOVE.keys()])].filter(() => random.chance(0.3));
  return random.shuffle(names).map((name) => {
    const item = { kind: 'any', id: name, modified };
    if (random.chance(0.25)) return { ...item, state: 'deleted' };
    const type = ABOVE.get(name);
    const data = EVENTS.includes(name)
      ? event(random, name)
      : { '@type': type, '@id': name, name: random.pick(['Festival', 'Gala']) };
    return { ...item, state: 'updated', data };
  });
}

/** The text at an address of a series, whichever calendar it leads to; undefined: there is none, or it is gone. */
async function textAt({ store, options }: Rig, key: string): Promise<string | undefined> {
  const library = await openLibrary(store, { ...options, rendering: 'test' });
  for (let at = key, hops = 0; hops < 9; hops += 1) {
    const to = (await library.head(at))?.movedTo;
    if (to === undefined) {
      const found = await library.calendar(at);
      return found && new TextDecoder().decode(renderCalendar(found)).replaceAll('\r\n ', '');
    }
    at = to;
  }
  return 'moved for ever';
}

const keyOfEvent = (name: string): string => keyOf('series', identOf(name));

test.each(Array.from({ length: 8 }, (_, n) => n + 1))(
  'an Event is in the series that it names, else in its own (%i)',
  async (seed) => {
    const random = new Random(seed);
    const [one, plain] = [await rig(), await rig({ withoutFastPaths: true })];
    for (const { options } of [one, plain]) options.applyDeletes = () => true;
    const now = new Map<string, RpdeJson>();
    try {
      let before = await servedBy(one);
      for (let step = 1; step <= 30; step += 1) {
        const changes = page(random, step);
        for (const each of [one, plain]) {
          each.clock.now += 60_000;
          each.changed.clear();
          await feed(each, changes);
        }
        expect([step, await servedBy(plain), plain.changed]).toEqual([step, await servedBy(one), one.changed]);
        for (const item of changes) now.set(String(item.id), item);
        const all = random.shuffle([...now.values()]);
        const after = await servedBy(one);
        for (const [is, expected] of pairs(await converted(all), byPart(after), all))
          expect([step, is]).toEqual([step, expected]);
        expect([step, wronglyMoved(before, after, one.changed)]).toEqual([step, []]);
        // The third may be the calendar of the others.
        for (const name of EVENTS.slice(0, 2)) {
          const key = keyOfEvent(name);
          const text = await textAt(one, key);
          if (text === undefined || now.get(name)?.data?.startDate === undefined) continue;
          expect([step, name, text]).toEqual([step, name, expect.stringContaining(`UID:${sessionUid(name)}\r`)]);
        }
        before = after;
      }
      one.changed.clear();
      await rebuild(one.store, one.options);
      expect(await servedBy(one)).toEqual(before);
      expect([...one.changed]).toEqual([]);
    } finally {
      await Promise.all([one.close(), plain.close()]);
    }
  },
);

const GALA = { '@type': 'Event', '@id': id('e/1'), name: 'Gala', startDate: '2026-12-07T18:00:00Z', duration: 'PT1H' };

test.each([
  ['a HeadlineEvent that is named', id('h/1'), { '@type': 'HeadlineEvent', '@id': id('h/1'), name: 'Festival' }],
  ['an EventSeries that is named', id('g/1'), { '@type': 'EventSeries', '@id': id('g/1'), name: 'Galas' }],
  ['a HeadlineEvent that is embedded', { '@type': 'HeadlineEvent', '@id': id('h/1'), name: 'Festival' }, undefined],
])('the calendar of an Event moves to %s, and is back without it', async (_name, superEvent, above) => {
  const one = await rig();
  try {
    const library = async () => openLibrary(one.store, { ...one.options, rendering: 'test' });
    const [first] = items(GALA) as [RpdeJson];
    await feed(one, [first, ...(above === undefined ? [] : items(above))]);
    const key = keyOfEvent(GALA['@id']);
    const joined = keyOf('series', identOf(typeof superEvent === 'string' ? superEvent : id('h/1')));
    const sequences: string[] = [];
    for (const [modified, more] of [{}, { superEvent }, {}, { superEvent }].entries()) {
      one.clock.now += 60_000;
      await feed(one, [{ ...first, modified: 1000 + modified, data: { ...GALA, ...more } }]);
      const head = await (await library()).head(key);
      expect(head).toMatchObject('superEvent' in more ? { state: 'gone', movedTo: joined } : { state: 'live' });
      const text = (await textAt(one, key)) ?? '';
      expect(text).toContain(`UID:${sessionUid(GALA['@id'])}\r`);
      sequences.push(/^SEQUENCE:(\d+)/m.exec(text)?.[1] ?? '');
    }
    expect(sequences).toEqual(sequences.toSorted((a, b) => Number(a) - Number(b)));
  } finally {
    await one.close();
  }
});

test('the calendar of an Event moves to its series where it is published as a ScheduledSession of that', async () => {
  const one = await rig();
  try {
    const [gala] = items(GALA) as [RpdeJson];
    await feed(one, [gala, ...items({ '@type': 'SessionSeries', '@id': id('s/1'), name: 'Galas' })]);
    one.clock.now += 60_000;
    const data = { ...GALA, '@type': 'ScheduledSession', superEvent: id('s/1') };
    await feed(one, [{ ...gala, modified: 1000, data }]);
    const library = await openLibrary(one.store, { ...one.options, rendering: 'test' });
    const movedTo = keyOf('series', identOf(id('s/1')));
    expect(await library.head(keyOfEvent(GALA['@id']))).toMatchObject({ state: 'gone', movedTo });
    expect(await textAt(one, keyOfEvent(GALA['@id']))).toContain(`UID:${sessionUid(GALA['@id'])}\r`);
  } finally {
    await one.close();
  }
});

test('a series that Events were waiting for takes nothing away', async () => {
  const one = await rig();
  try {
    const events = Array.from({ length: 40 }, (_, n) => ({ ...GALA, '@id': id(`e/${n}`), superEvent: id('h/1') }));
    await feed(one, items(...events));
    expect((await servedBy(one)).size).toBe(40);
    await feed(one, items({ '@type': 'HeadlineEvent', '@id': id('h/1'), name: 'Festival' }));
    expect((await servedBy(one)).size).toBe(1);
    expect((await one.store.read.feedStates())[0]?.held).toBeUndefined();
  } finally {
    await one.close();
  }
});

test('an Event that names a series of another publisher is in its own, in either order of arrival', async () => {
  const theirs = items({ '@type': 'HeadlineEvent', '@id': 'https://other.example/h', name: 'Festival' });
  const ours = items({ ...GALA, superEvent: 'https://other.example/h' });
  const found: unknown[] = [];
  for (const isFirst of [true, false]) {
    const one = await rig();
    try {
      const feeds: [RpdeJson[], string][] = [
        [theirs, 'https://other.example/feed'],
        [ours, 'https://ex.org/feed'],
      ];
      for (const [all, url] of isFirst ? feeds : feeds.toReversed()) await one.feed(all, 50, url);
      expect(await textAt(one, keyOfEvent(GALA['@id']))).toContain('BEGIN:VEVENT');
      const { id: item } = (await one.store.read.liveItems(0, 9)).find(({ kind }) => kind === 'Event') as {
        id: number;
      };
      found.push(await one.store.read.findingsOf(item));
    } finally {
      await one.close();
    }
  }
  expect(found[0]).toContain('series-of-another-publisher');
  expect(found[1]).toBe(found[0]);
});
