import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writePages } from '../../../src/publish/feed/files.ts';
import { type ChangeLog, openPublishedLog } from '../../../src/store/index.ts';
import { runs } from '../../runs.ts';

/** Feeds as files: readers come and go, runs are killed, and the pages stay few and right. */

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const FEED = 'session-series';
const BASE = 'https://club.example/open';

let folder: string;
let log: ChangeLog;
let now: number;

beforeEach(open);
afterEach(close);

async function open(): Promise<void> {
  folder = mkdtempSync(join(tmpdir(), 'pages-'));
  log = await openPublishedLog(folder);
  now = Date.UTC(2026, 10, 21);
}

async function close(): Promise<void> {
  await log.close();
  rmSync(folder, { recursive: true });
}

const write = (through: ChangeLog = log) =>
  writePages(FEED, { log: through, folder, base: BASE, license: 'https://example.org/l', now });

/** Makes the feed hold these objects, `[id, version]`. */
async function hold(objects: ReadonlyMap<string, number>): Promise<void> {
  const list = [...objects].map(([id, version]) => ({ id, kind: 'SessionSeries', data: JSON.stringify({ version }) }));
  await log.replace({ [FEED]: list }, now);
  await log.expire(now);
}

interface Page {
  next: string;
  items: { state: string; id: string; modified: number; data?: { version: number } }[];
}

const FIRST = 'page-000001.json';
const pageOf = (name: string): Page => JSON.parse(readFileSync(join(folder, FEED, name), 'utf8'));
const names = () => readdirSync(join(folder, FEED)).sort();

class Client {
  #at = FIRST;
  #seen = new Map<string, number>();

  /** Reads on to the end. */
  read(): Map<string, number> {
    for (let pages = 0; ; pages++) {
      expect(pages).toBeLessThan(100);
      const { next, items } = pageOf(this.#at);
      for (const { id, data } of items) {
        if (data === undefined) this.#seen.delete(id);
        else this.#seen.set(id, data.version);
      }
      const name = next.slice(`${BASE}/${FEED}/`.length);
      expect(name === this.#at).toBe(items.length === 0);
      if (name === this.#at) return this.#seen;
      this.#at = name;
    }
  }
}

/** Throws after so many pages were asked for: the run is killed there. */
function killedAfter(pages: number): ChangeLog {
  let left = pages;
  return new Proxy(log, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name !== 'page') return typeof value === 'function' ? value.bind(target) : value;
      return (...args: Parameters<ChangeLog['page']>) => {
        if (left-- <= 0) throw new Error('killed');
        return target.page(...args);
      };
    },
  });
}

const objects = (count: number, version: number, from = 0) =>
  new Map(Array.from({ length: count }, (_, i) => [`s${String(i + from).padStart(4, '0')}`, version]));

describe('pages in files', () => {
  test('a change a day for a month is a page a day of the last week, and one a week later', async () => {
    const live = objects(1200, 0);
    await hold(live);
    await write();
    expect(names()).toHaveLength(4);
    for (let day = 1; day <= 30; day++) {
      now += DAY;
      live.set('s0007', day);
      await hold(live);
      await write();
    }
    expect(names().length).toBeLessThanOrEqual(3 + 2 * 8);
    now += 7 * DAY;
    await write();
    now += 7 * DAY;
    await write();
    const [first, ...others] = names();
    expect([first, others.length]).toEqual([FIRST, 3]);
    expect(new Client().read()).toEqual(live);
  });

  test('an object that changes leaves no empty page behind', async () => {
    await hold(objects(1, 0));
    await write();
    for (let version = 1; version < 6; version++) {
      now += HOUR;
      await hold(objects(1, version));
      await write();
    }
    expect(names().filter((name) => pageOf(name).items.length === 0)).toHaveLength(1);
  });

  test('tombstones leave after a week', async () => {
    await hold(objects(2, 0));
    await hold(objects(1, 0));
    await write();
    const tombstones = () => names().flatMap((name) => pageOf(name).items.filter(({ state }) => state === 'deleted'));
    expect(tombstones()).toHaveLength(1);
    now += 8 * DAY;
    await hold(objects(1, 1));
    await write();
    expect(tombstones()).toHaveLength(0);
  });

  test('pages that were numbered go on for readers who stopped there', async () => {
    await hold(objects(2, 0));
    const [first, second] = (await log.page(FEED, 0, 10)).map(({ number }) => number);
    await log.setValue({ key: `cuts ${FEED}`, value: JSON.stringify([first, second]) });
    await write();
    expect(names().slice(0, 3)).toEqual([FIRST, 'page-000002.json', 'page-000003.json']);
    expect(pageOf('page-000002.json').items.map(({ modified }) => modified)).toEqual([second]);
    now += 8 * DAY;
    await write();
    expect(names()).toEqual([FIRST, `page-after-${second}.json`]);
  });

  const step = fc.oneof(
    fc.record({ change: fc.array(fc.nat(1300), { maxLength: 30 }), drop: fc.array(fc.nat(1300), { maxLength: 5 }) }),
    fc.record({
      change: fc.constant([] as number[]),
      drop: fc.constant([] as number[]),
      grow: fc.integer({ min: 1, max: 700 }),
    }),
  );
  const life = fc.array(
    fc.record({ step, hours: fc.constantFrom<number>(1, 5, 24, 100), killed: fc.option(fc.nat(6)), reader: fc.nat(3) }),
    { maxLength: 25 },
  );

  const quiet = { hours: 1, killed: null, reader: 0 };
  const drop = { change: [], drop: [0] };
  /** A run is killed after a tombstone has expired that was the first entry of a page. */
  const EXPIRED_MEANWHILE = [
    { ...quiet, step: { change: [], drop: [], grow: 3 } },
    { ...quiet, step: drop },
    { ...quiet, step: drop, hours: 100 },
    { ...quiet, step: { change: [], drop: [], grow: 1 }, hours: 100, killed: 3 },
  ];

  test('whoever reads at least once a week has what the feed holds, whatever was killed in between', async () => {
    await fc.assert(
      fc.asyncProperty(life, async (steps) => {
        await close();
        await open();
        const live = new Map<string, number>();
        const clients = Array.from({ length: 4 }, () => ({ client: new Client(), last: now }));
        await write();
        for (const [version, { step: change, hours, killed, reader }] of steps.entries()) {
          now += hours * HOUR;
          const ids = [...live.keys()];
          for (const at of change.change) if (ids.length > 0) live.set(ids[at % ids.length] as string, version);
          for (const at of change.drop) if (ids.length > 0) live.delete(ids[at % ids.length] as string);
          if ('grow' in change) for (const [id] of objects(change.grow, 0, version * 700)) live.set(id, version);
          await hold(live);
          if (killed !== null) {
            await write(killedAfter(killed)).catch((error: Error) => expect(error.message).toBe('killed'));
            new Client().read();
          }
          await write();
          expect(new Client().read()).toEqual(live);
          for (const [index, each] of clients.entries()) {
            const isAway = index !== reader && now + 100 * HOUR - each.last < 7 * DAY;
            if (isAway) continue;
            expect(each.client.read()).toEqual(live);
            each.last = now;
          }
        }
      }),
      // The one that random runs found.
      { numRuns: runs(25), examples: [[EXPIRED_MEANWHILE]] },
    );
  }, 60_000);
});
