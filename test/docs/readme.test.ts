import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageFolder } from '../../src/cli/package.ts';
import { cli } from '../cli/io.ts';
import { PROGRAM, PROGRAM_ENV } from '../program.ts';
import { townApp } from '../server/town-app.ts';

/** The README's examples are run: a command line that no longer exists, or prints nothing, is found here. */

const readme = readFileSync(join(packageFolder, 'README.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'oai-readme-'));
afterAll(() => rmSync(folder, { recursive: true }));

const blocks = (language: string) =>
  [...readme.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, text]) => text as string);
const COMMAND = /^npm run -s cli -- (.*)$/gm;
const lines = blocks('sh').flatMap((block) => [...block.matchAll(COMMAND)].map(([, line]) => line as string));

test('there are commands in it', () => {
  expect(lines.length).toBeGreaterThan(5);
});

test.each(lines)('%s: the command and its flags exist', async (line) => {
  expect(await cli([...line.split(/\s+/), '--help'])).toMatchObject({ code: 0, err: '' });
});

/** Lines that end by themselves, and need nothing but the repository. */
const local = lines.filter((line) => /^(?:convert|expand|hours|check) fixtures|^publish .*--out/.test(line));

test.each(local)('%s: does what it is there to show', async (line) => {
  // What it writes goes elsewhere; what it reads is the repository's.
  const argv = line
    .split(/\s+/)
    .map((word) => word.replace(/^\.\//, `${folder}/`).replace(/^fixtures/, `${packageFolder}/fixtures`));
  const { code, out, err } = await cli(argv);
  expect([code, err.includes('fault of the program')]).toEqual([0, false]);
  expect((line.startsWith('publish') ? err : out).split('\n').length).toBeGreaterThan(3);
});

test('both kinds of local example are there', () => {
  expect(local.map((line) => line.split(' ')[0])).toEqual(expect.arrayContaining(['expand', 'publish']));
});

describe('what it asks of the sample town', () => {
  const asked = [...readme.matchAll(/http:\/\/localhost:8080(\/[^'"\s]*)/g)].map(([, path = '']) =>
    path.replaceAll('&amp;', '&'),
  );
  let town: Awaited<ReturnType<typeof townApp>>;
  beforeAll(async () => {
    town = await townApp('http://localhost:8080');
  });
  afterAll(() => town.close());

  test('is there as JSON, as a calendar and as an embed', () => {
    expect(asked.map((path) => path.split('?')[0])).toEqual(['/api/occurrences', '/search.ics', '/embed/search']);
  });

  test.each(asked)('%s finds something', async (path) => {
    const response = await town.app.request(path);
    expect(response.status).toBe(200);
    expect(await response.text()).toMatch(/Yoga/);
  });
});

describe('the example of the library', () => {
  test.each(blocks('ts').map((code, index) => [index, code] as const))('number %i runs', async (index, code) => {
    const file = join(folder, `example-${index}.ts`);
    const data = join(packageFolder, 'fixtures', 'overrides.json');
    const runnable = code
      .replaceAll("'openactive-ical'", JSON.stringify(join(packageFolder, 'src/index.ts')))
      .replaceAll("'series.json'", JSON.stringify(data));
    writeFileSync(file, runnable);
    const { stdout } = await promisify(execFile)(process.execPath, [file], { env: PROGRAM_ENV });
    expect(stdout).toMatch(/start/);
  });
});

test('npm start hands signals on: nothing is left running', async () => {
  const script = (
    JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { scripts: { start: string } }
  ).scripts.start;
  // As npm does it, with the sources in place of what is built of them.
  const line = script.replace('dist/cli/main.js', PROGRAM).replace('./data', folder);
  const env = {
    ...process.env,
    ...PROGRAM_ENV,
    PATH: `${join(process.execPath, '..')}:${process.env.PATH}`,
    PORT: '0',
    HOST: '127.0.0.1',
  };
  const shell = spawn('sh', ['-c', line], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  let out = '';
  await new Promise<void>((ready) => {
    shell.stdout.on('data', (piece: Buffer) => {
      out += piece;
      if (out.includes('/api/series')) ready();
    });
  });
  const address = /http:\/\/\S+?(?=\/api\/series)/.exec(out)?.[0] as string;
  const ended = new Promise<number | null>((resolve) => shell.on('close', resolve));
  shell.kill('SIGTERM');
  expect(await ended).toBe(0);
  await expect(fetch(`${address}/healthz`)).rejects.toThrow();
});
