/** Harvests for ever: in one process of an embedded database, or in those that share a PostgreSQL. */

import type { Logger } from 'pino';
import type { Settings } from '../../config.ts';
import { messageOf, publicUrl } from '../../errors.ts';
import { createClient } from '../../fetch/index.ts';
import { type Feed, type FeedStatus, harvestList, type NoticeCounts, Notifier, visit } from '../../harvest/index.ts';
import { LIMITS } from '../../limits.ts';
import { yieldToEventLoop } from '../../process/event-loop.ts';
import { sleep } from '../../process/stopping.ts';
import type { FeedState, Store } from '../../store/index.ts';
import { type Feeds, feedName, visiting } from '../feeds/configured.ts';
import type { ConfiguredFeed } from '../feeds/discovered.ts';
import { feedListOf, retireLeftOver } from '../feeds/feed-list.ts';
import { feedLogger } from '../feeds/feed-log.ts';
import { openRepublishing, type Republishing } from '../feeds/republish.ts';
import type { Io } from '../io.ts';
import { userAgent } from '../package.ts';
import { every } from './every.ts';
import { type HarvestTurn, harvestTurn } from './harvest-turn.ts';
import type { Service } from './service.ts';
import { followVocabularies } from './vocabularies.ts';

interface Harvested {
  settings: Settings;
  feeds: Feeds;
  service: Service;
  log: Logger;
  io: Io;
  /** Called when this process begins to harvest, because the other one has ended. */
  onTurn(): void;
  /** Called with the counts of messages to the webhook. */
  onNotices(counts: Readonly<NoticeCounts>): void;
}

/** The harvesting of this process, once it has the turn. */
export class Harvest {
  readonly #of: Harvested;
  readonly #turn: HarvestTurn;
  readonly #logVisit: ReturnType<typeof feedLogger>;
  readonly #notifying: Notifying | undefined;
  #republishing: Republishing | undefined;
  #rebuilds = false;
  /** Renews leases; never rejects. */
  #sharing: Promise<void> | undefined;

  private constructor(of: Harvested, turn: HarvestTurn) {
    this.#of = of;
    this.#turn = turn;
    this.#logVisit = feedLogger(of.log);
    this.#notifying = openNotifier({ ...of, store: of.service.store, onCounts: of.onNotices });
  }

  /** Takes the turn, if no other process has it. @throws StoreError */
  static async open(of: Harvested): Promise<Harvest> {
    return new Harvest(of, await harvestTurn(of.settings, of.service.store, of.io.now));
  }

  /** Whether another process harvests. */
  get waits(): boolean {
    return !this.#turn.isOurs();
  }

  /** Begins before the server opens: reads folders and registers feeds, or logs the process that harvests. */
  async begin(): Promise<void> {
    if (this.waits) return this.#logOther();
    const { settings, feeds, service, log, io } = this.#of;
    this.#rebuilds = await service.beginRebuild();
    if (this.#rebuilds)
      log.info('What is stored is read again from the raw data, beside all else; the old is served meanwhile.');
    const { share, store } = service;
    const lease = share && (() => share.duty('republished feeds'));
    this.#republishing = await openRepublishing(settings, store.read, io.now, { harvests: true, lease });
    // The last content of dataset sites is enough to start with.
    await feeds.discover('none', service.store);
    await service.registerFeeds();
    if (feeds.wait() === undefined) await this.#logLeftOver();
    await service.share?.renew(io.now(), log);
    this.#sharing = service.share?.keep(log, io);
    await this.#firstPasses();
  }

  /** Harvests until stopped; waits for the end of another process that harvests. @throws StoppedError */
  async run(): Promise<void> {
    const { log, io, onTurn } = this.#of;
    if (this.waits) {
      await this.#turn.wait(io.signal);
      log.info('The process that harvested has ended: this one harvests now.');
      await this.begin();
      onTurn();
    }
    await Promise.all([
      this.#sharing,
      this.#notifying?.notifier.run(),
      this.#rebuild(),
      this.#visits(),
      this.#roll(),
      this.#forget(),
      this.#republish(),
      this.#vocabularies(),
    ]);
  }

  /** Closes the log of republished feeds, and connections to the webhook. The turn ends later, after the store is closed. */
  async close(): Promise<void> {
    await Promise.all([this.#republishing?.close(), this.#notifying?.close()]);
  }

  endTurn(): void {
    this.#turn.end();
  }

  /** Reads folders before the server opens. A failure is reported, and the folder is read again later. */
  async #firstPasses(): Promise<void> {
    const { feeds, service, io } = this.#of;
    for (const feed of feeds.list.filter(({ local }) => local)) {
      if (service.share?.beginReading(feed) === false) continue;
      const before = await service.ingest.state(feed.source.url).catch(() => undefined);
      const status = await visit(feed, { ...visiting(io), ingest: service.ingest, failures: 0, waitMs: () => 0 });
      io.signal.throwIfAborted();
      this.#visitEnded(status, feed, before?.state);
      await service.share?.endReading([feed]);
    }
  }

  async #visits(): Promise<void> {
    const { settings, feeds, service, log, io } = this.#of;
    const { pollSeconds, idlePollSeconds, folderPollSeconds } = settings;
    const seconds = (feed: Feed, remote: number) => ((feed as ConfiguredFeed).local ? folderPollSeconds : remote);
    const feedList = feedListOf({
      feeds,
      store: service.store,
      log,
      signal: io.signal,
      first: () => this.#logLeftOver(),
    });
    await harvestList(service.share?.feedList(feedList) ?? feedList, {
      ...visiting(io),
      ingest: service.ingest,
      pollMs: (feed) => 1000 * seconds(feed, pollSeconds),
      idleMs: (feed) => 1000 * seconds(feed, idlePollSeconds),
      onStatus: (status, feed, was) => this.#visitEnded(status, feed, was),
    });
  }

  #visitEnded(status: FeedStatus, feed: Feed, was: FeedState['state'] | undefined): void {
    // Another process has the feed by now, and logs its state.
    if (this.#of.service.share?.reads(feed) === false) return;
    this.#logVisit(status, feedName(feed), was);
    this.#notifying?.notifier.visitEnded(feed.source.url, status);
  }

  #roll(): Promise<void> {
    const { service, log, io } = this.#of;
    return every({ task: 'to move on to the next day', ms: LIMITS.rollMs, turn: () => service.roll() }, log, io);
  }

