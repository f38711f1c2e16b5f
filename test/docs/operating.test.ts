import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageFolder } from '../../src/cli/package.ts';
import { SETTINGS, type SettingKey, variablesOf } from '../../src/config.ts';
import type { StoreError } from '../../src/errors.ts';
import { type FeedHealth, stateWords } from '../../src/library/index.ts';
import { troubleWords } from '../../src/store/index.ts';
import { storeFault } from '../../src/store/sqlite/faults.ts';
import { cli } from '../cli/io.ts';
import { feed } from '../server/made.ts';

/** docs/operating.md names commands, settings and reasons that exist. */

const page = readFileSync(join(packageFolder, 'docs', 'operating.md'), 'utf8');

const commands = [...page.matchAll(/^npm run -s cli -- ([^#\n]*)/gm)].map(([, line = '']) => line.trim());

test('there are commands in it', () => expect(commands.length).toBeGreaterThan(5));

test.each(commands)('%s: the command and its flags exist', async (line) => {
  expect(await cli([...line.split(/\s+/), '--help'])).toMatchObject({ code: 0, err: '' });
});

const inText = [...page.matchAll(/`((?:serve|feeds|store|config|sync)(?: [^`\n]+)?)`/g)].map(([, line = '']) => line);

test.each([...new Set(inText)])('`%s`: the same in the text', async (line) => {
  expect(await cli([...line.split(/\s+/), '--help'])).toMatchObject({ code: 0, err: '' });
});

test('every setting of its table exists', () => {
  const [, table = ''] = page.split('| setting | default | why |');
  const named = (table.split('\n\n')[0] ?? '').split('\n').flatMap((row) => {
    const [, cell = ''] = row.split('|');
    return [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
  });
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !Object.hasOwn(SETTINGS, name))).toEqual([]);
});

const shipped = ['compose.yml', 'openactive-ical.service', 'nginx/openactive-ical.conf', 'nginx/prefix.conf'];
const deployed = shipped.map((path) => readFileSync(join(packageFolder, 'deploy', path), 'utf8')).join('\n');

test('every variable of it, and of what is shipped for it, is a setting', () => {
  const known = new Set([...(Object.keys(SETTINGS) as SettingKey[]).flatMap(variablesOf), 'OPENACTIVE_ICAL_CONFIG']);
  const named = `${page}\n${deployed}`.match(/OPENACTIVE_ICAL_\w+/g) ?? [];
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test('every word of it that is written as a setting is one, or a field of an answer', () => {
  const fields = new Set(['harvesterRestarts']);
  const named = [...page.matchAll(/`([a-z]+[A-Z]\w*)`/g)].map(([, name = '']) => name);
  expect(named.filter((name) => !Object.hasOwn(SETTINGS, name) && !fields.has(name))).toEqual([]);
});

const started = [
  ...[...deployed.matchAll(/^ +command: \[(serve[^\]]*)\]/gm)].map(([, line = '']) => line.replaceAll(/[",]/g, '')),
  ...[...deployed.matchAll(/^ExecStart=.*main\.js (.*)$/gm)].map(([, line = '']) => line),
];

test.each(started)('%s: what is shipped starts it so', async (line) => {
  expect(started).toHaveLength(3);
  expect(await cli([...line.split(/\s+/), '--help'])).toMatchObject({ code: 0, err: '' });
});

test('every file of deploy/ that it names is there', () => {
  const named = [...page.matchAll(/\bdeploy\/[\w./-]+\w/g)].map(([name]) => name);
  expect(named.length).toBeGreaterThan(5);
  const own = named.filter((name) => name !== 'deploy/openactive-ical.config.json');
  expect(own.filter((name) => !existsSync(join(packageFolder, name)))).toEqual([]);
});

test('nginx in the containers has the same lines, but for its name and where the service is', () => {
  const lines = (name: string) => readFileSync(join(packageFolder, 'deploy/nginx', name), 'utf8').split('\n');
  const [own, other] = [lines('compose.conf'), lines('openactive-ical.conf')];
  expect(own.length).toBe(other.length);
  expect(own.filter((line, at) => line !== other[at]).map((line) => line.trim().split(' ')[0])).toEqual([
    '#',
    'server',
    'server_name',
  ]);
});

describe('each trouble of the store has a line', () => {
  test.each([8, 10, 11, 13])('SQLite code %i', (errcode) => {
    const fault = storeFault(
      Object.assign(new Error(), { code: 'ERR_SQLITE_ERROR', errcode }),
      'a.sqlite',
    ) as StoreError;
    const begins = [...page.matchAll(/^\| (The database failed: [^|]+) \|/gm)].map(([, reason = '']) => reason);
    expect(begins.filter((reason) => troubleWords(fault).startsWith(reason))).toHaveLength(1);
  });
});

describe('each state of a feed has a line, with the words that are printed', () => {
  const STATES: Readonly<Record<FeedHealth['state'], true>> = {
    new: true,
    reading: true,
    ended: true,
    failing: true,
    stalled: true,
    gone: true,
    held: true,
    paused: true,
    retired: true,
  };
  test.each(Object.keys(STATES) as FeedHealth['state'][])('%s', (state) => {
    const [, printed] = new RegExp(`^\\| ${state} \\| ([^|]+) \\|`, 'm').exec(page) ?? [];
    expect(printed).toBeDefined();
    expect(stateWords(feed({ state, resync: undefined as never }))).toMatch(new RegExp(`^${printed}`));
  });
});
