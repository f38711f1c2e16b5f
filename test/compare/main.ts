import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { history } from '../generate/history.ts';
import { Random } from '../generate/random.ts';
import { randomVenueJson } from '../hours/random-place.ts';
import { type Answer, answersOf, calendarPaths, difference } from './answers.ts';

/**
 * `node test/compare/main.ts COMMIT [HISTORIES]`: whether this checkout serves the same calendars as a commit before it.
 *
 * The programs harvest the sample feeds and as many random histories (default 1000) step by step, under the same clock.
 * Then every calendar that any of them listed is asked of all, and compared: octets, `ETag` and `Last-Modified`, and with
 * them UIDs, SEQUENCE and LAST-MODIFIED of every event. Exit code 1 where one differs.
 */

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const CLOCK = join(ROOT, 'test', 'compare', 'clock.mjs');
const STEPS = 5;
const START = Date.UTC(2026, 5, 1, 9);
const STEP_MS = 3 * 86_400_000;
/** Histories in one feed. */
const TOGETHER = 10;

interface Program {
  name: string;
  folder: string;
  data: string;
}

async function main([commit, count = '1000']: readonly string[]): Promise<number> {
  if (commit === undefined) {
    console.error('Usage: node test/compare/main.ts COMMIT [HISTORIES]');
    return 2;
  }
  const folder = mkdtempSync(join(tmpdir(), 'openactive-ical-compare-'));
  try {
    return await compare(folder, commit, Number(count));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function compare(folder: string, commit: string, histories: number): Promise<number> {
  const program = built(folder, commit);
  const programs: readonly [Program, Program, Program] = [
    { name: commit, folder: program, data: join(folder, 'before') },
    { name: `${commit} once more`, folder: program, data: join(folder, 'again') },
    { name: 'this checkout', folder: ROOT, data: join(folder, 'after') },
  ];
  execFileSync('npm', ['run', '-s', 'build'], { cwd: ROOT });
  const feeds = Array.from({ length: Math.ceil(histories / TOGETHER) }, (_, index) =>
    join(folder, 'feeds', `${index}`),
  );
  const paths = new Set<string>();
  for (let step = 0; step < STEPS; step += 1) {
    feeds.forEach((feed, index) => {
      writePage(feed, index, step);
    });
    for (const program of programs) {
      await sync(program, feeds, step);
      for (const path of await serving(program, step, calendarPaths)) paths.add(path);
    }
  }
  const all = [...paths].sort();
  const answers = new Map<Program, Answer[]>();
  for (const program of programs) answers.set(program, await serving(program, STEPS, (url) => answersOf(url, all)));
  return report(all, ...(programs.map((program) => answers.get(program)) as [Answer[], Answer[], Answer[]]));
}

/**
 * Prints where the programs differ. Pages of several feeds come in whatever order they are read, and a calendar that two
 * transactions change has another stamp than one that is changed once: what two runs of the commit itself do not agree on
 * is counted apart.
 */
function report(paths: readonly string[], before: Answer[], again: Answer[], after: Answer[]): number {
  let [differing, unsteady, octets] = [0, 0, 0];
  for (const [index, path] of paths.entries()) {
    const [old, same, now] = [before[index], again[index], after[index]] as [Answer, Answer, Answer];
    octets += now.body.length;
    const found = difference(old, now);
    if (found === undefined) continue;
    if (difference(old, same) !== undefined) unsteady += 1;
    else if (++differing <= 20) console.log(`${path}  ${found}`);
  }
  console.log(`${paths.length} calendars, ${octets} characters: ${differing} differ`);
  if (unsteady > 0) console.log(`${unsteady} more differ, as they do between two runs of the commit itself`);
  return differing === 0 && paths.length > 0 ? 0 : 1;
}

/** A commit in a folder of its own, built with the packages that are installed here. */
function built(folder: string, commit: string): string {
  const to = join(folder, 'program');
  mkdirSync(to);
  const archive = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 1e9 });
  execFileSync('tar', ['-x'], { cwd: to, input: archive });
  symlinkSync(join(ROOT, 'node_modules'), join(to, 'node_modules'));
  execFileSync('npm', ['run', '-s', 'build'], { cwd: to });
  return to;
}

/** The changes of one step, as the next page of the feed; places come with the first. */
function writePage(feed: string, index: number, step: number): void {
  mkdirSync(feed, { recursive: true });
  const seeds = Array.from({ length: TOGETHER }, (_, one) => index * TOGETHER + one);
  const items: object[] = seeds.flatMap((seed) => {
    const { all } = history(seed);
    const size = Math.ceil(all.length / STEPS);
    return all.slice(step * size, (step + 1) * size).map((item) => ({ ...item, id: `${seed}-${item.id}` }));
  });
  if (step % 2 === 0) items.push(...seeds.map((seed) => venueItem(seed, step)));
  const page = {
    next: 'https://feeds.example.org/next',
    license: 'https://creativecommons.org/licenses/by/4.0/',
    items,
  };
  writeFileSync(join(feed, `page-${step}.json`), JSON.stringify(page));
}

/** A Place or FacilityUse, with other hours in each step. */
function venueItem(seed: number, step: number): object {
  const { id, json } = randomVenueJson(new Random(seed), seed);
  const { json: hours } = randomVenueJson(new Random(seed + step * 1_000_003), seed);
  const data = json['@type'] === hours['@type'] ? { ...json, ...hours } : json;
  return { state: 'updated', kind: json['@type'], id, modified: step + 1, data };
}

async function sync(program: Program, feeds: readonly string[], step: number): Promise<void> {
  const settings = join(dirname(program.data), `settings-${step}.json`);
  writeFileSync(settings, JSON.stringify({ feeds, confirmDeletes: 'apply' }));
  const args = ['sync', '--samples', '--config', settings, '--data', program.data];
  await run(program, args, step);
}

function spawned({ folder }: Program, args: readonly string[], step: number): ChildProcessWithoutNullStreams {
  const env = { ...process.env, COMPARE_NOW: String(START + step * STEP_MS), NODE_OPTIONS: `--import=${CLOCK}` };
  return spawn(process.execPath, [join(folder, 'dist/cli/main.js'), ...args], { cwd: dirname(folder), env });
}

async function run(program: Program, args: readonly string[], step: number): Promise<void> {
  const child = spawned(program, args, step);
  const output: string[] = [];
  child.stdout.on('data', (text) => output.push(String(text)));
  child.stderr.on('data', (text) => output.push(String(text)));
  const code = await new Promise((done) => child.on('close', done));
  if (code !== 0) throw new Error(`${program.name}: ${args[0]} ended with ${code}:\n${output.join('').slice(-2000)}`);
}

/** Runs a program's web server for as long as somebody asks it. */
async function serving<T>(program: Program, step: number, ask: (url: string) => Promise<T>): Promise<T> {
  const port = await freePort();
  const options = ['--host', '127.0.0.1', '--port', String(port), '--base-url', 'http://calendars.example'];
  const child = spawned(program, ['serve', '--role', 'web', ...options, '--data', program.data], step);
  const ended = new Promise<void>((done) => child.on('close', () => done()));
  try {
    await Promise.race([ready(`http://127.0.0.1:${port}`), ended.then(() => Promise.reject(new Error('serve ended')))]);
    return await ask(`http://127.0.0.1:${port}`);
  } finally {
    child.kill();
    await ended;
  }
}

async function ready(url: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${url}/healthz`).catch(() => undefined);
    if (answer?.ok) return;
    await setTimeout(100);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

process.exitCode = await main(process.argv.slice(2));
