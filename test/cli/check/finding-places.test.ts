import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Finding } from '../../../src/opportunity/findings.ts';
import { item, type Served, served } from '../../server/stored-rig.ts';
import { cli } from '../io.ts';

/** `item` and `object` of a finding, everywhere alike (semantics 7). */

const ID = 'https://a.example/series/1';
const SCHEDULE = { '@type': 'Schedule', startTime: '10:00', duration: 'PT1H', repeatFrequency: 'P1W' };
const DATA = {
  '@type': 'SessionSeries',
  '@id': ID,
  name: 'Yoga',
  eventSchedule: { ...SCHEDULE, scheduleTimezone: 'UTC' },
};
/** One of the reader, and one of the planner: it starts on no date, and repeats nothing. */
const ENVELOPE = item('SessionSeries', '7', DATA);

let folder: string;
let one: Served;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'finding-places-'));
  one = await served();
});
afterEach(async () => {
  await rm(folder, { recursive: true });
  await one.close();
});

async function checked(input: unknown): Promise<Finding[]> {
  const file = join(folder, 'input.json');
  await writeFile(file, JSON.stringify(input));
  const { out } = await cli(['check', file, '--format', 'jsonl']);
  return out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Finding);
}

const placesIn = (found: readonly Pick<Finding, 'item' | 'object'>[]) => [
  ...new Set(found.map((finding) => `${finding.item} | ${finding.object}`)),
];

test('check', async () => {
  const found = await checked({ items: [ENVELOPE], next: 'https://a.example/feed?after=1', license: 'x' });
  expect(placesIn(found.filter(({ item: name }) => name !== ''))).toEqual([`SessionSeries 7 | ${ID}`]);
  expect(found.length).toBeGreaterThan(3);
  // Without an envelope there is no other name.
  expect(placesIn(await checked(DATA))).toEqual([expect.stringContaining(` | ${ID}`)]);
});

test('a stored feed, and the page of the series', async () => {
  await one.feed(
    ENVELOPE,
    item('ScheduledSession', '8', { '@id': `${ID}/8`, superEvent: ID, startDate: '2026-12-01' }),
  );
  const findingsAt = async (path: string) =>
    ((await (await one.app.request(path)).json()) as Record<'findings' | 'items', Finding[]>)[
      path.endsWith('findings') ? 'items' : 'findings'
    ];
  expect(placesIn(await findingsAt('/api/feeds/1/findings'))).toEqual([
    `SessionSeries 7 | ${ID}`,
    `ScheduledSession 8 | ${ID}/8`,
  ]);
  const key = await one.library.keyOfId('series', ID);
  expect(placesIn(await findingsAt(`/api/series/${key}`))).toEqual([`SessionSeries 7 | ${ID}`]);
});
