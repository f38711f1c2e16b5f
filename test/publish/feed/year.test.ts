import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planSeries } from '../../../src/calendar/series/plan.ts';
import { readInput } from '../../../src/join/input.ts';
import { join as joined } from '../../../src/join/join.ts';
import type { JsonObject } from '../../../src/opportunity/item/json.ts';
import {
  PUBLISHED_FEEDS,
  type Published,
  type PublishedFeed,
  type PublishedObject,
} from '../../../src/publish/contract.ts';
import { writePages } from '../../../src/publish/feed/files.ts';
import { Publisher } from '../../../src/publish/feed/publisher.ts';
import { keyOf } from '../../../src/publish/map/describe.ts';
import type { publishOffThread } from '../../../src/publish/off-thread.ts';
import { keysOf, publishReading, readSource } from '../../../src/publish/publish-calendar.ts';
import { Combined } from '../../../src/publish/publish-calendars.ts';
import { type ChangeLog, openPublishedLog } from '../../../src/store/index.ts';
import { Random } from '../../generate/random.ts';
import { seeds } from '../../runs.ts';
import { MAPPING, rowsOf } from '../published.ts';
import { ClubCalendar } from './club-calendar.ts';

/**
 * A year of a club's calendar: somebody edits it at random, runs are killed, and after each run the feeds are what the
 * calendar says, with the numbers, ids and tombstones that RPDE and the complementary feed ask for.
 */

const DAY = 86_400_000;
const FROM = Date.UTC(2026, 0, 1);
const TO = Date.UTC(2028, 0, 1);
const TOMBSTONES = 7 * DAY;

interface Entry {
  number: number;
  data: string | undefined;
}
type State = Map<string, Entry>;

/** `publishOffThread` without its thread. */
const publish: typeof publishOffThread = async (inputs, mapping, before, now) => {
  const combined = new Combined(mapping);
  for (const input of inputs) {
    const reading = readSource(input, mapping);
    combined.add(publishReading(reading, await before(keysOf(reading)), now));
  }
  return combined.finish();
};

class Rig {
  readonly folder = mkdtempSync(join(tmpdir(), 'year-'));
  log!: ChangeLog;

  async open(): Promise<void> {
    this.log = await openPublishedLog(this.folder);
  }

  async close(): Promise<void> {
    await this.log.close();
    rmSync(this.folder, { recursive: true });
  }

  /** One run of the program. `killed`: after so many calls of the log. */
  async run(text: string, now: number, killed = Number.POSITIVE_INFINITY): Promise<void> {
    const log = killedAfter(this.log, killed);
    try {
      await new Publisher(log, MAPPING, publish).round([{ id: '/club.ics', name: 'club.ics', got: { text } }], now);
      for (const feed of PUBLISHED_FEEDS)
        await writePages(feed, {
          log,
          folder: this.folder,
          base: 'https://club.example',
          license: 'https://l.example/',
          now,
        });
    } catch (error) {
      expect((error as Error).message).toBe('killed');
      await this.log.close();
      await this.open();
    }
  }

  async state(feed: string): Promise<State> {
    return new Map((await this.log.page(feed, 0, 10_000)).map(({ id, number, data }) => [id, { number, data }]));
  }

  /** What somebody has who reads the files from the first page on. */
  files(feed: PublishedFeed): Map<string, string> {
    const found = new Map<string, string>();
    for (let name = 'page-000001.json'; ; ) {
      const { next, items } = JSON.parse(readFileSync(join(this.folder, feed, name), 'utf8')) as {
        next: string;
        items: { id: string; data?: JsonObject }[];
      };
      for (const { id, data } of items) {
        if (data === undefined) found.delete(id);
        else found.set(id, JSON.stringify(data));
      }
      const following = next.split('/').at(-1) as string;
      if (following === name) return found;
      name = following;
    }
  }
}

function killedAfter(log: ChangeLog, calls: number): ChangeLog {
  let left = calls;
  return new Proxy(log, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        if (left-- <= 0) throw new Error('killed');
        return Reflect.apply(value, target, args) as unknown;
      };
    },
  });
}

const liveOf = (state: State) =>
  new Map([...state].flatMap(([id, { data }]) => (data === undefined ? [] : [[id, data] as const])));

function expectNumbers(before: State, after: State): void {
  const last = Math.max(0, ...[...before.values()].map(({ number }) => number));
  const numbers = [...after.values()].map(({ number }) => number);
  expect(new Set(numbers).size).toBe(numbers.length);
  for (const [id, { number, data }] of after) {
    const known = before.get(id);
    if (known !== undefined && known.data === data) expect(number, id).toBe(known.number);
    else expect(number, id).toBeGreaterThan(last);
  }
}

