import { Hono } from 'hono';
import { json, problem } from '../api/json.ts';
import { NOT_KEPT } from '../lifetimes.ts';
import { addressOf, answerOn, closeServer, listen, webServer } from '../listen.ts';
import { type Log, silent } from '../operations/log.ts';
import { type PublisherHome, publisherPage } from '../pages/dataset.ts';
import { PLAIN_HEADERS } from '../pages/frame/plain.tsx';
import { mountRpde, type Rpde } from './rpde.ts';

interface PublisherOptions {
  /** The feeds and the home page, once the base address is known. */
  site: (base: string) => { rpde: Rpde; home: () => Promise<PublisherHome> };
  /** 0: any free port. */
  port: number;
  host: string;
  /** http(s) address under which people reach the service; default: where it listens. */
  baseUrl?: string | undefined;
  gzip: boolean;
  log?: Log | undefined;
}

/** Serves published feeds alone, for `publish`. Rejects if the port is not free. */
export async function startPublisher(options: PublisherOptions): Promise<{ url: string; close(): Promise<void> }> {
  const server = webServer();
  await listen(server, options.port, options.host);
  const url = (options.baseUrl ?? addressOf(server, options.host)).replace(/\/+$/, '');
  const app = publisherApp(options, url);
  answerOn(server, (request) => app.fetch(request));
  return { url, close: () => closeServer(server) };
}

function publisherApp({ site, gzip, log = silent }: PublisherOptions, url: string): Hono {
  const { rpde, home } = site(url);
  const app = new Hono();
  mountRpde(app, { rpde, gzip });
  app.get(
    '/',
    async () => new Response(await publisherPage(await home()), { headers: { ...PLAIN_HEADERS, ...NOT_KEPT } }),
  );
  app.get('/healthz', () => json({ status: 'ok' }, 200, NOT_KEPT));
  app.notFound(() => problem(404, 'There is nothing at this address.'));
  app.onError((error, c) => {
    log.error({ err: error, path: c.req.path.slice(0, 200) }, 'A request failed.');
    return problem(500, 'The answer could not be made.');
  });
  return app;
}
