/**
 * A folder of RPDE pages, or one file, as a feed.
 *
 * The pages are the folder's `*.json` files in natural order (`page-2` before `page-10`), without its subfolders. A page's
 * `next` is not followed, because files moved from a server still name that server. The order of the files is the order
 * of the feed, and the last file is its end. Where a file before the cursor changed, came or went, the folder is read
 * again from its first file; unchanged items change nothing. An item that is no longer in any file stays: as everywhere
 * in RPDE, only a `deleted` item deletes.
 */

import { hash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SourceError } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { jsonFileError } from '../../opportunity/page/file-error.ts';
import { PageError, parsePage } from '../../opportunity/page/page.ts';
import { readRefusal } from '../../process/folder.ts';
import type { FeedSource, FetchedPage, ReadPage, Unchanged } from './source.ts';

interface FolderOptions {
  /** The path of the folder, or of one file. */
  path: string;
  /** Identity in the store; default: the `file:` address. */
  url?: string;
  /** Turns the text of a file into that of a page; default: unchanged. */
  prepare?: (readText: string) => string;
  /** A text that changes when `prepare` begins to return other pages for the same files. */
  edition?: () => string;
  /** Default: `parsePage`. */
  read?: ReadPage;
}

interface PageFile {
  path: string;
  /** A text that changes whenever the content may have changed. */
  version: string;
}

export function folderSource(options: FolderOptions): FeedSource {
  const {
    path,
    prepare = (readText: string) => readText,
    edition = () => '',
    read = async (page) => parsePage(page as string),
  } = options;

  async function page(cursor: string | null): Promise<FetchedPage | Unchanged> {
    const files = await pageFiles(path);
    const versions = files.map((file) => file.version);
    const done = countDone(cursor, versions, edition());
    const file = files[done];
    if (file === undefined) return { unchanged: true };
    // Versions are taken before the text is read, so that a file that changes in between is read again.
    const next = cursorAfter(done + 1, versions, edition());
    const parsed = await readFileAs(file.path, (body) => read(prepare(body)));
    return { unchanged: false, page: parsed, next, end: done + 1 === files.length };
  }

  return { url: options.url ?? pathToFileURL(path).href, describe: () => path, page };
}

/** @throws SourceError that names the file and its line */
async function readFileAs<T>(path: string, read: (readText: string) => Promise<T>): Promise<T> {
  const body = await readText(path);
  try {
    return await read(body);
  } catch (error) {
    throw error instanceof PageError ? jsonFileError(path, body, error) : error;
  }
}

/** `files:COUNT:DIGEST`: the number of files read, and a digest of their versions. */
function cursorAfter(count: number, versions: readonly string[], edition: string): string {
  return `files:${count}:${hash('sha1', [edition, ...versions.slice(0, count)].join('\n'), 'hex')}`;
}

/** The number of files that the cursor counts as read; 0 when one of them has changed. */
function countDone(cursor: string | null, versions: readonly string[], edition: string): number {
  const count = Number(/^files:(\d{1,9}):/.exec(cursor ?? '')?.[1] ?? 0);
  return count <= versions.length && cursorAfter(count, versions, edition) === cursor ? count : 0;
}

async function pageFiles(path: string): Promise<PageFile[]> {
  try {
    const found = await stat(path, { bigint: true });
    if (!found.isDirectory()) return [await fileAt(path)];
    const names = (await readdir(path)).filter((name) => /\.json$/i.test(name)).sort(naturally);
    if (names.length === 0) throw new SourceError(`${path}: has no *.json files in it`);
    if (names.length > LIMITS.folderFiles) throw new SourceError(`${path}: has more than ${LIMITS.folderFiles} files`);
    return await Promise.all(names.map((name) => fileAt(join(path, name))));
  } catch (error) {
    throw readable(path, error);
  }
}

async function fileAt(path: string): Promise<PageFile> {
  const found = await stat(path, { bigint: true });
  // Reading a pipe without a writer, or a device, would never end.
  if (!found.isFile()) throw new SourceError(`${path}: is no file`);
  return { path, version: `${basename(path)} ${found.size} ${found.mtimeNs} ${found.ino}` };
}

async function readText(path: string): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size > LIMITS.inputBytes) throw tooLarge(path, size);
    return await readFile(path, 'utf8');
  } catch (error) {
    throw readable(path, error);
  }
}

function tooLarge(path: string, size: number): SourceError {
  const [has, most] = [size, LIMITS.inputBytes].map((bytes) => `${Math.ceil(bytes / 1024 / 1024)} MB`);
  return new SourceError(`${path}: has ${has}, too large for one page (${most} at most): part it into several files`);
}

function readable(path: string, error: unknown): SourceError {
  if (error instanceof SourceError) return error;
  return new SourceError(`${path}: ${readRefusal(error, 'there is no such file or folder')}`, { cause: error });
}

const NATURAL = new Intl.Collator('en', { numeric: true });

/** Compares names with numbers in numeric order; code units decide where only case or leading zeros differ. */
function naturally(a: string, b: string): number {
  return NATURAL.compare(a, b) || (a < b ? -1 : 1);
}
