import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { type RunningServer, type ServerOptions, startServer } from '../../src/server/start.ts';
import { FakeLibrary, render } from './fake.ts';
import { item } from './pages/find/items.ts';

const running: RunningServer[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
});

async function start(
  options: Partial<ServerOptions> = {},
): Promise<{ library: FakeLibrary; url: string; server: RunningServer }> {
  const library = new FakeLibrary();
  library.commit('abc', 'Yoga');
  const server = await startServer({ library, port: 0, host: '127.0.0.1', render, ...options });
  running.push(server);
  return { library, url: server.url, server };
}

/** Sends bytes as they are and gives back all that comes. */
async function send(url: string, request: string): Promise<string> {
  const { port } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(request.replaceAll('\n', '\r\n'));
  return text(socket);
}

describe('over a socket', () => {
  test('a calendar: made, held, unchanged, changed', async () => {
    const { library, url } = await start();
    const first = await fetch(`${url}/series/abc.ics`, { headers: { 'accept-encoding': 'identity' } });
    const bytes = await first.text();
    expect(bytes).toContain('NAME:Yoga');
    expect(first.headers.get('content-length')).toBe(String(Buffer.byteLength(bytes)));
    const tag = first.headers.get('etag') ?? '';
    const held = await fetch(`${url}/series/abc.ics`, { headers: { 'accept-encoding': 'identity' } });
    const own = (response: Response) => [...response.headers].filter(([name]) => name !== 'date');
    expect(own(held)).toEqual(own(first));
    expect(await held.text()).toBe(bytes);
    expect(library.asked).toEqual({ head: 1, calendar: 1 });
    const unchanged = await send(
      url,
      `GET /series/abc.ics HTTP/1.1\nHost: x\nIf-None-Match: ${tag}\nConnection: close\n\n`,
    );
    expect(unchanged).toMatch(/^HTTP\/1\.1 304 Not Modified\r\n/);
    expect(unchanged).toMatch(/\r\n\r\n$/);
    library.commit('abc', 'Yoga for all');
    const changed = await fetch(`${url}/series/abc.ics`, { headers: { 'if-none-match': tag } });
    expect([changed.status, (await changed.text()).includes('Yoga for all')]).toEqual([200, true]);
  });

  test('HEAD has the headers of GET and no body', async () => {
    const { url } = await start();
    const headers = (answer: string) =>
      answer
        .split('\r\n\r\n')[0]
        ?.toLowerCase()
        .replace(/\r\n(date|connection): [^\r]*/g, '')
        .split('\r\n')
        .sort();
    const ask = (method: string) => send(url, `${method} /series/abc.ics HTTP/1.1\nHost: x\nConnection: close\n\n`);
    await ask('GET');
    const [got, head] = [await ask('GET'), await ask('HEAD')];
    expect(headers(head)).toEqual(headers(got));
    expect(head.split('\r\n\r\n')[1]).toBe('');
  });

  test('HTTP/1.0 without a Host', async () => {
    const { url } = await start();
    expect(await send(url, 'GET /series/abc.ics HTTP/1.0\n\n')).toContain('NAME:Yoga');
  });

  const odd: [title: string, request: string, status: RegExp][] = [
    ['a host that is none', 'GET / HTTP/1.1\nHost: "><script>\nConnection: close\n\n', /^HTTP\/1\.1 400 /],
    ['a dot segment', 'GET /series/../../etc/passwd HTTP/1.1\nHost: x\nConnection: close\n\n', /^HTTP\/1\.1 404 /],
    ['a backslash', 'GET /series\\..\\x HTTP/1.1\nHost: x\nConnection: close\n\n', /^HTTP\/1\.1 400 /],
    [
      'a body with a method that has none here',
      'POST /series/abc.ics HTTP/1.1\nHost: x\nContent-Length: 5\nConnection: close\n\nhello',
      /^HTTP\/1\.1 405 /,
    ],
    [
      'an absolute address',
      'GET http://evil.example/series/abc.ics HTTP/1.1\nHost: x\nConnection: close\n\n',
      /^HTTP\/1\.1 200 /,
    ],
    ['no HTTP at all', 'hello\n\n', /^HTTP\/1\.1 400 /],
  ];
  test.each(odd)('%s', async (_, request, status) => {
    const { url } = await start();
    const answer = await send(url, request);
    expect(answer).toMatch(status);
    expect(answer).not.toMatch(/node_modules|\.ts:|evil\.example/);
  });

  test('links name where it listens, whatever the Host', async () => {
    const { url, library } = await start();
    library.search.items = [item()];
    const page = await send(
      url,
      'GET /search HTTP/1.1\nHost: evil.example\nX-Forwarded-Host: evil.example\nConnection: close\n\n',
    );
    expect(page).toContain(`value="${url}/search.ics"`);
    expect(page).not.toContain('evil.example');
  });
});

describe('the address', () => {
  test('is the configured one if there is one', async () => {
    const { url } = await start({ baseUrl: 'https://calendars.example/open/' });
    expect(url).toBe('https://calendars.example/open');
  });

  test('is one a person can open if it listens everywhere', async () => {
    const { url } = await start({ host: '0.0.0.0' });
    expect(url).toMatch(/^http:\/\/localhost:\d+$/);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  test('that cannot be had rejects, and leaves nothing open', async () => {
    const { url } = await start();
    const library = new FakeLibrary();
    const taken = startServer({ library, port: Number(new URL(url).port), host: '127.0.0.1', render });
    await expect(taken).rejects.toThrow('EADDRINUSE');
    await expect(startServer({ library, port: 0, host: '127.0.0.1', baseUrl: 'ftp://x', render })).rejects.toThrow(
      'http(s)',
    );
    expect(library.listeners.size).toBe(0);
  });
});

test('closing lets a running answer end and refuses the next', async () => {
  const { library, url, server } = await start();
  const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const head = library.head.bind(library);
  library.head = async (key) => {
    asked.resolve();
    await released.promise;
    return head(key);
  };
  const answer = fetch(`${url}/series/abc.ics`);
  await asked.promise;
  running.length = 0;
  const closed = server.close();
  released.resolve();
  expect((await answer).status).toBe(200);
  await closed;
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
});
