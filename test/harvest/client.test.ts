import type { LookupFunction, Socket } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import {
  BodyError,
  BodyTooLargeError,
  ConnectionError,
  FetchError,
  FetchTimeoutError,
  RedirectError,
  RefusedAddressError,
  StatusError,
} from '../../src/errors.ts';
import { type Client, type ClientOptions, createClient } from '../../src/harvest/client.ts';
import { retryAfter } from '../../src/harvest/fresh.ts';
import { type FaultServer, faultServer, wireServer } from './faults.ts';

const NOW = Date.UTC(2026, 4, 1, 12);
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function serve(handler: Parameters<typeof faultServer>[0]) {
  const server = await faultServer(handler);
  closing.push(server.close);
  return server;
}

async function wire(onData: (socket: Socket) => void) {
  const server = await wireServer(onData);
  closing.push(server.close);
  return server;
}

function client(options: Partial<ClientOptions> = {}): Client {
  const made = createClient({ userAgent: 'test/1', now: () => NOW, ...options });
  closing.push(made.close);
  return made;
}

/** A client for which this server is one the operator named. */
const naming = (server: FaultServer, options: Partial<ClientOptions> = {}) =>
  client({ named: [`${server.url}/feed`], ...options });

async function failure(promise: Promise<unknown>): Promise<FetchError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof FetchError) return error;
    throw error;
  }
  throw new Error('it did not fail');
}

describe('what comes back', () => {
  test('text, type, validators and the address it came from', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, {
        'content-type': 'application/json',
        etag: '"1"',
        'last-modified': 'Fri, 01 May 2026 11:00:00 GMT',
      });
      response.end('{"items":"✓"}');
    });
    expect(await naming(server).get(`${server.url}/feed`)).toEqual({
      changed: true,
      url: `${server.url}/feed`,
      text: '{"items":"✓"}',
      contentType: 'application/json',
      etag: '"1"',
      lastModified: 'Fri, 01 May 2026 11:00:00 GMT',
    });
  });

  const codings: [string, (text: string) => Buffer][] = [
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['GZIP', gzipSync],
    ['br', brotliCompressSync],
    ['identity', Buffer.from],
  ];
  test.each(codings)('a body encoded as %s', async (coding, encode) => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': coding });
      response.end(encode('hello'));
    });
    expect(await naming(server).get(server.url)).toMatchObject({ text: 'hello' });
  });

  test('a charset other than UTF-8 is honoured, an unknown one is UTF-8, a byte order mark goes', async () => {
    const server = await serve((request, response) => {
      response.writeHead(200, { 'content-type': `application/json; charset=${request.url?.slice(1)}` });
      response.end(request.url === '/latin1' ? Buffer.from('é', 'latin1') : '\uFEFFé');
    });
    const one = naming(server);
    expect(await one.get(`${server.url}/latin1`)).toMatchObject({ text: 'é' });
    expect(await one.get(`${server.url}/klingon`)).toMatchObject({ text: 'é' });
  });

  test('a conditional request, answered 304', async () => {
    const server = await serve((_request, response) => response.writeHead(304).end());
    const got = await naming(server).get(server.url, { etag: '"1"', lastModified: 'yesterday' });
    expect(got).toEqual({ changed: false, url: `${server.url}/` });
    expect(server.asked[0]?.headers).toMatchObject({ 'if-none-match': '"1"', 'if-modified-since': 'yesterday' });
  });

  test('who asks says so, and asks for one coding at most', async () => {
    const server = await serve((_request, response) => response.end('{}'));
    await naming(server).get(`${server.url.replace('//', '//us%20er:pass@')}/feed?a=1#part`, {
      headers: { 'X-Key': 'k' },
    });
    const [asked] = server.asked;
    expect(asked?.url).toBe('/feed?a=1');
    expect(asked?.headers).toMatchObject({ 'user-agent': 'test/1', 'accept-encoding': 'gzip, br', 'x-key': 'k' });
    expect(asked?.headers.authorization).toBe(`Basic ${Buffer.from('us er:pass').toString('base64')}`);
  });
});

