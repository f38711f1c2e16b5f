/** `check`: lists what a publisher should change in files and feeds, each by itself and all together. */

import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { FetchError, messageOf, SourceError, UsageError } from '../../errors.ts';
import { createClient, createHostQueue, webUrl } from '../../fetch/index.ts';
import { folderSource, httpSource } from '../../harvest/index.ts';
import { cleanWithHours } from '../../hours/findings.ts';
import { readInput } from '../../join/input.ts';
import { publisherKeyOf } from '../../join/publishers.ts';
import type { Cleaned, CleanOptions } from '../../opportunity/clean.ts';
import { FINDINGS, finish, type RawFinding } from '../../opportunity/findings.ts';
import { isPage, itemName, PageError, parseText, type RpdeItem } from '../../opportunity/page/page.ts';
import { readRefusal } from '../../process/folder.ts';
import { auditFindings } from '../../validate/index.ts';
import { conceptLabel } from '../../vocabulary/shipped.ts';
import { defineCommand } from '../args.ts';
import { type Checking, checkFeed } from '../check/feed.ts';
import { joinFindings, waitingFindings } from '../check/join-findings.ts';
import { Kept, keptKey } from '../check/kept.ts';
import { Report, type ReportForm } from '../check/report.ts';
import { feedsToCheck, pageOrSite, SiteFound } from '../check/site.ts';
import { namesOf } from '../feeds/discovered.ts';
import { isUrl, readOctets, readSourceAs } from '../io.ts';
import { userAgent } from '../package.ts';
import { settingOptions, settingsOf } from '../settings.ts';

export const command = defineCommand({
  name: 'check',
  summary: 'tells what a publisher should change',
  positionals: 'FILE|FOLDER|URL|-…',
  arity: [1, 1000],
  options: {
    format: { type: 'string', choices: ['table', 'jsonl'], default: 'table', help: 'how findings are written' },
    all: { type: 'boolean', help: 'list each finding instead of grouping them by code' },
    ...settingOptions(['defaultTimezone', 'allowPrivate']),
  },
  examples: [
    ['check fixtures/feeds/fit-barn-untidy', 'what to change in a folder of pages, by kind of fault'],
    ['check https://example.org/feeds/sessions --format jsonl', 'every finding of a feed, a JSON line each'],
  ],
  notes:
    'A folder of RPDE pages is a feed; in any other folder each *.json file is checked, and so are the folders in it. ' +
    'An RPDE feed is followed to its end when its address is given, and so are the feeds of a dataset site (without ' +
    'Slots). Feeds that belong together (of series, and of their ' +
    'sessions) are judged together when all are given; those of several datasets or origins are several publishers. Exit code 1 if there is an error among the findings.',
  run: async (values, sources, io) => {
    const twice = namedTwice(sources);
    if (twice !== undefined) throw new UsageError(`check: ${twice} is named twice`);
    const settings = await settingsOf(values, io);
    const report = new Report(formOf(values), io);
    const zone = settings.defaultTimezone;
    const how: Checking = {
      options: { zone, slots: true },
      clean: cleanForCheck,
      nameOf: itemName,
      allowPrivate: settings.allowPrivate,
      kept: new Kept(),
      report,
      io,
    };
    how.kept.several = new Set(sources.map(publisherKeyOf)).size > 1;
    await reportJoined(how, (await checkAll(sources, how)) > 0);
    await report.end();
    return report.counts.error === 0 ? 0 : 1;
  },
});

function formOf({ format, all }: { format: string; all: boolean }): ReportForm {
  if (format === 'jsonl') return 'jsonl';
  return all ? 'lines' : 'groups';
}

/** The first source that an earlier one names too, perhaps by another path. */
function namedTwice(sources: readonly string[]): string | undefined {
  const named = new Set<string>();
  return sources.find((source) => {
    const name = source === '-' || isUrl(source) ? source : resolve(source);
    const isNamed = named.has(name);
    named.add(name);
    return isNamed;
  });
}

/** Checks all sources. Returns the number of feeds. A source that cannot be read does not stop the others. */
async function checkAll(places: readonly string[], how: Checking): Promise<number> {
  const note = (line: string) => how.report.note(line);
  const sources: CheckSource[] = [];
  for (const place of places)
    sources.push(...((await attempt(() => sourcesAt(place, note), places.length === 1, how)) ?? []));
  let feeds = 0;
  for (const source of sources) {
    const isFeed = await attempt(() => checkSource(source, how), places.length === 1 && sources.length === 1, how);
    if (isFeed === true) feeds += 1;
  }
  return feeds;
}

/** Runs `work`, and reports the error of one source among several. @throws SourceError, FetchError where it `isNoOther` */
async function attempt<T>(work: () => Promise<T>, isNoOther: boolean, { report }: Checking): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (isNoOther || !(error instanceof SourceError || error instanceof FetchError)) throw error;
    report.counts.error += 1;
    report.note(messageOf(error));
    return undefined;
  }
}

/** Checks one source. Returns whether it is a feed. */
async function checkSource({ place, kind }: CheckSource, how: Checking): Promise<boolean> {
  if (kind === 'address') return checkUrl(place, how);
  if (kind === 'feed') await checkFeed(folderSource({ path: place }), how, publisherKeyOf(place));
  else await checkObjects(place, how);
  return kind === 'feed';
}

