import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../generate/random.ts';
import { eventData, facilityData, seriesData, sessionData, slotData } from './items.ts';

/**
 * Feeds shaped like the live ones, for measurements: the proportions of a survey of 174 live datasets (2026).
 *
 * - Types without Slots: ScheduledSession 66 %, Event 27 %, SessionSeries 3–5 %, CourseInstance 1.4 %, facilities 0.5 %,
 *   HeadlineEvent 0.2 %. Slots (76 % of all live items) are left out unless asked for: they are the cheap ones.
 * - About 13 sessions a series, with a long tail; 45 % of the series exist only embedded in their sessions.
 * - 95 % of schedules are PartialSchedules. 12 % of the items are tombstones, 1 % come again with a newer `modified`.
 * - Sessions in no order of their series: a page of 500 touches hundreds of series.
 * - `modified` is .NET ticks (past 2^53) in half of the feeds; items are 0.6 to 3 KB; 500 items a page.
 */

export interface Shape {
  items: number;
  seed: number;
  /** Share of Slots, 0 … 1. */
  slots?: number;
  pageSize?: number;
  /** Places at which all of it is. */
  sites?: number;
  /** All feeds under one origin, as the server names it; absent: each dataset has an address of its own. */
  origin?: string;
}

export interface BenchPage {
  /** The feed's address. */
  feed: string;
  /** The page's own address and that of the next one. */
  url: string;
  next: string;
  items: number;
  text: string;
}

const DATASETS = 6;
/** As many as half a million items of the survey have. */
const SITES = 1500;
const TOMBSTONES = 0.12;
const RESENT = 0.01;
const TICKS_2026 = 639_027_360_000_000_000n;

interface Planned {
  feed: number;
  kind: string;
  id: string;
  data: (r: Random) => object;
}

/** The pages of all feeds, interleaved as a crawl of them side by side would meet them. Deterministic. */
export function* benchPages(shape: Shape): Generator<BenchPage> {
  const pageSize = shape.pageSize ?? 500;
  const random = new Random(shape.seed);
  const open = new Map<number, { items: string[]; page: number }>();
  let order = 0;
  for (const planned of plan(shape, random)) {
    const feed = open.get(planned.feed) ?? { items: [], page: 0 };
    open.set(planned.feed, feed);
    feed.items.push(envelope(planned, order++, random));
    if (feed.items.length === pageSize) yield pageOf(feedUrl(planned.feed, shape.origin), feed);
  }
  for (const [feed, rest] of open) {
    if (rest.items.length > 0) yield pageOf(feedUrl(feed, shape.origin), rest);
  }
}

/** Writes the pages into a folder, numbered in the order in which they are to be read; returns what they are. */
export function writeBenchPages(shape: Shape, folder: string): Omit<BenchPage, 'text'>[] {
  mkdirSync(folder, { recursive: true });
  const index: Omit<BenchPage, 'text'>[] = [];
  for (const { text, ...page } of benchPages(shape)) {
    writeFileSync(join(folder, `${index.length}.json`), text);
    index.push(page);
  }
  writeFileSync(join(folder, 'index.json'), JSON.stringify(index));
  return index;
}

function feedUrl(feed: number, origin: string | undefined): string {
  const dataset = `dataset${feed % DATASETS}`;
  return `${origin === undefined ? `https://${dataset}.example.org` : `${origin}/${dataset}`}/api/feeds/${Math.floor(feed / DATASETS)}`;
}

function pageOf(feed: string, open: { items: string[]; page: number }): BenchPage {
  const url = open.page === 0 ? feed : `${feed}?after=${open.page}`;
  const next = `${feed}?after=${open.page + 1}`;
  const license = 'https://creativecommons.org/licenses/by/4.0/';
  const text = `{"next":${JSON.stringify(next)},"license":${JSON.stringify(license)},"items":[${open.items.join(',')}]}`;
  const items = open.items.length;
  open.items = [];
  open.page++;
  return { feed, url, next, items, text };
}

/** Half of the feeds stamp with .NET ticks, half with milliseconds. */
function modifiedOf(feed: number, order: number): string {
  return feed % 2 === 0 ? String(TICKS_2026 + BigInt(order) * 54_321n) : String(1_767_225_600_000 + order * 37);
}

function envelope(planned: Planned, order: number, random: Random): string {
  const head = `"kind":${JSON.stringify(planned.kind)},"id":${JSON.stringify(planned.id)},"modified":${modifiedOf(planned.feed, order)}`;
  if (random.chance(TOMBSTONES)) return `{"state":"deleted",${head}}`;
  return `{"state":"updated",${head},"data":${JSON.stringify(planned.data(random))}}`;
}

