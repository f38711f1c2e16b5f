import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { json, problem } from './json.ts';
import type { Library } from './library.ts';
import { addressOf, closeServer, listen, webServer } from './listen.ts';
import type { Log } from './log.ts';
import { Metrics } from './metrics.ts';
import { reading } from './reading.ts';

/** What operators ask of a process: whether it lives, whether it is ready, and its numbers. */

type Operated = Pick<Library, 'feeds' | 'health'>;

/** `/healthz`, `/readyz`, `/metrics` */
export function mountOperations(
  app: Hono,
  { library, metrics, log }: { library: Operated; metrics: Metrics; log: Log },
): void {
  app.all('/metrics', (c) => reading(c, () => measured(metrics)));
  app.all('/healthz', (c) => reading(c, () => json({ status: 'ok', timezones: process.versions.tz }, 200, FRESH)));
  app.all('/readyz', (c) => reading(c, () => readiness(library, log)));
}

export interface OperationsOptions {
  library: Operated;
  /** 0: any free port. */
  port: number;
  /** Address of this machine to listen on. */
  host: string;
  log: Log;
  now(): number;
  /** Transactions of this process, for `/metrics`. */
  writes(): number;
}

/** Answers these alone, for a process that serves nothing else. Rejects if the port cannot be had. */
export async function startOperations(options: OperationsOptions): Promise<{ url: string; close(): Promise<void> }> {
  const { library, port, host, log, now, writes } = options;
  const metrics = new Metrics({ feeds: () => library.feeds(), writes, now, log });
  const app = new Hono();
  mountOperations(app, { library, metrics, log });
  app.notFound(() => problem(404, 'Not Found', 'This process harvests feeds; another one serves them.'));
  const server = webServer();
  await listen(server, port, host);
  const listener = getRequestListener((request) => app.fetch(request), { hostname: 'localhost' });
  server.on('request', (incoming, outgoing) => void listener(incoming, outgoing));
  return { url: addressOf(server, host), close: () => closeServer(server) };
}

const FRESH = { 'Cache-Control': 'no-store' };

/** 503 takes this process out of a load balancer; calendars it holds are served all the same. */
async function readiness(library: Operated, log: Log): Promise<Response> {
  try {
    const { ready, reason, facts } = await library.health();
    return json({ status: ready ? 'ready' : 'not ready', reason, ...facts }, ready ? 200 : 503, FRESH);
  } catch (error) {
    log.error({ err: error }, 'The store does not answer.');
    return json({ status: 'not ready', reason: 'the store does not answer' }, 503, FRESH);
  }
}

async function measured(metrics: Metrics): Promise<Response> {
  const headers = { 'Content-Type': metrics.contentType, ...FRESH };
  return new Response(await metrics.text(), { headers });
}
