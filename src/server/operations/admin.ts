import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { type Context, Hono } from 'hono';
import { StoreError } from '../../errors.ts';
import type { FeedHealth, Library } from '../../library/index.ts';
import { troubleWords } from '../../store/index.ts';
import { feedJson } from '../api/feeds.ts';
import { json, problem, reading } from '../api/json.ts';
import { NOT_KEPT } from '../lifetimes.ts';
import { addressOf, answerOn, closeServer, listen, webServer } from '../listen.ts';
import { adminFeedPage, adminFeedsPage, adminForgetPage } from '../pages/feeds/admin.tsx';
import { readFeedsQuery } from '../pages/feeds/groups.ts';
import { ADMIN_HEADERS } from '../pages/frame/plain.tsx';
import { type FeedActions, formAnswer, isSame, problemPage } from './admin-forms.ts';
import { type Log, logFailed } from './log.ts';
import type { Metrics } from './metrics.ts';
import { mountOperations } from './operations.ts';

/** The options of the admin address, which is for operators alone. */
export interface AdminOptions {
  /** 0: any free port. */
  port: number;
  host: string;
  /** The token of requests; undefined: every client that reaches the address is allowed. */
  token: string | undefined;
  library: Pick<Library, 'health'>;
  /** Feeds with addresses and errors in full. */
  feeds(): Promise<FeedHealth[]>;
  /** Absent: this process only reads. */
  actions?: FeedActions | undefined;
  metrics: Metrics;
  log: Log;
  now(): number;
}

/** Listens on an address of its own. Rejects if the port cannot be had. */
export async function startAdmin(options: AdminOptions): Promise<{ url: string; close(): Promise<void> }> {
  const { port, host } = options;
  const server = webServer();
  await listen(server, port, host);
  const url = addressOf(server, host);
  const app = createAdmin(options);
  answerOn(server, (request) => app.fetch(request));
  return { url, close: () => closeServer(server) };
}

/** `/metrics`, `/admin` with its feeds and forms, and answers to probes, which need no token. */
export function createAdmin({ library, feeds, actions, metrics, token, log, now }: AdminOptions): Hono {
  // Forms of another process, or of an earlier one, are refused.
  const formToken = actions && randomBytes(24).toString('base64url');
  const app = new Hono();
  const mine = (path: string, answer: (c: Context) => Promise<Response>) =>
    app.all(path, async (c) => sameOriginOnly(refusal(c, token) ?? (await reading(c, () => answer(c), {}))));
  const ofFeed = (path: string, answer: (feed: FeedHealth) => Promise<string>) =>
    mine(path, async (c) => {
      const feed = (await feeds()).find(({ id }) => String(id) === c.req.param('id'));
      return feed === undefined ? problem(404, 'There is no such feed.') : page(await answer(feed));
    });
  mine('/metrics', () => metricsResponse(metrics));
  mine('/admin', async (c) => {
    const query = readFeedsQuery(c.req.query());
    return page(await adminFeedsPage({ feeds: await feeds(), query, now: now(), formToken }));
  });
  mine('/admin/feeds', async () => {
    const known = await feeds();
    return json({ items: known.map((feed) => feedJson(feed)), total: known.length }, 200, NOT_KEPT);
  });
  ofFeed('/admin/feeds/:id', (feed) => adminFeedPage(feed, { now: now(), formToken }));
  if (actions !== undefined && formToken !== undefined) {
    app.post('/admin/feeds/:id/:action', async (c) =>
      sameOriginOnly(refusal(c, token) ?? (await formAnswer(c, actions, formToken))),
    );
    ofFeed('/admin/feeds/:id/forget', (feed) => adminForgetPage(feed, formToken));
  }
  mountOperations(app, { library, log });
  app.notFound(() => problem(404, 'The admin address has /admin, /admin/feeds, /metrics, /healthz, /readyz.'));
  app.onError((error, c) => failedAnswer(c, error, log));
  return app;
}

/** The answer to a failure: a page in place of a page, and 503 with the reason where the store gives no answer. */
async function failedAnswer(c: Context, error: unknown, log: Log): Promise<Response> {
  const { path } = c.req;
  logFailed(log, error, { path: path.slice(0, 200) }, 'A request to the admin address failed.');
  const [status, detail] =
    error instanceof StoreError
      ? ([503, troubleWords(error)] as const)
      : ([500, 'The answer could not be made.'] as const);
  if (path === '/admin/feeds' || path === '/metrics') return sameOriginOnly(problem(status, detail));
  return problemPage(status, detail);
}

const page = (text: string) => new Response(text, { headers: ADMIN_HEADERS });

/** Removes the headers that let pages of other sites read answers of the API. */
function sameOriginOnly(response: Response): Response {
  for (const name of ['Access-Control-Allow-Origin', 'Access-Control-Expose-Headers']) response.headers.delete(name);
  response.headers.set('Cross-Origin-Resource-Policy', 'same-origin');
  return response;
}

async function metricsResponse(metrics: Metrics): Promise<Response> {
  return new Response(await metrics.text(), { headers: { 'Content-Type': metrics.contentType, ...NOT_KEPT } });
}

/** The refusal without the token, which is a bearer token, or the password of any user, as browsers ask for it. */
function refusal(c: Context, token: string | undefined): Response | undefined {
  if (token === undefined) {
    // DNS rebinding: a page may point its own name at this machine, and its browser would then let it read answers.
    const name = new URL(c.req.url).hostname.replace(/^\[|\]$/g, '');
    if (name === 'localhost' || isIP(name) !== 0) return undefined;
    return problem(403, 'Ask by the IP address of this machine, or set adminToken.');
  }
  if (isSame(tokenOf(c.req.header('authorization') ?? ''), token)) return undefined;
  const response = problem(401, 'The adminToken of the settings is needed.');
  response.headers.set('WWW-Authenticate', 'Basic realm="openactive-ical", charset="UTF-8"');
  return response;
}

function tokenOf(authorization: string): string {
  const [, scheme = '', value = ''] = /^(bearer|basic) +([\w.~+/=-]+)$/i.exec(authorization) ?? [];
  if (scheme.toLowerCase() !== 'basic') return value;
  const text = Buffer.from(value, 'base64').toString();
  return text.slice(text.indexOf(':') + 1);
}
