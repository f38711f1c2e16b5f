import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SourceError } from '../../../src/errors.ts';
import { crawlOnce } from '../../../src/harvest/feed/crawl.ts';
import { folderSource } from '../../../src/harvest/feed/folder-source.ts';
import { idsOf, type MemoryIngest, memoryIngest, pageText, sleeper } from '../memory.ts';

let folder: string;
let ingest: MemoryIngest;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oai-folder-'));
  ingest = memoryIngest();
});
afterEach(() => rm(folder, { recursive: true }));

const put = (name: string, ...ids: number[]) =>
  writeFile(join(folder, name), pageText(ids, 'https://old.example/next'));

async function crawl(path = folder) {
  const before = idsOf(ingest).length;
  const pass = await crawlOnce(
    { source: folderSource({ path }), meta: {} },
    { ingest, sleep: sleeper().sleep, random: () => 0 },
  );
  return { ...pass, ids: idsOf(ingest).slice(before) };
}

describe('a folder of pages', () => {
  test('is read in natural order, other files left alone', async () => {
    await put('page-10.json', 10);
    await put('page-2.json', 2);
    await put('page-1.JSON', 1);
    await writeFile(join(folder, 'README.md'), 'not a page');
    await mkdir(join(folder, 'old'));
    await writeFile(join(folder, 'old', 'page-0.json'), pageText([0], ''));
    expect(await crawl()).toMatchObject({ ids: ['1', '2', '10'], pages: 3, end: true });
  });

  test('is not read again while nothing changed, also by another process', async () => {
    await put('1.json', 1);
    await put('2.json', 2);
    await crawl();
    expect(await crawl()).toMatchObject({ ids: [], pages: 0, end: true });
  });

  test('a new last file is read alone', async () => {
    await put('1.json', 1);
    await crawl();
    await put('2.json', 2);
    expect((await crawl()).ids).toEqual(['2']);
  });

  test('a changed file is read again, and all others with it', async () => {
    await put('1.json', 1);
    await put('2.json', 2);
    await crawl();
    await put('1.json', 1, 11);
    expect((await crawl()).ids).toEqual(['1', '11', '2']);
  });

  test('the same size and another time is a change', async () => {
    await put('1.json', 1);
    await crawl();
    await put('1.json', 7);
    await utimes(join(folder, '1.json'), 1e9, 1e9);
    expect((await crawl()).ids).toEqual(['7']);
  });

  test('a file that came before the others, or went', async () => {
    await put('2.json', 2);
    await put('3.json', 3);
    await crawl();
    await put('1.json', 1);
    expect((await crawl()).ids).toEqual(['1', '2', '3']);
    await rm(join(folder, '2.json'));
    expect((await crawl()).ids).toEqual(['1', '3']);
  });

  test('a broken file stops there, and is gone past once it is mended', async () => {
    await put('1.json', 1);
    await writeFile(join(folder, '2.json'), '{"items": [');
    await put('3.json', 3);
    await expect(crawl()).rejects.toThrow(`${join(folder, '2.json')}:1: the JSON ends in the middle`);
    await put('2.json', 2);
    expect((await crawl()).ids).toEqual(['2', '3']);
  });

  test('one file is a feed too', async () => {
    await put('one.json', 1);
    expect((await crawl(join(folder, 'one.json'))).ids).toEqual(['1']);
    expect((await crawl(join(folder, 'one.json'))).ids).toEqual([]);
  });
});

describe('what cannot be read', () => {
  test('a folder that is not there', async () => {
    await expect(crawl(join(folder, 'no'))).rejects.toThrow(/there is no such file or folder$/);
  });

  test('a folder without pages', async () => {
    const error = await crawl().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(SourceError);
    expect(String(error)).toContain('has no *.json files in it');
  });
});

test('its identity is its file address, its description the path', () => {
  const source = folderSource({ path: '/data/my pages' });
  expect([source.url, source.describe()]).toEqual([pathToFileURL('/data/my pages').href, '/data/my pages']);
});

test('a stored cursor that makes no sense is the start', async () => {
  await put('1.json', 1);
  const source = folderSource({ path: folder });
  for (const cursor of ['', 'files:1:x', 'files:99:y', 'https://old.example/', 'files:-1:']) {
    expect(await source.page(cursor)).toMatchObject({ page: { items: [{ id: '1' }] } });
  }
});
