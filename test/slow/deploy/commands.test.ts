import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageFolder } from '../../../src/cli/package.ts';
import { testDatabase } from '../../store/postgres.ts';
import { Redis } from '../postgres/chaos/servers.ts';
import { answering, freePorts } from './proxies.ts';

/**
 * The commands of docs/operating.md, as they stand there, in a folder with nothing but what a clone has after `npm ci`. Those
 * that begin with "```sh tried" are run; the others need a machine of their own (systemd, Docker).
 */

const run = promisify(execFile);

let folder: string;
let blocks: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oai-commands-'));
  for (const name of ['package.json', 'dist', 'node_modules', 'fixtures'])
    await symlink(join(packageFolder, name), join(folder, name));
  await mkdir(join(folder, 'bin'));
  const program = `#!/bin/sh\nexec node ${join(packageFolder, 'dist/cli/main.js')} "$@"\n`;
  await writeFile(join(folder, 'bin', 'openactive-ical'), program, { mode: 0o755 });
  const page = await readFile(join(packageFolder, 'docs', 'operating.md'), 'utf8');
  blocks = [...page.matchAll(/^```sh tried\n(.*?)^```/gms)].map(([, block = '']) => block);
  await ran('npm run -s cli -- sync --data ./data');
}, 300_000);

afterAll(() => rm(folder, { recursive: true }));

const environment = () => ({
  PATH: `${join(folder, 'bin')}:${join(packageFolder, 'node_modules/.bin')}:${process.env.PATH}`,
  HOME: folder,
  OPENACTIVE_ICAL_SAMPLES: 'true',
});

/** What it prints; a command that fails ends the block, and the test. */
async function ran(script: string): Promise<string> {
  const { stdout } = await run('bash', ['-ec', script], { cwd: folder, env: environment(), maxBuffer: 1e8 });
  return stdout;
}

/** The one block that has the words. */
function blockWith(words: string): string {
  const found = blocks.filter((block) => block.includes(words));
  expect([words, found]).toEqual([words, [expect.any(String)]]);
  return found[0] ?? '';
}

/** With what stands for the machine of whoever reads it; each must be in it. */
function filled(block: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce((text, [from, to]) => {
    expect(text).toContain(from);
    return text.replaceAll(from, to);
  }, block);
}

test('settings are listed, and what is in force', async () => {
  const printed = await ran(blockWith('config --print'));
  expect(printed).toContain('OPENACTIVE_ICAL_BASE_URL');
  expect(printed).toMatch(/^ *"?samples"?.*true/m);
});

test('a copy is made, and is readable by its owner alone', async () => {
  await ran(blockWith('store backup'));
  expect((await stat(join(folder, 'backup.sqlite'))).mode & 0o777).toBe(0o600);
});

test('a store is verified, and brought up to date', async () => {
  expect(await ran(blockWith('with what differs'))).toContain('the file is sound');
});

test('a copy that is put into an empty folder is the store again', async () => {
  await ran(blockWith('cp ./backup.sqlite'));
  expect(await ran('npm run -s cli -- feeds --data ./restored')).toMatch(/^8 +Up to date/m);
});

test('feeds are listed, and asked again', async () => {
  const printed = await ran(blockWith('feeds --retry'));
  expect(printed).toMatch(/^NO +STATE +READ TO END/);
  expect(printed).toMatch(/^8 +Up to date/m);
  expect(printed).toContain('No feed fails, is gone or waits.');
});

describe.skipIf(process.env.TEST_POSTGRES_URL === undefined && process.env.CI === undefined)('with PostgreSQL', () => {
  test('a store is moved into it, and verified there', async () => {
    const { url, drop } = await testDatabase();
    const printed = await ran(filled(blockWith('store migrate --to'), { 'postgres://user@host/database': `'${url}'` }));
    expect(printed).toContain('rows were read back, each as in');
    expect(printed).toContain('the database is sound');
    await drop();
  });

  test('processes share it, and say on /readyz what the page has', async () => {
    const { url, drop } = await testDatabase();
    const redis = await Redis.make(folder);
    const [admin = 0, one = 0, other = 0, adminOne = 0, adminOther = 0] = await freePorts(5);
    const script = filled(blockWith('--role web --port 8081'), {
      'postgres://openactive:…@127.0.0.1/openactive': `'${url}'`,
      'redis://127.0.0.1': redis.url,
      'admin-port 9090': `admin-port ${admin}`,
      'port 8081': `port ${one}`,
      'port 8082': `port ${other}`,
      'admin-port 9091': `admin-port ${adminOne}`,
      'admin-port 9092': `admin-port ${adminOther}`,
    });
    const started = spawn('bash', ['-ec', `${script.replaceAll(/^openactive-ical .*$/gm, '$& &')}wait`], {
      cwd: folder,
      env: environment(),
      stdio: 'ignore',
      detached: true,
    });
    try {
      for (const port of [one, other, admin]) await answering(`http://127.0.0.1:${port}/readyz`);
      const page = await readFile(join(packageFolder, 'docs', 'operating.md'), 'utf8');
      const shown = JSON.parse(/^\{"status":"ready".*\}$/m.exec(page)?.[0] ?? '{}') as object;
      const answer = (await (await fetch(`http://127.0.0.1:${one}/readyz`)).json()) as object;
      expect(Object.keys(answer)).toEqual(Object.keys(shown));
      for (const port of [admin, adminOne, adminOther])
        expect((await fetch(`http://127.0.0.1:${port}/admin/feeds`)).status).toBe(200);
    } finally {
      await ended(started);
      await redis.end('SIGKILL');
    }
    await drop();
  });
});

/** With all that it has started. */
async function ended(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  process.kill(-(child.pid as number), 'SIGTERM');
  await exit;
}
