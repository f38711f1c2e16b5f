import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forgetFeed } from '../../../src/harvest/ingest/forget.ts';
import { rebuild } from '../../../src/harvest/ingest/rebuild.ts';
import type { Series, Session } from '../../../src/opportunity/records.ts';
import { recordOf } from '../../../src/store/find.ts';
import { Random } from '../../generate/random.ts';
import type { RpdeJson } from '../../generate/series.ts';
import { runs } from '../../runs.ts';
import { type Rig, rig, withoutStamps } from '../rig.ts';
import { expected, type Known } from './publishers-reading.ts';

const RUNS = runs(7);

const FEEDS = [
  'https://a.example/x',
  'https://a.example/y',
  'https://b.example/f',
  'https://c.example:8443/f',
  'http://d.example/f',
];
const HOSTS = [
  'https://a.example',
  'http://b.example',
  'https://c.example:8443',
  'https://d.example',
  'https://shared.example',
];
const IDS = (what: string): string[] => HOSTS.flatMap((host) => [1, 2].map((n) => `${host}/${what}/${n}`));

interface World {
  known: Known[];
  /** What feeds send, in the order they send it; the last copy of each key counts. */
  sent: { url: string; item: RpdeJson }[];
}

function worldOf(random: Random): World {
  serial = 0;
  const urls = random.shuffle([...FEEDS]).slice(0, random.int(2, FEEDS.length));
  const known = urls.map((url) => ({ url, key: random.chance(0.3) ? `dataset ${random.int(1, 2)}` : undefined }));
  const sent = Array.from({ length: random.int(5, 40) }, () => ({ url: random.pick(urls), item: itemOf(random) }));
  return { known, sent };
}

function itemOf(random: Random): RpdeJson {
  const kind = random.pick(['SessionSeries', 'ScheduledSession', 'ScheduledSession', 'Place', 'EventSeries']);
  const id = String(random.int(1, 8));
  const modified = random.int(1, 9);
  if (random.chance(0.15)) return { state: 'deleted', kind, id, modified };
  return { state: 'updated', kind, id, modified, data: { '@type': kind, ...dataOf(random, kind) } };
}

let serial: number;
const words = (): string => {
  serial += 1;
  return `Words ${serial}`;
};

function dataOf(random: Random, kind: string): Record<string, unknown> {
  const place = (): unknown => ({
    '@type': 'Place',
    '@id': random.pick(IDS('place')),
    name: words(),
    address: words(),
  });
  if (kind === 'Place') return { '@id': random.pick(IDS('place')), name: words(), address: words() };
  if (kind === 'EventSeries') return { '@id': random.pick(IDS('group')), name: words(), description: words() };
  const series = (): Record<string, unknown> => ({
    '@id': random.pick(IDS('series')),
    name: words(),
    ...(random.chance(0.5) && { location: place() }),
    ...(random.chance(0.3) && { superEvent: random.pick(IDS('group')) }),
  });
  if (kind === 'SessionSeries') return series();
  return {
    '@id': random.pick(IDS('session')),
    name: words(),
    startDate: `2026-12-0${random.int(1, 9)}T10:00:00Z`,
    duration: 'PT1H',
    superEvent: random.chance(0.3) ? { '@type': 'SessionSeries', ...series() } : random.pick(IDS('series')),
  };
}

async function deliver(one: Rig, { known, sent }: World, size: number): Promise<void> {
  const key = new Map(known.map((feed) => [feed.url, feed.key]));
  for (let at = 0; at < sent.length; at += size) {
    const page = sent.slice(at, at + size);
    for (const [url, own] of Map.groupBy(page, (each) => each.url))
      await one.feed(
        own.map(({ item }) => item),
        size,
        url,
        key.get(url),
      );
  }
}

/** What the store says of every series: its words, its sessions and theirs, and at which places it is. */
async function seriesByOwner(one: Rig): Promise<unknown> {
  const { read } = one.store;
  const series: Record<string, unknown> = {};
  for (const id of [...IDS('series'), ...IDS('group')]) {
    const row = await read.recordByIdent('series', id);
    if (row?.owner === undefined) continue;
    const sessions = await read.sessions(row.id);
    series[id] = {
      name: (recordOf(row) as Series).details.name,
      sessions: sessions.map((session) => (recordOf(session) as Session).details.name ?? '').sort(),
    };
  }
  const places: Record<string, unknown> = {};
  for (const id of IDS('place')) {
    const row = await read.recordByIdent('place', id);
    if (row?.owner === undefined) continue;
    const at = await Promise.all((await read.seriesAt(row.id)).map((seriesId) => read.recordById(seriesId)));
    places[id] = { name: (recordOf(row) as { name?: string }).name, at: at.map((each) => each?.ident).sort() };
  }
  return { series, places };
}