  /** Removes feeds that an operator had forgotten while this process runs. */
  #forget(): Promise<void> {
    const { service, log, io } = this.#of;
    return every({ task: 'to forget feeds', ms: LIMITS.followMs, turn: () => service.forget() }, log, io);
  }

  /** Rebuilds slice by slice, with pages of feeds in between. A failed slice is tried again. */
  async #rebuild(): Promise<void> {
    const { service, log, io } = this.#of;
    while (this.#rebuilds && !io.signal.aborted) {
      try {
        this.#rebuilds = await service.rebuildSlice();
        if (!this.#rebuilds) log.info('What is stored was read again from the raw data.');
      } catch (error) {
        log.error({ error: messageOf(error) }, 'What is stored could not be read again: it is tried later.');
        await sleep(LIMITS.restartMaxMs, io.signal).catch(() => {});
      }
      await yieldToEventLoop();
    }
  }

  #vocabularies(): Promise<void> {
    const { settings, service, log, io } = this.#of;
    return followVocabularies(settings, service.store, log, io);
  }

  async #republish(): Promise<void> {
    const [republishing, { log, io }] = [this.#republishing, this.#of];
    if (republishing === undefined) return;
    await every({ task: 'to publish anew', ms: LIMITS.followMs, turn: () => republishing.follow() }, log, io);
  }

  /** Logs that another process harvests. */
  async #logOther(): Promise<void> {
    this.#of.log.warn(
      { ...(await this.#turn.other()) },
      'Another process harvests this store: this one serves, and harvests when that one ends.',
    );
  }

  /** Logs feeds of earlier settings, whose data is still served. */
  async #logLeftOver(): Promise<void> {
    const { feeds, service, log } = this.#of;
    const left = await retireLeftOver(feeds, service.store);
    if (left.length === 0) return;
    const shown = left.slice(0, 5).map(({ url }) => (/^https?:/i.test(url) ? publicUrl(url) : url));
    log.warn({ count: left.length, feeds: shown }, 'Feeds of earlier settings are still served, and no longer read.');
  }
}

interface Notifying {
  notifier: Notifier;
  close(): Promise<void>;
}

interface NotifyingOptions extends Pick<Harvested, 'settings' | 'log' | 'io'> {
  store: Store;
  onCounts(counts: Readonly<NoticeCounts>): void;
}

/** Opens the notifier; undefined: the settings name no webhook. */
function openNotifier({ settings, store, log, io, onCounts }: NotifyingOptions): Notifying | undefined {
  const { notifyUrl: url, baseUrl: service, allowPrivate, contact } = settings;
  const { now, signal } = io;
  if (url === undefined) return undefined;
  const limits = { totalMs: LIMITS.notifyMs };
  const client = createClient({ userAgent: userAgent(contact), named: [url], allowPrivate, now, limits });
  let last: string | undefined;
  const notifier = new Notifier({
    url,
    service,
    store,
    client,
    now,
    sleep,
    random: Math.random,
    signal,
    onTry: (counts, failure) => {
      onCounts(counts);
      // The same error again is counted, and not logged.
      if (failure !== undefined && failure.error !== last) {
        const { error, wait, feeds } = failure;
        const nextTrySeconds = Math.round(wait / 1000);
        log.warn({ error, feeds, nextTrySeconds }, 'The webhook (notifyUrl) took no message: it is tried again.');
      }
      if (failure === undefined && last !== undefined) log.info('The webhook (notifyUrl) takes messages again.');
      last = failure?.error;
    },
  });
  return { notifier, close: () => client.close() };
}
