/** `sync`: makes one full pass over every feed. */

import type { SettingKey, Settings } from '../../config.ts';
import { messageOf, UsageError } from '../../errors.ts';
import { createHostQueue, type HostQueue } from '../../fetch/index.ts';
import { type FeedStatus, retireOthers, type Sums, visit } from '../../harvest/index.ts';
import { counted } from '../../library/index.ts';
import { LIMITS } from '../../limits.ts';
import { shown } from '../../opportunity/findings.ts';
import { databaseAt, rowBatches } from '../../store/index.ts';
import { defineCommand } from '../args.ts';
import { type Feeds, feedName, openFeeds, visiting } from '../feeds/configured.ts';
import { type ConfiguredFeed, notesOf } from '../feeds/discovered.ts';
import type { Io } from '../io.ts';
import { createProgress, type Progress } from '../progress.ts';
import { checkInTurn, checkWhole } from '../serve/every.ts';
import { type HarvestTurn, harvestTurn } from '../serve/harvest-turn.ts';
import type { Service } from '../serve/service.ts';
import { settingOptions, settingsOf } from '../settings.ts';

/** The settings with a flag that a pass uses. */
const USED: readonly SettingKey[] = [
  'data',
  'feeds',
  'datasets',
  'catalogs',
  'types',
  'samples',
  'defaultTimezone',
  'holidays',
  'confirmDeletes',
  'allowPrivate',
];

export const command = defineCommand({
  name: 'sync',
  summary: 'reads every feed to its end, once',
  options: {
    ...settingOptions(USED),
    resync: {
      type: 'boolean',
      help: 'read from the start, and delete what a feed no longer has (publishers ask: once a week at most)',
    },
  },
  examples: [
    ['sync --data ./data --feed https://example.org/feeds/sessions', 'one pass over one feed'],
    ['sync --data ./data --catalog https://example.org/all.jsonld', 'one pass over every feed of a catalogue'],
  ],
  notes:
    'A summary line per feed goes to standard output. Exit code 1 if a feed or a dataset site failed, or a feed is held.',
  run: async (values, _positionals, io) => {
    const settings = await settingsOf(values, io);
    const feeds = await openFeeds(settings, io);
    if (feeds.none) {
      throw new UsageError(
        'sync needs a feed: --feed URL, --feed DIR, --dataset URL, --catalog URL, --samples, or a settings file',
      );
    }
    const done: Done = { feeds: 0, items: 0 };
    const words = stoppedWords(feeds, done, io);
    try {
      return await onePass(settings, feeds, values.resync === true, done, io);
    } finally {
      if (io.signal.aborted) io.stderr(`openactive-ical: ${words()}\n`);
    }
  },
});

interface Done {
  /** Feeds whose summary line is written. */
  feeds: number;
  /** Items of pages that are committed. */
  items: number;
}

/** The summary of a pass that a signal ends. Operations under way are noted when the signal comes. */
function stoppedWords(feeds: Feeds, done: Done, { signal, underWay }: Io): () => string {
  let left: string[] = [];
  signal.addEventListener('abort', () => (left = underWay.words()), { once: true });
  return () => {
    const more = left.length > NAMED ? ` and ${left.length - NAMED} more` : '';
    const running = left.length === 0 ? '' : `; under way: ${left.slice(0, NAMED).join('; ')}${more}`;
    const read = `${done.feeds} of ${counted(feeds.list.length, 'feed')} read`;
    const items = counted(done.items, 'item');
    return `sync ${messageOf(signal.reason)}: ${read}, ${items} stored${running}. The next sync goes on from what is stored.`;
  };
}

async function onePass(settings: Settings, feeds: Feeds, resync: boolean, done: Done, io: Io): Promise<number> {
  const { openService } = await import('../serve/service.ts');
  // A fault of the store ends the pass, so that one line reports it, and not one for every feed.
  const helpless = new AbortController();
  const service = await openService(settings, feeds, io, { onTrouble: (_, error) => error && helpless.abort(error) });
  const turn = await harvestTurn(settings, service.store, io.now);
  if (!turn.isOurs()) await writeOther(turn, io);
  const others = (await service.share?.harvesters()) ?? 0;
  if (others > 0) io.stderr(`${counted(others, 'process harvests', 'processes harvest')} this store too: ${TWICE}`);
  const signal = AbortSignal.any([io.signal, helpless.signal]);
  try {
    await io.underWay.during('reading what is stored anew', service.rebuild());
    const isNew = (await service.store.read.lastItem()) === 0;
    const unread = await io.underWay.during('dataset sites', discoverAll(feeds, service, io));
    await service.registerFeeds();
    await retireOthers(service.store, new Set(feeds.list.map(({ source }) => source.url)));
    const failed = await syncAll(feeds.list, service, { resync, done }, { ...io, signal });
    await service.roll();
    // A pass that writes little may miss damage; the first one has written every page of the file.
    if (!isNew) await (databaseAt(settings).isEmbedded ? checkWhole : checkInTurn)(service.store, io);
    await writeAwaited(service, io);
    return failed + unread === 0 ? 0 : 1;
  } finally {
    await io.underWay.during('connections to publishers', feeds.close());
    await io.underWay.during('the store', service.close());
    turn.end();
  }
}

const TWICE = 'its publishers are asked twice now; "feeds --retry URL" has it visit a feed instead\n';

/** Warns that another process harvests the store. The pass goes on, because a person asked for it. */
async function writeOther(turn: HarvestTurn, io: Io): Promise<void> {
  const other = await turn.other();
  const who = other ? `process ${other.pid} on ${other.host} harvests` : 'another process harvests';
  const since = other ? ` since ${other.since}` : '';
  io.stderr(`${who} this store too${since}: ${TWICE}`);
}

