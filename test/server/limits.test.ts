import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { thingsOf, tokenOf } from '../../src/library/lists/token.ts';
import { LIMITS } from '../../src/limits.ts';
import { costOf } from '../../src/server/limiter.ts';
import { type RunningServer, type ServerOptions, startServer } from '../../src/server/start.ts';
import { FakeLibrary, render } from './fake.ts';

const running: RunningServer[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(running.splice(0).map((server) => server.close()));
});

async function start(options: Partial<ServerOptions>) {
  const library = new FakeLibrary();
  library.commit('abc', 'Yoga');
  library.commit('places/p1/freebusy', 'Hall');
  const warned: string[] = [];
  const log = { info: () => {}, error: () => {}, warn: (_: object, message: string) => void warned.push(message) };
  const server = await startServer({ library, port: 0, host: '127.0.0.1', render, log, ...options });
  running.push(server);
  const ask = (path: string, forwarded?: string) =>
    fetch(server.url + path, { headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded } });
  return { url: server.url, ask, warned, library };
}

test('TRACE, which no Request can have, is not allowed anywhere', async () => {
  const { url } = await start({});
  const ofDav = 'OPTIONS, GET, HEAD, PROPFIND, PROPPATCH, REPORT';
  for (const path of ['/', '/api/series', '/series/abc.ics', '/dav/', '/dav', '/dav/series/abc/x.ics']) {
    const asked = request(url + path, { method: 'TRACE' }).end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    answer.resume();
    expect([answer.statusCode, answer.headers.allow], path).toEqual([
      405,
      path.startsWith('/dav') ? ofDav : 'GET, HEAD, OPTIONS',
    ]);
  }
});

/** The status line of an answer to a request as it is written. */
async function statusOf(url: string, head: string): Promise<string | undefined> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(`${head}\r\nConnection: close\r\n\r\n`);
  return (await text(socket)).split('\r\n')[0];
}

test.each(['/', '/api/series', '/series/abc.ics?x=%', '/search.ics?q=yoga', '/dav/', '/dav/series/abc/', '/images/x'])(
  'a Host that makes no address is refused or passed over, and no fault of ours: %s',
  async (path) => {
    const { url } = await start({});
    for (const host of ['1.2.3.4.5', '999.1.1.1', 'foo.0x'])
      expect(await statusOf(url, `GET ${path} HTTP/1.1\r\nHost: ${host}`), host).toMatch(/ (200 OK|400 Bad Request)$/);
  },
);

test('a request has one Host', async () => {
  const { url } = await start({});
  for (const path of ['/series/abc.ics', '/api/series', '/dav/']) {
    const head = `GET ${path} HTTP/1.1\r\nHost: a.example\r\n`;
    expect(await statusOf(url, `${head}hOST: a.example`), path).toBe('HTTP/1.1 400 Bad Request');
    expect(await statusOf(url, `${head}X-Host: a.example`), path).toBe('HTTP/1.1 200 OK');
  }
});

test('OPTIONS of the server as a whole is answered', async () => {
  const { url } = await start({});
  expect(await statusOf(url, 'OPTIONS * HTTP/1.1\r\nHost: a.example')).toBe('HTTP/1.1 204 No Content');
});

