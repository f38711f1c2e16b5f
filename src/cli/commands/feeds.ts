/** `feeds`: shows and changes the states of feeds in the store, beside a running `serve` or without one. */

import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Settings } from '../../config.ts';
import { UsageError } from '../../errors.ts';
import { confirmDeletes, forgetFeed, namedFeed, pauseFeed, resumeFeed, visitSoon } from '../../harvest/index.ts';
import {
  agoWords,
  counted,
  dueWords,
  type FeedHealth,
  feedHealth,
  grouped,
  heldBackWords,
  heldWords,
  stateWords,
} from '../../library/index.ts';
import { shown } from '../../opportunity/findings.ts';
import { feedJson } from '../../server/index.ts';
import { type FeedReport, isTroubled, openStore, publicFeed, type Store } from '../../store/index.ts';
import { defineCommand } from '../args.ts';
import { openFeeds } from '../feeds/configured.ts';
import type { Io } from '../io.ts';
import { checkMade, ingestOptions } from '../serve/service.ts';
import { useKeptVocabularies } from '../serve/vocabularies.ts';
import { settingOptions, settingsOf } from '../settings.ts';
import { type Column, tableLines } from '../table.ts';

/** The clock and the zone of a listing: ages are shown until now, and times in the zone. */
interface Here {
  now: number;
  zone: string;
}

/** Actions, of which a command line has one. */
const ACTIONS = ['confirm', 'forget', 'pause', 'resume', 'retry'] as const;

export const command = defineCommand({
  name: 'feeds',
  summary: 'shows how feeds are; confirms, visits, pauses or forgets one',
  positionals: '[--retry [FEED]]',
  arity: [0, 1],
  options: {
    ...settingOptions(['data', 'defaultTimezone', 'holidays']),
    format: { type: 'string', choices: ['table', 'jsonl'], default: 'table', help: 'how feeds are written' },
    confirm: { type: 'string', value: 'FEED|all', help: 'let the deletions of this feed, or of all, through' },
    forget: { type: 'string', value: 'FEED', help: 'take this feed, and all it brought, out of the store' },
    pause: { type: 'string', value: 'FEED', help: 'leave this feed alone; what it brought stays served' },
    resume: { type: 'string', value: 'FEED', help: 'have a paused feed read again' },
    retry: { type: 'boolean', help: 'have FEED, or all that fail, are gone or wait, visited now by a running serve' },
  },
  examples: [
    ['feeds --data ./data', 'how every feed is, beside a running serve or without one'],
    ['feeds --forget https://example.org/feeds/sessions', 'takes out of the store what this feed brought'],
    ['feeds --confirm https://example.org/feeds/sessions', 'lets the deletions through that this feed is held for'],
  ],
  notes:
    'FEED is the number in the first column, the address, or the folder as --feed has it.\n' +
    'A feed that would take away more than a twentieth of its calendars or sessions at once is held: what is stored stays, ' +
    "and is served, until the publisher sends it again or somebody confirms. What is confirmed goes at the feed's next visit.\n" +
    'A feed that fails or is gone is left alone for up to a day. --retry ends that wait: a running serve visits it within ' +
    'seconds, else the next one does when it starts.\n' +
    'What is paused is left alone by every serve and sync, within seconds and across restarts, until it is resumed.\n' +
    'What is forgotten is as if it had never been: what it took from other feeds is theirs again. Calendars that were of it ' +
    'alone are cancelled, and served for 90 days more. A stopped --forget is given again, or goes on when serve or sync starts.',
  prepare: retryOf,
  run: async (values, [feed], io) => {
    if (feed !== undefined && !values.retry) {
      throw new UsageError(`feeds: ${JSON.stringify(feed)} is one argument too many (see feeds --help)`);
    }
    const [first, second] = ACTIONS.filter((action) => values[action] !== undefined && values[action] !== false);
    if (second !== undefined) throw new UsageError(`feeds: give one of --${first} and --${second}`);
    const settings = await settingsOf(values, io);
    await checkMade(settings);
    const store = await openStore(settings);
    try {
      await useKeptVocabularies(store);
      const here = { now: io.now(), zone: settings.defaultTimezone };
      const given = feed ?? values.forget ?? values.confirm ?? values.pause ?? values.resume;
      const named = given === undefined ? undefined : await folderAddress(store, given, io);
      if (values.retry) await retry(store, named, here, io);
      else if (named === undefined) await listFeeds(store, values.format === 'jsonl', here, io);
      else if (values.forget !== undefined) await forget(store, named, settings, io);
      else if (values.confirm !== undefined) await confirm(store, named, io);
      else if (values.pause !== undefined) await writePaused(await pauseFeed(store, named, here.now), here, io);
      else await writePaused(await resumeFeed(store, named), here, io);
    } finally {
      await store.close();
    }
    return 0;
  },
});

/** Turns `--retry=FEED` into `--retry FEED`, because --retry is a flag that may stand without a feed. */
function retryOf(argv: readonly string[]): string[] {
  return argv.flatMap((one) => (/^--retry=./.test(one) ? ['--retry', one.slice('--retry='.length)] : [one]));
}

/** The address of a feed whose folder is named as for `--feed`; any other text is left to `namedFeed`. */
async function folderAddress(store: Store, feed: string, io: Io): Promise<string> {
  const urls = (await store.read.feedStates()).map(({ url }) => url);
  const path = /^file:\/\/\/./i.test(feed) ? fileURLToPath(feed) : feed;
  const { href } = pathToFileURL(resolve(io.folder ?? '.', path));
  return urls.includes(href) && !urls.includes(feed) ? href : feed;
}

