/** `serve`: harvests for ever and serves everything. */

import type { Logger } from 'pino';
import type { Settings } from '../../config.ts';
import { messageOf, publicUrl, StoppedError, StoreError, UsageError } from '../../errors.ts';
import { type Feed, keepRoster, retireOthers, sleep, visit } from '../../harvest/index.ts';
import { LIMITS } from '../../limits.ts';
import type { ComputingOptions, Serving } from '../../server/index.ts';
import { columns, defineCommand } from '../args.ts';
import { type Feeds, feedName, openFeeds, visiting } from '../feeds/configured.ts';
import type { ConfiguredFeed } from '../feeds/discovered.ts';
import { feedTeller } from '../feeds/feed-log.ts';
import { openRepublishing, type Republishing } from '../feeds/republish.ts';
import { rosterOf } from '../feeds/roster.ts';
import type { HarvesterMessage, Io } from '../io.ts';
import { version } from '../package.ts';
import { checkAdmin, openAdmin } from '../serve/admin.ts';
import { openBrand } from '../serve/brand.ts';
import { type Catalogue, keepRendering, openCatalogue } from '../serve/catalogue.ts';
import { type HarvestTurn, harvestTurn } from '../serve/harvest-turn.ts';
import { type Harvester, hostHarvester, plainTrouble } from '../serve/harvester.ts';
import { createLog } from '../serve/log.ts';
import type { ReadService, Service, ServiceListeners } from '../serve/service.ts';
import { listening, untilReadable } from '../serve/waiting.ts';
import { settingOptions, settingsOf } from '../settings.ts';

export const command = defineCommand({
  name: 'serve',
  summary: 'harvests feeds for ever and serves their calendars',
  options: {
    ...settingOptions(),
    'harvest-port': { type: 'string', value: 'PORT', help: 'the earlier spelling of --admin-port' },
  },
  examples: [
    ['serve --samples', 'the sample feeds that come with the program'],
    ['serve --data ./data --dataset https://data.example.org/', 'all feeds of a dataset site, for ever'],
  ],
  notes: `The log goes to standard error: JSON lines, or plain ones on a terminal. Each change of a feed's state is one line with feed, state, was, failures, nextVisitSeconds, error (and pages, items, kept, deleted, findings of a pass).`,
  run: async (values, _positionals, io) => {
    const settings = io.parent ? await io.parent.settings : await settingsOf(withFormer(values), io);
    checkAdmin(settings);
    const feeds = await openFeeds(settings, io);
    if (feeds.none && settings.role !== 'web') {
      throw new UsageError(
        'serve has no feed to harvest: give --feed URL, --feed DIR, --dataset URL, --catalog URL, --samples, or a settings file',
      );
    }
    await serve(settings, feeds, io);
    return 0;
  },
});

/** `--harvest-port` is read where `--admin-port` is not given. */
function withFormer(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { ...values, 'admin-port': values['admin-port'] ?? values['harvest-port'] };
}

