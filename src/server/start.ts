import type { IncomingMessage } from 'node:http';
import type { Library } from '../library/index.ts';
import { createApp } from './app.ts';
import { AnswerCache } from './cache/answer-cache.ts';
import { CalendarCache } from './cache/cache.ts';
import { redisLevel, type SecondLevel } from './cache/second-level.ts';
import { cachedResponse } from './calendars/calendars.ts';
import { etagHash } from './calendars/entry.ts';
import { type Render, renderCalendar } from './calendars/renderer.ts';
import { Callers } from './callers.ts';
import { type Computing, type ComputingOptions, computeHere } from './computing/computing.ts';
import { ImageCache } from './images/cache.ts';
import { type ImageOptions, Images } from './images/images.ts';
import { limiterOf } from './limiter.ts';
import { addressOf, answerOn, type ConnectionLimits, closeServer, listen, webServer } from './listen.ts';
import { type Log, silent } from './operations/log.ts';
import { Meters } from './operations/meters.ts';
import type { Serving } from './operations/metrics.ts';
import type { Logo } from './pages/frame/brand.ts';
import type { Brand } from './pages/frame/site.ts';
import type { PublishTrial } from './publishing/publishing.ts';
import type { Rpde } from './rpde/rpde.ts';

export type { Library } from '../library/index.ts';
export type { Log } from './operations/log.ts';
export type { Rpde } from './rpde/rpde.ts';

export interface ServerOptions {
  library: Library;
  /** 0: any free port. */
  port: number;
  host: string;
  /** http(s) address under which people reach the service; default: where it listens. A path is one that a proxy strips. */
  baseUrl?: string | undefined;
  /** redis:// or valkey:// of a cache that several processes share. */
  cacheUrl?: string | undefined;
  /** The key of the store, which authenticates values of its processes in that cache. */
  secret?: string | undefined;
  cacheBytes?: number | undefined;
  /**
   * A text of everything besides stored data that the octets of calendars depend on: version, settings. Calendars of another
   * fingerprint in the shared cache are not used. The version of the time zone data is added here.
   */
  fingerprint?: string | undefined;
  /** Whether calendars are compressed on request; default true. */
  gzip?: boolean | undefined;
  log?: Log | undefined;
  rpde?: ((base: string) => Rpde) | undefined;
  /** Tries the publishing of a calendar, for `/publish`; absent: there is no such page. */
  publishing?: { trial: PublishTrial; close(): Promise<void> } | undefined;
  render?: Render | undefined;
  /** Makes the computation of all answers that are not in memory; default: on this thread. */
  computing?: ((options: ComputingOptions) => Computing) | undefined;
  /** Most computed requests a minute of one caller; 0 or absent: no limit. */
  rateLimit?: number | undefined;
  /** Addresses and networks of proxies whose X-Forwarded-For is trusted. */
  trustedProxies?: readonly string[] | undefined;
  /** Whether those proxies send the base address, in X-Forwarded-Proto and X-Forwarded-Host. */
  forwardedBase?: boolean | undefined;
  /** CalDAV asks for a name and a password, any of them. */
  davLogin?: boolean | undefined;
  /** The source of publishers' images, and the folder that keeps them; absent: none are shown. */
  images?: ImageSource | undefined;
  brand?: Brand | undefined;
  logo?: Logo | undefined;
  connections?: ConnectionLimits | undefined;
  /** The clock, for requests without a time. */
  now?: (() => number) | undefined;
}

export interface ImageSource extends Pick<ImageOptions, 'download'> {
  folder: string | undefined;
  close(): Promise<void>;
}

export interface RunningServer {
  /** The base address: the one configured, or where it listens. */
  url: string;
  serving: Serving;
  /** Stops listening, lets running requests end, cuts off what is left after ten seconds. */
  close(): Promise<void>;
}

/** The default memory of calendars. */
const CACHE_BYTES = 64 * 1024 * 1024;
/** The memory of pages and JSON: an eighth of that of calendars, in addition to it. */
const ANSWERS_SHARE = 8;

/** Listens and serves. Rejects if the port cannot be had or the base address is not http(s). */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { library, log = silent, port, host } = options;
  const { rateLimit = 0, trustedProxies: proxies = [] } = options;
  const callers = new Callers(proxies);
  const server = webServer(options.connections, (address) => callers.isProxy(address));
  const closing = [() => closeServer(server)];
  const close = async () => {
    for (const end of closing) await end();
  };
  try {
    await listen(server, port, host);
    const url = (options.baseUrl ?? addressOf(server, host)).replace(/\/+$/, '');
    const { gzip = true, now = Date.now } = options;
    const meters = new Meters();
    const onTrouble = (error: Error) => void library.noteError(error);
    const { brand, logo } = options;
    const { images: source } = options;
    const images =
      source && new Images({ library, cache: new ImageCache(source.folder), download: source.download, log, now });
    if (source !== undefined) closing.push(source.close);
    if (options.publishing !== undefined) closing.push(options.publishing.close);
    const given = {
      baseUrl: url,
      brand,
      images: source && { folder: source.folder },
      gzip,
      meters,
      log,
      now,
      onTrouble,
    };
    const computing = options.computing?.(given) ?? computeHere(library, options.render ?? renderCalendar, given);
    closing.push(computing.close);
    const { renderer } = computing;
    const limitBytes = options.cacheBytes ?? CACHE_BYTES;
    const answers = new AnswerCache({ library, answer: computing.answer, limitBytes: limitBytes / ANSWERS_SHARE, now });
    closing.push(async () => answers.close());
    const second = sharedCache(options, log);
    const cache = new CalendarCache({ library, renderer, meters, log, limitBytes, now, second });
    closing.push(() => cache.close());
    const rpde = options.rpde?.(url);
    const limiter = rateLimit === 0 ? undefined : limiterOf(rateLimit, callers, log);
    const baseOf = options.forwardedBase ? (incoming: IncomingMessage) => callers.baseOf(incoming) : undefined;
    const { answer } = answers;
    const how = { library, cache, answer, limiter, images, baseUrl: url, baseOf, brand, logo, log, gzip };
    const { davLogin } = options;
    const publishing = options.publishing && { trial: options.publishing.trial, now };
    const app = createApp({ ...how, davLogin, publishing, ...(rpde && { rpde }) });
    const cached = { cache, gzip, touchList: (token: string) => library.lists?.touch(token) };
    answerOn(
      server,
      (request, env) =>
        cachedResponse(env.incoming, cached) ?? meters.countAnswer(env.incoming.url ?? '', app.fetch(request, env)),
    );
    const serving = { meters, cached: () => cache.size(), shared: () => cache.sharedCounts() };
    return { url, serving, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function sharedCache({ cacheUrl, secret, ...options }: ServerOptions, log: Log): SecondLevel | undefined {
  if (cacheUrl === undefined || secret === undefined) return undefined;
  return redisLevel(cacheUrl, fingerprint(options.fingerprint), secret, log);
}

/** The fingerprint with the version of the runtime's zone data, from which VTIMEZONEs are written. */
function fingerprint(given = ''): string {
  return etagHash(new TextEncoder().encode(`${given}\n${process.versions.tz}`));
}