async function confirm(store: Store, which: string, io: Io): Promise<void> {
  const held = (await store.read.feedStates()).filter((feed) => feed.held !== undefined);
  const urls = which === 'all' ? held.map(({ url }) => url) : [which];
  if (urls.length === 0) await io.stdout('No feed waits for a confirmation.\n');
  for (const url of urls) {
    const waited = await confirmDeletes(store, url, io.now());
    const { paused } = namedFeed(await store.read.feedStates(), url);
    const later = paused === undefined ? '' : ', once feeds --resume is given';
    const what =
      waited === undefined ? 'nothing waits to be confirmed' : `${heldWords(waited)} may go at the next visit${later}`;
    await io.stdout(`${publicFeed(url)}: ${what}\n`);
  }
}

async function forget(store: Store, url: string, settings: Settings, io: Io): Promise<void> {
  const feeds = await openFeeds(settings, io);
  try {
    const forgotten = await forgetFeed(store, url, ingestOptions(settings, feeds, io));
    const shown = publicFeed(forgotten.url);
    await io.stdout(`${shown}: forgotten, with ${counted(forgotten.items, 'item')}\n`);
    io.stderr(
      `${shown} is read no more by a serve that runs. Take it out of the settings too (feeds, datasets or catalogs, or ` +
        'the flags of serve and sync): the next one that starts and names it reads it anew.\n',
    );
  } finally {
    await feeds.close();
  }
}

async function retry(store: Store, which: string | undefined, here: Here, io: Io): Promise<void> {
  const troubled = (await store.read.feedStates()).filter(isTroubled).map(({ url }) => url);
  const urls = which === undefined ? troubled : [which];
  if (urls.length === 0) await io.stdout('No feed fails, is gone or waits.\n');
  for (const url of urls) {
    const feed = await visitSoon(store, url, here.now);
    await io.stdout(`${publicFeed(feed.url)}: ${retriedWords(feed, here)}\n`);
  }
}

function retriedWords(feed: FeedReport, here: Here): string {
  if (isTroubled(feed)) return 'is visited now by a serve that runs, else when one starts';
  const more = feed.paused === undefined ? '' : '; feeds --resume has it visited';
  return `nothing to retry: ${standing(feed, here)}${more}`;
}

async function writePaused(feed: FeedReport, here: Here, io: Io): Promise<void> {
  await io.stdout(`${publicFeed(feed.url)}: ${standing(feed, here)}\n`);
}

function standing(feed: FeedReport, { now, zone }: Here): string {
  const health = feedHealth(feed);
  const isVisited = health.state !== 'retired' && health.state !== 'paused';
  return `${stateWords(health, zone)}${isVisited ? `; next visit: ${dueWords(health.nextVisit, now)}` : ''}`;
}

async function listFeeds(store: Store, isJson: boolean, here: Here, io: Io): Promise<void> {
  const feeds = (await store.read.feedStates()).map(feedHealth);
  const lines = isJson ? feeds.map((feed) => JSON.stringify(feedJson(feed))) : table(feeds, here, io.width);
  await io.stdout(lines.map((line) => `${line}\n`).join(''));
  for (const feed of feeds) {
    const words = isJson ? undefined : heldBackWords(feed);
    if (words !== undefined) io.stderr(`${feed.name}: ${words}\n`);
  }
  const items = feeds.reduce((sum, feed) => sum + feed.items, 0);
  io.stderr(`${counted(feeds.length, 'feed')}, ${counted(items, 'item')}\n`);
}

const COLUMNS: readonly Column[] = [
  { title: 'NO' },
  { title: 'STATE', least: 12 },
  { title: 'READ TO END' },
  { title: 'NEXT VISIT' },
  { title: 'ITEMS' },
  { title: 'FINDINGS' },
];

const TEXTS: readonly Column[] = [
  { title: 'FEED', most: 200 },
  { title: 'LAST ERROR', most: 200 },
];

/** The table of feeds. In a terminal that is too narrow, address and last error have lines of their own, uncut. */
function table(feeds: readonly FeedHealth[], here: Here, width = Number.POSITIVE_INFINITY): string[] {
  const rows = feeds.map((feed) => ({ counts: countsOf(feed, here), texts: textsOf(feed) }));
  const cells = rows.map(({ counts, texts }) => [...counts, ...texts]);
  const whole = tableLines([...COLUMNS, ...TEXTS], cells);
  if (whole.every((line) => line.length <= width)) return whole;
  const counted = rows.map(({ counts }) => counts);
  const [head = '', ...lines] = tableLines(COLUMNS, counted, width);
  const below = (at: number) => (rows[at]?.texts ?? []).filter((text) => text !== '').map((text) => `    ${text}`);
  return [head, ...lines.flatMap((line, at) => [line, ...below(at)])];
}

function countsOf(feed: FeedHealth, { now, zone }: Here): string[] {
  return [
    String(feed.id),
    stateWords(feed, zone),
    agoWords(feed.lastSuccess, now),
    dueWords(feed.nextVisit, now),
    grouped(feed.items),
    grouped(feed.findings),
  ];
}

/** The name and address of a feed, and its last error: texts of any length. */
function textsOf({ name, address, failures, lastError = '' }: FeedHealth): string[] {
  const where = name === address ? address : `${name} (${address})`;
  return [where, failures === 0 ? '' : lastError].map((text) => shown(text, 1000));
}
