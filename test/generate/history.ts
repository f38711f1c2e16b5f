import { Random } from './random.ts';
import { type RpdeJson, randomFeed } from './series.ts';

/** A history: the items of a feed, then changes of some of them: renamed, moved, cancelled, deleted, brought back. */
export function history(seed: number): { all: RpdeJson[]; last: RpdeJson[] } {
  const random = new Random(seed);
  const first = randomFeed(seed, 6);
  const all = [...first];
  const newest = new Map<string, RpdeJson>();
  for (const item of first) keep(newest, item);
  for (let step = 0; step < 40; step += 1) {
    const item = change(random, random.pick([...newest.values()]), 2_000_000_000 + step);
    all.push(item);
    keep(newest, item);
  }
  return { all, last: [...newest.values()] };
}

function keep(newest: Map<string, RpdeJson>, item: RpdeJson): void {
  const key = `${item.kind} ${item.id}`;
  const known = newest.get(key);
  if (known === undefined || known.modified <= item.modified) newest.set(key, item);
}

function change(random: Random, item: RpdeJson, modified: number): RpdeJson {
  if (item.data === undefined || random.chance(0.25)) {
    const { data: _, ...rest } = item;
    return { ...rest, state: 'deleted', modified };
  }
  const data = structuredClone(item.data);
  const what = random.int(0, 3);
  if (what === 0) data.name = `Renamed ${modified}`;
  if (what === 1) data.eventStatus = 'https://schema.org/EventCancelled';
  // A session that loses its time goes on with its last good copy, which whoever sees the last copy alone never saw.
  const isMoved =
    typeof data.startDate === 'string' && data.startDate.includes('T') && typeof data.endDate === 'string';
  if (what === 2 && isMoved) data.startDate = data.endDate;
  if (what === 3) data.description = 'Another text';
  return { ...item, data, modified };
}
