import type { RequestListener } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, test } from 'vitest';
import { BodyTooLargeError, StatusError } from '../../../src/errors.ts';
import { createClient } from '../../../src/fetch/client.ts';
import { createHostQueue } from '../../../src/fetch/host-queue.ts';
import { type CrawlOptions, crawlOnce, type Feed, type Pass } from '../../../src/harvest/feed/crawl.ts';
import { httpSource } from '../../../src/harvest/feed/http-source.ts';
import type { FeedSource, FetchedPage, Unchanged } from '../../../src/harvest/feed/source.ts';
import { PageError, parsePage } from '../../../src/opportunity/page/page.ts';
import { faultServer } from '../ingest/faults.ts';
import { codesOf, idsOf, type MemoryIngest, memoryIngest, pageText, sleeper } from '../memory.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

type Answers = Record<string, string | RequestListener>;

interface Lab {
  url: string;
  answers: Answers;
  asked(): string[];
  headers(): Record<string, unknown>[];
  ingest: MemoryIngest;
  crawl(options?: Partial<CrawlOptions>): Promise<Pass>;
  slept: number[];
}

/** A server of pages by path, and a feed at its `/feed`; `$` in an answer stands for the server's address. */
async function lab(answers: Answers, headers?: Record<string, string>): Promise<Lab> {
  const server = await faultServer((request, response) => {
    const answer = answers[request.url ?? ''];
    if (typeof answer === 'function') answer(request, response);
    else if (answer === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': 'application/json' }).end(answer.replaceAll('$', server.url));
  });
  const client = createClient({ userAgent: 'test/1', now: () => 0, named: [server.url], limits: { bytes: 100_000 } });
  closing.push(server.close, () => client.close());
  const source = httpSource({ url: `${server.url}/feed`, headers, client, queue: createHostQueue(), named: new Set() });
  const feed: Feed = { source, meta: {} };
  const ingest = memoryIngest();
  const { slept, sleep } = sleeper();
  return {
    url: server.url,
    answers,
    asked: () => server.asked.map(({ url }) => url ?? ''),
    headers: () => server.asked.map(({ headers }) => headers),
    ingest,
    crawl: (options) => crawlOnce(feed, { ingest, sleep, random: () => 0.5, ...options }),
    slept,
  };
}

const three = (): Answers => ({
  '/feed': pageText([1, 2], '$/feed?p=2'),
  '/feed?p=2': pageText([], '$/feed?p=3'),
  '/feed?p=3': pageText([3], '$/feed?p=4'),
  '/feed?p=4': pageText([], '$/feed?p=4'),
});

describe('a feed that behaves', () => {
  test('is read to its real end, past an empty page', async () => {
    const { crawl, ingest, asked, url } = await lab(three());
    expect(await crawl()).toEqual({ pages: 4, items: 3, kept: 3, deleted: 0, findings: 1, end: true });
    expect(asked()).toEqual(['/feed', '/feed?p=2', '/feed?p=3', '/feed?p=4']);
    expect(idsOf(ingest)).toEqual(['1', '2', '3']);
    expect(ingest.commits.map(({ cursor }) => cursor.replace(url, ''))).toEqual([
      '/feed?p=2',
      '/feed?p=3',
      '/feed?p=4',
    ]);
  });

  test('is asked for news where it ended, and nothing is written while there is none', async () => {
    const { crawl, ingest, asked, answers } = await lab(three());
    await crawl();
    expect(await crawl()).toMatchObject({ pages: 1, items: 0, end: true });
    answers['/feed?p=4'] = pageText([4], '$/feed?p=5');
    answers['/feed?p=5'] = pageText([], '$/feed?p=5');
    expect(await crawl()).toMatchObject({ pages: 2, items: 1, end: true });
    expect(asked().slice(4)).toEqual(['/feed?p=4', '/feed?p=4', '/feed?p=5']);
    expect(idsOf(ingest)).toEqual(['1', '2', '3', '4']);
  });

  test('is asked with its validators at the end, and believes a 304', async () => {
    const answers = three();
    answers['/feed?p=4'] = (request, response) => {
      if (request.headers['if-none-match'] === '"4"') response.writeHead(304).end();
      else response.writeHead(200, { etag: '"4"' }).end(pageText([], `http://${request.headers.host}/feed?p=4`));
    };
    const { crawl, headers } = await lab(answers);
    await crawl();
    expect(await crawl()).toMatchObject({ pages: 0, end: true });
    expect(headers().map((one) => one['if-none-match'])).toEqual([undefined, undefined, undefined, undefined, '"4"']);
  });

  test('of empty pages with an ever-new next ends with a finding, and goes on there at the next visit', async () => {
    const answers = new Proxy<Answers>(
      {},
      {
        get: (_, path: string) => {
          const page = Number(/\d+$/.exec(path)?.[0] ?? 0);
          return pageText(page === 250 ? [1] : [], `$/feed?p=${page + 1}`);
        },
      },
    );
    const { crawl, ingest, asked } = await lab(answers);
    const words = '100 pages in a row without items lead on and on';
    for (const pages of [100, 200]) {
      expect(await crawl()).toMatchObject({ pages: 100, items: 0, end: false, stuck: words });
      expect(asked()).toHaveLength(pages);
    }
    expect(codesOf(ingest).filter((code) => code === 'empty-pages-in-a-row')).toHaveLength(2);
    // Those before the page with the item, and a hundred after it.
    expect(await crawl()).toMatchObject({ pages: 151, items: 1, end: false, stuck: words });
  });

  test('of one empty page has its cursor stored once', async () => {
    const { crawl, ingest } = await lab({ '/feed': pageText([], '$/feed') });
    expect(await crawl()).toMatchObject({ pages: 1, items: 0, end: true });
    expect(await crawl()).toMatchObject({ pages: 1, items: 0, end: true });
    expect(ingest.commits).toHaveLength(1);
  });

  test('tells its progress page by page', async () => {
    const { crawl } = await lab(three());
    const seen: number[] = [];
    await crawl({ onPage: (_feed, sums) => seen.push(sums.items) });
    expect(seen).toEqual([2, 2, 3, 3]);
  });

  test('tells when it is read, though its pages are yet to be committed', async () => {
    const { crawl, ingest, asked } = await lab(three());
    const commit = ingest.commit;
    const [read, written] = [Promise.withResolvers<number>(), Promise.withResolvers<void>()];
    ingest.full = () => false;
    ingest.commit = async (feed, page, cursor) => {
      await written.promise;
      return commit(feed, page, cursor);
    };
    const pass = crawl({ onRead: () => read.resolve(ingest.commits.length) });
    expect(await read.promise).toBe(0);
    expect(asked()).toHaveLength(4);
    written.resolve();
    expect(await pass).toMatchObject({ pages: 4, kept: 3, end: true });
  });

  test('gets the headers of its operator', async () => {
    const { crawl, headers } = await lab(three(), { 'X-Key': 'k' });
    await crawl();
    expect(headers().every((one) => one['x-key'] === 'k')).toBe(true);
  });
});

describe('a feed that leads nowhere stops, with its items kept and a finding', () => {
  const rows: [string, Answers, string[], string[], string][] = [
    [
      'a page with items that names itself',
      { '/feed': pageText([1], '$/feed') },
      ['1'],
      ['next-page-not-current-page'],
      '/feed',
    ],
    [
      'a circle of three',
      {
        '/feed': pageText([1], '$/feed?b'),
        '/feed?b': pageText([2], '$/feed?c'),
        '/feed?c': pageText([3], '$/feed?d'),
        '/feed?d': pageText([4], '$/feed?b'),
      },
      ['1', '2', '3', '4'],
      ['next-cycle'],
      '/feed?d',
    ],
    [
      'a circle of empty pages',
      { '/feed': pageText([1], '$/feed?a'), '/feed?a': pageText([], '$/feed?b'), '/feed?b': pageText([], '$/feed?a') },
      ['1'],
      ['empty-page-not-last', 'empty-page-not-last', 'next-cycle'],
      '/feed?b',
    ],
    ['another server', { '/feed': pageText([1], 'http://127.0.0.1:1/feed') }, ['1'], ['next-other-origin'], '/feed'],
    ['no next at all', { '/feed': '{"items": [], "license": "https://x.example/"}' }, [], ['next-missing'], '/feed'],
  ];
  test.each(rows)('%s', async (_name, answers, ids, codes, cursor) => {
    const { crawl, ingest, url } = await lab(answers);
    const pass = await crawl();
    expect(pass.end).toBe(false);
    expect(pass.stuck).toBeTypeOf('string');
    expect(idsOf(ingest)).toEqual(ids);
    expect(codesOf(ingest)).toEqual(codes);
    expect(ingest.commits.at(-1)?.cursor).toBe(url + cursor);
  });

  test('an endless feed stops at the most pages', async () => {
    const { crawl, ingest, answers } = await lab({});
    for (let n = 0; n < 10; n++) answers[n === 0 ? '/feed' : `/feed?p=${n}`] = pageText([n], `$/feed?p=${n + 1}`);
    expect(await crawl({ maxPages: 4 })).toMatchObject({ pages: 4, end: false, stuck: 'not at its end after 4 pages' });
    expect(idsOf(ingest)).toEqual(['0', '1', '2', '3']);
    expect(await crawl({ maxPages: 4 })).toMatchObject({ pages: 4, items: 4 });
    expect(idsOf(ingest)).toEqual(['0', '1', '2', '3', '4', '5', '6', '7']);
  });
});

describe('a page that cannot be had or read leaves the cursor, and what is known, as it is', () => {
  const page = pageText([3], '$/feed?p=4');
  const rows: [string, string | RequestListener, new (...args: never[]) => Error][] = [
    ['HTML with 200', '<!doctype html><h1>Down for maintenance</h1>', PageError],
    ['no JSON', 'OK', PageError],
    ['nothing', '', PageError],
    ['JSON that ends in the middle', page.slice(0, page.length / 2), PageError],
    ['JSON that is no page', '{"error": "no"}', PageError],
    ['a list', '[]', PageError],
    ['a page too large', pageText([3], '$/feed?p=4', { filler: 'x'.repeat(100_000) }), BodyTooLargeError],
    ['500', (_request, response) => response.writeHead(500).end(), StatusError],
    ['404', (_request, response) => response.writeHead(404).end(), StatusError],
  ];
  test.each(rows)('%s', async (_name, answer, type) => {
    const { crawl, ingest, answers, url } = await lab({ ...three(), '/feed?p=3': answer });
    await expect(crawl()).rejects.toBeInstanceOf(type);
    expect(ingest.cursors.get(`${url}/feed`)).toBe(`${url}/feed?p=3`);
    answers['/feed?p=3'] = page;
    expect(await crawl()).toMatchObject({ pages: 2, items: 1, end: true });
    expect(idsOf(ingest)).toEqual(['1', '2', '3']);
  });
});

describe('trying again within a pass', () => {
  const failing = (times: number, status: number): Answers => {
    let left = times;
    return {
      '/feed': (request, response) => {
        if (left-- > 0) response.writeHead(status).end();
        else response.end(pageText([1], `http://${request.headers.host}/end`));
      },
      '/end': pageText([], '$/end'),
    };
  };

  test('a blip is over by the third try', async () => {
    const { crawl, slept } = await lab(failing(2, 500));
    expect(await crawl({ tries: 3, retryWaitMs: 7000 })).toMatchObject({ items: 1, end: true });
    expect(slept).toEqual([3750, 7000]);
  });

  test('three failures are enough', async () => {
    const { crawl, asked } = await lab(failing(3, 500));
    await expect(crawl({ tries: 3 })).rejects.toMatchObject({ status: 500 });
    expect(asked()).toHaveLength(3);
  });

  test.each([404, 410, 429, 503])('%i is an answer: not asked again', async (status) => {
    const { crawl, asked } = await lab(failing(1, status));
    await expect(crawl({ tries: 3 })).rejects.toMatchObject({ status });
    expect(asked()).toHaveLength(1);
  });
});

test('the next page is asked for while one is committed, and only one ahead', async () => {
  const { crawl, ingest, asked } = await lab(three());
  const atCommit: number[] = [];
  const slow = {
    ...ingest,
    commit: async (...args: Parameters<typeof ingest.commit>) => {
      while (asked().length < 4 && asked().length < atCommit.length + 2)
        await new Promise((done) => setTimeout(done, 1));
      atCommit.push(asked().length);
      return ingest.commit(...args);
    },
  };
  await crawl({ ingest: slow });
  expect(atCommit).toEqual([2, 3, 4]);
});

test('a failed commit ends the pass with its own error, whatever the page ahead does', async () => {
  const { crawl, ingest } = await lab({ '/feed': pageText([1], '$/gone') });
  const broken = { ...ingest, commit: async () => Promise.reject(new Error('disk full')) };
  await expect(crawl({ ingest: broken })).rejects.toThrow('disk full');
});

test('stopping ends the pass between two pages, never within a commit', async () => {
  const { crawl, ingest } = await lab(three());
  const stop = new AbortController();
  const stopping = {
    ...ingest,
    commit: async (...args: Parameters<typeof ingest.commit>) => {
      stop.abort(new Error('stop'));
      return ingest.commit(...args);
    },
  };
  await expect(crawl({ ingest: stopping, signal: stop.signal })).rejects.toThrow('stop');
  expect(idsOf(ingest)).toEqual(['1', '2']);
});

test('a page that is stored is not kept while the next one is waited for', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const next = Promise.withResolvers<Unchanged>();
  let first: WeakRef<object> | undefined;
  const firstPage = (): FetchedPage => {
    const page = parsePage(pageText([1, 2], 'https://example.org/2'));
    first = new WeakRef(page);
    return { unchanged: false, page, next: 'https://example.org/2', end: false };
  };
  const source: FeedSource = {
    url: 'https://example.org/1',
    describe: () => 'a feed',
    page: async (cursor) => (cursor === null ? firstPage() : next.promise),
  };
  const stored = { items: 2, kept: 2, deleted: 0, findings: 0 };
  const ingest = { ...memoryIngest(), full: () => false, commit: async () => stored };
  const pass = crawlOnce({ source, meta: {} }, { ingest, sleep: sleeper().sleep, random: () => 0.5 });
  for (let turn = 0; turn < 10; turn++) await new Promise((done) => setImmediate(done));
  collect();
  expect(first).toBeDefined();
  expect(first?.deref()).toBeUndefined();
  next.resolve({ unchanged: true });
  expect(await pass).toMatchObject({ end: true, items: 2 });
});
