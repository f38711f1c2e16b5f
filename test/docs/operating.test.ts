import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageFolder } from '../../src/cli/package.ts';
import { SETTINGS } from '../../src/config.ts';
import { type FeedHealth, stateWords } from '../../src/library/index.ts';
import { troubleWords } from '../../src/store/sqlite/faults.ts';
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

describe('each trouble of the store has a line', () => {
  test.each(['damaged', 'unreadable', 'full', 'read-only'] as const)('%s', (trouble) => {
    const begins = [...page.matchAll(/^\| (The database failed: [^|]+) \|/gm)].map(([, reason = '']) => reason);
    expect(begins.filter((reason) => troubleWords(trouble).startsWith(reason))).toHaveLength(1);
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
