import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Answer, answersOf, calendarPaths, difference } from './answers.ts';
import { type Feed, histories, samples, writeTurn } from './feeds.ts';
import { type Program, programOf, serving, sync } from './program.ts';

/**
 * `node test/compare/main.ts BEFORE [HISTORIES] [AFTER]`: whether two commits serve the same calendars. Without AFTER the
 * second is this checkout, as it is on disk.
 *
 * Both harvest the sample feeds and as many random histories (default 1000) step by step, under the same clock. Then every
 * calendar that one of them listed at any step is asked of both and compared: octets, `ETag` and `Last-Modified`, and with
 * them UIDs, SEQUENCE and LAST-MODIFIED of every event. Exit code 1 where one differs.
 *
 * A commit never differs from itself: each sync meets new pages in one feed only, no more than a transaction takes, and the
 * queue waits for all of them (clock.mjs).
 */

const STEPS = 5;
const START = Date.UTC(2026, 5, 1, 9);
const STEP_MS = 3 * 86_400_000;
/** Differences of one property that are printed. */
const SHOWN = 3;

async function main([before, count = '1000', after]: readonly string[]): Promise<number> {
  if (before === undefined) {
    console.error('Usage: node test/compare/main.ts BEFORE [HISTORIES] [AFTER]');
    return 2;
  }
  const folder = mkdtempSync(join(tmpdir(), 'openactive-ical-compare-'));
  try {
    const feeds = [...samples(), ...histories(Number(count), STEPS)];
    const programs = [programOf(join(folder, 'before'), before), programOf(join(folder, 'after'), after)];
    return await compare(join(folder, 'feeds'), feeds, programs);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function compare(folder: string, feeds: readonly Feed[], programs: readonly Program[]): Promise<number> {
  const known = new Set<string>();
  const paths = new Set<string>();
  for (let step = 0; step < STEPS; step += 1) {
    const now = START + step * STEP_MS;
    // Sessions come before their series in every other step.
    for (const feed of step % 2 === 0 ? feeds : feeds.toReversed()) {
      if (!writeTurn(join(folder, feed.name), feed, step, now)) continue;
      known.add(join(folder, feed.name));
      await Promise.all(programs.map((program) => sync(program, [...known], now)));
    }
    const listed = await Promise.all(programs.map((program) => serving(program, now, calendarPaths)));
    for (const path of listed.flat()) paths.add(path);
  }
  const all = [...paths].sort();
  const end = START + STEPS * STEP_MS;
  const [before, after] = await Promise.all(
    programs.map((program) => serving(program, end, (url) => answersOf(url, all))),
  );
  return report(all, before as Answer[], after as Answer[]);
}

function report(paths: readonly string[], before: readonly Answer[], after: readonly Answer[]): number {
  const found = paths.flatMap((path, index) => {
    const one = difference(before[index] as Answer, after[index] as Answer);
    return one === undefined ? [] : [{ path, ...one }];
  });
  for (const [what, list] of Map.groupBy(found, (one) => one.what)) {
    console.log(`${what}: ${list.length}`);
    for (const { path, text } of list.slice(0, SHOWN)) console.log(`  ${path}  ${text}`);
  }
  const octets = after.reduce((sum, { body }) => sum + body.length, 0);
  console.log(`${paths.length} calendars, ${octets} characters: ${found.length} differ`);
  return found.length === 0 && paths.length > 0 ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
