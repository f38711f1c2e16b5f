import { describe, expect, test } from 'vitest';
import { RefusedAddressError } from '../../../src/errors.ts';
import { codesOf, idsOf, pageText } from '../memory.ts';
import { crawling, serve } from './rig.ts';

/** A `next` that leads to another server, to itself or in a circle (the paths of one page are in feed/next-page.test.ts). */
describe('another origin', () => {
  const spellings = [
    'http://127.0.0.1:$/feed',
    'http://localhost:$/feed',
    '//127.1:$/feed',
    'http://me:pw@0x7f000001:$/x',
    'http:\\\\127.0.0.1:$/x',
  ];
  test.each(spellings)('%s is not followed, and gets no key', async (next) => {
    const other = await serve((_request, response) => response.end(pageText(['secret'], 'x')));
    const server = await serve((_request, response) =>
      response.end(pageText([1], next.replace('$', String(other.port)))),
    );
    const { crawl, ingest } = crawling(server);
    const pass = await crawl();
    expect(pass).toMatchObject({
      end: false,
      items: 1,
      stuck: `"next" leads to another server (127.0.0.1:${other.port})`.replace(
        '127.0.0.1',
        next.includes('localhost') ? 'localhost' : '127.0.0.1',
      ),
    });
    expect(codesOf(ingest)).toContain('next-other-origin');
    expect(other.asked).toEqual([]);
  });

  test('that stands in the store, however it came there, gets none of the feed’s headers', async () => {
    const other = await serve((_request, response) => response.end(pageText([], '/feed')));
    const server = await serve((_request, response) => response.end());
    const { crawl, ingest } = crawling(server, { allowPrivate: true });
    ingest.cursors.set(`${server.url}/feed`, `${other.url}/feed`);
    await crawl();
    expect(other.asked).toHaveLength(1);
    expect(other.asked[0]?.headers).not.toHaveProperty('x-key');
    const guarded = crawling(server);
    guarded.ingest.cursors.set(`${server.url}/feed`, `${other.url}/feed`);
    await expect(guarded.crawl()).rejects.toBeInstanceOf(RefusedAddressError);
    expect(other.asked).toHaveLength(1);
  });

  test('behind a redirect of the feed’s own server', async () => {
    const other = await serve((_request, response) => response.end(pageText(['secret'], 'x')));
    const server = await serve((request, response) => {
      if (request.url === '/feed') response.end(pageText([1], '/page2'));
      else response.writeHead(301, { location: `${other.url}/page2` }).end();
    });
    const { crawl, ingest } = crawling(server);
    await expect(crawl()).rejects.toBeInstanceOf(RefusedAddressError);
    expect(idsOf(ingest)).toEqual(['1']);
    expect(other.asked).toEqual([]);
  });
});

describe('without end', () => {
  test('a next that is new for ever stops at the most pages, its items kept', async () => {
    let pages = 0;
    const server = await serve((_request, response) => {
      pages += 1;
      response.end(pageText([pages], `?p=${pages}`));
    });
    const { crawl, ingest } = crawling(server);
    expect(await crawl({ maxPages: 20 })).toMatchObject({
      pages: 20,
      end: false,
      stuck: 'not at its end after 20 pages',
    });
    expect(idsOf(ingest)).toHaveLength(20);
    // The page after the last is asked for ahead, and no other.
    expect(server.asked.length).toBeLessThanOrEqual(21);
  });

  test('a circle is left at the first page that comes again', async () => {
    const server = await serve((request, response) => {
      const at = Number(new URL(request.url ?? '', 'http://x').searchParams.get('p') ?? 0);
      response.end(pageText([at], `?p=${(at % 5) + 1}`));
    });
    const { crawl, ingest } = crawling(server);
    expect(await crawl()).toMatchObject({ end: false, stuck: '"next" leads back to an earlier page' });
    expect(idsOf(ingest)).toEqual(['0', '1', '2', '3', '4', '5']);
    expect(codesOf(ingest)).toContain('next-cycle');
  });

  test('an address longer than any server takes: as the cursor it would end the feed for good', async () => {
    const server = await serve((_request, response) => response.end(pageText([1], `?p=${'x'.repeat(10_000)}`)));
    const { crawl, ingest } = crawling(server);
    const stuck = '"next" has more than 8192 characters';
    for (const asked of [1, 2]) {
      expect(await crawl()).toMatchObject({ end: false, stuck });
      expect(server.asked).toHaveLength(asked);
    }
    expect(server.asked.map(({ url }) => url)).toEqual(['/feed', '/feed']);
    expect(idsOf(ingest)).toEqual(['1', '1']);
  });
});
