/** `serve`: harvests for ever, and serves calendars, pages and JSON. */

import type { Logger } from 'pino';
import type { Settings } from '../../config.ts';
import { messageOf, StoppedError, StoreError, UsageError } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { databaseAt } from '../../store/index.ts';
import { defineCommand } from '../args.ts';
import { feedActions } from '../feeds/actions.ts';
import { type Feeds, openFeeds } from '../feeds/configured.ts';
import { openRepublishing, type Republishing } from '../feeds/republish.ts';
import { announceVersions, openSharedVersions, type VersionsCache } from '../feeds/shared-versions.ts';
import type { HarvesterMessage, Io } from '../io.ts';
import { checkAdmin, openAdmin } from '../serve/admin.ts';
import { type Catalogue, keepRendering, openCatalogue } from '../serve/catalogue.ts';
import { checkInTurn, checkWhole, every } from '../serve/every.ts';
import { Harvest } from '../serve/harvest.ts';
import { cloneableTrouble, type Harvester, hostHarvester } from '../serve/harvester.ts';
import { createLog } from '../serve/log.ts';
import type { ReadService, Service, ServiceListeners } from '../serve/service.ts';
import { useKeptVocabularies } from '../serve/vocabularies.ts';
import { untilReadable } from '../serve/waiting.ts';
import { openWeb, type Web } from '../serve/web.ts';
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

/** The flags, with `--harvest-port` in place of a missing `--admin-port`. */
function withFormer(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { ...values, 'admin-port': values['admin-port'] ?? values['harvest-port'] };
}

/** Runs until the signal of `io` aborts; then closes everything in an order that loses nothing. */
async function serve(settings: Settings, feeds: Feeds, io: Io): Promise<void> {
  const run = new Run(settings, feeds, io);
  try {
    await run.untilStopped();
  } catch (error) {
    if (!(error instanceof StoppedError)) throw error;
  } finally {
    await run.close();
  }
}

/** One run of `serve`, with all that it has opened. */
class Run {
  readonly #given: Settings;
  /** The settings with the role of this process. */
  readonly #settings: Settings;
  readonly #feeds: Feeds;
  readonly #io: Io;
  readonly #log: Logger;
  /** Starts the harvester; undefined: this process harvests itself, or none harvests. */
  readonly #fork: Io['fork'];
  #service: ReadService | undefined;
  /** The service of a process that writes; undefined: this one only reads. */
  #writing: Service | undefined;
  #catalogue: Catalogue | undefined;
  #versions: VersionsCache | undefined;
  #harvester: Harvester | undefined;
  #harvest: Harvest | undefined;
  #republishing: Republishing | undefined;
  #notices: HarvesterMessage['notices'];

  constructor(given: Settings, feeds: Feeds, io: Io) {
    this.#given = given;
    this.#feeds = feeds;
    this.#io = io;
    this.#log = createLog(given, io);
    this.#fork = given.role === 'all' ? io.fork : undefined;
    this.#settings = { ...given, role: io.parent ? 'harvest' : this.#fork ? 'web' : given.role };
  }

