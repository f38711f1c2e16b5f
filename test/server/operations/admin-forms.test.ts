import { beforeEach, describe, expect, test } from 'vitest';
import { UsageError } from '../../../src/errors.ts';
import type { FeedHealth } from '../../../src/library/index.ts';
import { createAdmin } from '../../../src/server/operations/admin.ts';
import type { FeedActions } from '../../../src/server/operations/admin-forms.ts';
import { silent } from '../../../src/server/operations/log.ts';
import { Metrics } from '../../../src/server/operations/metrics.ts';
import { actionsFor } from '../../../src/server/pages/feeds/admin.tsx';
import { FakeLibrary, NOW } from '../fake.ts';
import { feed } from '../made.ts';

/** What an operator does with feeds: forms without a script, which no other site can send. */

const BASE = 'http://127.0.0.1:9090';
const HELD: NonNullable<FeedHealth['held']> = {
  items: 9,
  calendars: 400,
  sessions: 0,
  of: { calendars: 1000, sessions: 0 },
  since: NOW,
};

let done: string[];
beforeEach(() => {
  done = [];
});

function adminOf(feeds: FeedHealth[], { token, readOnly }: { token?: string; readOnly?: boolean } = {}) {
  const library = new FakeLibrary();
  library.sources = feeds;
  const known = () => library.feeds();
  const act = (action: string) => async (id: number) => {
    if (!feeds.some((one) => one.id === id)) throw new UsageError('there is no feed');
    done.push(`${action} ${id}`);
  };
  const names = ['retry', 'confirm', 'pause', 'resume', 'forget'] as const;
  const actions = Object.fromEntries(names.map((name) => [name, act(name)])) as unknown as FeedActions;
  const metrics = new Metrics({ feeds: known, now: () => NOW, log: silent });
  const admin = createAdmin({
    port: 0,
    host: '',
    token,
    library,
    feeds: known,
    metrics,
    log: silent,
    now: () => NOW,
    ...(!readOnly && { actions }),
  });
  return (path: string, init?: RequestInit) => admin.request(BASE + path, init);
}

const GONE = feed({
  id: 7,
  state: 'gone',
  failures: 3,
  lastError: 'https://feeds.example/k3y: the server answered 404',
});
type Ask = ReturnType<typeof adminOf>;

const pageAt = async (ask: Ask, path: string) => (await ask(path)).text();
const tokenOf = (page: string) => /name="token" value="([^"]+)"/.exec(page)?.[1] ?? '';

async function send(ask: Ask, path: string, { token, ...headers }: Record<string, string> = {}) {
  const body = new URLSearchParams({ token: token ?? tokenOf(await pageAt(ask, '/admin')) });
  return ask(path, { method: 'POST', body, headers });
}

describe('what can be done', () => {
  test.each<[string, Partial<FeedHealth>, string]>([
    ['up to date', { state: 'ended' }, 'pause forget'],
    ['failing', { state: 'failing' }, 'retry pause forget'],
    ['stalled', { state: 'stalled' }, 'retry pause forget'],
    ['gone', { state: 'gone' }, 'retry pause forget'],
    ['held', { state: 'held', held: HELD }, 'retry confirm pause forget'],
    ['failing while held', { state: 'failing', held: HELD }, 'retry confirm pause forget'],
    ['paused', { state: 'paused' }, 'resume forget'],
    ['paused while held', { state: 'paused', held: HELD }, 'confirm resume forget'],
    ['retired', { state: 'retired' }, 'forget'],
  ])('%s', (_name, state, actions) => {
    expect(actionsFor({ ...feed(), held: undefined as never, ...state }).join(' ')).toBe(actions);
  });

  test('each button is a form that does it, and leads back to the feed', async () => {
    const ask = adminOf([{ ...GONE, held: HELD }]);
    const page = await pageAt(ask, '/admin/feeds/7');
    const forms = [...page.matchAll(/<form method="post" action="([^"]+)"/g)].map(([, action = '']) => action);
    expect(forms).toEqual(['/admin/feeds/7/retry', '/admin/feeds/7/confirm', '/admin/feeds/7/pause']);
    for (const path of forms) {
      const answer = await send(ask, path, { origin: BASE, 'sec-fetch-site': 'same-origin' });
      expect([answer.status, answer.headers.get('location')]).toEqual([303, '/admin/feeds/7']);
    }
    expect(done).toEqual(['retry 7', 'confirm 7', 'pause 7']);
  });

  test('a feed is forgotten after a second page alone, which says what goes', async () => {
    const ask = adminOf([GONE]);
    expect(await pageAt(ask, '/admin')).toContain('<a class="btn line" href="/admin/feeds/7/forget">');
    const asked = await pageAt(ask, '/admin/feeds/7/forget');
    expect(asked).toContain('cannot be taken back');
    expect(done).toEqual([]);
    const answer = await send(ask, '/admin/feeds/7/forget', { token: tokenOf(asked) });
    expect([answer.status, answer.headers.get('location'), done]).toEqual([303, '/admin', ['forget 7']]);
  });

  test('pages have no script, are kept by nobody, and show errors in full', async () => {
    const ask = adminOf([GONE]);
    for (const path of ['/admin', '/admin/feeds/7', '/admin/feeds/7/forget']) {
      const answer = await ask(path);
      const text = await answer.text();
      expect(text).not.toMatch(/<script|\son\w+=/);
      expect(answer.headers.get('content-security-policy')).toMatch(/default-src 'none'.*form-action 'self'/);
      expect(answer.headers.get('content-security-policy')).not.toContain('script-src');
      expect(answer.headers.get('cache-control')).toBe('no-store');
      if (!path.endsWith('forget')) expect(text).toContain('https://feeds.example/k3y: the server answered 404');
    }
  });

  test('a hostile name stays a name', async () => {
    const ask = adminOf([{ ...GONE, name: '"><script>alert(1)</script>' }]);
    for (const path of ['/admin', '/admin/feeds/7', '/admin/feeds/7/forget'])
      expect(await pageAt(ask, path)).not.toContain('<script');
  });

  test('the list is filtered by state and name', async () => {
    const ask = adminOf([GONE, feed({ id: 8, name: 'Other', state: 'ended' })]);
    expect(await pageAt(ask, '/admin?state=failing')).not.toContain('/admin/feeds/8"');
    expect(await pageAt(ask, '/admin?q=other')).not.toContain('/admin/feeds/7"');
  });

  test('a process that only reads has no form', async () => {
    const ask = adminOf([GONE], { readOnly: true });
    for (const path of ['/admin', '/admin/feeds/7']) {
      const page = await pageAt(ask, path);
      expect(page).toContain('only reads the store');
      expect(page).not.toContain('method="post"');
    }
    expect((await ask('/admin/feeds/7/forget')).status).toBe(404);
    expect((await ask('/admin/feeds/7/pause', { method: 'POST', body: 'token=' })).status).toBe(404);
  });
});

