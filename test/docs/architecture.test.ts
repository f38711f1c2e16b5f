import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { roomOf, sourcesOf } from '../architecture/house.ts';
import { declares, drawnRooms, pathsIn, stopsOf, unreached, walksOf } from './architecture.ts';
import { textsUnder } from './citations.ts';

/** docs/architecture.md names files, functions and rooms as they are. */

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const page = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
const walks = walksOf(page);
/** Walks whose stops call each other. */
const CALLED = [
  'A page, from HTTP to rows',
  'A request, from HTTP to octets',
  'A REPORT, from XML to XML',
  'A page for people',
  'A search, from words to rows',
  'A Schedule, to RRULE',
  'Opening hours, to VAVAILABILITY',
];
const MOST_STOPS = 15;
const MOST_WORDS = 25;

test('every function that it names is in the file that it names', () => {
  const stops = stopsOf(page);
  expect(stops.length).toBeGreaterThan(50);
  expect(stops.filter((stop) => !declares(stop, ROOT))).toEqual([]);
});

test.each(CALLED)('%s: each stop is called from an earlier one, in few stops', (name) => {
  const stops = walks.find(({ heading }) => heading === name)?.stops ?? [];
  expect(stops.length).toBeGreaterThan(5);
  expect(stops.length).toBeLessThanOrEqual(MOST_STOPS);
  expect(unreached(stops, ROOT)).toEqual([]);
});

test('rooms are drawn so that imports lead to lower lines', () => {
  const drawn = drawnRooms(page);
  const everybody = ['bounded-map', 'database-schemes', 'entity-tags', 'errors', 'limits', 'nearest', 'index'];
  const sources = sourcesOf(join(ROOT, 'src')).filter(({ room }) => !everybody.includes(room));
  expect([...new Set(sources.map(({ room }) => room))].sort()).toEqual([...drawn.keys()].sort());
  const upwards = sources.flatMap(({ path, room, imports }) =>
    imports
      .flatMap(({ file }) => (file !== undefined && /\.tsx?$/.test(file) ? [roomOf(file)] : []))
      .filter((to) => to !== room && !everybody.includes(to))
      .filter((to) => (drawn.get(to) as number) <= (drawn.get(room) as number))
      .map((to) => `${path} -> ${to}`),
  );
  expect(upwards).toEqual([]);
});

test('CONTRIBUTING.md says of every room what changes there', () => {
  const table = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8').split('## Where a change goes')[1] ?? '';
  const listed = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, room]) => room as string);
  expect(listed.sort()).toEqual([...drawnRooms(page).keys()].sort());
});

test('its words are few', () => {
  const rows = (page.split('## Words of ours')[1] ?? '').match(/^\| (?!word|---).*\|$/gm) ?? [];
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.length).toBeLessThanOrEqual(MOST_WORDS);
});

test('every thread and child of the program is listed', () => {
  const workers = sourcesOf(join(ROOT, 'src'))
    .map(({ path }) => `src/${path}`)
    .filter((path) => path.endsWith('worker.ts'));
  expect(workers.length).toBeGreaterThan(3);
  expect(workers.filter((path) => !page.includes(`\`${path}\``))).toEqual([]);
});

test('paths that pages name are in the repository', () => {
  const pages = textsUnder(ROOT).filter(({ path }) => path.endsWith('.md') && path !== 'CHANGELOG.md');
  const named = pages.flatMap(({ path, text }) => pathsIn(text).map((name) => ({ path, name })));
  expect(named.length).toBeGreaterThan(50);
  const isThere = (path: string, name: string) =>
    [ROOT, join(ROOT, dirname(path))].some((folder) => existsSync(join(folder, name)));
  expect(named.filter(({ path, name }) => !isThere(path, name))).toEqual([]);
});

describe('this test itself', () => {
  test('finds a function that is not in its file, and a file that is not there', () => {
    const [stop] = stopsOf('`visit` in `src/harvest/feed/crawl.ts`');
    expect(stop).toEqual({ name: 'visit', file: 'src/harvest/feed/crawl.ts' });
    expect(declares(stop as NonNullable<typeof stop>, ROOT)).toBe(false);
    expect(declares({ name: 'visit', file: 'src/nowhere.ts' }, ROOT)).toBe(false);
    expect(declares({ name: 'visit', file: 'src/harvest/visit/visit.ts' }, ROOT)).toBe(true);
  });

  test('finds a stop that nobody calls', () => {
    const stops = [
      { name: 'write', file: 'src/ical/write.ts' },
      { name: 'planSeries', file: 'src/calendar/series/plan.ts' },
    ];
    expect(unreached(stops, ROOT)).toEqual(['planSeries']);
  });

  test('finds paths, and leaves words be', () => {
    expect(pathsIn('`src/nowhere.ts`, `ical/x.ts`, `docs/`, `Europe/London`, `npm test`')).toEqual([
      'src/nowhere.ts',
      'ical/x.ts',
      'docs/',
    ]);
  });
});