  /** @throws StoppedError, StoreError, ConfigError, ListenError */
  async untilStopped(): Promise<void> {
    const { role } = this.#settings;
    const { service, writing } = await this.#openStore();
    if (role === 'harvest' && writing && !this.#io.parent) await keepRendering(this.#settings, writing, this.#io);
    const catalogue = role === 'harvest' ? undefined : await this.#openCatalogue(service, writing);
    if (this.#fork && catalogue) await this.#startHarvester(this.#fork, catalogue, service);
    if (role !== 'web' && writing) await this.#beginHarvest(writing);
    if (catalogue) await this.#openRepublishing(service);
    this.#sendReady(service);
    const web = catalogue && (await this.#openWeb(service, catalogue));
    await this.#work(service, web);
  }

  /** Closes the harvester first, as it writes into the store. The turn of harvesting ends when the store is closed. */
  async close(): Promise<void> {
    const { underWay } = this.#io;
    try {
      if (this.#harvester !== undefined) await underWay.during('the harvester', this.#harvester.close());
    } finally {
      try {
        const republished = Promise.all([this.#republishing?.close(), this.#harvest?.close()]);
        await Promise.all([
          underWay.during('connections to publishers', this.#feeds.close()),
          underWay.during('the pages at /rpde/', republished),
          underWay.during('the store', Promise.resolve(this.#service?.close())),
        ]);
      } finally {
        this.#versions?.close();
        this.#harvest?.endTurn();
      }
    }
  }

  /** Opens the store. `writing`: the same service, unless this process only reads. */
  async #openStore(): Promise<{ service: ReadService; writing: Service | undefined }> {
    const [settings, io] = [this.#settings, this.#io];
    const isReader = this.#given.role === 'web';
    if (isReader) await untilReadable(settings, this.#log, io);
    const { openReadService, openService } = await import('../serve/service.ts');
    const writing = isReader ? undefined : await openService(settings, this.#feeds, io, this.#listeners());
    const service = writing ?? (await openReadService(settings, this.#listeners(), this.#log, io));
    this.#service = service;
    this.#writing = writing;
    this.#versions = await openSharedVersions(this.#given, service.secret, this.#log, io);
    return { service, writing };
  }

  #listeners(): ServiceListeners {
    const [log, { parent }] = [this.#log, this.#io];
    return {
      onChange: (keys) => {
        this.#catalogue?.library.notify(keys);
        this.#send({ changed: true });
      },
      onTrouble: (_trouble, error) => {
        if (parent) this.#send({ trouble: cloneableTrouble(error) });
        else logTrouble(log, error);
      },
      onTightened: (files) =>
        log.warn({ files }, 'Others could read the database: its files are for their owner alone now.'),
    };
  }

  /** Sends a message to the process that started this one. */
  #send(message: Omit<HarvesterMessage, 'writes' | 'retries'>): void {
    const [writes, retries] = [this.#service?.writes() ?? 0, this.#service?.retries() ?? 0];
    this.#io.parent?.send({ ...message, writes, retries });
  }

  /** Reports this process as ready, with the trouble of the store or its absence: an earlier harvester may have died of one. */
  #sendReady({ store }: ReadService): void {
    const trouble = cloneableTrouble(store.troubles.lastMet);
    this.#send({ ready: true, trouble, ...(this.#harvest?.waits && { waits: true }) });
  }

  async #openCatalogue(service: ReadService, writing: Service | undefined): Promise<Catalogue> {
    const [settings, log, io] = [this.#settings, this.#log, this.#io];
    const versions = async () => this.#versions?.get();
    this.#catalogue = await openCatalogue({ settings, service, writing, facts: this.#facts, versions, log, io });
    return this.#catalogue;
  }

  /** Checks the database for damage: an embedded one in each process but a child, a shared one in one that harvests. */
  #check({ store }: ReadService): Promise<void> | undefined {
    const [log, io] = [this.#log, this.#io];
    const task = 'to read the database for damage';
    if (databaseAt(this.#given).isEmbedded)
      return io.parent ? undefined : every({ task, ms: LIMITS.checkMs, turn: () => checkWhole(store, io) }, log, io);
    const writing = this.#harvest && this.#writing?.store;
    return writing && every({ task, ms: LIMITS.checkDueMs, turn: () => checkInTurn(writing, io) }, log, io);
  }

  /** Announces versions through the cache, or to the parent where there is none. */
  #announce({ store: { read } }: ReadService): Promise<void> | undefined {
    const cache =
      this.#versions ?? (this.#io.parent && { put: async (value, ms) => this.#send({ versions: { value, ms } }) });
    return this.#harvest && cache && announceVersions(read, cache, this.#log, this.#io);
  }

  readonly #facts = (): Record<string, string | number> => this.#harvester?.facts() ?? {};

  async #startHarvester(fork: NonNullable<Io['fork']>, catalogue: Catalogue, service: ReadService): Promise<void> {
    const onMessage = (message: HarvesterMessage) => {
      if (message.versions) void this.#versions?.put(message.versions.value, message.versions.ms);
      takeMessage(message, catalogue, service);
    };
    this.#harvester = hostHarvester({ settings: this.#given, fork, onMessage, log: this.#log, io: this.#io });
    await this.#harvester.ready;
    // The harvester may have begun a rebuild with newer vocabularies.
    await useKeptVocabularies(service.store);
    this.#io.signal.throwIfAborted();
  }

  async #beginHarvest(service: Service): Promise<void> {
    const [settings, feeds, log, io] = [this.#settings, this.#feeds, this.#log, this.#io];
    const onTurn = () => this.#sendReady(service);
    const onNotices = (notices: NonNullable<HarvesterMessage['notices']>) => {
      this.#notices = notices;
      this.#send({ notices });
    };
    this.#harvest = await Harvest.open({ settings, feeds, service, log, io, onTurn, onNotices });
    await this.#harvest.begin();
  }

  async #openRepublishing({ store }: ReadService): Promise<void> {
    const readOnly = this.#given.role === 'web';
    const how = { harvests: false, readOnly };
    this.#republishing = await openRepublishing(this.#settings, store.read, this.#io.now, how);
  }

  #openWeb(service: ReadService, catalogue: Catalogue): Promise<Web> {
    return openWeb(this.#settings, { catalogue, service, republishing: this.#republishing }, this.#log, this.#io);
  }

  /** Runs all tasks until stopped; each ends with nothing half done. */
  async #work(service: ReadService, web: Web | undefined): Promise<void> {
    const [log, io] = [this.#log, this.#io];
    const isChild = io.parent !== undefined;
    const writes = () => this.#harvester?.writes() ?? service.writes();
    const retries = () => this.#harvester?.retries() ?? service.retries();
    const notices = () => this.#harvester?.notices() ?? this.#notices;
    const actions = this.#writing && feedActions(this.#writing, log, io);
    const administered = { service, serving: web?.serving, writes, retries, notices, facts: this.#facts, actions };
    const opening = isChild ? Promise.resolve(undefined) : openAdmin(this.#settings, administered, log, io);
    const admin = await opening.catch(async (error: unknown) => {
      await web?.close();
      throw error;
    });
    let closed: Promise<unknown> | undefined;
    const close = () => {
      closed ??= io.underWay.during('requests of callers', Promise.all([web?.close(), admin?.close()]));
      return closed;
    };
    // Connections are closed at once, while other tasks still end.
    io.signal.addEventListener('abort', () => void close().catch(() => {}), { once: true });
    try {
      await web?.writeAddresses();
      await Promise.all([this.#harvest?.run(), this.#announce(service), web?.follow(), this.#check(service)]);
    } finally {
      await close();
    }
  }
}

/** Logs a fault of the store once, until it changes. */
function logTrouble(log: Logger, error: Error | undefined): void {
  if (error === undefined) log.info({}, 'The store is well again.');
  else log.error({ error: messageOf(error) }, 'The store needs help; calendars in memory go on being served.');
}

function takeMessage(
  { changed, trouble }: HarvesterMessage,
  { library }: Catalogue,
  { store: { troubles } }: ReadService,
): void {
  // Where this fails, the next regular poll of the store fails too, and is logged.
  if (changed) void library.poll().catch(() => {});
  if (trouble === 'over') troubles.noteWrite();
  else if (trouble !== undefined) troubles.met(new StoreError(trouble.message, trouble));
}
