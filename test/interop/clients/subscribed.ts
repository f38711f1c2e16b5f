import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FROM, TO } from '../cases.ts';
import { nightSeries } from '../examiner/nights.ts';
import { draft, examined, type Given, type Item, type Json } from '../examiner/series.ts';
import { expectedRows } from '../expected.ts';
import { comparable } from '../ledger.ts';
import { expand, type Service, serve } from '../program.ts';
import type { Row } from '../rows.ts';
import { Counter } from './counter.ts';

/**
 * A running program with a feed of a few series, for real clients to subscribe to; the feed then changes. Half of the series
 * are around nights on which the clocks change.
 */

/** Series with enough to see and not too much to wait for. */
const ROWS = { least: 4, most: 500 };
const SEEDS = { draft: [901, 922], night: [901, 914] } as const;

interface Edition {
  items: Item[];
  /** What a client must show, without what is cancelled: that leaves 30 days after its date, and these dates stand still. */
  rows: Row[];
}

export interface Subscription {
  id: string;
  url: string;
  before: Row[];
  after: Row[];
}

export function isShown(row: Row): boolean {
  return row.status !== 'CANCELLED';
}

/** Rows as they are compared. */
export function shown(rows: readonly Row[]): Row[] {
  return rows.filter(isShown).map((row) => ({ ...row, summary: comparable(row.summary) }));
}

export class Subscribed {
  readonly subscriptions: Subscription[];
  readonly counter: Counter;
  readonly #service: Service;
  readonly #folder: string;
  readonly #changes: Item[];

  private constructor(folder: string, service: Service, counter: Counter, made: Subscription[], changes: Item[]) {
    this.#folder = folder;
    this.#service = service;
    this.counter = counter;
    this.subscriptions = made;
    this.#changes = changes;
  }

  static async start(): Promise<Subscribed> {
    const folder = mkdtempSync(join(tmpdir(), 'openactive-ical-clients-'));
    const chosen = await chooseSeries(folder);
    writeFeed(folder, [chosen.flatMap(({ before }) => before.items)]);
    // The change takes more sessions away than is believed of a feed unasked.
    const data = join(folder, 'data');
    const service = await serve('--feed', join(folder, 'feed'), '--data', data, '--confirm-deletes', 'apply');
    const counter = await Counter.before(service.url);
    const made: Subscription[] = [];
    for (const { id, before, after } of chosen) {
      made.push({ id, url: await addressOf(id, service.url, counter.url), before: before.rows, after: after.rows });
    }
    const changes = chosen.flatMap(({ before, after }) => changed(before.items, after.items));
    return new Subscribed(folder, service, counter, made, changes);
  }

