import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LIMITS } from '../../limits.ts';
import { makeFolder } from '../../process/folder.ts';
import type { ChangeLog } from '../../store/index.ts';
import type { Instant } from '../../time/instant.ts';
import { type PageAddress, pageAddresses } from './addresses.ts';
import { pageText } from './site.ts';

interface FilesOptions {
  log: ChangeLog;
  /** The folder that `base` will lead to. */
  folder: string;
  /** Address without a slash at its end. */
  base: string;
  license: string;
  now: Instant;
}

/**
 * Writes the pages of a feed as files that lead to each other. Each has the entries after a change number, which is in its
 * name: a reader who stopped at one finds there what came since. Only the last is empty, and leads to itself. Equal files are
 * not written again. A run that is killed leaves pages that are right. Those further on are written first, and an earlier page,
 * old or new, leads to an address that has what follows.
 * @returns how many files were written
 */
export async function writePages(feed: string, { log, folder, base, license, now }: FilesOptions): Promise<number> {
  const addresses = await pageAddresses(feed, log, now);
  makeFolder(join(folder, feed));
  let written = 0;
  for (const { name, after, until, next } of addresses.toReversed()) {
    const entries = until === undefined ? [] : await log.page(feed, after, LIMITS.pageItems);
    const own = entries.filter(({ number }) => number <= (until as number));
    if (await writeIfOther(join(folder, feed, name), pageText(own, `${base}/${feed}/${next}`, license))) written += 1;
  }
  await removeOthers(join(folder, feed), addresses);
  return written;
}

/** Address of the first page of a feed. */
export function firstPage(base: string, feed: string): string {
  return `${base}/${feed}/page-000001.json`;
}

/** Pages to which nobody has been led for a week, and those of an earlier log. */
async function removeOthers(folder: string, addresses: readonly PageAddress[]): Promise<void> {
  const known = new Set(addresses.map(({ name }) => name));
  const names = (await readdir(folder)).filter((name) => /^page-(?:\d{6}|after-\d+)\.json$/.test(name));
  await Promise.all(names.filter((name) => !known.has(name)).map((name) => rm(join(folder, name))));
}

/** Whole or not at all: somebody may be reading. Whether there was anything to write. */
export async function writeIfOther(file: string, text: string): Promise<boolean> {
  const known = await readFile(file, 'utf8').catch(() => undefined);
  if (known === text) return false;
  await writeFile(`${file}.new`, text);
  await rename(`${file}.new`, file);
  return true;
}
