import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  BodyError,
  ConnectionError,
  type FetchError,
  RedirectError,
  RefusedAddressError,
  StatusError,
} from '../../src/errors.ts';
import { retryAfter } from '../../src/fetch/freshness.ts';
import { failure, NOW, naming, serve, wire } from '../harvest/attacks/rig.ts';

/** What a request gives, and how it fails in words. Attacks have their own folder. */

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

  test('a percent sign of a password that encodes nothing is part of it', async () => {
    const server = await serve((_request, response) => response.end('{}'));
    await naming(server).get(`${server.url.replace('//', '//user:100%@')}/feed`, {});
    const [asked] = server.asked;
    expect(asked?.headers.authorization).toBe(`Basic ${Buffer.from('user:100%').toString('base64')}`);
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
    expect((await failure(naming(server).get(server.url))).message).toContain('connection refused');
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

  test.each([
    ['no address', {}],
    ['an address that is none', { location: 'http://[' }],
  ])('%s', async (_name, headers) => {
    const server = await serve((_request, response) => response.writeHead(302, headers).end());
    expect(await failure(naming(server).get(server.url))).toBeInstanceOf(RedirectError);
  });

  test.each([
    ['http://10.1.2.3/feed?key=hush', 'http://10.1.2.3/feed?key=***: is not a public address'],
    ['ftp://files.example/feed', 'ftp://files.example/feed: only http and https addresses are fetched'],
  ])('to where nobody goes are reported with the address that led there: %s', async (location, words) => {
    const server = await serve((_request, response) => response.writeHead(302, { location }).end());
    const error = (await failure(naming(server).get(server.url))) as Error;
    expect(error).toBeInstanceOf(RefusedAddressError);
    expect(error.message).toContain(`${server.url}/: redirects to ${words}`);
  });
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
