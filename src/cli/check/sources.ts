/** The sources that a folder stands for: a feed of pages, or each file in it. */

import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SourceError } from '../../errors.ts';
import { isPage, PageError, parseText } from '../../opportunity/page/page.ts';
import { readRefusal } from '../../process/folder.ts';
import { isUrl, readOctets } from '../io.ts';

/** One thing to check. `feed`: a folder of RPDE pages; `file`: JSON of any form, or standard input. */
export interface CheckSource {
  place: string;
  kind: 'address' | 'feed' | 'file';
}

/**
 * What is to be checked at a place. A folder of RPDE pages is a feed. Any other folder stands for its *.json files, and for
 * what is in its folders, as `publish --out` writes them.
 * @throws SourceError for a folder that cannot be read, or holds nothing to check
 */
export async function sourcesAt(place: string, note: (line: string) => void): Promise<CheckSource[]> {
  if (isUrl(place)) return [{ place, kind: 'address' }];
  const found = place === '-' ? undefined : await stat(place).catch(() => undefined);
  // What is not there is explained by who reads it.
  if (found?.isDirectory() !== true) return [{ place, kind: 'file' }];
  const { own, folders, calendars } = await inFolder(place);
  if (own.some(({ kind }) => kind === 'feed')) {
    notePassedOver(place, folders, note);
    return own;
  }
  const inner: CheckSource[] = [];
  for (const folder of folders) {
    const below = await inFolder(folder);
    inner.push(...below.own);
    notePassedOver(folder, below.folders, note);
    if (below.own.length === 0) note(`${folder}: has no *.json files in it`);
  }
  if (own.length + inner.length > 0) return [...own, ...inner];
  const others = calendars > 0 ? ', and `publish` reads its calendars' : '';
  throw new SourceError(`${place}: has no *.json files in it${others}`);
}

function notePassedOver(place: string, folders: readonly string[], note: (line: string) => void): void {
  if (folders.length > 0) note(`${place}: the folders in it are not read (${folders.join(', ')}): name each`);
}

interface InFolder {
  own: CheckSource[];
  folders: string[];
  /** How many *.ics files there are. */
  calendars: number;
}

/** @throws SourceError */
async function inFolder(folder: string): Promise<InFolder> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
    throw new SourceError(`${folder}: ${readRefusal(cause)}`, { cause });
  });
  const named = (end: RegExp) => entries.filter((one) => (one.isFile() || one.isSymbolicLink()) && end.test(one.name));
  const files = named(/\.json$/i).map(({ name }) => join(folder, name));
  const isFeed = await hasPage(files);
  return {
    own: isFeed ? [{ place: folder, kind: 'feed' }] : files.sort().map((place) => ({ place, kind: 'file' })),
    folders: entries.flatMap((one) => (one.isDirectory() ? join(folder, one.name) : [])).sort(),
    calendars: named(/\.ics$/i).length,
  };
}

/** Whether any of the files is an RPDE page. Those that cannot be read are left to who checks them. */
async function hasPage(files: readonly string[]): Promise<boolean> {
  const decoder = new TextDecoder();
  for (const file of files) {
    try {
      if (isPage(parseText(decoder.decode(await readOctets(file))).value)) return true;
    } catch (error) {
      if (!(error instanceof PageError || error instanceof SourceError)) throw error;
    }
  }
  return false;
}
