/** `feeds`: how every feed is, from the store; works beside a running `serve` and without one. */

import { existsSync } from 'node:fs';
import type { Settings } from '../../config.ts';
import { ConfigError, SourceError, UsageError } from '../../errors.ts';
import {
  confirmDeletes,
  forgetFeed,
  isTroubled,
  namedFeed,
  pauseFeed,
  resumeFeed,
  visitSoon,
} from '../../harvest/index.ts';
import {
  agoWords,
  counted,
  dueWords,
  type FeedHealth,
  feedHealth,
  grouped,
  heldWords,
  lossWords,
  stateWords,
} from '../../library/index.ts';
import { feedJson } from '../../server/index.ts';
import { type FeedReport, openStore, publicFeed, type Store, storeFile } from '../../store/index.ts';
import { defineCommand } from '../args.ts';
import { openFeeds } from '../feeds/configured.ts';
import type { Io } from '../io.ts';
import { ingestOptions } from '../serve/service.ts';
import { settingOptions, settingsOf } from '../settings.ts';
import { type Column, tableLines } from '../table.ts';

/** One at a time. */
const ACTIONS = ['confirm', 'forget', 'pause', 'resume', 'retry'] as const;

const { config, data, timezone, holidays } = settingOptions();

export const command = defineCommand({
  name: 'feeds',
  summary: 'shows how every feed is, confirms its deletions, has it visited now, paused or forgotten',
  positionals: '[--retry [FEED]]',
  arity: [0, 1],
  options: {
    ...(config && { config }),
    ...(data && { data }),
    ...(timezone && { timezone }),
    ...(holidays && { holidays }),
    format: { type: 'string', choices: ['table', 'jsonl'], default: 'table', help: 'how feeds are written' },
    confirm: { type: 'string', value: 'URL|all', help: 'let the deletions of this feed, or of all, through' },
    forget: { type: 'string', value: 'URL', help: 'take this feed, and all it brought, out of the store' },
    pause: { type: 'string', value: 'URL', help: 'leave this feed alone; what it brought stays served' },
    resume: { type: 'string', value: 'URL', help: 'have a paused feed read again' },
    retry: { type: 'boolean', help: 'have FEED, or all that fail, are gone or wait, visited now by a running serve' },
  },
  examples: [
    ['feeds --data ./data', 'how every feed is, beside a running serve or without one'],
    ['feeds --forget https://example.org/feeds/sessions', 'takes out of the store what this feed brought'],
    ['feeds --confirm https://example.org/feeds/sessions', 'lets the deletions through that this feed is held for'],
  ],
  notes:
    'A feed that would take away more than a twentieth of its calendars or sessions at once is held: what is stored stays, ' +
    "and is served, until the publisher sends it again or somebody confirms. What is confirmed goes at the feed's next visit.\n" +
    'A feed that fails or is gone is left alone for up to a day. --retry ends that wait: a running serve visits it within ' +
    'seconds, else the next one does when it starts.\n' +
    'What is paused is left alone by every serve and sync, within seconds and across restarts, until it is resumed.\n' +
    'What is forgotten is as if it had never been: what it took from other feeds is theirs again. Calendars that were of it ' +
    'alone are cancelled, and served for 90 days more. A stopped --forget is given again, or goes on when serve or sync starts.',
  run: async (values, [feed], io) => {
    if (feed !== undefined && !values.retry) {
      throw new UsageError(`feeds: ${JSON.stringify(feed)} is one argument too many (see feeds --help)`);
    }
    const [first, second] = ACTIONS.filter((action) => values[action] !== undefined && values[action] !== false);
    if (second !== undefined) throw new UsageError(`feeds: give one of --${first} and --${second}`);
    const settings = await settingsOf(values, io);
    if (settings.databaseUrl !== undefined) {
      throw new ConfigError(['DATABASE_URL is set, but this release stores in its embedded database only: unset it']);
    }
    // Opening would make one.
    if (!existsSync(storeFile(settings.data))) {
      throw new SourceError(
        `${settings.data}: holds no database yet: serve and sync make one; --data names its folder`,
      );
    }
    const store = await openStore({ data: settings.data });
    try {
      if (typeof values.forget === 'string') await forget(store, values.forget, settings, io);
      else if (typeof values.confirm === 'string') await confirm(store, values.confirm, io);
      else if (typeof values.pause === 'string') await tellPaused(await pauseFeed(store, values.pause, io.now()), io);
      else if (typeof values.resume === 'string') await tellPaused(await resumeFeed(store, values.resume), io);
      else if (values.retry) await retry(store, feed, io);
      else await listFeeds(store, values.format === 'jsonl', io);
    } finally {
      await store.close();
    }
    return 0;
  },
});