/** Runs until the signal of `io`; then lets go of everything in the order that loses nothing. */
async function serve(given: Settings, feeds: Feeds, io: Io): Promise<void> {
  const log = createLog(given, io);
  const tell = feedTeller(log);
  const fork = given.role === 'all' ? io.fork : undefined;
  const settings: Settings = { ...given, role: io.parent ? 'harvest' : fork ? 'web' : given.role };
  const harvests = settings.role !== 'web';
  const changes = new Set<(keys: readonly string[]) => void>();
  let service: ReadService | undefined;
  let republishing: Republishing | undefined;
  let following: Republishing | undefined;
  let turn: HarvestTurn | undefined;
  let harvester: Harvester | undefined;
  try {
    const listeners: ServiceListeners = {
      onChange: (keys) => {
        for (const listener of changes) listener(keys);
        io.parent?.send({ changed: true, writes: service?.writes() ?? 0 });
      },
      onTrouble: (_trouble, error) => {
        if (io.parent) io.parent.send({ trouble: plainTrouble(error), writes: service?.writes() ?? 0 });
        else tellTrouble(log, error);
      },
      onTightened: (files) =>
        log.warn({ files }, 'Others could read the database: its files are for their owner alone now.'),
    };
    const readOnly = given.role === 'web';
    if (readOnly) await untilReadable(settings, log, io);
    const { openReadService, openService } = await import('../serve/service.ts');
    const writing = readOnly ? undefined : await openService(settings, feeds, io, listeners);
    const opened = writing ?? (await openReadService(settings, listeners));
    service = opened;
    const facts = () => harvester?.facts() ?? {};
    const isServing = settings.role !== 'harvest';
    const catalogue = isServing
      ? await openCatalogue({ settings, service: opened, writing, facts, log, io })
      : undefined;
    if (writing && !isServing && !io.parent) await keepRendering(settings, writing, io);
    if (catalogue !== undefined) changes.add((keys) => catalogue.library.notify(keys));
    if (fork !== undefined && catalogue !== undefined) {
      const onMessage = (message: HarvesterMessage) => hear(message, catalogue, opened);
      harvester = hostHarvester({ settings: given, fork, onMessage, log, io });
      await harvester.ready;
      io.signal.throwIfAborted();
    }
    const harvesting = harvests ? writing : undefined;
    turn = harvesting && (await harvestTurn(settings.data, harvesting.store, io.now));
    const begin = async () => {
      if (harvesting === undefined) return;
      if (await harvesting.rebuild()) log.info('Everything was made anew from the raw data.');
      following = await openRepublishing(settings, opened.store.read, io.now, { harvests });
      await beginHarvest(feeds, harvesting, { log, tell }, io);
    };
    if (turn?.isOurs()) await begin();
    else if (turn) await tellOther(turn, log);
    if (catalogue)
      republishing = await openRepublishing(settings, opened.store.read, io.now, { harvests: false, readOnly });
    io.parent?.send({ ready: true, writes: opened.writes(), ...(turn?.isOurs() === false && { waits: true }) });
    const harvest = async (own: HarvestTurn) => {
      if (!own.isOurs()) {
        await own.wait(io.signal);
        log.info('The process that harvested has ended: this one harvests now.');
        await begin();
        io.parent?.send({ ready: true, writes: opened.writes() });
      }
      if (harvesting === undefined) return;
      await Promise.all([work(settings, feeds, harvesting, { log, tell }, io), republish(following, log, io)]);
    };
    const writes = () => harvester?.writes() ?? opened.writes();
    const web = catalogue && (await openWeb(settings, { catalogue, service: opened, republishing }, log, io));
    if (web !== undefined) await io.stdout(addresses(web.url, settings.republish));
    const administered = { service: opened, serving: web?.serving, writes, facts };
    const admin = io.parent === undefined ? await openAdmin(settings, administered, log, io) : undefined;
    try {
      // Each ends when stopped, with nothing half done.
      await Promise.all([
        harvesting && turn && harvest(turn),
        web?.follow(),
        io.parent === undefined && every(LIMITS.checkMs, () => opened.store.check(), log, io),
      ]);
    } finally {
      const closing = Promise.all([web?.close(), admin?.close()]);
      await io.underWay.during('requests of callers', closing);
    }
  } catch (error) {
    if (!(error instanceof StoppedError)) throw error;
  } finally {
    try {
      await closeAll({ feeds, service, republishing: [republishing, following], harvester }, io);
    } finally {
      turn?.end();
    }
  }
}

interface Telling {
  log: Logger;
  tell: Tell;
}

/** Before any visitor comes. The last content of dataset sites is enough to start with. */
async function beginHarvest(feeds: Feeds, service: Service, { log, tell }: Telling, io: Io): Promise<void> {
  await feeds.discover('none', service.store);
  await service.know();
  if (feeds.wait() === undefined) await tellLeftOver(feeds, service, log);
  await firstPasses(feeds.list, service, tell, io);
}

/** Publishers are asked once for the same. */
async function tellOther(turn: HarvestTurn, log: Logger): Promise<void> {
  log.warn(
    { ...(await turn.other()) },
    'Another process harvests this store: this one serves, and harvests when that one ends.',
  );
}

/** Once, until it changes; what holds no other word of it goes on being served. */
function tellTrouble(log: Logger, error: Error | undefined): void {
  if (error === undefined) log.info({}, 'The store is written again.');
  else log.error({ error: messageOf(error) }, 'The store needs help; calendars in memory go on being served.');
}

/** From the harvester's process. */
function hear(
  { changed, trouble }: HarvesterMessage,
  { library }: Catalogue,
  { store: { troubles } }: ReadService,
): void {
  // Where this fails, the regular reading of the change log fails too, and is logged.
  if (changed) void library.poll().catch(() => {});
  if (trouble === 'over') troubles.written();
  else if (trouble !== undefined) troubles.met(new StoreError(trouble.message, trouble));
}

interface Opened {
  feeds: Feeds;
  service: ReadService | undefined;
  republishing: readonly (Republishing | undefined)[];
  harvester: Harvester | undefined;
}

/** The harvester first: it writes into the store. */
async function closeAll({ feeds, service, republishing, harvester }: Opened, { underWay }: Io): Promise<void> {
  try {
    if (harvester !== undefined) await underWay.during('the harvester', harvester.close());
  } finally {
    await Promise.all([
      underWay.during('connections to publishers', feeds.close()),
      underWay.during('the pages at /rpde/', Promise.all(republishing.flatMap((one) => (one ? [one.close()] : [])))),
      underWay.during('the store', Promise.resolve(service?.close())),
    ]);
  }
}