/** Checks a file, or an address that is no feed: pages, items and objects in any mix. */
async function checkObjects(
  source: string,
  { options, clean, kept, report, io, allowPrivate }: Checking,
): Promise<void> {
  const read = (text: string) => readInput(text, { ...options, feed: source }, clean);
  const { findings, items, records } = await readSourceAs(source, io, read, { allowPrivate });
  report.items += items;
  kept.addFeed(source, publisherKeyOf(source));
  for (const [key, claims] of Map.groupBy(records, ({ kind, rpdeId }) => keptKey(source, kind, rpdeId))) {
    kept.keep(claims, key);
  }
  for (const finding of findings) await report.add(finding);
}

/** Checks an address: a feed, the feeds of a dataset site, or any other content as a file. Returns whether it is a feed. */
async function checkUrl(url: string, how: Checking): Promise<boolean> {
  const { io, allowPrivate } = how;
  webUrl(url);
  const client = createClient({ userAgent: userAgent(), named: [url], allowPrivate, now: io.now });
  const shared = { client, queue: createHostQueue(), named: new Set<string>(), judgeCaching: true };
  try {
    await checkFeed(httpSource({ url, ...shared, read: pageOrSite(url) }), how, publisherKeyOf(url), true);
    return true;
  } catch (error) {
    if (error instanceof SiteFound) {
      const { feeds, leftOut } = feedsToCheck(error.datasets);
      how.kept.several ||= new Set(feeds.values()).size > 1;
      how.report.note(
        `${error.message} of ${feeds.size} feeds${leftOut.length > 0 ? `; left out: ${namesOf(leftOut)}` : ''}`,
      );
      for (const [feed, dataset] of feeds) await checkFeed(httpSource({ url: feed, ...shared }), how, dataset);
      return true;
    }
    if (!(error instanceof PageError)) throw error;
    await checkObjects(url, how);
    return false;
  } finally {
    await client.close();
  }
}

/** Reports findings on all sources joined. */
async function reportJoined({ kept, report, options }: Checking, isFeed: boolean): Promise<void> {
  const { joined, placeOf, foreign, repeated } = kept.joined();
  for (const finding of [...foreign.findings, ...repeated]) await report.add(finding);
  for (const finding of joinFindings(joined, placeOf, options.zone)) await report.add(finding);
  if (kept.dropped > 0) {
    report.note(`What is missing beside what was not looked at: ${kept.dropped} records are too many to be compared.`);
    return;
  }
  for (const finding of waitingFindings(joined, placeOf, foreign)) await report.add(finding);
  const generating = joined.series.filter(({ series }) => series.schedules.some(({ expandable }) => expandable));
  const isAlone = joined.orphans.length === 0 && joined.series.every(({ sessions }) => sessions.length === 0);
  const [first] = generating;
  if (!isFeed || first === undefined || !isAlone) return;
  const facts = { count: generating.length };
  await report.add(finish({ code: 'complementary-feed-missing', path: '$', facts }, placeOf(first.series).feed, ''));
}

/** Cleans an item for `check`, with the findings of the reader and of the audit of the data model. */
export function cleanForCheck(item: RpdeItem, options: CleanOptions): Cleaned {
  const { records, findings } = cleanWithHours(item, { ...options, conceptLabel });
  const noted = findings.filter(({ code }) => FINDINGS[code].severity !== 'info');
  const more: RawFinding[] = auditFindings(item.data, noted);
  return { records, findings: more.length === 0 ? findings : [...findings, ...more] };
}

/** One thing to check. `feed`: a folder of RPDE pages; `file`: JSON of any form, or standard input. */
interface CheckSource {
  place: string;
  kind: 'address' | 'feed' | 'file';
}

/**
 * The sources at a place. A folder of RPDE pages is a feed. Any other folder stands for its *.json files, and for the
 * sources in its folders, as `publish --out` writes them.
 * @throws SourceError for a folder that cannot be read, or holds nothing to check
 */
async function sourcesAt(place: string, note: (line: string) => void): Promise<CheckSource[]> {
  if (isUrl(place)) return [{ place, kind: 'address' }];
  const found = place === '-' ? undefined : await stat(place).catch(() => undefined);
  // The reader reports an absent file.
  if (found?.isDirectory() !== true) return [{ place, kind: 'file' }];
  const { sources, folders, calendars } = await inFolder(place);
  if (sources.some(({ kind }) => kind === 'feed')) {
    notePassedOver(place, folders, note);
    return sources;
  }
  const inner: CheckSource[] = [];
  for (const folder of folders) {
    const below = await inFolder(folder);
    inner.push(...below.sources);
    notePassedOver(folder, below.folders, note);
    if (below.sources.length === 0) note(`${folder}: has no *.json files in it`);
  }
  if (sources.length + inner.length > 0) return [...sources, ...inner];
  const others = calendars > 0 ? ', and `publish` reads its calendars' : '';
  throw new SourceError(`${place}: has no *.json files in it${others}`);
}

function notePassedOver(place: string, folders: readonly string[], note: (line: string) => void): void {
  if (folders.length > 0) note(`${place}: the folders in it are not read (${folders.join(', ')}): name each`);
}

interface InFolder {
  sources: CheckSource[];
  folders: string[];
  /** The number of *.ics files. */
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
    sources: isFeed ? [{ place: folder, kind: 'feed' }] : files.sort().map((place) => ({ place, kind: 'file' })),
    folders: entries.flatMap((one) => (one.isDirectory() ? join(folder, one.name) : [])).sort(),
    calendars: named(/\.ics$/i).length,
  };
}

/** Whether any of the files is an RPDE page. A file that cannot be read is reported when it is checked. */
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