async function confirm(store: Store, which: string, io: Io): Promise<void> {
  const held = (await store.read.feedStates()).filter((feed) => feed.held !== undefined);
  const urls = which === 'all' ? held.map(({ url }) => url) : [which];
  if (urls.length === 0) await io.stdout('No feed waits for a confirmation.\n');
  for (const url of urls) {
    const waited = await confirmDeletes(store, url, io.now());
    const { paused } = namedFeed(await store.read.feedStates(), url);
    const later = paused === undefined ? '' : ', once feeds --resume is given';
    const what =
      waited === undefined ? 'nothing waits to be confirmed' : `${lossWords(waited)} may go at the next visit${later}`;
    await io.stdout(`${publicFeed(url)}: ${what}\n`);
  }
}

async function forget(store: Store, url: string, settings: Settings, io: Io): Promise<void> {
  const feeds = await openFeeds(settings, io);
  try {
    const forgotten = await forgetFeed(store, url, ingestOptions(settings, feeds, io));
    const shown = publicFeed(forgotten.url);
    await io.stdout(`${shown}: forgotten, with ${counted(forgotten.items, 'item', 'items')}\n`);
    io.stderr(
      `${shown} is read no more by a serve that runs. Take it out of the settings too (feeds, datasets or catalogs, or ` +
        'the flags of serve and sync): the next one that starts and names it reads it anew.\n',
    );
  } finally {
    await feeds.close();
  }
}

async function retry(store: Store, which: string | undefined, io: Io): Promise<void> {
  const troubled = (await store.read.feedStates()).filter(isTroubled).map(({ url }) => url);
  const urls = which === undefined ? troubled : [which];
  if (urls.length === 0) await io.stdout('No feed fails, is gone or waits.\n');
  for (const url of urls) {
    const feed = await visitSoon(store, url, io.now());
    await io.stdout(`${publicFeed(feed.url)}: ${retriedWords(feed, io.now())}\n`);
  }
}

function retriedWords(feed: FeedReport, now: number): string {
  if (isTroubled(feed)) return 'is visited now by a serve that runs, else when one starts';
  const more = feed.paused === undefined ? '' : '; feeds --resume has it visited';
  return `nothing to retry: ${standing(feed, now)}${more}`;
}

async function tellPaused(feed: FeedReport, io: Io): Promise<void> {
  await io.stdout(`${publicFeed(feed.url)}: ${standing(feed, io.now())}\n`);
}

function standing(feed: FeedReport, now: number): string {
  const health = feedHealth(feed);
  const isVisited = health.state !== 'retired' && health.state !== 'paused';
  return `${stateWords(health)}${isVisited ? `; next visit: ${dueWords(health.nextVisit, now)}` : ''}`;
}

async function listFeeds(store: Store, isJson: boolean, io: Io): Promise<void> {
  const feeds = (await store.read.feedStates()).map(feedHealth);
  const now = io.now();
  const lines = isJson ? feeds.map((feed) => JSON.stringify(feedJson(feed))) : table(feeds, now, io.width);
  await io.stdout(lines.map((line) => `${line}\n`).join(''));
  for (const feed of feeds) {
    const words = isJson ? undefined : heldWords(feed);
    if (words !== undefined) io.stderr(`${feed.name}: ${words}\n`);
  }
  const items = feeds.reduce((sum, feed) => sum + feed.items, 0);
  io.stderr(`${counted(feeds.length, 'feed', 'feeds')}, ${counted(items, 'item', 'items')}\n`);
}

const COLUMNS: readonly Column[] = [
  { title: 'STATE' },
  { title: 'READ TO END' },
  { title: 'NEXT VISIT' },
  { title: 'ITEMS' },
  { title: 'FINDINGS' },
  { title: 'FEED', most: 200, least: 16 },
  { title: 'LAST ERROR', most: 200, least: 0 },
];

function table(feeds: readonly FeedHealth[], now: number, width: number | undefined): string[] {
  const rows = feeds.map((feed) => [
    stateWords(feed),
    agoWords(feed.lastSuccess, now),
    dueWords(feed.nextVisit, now),
    grouped(feed.items),
    grouped(feed.findings),
    feed.name === feed.address ? feed.name : `${feed.name} (${feed.address})`,
    feed.failures === 0 ? '' : (feed.lastError ?? ''),
  ]);
  return tableLines(COLUMNS, rows, width);
}