describe('a caller who asks for too much', () => {
  test.each<[path: string, type: string]>([
    ['/api/series', 'application/problem+json; charset=utf-8'],
    ['/search?q=yoga', 'text/html; charset=utf-8'],
    ['/', 'text/html; charset=utf-8'],
    ['/my?name=Ours', 'text/html; charset=utf-8'],
    ['/places/p1/freebusy.ics?from=2026-12-01', 'text/plain; charset=utf-8'],
    ['/sitemap.xml', 'text/plain; charset=utf-8'],
    ['/changes/series/abc.atom', 'text/plain; charset=utf-8'],
  ])('%s: 429 says when to come back', async (path, type) => {
    const { ask } = await start({ rateLimit: 10 });
    for (let spent = 0; spent < 10; spent += costOf(path)) expect((await ask(path)).status).toBe(200);
    const refused = await ask(path);
    expect([refused.status, refused.headers.get('content-type')]).toEqual([429, type]);
    expect(refused.headers.get('cache-control')).toBe('no-store');
    if (type.startsWith('text/html')) {
      const page = await refused.text();
      expect(page).toContain('<h1 dir="auto">Too many pages in one minute</h1>');
      expect(page).toMatch(/<p>Wait \d+ seconds?, then try again\.<\/p>/);
      expect(page).toContain('<a class="chip fill" href=""><bdi>Try again</bdi></a>');
    }
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds >= 1 && seconds <= 60).toBe(true);
    expect(refused.headers.get('access-control-expose-headers')).toContain('Retry-After');
  });

  test('is told so in the frame of another site, too', async () => {
    const { ask } = await start({ rateLimit: 1 });
    await ask('/embed/series/abc');
    const refused = await ask('/embed/series/abc');
    expect([refused.status, refused.headers.get('x-frame-options')]).toEqual([429, null]);
    expect(refused.headers.get('content-security-policy')).not.toContain("frame-ancestors 'none'");
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await refused.text()).toContain('<h1>Too many pages in one minute</h1>');
  });

  test('still gets calendars, and operators what they ask', async () => {
    const { ask } = await start({ rateLimit: 1 });
    await ask('/api/series');
    expect((await ask('/api/series')).status).toBe(429);
    for (const path of ['/series/abc.ics', '/series/abc.ics?x=1', '/places/p1/freebusy.ics', '/healthz', '/readyz']) {
      expect((await ask(path)).status, path).toBe(200);
    }
  });

  test('is refused calendars with searches that have to be computed, and gets those that are held', async () => {
    const token = tokenOf(['day=tue', 'q=yoga'].map((query) => ({ kind: 'search' as const, query })));
    const { ask, library } = await start({ rateLimit: 15 });
    library.chosen.set(token, { things: thingsOf(token) ?? [] });
    for (const name of ['search?day=mon', 'search?day=sun', `my/${token}`]) library.commit(name, 'Yoga');
    const status = async (path: string) => (await ask(path)).status;
    expect([await status(`/my/${token}.ics`), await status('/search.ics?day=mon')]).toEqual([200, 200]);
    const refused = await ask('/search.ics?day=sun');
    expect([refused.status, await refused.text()]).toEqual([429, expect.stringMatching(/^[^\n]+\n$/)]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    for (const path of [`/my/${token}.ics`, '/search.ics?day=mon', '/series/abc.ics'])
      expect(await status(path)).toBe(200);
    // It has changed, and what was made last is answered.
    library.commit('search?day=mon', 'Judo');
    expect(await status('/search.ics?day=mon')).toBe(200);
  });

  test('keeps few lists', async () => {
    const { url } = await start({ rateLimit: 25 });
    const keep = async () => (await fetch(`${url}/my`, { method: 'POST' })).status;
    expect([await keep(), await keep(), await keep()]).toEqual([503, 503, 429]);
  });

  test('was refused the way from an @id to a calendar', async () => {
    const { ask } = await start({ rateLimit: 1 });
    for (let turn = 0; turn < 3; turn++) {
      for (const kind of ['series', 'places', 'facilities'])
        expect((await ask(`/${kind}?id=https://e.org/1`)).status).not.toBe(429);
    }
    expect((await ask('/api/series')).status).toBe(200);
    expect((await ask('/api/series')).status).toBe(429);
  });

  test('is not let through by a header, and the operator hears of a proxy that is not named, once', async () => {
    const { ask, warned } = await start({ rateLimit: 2 });
    const statuses = [];
    for (const from of ['203.0.113.1', '203.0.113.2', '203.0.113.3'])
      statuses.push((await ask('/api/series', from)).status);
    expect(statuses).toEqual([200, 200, 429]);
    expect(warned).toEqual([expect.stringContaining('trustedProxies')]);
  });

  test('behind a proxy that settings name keeps nobody else from asking', async () => {
    const { ask, warned } = await start({ rateLimit: 1, trustedProxies: ['127.0.0.0/8'] });
    const statuses = [];
    for (const from of ['203.0.113.1', '203.0.113.1', '203.0.113.2'])
      statuses.push((await ask('/api/series', from)).status);
    expect([statuses, warned]).toEqual([[200, 429, 200], []]);
  });

  test('may ask for anything where there is no limit', async () => {
    const { ask } = await start({ rateLimit: 0 });
    for (let turn = 0; turn < 30; turn++) expect((await ask('/api/series')).status).toBe(200);
  });
});

describe('connections', () => {
  /** One that says so much and no more. */
  function open(url: string, said: string): Socket {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write(said);
    sockets.push(socket);
    return socket;
  }

  const short = { ...LIMITS.http, headersMs: 200, requestMs: 400, checkingMs: 50 };

  test('that never end their headers are closed, and others are answered meanwhile', async () => {
    const { url, ask } = await start({ connections: short });
    const slow = Array.from({ length: 50 }, () => open(url, 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: '));
    const dripping = setInterval(() => {
      for (const socket of slow) socket.write('y');
    }, 20);
    expect((await ask('/healthz')).status).toBe(200);
    // A drop into a connection that the server has just closed is an error before it is a close.
    await Promise.all(slow.map((socket) => new Promise((closed) => socket.resume().once('close', closed))));
    clearInterval(dripping);
    expect((await ask('/healthz')).status).toBe(200);
  });

  test('that never send their body are closed', async () => {
    const { url } = await start({ connections: short });
    const socket = open(url, 'GET /series/abc.ics HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\nx');
    expect(await text(socket)).toContain('HTTP/1.1 ');
  });

  test('with more headers than anybody needs are refused', async () => {
    const { url } = await start({});
    const socket = open(url, `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'y'.repeat(20_000)}\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 431 /);
  });

  test('are so many from one address, and those before go on', async () => {
    const { url } = await start({ connections: { ...LIMITS.http, connectionsEach: 3 } });
    const kept = [1, 2, 3].map(() => open(url, ''));
    await Promise.all(kept.map((socket) => once(socket, 'connect')));
    await once(open(url, ''), 'close');
    kept[0]?.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(await text(kept[0] as Socket)).toMatch(/^HTTP\/1\.1 200 /);
    // Its place is free again.
    const next = open(url, 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(await text(next)).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('of a proxy that settings name are not counted as those of one caller', async () => {
    const connections = { ...LIMITS.http, connectionsEach: 1 };
    const { url } = await start({ connections, trustedProxies: ['127.0.0.1'] });
    const opened = [1, 2, 3].map(() => open(url, 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'));
    for (const socket of opened) expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('are so many in all', async () => {
    const { url } = await start({ connections: { ...LIMITS.http, connections: 2 }, trustedProxies: ['127.0.0.1'] });
    const kept = [1, 2].map(() => open(url, ''));
    await Promise.all(kept.map((socket) => once(socket, 'connect')));
    await once(open(url, ''), 'close');
    kept[0]?.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(await text(kept[0] as Socket)).toMatch(/^HTTP\/1\.1 200 /);
  });
});