/** How many sessions each series has: log-normal, mean about 13, median 5, at most 2000. */
function sessionsPerSeries(total: number, random: Random): number[] {
  const counts: number[] = [];
  for (let left = total; left > 0; ) {
    const normal = Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
    const count = Math.min(left, 2000, 1 + Math.floor(Math.exp(1.5 + 1.4 * normal)));
    counts.push(count);
    left -= count;
  }
  return counts;
}

/** What is to come, as small numbers: one number a session, shuffled, and everything else sprinkled between. */
function* plan(shape: Shape, random: Random): Generator<Planned> {
  const slots = Math.round(shape.items * (shape.slots ?? 0));
  const rest = shape.items - slots;
  const sessions = Math.round(rest * 0.672);
  const counts = sessionsPerSeries(sessions, random);
  const owner = shuffled(
    Uint32Array.from(counts.flatMap((count, series) => new Array<number>(count).fill(series))),
    random,
  );
  const others = {
    series: shuffled(Uint32Array.from(counts.keys()), random).filter((series) => !isEmbedded(series)),
    event: Math.round(rest * 0.267),
    course: Math.round(rest * 0.014),
    facility: Math.round(rest * 0.005),
    headline: Math.round(rest * 0.002),
    slot: slots,
  };
  yield* mixed(owner, others, shape.sites ?? SITES, random);
}

function* mixed(
  owner: Uint32Array,
  others: { series: Uint32Array; event: number; course: number; facility: number; headline: number; slot: number },
  sites: number,
  random: Random,
): Generator<Planned> {
  const makers: [total: number, make: (n: number) => Planned][] = [
    [owner.length, (n) => sessionItem(owner[n] as number, n, sites)],
    [others.series.length, (n) => seriesItem(others.series[n] as number, sites)],
    [others.event, (n) => eventItem('Event', n, sites)],
    [others.course, (n) => eventItem('CourseInstance', n, sites)],
    [others.facility, (n) => facilityItem(n, sites)],
    [others.headline, (n) => eventItem('HeadlineEvent', n, sites)],
    [others.slot, slotItem],
  ];
  const done = makers.map(() => 0);
  for (let left = makers.reduce((sum, [total]) => sum + total, 0); left > 0; left--) {
    const which = random.among(makers.map(([total], index) => [total - (done[index] as number), index] as const));
    const [, make] = makers[which] as (typeof makers)[number];
    // One in a hundred is an earlier item again, newer: feeds move updated items to their end.
    const again = (done[which] as number) > 0 && random.chance(RESENT);
    yield make(again ? random.int(0, (done[which] as number) - 1) : (done[which] as number));
    (done[which] as number)++;
  }
}

/** Whether the series exists only inside its sessions (`superEvent` embedded), as with a third of the systems. */
export function isEmbedded(series: number): boolean {
  return (series * 2_654_435_761) % 100 < 45;
}

function sessionItem(series: number, n: number, sites: number): Planned {
  const embedded = isEmbedded(series);
  return {
    feed: feedOf(series, embedded ? 2 : 1),
    kind: embedded ? 'ScheduledSession.SessionSeries' : 'ScheduledSession',
    id: `${series}-${n}`,
    data: (r) => sessionData(r, series, n, embedded, sites),
  };
}

function seriesItem(series: number, sites: number): Planned {
  return {
    feed: feedOf(series, 0),
    kind: 'SessionSeries',
    id: `series${series}`,
    data: (r) => seriesData(r, series, sites),
  };
}

function eventItem(type: 'Event' | 'CourseInstance' | 'HeadlineEvent', n: number, sites: number): Planned {
  return { feed: feedOf(n, 3), kind: type, id: `${type}${n}`, data: (r) => eventData(r, type, n, sites) };
}

function facilityItem(n: number, sites: number): Planned {
  return {
    feed: feedOf(n, 4),
    kind: n % 5 === 0 ? 'IndividualFacilityUse' : 'FacilityUse',
    id: `f${n}`,
    data: (r) => facilityData(r, n, sites),
  };
}

function slotItem(n: number): Planned {
  return { feed: feedOf(n, 5), kind: 'FacilityUse/Slot', id: `slot${n}`, data: (r) => slotData(r, n) };
}

/** Every dataset has one feed per kind of item. */
function feedOf(n: number, kind: number): number {
  return (n % DATASETS) + kind * DATASETS;
}

function shuffled(list: Uint32Array, random: Random): Uint32Array {
  for (let i = list.length - 1; i > 0; i--) {
    const j = random.int(0, i);
    [list[i], list[j]] = [list[j] as number, list[i] as number];
  }
  return list;
}