/** Reads all dataset sites. Returns how many cannot be read; their remembered feeds are read too. */
async function discoverAll(feeds: Feeds, { store }: Service, io: Io): Promise<number> {
  const discovered = await feeds.discover('all', store);
  if (discovered === undefined) return 0;
  for (const line of [...discovered.problems, ...notesOf(discovered)]) io.stderr(`${line}\n`);
  return discovered.problems.length;
}

/** The most series, or operations, that a line names; the others are counted. */
const NAMED = 3;
const BATCH = 1000;

/** Reports the number of sessions without their series, which are in no calendar (semantics 1.1). */
async function writeAwaited({ store }: Service, io: Io): Promise<void> {
  const named: string[] = [];
  let [series, sessions] = [0, 0];
  for await (const rows of rowBatches((after) => store.read.awaited(after, BATCH))) {
    series += rows.length;
    for (const row of rows) sessions += row.sessions;
    named.push(...rows.slice(0, NAMED - named.length).map(({ ident }) => shown(ident, 120)));
  }
  if (series === 0) return;
  const more = series > named.length ? ', …' : '';
  io.stderr(`sessions without their series: ${sessions}, waiting for ${named.join(', ')}${more}\n`);
}

/**
 * Reads all feeds, with one request at a time to each host. Returns how many failed or are held. A few feeds of one host are
 * read at a time: pages of one feed come close together then, and a calendar is revised once for many of its sessions. A feed
 * that takes more than `placeMs` delays no other.
 */
async function syncAll(
  list: readonly ConfiguredFeed[],
  service: Service,
  { resync, done }: { resync: boolean; done: Done },
  io: Io,
): Promise<number> {
  const progress = createProgress(list.map(feedName), io, resync ? await sizesOf(list, service) : []);
  const queue = createHostQueue({ atOnce: LIMITS.feedsAtOnce });
  try {
    const ended = await Promise.all(
      list.map((feed, row) =>
        inTurn(queue, hostOf(feed), (onRead) => syncOne(feed, row, { service, resync, done, progress, onRead }, io)),
      ),
    );
    io.signal.throwIfAborted();
    return ended.filter((ok) => !ok).length;
  } finally {
    progress.end();
  }
}

/** Stored items of each feed, deleted ones too, as an estimate for a pass from the start. */
async function sizesOf(list: readonly ConfiguredFeed[], { store }: Service): Promise<(number | undefined)[]> {
  const known = new Map((await store.read.feedStates()).map(({ url, items, deleted }) => [url, items + deleted]));
  return list.map(({ source }) => known.get(source.url));
}

/** Runs a pass in the queue of its host. Its turn ends when the feed is read, while its pages may still be committed. */
async function inTurn(
  queue: HostQueue,
  host: string,
  pass: (onRead: () => void) => Promise<boolean>,
): Promise<boolean> {
  const done = Promise.withResolvers<boolean>();
  await queue.run(host, async () => {
    const read = Promise.withResolvers<void>();
    done.resolve(pass(read.resolve));
    await Promise.race([read.promise, done.promise]);
  });
  return done.promise;
}

interface Syncing {
  service: Service;
  resync: boolean;
  done: Done;
  progress: Progress;
  onRead(): void;
}

const hostOf = ({ source }: ConfiguredFeed): string => URL.parse(source.url)?.host ?? '';

async function syncOne(
  feed: ConfiguredFeed,
  row: number,
  { service, resync, done, progress, onRead }: Syncing,
  io: Io,
): Promise<boolean> {
  const start = io.now();
  let sums: Sums = { pages: 0, items: 0, kept: 0, deleted: 0, findings: 0 };
  const onPage = (_feed: unknown, now: Sums) => {
    done.items += now.items - sums.items;
    sums = now;
    progress.page(row, now);
  };
  const { state, error } = await visit(feed, {
    ...visiting(io),
    ingest: service.ingest,
    onPage,
    onRead,
    tries: LIMITS.triesPerPage,
    retryWaitMs: LIMITS.retryWaitMs,
    endWaitMs: LIMITS.retryWaitMs,
    failures: 0,
    waitMs: () => 0,
    resync,
  });
  if (io.signal.aborted) return false;
  const reason = error && withoutName(error, feedName(feed));
  done.feeds += 1;
  await progress.done(row, summary(feed, sums, (io.now() - start) / 1000, endWords(state, reason)));
  return state === 'ended' || state === 'paused';
}

/** An error without the name of its feed, or of its folder, which begins the summary line. */
function withoutName(error: string, name: string): string {
  const rest = error.startsWith(name) ? error.slice(name.length) : '';
  return /^(?:: |\/)/.test(rest) ? rest.replace(/^(?:: |\/)/, '') : error;
}

/** Words for the end of a pass. A held feed was read to its end. */
function endWords(state: FeedStatus['state'], error: string | undefined): string | undefined {
  if (error === undefined || state === 'paused') return error;
  return `${state === 'held' ? 'held' : 'failed'}: ${error}`;
}

function summary(feed: ConfiguredFeed, sums: Sums, seconds: number, trouble: string | undefined): string {
  const { pages, items, kept, findings } = sums;
  const counts = `pages ${pages}, items ${items}, kept ${kept}, findings ${findings}, seconds ${seconds.toFixed(1)}`;
  return `${feedName(feed)}: ${counts}${trouble === undefined ? '' : `; ${trouble}`}\n`;
}
