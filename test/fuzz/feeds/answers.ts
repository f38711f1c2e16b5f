/** What a hostile publisher may answer, each by a seeded choice: bodies, encodings, drips, pages, ids, clocks, statuses, resets. */

import { Buffer } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import type { Random } from '../../generate/random.ts';
import { hostileItems } from './items.ts';

export interface Asked {
  request: IncomingMessage;
  response: ServerResponse;
  random: Random;
  /** Of this server. */
  base: string;
  /** Counts the requests of this server. */
  turn: number;
  /** An `@id` that another publisher's feed owns. */
  foreign: string;
}

type Headers = Record<string, string | string[]>;

/** Made once: it takes longer than a visit. */
let large: { gzip: Buffer; br: Buffer; bomb: Buffer } | undefined;
function largeBodies(): NonNullable<typeof large> {
  if (large !== undefined) return large;
  // Hexadecimal digits in no order: half their size when compressed, over both limits.
  let state = 1;
  const digits = Buffer.alloc(24_000_000);
  for (let at = 0; at < digits.length; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    digits[at] = '0123456789abcdef'.charCodeAt(state >>> 28);
  }
  const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
  large = {
    gzip: gzipSync(digits, { level: 1 }),
    br: brotliCompressSync(digits, quick),
    bomb: gzipSync(Buffer.alloc(100_000_000), { level: 1 }),
  };
  return large;
}

/** Where the page leads. */
function nextOf({ random, base, turn, request }: Asked): unknown {
  const own = `${base}${request.url}`;
  return random.among<unknown>([
    [8, `${base}/feed?turn=${turn}`],
    [3, own],
    [2, `${base}/feed?turn=${random.int(0, 3)}`],
    [1, `/feed?turn=${turn}`],
    [1, 'file:///etc/passwd'],
    [1, 'http://169.254.169.254/latest'],
    [1, 'http://127.0.0.1:1/feed'],
    [1, `${base}/feed?${'x'.repeat(random.pick([2000, 9000]))}`],
    [1, `${base}/elsewhere?turn=${turn}`],
    [1, random.pick([undefined, null, '', 7, [], {}, 'not an address', ' '])],
  ]);
}

function pageText(asked: Asked): string {
  const { random } = asked;
  const items = random.among<unknown>([
    [8, hostileItems(asked)],
    [3, []],
    [1, random.pick([null, {}, 'items', 7, [null], [[]], [{}], [7, 'x', null, { id: 1 }]])],
  ]);
  const page: Record<string, unknown> = {
    next: nextOf(asked),
    items,
    license: 'https://creativecommons.org/licenses/by/4.0/',
  };
  if (random.chance(0.1))
    page.license = random.pick([null, 7, 'x'.repeat(5000), { '@id': 1 }, `https://evil.example/${random.int(1, 9)}`]);
  return JSON.stringify(page);
}

const deep = (open: string, close: string, depth: number) => `${open.repeat(depth)}${close.repeat(depth)}`;

/** Octets, as they are before any coding. */
function bodyOf(asked: Asked): Buffer {
  const { random } = asked;
  const text = pageText(asked);
  return random.among<() => Buffer>([
    [20, () => Buffer.from(text)],
    [2, () => Buffer.from(text.slice(0, random.int(0, text.length)))],
    [1, () => Buffer.from(`\uFEFF${text}`)],
    [2, () => Buffer.from(text, 'latin1')],
    [1, () => Buffer.from(text, 'utf16le')],
    [2, () => spoiled(Buffer.from(text), random)],
    [1, () => Buffer.from('<!doctype html><title>Just a moment…</title>')],
    [1, () => Buffer.from(random.pick(['', 'null', '[]', '{}', '7', '"', '{"items":[]}', '\u0000', '  \n']))],
    [
      1,
      () =>
        Buffer.from(
          `{"next":"${asked.base}/feed","items":[{"id":1,"state":"updated","kind":"Event","modified":1,"data":${deep('[', ']', random.pick([500, 50_000, 500_000]))}}]}`,
        ),
    ],
    [1, () => Buffer.from(deep('{"a":', '1}', 100_000))],
    [
      1,
      () =>
        Buffer.from(
          text
            .replaceAll(':1', ':1e400')
            .replaceAll('"modified":', `"modified":${'9'.repeat(random.pick([20, 5000]))}`),
        ),
    ],
  ])();
}

function spoiled(bytes: Buffer, random: Random): Buffer {
  for (let count = random.int(1, 20); count > 0; count -= 1)
    bytes[random.int(0, bytes.length - 1)] = random.int(0, 255);
  return bytes;
}

interface Coded {
  bytes: Buffer;
  headers: Headers;
}