/** What was live is live or a tombstone, for a week at least, and not much longer. */
function expectTombstones(after: State, deleted: Map<string, number>, before: State, now: number): void {
  for (const [id, { data }] of before)
    if (data !== undefined && after.get(id)?.data === undefined) deleted.set(id, now);
  const newest = Math.max(...[...after.values()].map(({ number }) => number));
  for (const [id, at] of deleted) {
    const entry = after.get(id);
    if (entry?.data !== undefined) deleted.delete(id);
    else if (now - at <= TOMBSTONES) expect(entry, id).toBeDefined();
    else if (entry?.number !== newest) expect(entry, id).toBeUndefined();
  }
}

/** Rules 1 to 8 of the complementary feed, as `check` has them; calendars know no capacity. */
function expectRules(published: Published): void {
  const objects = PUBLISHED_FEEDS.flatMap((feed) => published[feed].map(({ data }) => data));
  const { records } = readInput(JSON.stringify(objects), { zone: 'Europe/London', feed: 'published' });
  const all = joined(records).series;
  expect(all.reduce((sum, one) => sum + one.sessions.length, 0)).toBe(published['scheduled-sessions'].length);
  for (const { series, sessions: own } of all) {
    const { findings } = planSeries(series, own, { zone: 'Europe/London' });
    const codes = findings.map(({ code }) => code).filter((code) => !ALLOWED.has(code));
    expect(codes, JSON.stringify(series.schedules)).toEqual([]);
  }
}

const ALLOWED = new Set(['session-without-capacity']);

async function published(rig: Rig): Promise<Published> {
  const lists = PUBLISHED_FEEDS.map(async (feed) => {
    const objects = await rig.log.liveOf(feed, '', 10_000);
    return [feed, objects.map(({ id, kind, data }) => ({ id, kind, data: JSON.parse(data) as JsonObject }))] as const;
  });
  return Object.fromEntries(await Promise.all(lists)) as Published;
}

test.each(seeds(1, 0))(
  'a year of edits, with kills in between (seed %i)',
  async (seed) => {
    const random = new Random(seed);
    const rig = new Rig();
    await rig.open();
    const club = new ClubCalendar(random);
    const deleted = new Map<PublishedFeed, Map<string, number>>(PUBLISHED_FEEDS.map((feed) => [feed, new Map()]));
    let ids = new Map<string, { id: string; end: number }>();
    try {
      for (let now = Date.UTC(2026, 0, 5); now < Date.UTC(2027, 0, 5); now += random.int(1, 5) * DAY) {
        club.edit(now);
        const text = club.text();
        const before = new Map(
          await Promise.all(PUBLISHED_FEEDS.map(async (feed) => [feed, await rig.state(feed)] as const)),
        );
        if (random.chance(0.3)) {
          await rig.run(text, now, random.int(0, 40));
          for (const feed of PUBLISHED_FEEDS) {
            const now = liveOf(await rig.state(feed));
            const old = liveOf(before.get(feed) as State);
            if (old.size > 0) expect([old, now]).toContainEqual(rig.files(feed));
          }
        }
        await rig.run(text, now);
        for (const feed of PUBLISHED_FEEDS) {
          const after = await rig.state(feed);
          expectNumbers(before.get(feed) as State, after);
          expectTombstones(after, deleted.get(feed) as Map<string, number>, before.get(feed) as State, now);
          expect(rig.files(feed)).toEqual(liveOf(after));
        }
        const all = await published(rig);
        expectRules(all);
        const { rows, undecided } = club.rows(FROM, TO);
        const isDecided = (row: string) =>
          !undecided.some((part) => row.slice(0, 10) === part.day && row.endsWith(` ${part.name}`));
        expect(rowsOf(all, FROM, TO).filter(isDecided), text).toEqual(rows.filter(isDecided));
        ids = expectIds(all, club, ids, now);
      }
    } finally {
      await rig.close();
    }
  },
  120_000,
);

/** A single event that is still to come has the `@id` that it had. */
function expectIds(
  all: Published,
  club: ClubCalendar,
  before: ReadonlyMap<string, { id: string; end: number }>,
  now: number,
): Map<string, { id: string; end: number }> {
  const found = new Map<string, { id: string; end: number }>();
  for (const uid of club.singles()) {
    const own = all['scheduled-sessions'].filter(({ id }) => id.startsWith(`${keyOf(uid)}/`));
    expect(own).toHaveLength(1);
    const { '@id': id, endDate } = (own[0] as PublishedObject).data as { '@id': string; endDate: string };
    const known = before.get(uid);
    if (known !== undefined && known.end > now) expect(id).toBe(known.id);
    found.set(uid, { id, end: Date.parse(endDate) });
  }
  return found;
}
