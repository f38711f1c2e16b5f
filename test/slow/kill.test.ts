import { type ChildProcess, spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { openStore } from '../../src/store/index.ts';
import { benchPages } from '../bench/generate.ts';
import { Random } from '../generate/random.ts';
import { rig, servedBy, withoutStamps } from '../harvest/rig.ts';

/** `sync`, killed with SIGKILL at any moment and begun again, ends where one clean pass ends. */

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
const KILLS = Number(process.env.TEST_KILLS ?? 12);
const ITEMS = Number(process.env.TEST_KILL_ITEMS ?? 5_000);
const folders: string[] = [];

afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'openactive-ical-'));
  folders.push(made);
  return made;
}

/** Folders of pages, one a feed. */
async function writeFeeds(): Promise<string[]> {
  const root = await folder();
  const feeds = new Map<string, number>();
  for (const { feed, text } of benchPages({ items: ITEMS, seed: 4711, pageSize: 100 })) {
    const own = join(root, hash('sha1', feed));
    const page = feeds.get(own) ?? 0;
    feeds.set(own, page + 1);
    await mkdir(own, { recursive: true });
    await writeFile(join(own, `${String(page).padStart(6, '0')}.json`), text);
  }
  return [...feeds.keys()];
}

function sync(data: string, feeds: readonly string[]): ChildProcess {
  const named = feeds.flatMap((feed) => ['--feed', feed]);
  const argv = ['--no-warnings', MAIN, 'sync', '--data', data, ...named];
  return spawn(process.execPath, argv, { stdio: 'ignore', detached: true });
}

/** The parent and the child that harvests, which are a process group: at one moment. */
function killAll({ pid, exitCode, signalCode }: ChildProcess): void {
  if (exitCode === null && signalCode === null) process.kill(-(pid as number), 'SIGKILL');
}

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((done) => child.once('exit', done));
}

/** Everything that a pass leaves but its history: each item once with its raw data, and every calendar. */
async function left(data: string): Promise<{ items: string[]; calendars: string[] }> {
  const store = await openStore({ data });
  const { options, close } = await rig();
  try {
    const items: string[] = [];
    for (let after = 0; ; ) {
      const rows = await store.read.liveItems(after, 1000);
      if (rows.length === 0) break;
      after = rows.at(-1)?.id as number;
      const raw = await store.read.raw(rows.map(({ id }) => id));
      for (const { id, feed, kind, rpdeId, modified } of rows)
        items.push([feed, kind, rpdeId, modified, hash('sha1', raw.get(id) ?? '')].join(' '));
    }
    const urls = new Map((await store.read.feeds()).map(({ id, url }) => [String(id), url]));
    const calendars = [...withoutStamps(await servedBy(store, options))].map(([key, text]) => `${key} ${text}`);
    return { items: items.map((item) => item.replace(/^\d+/, (id) => urls.get(id) ?? id)).sort(), calendars };
  } finally {
    await store.close();
    await close();
  }
}

it(`a sync of ${ITEMS} items, killed ${KILLS} times, leaves what a clean one leaves`, async () => {
  const feeds = await writeFeeds();
  const whole = await folder();
  // How long a clean pass takes here, and one that finds nothing to do: only to choose the moments.
  const timed = async (data: string): Promise<number> => {
    const began = performance.now();
    expect(await ended(sync(data, feeds))).toBe(0);
    return performance.now() - began;
  };
  const clean = await timed(whole);
  const idle = await timed(whole);
  const right = await left(whole);
  expect(right.items.length).toBeGreaterThan(ITEMS / 2);
  expect(right.calendars.length).toBeGreaterThan(ITEMS / 50);
  const random = new Random(1);
  // A few passes, each cut into pieces: moments from before the first page to beyond the last.
  const most = idle / 2 + (6 * clean) / KILLS + (clean - idle) / 10;
  let data = await folder();
  for (let killed = 0; killed < KILLS; ) {
    const child = sync(data, feeds);
    const end = ended(child);
    const kill = setTimeout(() => killAll(child), random.int(Math.ceil(idle / 4), Math.ceil(most)));
    if ((await end) === null) killed += 1;
    else {
      expect(await left(data)).toEqual(right);
      data = await folder();
    }
    clearTimeout(kill);
  }
  expect(await ended(sync(data, feeds))).toBe(0);
  expect(await left(data)).toEqual(right);
}, 3_600_000);
