import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LIMITS } from '../../limits.ts';
import { makeFolder } from '../../process/folder.ts';
import type { ChangeLog } from '../../store/index.ts';
import { pageText } from './site.ts';

export interface FilesOptions {
  log: ChangeLog;
  /** The folder that `base` will lead to. */
  folder: string;
  /** Address without a slash at its end. */
  base: string;
  license: string;
}

/**
 * Writes the pages of a feed as files `FEED/page-000001.json` … that lead to each other. A reader's place is the address of the page
 * it stopped at, so a page keeps its range of change numbers for ever: what is new stands on new pages, and the empty
 * last page of one run is the first new one of the next. Equal files are not written again.
 * @returns how many files were written
 */
export async function writePages(feed: string, { log, folder, base, license }: FilesOptions): Promise<number> {
  const cuts = await newCuts(feed, log);
  makeFolder(join(folder, feed));
  let written = 0;
  for (const [index, from] of [0, ...cuts].entries()) {
    const until = cuts[index];
    const entries = until === undefined ? [] : await log.page(feed, from, LIMITS.pageItems);
    const own = entries.filter(({ number }) => number <= (until as number));
    const next = pageAddress(base, feed, until === undefined ? index : index + 1);
    const file = join(folder, feed, pageName(index));
    if (await writeIfOther(file, pageText(own, next, license))) written += 1;
  }
  await removeBeyond(join(folder, feed), cuts.length);
  return written;
}

/** Address of the first page of a feed. */
export function firstPage(base: string, feed: string): string {
  return pageAddress(base, feed, 0);
}

/** The last change number of each page so far; what came since the last run begins pages of its own. */
async function newCuts(feed: string, log: ChangeLog): Promise<number[]> {
  const key = `cuts ${feed}`;
  const known = await log.value(key);
  const cuts = known === undefined ? [] : (JSON.parse(known) as number[]);
  const before = cuts.length;
  for (;;) {
    const { count, last } = await log.stamp(feed, cuts.at(-1) ?? 0, LIMITS.pageItems);
    if (count === 0) break;
    cuts.push(last);
  }
  if (cuts.length > before) await log.setValue({ key, value: JSON.stringify(cuts) });
  return cuts;
}

function pageName(index: number): string {
  return `page-${String(index + 1).padStart(6, '0')}.json`;
}

function pageAddress(base: string, feed: string, index: number): string {
  return `${base}/${feed}/${pageName(index)}`;
}

/** Pages of an earlier log, which would be read as if they were of this one. */
async function removeBeyond(folder: string, last: number): Promise<void> {
  const names = (await readdir(folder)).filter((name) => /^page-\d{6}\.json$/.test(name) && name > pageName(last));
  await Promise.all(names.map((name) => rm(join(folder, name))));
}

/** Whole or not at all: somebody may be reading. Whether there was anything to write. */
export async function writeIfOther(file: string, text: string): Promise<boolean> {
  const known = await readFile(file, 'utf8').catch(() => undefined);
  if (known === text) return false;
  await writeFile(`${file}.new`, text);
  await rename(`${file}.new`, file);
  return true;
}
