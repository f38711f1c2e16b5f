import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LIMITS } from '../../limits.ts';
import { makeFolder } from '../../process/folder.ts';
import type { ChangeLog } from '../../store/index.ts';
import type { Instant } from '../../time/instant.ts';
import { pageText } from './site.ts';

interface FilesOptions {
  log: ChangeLog;
  /** The folder that is served at `base`. */
  folder: string;
  /** The address of the pages, without a slash at its end. */
  base: string;
  license: string;
  now: Instant;
}

/**
 * Writes the pages of a feed as files that lead to each other. A page has the entries after the change number in its name, so
 * that a reader who stopped there finds the later entries. Only the last page is empty, and leads to itself. Equal files are
 * not written again. A killed run leaves valid pages: later pages are written first, so each page leads to an address with the
 * entries that follow.
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

/** Removes pages that no page has led to for a week, and those of an earlier log. */
async function removeOthers(folder: string, addresses: readonly PageAddress[]): Promise<void> {
  const known = new Set(addresses.map(({ name }) => name));
  const names = (await readdir(folder)).filter((name) => /^page-(?:\d{6}|after-\d+)\.json$/.test(name));
  await Promise.all(names.filter((name) => !known.has(name)).map((name) => rm(join(folder, name))));
}

/** Writes a file atomically, because it may be read meanwhile. Returns whether its text has changed. */
export async function writeIfOther(file: string, text: string): Promise<boolean> {
  const known = await readFile(file, 'utf8').catch(() => undefined);
  if (known === text) return false;
  await writeFile(`${file}.new`, text);
  await rename(`${file}.new`, file);
  return true;
}

/** A page: the entries after one change number, until another one. */
interface PageAddress {
  name: string;
  after: number;
  /** Absent: the last page, which is empty. */
  until?: number;
  /** Name of the page that follows; of the last page its own. */
  next: string;
}

/** The beginning of a page to which a `next` has led. */
interface Beginning {
  name: string;
  after: number;
  /** When it stopped being the last page, at which most readers wait. */
  passed?: Instant;
  /** When it stopped being the beginning of a page. */
  dropped?: Instant;
}

/**
 * The pages of a feed in order. Readers may be away for a week, for as long as tombstones stay (RPDE 1.0). A page that was the
 * last one within a week stays a page of its own, and a page to which none leads any more stays for a week.
 */
async function pageAddresses(feed: string, log: ChangeLog, now: Instant): Promise<PageAddress[]> {
  const known = await beginnings(feed, log, now);
  const isRecent = (at: Instant | undefined) => at === undefined || now - at < LIMITS.tombstoneMs;
  const kept = known.filter(({ passed, dropped }) => dropped === undefined && isRecent(passed));
  const numbers = kept.map(({ after }) => after).sort((a, b) => a - b);
  const cuts = await cutsOf(feed, log, numbers);
  const last = cuts.at(-1) ?? 0;
  const byName = new Map(known.map((one) => [one.name, one]));
  for (const after of cuts) {
    const name = pageName(after);
    const { passed } = byName.get(name) ?? {};
    byName.set(name, { name, after, ...(after !== last && { passed: passed ?? now }) });
  }
  const names = new Set(cuts.map(pageName));
  const all = [...byName.values()]
    .map((one) => (names.has(one.name) ? one : { ...one, passed: one.passed ?? now, dropped: one.dropped ?? now }))
    .filter(({ dropped }) => dropped === undefined || isRecent(dropped))
    .filter(({ after }) => after <= last);
  // Beginnings are stored before any page is written, so that a reader who is led there finds the page later.
  await remember(feed, log, all);
  const pages = [...new Map([{ name: pageName(0), after: 0 }, ...all].map((one) => [one.name, one])).values()];
  const addresses: PageAddress[] = [];
  for (const { name, after } of pages.sort((a, b) => a.after - b.after)) {
    // Entries after a dropped beginning may have expired: the page ends with the next entries, so that it is not empty.
    const { count, last: first } = await log.pageVersion(feed, after, 1);
    const until = count === 0 ? undefined : cuts.find((cut) => cut >= first);
    addresses.push(until === undefined ? { name, after, next: name } : { name, after, until, next: pageName(until) });
  }
  return addresses;
}

/** The beginnings of later pages: those in `kept` with entries before them, and else wherever a page is full. */
async function cutsOf(feed: string, log: ChangeLog, kept: readonly number[]): Promise<number[]> {
  const cuts: number[] = [];
  for (let after = 0; ; ) {
    const { count, last } = await log.pageVersion(feed, after, LIMITS.pageItems);
    if (count === 0) return cuts;
    const first = (await log.pageVersion(feed, after, 1)).last;
    after = kept.find((cut) => cut >= first && cut < last) ?? last;
    cuts.push(after);
  }
}

function pageName(after: number): string {
  return after === 0 ? 'page-000001.json' : `page-after-${after}.json`;
}

function keyOfBeginnings(feed: string): string {
  return `pages ${feed}`;
}

async function beginnings(feed: string, log: ChangeLog, now: Instant): Promise<Beginning[]> {
  const text = await log.value(keyOfBeginnings(feed));
  if (text !== undefined) return JSON.parse(text) as Beginning[];
  // Earlier releases numbered pages, and stored their ranges.
  const cuts = JSON.parse((await log.value(`cuts ${feed}`)) ?? '[]') as number[];
  return cuts.map((after, index) => {
    const name = `page-${String(index + 2).padStart(6, '0')}.json`;
    return { name, after, passed: now, dropped: now };
  });
}

async function remember(feed: string, log: ChangeLog, all: readonly Beginning[]): Promise<void> {
  const value = JSON.stringify(all);
  if ((await log.value(keyOfBeginnings(feed))) !== value) await log.setValue({ key: keyOfBeginnings(feed), value });
}
