import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { createApp } from './app.ts';
import { CalendarCache } from './cache.ts';
import { heldResponse } from './calendars.ts';
import { etagHash } from './entry.ts';
import type { Library, StoredCalendar } from './library.ts';
import { addressOf, closeServer, listen, webServer } from './listen.ts';
import { type Log, silent } from './log.ts';
import { renderCalendar } from './render.ts';
import type { Rpde } from './rpde.ts';
import { redisLevel, type SecondLevel } from './second-level.ts';

export type { Library } from './library.ts';
export type { Log } from './log.ts';
export type { Rpde } from './rpde.ts';

export interface ServerOptions {
  library: Library;
  /** 0: any free port. */
  port: number;
  /** Address of this machine to listen on. */
  host: string;
  /** http(s) address under which people reach the service; default: where it listens. A path is one that a proxy strips. */
  baseUrl?: string | undefined;
  /** redis:// or valkey:// of a cache that several processes share. */
  cacheUrl?: string | undefined;
  /** The store's key, by which its processes know what they gave each other through that cache. */
  secret?: string | undefined;
  /** Bytes of rendered calendars held in memory. */
  cacheBytes?: number | undefined;
  /**
   * Stands for everything but stored data that shapes a calendar's bytes: version, settings. Calendars that another
   * fingerprint put into the shared cache are not used. The version of the time zone data is added here.
   */
  fingerprint?: string | undefined;
  /** Compress calendars for those who ask; default true. */
  gzip?: boolean | undefined;
  log?: Log | undefined;
  /** Transactions of this process, for `/metrics`. */
  writes?: (() => number) | undefined;
  /** Feeds published beside the calendars. */
  rpde?: ((base: string) => Rpde) | undefined;
  render?: ((stored: StoredCalendar) => string) | undefined;
}

export interface RunningServer {
  /** The base address: the one configured, or where it listens. */
  url: string;
  /** Stops listening, lets running requests end, cuts off what is left after ten seconds. */
  close(): Promise<void>;
}

const CACHE_BYTES = 64 * 1024 * 1024;

/** Listens and serves. Rejects if the port cannot be had or the base address is not http(s). */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { library, log = silent, gzip = true } = options;
  const cache = new CalendarCache({
    library,
    log,
    render: options.render ?? renderCalendar,
    limitBytes: options.cacheBytes ?? CACHE_BYTES,
    second: sharedCache(options, log),
  });
  const server = webServer();
  const close = async () => {
    await closeServer(server);
    await cache.close();
  };
  try {
    await listen(server, options.port, options.host);
    const url = options.baseUrl ?? addressOf(server, options.host);
    const rpde = options.rpde?.(url.replace(/\/+$/, ''));
    const { writes } = options;
    const app = createApp({ library, cache, baseUrl: url, log, gzip, writes, ...(rpde && { rpde }) });
    const serve = (request: Request, env: HttpBindings) =>
      heldResponse(env.incoming, { cache, gzip }) ??
      cache.meters.answered(env.incoming.url ?? '', app.fetch(request, env));
    // `hostname` for requests of HTTP/1.0 without Host; links never depend on it.
    const listener = getRequestListener((request, env) => serve(request, env as HttpBindings), {
      hostname: 'localhost',
    });
    server.on('request', (incoming, outgoing) => void listener(incoming, outgoing));
    return { url: url.replace(/\/+$/, ''), close };
  } catch (error) {
    await close();
    throw error;
  }
}

function sharedCache({ cacheUrl, secret, ...options }: ServerOptions, log: Log): SecondLevel | undefined {
  if (cacheUrl === undefined || secret === undefined) return undefined;
  return redisLevel(cacheUrl, { fingerprint: fingerprint(options.fingerprint), secret }, log);
}

/** VTIMEZONEs are written from the runtime's zone data, so its version is part of what shapes the bytes. */
function fingerprint(given = ''): string {
  return etagHash(new TextEncoder().encode(`${given}\n${process.versions.tz}`));
}
