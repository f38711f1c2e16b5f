import { describe, expect, test } from 'vitest';
import { StoreError } from '../../../src/errors.ts';
import { createAdmin } from '../../../src/server/operations/admin.ts';
import { silent } from '../../../src/server/operations/log.ts';
import { Metrics } from '../../../src/server/operations/metrics.ts';
import { FakeLibrary, NOW, setUp } from '../fake.ts';
import { feed } from '../made.ts';

const TOKEN = 'a-token-of-16-or-more';

function adminOf(token: string | undefined) {
  const library = new FakeLibrary();
  library.sources = [feed({ lastError: 'https://feeds.example/k3y/rpde: the server answered 500' })];
  const feeds = () => library.feeds();
  const metrics = new Metrics({ feeds, now: () => NOW, log: silent });
  return createAdmin({ port: 0, host: '', token, library, feeds, metrics, log: silent, now: () => NOW });
}

const MINE = ['/admin', '/admin/feeds', '/metrics'];

describe('without a token', () => {
  const admin = adminOf(undefined);

  test('feeds with their errors in full, as a page and as JSON, and metrics', async () => {
    for (const path of ['/admin', '/admin/feeds']) {
      const answer = await admin.request(`http://127.0.0.1:1${path}`);
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('/k3y/rpde')]);
    }
    expect(await (await admin.request('http://localhost:1/metrics')).text()).toContain('openactive_ical_feed_items');
  });

  test('a name that somebody else has given this machine is refused: a page there could read what is here', async () => {
    for (const path of MINE) expect((await admin.request(`http://rebound.example${path}`)).status, path).toBe(403);
    expect((await admin.request('http://[::1]:1/admin')).status).toBe(200);
  });
});

test('pages of other sites may not read it, though whoever reaches it may', async () => {
  const admin = adminOf(undefined);
  for (const path of [...MINE, '/admin/feeds/1', '/admin/feeds/99'])
    for (const method of ['GET', 'OPTIONS', 'DELETE']) {
      const headers = { origin: 'https://evil.example' };
      const answer = await admin.request(`http://127.0.0.1:1${path}`, { method, headers });
      expect([path, method, answer.headers.get('access-control-allow-origin')]).toEqual([path, method, null]);
      expect(answer.headers.get('cross-origin-resource-policy')).toBe('same-origin');
    }
});

describe('with a token', () => {
  const admin = adminOf(TOKEN);
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
  const rows: [authorization: string | undefined, status: number][] = [
    [undefined, 401],
    ['', 401],
    ['Bearer', 401],
    ['Bearer x', 401],
    [`Bearer ${TOKEN}x`, 401],
    [basic('any:x'), 401],
    [basic(TOKEN), 200],
    [`Bearer ${TOKEN}`, 200],
    [`bearer ${TOKEN}`, 200],
    [basic(`any:${TOKEN}`), 200],
  ];
  test.each(rows)('%s: %i', async (authorization, status) => {
    for (const path of MINE) {
      const answer = await admin.request(`http://any.example${path}`, {
        headers: authorization === undefined ? {} : { authorization },
      });
      expect([path, answer.status, answer.headers.has('www-authenticate')]).toEqual([path, status, status === 401]);
    }
  });

  test('probes need none', async () => {
    for (const path of ['/healthz', '/readyz']) expect((await admin.request(path)).status).toBe(200);
  });
});

describe('while the database gives no answer', () => {
  const cure = 'it cannot be reached; check DATABASE_URL, and whether PostgreSQL runs there';
  const away = new StoreError(`The database postgres://oai@db.internal/sport failed: ${cure}.`, { cure });
  const lines: [facts: object, message: string][] = [];
  const put = (facts: object, message: string) => void lines.push([facts, message]);
  const log = { info: put, warn: put, error: put };
  const fails = () => Promise.reject(away);
  const metrics = new Metrics({ feeds: fails, now: () => NOW, log });
  const library = new FakeLibrary();
  library.health = () => Promise.reject(away);
  const admin = createAdmin({
    port: 0,
    host: '',
    token: undefined,
    library,
    feeds: fails,
    metrics,
    log,
    now: () => NOW,
  });
  const ask = (path: string) => admin.request(`http://127.0.0.1:1${path}`);

  test.each([
    ['/admin', 'text/html'],
    ['/admin/feeds/1', 'text/html'],
    ['/admin/feeds', 'application/problem+json'],
  ])('%s is 503 with the reason', async (path, type) => {
    const answer = await ask(path);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([503, expect.stringContaining(type)]);
    const text = await answer.text();
    expect(text).toContain(cure);
    expect(text).not.toContain('db.internal');
  });

  test('however often it is asked, the log has each failure once, without a stack', async () => {
    for (let time = 0; time < 5; time++) for (const path of ['/admin', '/metrics', '/readyz']) await ask(path);
    expect(lines).toEqual([
      [{ reason: away.message, path: '/admin', count: 1 }, 'Requests failed: the database gives no answer.'],
      [{ error: away.message }, 'The feeds could not be read for /metrics.'],
      [{ error: away.message }, 'The store does not answer.'],
    ]);
  });
});

test('the public address says where metrics are, and has no /admin', async () => {
  const { app } = setUp();
  const answer = await app.request('/metrics');
  expect([answer.status, await answer.json()]).toEqual([
    404,
    expect.objectContaining({ detail: expect.stringContaining('adminPort') }),
  ]);
  for (const path of ['/admin', '/admin/feeds']) expect((await app.request(path)).status).toBe(404);
});