describe('answers that are refused', () => {
  const statuses: [number, Record<string, string>, number | undefined][] = [
    [404, {}, undefined],
    [503, { 'retry-after': '120' }, 120_000],
    [429, { 'retry-after': 'Fri, 01 May 2026 12:01:00 GMT' }, 60_000],
    [500, { 'retry-after': 'soon' }, undefined],
    [204, {}, undefined],
    [206, {}, undefined],
    [304, {}, undefined],
  ];
  test.each(statuses)('status %i', async (status, headers, wait) => {
    const server = await serve((_request, response) => response.writeHead(status, headers).end());
    const error = (await failure(naming(server).get(server.url))) as StatusError;
    expect(error).toBeInstanceOf(StatusError);
    expect(error).toMatchObject({ status, retryAfter: wait, message: `${server.url}/: the server answered ${status}` });
  });

  test('more bytes than allowed, announced or not', async () => {
    const server = await serve((request, response) => {
      if (request.url === '/announced') response.setHeader('content-length', 5000);
      response.end('x'.repeat(5000));
    });
    for (const path of ['/announced', '/chunked']) {
      expect(await failure(naming(server).get(server.url + path, { bytes: 4999 }))).toBeInstanceOf(BodyTooLargeError);
      expect(await naming(server).get(server.url + path, { bytes: 5000 })).toMatchObject({ changed: true });
    }
  });

  test('a small body that decompresses to a huge one stops at the limit', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    const server = await serve((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    );
    expect(bomb.length).toBeLessThan(60_000);
    expect(await failure(naming(server).get(server.url, { bytes: 100_000 }))).toBeInstanceOf(BodyTooLargeError);
  });

  test.each(['gzip, gzip', 'br,gzip', 'deflate', 'zstd', 'compress'])('a body encoded as %s', async (coding) => {
    const server = await serve((_request, response) =>
      response.writeHead(200, { 'content-encoding': coding }).end('x'),
    );
    expect(await failure(naming(server).get(server.url))).toBeInstanceOf(BodyError);
  });

  test('gzip that is none, and gzip that ends early', async () => {
    const whole = gzipSync('hello '.repeat(1000));
    const server = await serve((request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(request.url === '/none' ? 'hello' : whole.subarray(0, whole.length / 2));
    });
    for (const path of ['/none', '/half']) {
      const error = await failure(naming(server).get(server.url + path));
      expect(error).toBeInstanceOf(BodyError);
      expect(error.message).toContain('does not decompress');
    }
  });
});

