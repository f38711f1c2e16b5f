/** Opens the library of a process that serves, over a store that it writes or only reads. */

import type { Logger } from 'pino';
import type { Settings } from '../../config.ts';
import { parseHolidays } from '../../hours/holidays.ts';
import type { Epoch, Health, LibraryOptions, StoredLibrary } from '../../library/index.ts';
import type { ThreadLibrary } from '../../server/index.ts';
import type { StoreVersions } from '../../store/index.ts';
import type { Io } from '../io.ts';
import { version } from '../package.ts';
import type { ReadService, Service } from './service.ts';

/** The library, and the options by which a thread opens it too. */
export interface Catalogue {
  library: StoredLibrary;
  opened: ThreadLibrary;
}

interface Opening {
  settings: Settings;
  service: ReadService;
  /** The service of a process that writes. */
  writing: Service | undefined;
  facts(): NonNullable<Health['facts']>;
  /** The newest versions, by a cache. */
  versions(): Promise<StoreVersions | undefined>;
  log: Logger;
  io: Io;
}

/** Opens the library, before harvesting begins: opening may write, and would wait for a transaction. */
export async function openCatalogue({
  settings,
  service,
  writing,
  facts,
  versions,
  log,
  io,
}: Opening): Promise<Catalogue> {
  const { libraryOver, openLibrary } = await import('../../library/index.ts');
  const options = libraryOptions(settings, service);
  const more: LibraryOptions = { ...options, facts, versions, now: io.now };
  const library = writing
    ? await openLibrary(writing.store, more)
    : libraryOver(service.store, more, await epochOf(service, options.rendering, log, io), { lists: service.lists });
  const { data, databaseUrl } = settings;
  return { library, opened: { store: { data, databaseUrl }, options, epoch: library.epoch } };
}

/** Stores the fingerprint of rendering in a harvester, for servers that write nothing. */
export async function keepRendering(settings: Settings, service: Service, io: Io): Promise<void> {
  const { currentEpoch } = await import('../../library/index.ts');
  const { rendering } = libraryOptions(settings, service);
  await currentEpoch(service.store, { rendering, now: io.now });
}

/** The epoch of rendering that all servers share: the stored one, or a new one, where this process can store it. */
async function epochOf({ store, lists }: ReadService, rendering: string, log: Logger, io: Io): Promise<Epoch> {
  const { currentEpoch, readEpoch } = await import('../../library/index.ts');
  const how = { rendering, now: io.now };
  const { epoch, isKept } = await readEpoch(store.read, how);
  if (isKept) return epoch;
  if (epoch.count > 0)
    log.warn(
      'What harvests has other settings or another release than what serves: give both the same, or Last-Modified moves with each start.',
    );
  return (await (lists && currentEpoch(lists, how).catch(() => undefined))) ?? epoch;
}

function libraryOptions(
  { baseUrl, baseFromProxy, port, host, horizonDays, ...settings }: Settings,
  { compose }: ReadService,
) {
  // The library writes addresses of calendars, so that it needs the base before the port is open.
  // A calendar is rendered once for all names of the server: with an unknown base it has no address in it.
  const isUnknown = baseFromProxy || port === 0;
  const base = (baseUrl ?? (isUnknown ? undefined : localBase(host, port)))?.replace(/\/+$/, '');
  const holidays = parseHolidays(settings.holidays);
  const rendering = JSON.stringify([version, process.versions.tz, base, holidays, compose]);
  return { compose, horizonDays, holidays, rendering, ...(base !== undefined && { baseUrl: base }) };
}

/** The base address for a browser on this machine. */
function localBase(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