describe('what is refused', () => {
  type Row = [name: string, headers: Record<string, string>];
  test.each<Row>([
    ['of another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['of another port of this host', { 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:8080' }],
    ['that a person followed a link to', { 'sec-fetch-site': 'none' }],
    ['of another origin, by a browser without Sec-Fetch-Site', { origin: 'https://evil.example' }],
    ['of an origin that is not told', { origin: 'null' }],
    ['of another origin that claims to be ours', { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' }],
  ])('a form %s, though it has the token', async (_name, headers) => {
    const answer = await send(adminOf([GONE]), '/admin/feeds/7/pause', headers);
    expect([answer.status, done]).toEqual([403, []]);
  });

  test.each<[string, string]>([
    ['none', ''],
    ['another', 'x'.repeat(32)],
  ])('a form with %s for a token, though it is of this origin', async (_name, token) => {
    const headers = { token, origin: BASE, 'sec-fetch-site': 'same-origin' };
    expect((await send(adminOf([GONE]), '/admin/feeds/7/pause', headers)).status).toBe(403);
    expect(done).toEqual([]);
  });

  test('a token of another process', async () => {
    const token = tokenOf(await pageAt(adminOf([GONE]), '/admin'));
    const answer = await send(adminOf([GONE]), '/admin/feeds/7/pause', { token });
    expect([answer.status, await answer.text(), done]).toEqual([403, expect.stringContaining('earlier start'), []]);
  });

  test('a body that is more than a token', async () => {
    const ask = adminOf([GONE]);
    const body = `token=${tokenOf(await pageAt(ask, '/admin'))}&x=${'x'.repeat(2000)}`;
    expect((await ask('/admin/feeds/7/pause', { method: 'POST', body })).status).toBe(403);
  });

  test('a name that somebody else has given this machine, and who does not know adminToken', async () => {
    const library = new FakeLibrary();
    const feeds = async () => [GONE];
    const metrics = new Metrics({ feeds, now: () => NOW, log: silent });
    const actions = { pause: async () => void done.push('pause') } as unknown as FeedActions;
    for (const token of [undefined, 'a-token-of-16-or-more']) {
      const admin = createAdmin({
        port: 0,
        host: '',
        token,
        library,
        feeds,
        actions,
        metrics,
        log: silent,
        now: () => NOW,
      });
      const answer = await admin.request('http://rebound.example:9090/admin/feeds/7/pause', { method: 'POST' });
      expect(answer.status).toBe(token === undefined ? 403 : 401);
    }
    expect(done).toEqual([]);
  });

  test.each(['/admin/feeds/99/pause', '/admin/feeds/7/delete', '/admin/feeds/x/pause', '/admin/feeds/7/__proto__'])(
    'POST %s: there is none',
    async (path) => {
      expect((await send(adminOf([GONE]), path)).status).toBe(404);
      expect(done).toEqual([]);
    },
  );

  test('GET does nothing', async () => {
    const ask = adminOf([GONE]);
    for (const action of ['retry', 'confirm', 'pause', 'resume', 'forget']) await ask(`/admin/feeds/7/${action}`);
    expect(done).toEqual([]);
  });
});
