import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { inWeekOf } from '../../src/harvest/feed/samples.ts';
import { type Zone, zone } from '../../src/time/zone.ts';
import { randomFeed } from '../generate/series.ts';
import { runs } from '../runs.ts';
import { type EventCase, FROM, type Index, type Place, type PlaceCase, TO } from './cases.ts';
import { nightSeries } from './examiner/nights.ts';
import { randomPlace } from './examiner/place.ts';
import { draft, examined, type Given, type Json } from './examiner/series.ts';
import { headline, type Shaped, shaped } from './examiner/shapes.ts';
import { expectedRows } from './expected.ts';
import { expand, type Occurrence, run } from './program.ts';
import type { Row } from './rows.ts';

/**
 * Makes what the judges are shown: through the commands, as people run them. OPENACTIVE_ICAL_RUNS multiplies the random
 * part, OPENACTIVE_ICAL_SEED begins it elsewhere.
 */

const SEED = Number(process.env.OPENACTIVE_ICAL_SEED ?? 1);
/** By `runs`: batches, and how many are in each. Several in one input, for starting a program takes a second. */
const EXAMINED = { batches: 3, size: 100 };
const NIGHTS = { batches: 1, size: 80 };
const SHAPES = { batches: 2, size: 100 };
const FEEDS = { batches: 1, size: 40 };
const PLACES = { batches: 3, size: 10 };

const samples = fileURLToPath(new URL('../../fixtures/feeds', import.meta.url));

/** The folder of this run: two at once do not meet. */
const folder = mkdtempSync(join(tmpdir(), 'openactive-ical-judges-'));
const file = (name: string, ending: string): string => join(folder, `${name}.${ending}`);

export default async function prepare(project: TestProject): Promise<() => void> {
  const made: Index = { events: [await shipped()], places: [await shippedPlaces()] };
  for (const seeds of batches(EXAMINED)) made.events.push(await examinedCase('series', seeds, draft));
  for (const seeds of batches(NIGHTS)) made.events.push(await examinedCase('nights', seeds, nightSeries));
  for (const seeds of batches(SHAPES)) made.events.push(await shapedCase(seeds));
  for (const [seed] of batches({ batches: FEEDS.batches, size: 1 })) {
    const input = randomFeed(seed as number, FEEDS.size);
    made.events.push(await eventCase(`feed-${seed}`, JSON.stringify(input), '2024-06-01', '2028-06-01'));
  }
  for (const seeds of batches(PLACES)) made.places.push(await placeCase(`places-${seeds[0]}`, seeds.map(randomPlace)));
  writeFileSync(join(folder, 'index.json'), JSON.stringify(made));
  project.provide('cases', folder);
  // What a failure is about can be looked at again by its seed.
  return () => rmSync(folder, { recursive: true, force: true });
}

function batches({ batches: count, size }: { batches: number; size: number }): number[][] {
  return Array.from({ length: runs(count) }, (_, n) => Array.from({ length: size }, (__, i) => SEED + n * size + i));
}

/** All pages of all sample feeds, dated to a week before the clocks change. */
function shipped(): Promise<EventCase> {
  const london = zone('Europe/London') as Zone;
  const pages = readdirSync(samples, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.startsWith('page-'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => inWeekOf(readFileSync(path, 'utf8'), Date.UTC(2026, 9, 14, 12), london));
  return eventCase('samples', `[${pages.join()}]`, '2026-08-01', '2027-10-01');
}

/** In two steps: what the schedules alone give decides what is taken out of them and published beside them. */
async function examinedCase(kind: string, seeds: number[], make: (seed: number) => Json): Promise<EventCase> {
  const name = `${kind}-${seeds[0]}`;
  const items = (await drafted(name, seeds, make)).flatMap(({ seed, series, given }) =>
    examined(
      seed,
      series,
      given.map(({ id, start, end }): Given => ({ id: id ?? null, start, end })),
    ),
  );
  return eventCase(name, JSON.stringify(items), FROM, TO);
}

/** The same with sessions of which it is decided beforehand what must be seen of them. */
async function shapedCase(seeds: number[]): Promise<EventCase> {
  const name = `shapes-${seeds[0]}`;
  const series = (await drafted(name, seeds, draft)).map((one) => shaped(one.seed, one.series, one.given));
  const all: Shaped[] = [...series, ...seeds.map(headline)];
  writeFileSync(file(name, 'shown.jsonl'), jsonLines(expectedRows(all.flatMap(({ shown }) => shown))));
  return { ...(await eventCase(name, JSON.stringify(all.flatMap(({ items }) => items)), FROM, TO)), shown: true };
}

/** Series, and what their schedules alone give. */
async function drafted(
  name: string,
  seeds: number[],
  make: (seed: number) => Json,
): Promise<{ seed: number; series: Json; given: Occurrence[] }[]> {
  const drafts = seeds.map((seed) => ({ seed, series: make(seed) }));
  writeFileSync(file(name, 'draft.json'), JSON.stringify(drafts.map(({ series }) => series)));
  const rows = await expand(file(name, 'draft.json'), FROM, TO);
  const given = Map.groupBy(rows, ({ name: own = '' }) => own);
  return drafts.map((one) => ({ ...one, given: given.get(plainName(one.series)) ?? [] }));
}

/** Markup is not part of a name once it is cleaned. */
function plainName({ name }: Json): string {
  return (name as string).replaceAll(/<\/?b>/g, '');
}

async function eventCase(name: string, input: string, from: string, to: string): Promise<EventCase> {
  writeFileSync(file(name, 'json'), input);
  writeFileSync(file(name, 'ics'), await run('convert', file(name, 'json')));
  const rows = expectedRows(await expand(file(name, 'json'), from, to));
  writeFileSync(file(name, 'jsonl'), jsonLines(rows));
  return { name, from, to };
}

function jsonLines(rows: readonly Row[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

function shippedPlaces(): Promise<PlaceCase> {
  const items = ['marlowe-places', 'marlowe-facilities'].flatMap((feed) => {
    const pages = readdirSync(join(samples, feed)).map((page) => readFileSync(join(samples, feed, page), 'utf8'));
    return pages.flatMap((page) => (JSON.parse(page) as { items: { data?: Json }[] }).items);
  });
  return placeCase(
    'sample-places',
    items.flatMap(({ data }) => (data?.name === undefined ? [] : [data])),
  );
}

async function placeCase(name: string, places: Json[]): Promise<PlaceCase> {
  writeFileSync(file(name, 'json'), JSON.stringify(places));
  const window = ['--from', FROM, '--to', TO];
  for (const as of ['availability', 'freebusy', 'hours']) {
    writeFileSync(file(name, `${as}.ics`), await run('convert', file(name, 'json'), '--as', as, ...window));
  }
  writeFileSync(file(name, 'jsonl'), await run('hours', file(name, 'json'), ...window));
  return { name, places: places.map((place) => ({ id: place['@id'], name: place.name, url: place.url }) as Place) };
}
