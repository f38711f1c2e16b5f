import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { folderSource } from '../../../src/harvest/feed/folder-source.ts';
import { jsonFileError } from '../../../src/opportunity/page/file-error.ts';
import { parseText } from '../../../src/opportunity/page/page.ts';
import { cli } from '../../cli/io.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oai-file-error-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** A text that is no JSON, and what is said of the file it is in. */
const BROKEN: [text: string, words: string][] = [
  ['{\n "a": 1,\n b}', ':3: is not JSON: something that JSON does not have (column 2)'],
  ['[\n1 2]', ':2: is not JSON: a comma is missing (column 3)'],
  ['{"a" 1}', ':1: is not JSON: a colon is missing (column 6)'],
  ['[1,2,]', ':1: is not JSON: a value is missing (column 6)'],
  ['{"a":\n"x\ny"}', ':2: is not JSON: a text does not end on its line (column 1)'],
  ['// note\n{}', ':1: is not JSON: a comment, which JSON does not have (column 1)'],
  ['{"a":\n[1,2', ':2: the JSON ends in the middle: was the file copied whole?'],
  ['\uFEFF<html>', ':1: is an HTML page; the JSON of a feed or an object is needed'],
  ['['.repeat(12_000), ': the JSON ends in the middle: was the file copied whole?'],
  [' \n', ': is empty; JSON is needed'],
  ['{\0"\0', ': is in UTF-16 or UTF-32; save it in UTF-8 (RFC 8259, 8.1)'],
  ['', ': is empty; JSON is needed'],
];

test.each(BROKEN)('%j', (text, words) => {
  let cause: unknown;
  try {
    parseText(text);
  } catch (error) {
    cause = error;
  }
  expect(cause).toBeDefined();
  expect(jsonFileError('classes.json', text, cause).message).toBe(`classes.json${words}`);
});

test('the text is not quoted: it may hold keys', () => {
  expect(jsonFileError('a.json', '{"key": hunter2}').message).not.toContain('hunter2');
});

describe('errors of local files speak of files', () => {
  const path = () => join(folder, 'page-1.json');

  test.each(['check', 'convert', 'expand', 'hours'])('%s names the file and the line', async (command) => {
    await writeFile(path(), '{"items": [\n {"a" 1}]}');
    const { code, out, err } = await cli([command, path()]);
    expect([code, out]).toEqual([1, '']);
    expect(err).toBe(`openactive-ical: ${path()}:2: is not JSON: a colon is missing (column 7)\n`);
  });

  test('a file that holds something else is reported', async () => {
    await writeFile(path(), '"classes"');
    expect((await cli(['check', path()])).err).toBe(
      `openactive-ical: ${path()}: holds classes where an RPDE page, items or objects were expected\n`,
    );
  });

  test('a page of a folder that cannot be read: its file and line, at once, and no words of servers', async () => {
    await writeFile(path(), '{"items": [\n');
    await expect(folderSource({ path: folder }).page(null)).rejects.toThrow(`${path()}:2: the JSON ends in the middle`);
    const data = join(folder, 'data');
    const { code, out } = await cli(['sync', '--feed', folder, '--data', data]);
    expect(code).toBe(1);
    // The line begins with the folder.
    expect(out).toMatch(new RegExp(`^${folder}: .*; failed: ${basename(path())}:2: the JSON ends in the middle`, 'm'));
    expect(out).not.toMatch(/answer|ask again|server/);
  });
});
