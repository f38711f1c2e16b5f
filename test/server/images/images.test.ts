import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Hono } from 'hono';
import { afterEach, describe, expect, it, test } from 'vitest';
import { createClient, octetsAt } from '../../../src/fetch/index.ts';
import { imageAt, imageHash, shownImage } from '../../../src/server/images/address.ts';
import { ImageCache } from '../../../src/server/images/cache.ts';
import { Images } from '../../../src/server/images/images.ts';
import { silent } from '../../../src/server/operations/log.ts';
import { serve, wire } from '../../harvest/attacks/rig.ts';
import { jpeg, png } from './made.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'openactive-ical-'));
  folders.push(made);
  return made;
}

interface Rig {
  /** The status and headers of our own address of the image. */
  ask(init?: RequestInit, path?: string): Promise<Response>;
  clock: { now: number };
  /** What the record shows. */
  shown: { image: string | undefined };
}

function rig(image: string, data?: string, allowPrivate = true, mayFetch?: () => Promise<number | undefined>): Rig {
  const clock = { now: 0 };
  const shown = { image: image as string | undefined };
  const client = createClient({ userAgent: 'test/1', now: () => 0, allowPrivate, limits: { totalMs: 300 } });
  const images = new Images({
    library: { image: async (_kind, key) => (key === 'k1' ? shown.image : undefined) },
    cache: new ImageCache(data),
    download: (url, bytes) => octetsAt(client, url, { bytes }),
    log: silent,
    now: () => clock.now,
  });
  const app = new Hono();
  app.all('*', (c) => {
    const address = imageAt(c.req.path);
    return address === undefined ? new Response('no', { status: 400 }) : images.answer(c, address, mayFetch);
  });
  const own = `/images/series/k1/${imageHash(image)}`;
  return { ask: async (init, path = own) => app.request(path, init), clock, shown };
}

describe('images from our own origin', () => {
  it('are fetched once, and served with what keeps them inert', async () => {
    let asked = 0;
    const server = await serve((_request, response) => {
      asked += 1;
      response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'a=b' }).end(jpeg(640, 400));
    });
    const { ask } = rig(`${server.url}/a.jpg`, folder());
    const [first, beside] = await Promise.all([ask(), ask()]);
    expect([first.status, beside.status, (await ask()).status, asked]).toEqual([200, 200, 200, 1]);
    expect(Object.fromEntries(first.headers)).toEqual({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-length': String(jpeg(640, 400).length),
      'content-security-policy': "default-src 'none'; sandbox",
      'content-type': 'image/jpeg',
      'cross-origin-resource-policy': 'cross-origin',
      etag: `"${imageHash(`${server.url}/a.jpg`)}"`,
      'x-content-type-options': 'nosniff',
    });
    expect(new Uint8Array(await first.arrayBuffer())).toEqual(jpeg(640, 400));
    const head = await ask({ method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect((await ask({ headers: { 'If-None-Match': first.headers.get('etag') ?? '' } })).status).toBe(304);
    expect((await ask({ method: 'POST' })).status).toBe(405);
  });

  it('are only those that stand in the data', async () => {
    const server = await serve((_request, response) => response.end(png(1, 1)));
    const { ask, shown } = rig(`${server.url}/a.png`, folder());
    expect((await ask({}, `/images/series/k2/${imageHash(`${server.url}/a.png`)}`)).status).toBe(404);
    expect((await ask({}, `/images/series/k1/${imageHash(`${server.url}/b.png`)}`)).status).toBe(404);
    expect((await ask()).status).toBe(200);
    shown.image = undefined;
    expect((await ask()).status).toBe(404);
    for (const path of ['/images/series/k1', '/images/other/k1/x', '/images/series/k1/../../etc'])
      expect((await ask({}, path)).status).toBe(400);
  });

  it('tell pages their size once they are there', async () => {
    const server = await serve((_request, response) => response.end(png(640, 400)));
    const data = folder();
    const url = `${server.url}/a.png`;
    const path = `/images/series/k1/${imageHash(url)}`;
    expect(shownImage('series', 'k1', url, data)).toEqual({ path });
    await rig(url, data).ask();
    expect(shownImage('series', 'k1', url, data)).toEqual({ path, width: 640, height: 400 });
    expect(shownImage('series', 'k1', url, undefined)).toEqual({ path });
    expect(shownImage('series', 'k1', 'javascript:alert(1)', data)).toBeUndefined();
  });

  it('are kept in memory where no folder can be written', async () => {
    let asked = 0;
    const server = await serve((_request, response) => {
      asked += 1;
      response.end(png(1, 1));
    });
    const file = join(folder(), 'file');
    writeFileSync(file, '');
    for (const data of [undefined, join(file, 'below')]) {
      const { ask } = rig(`${server.url}/a.png`, data);
      expect([(await ask()).status, (await ask()).status]).toEqual([200, 200]);
    }
    expect(asked).toBe(2);
  });

  it('that cannot be had are not asked for again within the hour', async () => {
    let asked = 0;
    const server = await serve((_request, response) => {
      asked += 1;
      response.writeHead(404).end();
    });
    const { ask, clock } = rig(`${server.url}/a.png`, folder());
    expect([(await ask()).status, (await ask()).status, asked]).toEqual([404, 404, 1]);
    clock.now += 3_600_001;
    await ask();
    expect(asked).toBe(2);
  });

  it('that are held cost their caller nothing', async () => {
    const server = await serve((_request, response) => response.end(png(1, 1)));
    const waits = [undefined, 7];
    const { ask } = rig(`${server.url}/a.png`, folder(), true, async () => waits.shift());
    expect([(await ask()).status, (await ask()).status, waits]).toEqual([200, 200, [7]]);
    const other = rig(`${server.url}/b.png`, folder(), true, async () => 7);
    const refused = await other.ask();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '7']);
  });
});

