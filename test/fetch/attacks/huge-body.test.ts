import { randomBytes } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { BodyTooLargeError, ConnectionError } from '../../../src/errors.ts';
import { createHostQueue } from '../../../src/fetch/host-queue.ts';
import { createDiscovery } from '../../../src/harvest/discovery/discover.ts';
import { LIMITS } from '../../../src/limits.ts';
import { crawling, failure, naming, serve, wire } from '../../harvest/attacks/rig.ts';

const CODERS = [
  ['gzip', gzipSync],
  ['br', (text: string) => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } })],
] as const;

/** An answer larger than anything real, or without end. */
describe('a body', () => {
  test('of more bytes than allowed, announced or not; exactly as many are taken', async () => {
    const server = await serve((request, response) => {
      if (request.url === '/announced') response.setHeader('content-length', 5000);
      response.end('x'.repeat(5000));
    });
    for (const path of ['/announced', '/chunked']) {
      expect(await failure(naming(server).get(server.url + path, { bytes: 4999 }))).toBeInstanceOf(BodyTooLargeError);
      expect(await naming(server).get(server.url + path, { bytes: 5000 })).toMatchObject({ changed: true });
    }
  });

  test('without end is let go of as soon as it is too large', async () => {
    let sent = 0;
    const server = await serve((_request, response) => {
      const piece = Buffer.alloc(64 * 1024, 0x20);
      const more = () => {
        while (!response.destroyed && response.write(piece)) sent += piece.length;
      };
      response.on('drain', more);
      more();
    });
    expect(await failure(naming(server).get(server.url, { bytes: 1_000_000 }))).toBeInstanceOf(BodyTooLargeError);
    // What stood in buffers on the way, and no more.
    expect(sent).toBeLessThan(20_000_000);
  });

  test('that announces little and sends much, and the other way round', async () => {
    const much = await wire((socket) =>
      socket.end(`HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}${'x'.repeat(10_000)}`),
    );
    expect(await naming(much).get(much.url)).toMatchObject({ text: '{}' });
    const little = await wire((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{}'));
    expect(await failure(naming(little).get(little.url))).toBeInstanceOf(ConnectionError);
  });

  test.each(CODERS)(
    'that is large still when it is compressed (%s) is decoded as it comes, up to the limit',
    async (coding, compress) => {
      const text = randomBytes(LIMITS.codedBytes).toString('hex');
      const body = compress(text);
      expect(body.length).toBeGreaterThan(LIMITS.codedBytes);
      const server = await serve((_request, response) =>
        response.writeHead(200, { 'content-encoding': coding }).end(body),
      );
      expect(await naming(server).get(server.url, { bytes: text.length })).toMatchObject({ text });
      expect(await failure(naming(server).get(server.url, { bytes: text.length - 1 }))).toBeInstanceOf(
        BodyTooLargeError,
      );
      const cut = await serve((_request, response) =>
        response.writeHead(200, { 'content-encoding': coding }).end(body.subarray(0, -100)),
      );
      expect((await failure(naming(cut).get(cut.url))).message).toContain('the body does not decompress');
    },
  );

  test.each(CODERS)(
    'that is over the limit both ways, with much left to read (%s): a feed hung on it for ever',
    async (coding, compress) => {
      const body = compress(randomBytes(3 * LIMITS.codedBytes).toString('hex'));
      const server = await serve((_request, response) =>
        response.writeHead(200, { 'content-encoding': coding, 'content-length': body.length }).end(body),
      );
      const error = await failure(naming(server).get(server.url, { bytes: 2 * LIMITS.codedBytes }));
      expect(error).toBeInstanceOf(BodyTooLargeError);
      expect(error.message).toBe(
        `${server.url}/: the body is too large: ${body.length} bytes of ${coding === 'br' ? 'brotli' : coding} that decode to more than ${2 * LIMITS.codedBytes} bytes, the most that is read`,
      );
    },
  );

  test('is named with its size, and not read where it says itself that it is too large', async () => {
    let written = 0;
    const server = await serve((request, response) => {
      if (request.url === '/announced') response.setHeader('content-length', 50_000_000);
      if (request.url === '/coded') response.setHeader('content-encoding', 'gzip');
      if (request.url === '/coded') response.end(gzipSync('x'.repeat(5000)));
      else response.write('x'.repeat(5000), () => written++);
    });
    const words = async (path: string) =>
      (await failure(naming(server).get(server.url + path, { bytes: 4999 }))).message.slice(server.url.length);
    expect(await words('/announced')).toBe(
      '/announced: the body is too large: 50000000 bytes (Content-Length), more than 4999 bytes, the most that is read',
    );
    expect(await words('/plain')).toBe('/plain: the body is too large: more than 4999 bytes, the most that is read');
    expect(await words('/coded')).toBe(
      `/coded: the body is too large: ${gzipSync('x'.repeat(5000)).length} bytes of gzip that decode to more than 4999 bytes, the most that is read`,
    );
    expect(written).toBe(2);
  });

  test('headers without end', async () => {
    const server = await wire((socket) =>
      socket.end(`HTTP/1.1 200 OK\r\n${`X: ${'y'.repeat(1000)}\r\n`.repeat(100)}\r\n`),
    );
    expect((await failure(naming(server).get(server.url))).message).toContain('the answer has too many headers');
  });

  test('of a redirect or an error is not read at all', async () => {
    const server = await serve((request, response) => {
      if (request.url === '/end') response.end('{}');
      else response.writeHead(302, { location: '/end' }).write('x'.repeat(1_000_000));
    });
    expect(await naming(server).get(server.url, { bytes: 10 })).toMatchObject({ text: '{}' });
  });
});

test('a page of a feed that is too large leaves what is known as it is', async () => {
  const server = await serve((_request, response) => response.end(`{"items": [], "x": "${'x'.repeat(100_000)}"}`));
  const { crawl, ingest } = crawling(server, { limits: { bytes: 50_000 } });
  await expect(crawl()).rejects.toBeInstanceOf(BodyTooLargeError);
  expect(ingest.commits).toEqual([]);
});

test('a dataset site that is too large is one sentence', async () => {
  const server = await serve((_request, response) => response.end(' '.repeat(LIMITS.sitePageBytes + 1)));
  const options = {
    client: naming(server),
    queue: createHostQueue(),
    now: () => 0,
    random: () => 0,
    sleep: async () => {},
  };
  const discovery = createDiscovery({ ...options, roots: [server.url], signal: new AbortController().signal });
  const { problems } = await discovery.discover('due');
  expect(problems).toEqual([
    `${server.url}/: the body is too large: ${LIMITS.sitePageBytes + 1} bytes (Content-Length), more than ${LIMITS.sitePageBytes} bytes, the most that is read`,
  ]);
});
