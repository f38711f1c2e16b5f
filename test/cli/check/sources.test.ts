import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cli, type Ran } from '../io.ts';
import { rig } from '../rig.ts';

const { path } = rig();

const OBJECT = '{"name":"Yoga"}';
const PAGE = JSON.stringify({ items: [], next: '' });

/** The folder of a test, with these files. */
async function folderOf(name: string, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = path(name);
  await mkdir(folder);
  for (const [file, text] of Object.entries(files)) {
    await mkdir(join(folder, file, '..'), { recursive: true });
    await writeFile(join(folder, file), text);
  }
  return folder;
}

const check = async (...argv: string[]): Promise<Ran & { found: string[] }> => {
  const ran = await cli(['check', '--format', 'jsonl', ...argv]);
  const found = ran.out.split('\n').flatMap((line) => (line === '' ? [] : JSON.parse(line)));
  return { ...ran, found: found.map(({ code, feed }) => `${code} ${feed}`) };
};

describe('a folder', () => {
  test('of objects stands for its files, and for those of its folders', async () => {
    const folder = await folderOf('objects', { 'b.json': OBJECT, 'a.json': `[${OBJECT}]`, 'c/d.json': OBJECT });
    const { found, err, code } = await check(folder);
    const unknown = found.filter((one) => one.startsWith('type-missing'));
    expect(unknown).toEqual(['a.json', 'b.json', 'c/d.json'].map((file) => `type-missing ${join(folder, file)}`));
    expect([code, err]).toEqual([1, expect.stringMatching(/^items 3, /)]);
  });

  test('of pages is a feed, and what is passed over is reported', async () => {
    const folder = await folderOf('pages', { '1.json': PAGE, 'old/1.json': PAGE });
    const { found, err } = await check(folder);
    expect(found).toContain(`license-missing ${folder}`);
    expect(err).toContain(`${folder}: the folders in it are not read (${join(folder, 'old')}): name each\n`);
  });

  test('a file among pages that is no page is a finding that names it', async () => {
    const folder = await folderOf('mixed', { '1.json': PAGE, '2.json': '[]', '3.json': '{"items": [' });
    const { found, out } = await check(folder);
    expect(found).toContain(`page-unreadable ${folder}`);
    expect(found.join()).not.toContain('page-not-fetched');
    expect(out).toContain(`${join(folder, '2.json')}: holds an array where an RPDE page was expected`);
  });

  test.each([
    ['nothing', {}, 'has no *.json files in it'],
    ['calendars', { 'club.ics': 'BEGIN:VCALENDAR' }, 'has no *.json files in it, and `publish` reads its calendars'],
    ['images', { 'images/a.png': '' }, 'has no *.json files in it'],
  ])('with %s is an error', async (name, files, expected) => {
    const folder = await folderOf(name, files);
    const { code, out, err } = await check(folder);
    expect([code, out]).toEqual([1, '']);
    expect(err.trimEnd().split('\n').at(-1)).toBe(`openactive-ical: ${folder}: ${expected}`);
  });
});

test('what cannot be read does not stop the others', async () => {
  const folder = await folderOf('several', { 'good.json': OBJECT, 'loop/a.json': OBJECT, 'broken.json': '{' });
  await symlink('around', path('around'));
  const [good, broken] = [join(folder, 'good.json'), join(folder, 'broken.json')];
  const { found, err, code } = await check(path('gone'), path('around'), broken, good);
  expect(found).toContain(`type-missing ${good}`);
  expect(err.split('\n').slice(0, 3)).toEqual([
    `openactive-ical: ${path('gone')}: there is no such file`,
    `openactive-ical: ${path('around')}: is a symbolic link that leads back to itself: name the file itself`,
    `openactive-ical: ${broken}:1: the JSON ends in the middle: was the file copied whole?`,
  ]);
  expect([code, err]).toEqual([1, expect.stringMatching(/items 1, errors 4,/)]);
});
