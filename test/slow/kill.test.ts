import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { openStore } from '../../src/store/index.ts';
import { Random } from '../generate/random.ts';
import { randomFeed } from '../generate/series.ts';
import { rig, servedBy, withoutStamps } from '../harvest/rig.ts';

/** `sync`, killed with SIGKILL at any moment and begun again, ends where one clean pass ends. */

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
const PAGE = 8;
const KILLS = 6;
const MOST_RUNS = 40;
const folders: string[] = [];

afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'openactive-ical-'));
  folders.push(made);
  return made;
}

function sync(data: string, feed: string): ChildProcess {
  return spawn(process.execPath, ['--no-warnings', MAIN, 'sync', '--data', data, '--feed', feed], { stdio: 'ignore' });
}

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((done) => child.once('exit', done));
}

it('sync killed again and again ends with the calendars of one clean pass', async () => {
  const items = randomFeed(4711, 120);
  const data = await folder();
  const feed = join(await folder(), 'pages');
  await mkdir(feed);
  for (let at = 0; at < items.length; at += PAGE) {
    const page = {
      next: 'https://example.org/next',
      license: 'https://example.org/licence',
      items: items.slice(at, at + PAGE),
    };
    await writeFile(join(feed, `${at}.json`), JSON.stringify(page));
  }
  // How long a whole pass takes here: only to choose the moments.
  const began = performance.now();
  expect(await ended(sync(await folder(), feed))).toBe(0);
  const whole = Math.ceil(performance.now() - began);
  const random = new Random(1);
  let killed = 0;
  // What was committed before a kill is not done again, so later passes are shorter: some end before their moment comes.
  for (let run = 0; run < MOST_RUNS && killed < KILLS; run += 1) {
    const child = sync(data, feed);
    const end = ended(child);
    const kill = setTimeout(() => child.kill('SIGKILL'), random.int(Math.ceil(whole * 0.3), Math.ceil(whole * 0.8)));
    if ((await end) === null) killed += 1;
    clearTimeout(kill);
  }
  expect(killed).toBe(KILLS);
  expect(await ended(sync(data, feed))).toBe(0);

  const clean = await rig();
  try {
    await clean.feed(items, 500, feed);
    const store = await openStore({ data });
    try {
      const shown = (calendars: ReadonlyMap<string, string>) =>
        [...withoutStamps(calendars)].map(([key, text]) => [
          key,
          text.replaceAll('\r\n ', '').replaceAll(/\\n\\n(Source: |Open data)[^\r]*/g, ''),
        ]);
      expect((await clean.served()).size).toBeGreaterThan(100);
      expect(shown(await servedBy(store, clean.options))).toEqual(shown(await clean.served()));
    } finally {
      await store.close();
    }
  } finally {
    await clean.close();
  }
}, 120_000);
