import { expect, test } from 'vitest';
import { rebuild } from '../../src/harvest/ingest/rebuild.ts';
import { Random } from '../generate/random.ts';
import type { RpdeJson } from '../generate/series.ts';
import { rig } from '../harvest/rig.ts';
import { byPart, converted, feed, items, pairs, servedBy, wronglyMoved } from './paths.ts';

const id = (path: string) => `https://ex.org/${path}`;
const SERIES = ['a', 'b', 'c'].map((name) => id(`series/${name}`));
/** The first two are of templates; the third is an instance of neither Schedule, the rest are plain. */
const SESSIONS = [
  id('x/2026-12-07T18:00:00Z'),
  id('y/2026-12-14T18:00:00Z'),
  id('x/2026-12-08T18:00:00Z'),
  id('sessions/1'),
  id('sessions/2'),
];

function schedule(random: Random): object {
  return {
    '@type': 'Schedule',
    startDate: random.pick(['2026-11-30', '2026-12-07']),
    startTime: random.pick(['18:00', '18:00', '19:00']),
    duration: 'PT1H',
    repeatFrequency: 'P1W',
    repeatCount: 3,
    scheduleTimezone: 'Europe/London',
    idTemplate: random.pick([id('x/{startDate}'), id('y/{startDate}')]),
    ...(random.chance(0.2) && { exceptDate: ['2026-12-07T18:00:00Z'] }),
  };
}

function series(random: Random, name: string): object {
  const subEvent = SESSIONS.filter(() => random.chance(0.2)).map((one) =>
    random.chance(0.5) ? one : { '@type': 'ScheduledSession', '@id': one },
  );
  if (random.chance(0.2)) subEvent.push(session(random, random.pick(SESSIONS), 0));
  return {
    '@type': 'SessionSeries',
    '@id': name,
    name: random.pick(['Yoga', 'Boxing']),
    ...(random.chance(0.6) && { eventSchedule: [schedule(random)] }),
    ...(subEvent.length > 0 && { subEvent }),
  };
}

function session(random: Random, name: string, naming = 0.3): { '@type': string; '@id': string } {
  const day = random.pick(['2026-12-07', '2026-12-14', '2026-12-16']);
  const parent = random.pick(SERIES);
  const superEvent = random.chance(0.8) ? parent : { '@type': 'SessionSeries', '@id': parent, name: 'Embedded' };
  return {
    '@type': 'ScheduledSession',
    '@id': name,
    startDate: `${day}T18:00:00Z`,
    duration: random.pick(['PT1H', 'PT2H']),
    ...(random.chance(0.3) && { eventStatus: 'https://schema.org/EventCancelled' }),
    ...(random.chance(naming) && { superEvent }),
  } as { '@type': string; '@id': string };
}

/** A page: some of the items, changed or gone. */
function page(random: Random, modified: number): RpdeJson[] {
  const ids = [...SERIES, ...SESSIONS].filter(() => random.chance(0.25));
  return random.shuffle(ids).map((name) => {
    const isSeries = SERIES.includes(name);
    const item = { kind: isSeries ? 'SessionSeries' : 'ScheduledSession', id: name, modified };
    if (random.chance(0.25)) return { ...item, state: 'deleted' };
    return { ...item, state: 'updated', data: { ...(isSeries ? series(random, name) : session(random, name)) } };
  });
}

/** Whatever comes, changes and goes, in whatever order, the store serves what a file of what is left gives. */
test.each([1, 2, 3, 4, 5, 6])('sessions join their series in every order of arrival (%i)', async (seed) => {
  const random = new Random(seed);
  const one = await rig();
  one.options.applyDeletes = () => true;
  const now = new Map<string, RpdeJson>();
  try {
    let before = await servedBy(one);
    for (let step = 1; step <= 30; step += 1) {
      one.clock.now += 60_000;
      one.changed.clear();
      const changes = page(random, step);
      await feed(one, changes);
      for (const item of changes) now.set(String(item.id), item);
      const all = random.shuffle([...now.values()]);
      const after = await servedBy(one);
      for (const [is, expected] of pairs(await converted(all), byPart(after), all))
        expect([step, is]).toEqual([step, expected]);
      expect([step, wronglyMoved(before, after, one.changed)]).toEqual([step, []]);
      before = after;
    }
    one.changed.clear();
    await rebuild(one.store, one.options);
    expect(await servedBy(one)).toEqual(before);
  } finally {
    await one.close();
  }
});

const WEEKLY = {
  '@type': 'Schedule',
  startDate: '2026-11-30',
  startTime: '18:00',
  duration: 'PT1H',
  repeatFrequency: 'P1W',
  scheduleTimezone: 'Europe/London',
  idTemplate: id('x/{startDate}'),
};

test.each([
  ['https://feeds.example.org/sessions', 'joins', 'STATUS:CANCELLED'],
  ['https://other.example/sessions', 'joins none', 'STATUS:CONFIRMED'],
])('a session of %s %s of the series of feeds.example.org', async (url, _joins, status) => {
  const one = await rig();
  try {
    const [series, off] = items(
      { '@type': 'SessionSeries', '@id': id('series/a'), name: 'Yoga', eventSchedule: [WEEKLY] },
      {
        '@type': 'ScheduledSession',
        '@id': id('x/2026-12-07T18:00:00Z'),
        startDate: '2026-12-07T18:00:00Z',
        eventStatus: 'https://schema.org/EventCancelled',
      },
    ) as [RpdeJson, RpdeJson];
    await one.feed([series], 1, 'https://feeds.example.org/series');
    await one.feed([off], 1, url);
    const statuses = [...(await one.served()).values()].join('').match(/^STATUS:.*(?=\r)/gm);
    expect(statuses?.includes(status)).toBe(true);
    expect(statuses?.includes('STATUS:CANCELLED')).toBe(status === 'STATUS:CANCELLED');
  } finally {
    await one.close();
  }
});

test('a series that lets go of its sessions is held back, as it would be for taking them away', async () => {
  const one = await rig();
  try {
    const names = Array.from({ length: 40 }, (_, n) => id(`sessions/${n}`));
    const series = { '@type': 'SessionSeries', '@id': id('series/a'), name: 'Yoga' };
    const sessions = names.map((name) => ({
      '@type': 'ScheduledSession',
      '@id': name,
      startDate: '2026-12-07T18:00:00Z',
      duration: 'PT1H',
    }));
    const [first, ...others] = items({ ...series, subEvent: names }, ...sessions) as [RpdeJson, ...RpdeJson[]];
    await feed(one, [first, ...others]);
    const before = await servedBy(one);
    await feed(one, [{ ...first, modified: 1000, data: { ...series, subEvent: names.slice(0, 5) } }]);
    expect(await servedBy(one)).toEqual(before);
    expect((await one.store.read.feedStates())[0]?.held).toMatchObject({ sessions: 35 });
  } finally {
    await one.close();
  }
});
