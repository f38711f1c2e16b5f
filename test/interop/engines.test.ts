import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inWeekOf } from '../../src/harvest/samples.ts';
import { type Zone, zone } from '../../src/recurrence/zone.ts';
import { randomFeed } from '../generate/series.ts';
import { expectedRows } from './expected.ts';
import { expand, run } from './program.ts';
import { libicalObjections, READERS, type Reader } from './readers.ts';
import { differences, type Row } from './rows.ts';

/**
 * `convert` of generated series and of the sample feeds, read by other people's engines: each sees what `expand` says.
 * An engine that is not installed is left out with a warning, and is a failure in CI.
 */

const FEEDS = 6 * Number(process.env.OPENACTIVE_ICAL_RUNS ?? 1);
const SERIES = 40;
const WINDOWS = [
  { from: '2026-01-01', to: '2027-01-01' },
  { from: '2024-06-01', to: '2025-09-01' },
  { from: '2026-10-20', to: '2026-11-05' },
];
const LONDON = zone('Europe/London') as Zone;
const samples = fileURLToPath(new URL('../../fixtures/feeds', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'openactive-ical-engines-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Case {
  name: string;
  /** The input of `convert` and `expand`. */
  text: () => string;
  from: string;
  to: string;
}

const generated: Case[] = Array.from({ length: FEEDS }, (_, n) => ({
  name: `${SERIES} random series, seed ${n + 1}`,
  text: () => JSON.stringify(randomFeed(n + 1, SERIES)),
  ...(WINDOWS[n % WINDOWS.length] as { from: string; to: string }),
}));

/** All pages of all sample feeds, dated to a week before the clocks change. */
const shipped: Case = {
  name: 'the sample feeds',
  text: () =>
    `[${pagesUnder(samples).map((path) => inWeekOf(readFileSync(path, 'utf8'), Date.UTC(2026, 9, 14, 12), LONDON))}]`,
  from: '2026-08-01',
  to: '2027-10-01',
};

function pagesUnder(root: string): string[] {
  const entries = readdirSync(root, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.startsWith('page-'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

describe.each([...generated, shipped])('$name', ({ name, text: inputText, from, to }) => {
  const input = join(folder, `${name.replaceAll(/\W+/g, '-')}.json`);
  const calendar = input.replace(/json$/, 'ics');
  let text = '';
  let rows: Row[] = [];

  beforeAll(async () => {
    writeFileSync(input, inputText());
    text = await run('convert', input);
    writeFileSync(calendar, text);
    rows = expectedRows(await expand(input, from, to));
  });

  test.each(READERS.map((reader) => [reader.name, reader] as const))('%s sees what expand says', (_, reader) => {
    if (text === '' || isMissing(reader)) return;
    const excused = reader.excuses?.(text) ?? new Set<string>();
    const seen = reader.read(calendar, from, to);
    expect(
      differences(
        withoutExcused(rows, excused, calendar, from, to),
        seen.filter((row) => !excused.has(row.uid)),
      ),
    ).toEqual([]);
  });

  test('there is something to see', () => {
    expect(rows.length).toBeGreaterThan(20);
  });

  test('libical objects to nothing', () => {
    if (isMissing(READERS.find((reader) => reader.name === 'libical') as Reader)) return;
    expect(libicalObjections(calendar)).toEqual([]);
  });
});

/** Our rows have no UIDs: those of excused series are found through ical.js, which is compared with ours in full. */
function withoutExcused(
  ours: readonly Row[],
  excused: ReadonlySet<string>,
  calendar: string,
  from: string,
  to: string,
): Row[] {
  const left = [...ours];
  if (excused.size === 0) return left;
  const all = (READERS[0] as Reader).read(calendar, from, to);
  for (const row of all.filter((one) => excused.has(one.uid))) {
    const at = left.findIndex(
      (one) =>
        one.start === row.start && one.end === row.end && one.summary === row.summary && one.status === row.status,
    );
    if (at >= 0) left.splice(at, 1);
  }
  return left;
}

function isMissing(reader: Reader): boolean {
  const missing = reader.missing();
  if (missing === undefined) return false;
  if (process.env.CI) throw new Error(`${reader.name} is not here: ${missing}`);
  console.warn(`${reader.name} is not here and is left out: ${missing}`);
  return true;
}