async function findings(one: Rig): Promise<unknown> {
  const found: unknown[] = [];
  for (const { id, url } of await one.store.read.feeds())
    for (const row of await one.store.read.itemFindings(id, 0, 1000))
      found.push([
        url,
        row.kind,
        row.rpdeId,
        (JSON.parse(row.findings) as object[]).map((each) => JSON.stringify(each)).sort(),
      ]);
  return found.map((each) => JSON.stringify(each)).sort();
}

async function all(one: Rig): Promise<unknown> {
  return { served: withoutStamps(await one.served()), told: await seriesByOwner(one), findings: await findings(one) };
}

/** The order in which the feeds are known is what decides; nobody has sent anything yet. */
async function know(one: Rig, known: readonly Known[]): Promise<void> {
  for (const { url, key } of known) await one.feed([], 1, url, key);
}

async function scratch(world: World): Promise<unknown> {
  const one = await rig();
  try {
    await know(one, world.known);
    await deliver(one, world, 100);
    return await all(one);
  } finally {
    await one.close();
  }
}

describe('who may speak of an @id', () => {
  const seeds = fc.integer({ min: 1, max: 1_000_000 });

  it('is decided as the rule says, whatever the order of arrival', async () => {
    await fc.assert(
      fc.asyncProperty(seeds, async (seed) => {
        const random = new Random(seed);
        const world = worldOf(random);
        const one = await rig();
        try {
          await know(one, world.known);
          await deliver(one, world, random.int(1, 10));
          expect(await seriesByOwner(one)).toEqual(expected(world.known, world.sent));
          expect(await all(one)).toEqual(await scratch(world));
        } finally {
          await one.close();
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('and whenever a feed becomes known, joins a dataset or is stopped in between', async () => {
    await fc.assert(
      fc.asyncProperty(seeds, async (seed) => {
        const random = new Random(seed);
        const world = worldOf(random);
        const one = await rig();
        try {
          const first = random.shuffle([...world.known]).slice(0, 2);
          const early = first.map(({ url }) => ({ url, key: random.chance(0.5) ? 'dataset 1' : undefined }));
          // Who is known first stays known longest.
          const known = [...first, ...world.known.filter((feed) => !first.includes(feed))];
          const of = (feeds: readonly Known[]) => ({
            known: [...feeds],
            sent: world.sent.filter(({ url }) => feeds.some((feed) => feed.url === url)),
          });
          await know(one, early);
          await deliver(one, of(early), random.int(1, 10));
          if (random.chance(0.3)) await one.reopen();
          for (const { url, key } of known) await one.feed([], 1, url, key ?? new URL(url).host);
          await deliver(one, of(known), random.int(1, 10));
          expect(await seriesByOwner(one)).toEqual(expected(known, world.sent));
          const now = await all(one);
          expect(now).toEqual(await scratch(of(known)));
          await rebuild(one.store, one.options);
          expect(await all(one)).toEqual(now);
        } finally {
          await one.close();
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('and after feeds are forgotten, as if they had never been known', async () => {
    await fc.assert(
      fc.asyncProperty(seeds, async (seed) => {
        const random = new Random(seed);
        const world = worldOf(random);
        const one = await rig();
        try {
          await know(one, world.known);
          await deliver(one, world, random.int(1, 10));
          const gone = random.shuffle([...world.known]).slice(0, random.int(1, world.known.length - 1));
          for (const { url } of gone) await forgetFeed(one.store, url, one.options);
          const known = world.known.filter((feed) => !gone.includes(feed));
          const sent = world.sent.filter(({ url }) => known.some((feed) => feed.url === url));
          expect(await seriesByOwner(one)).toEqual(expected(known, sent));
          expect(await all(one)).toEqual(await scratch({ known, sent }));
        } finally {
          await one.close();
        }
      }),
      { numRuns: RUNS },
    );
  });
});
