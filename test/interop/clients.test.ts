import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RpdeJson, randomSeries } from '../generate/series.ts';
import { expandByReading } from '../oracle/expand.ts';
import { readWithEvolution } from './clients/evolution.ts';
import { Thunderbird } from './clients/thunderbird.ts';
import { expectedRows } from './expected.ts';
import { expand, type Service, serve } from './program.ts';
import { isInstalled } from './readers.ts';
import { differences, type Row } from './rows.ts';

/** The real Thunderbird and the real Evolution subscribe to series served by the program, and show what `expand` says. */

const [FROM, TO] = ['2026-10-15', '2027-05-01'];
/** Cancelled sessions leave the calendar 30 days after their date (semantics 4.5), and these dates do not move with today. */
const withoutCancelled = (rows: readonly Row[]) => rows.filter((row) => row.status !== 'CANCELLED');
const CALENDARS = 10;
/** The first series that have something to show in the window, explicit sessions among it. */
function chosenSeries(): RpdeJson[][] {
  const chosen: RpdeJson[][] = [];
  for (let seed = 1; chosen.length < CALENDARS; seed++) {
    const { items } = randomSeries(seed);
    const rows = expandByReading(items, FROM, TO);
    if (rows.length > 8 && rows.some((row) => row.source === 'explicit')) chosen.push(items);
  }
  return chosen;
}

const folder = mkdtempSync(join(tmpdir(), 'openactive-ical-clients-'));

interface Subscription {
  id: string;
  url: string;
  expected: Row[];
}

const subscriptions: Subscription[] = [];
let service: Service | undefined;

/** An RPDE feed of one page and its empty end, as files. */
function writeFeed(feed: string, items: RpdeJson[]): void {
  mkdirSync(feed, { recursive: true });
  const license = 'https://creativecommons.org/licenses/by/4.0/';
  writeFileSync(join(feed, '0001.json'), JSON.stringify({ next: '0002.json', license, items }));
  writeFileSync(join(feed, '0002.json'), JSON.stringify({ next: '0002.json', license, items: [] }));
}

beforeAll(async () => {
  const chosen = chosenSeries();
  writeFeed(join(folder, 'feed'), chosen.flat());
  service = await serve('--feed', join(folder, 'feed'), '--data', join(folder, 'data'));
  for (const items of chosen) {
    const id = items[0]?.data?.['@id'] as string;
    writeFileSync(join(folder, 'one.json'), JSON.stringify(items));
    const expected = withoutCancelled(expectedRows(await expand(join(folder, 'one.json'), FROM, TO)));
    subscriptions.push({ id, url: await addressOf(id), expected });
  }
});

afterAll(async () => {
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The calendar's address, asked for by the series' `@id` as a link of a publisher would; waits for the harvest. */
async function addressOf(id: string): Promise<string> {
  for (let tries = 0; tries < 100; tries++) {
    const answer = await fetch(`${service?.url}/series?id=${encodeURIComponent(id)}`, { redirect: 'manual' });
    const location = answer.headers.get('location');
    if (location !== null) return `${new URL(location, service?.url).href.replace(/\.ics$/, '')}.ics`;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`no calendar for ${id}`);
}

function isMissing(...programs: string[]): boolean {
  const missing = programs.filter((program) => !isInstalled(program));
  if (missing.length === 0) return false;
  if (process.env.CI) throw new Error(`not installed: ${missing.join(', ')}`);
  console.warn(`not installed, left out: ${missing.join(', ')}`);
  return true;
}

test('there are enough calendars to compare', () => {
  expect(subscriptions.length).toBe(CALENDARS);
  expect(subscriptions.flatMap(({ expected }) => expected).length).toBeGreaterThan(200);
});

describe('Thunderbird', () => {
  test('shows every series as expand says', async () => {
    if (isMissing('thunderbird')) return;
    const thunderbird = await Thunderbird.start();
    try {
      const wrong: Record<string, string[]> = {};
      for (const { id, url, expected } of subscriptions) {
        const differing = differences(expected, withoutCancelled(await thunderbird.subscribe(url, FROM, TO)));
        if (differing.length > 0) wrong[id] = differing;
      }
      expect(wrong).toEqual({});
    } finally {
      await thunderbird.close();
    }
  });
});

describe('Evolution', () => {
  test('shows every series as expand says', async () => {
    if (isMissing('dbus-run-session')) return;
    const seen = await readWithEvolution(
      subscriptions.map(({ url }) => url),
      FROM,
      TO,
    );
    const wrong = subscriptions.flatMap(({ id, url, expected }) => {
      const differing = differences(expected, withoutCancelled(seen.get(url) ?? []));
      return differing.length > 0 ? [{ id, differing }] : [];
    });
    expect(wrong).toEqual([]);
  });
});
