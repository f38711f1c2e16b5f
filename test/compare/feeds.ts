import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inWeekOf, SAMPLES_ZONE } from '../../src/harvest/feed/samples.ts';
import { type Zone, zone } from '../../src/time/zone.ts';
import { history } from '../generate/history.ts';
import { Random } from '../generate/random.ts';
import type { RpdeJson } from '../generate/series.ts';
import { randomVenueJson } from '../hours/random-place.ts';

/** What two programs harvest: folders of pages that grow step by step. */
export interface Feed {
  name: string;
  /** The new pages of a step: no more than three, which one transaction takes together. */
  pages(step: number, now: number): string[];
}

const SAMPLES = new URL('../../fixtures/feeds/', import.meta.url).pathname;
const PAGES = 3;
/** Histories that share places. */
const NEIGHBOURS = 100;

/** Writes the pages of a step; false: there are none. */
export function writeTurn(folder: string, { pages }: Feed, step: number, now: number): boolean {
  const texts = pages(step, now);
  mkdirSync(folder, { recursive: true });
  for (const [index, text] of texts.entries()) writeFileSync(join(folder, `page-${step}-${index}.json`), text);
  return texts.length > 0;
}

/** The sample feeds, once more with each new week. */
export function samples(): Feed[] {
  const home = zone(SAMPLES_ZONE) as Zone;
  const listed: { folder: string }[] = JSON.parse(readFileSync(join(SAMPLES, 'feeds.json'), 'utf8'));
  return listed.map(({ folder }) => {
    let last: string[] = [];
    return {
      name: folder,
      pages(_step, now) {
        const files = readdirSync(join(SAMPLES, folder)).sort();
        const texts = files.map((file) => inWeekOf(readFileSync(join(SAMPLES, folder, file), 'utf8'), now, home));
        const filled = texts.filter((text) => JSON.parse(text).items.length > 0);
        if (filled.join() === last.join()) return [];
        last = filled;
        return filled;
      },
    };
  });
}

/** Random histories: half of them in one feed, of the others series and sessions apart. */
export function histories(count: number, steps: number): Feed[] {
  const parts = Array.from({ length: count }, (_, seed) => partsOf(seed, steps));
  const feed = (name: string, take: (item: RpdeJson, seed: number) => boolean): Feed => ({
    name,
    pages: (step) => pagesOf(parts.map((part, seed) => (part[step] as RpdeJson[]).filter((item) => take(item, seed)))),
  });
  const isSession = ({ kind }: RpdeJson) => kind === 'ScheduledSession' || kind === 'Event';
  return [
    feed('together', (_item, seed) => seed % 2 === 0),
    feed('series', (item, seed) => seed % 2 === 1 && !isSession(item)),
    feed('sessions', (item, seed) => seed % 2 === 1 && isSession(item)),
  ];
}

/** The items of a history in each step; its place or facility has other hours in every second one. */
function partsOf(seed: number, steps: number): RpdeJson[][] {
  const { all } = history(seed);
  const size = Math.ceil(all.length / steps);
  return Array.from({ length: steps }, (_, step) => {
    const own = all.slice(step * size, (step + 1) * size);
    const items: RpdeJson[] = own.map((item) => ({ ...item, id: `${seed}-${item.id}` }));
    if (step % 2 === 0) items.push(venueItem(seed, step));
    const group = `/group-${Math.floor(seed / NEIGHBOURS)}/places/`;
    return JSON.parse(JSON.stringify(items).replaceAll('/api/places/', group)) as RpdeJson[];
  });
}

/** A Place or FacilityUse. */
function venueItem(seed: number, step: number): RpdeJson {
  const { id, json } = randomVenueJson(new Random(seed), seed);
  const { json: hours } = randomVenueJson(new Random(seed + step * 1_000_003), seed);
  const data = json['@type'] === hours['@type'] ? { ...json, ...hours } : json;
  return { state: 'updated', kind: json['@type'], id, modified: step + 1, data };
}

/** The items of each history lie on all pages, so that an item comes more than once in a transaction. */
function pagesOf(items: readonly RpdeJson[][]): string[] {
  return Array.from({ length: PAGES }, (_, page) => {
    const part = items.flatMap((list) =>
      list.slice(...[page, page + 1].map((n) => Math.ceil((n * list.length) / PAGES))),
    );
    const [next, license] = ['https://feeds.example.org/next', 'https://creativecommons.org/licenses/by/4.0/'];
    return JSON.stringify({ next, license, items: part });
  });
}