/** Data of feeds from earlier settings is served until its publisher deletes it; a line of the log names them. */
async function tellLeftOver(feeds: Feeds, { store }: Service, log: Logger): Promise<void> {
  const left = await retireOthers(store, new Set(feeds.list.map(({ source }) => source.url)));
  if (left.length === 0) return;
  const shown = left.slice(0, 5).map(({ url }) => (/^https?:/i.test(url) ? publicUrl(url) : url));
  log.warn({ count: left.length, feeds: shown }, 'Feeds of earlier settings are still served, and no longer read.');
}

type Tell = ReturnType<typeof feedTeller>;

/** Folders are read before the first visitor comes; what fails here is reported, and tried again later. */
async function firstPasses(list: readonly ConfiguredFeed[], service: Service, tell: Tell, io: Io): Promise<void> {
  for (const feed of list.filter(({ local }) => local)) {
    const status = await visit(feed, {
      ...visiting(io),
      ingest: service.ingest,
      failures: 0,
      waitMs: () => 0,
    });
    io.signal.throwIfAborted();
    tell(status, feedName(feed));
  }
}

interface Web {
  url: string;
  serving: Serving;
  /** Follows what other processes write, until stopped. */
  follow(): Promise<void>;
  close(): Promise<void>;
}

interface Served {
  catalogue: Catalogue;
  service: ReadService;
  republishing: Republishing | undefined;
}

async function openWeb(
  settings: Settings,
  { catalogue: { library, opened }, service, republishing }: Served,
  log: Logger,
  io: Io,
): Promise<Web> {
  const { baseUrl, port, host, cacheUrl, cacheBytes, gzip, rateLimit, trustedProxies, baseFromProxy } = settings;
  const { computeOnThreads, startServer } = await import('../../server/index.ts');
  const options = {
    ...(await openBrand(settings)),
    library,
    port,
    host,
    cacheUrl,
    secret: service.secret,
    cacheBytes,
    rateLimit,
    trustedProxies,
    forwardedBase: baseFromProxy && baseUrl === undefined,
    gzip: gzip === 'auto',
    fingerprint: opened.options.rendering,
    log,
    rpde: republishing?.site,
    now: io.now,
    computing: (given: ComputingOptions) => computeOnThreads(opened, given),
  };
  const server = await listening(startServer({ ...options, ...(baseUrl !== undefined && { baseUrl }) }), host, port);
  const follow = () => every(LIMITS.followMs, () => library.poll(), log, io);
  return { url: server.url, serving: server.serving, follow, close: server.close };
}

function addresses(url: string, republished: boolean): string {
  const rows: [string, string][] = [
    [`${url}/`, 'find what is on, and subscribe'],
    [`${url}/api/series`, 'the same as JSON'],
    ...(republished ? [[`${url}/rpde/`, 'the same as clean feeds'] satisfies [string, string]] : []),
  ];
  return `openactive-ical ${version} is ready:\n${columns(rows)}`;
}

/** The harvester and the day that rolls on; ends when stopped. */
async function work(settings: Settings, feeds: Feeds, service: Service, { log, tell }: Telling, io: Io): Promise<void> {
  const { pollSeconds, idlePollSeconds, folderPollSeconds } = settings;
  const seconds = (feed: Feed, remote: number) => ((feed as ConfiguredFeed).local ? folderPollSeconds : remote);
  const roster = rosterOf(feeds, service.store, log, io.signal, () => tellLeftOver(feeds, service, log));
  await Promise.all([
    keepRoster(roster, {
      ...visiting(io),
      ingest: service.ingest,
      pollMs: (feed) => 1000 * seconds(feed, pollSeconds),
      idleMs: (feed) => 1000 * seconds(feed, idlePollSeconds),
      onStatus: (status, feed) => tell(status, feedName(feed)),
    }),
    every(LIMITS.rollMs, () => service.roll(), log, io),
  ]);
}

async function republish(republishing: Republishing | undefined, log: Logger, io: Io): Promise<void> {
  if (republishing !== undefined) await every(LIMITS.followMs, () => republishing.follow(), log, io);
}

/** Does something now and again until stopped; a failure is logged once until it changes, and the next turn comes all the same. */
async function every(ms: number, turn: () => Promise<unknown>, log: Logger, io: Io): Promise<void> {
  let message: string | undefined;
  while (!io.signal.aborted) {
    try {
      await turn();
      message = undefined;
    } catch (error) {
      const words = messageOf(error);
      if (words !== message) log.error({ error: words }, 'A regular task failed.');
      message = words;
    }
    await sleep(ms, io.signal).catch(() => {});
  }
}
