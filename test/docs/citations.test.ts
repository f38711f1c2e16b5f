import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { absentSources, brokenLinks, headingsOf, textsUnder, unresolved } from './citations.ts';

/** Whatever a comment, a test or a page cites is in the repository. */

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** This test, and what it is made with, hold citations that lead nowhere. */
const OWN = /^test\/docs\/citations(?:\.test)?\.ts$/;
const texts = textsUnder(ROOT).filter(({ path }) => !OWN.test(path));
const pages = texts.filter(({ path }) => path.endsWith('.md'));

test('there are texts and pages', () => {
  expect(texts.length).toBeGreaterThan(500);
  expect(pages.length).toBeGreaterThan(10);
});

test('every citation leads to a heading', () => {
  expect(texts.flatMap((text) => unresolved(text, ROOT))).toEqual([]);
});

test('every source that a comment names is there', () => {
  const paths = texts.map(({ path }) => path);
  const sources = texts.filter(({ path }) => /^(?:src|test)\/.*\.tsx?$/.test(path));
  expect(sources.flatMap((source) => absentSources(source, paths))).toEqual([]);
});

test('every relative link leads to a file, and to a heading of it', () => {
  expect(pages.flatMap((page) => brokenLinks(page, ROOT))).toEqual([]);
});

test.each(['docs/semantics.md', 'docs/feed-rules.md'])('no number stands twice in %s', (page) => {
  const numbers = headingsOf(join(ROOT, page)).flatMap((heading) => /^\d+(?:\.\d+)*/.exec(heading)?.[0] ?? []);
  expect(numbers.length).toBeGreaterThan(30);
  expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([]);
});

test('no number is that of two decisions', () => {
  const numbers = readdirSync(join(ROOT, 'docs/decisions')).map((name) => basename(name).slice(0, 4));
  expect(numbers.filter((number) => !/^\d{4}$/.test(number))).toEqual([]);
  expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([]);
});

describe('a citation that leads nowhere is found', () => {
  test.each([
    ['/** Whole days (semantics 9). */', 'semantics 9'],
    ['/** Whole days (semantics 4.99). */', 'semantics 4.99'],
    ['/** Semantics 3 and 88. */', 'semantics 88'],
    ['/** One RRULE (feed rule 99). */', 'feed rule 99'],
    ['/** Feed rules 7 to 14 and 101. */', 'feed rule 101'],
    ['/**\n * An old address (feed\n * rule 77).\n */', 'feed rule 77'],
    ['// folded (standards 3)', 'standards 3'],
    ['// one engine (decision 9999)', 'decision 9999'],
    ['/** Outlook wants one (clients.md 1.2). */', 'clients.md'],
    ['/** A readable name (peers C2 25). */', 'peers C2'],
    ['/** Two at once (examination B3). */', 'examination B3'],
    ['/** Somewhere (SECURITY.md, "No such heading"). */', 'SECURITY.md, "No such heading"'],
  ])('%s', (text, what) => {
    expect(unresolved({ path: 'src/planted.ts', text }, ROOT)).toEqual([`src/planted.ts: ${what}`]);
  });

  test.each([
    '/** Semantics 3 and 4, feed rules 2, 24, 25. */',
    '/** Feed rules 7 to 14 for the events of one UID (semantics 4.5). */',
    '/** RFC 5545 3.3.10, RPDE issue 93, the 20 feeds of semantics 1, "Who may speak". */',
    '/** Kept as it is (README.md, "What is served"). */',
  ])('and %s is not', (text) => {
    expect(unresolved({ path: 'src/planted.ts', text }, ROOT)).toEqual([]);
  });
});

describe('a source that is not there is found', () => {
  const PATHS = ['src/calendar/rule/masters.ts', 'src/time/zone.ts', 'test/seed.ts'];
  const found = (text: string): string[] => absentSources({ path: 'src/planted.ts', text }, PATHS);

  test.each([
    ['/** As there (absent.ts). */', 'absent.ts'],
    ['// As there (rule/zone.ts).', 'rule/zone.ts'],
    ['/** JSON of `calendar/absent`. */', 'calendar/absent'],
  ])('%s', (text, what) => expect(found(text)).toEqual([`src/planted.ts: ${what}`]));

  test.each([
    '/** As there (zone.ts, rule/masters.ts, seed.ts). */',
    '/** `calendar/rule`, `time/zone`, `text/calendar`. */',
    "import { x } from './absent.ts';",
    "const url = 'https://example.org/absent.ts';",
  ])('and %s is not', (text) => expect(found(text)).toEqual([]));
});

describe('a link that leads nowhere is found', () => {
  const found = (text: string): string[] => brokenLinks({ path: 'docs/planted.md', text }, ROOT);

  test.each([
    '[a](nowhere.md)',
    '[a](../src/nowhere.ts)',
    '[a](standards.md#no-such-heading)',
    '[a](#no-such-heading)',
  ])('%s', (text) => expect(found(text)).toHaveLength(1));

  test.each([
    '[a](standards.md)',
    '[a](../README.md#what-is-served)',
    '[a](https://example.org/nowhere.md)',
    '`[a](nowhere.md)`',
    '```\n[a](nowhere.md)\n```\n',
  ])('and %s is not', (text) => expect(found(text)).toEqual([]));
});
