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
  /** The store's key, by which its processes know what they gave each other through that cache. */
  secret?: string | undefined;
  cacheBytes?: number | undefined;
  /**
   * Stands for everything but stored data that shapes a calendar's bytes: version, settings. Calendars that another
   * fingerprint put into the shared cache are not used. The version of the time zone data is added here.
   */
  fingerprint?: string | undefined;
  /** Compress calendars for those who ask; default true. */
  gzip?: boolean | undefined;
  log?: Log | undefined;
  rpde?: ((base: string) => Rpde) | undefined;
  /** Tries what a calendar would be published as, for `/publish`; absent: there is no such page. */
  publishing?: { trial: PublishTrial; close(): Promise<void> } | undefined;
  render?: Render | undefined;
  /** Makes what computes all that is not in memory; default: on this thread. */
  computing?: ((options: ComputingOptions) => Computing) | undefined;
  /** Requests a minute from one caller for what is computed; 0 or absent: any. */
  rateLimit?: number | undefined;
  /** Addresses and networks of proxies whose X-Forwarded-For is believed. */
  trustedProxies?: readonly string[] | undefined;
  /** The base address is what those proxies send in X-Forwarded-Proto and X-Forwarded-Host. */
  forwardedBase?: boolean | undefined;
  /** CalDAV asks for a name and a password, any of them. */
  davLogin?: boolean | undefined;
  /** Where images of publishers come from, and the folder that keeps them; absent: none are shown. */
  images?: ImageSource | undefined;
  brand?: Brand | undefined;
  logo?: Logo | undefined;
  connections?: ConnectionLimits | undefined;
  /** The clock, for questions that do not say when. */
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

const CACHE_BYTES = 64 * 1024 * 1024;
/** Pages and JSON get an eighth of the memory that calendars get, besides that. */
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

/** VTIMEZONEs are written from the runtime's zone data, so its version is part of what shapes the bytes. */
function fingerprint(given = ''): string {
  return etagHash(new TextEncoder().encode(`${given}\n${process.versions.tz}`));
}
