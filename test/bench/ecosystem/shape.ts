import { Random } from '../../generate/random.ts';
import { eventData, facilityData, seriesData, sessionData, slotData } from '../items.ts';

/**
 * All open data of sport in the UK in numbers, smaller or larger by a factor, made from a seed. Nothing is kept: a page is
 * computed from the number of its first item.
 *
 * - Items of each type, feeds in all, and the largest feed: openactive-monitor, February and June 2026 (17.2 million items in
 *   475 feeds of 174 datasets; the largest ScheduledSession feed has 301,572).
 * - How many datasets have sessions, facilities and individual facilities (66, 64, 90), and how many embed the series in each
 *   session (25): field-usage report of June 2026. How the other feeds are spread over the types is assumed.
 * - How the items of a type are spread over its feeds is assumed: the n-th largest has a share of n^-0.7.
 * - Fields, sizes and tombstones: `items.ts`. Six in ten items are of the next year, as 10.4 of 17.2 million are to come.
 */

/** Types of feeds, with their items and feeds at scale 1. */
export const TYPES = {
  SessionSeries: { items: 210_000, feeds: 41 },
  ScheduledSession: { items: 2_710_000, feeds: 66 },
  Event: { items: 1_080_000, feeds: 40 },
  CourseInstance: { items: 56_000, feeds: 12 },
  HeadlineEvent: { items: 8_300, feeds: 7 },
  OnDemandEvent: { items: 352, feeds: 1 },
  FacilityUse: { items: 14_200, feeds: 64 },
  IndividualFacilityUse: { items: 3_800, feeds: 90 },
  Slot: { items: 13_100_000, feeds: 154 },
} as const;

export type FeedType = keyof typeof TYPES;

export interface Ecosystem {
  /** 1: as large as the real one. */
  scale: number;
  seed: number;
  /** With Slots: three in four of all items. */
  slots: boolean;
}

export interface PlannedFeed {
  /** Among all feeds. */
  index: number;
  type: FeedType;
  dataset: number;
  items: number;
  /** Sessions have their series in them. */
  embeds: boolean;
}

const DATASETS = 174;
const EMBEDDING = 25;
const TAIL = 0.7;
const TOMBSTONES = 0.12;
const NEXT_YEAR = 0.6;
const PAGE = 500;
/** Sessions of a series: 2.71 million of 210 thousand. */
const SESSIONS = 13;

/** The feeds, in the order of their types. */
export function feedsOf({ scale, slots }: Pick<Ecosystem, 'scale' | 'slots'>): PlannedFeed[] {
  const feeds: PlannedFeed[] = [];
  for (const [type, total] of Object.entries(TYPES) as [FeedType, (typeof TYPES)[FeedType]][]) {
    if (type === 'Slot' && !slots) continue;
    const weights = Array.from({ length: total.feeds }, (_, rank) => (rank + 1) ** -TAIL);
    const sum = weights.reduce((all, weight) => all + weight, 0);
    weights.forEach((weight, rank) => {
      const items = Math.max(1, Math.round((scale * total.items * weight) / sum));
      // The largest do not embed: 25 of the middle do.
      const embeds = type === 'ScheduledSession' && rank >= 20 && rank < 20 + EMBEDDING;
      feeds.push({ index: feeds.length, type, dataset: datasetOf(type, rank), items, embeds });
    });
  }
  return feeds;
}

/** Sessions and their series, slots and their facilities are of one dataset. */
function datasetOf(type: FeedType, rank: number): number {
  const facilities = TYPES.FacilityUse.feeds;
  if (type === 'IndividualFacilityUse') return facilities + rank;
  return rank % DATASETS;
}

/** A page of a feed: the items after a change number, as JSON text, and the change number of the last one. */
export function pageAfter(
  feed: PlannedFeed,
  after: number,
  { seed, changed }: Pick<Ecosystem, 'seed'> & { changed: number },
): { items: string[]; last: number } {
  const end = Math.min(after + PAGE, feed.items + changed);
  const items: string[] = [];
  for (let number = after; number < end; number += 1) items.push(itemText(feed, number, seed));
  return { items, last: end };
}

/** Items beyond those of the feed are changes: each is one of them again, with a newer change number. */
function itemText(feed: PlannedFeed, number: number, seed: number): string {
  const { type, index, items } = feed;
  const n = number < items ? number : Math.imul(number, 2_654_435_761) % items;
  const own = Math.abs(n);
  const r = new Random(seed + 1_000_003 * index + number);
  const head = `"kind":"${feed.embeds ? 'ScheduledSession.SessionSeries' : type}","id":"${own}","modified":${number + 1}`;
  const gone = new Random(seed + 7_000_009 * index + own).chance(TOMBSTONES);
  if (gone) return `{"state":"deleted",${head}}`;
  const text = JSON.stringify(dataOf(feed, own, r));
  const dated = new Random(seed + own).chance(NEXT_YEAR) ? text.replaceAll('"2026-', '"2027-') : text;
  return `{"state":"updated",${head},"data":${dated}}`;
}

/** Numbers of different datasets do not meet: an `@id` is of one publisher. */
const APART = 10_000_000;
const SITES = 10_000;

function dataOf({ type, dataset, items, embeds }: PlannedFeed, n: number, r: Random): object {
  const base = dataset * APART;
  if (type === 'SessionSeries') return seriesData(r, base + n, SITES);
  if (type === 'ScheduledSession') {
    const series = base + ((Math.imul(n, 40_503) >>> 0) % Math.max(1, Math.round(items / SESSIONS)));
    return sessionData(r, series, n, embeds, SITES);
  }
  if (type === 'FacilityUse' || type === 'IndividualFacilityUse') return facilityData(r, base + n, SITES);
  if (type === 'Slot') return slotData(r, n, base + (n % Math.max(1, Math.round(items / 700))));
  return eventData(r, type === 'OnDemandEvent' ? 'Event' : type, base + n, SITES);
}
