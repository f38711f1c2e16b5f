import { randomBytes } from 'node:crypto';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { BodyTooLargeError, ConnectionError } from '../../../src/errors.ts';
import { createDiscovery } from '../../../src/harvest/discovery/discover.ts';
import { createGate } from '../../../src/harvest/gate.ts';
import { LIMITS } from '../../../src/limits.ts';
import { crawling, failure, naming, serve, wire } from './rig.ts';

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
    const little = await wire((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n{}'));
    expect(await failure(naming(little).get(little.url))).toBeInstanceOf(ConnectionError);
  });

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ])(
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
  const options = { client: naming(server), gate: createGate(), now: () => 0, random: () => 0, sleep: async () => {} };
  const discovery = createDiscovery({ ...options, roots: [server.url], signal: new AbortController().signal });
  const { problems } = await discovery.look('due');
  expect(problems).toEqual([`${server.url}/: more than ${LIMITS.sitePageBytes} bytes`]);
});