  /** The publisher changes every series; returns when every calendar has changed. */
  async change(): Promise<void> {
    const etags = await Promise.all(this.subscriptions.map(({ url }) => etagOf(url)));
    writeFeed(this.#folder, [this.#changes], 2);
    await until('every calendar has changed', async () => {
      const now = await Promise.all(this.subscriptions.map(({ url }) => etagOf(url)));
      return now.every((etag, at) => etag !== etags[at]);
    });
  }

  async stop(): Promise<void> {
    await this.counter.close();
    await this.#service.stop();
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

interface Chosen {
  id: string;
  before: Edition;
  after: Edition;
}

async function chooseSeries(folder: string): Promise<Chosen[]> {
  const drafts = [...madeBy(draft, SEEDS.draft), ...madeBy(nightSeries, SEEDS.night)];
  const given = await rowsById(
    folder,
    drafts.map(({ series }) => series),
  );
  const edited = (edition: number) =>
    drafts.map(({ seed, series }) =>
      examined(seed + edition * 10_000, series, given.get(series['@id'] as string) ?? []),
    );
  const [before, after] = [await edition(folder, edited(0)), await edition(folder, edited(1))];
  return drafts.flatMap(({ series }, at): Chosen[] => {
    const [one, other] = [before[at] as Edition, after[at] as Edition];
    const isGood = [one, other].every(({ rows }) => rows.length >= ROWS.least && rows.length <= ROWS.most);
    const changes = JSON.stringify(one.rows) !== JSON.stringify(other.rows);
    return isGood && changes ? [{ id: series['@id'] as string, before: one, after: other }] : [];
  });
}

function madeBy(make: (seed: number) => Json, [first, last]: readonly [number, number]) {
  const seeds = Array.from({ length: last - first + 1 }, (_, n) => first + n);
  return seeds.map((seed) => ({ seed, series: make(seed) }));
}

/** What series give by themselves. Their names are their own, and so are the ids made of theirs. */
async function rowsById(folder: string, list: readonly Json[]): Promise<Map<string, Given[]>> {
  writeFileSync(join(folder, 'drafts.json'), JSON.stringify(list));
  const byName = Map.groupBy(await expand(join(folder, 'drafts.json'), FROM, TO), ({ name = '' }) => comparable(name));
  return new Map(
    list.map((series) => {
      const own = byName.get(nameOf(series)) ?? [];
      return [series['@id'] as string, own.map(({ id, start, end }) => ({ id: id ?? null, start, end }))];
    }),
  );
}

/** As it is shown: without markup. */
function nameOf({ name }: Json): string {
  return comparable((name as string).replaceAll(/<\/?b>/g, ''));
}

async function edition(folder: string, lists: readonly Item[][]): Promise<Edition[]> {
  writeFileSync(join(folder, 'edition.json'), JSON.stringify(lists.flat()));
  const rows = expectedRows(await expand(join(folder, 'edition.json'), FROM, TO)).filter(isShown);
  const bySeed = Map.groupBy(rows, ({ summary }) => summary.replace(/^(?:Cancelled|Postponed): /, '').split(' ')[0]);
  return lists.map((items) => {
    const series = items.find(({ data }) => data?.eventSchedule !== undefined)?.data as Json;
    return { items, rows: bySeed.get((series.name as string).split(' ')[0]) ?? [] };
  });
}

/** Items of the new edition, and deletes of what is not in it any more. */
function changed(before: readonly Item[], after: readonly Item[]): Item[] {
  const kept = new Set(after.map(({ kind, id }) => `${kind} ${id}`));
  const gone = before.filter(({ kind, id }) => !kept.has(`${kind} ${id}`));
  const later = <T extends Item>(item: T): T => ({ ...item, modified: item.modified + 1_000_000 });
  return [
    ...after.map(later),
    ...gone.map(({ kind, id, modified }) => later({ state: 'deleted', kind, id, modified })),
  ];
}

/** RPDE pages as files, and the empty end. */
function writeFeed(folder: string, pages: readonly Item[][], first = 1): void {
  const feed = join(folder, 'feed');
  mkdirSync(feed, { recursive: true });
  const license = 'https://creativecommons.org/licenses/by/4.0/';
  const named = (n: number) => `${String(n).padStart(4, '0')}.json`;
  const end = first + pages.length;
  writeFileSync(join(feed, named(end)), JSON.stringify({ next: named(end), license, items: [] }));
  for (const [at, items] of pages.entries()) {
    writeFileSync(join(feed, named(first + at)), JSON.stringify({ next: named(first + at + 1), license, items }));
  }
}

/** The calendar's address behind the counter, asked for by the series' `@id` as a link of a publisher would. */
async function addressOf(id: string, service: string, counter: string): Promise<string> {
  let location: string | null = null;
  await until(`there is a calendar of ${id}`, async () => {
    const answer = await fetch(`${service}/series?id=${encodeURIComponent(id)}`, { redirect: 'manual' });
    location = answer.headers.get('location');
    return location !== null;
  });
  const path = new URL(location as unknown as string, service).pathname.replace(/\.ics$/, '');
  return `${counter}${path}.ics`;
}

async function etagOf(url: string): Promise<string | null> {
  return (await fetch(url, { method: 'HEAD' })).headers.get('etag');
}

/** Waits for something to become true, for a minute. */
export async function until(what: string, isSo: () => Promise<boolean> | boolean): Promise<void> {
  for (const end = Date.now() + 60_000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 250))) {
    if (await isSo()) return;
  }
  throw new Error(`after a minute it is not so that ${what}`);
}
