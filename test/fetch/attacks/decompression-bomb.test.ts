import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { BodyError, BodyTooLargeError } from '../../../src/errors.ts';
import { failure, naming, serve } from '../../harvest/attacks/rig.ts';

const LARGE = Buffer.alloc(50_000_000);
const QUICK = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/** What is small on the wire and huge in memory, in one coding or several. */
describe('a body that decompresses to a thousand times its size', () => {
  test.each([
    ['gzip', gzipSync(LARGE)],
    ['br', brotliCompressSync(LARGE, QUICK)],
  ])('%s stops at the limit', async (coding, bomb) => {
    expect(bomb.length).toBeLessThan(60_000);
    const server = await serve((_request, response) =>
      response.writeHead(200, { 'content-encoding': coding }).end(bomb),
    );
    const error = await failure(naming(server).get(server.url, { bytes: 100_000 }));
    expect(error).toBeInstanceOf(BodyTooLargeError);
    expect(error.message).toContain('more than 100000 bytes');
  });

  test('gzip members one after the other are counted together', async () => {
    const member = gzipSync(Buffer.alloc(60_000));
    const server = await serve((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(Buffer.concat([member, member])),
    );
    expect(await failure(naming(server).get(server.url, { bytes: 100_000 }))).toBeInstanceOf(BodyTooLargeError);
    expect(await naming(server).get(server.url, { bytes: 120_000 })).toMatchObject({ changed: true });
  });
});

describe('codings that were not asked for, and more than one', () => {
  const twice = gzipSync(gzipSync(LARGE));
  const rows: [coding: string, body: Buffer, more?: string][] = [
    ['gzip, gzip', twice],
    ['gzip,gzip,gzip', gzipSync(twice)],
    ['gzip', twice, 'gzip'],
    ['br, gzip', gzipSync(brotliCompressSync(LARGE, QUICK))],
    ['identity, gzip', gzipSync('{}')],
    ['deflate', deflateSync('{}')],
    ['zstd', zstdCompressSync('{}')],
    ['compress', Buffer.from('{}')],
    ['gzip;q=1', gzipSync('{}')],
    ['x'.repeat(1000), Buffer.from('{}')],
  ];
  test.each(rows)('%.20s', async (coding, body, more) => {
    const server = await serve((_request, response) => {
      // The second is a header line of its own.
      response.appendHeader('content-encoding', coding);
      if (more !== undefined) response.appendHeader('content-encoding', more);
      response.end(body);
    });
    const error = await failure(naming(server).get(server.url));
    expect(error).toBeInstanceOf(BodyError);
    expect(error.message).toContain('which was not asked for');
    expect(error.message.length).toBeLessThan(200);
  });

  test('only codings that are undone are asked for', async () => {
    const server = await serve((_request, response) => response.end('{}'));
    await naming(server).get(server.url);
    expect(server.asked[0]?.headers['accept-encoding']).toBe('gzip, br');
  });
});