describe('what is no image, and what is no public address', () => {
  test.each<[name: string, body: Buffer, headers: Record<string, string>]>([
    ['HTML that says it is one', Buffer.from('<script>alert(1)</script>'), { 'content-type': 'image/png' }],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), { 'content-type': 'image/svg+xml' }],
    ['more octets than are allowed', Buffer.concat([png(1, 1), Buffer.alloc(6_000_000)]), {}],
    ['a bomb', gzipSync(Buffer.concat([png(1, 1), Buffer.alloc(50_000_000)])), { 'content-encoding': 'gzip' }],
    ['more pixels than are allowed', Buffer.from(png(60_000, 60_000)), {}],
  ])('%s', async (_name, body, headers) => {
    const server = await serve((_request, response) => response.writeHead(200, headers).end(body));
    const data = folder();
    expect((await rig(`${server.url}/a.png`, data).ask()).status).toBe(404);
    expect(readdirSync(data).filter((name) => !name.startsWith('.'))).toEqual([]);
  });

  it('a compressed image is one', async () => {
    const server = await serve((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(png(1, 1))),
    );
    expect((await rig(`${server.url}/a.png`, folder()).ask()).status).toBe(200);
  });

  it('a private address', async () => {
    let asked = 0;
    const server = await serve((_request, response) => {
      asked += 1;
      response.end(png(1, 1));
    });
    expect((await rig(`${server.url}/a.png`, folder(), false).ask()).status).toBe(404);
    expect(asked).toBe(0);
  });

  it('redirects are followed, and not for ever', async () => {
    const server = await serve((request, response) =>
      request.url === '/a.png' ? response.writeHead(302, { location: '/b.png' }).end() : response.end(png(1, 1)),
    );
    expect((await rig(`${server.url}/a.png`, folder()).ask()).status).toBe(200);
    const loop = await serve((_request, response) => response.writeHead(302, { location: '/a.png' }).end());
    expect((await rig(`${loop.url}/a.png`, folder()).ask()).status).toBe(404);
  });

  it('a body that does not end', async () => {
    const server = await wire((socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\nGIF89a'));
    expect((await rig(`${server.url}/a.png`, folder()).ask()).status).toBe(404);
  });
});

describe('the cache', () => {
  const image = (size: number) => ({ type: 'image/png' as const, width: 1, height: 1, bytes: new Uint8Array(size) });
  const name = (letter: string) => letter.repeat(22);

  it('lets go of what was asked for least lately', async () => {
    const data = folder();
    const cache = new ImageCache(data, { disk: 3500 });
    for (const letter of 'abc') await cache.put(name(letter), image(1000));
    await cache.get(name('a'));
    await cache.put(name('d'), image(1000));
    expect(
      readdirSync(data)
        .filter((one) => !one.startsWith('.'))
        .toSorted(),
    ).toEqual(['a', 'c', 'd'].map(name));
    expect(await cache.get(name('b'))).toBeUndefined();
    expect(await new ImageCache(data, { disk: 3500 }).get(name('a'))).toEqual(image(1000));
  });

  it('fetches anew what somebody else took away or damaged', async () => {
    const data = folder();
    const cache = new ImageCache(data);
    await cache.put(name('a'), image(1));
    await cache.put(name('b'), image(1));
    rmSync(join(data, name('a')));
    writeFileSync(join(data, name('b')), 'x');
    expect([await cache.get(name('a')), await cache.get(name('b'))]).toEqual([undefined, undefined]);
  });
});