function coded(body: Buffer, random: Random): Coded {
  const as = (bytes: Buffer, coding: string | string[]): Coded => ({ bytes, headers: { 'content-encoding': coding } });
  return random.among<() => Coded>([
    [10, () => ({ bytes: body, headers: {} })],
    [5, () => as(gzipSync(body), 'gzip')],
    [3, () => as(brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }), 'br')],
    [1, () => as(deflateSync(body), 'deflate')],
    [1, () => as(zstdCompressSync(body), 'zstd')],
    [1, () => as(gzipSync(gzipSync(body)), ['gzip', 'gzip'])],
    [1, () => as(gzipSync(gzipSync(body)), 'gzip')],
    [1, () => as(body, random.pick(['gzip', 'br', 'x-gzip']))],
    [1, () => as(gzipSync(body).subarray(0, random.int(0, 200)), 'gzip')],
    [1, () => as(Buffer.concat([gzipSync(body), Buffer.from('more')]), 'gzip')],
    [0.4, () => as(largeBodies().gzip, 'gzip')],
    [0.4, () => as(largeBodies().br, 'br')],
    [0.4, () => as(largeBodies().bomb, 'gzip')],
  ])();
}

const date = (at: number) => new Date(at).toUTCString();

/** Clocks that are wrong, caches that lie, validators of all kinds. */
function oddHeaders(random: Random): Headers {
  const headers: Headers = { 'content-type': 'application/json' };
  const odd: [string, string[]][] = [
    ['content-type', ['text/html', 'application/json; charset=klingon', 'application/json; charset=utf-16le', '']],
    ['date', [date(0), date(4e12), 'yesterday', date(Date.now() - 9e9)]],
    ['age', ['0', '31536000', '-1', '9'.repeat(30), 'old']],
    ['cache-control', ['public, max-age=31536000', 'max-age=-1', 'no-store', `max-age=${'9'.repeat(40)}`, ',,,=;']],
    ['expires', [date(4e12), '0', 'never']],
    ['last-modified', [date(4e12), date(0), 'x']],
    ['etag', ['"1"', 'W/"1"', 'none', `"${'e'.repeat(3000)}"`]],
    ['retry-after', ['0', '1', '-5', '99999999999', date(4e12), 'soon']],
  ];
  for (const [name, values] of odd) if (random.chance(0.1)) headers[name] = random.pick(values);
  return headers;
}

/** A page, in whatever form. */
function page(asked: Asked): void {
  const { random, response } = asked;
  const { bytes, headers } = coded(bodyOf(asked), random);
  const all: Headers = { ...oddHeaders(random), ...headers };
  if (random.chance(0.3)) all['content-length'] = String(bytes.length);
  else if (random.chance(0.05)) all['content-length'] = String(random.pick([0, bytes.length + 500, 99_999_999_999]));
  response.strictContentLength = false;
  response.writeHead(200, all);
  const cut = random.chance(0.1) ? random.int(0, bytes.length) : bytes.length;
  if (cut === bytes.length) response.end(bytes);
  else response.write(bytes.subarray(0, cut), () => random.chance(0.5) && response.destroy());
}

/** As slow as it likes, for as long as it likes. */
function drip({ response, random }: Asked): void {
  const piece = Buffer.from(random.pick([' ', '{', '\n', 'x']).repeat(random.pick([1, 1, 65_536])));
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(piece), random.pick([1, 20, 500]));
  response.on('close', () => clearInterval(timer));
}

function status({ response, random, base }: Asked): void {
  const code = random.pick([
    201, 204, 206, 301, 302, 304, 307, 308, 400, 401, 403, 404, 410, 418, 429, 500, 502, 503, 599,
  ]);
  const headers: Headers = oddHeaders(random);
  if (code >= 300 && code < 400 && code !== 304) {
    const to = [
      '/feed',
      `${base}/feed`,
      '//',
      'http://169.254.169.254/',
      'file:///etc/passwd',
      'http://10.0.0.1/',
      '/loop',
      '',
    ];
    headers.location = random.pick(to);
  }
  response.writeHead(code, headers).end(random.chance(0.5) ? '' : 'x'.repeat(random.pick([10, 100_000])));
}

/** What is no HTTP at all, or ends in the middle of it. */
function wire({ request, random }: Asked): void {
  const { socket } = request;
  const bytes = random.pick([
    '',
    'SSH-2.0-OpenSSH_9.2\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    `HTTP/1.1 200 OK\r\n${`X: ${'y'.repeat(1000)}\r\n`.repeat(40)}\r\n`,
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\n\r\n',
    'HTTP/1.1 100 Continue\r\n\r\n'.repeat(50),
    'HTTP/9.9 200\r\n\r\n',
  ]);
  if (random.chance(0.3)) socket.resetAndDestroy();
  else if (random.chance(0.8)) socket.end(bytes);
  else socket.write(bytes);
}

/** One answer, by chance. */
export function answer(asked: Asked): void {
  asked.random.among<(asked: Asked) => void>([
    [24, page],
    [4, status],
    [3, wire],
    [0.5, drip],
    [0.3, () => {}],
  ])(asked);
}
