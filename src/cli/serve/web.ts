/** What callers reach: calendars, pages and JSON. */

import type { Logger } from 'pino';
import type { Settings } from '../../config.ts';
import { LIMITS } from '../../limits.ts';
import { unlessStopped } from '../../process/stopping.ts';
import type { ComputingOptions, Serving } from '../../server/index.ts';
import { columns } from '../args.ts';
import type { Republishing } from '../feeds/republish.ts';
import type { Io } from '../io.ts';
import { version } from '../package.ts';
import { calendarTrial } from '../trial/trial.ts';
import { openBrand } from './brand.ts';
import type { Catalogue } from './catalogue.ts';
import { every } from './every.ts';
import { imageSource } from './images.ts';
import type { ReadService } from './service.ts';
import { listening } from './waiting.ts';

export interface Web {
  url: string;
  serving: Serving;
  /** Writes the addresses to standard output, once all else that callers reach is open too. */
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

/** Listens. */
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
