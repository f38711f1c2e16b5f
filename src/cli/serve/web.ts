/** Opens the server of calendars, pages and JSON. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Settings } from '../../config.ts';
import { ConfigError, messageOf } from '../../errors.ts';
import { createClient, createHostQueue, octetsAt } from '../../fetch/index.ts';
import { LIMITS } from '../../limits.ts';
import { unlessStopped } from '../../process/stopping.ts';
import type { ComputingOptions, ImageSource, Serving } from '../../server/index.ts';
import { columns } from '../args.ts';
import type { Republishing } from '../feeds/republish.ts';
import type { Io } from '../io.ts';
import { userAgent, version } from '../package.ts';
import { calendarTrial } from '../trial/trial.ts';
import type { Catalogue } from './catalogue.ts';
import { every } from './every.ts';
import type { ReadService } from './service.ts';
import { listening } from './waiting.ts';

export interface Web {
  url: string;
  serving: Serving;
  /** Writes the addresses to standard output, once the admin address is open too. */
  writeAddresses(): Promise<void>;
  /** Follows what other processes write, until stopped. */
  follow(): Promise<void>;
  close(): Promise<void>;
}

interface Served {
  catalogue: Catalogue;
  service: ReadService;
  republishing: Republishing | undefined;
}

/** Opens the server, which listens from then on. */
export async function openWeb(
  settings: Settings,
  { catalogue: { library, opened }, service, republishing }: Served,
  log: Logger,
  io: Io,
): Promise<Web> {
  const { baseUrl, port, host, cacheUrl, cacheBytes, gzip, rateLimit, trustedProxies, baseFromProxy, davLogin } =
    settings;
  const { computeOnThreads, startServer } = await import('../../server/index.ts');
  const options = {
    ...(await openBrand(settings)),
    library,
    images: imageSource(settings, io),
    publishing: calendarTrial(settings, io),
    port,
    host,
    cacheUrl,
    secret: service.secret,
    cacheBytes,
    rateLimit,
    trustedProxies,
    forwardedBase: baseFromProxy && baseUrl === undefined,
    davLogin,
    gzip: gzip === 'auto',
    fingerprint: opened.options.rendering,
    log,
    rpde: republishing?.site,
    now: io.now,
    computing: (given: ComputingOptions) => computeOnThreads(opened, given),
  };
  const server = await listening(startServer({ ...options, ...(baseUrl !== undefined && { baseUrl }) }), host, port);
  const writeAddresses = async () => io.stdout(addresses(server.url, settings.republish));
  const follow = () =>
    every(
      { task: 'to follow the database', ms: LIMITS.followMs, turn: () => unlessStopped(library.poll(), io.signal) },
      log,
      io,
    );
  return { url: server.url, serving: server.serving, writeAddresses, follow, close: server.close };
}

function addresses(url: string, republished: boolean): string {
  const rows: [string, string][] = [
    [`${url}/`, 'find what is on, and subscribe'],
    [`${url}/api/series`, 'the same as JSON'],
    ...(republished ? [[`${url}/rpde/`, 'the same as clean feeds'] satisfies [string, string]] : []),
  ];
  return `openactive-ical ${version} is ready:\n${columns(rows)}`;
}

/** The most octets of a logo. */
const MOST_BYTES = 200_000;

/**
 * The brand as pages show it, with the octets of its logo.
 * @throws ConfigError where the logo cannot be read, or is neither SVG nor PNG
 */
async function openBrand({ brand: { logo: file, ...given }, defaultTimezone: zone }: Settings) {
  const brand = { ...given, zone };
  if (file === undefined) return { brand };
  const { logoOf } = await import('../../server/index.ts');
  try {
    const bytes = new Uint8Array(await readFile(file));
    if (bytes.length > MOST_BYTES) throw new Error(`it has more than ${MOST_BYTES} bytes`);
    const { logo, shown } = logoOf(bytes);
    return { brand: { ...brand, logo: shown }, logo };
  } catch (error) {
    throw new ConfigError([`brand.logo is ${JSON.stringify(file)}: ${messageOf(error)}`]);
  }
}

const ACCEPT = 'image/avif, image/webp, image/png, image/jpeg, image/gif';
/** Requests at a time to one host. */
const AT_ONCE = 2;

/**
 * The source of publishers' images: a guarded client without named origins, so that each address must be public. Undefined:
 * the settings turn images off.
 */
function imageSource({ images, data, allowPrivate, contact }: Settings, io: Pick<Io, 'now'>): ImageSource | undefined {
  if (!images) return undefined;
  const limits = { totalMs: LIMITS.imageMs };
  const client = createClient({ userAgent: userAgent(contact), allowPrivate, now: io.now, limits });
  const queue = createHostQueue({ atOnce: AT_ONCE, placeMs: LIMITS.imageMs });
  return {
    folder: join(data, 'images'),
    download: (url, bytes) => queue.run(new URL(url).host, () => octetsAt(client, url, { bytes, accept: ACCEPT })),
    close: () => client.close(),
  };
}