describe('servers that misbehave on the wire', () => {
  const wires: [string, string, typeof FetchError, string][] = [
    ['not HTTP', 'SSH-2.0-OpenSSH_9.2\r\n', ConnectionError, 'the answer is not HTTP'],
    ['nothing at all', '', ConnectionError, 'the server closed the connection early'],
    [
      'a body shorter than announced',
      'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf',
      ConnectionError,
      'the server closed the connection early',
    ],
    [
      'a chunked body without its end',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n',
      ConnectionError,
      'the server closed the connection early',
    ],
    [
      'headers without end',
      `HTTP/1.1 200 OK\r\nX: ${'y'.repeat(40_000)}\r\n`,
      ConnectionError,
      'the answer has too many headers',
    ],
  ];
  test.each(wires)('%s', async (_name, bytes, type, words) => {
    const server = await wire((socket) => socket.end(bytes));
    const error = await failure(naming(server).get(server.url));
    expect(error).toBeInstanceOf(type);
    expect(error.message).toBe(`${server.url}/: ${words}`);
    expect(error.transient).toBe(true);
  });

  test('nobody listens', async () => {
    const server = await wire(() => {});
    await server.close();
    closing.pop();
    expect((await failure(naming(server).get(server.url))).message).toContain('connection refused');
  });

  test('no answer in time', async () => {
    const server = await wire(() => {});
    const one = naming(server, { limits: { headersMs: 50 } });
    expect(await failure(one.get(server.url))).toBeInstanceOf(FetchTimeoutError);
  });

  test('a body that stops coming', async () => {
    const server = await wire((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'));
    const error = await failure(naming(server, { limits: { idleMs: 50 } }).get(server.url));
    expect(error).toBeInstanceOf(FetchTimeoutError);
    expect(error.message).toContain('the body stopped coming');
  });

  test('a body that drips for ever ends at the total time', async () => {
    const server = await wire((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const drip = setInterval(() => socket.write('x'), 10);
      socket.on('close', () => clearInterval(drip));
    });
    const error = await failure(naming(server, { limits: { totalMs: 150 } }).get(server.url));
    expect(error).toBeInstanceOf(FetchTimeoutError);
    expect(error.message).toContain('not complete after 0.15 s');
  });

  test('the caller stops it, before and while it runs', async () => {
    const server = await wire((socket) => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
    const stop = new AbortController();
    const running = naming(server).get(server.url, { signal: stop.signal });
    stop.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
    await expect(naming(server).get(server.url, { signal: stop.signal })).rejects.toThrow('enough');
  });
});

describe('redirects', () => {
  test.each([301, 302, 303, 307, 308])('%i to a relative address is followed', async (status) => {
    const server = await serve((request, response) => {
      if (request.url === '/new?x=1') response.end('there');
      else response.writeHead(status, { location: 'new?x=1' }).end('moved');
    });
    expect(await naming(server).get(`${server.url}/old`)).toMatchObject({
      text: 'there',
      url: `${server.url}/new?x=1`,
    });
  });

  test('five hops are followed, a sixth is not, nor a circle', async () => {
    const server = await serve((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end('there');
      else response.writeHead(302, { location: `/${left > 9 ? left : left - 1}` }).end();
    });
    expect(await naming(server).get(`${server.url}/5`)).toMatchObject({ text: 'there' });
    expect(await failure(naming(server).get(`${server.url}/6`))).toBeInstanceOf(RedirectError);
    expect(await failure(naming(server).get(`${server.url}/10`))).toBeInstanceOf(RedirectError);
  });

  test.each([
    ['no address', {}],
    ['an address that is none', { location: 'http://[' }],
  ])('%s', async (_name, headers) => {
    const server = await serve((_request, response) => response.writeHead(302, headers).end());
    expect(await failure(naming(server).get(server.url))).toBeInstanceOf(RedirectError);
  });

  test.each(['file:///etc/passwd', 'ftp://example.org/', 'gopher://127.0.0.1/', 'data:,x'])(
    'to %s',
    async (location) => {
      const server = await serve((_request, response) => response.writeHead(302, { location }).end());
      expect(await failure(naming(server).get(server.url))).toBeInstanceOf(RefusedAddressError);
    },
  );

  test("the operator's headers and password stay at their origin", async () => {
    const other = await serve((_request, response) => response.end('{}'));
    const first = await serve((request, response) => {
      if (request.url === '/a') response.writeHead(302, { location: '/b' }).end();
      else response.writeHead(302, { location: `${other.url.replace('//', '//x:y@')}/c` }).end();
    });
    const one = client({ named: [first.url, other.url] });
    await one.get(`${first.url.replace('//', '//me:pw@')}/a`, { headers: { 'X-Key': 'k', Cookie: 'c' } });
    expect(first.asked[1]?.headers).toMatchObject({ 'x-key': 'k', cookie: 'c', authorization: expect.any(String) });
    expect(Object.keys(other.asked[0]?.headers ?? {})).toEqual(
      expect.not.arrayContaining(['x-key', 'cookie', 'authorization']),
    );
  });
});

describe('addresses that are not public', () => {
  /** A resolver for which every name is where the test says. */
  const resolving =
    (...addresses: string[]): LookupFunction =>
    (_host, options, done) => {
      const all = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
      if (options.all) done(null, all);
      else done(null, addresses[0] as string, 4);
    };

  test.each(['127.0.0.1', '127.1', '2130706433', '0x7f.1', '[::ffff:7f00:1]', '[::1]', 'localhost'])(
    '%s is refused unless named',
    async (host) => {
      const server = await serve((_request, response) => response.end('secret'));
      const error = await failure(client().get(`http://${host}:${server.port}/`));
      expect(error).toBeInstanceOf(RefusedAddressError);
      expect(error.transient).toBe(false);
      expect(server.asked).toEqual([]);
    },
  );

  test.each([['127.0.0.1'], ['8.8.8.8', '10.0.0.1'], ['::ffff:127.0.0.1'], ['169.254.169.254']])(
    'a name that resolves to %s',
    async (...addresses) => {
      const error = await failure(client({ lookup: resolving(...addresses) }).get('http://innocent.example/x'));
      expect(error).toBeInstanceOf(RefusedAddressError);
      expect(error.message).toMatch(/^http:\/\/innocent.example\/x: is not a public address/);
    },
  );

  test('a named origin is reached as named, but only exactly that one', async () => {
    const server = await serve((_request, response) => response.end('{}'));
    const other = await serve((_request, response) => response.end('secret'));
    server.handler = (_request, response) => response.writeHead(302, { location: other.url }).end();
    expect(await failure(naming(server).get(server.url))).toBeInstanceOf(RefusedAddressError);
    expect(await failure(naming(server).get(`http://localhost:${server.port}/`))).toBeInstanceOf(RefusedAddressError);
    expect(other.asked).toEqual([]);
    expect(await naming(server, { allowPrivate: true }).get(server.url)).toMatchObject({ text: 'secret' });
  });

  test.each([
    'file:///etc/passwd',
    'webcal://example.org/',
    'javascript:1',
    'no address',
    '',
    `http://a.example/${'x'.repeat(9000)}`,
  ])('%.40s', async (address) => {
    expect(await failure(client({ allowPrivate: true }).get(address))).toBeInstanceOf(RefusedAddressError);
  });
});

test('no error shows a key, a password or a header', async () => {
  const server = await serve((_request, response) => response.writeHead(500).end());
  const url = `${server.url.replace('//', '//me:hunter2@')}/feed?apiKey=hunter2&page=2`;
  const status = await failure(naming(server).get(url, { headers: { Authorization: 'hunter2' } }));
  const header = await failure(naming(server).get(url, { headers: { 'X-Key': 'hunter2\r\nX-Evil: 1' } }));
  for (const error of [status, header]) {
    expect(error.message).toContain(`${server.url}/feed?apiKey=***&page=2`);
    expect(error.stack + JSON.stringify(error) + String(error.cause)).not.toContain('hunter2');
  }
});

test('Retry-After in every form', () => {
  const rows: [string | undefined, number | undefined][] = [
    [undefined, undefined],
    ['0', 0],
    [' 30 ', 30_000],
    ['99999999', 86_400_000],
    ['Fri, 01 May 2026 13:00:00 GMT', 3_600_000],
    ['Fri, 01 May 2020 13:00:00 GMT', 0],
    ['-5', undefined],
    ['later', undefined],
    ['9'.repeat(5000), undefined],
  ];
  for (const [text, expected] of rows) expect(retryAfter(text, NOW), text?.slice(0, 40) ?? 'none').toBe(expected);
});
