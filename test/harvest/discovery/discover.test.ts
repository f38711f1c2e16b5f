import { afterEach, describe, expect, test } from 'vitest';
import { ConnectionError, StatusError, StoppedError } from '../../../src/errors.ts';
import { type Client, createClient, type GetOptions, type TextResponse } from '../../../src/fetch/client.ts';
import { createHostQueue } from '../../../src/fetch/host-queue.ts';
import { createDiscovery, type DiscoverOptions } from '../../../src/harvest/discovery/discover.ts';
import { LIMITS } from '../../../src/limits.ts';
import { faultServer } from '../ingest/faults.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const SITE = 'https://one.example/';
const siteOf = (...feeds: string[]) =>
  JSON.stringify({
    '@type': 'Dataset',
    name: 'One',
    distribution: feeds.map((contentUrl) => ({ name: 'SessionSeries', contentUrl })),
  });
const catalogOf = (...dataset: string[]) => JSON.stringify({ '@type': 'DataCatalog', dataset });

type Page = string | Error | ((get: GetOptions) => TextResponse);

/** A web of pages that can be changed while it is looked at, a clock that only moves when told, and what was asked. */
function world(pages: Record<string, Page>, roots: string[], memory?: string) {
  const asked: string[] = [];
  const slept: number[] = [];
  const clock = { now: 1_000_000 };
  const client: Client = {
    async get(url, options = {}) {
      asked.push(url);
      const page = pages[url] ?? new StatusError(url, 404);
      if (page instanceof Error) throw page;
      return typeof page === 'string' ? { changed: true, url, text: page, contentType: 'text/html' } : page(options);
    },
    request: () => Promise.reject(new Error('pages of sites are read as text')),
    close: async () => {},
  };
  const stop = new AbortController();
  const options: DiscoverOptions = {
    roots,
    client,
    queue: createHostQueue(),
    now: () => clock.now,
    random: () => 0.5,
    sleep: async (ms) => void slept.push(ms),
    signal: stop.signal,
  };
  const discovery = createDiscovery(options, memory);
  const discover = async (which: 'none' | 'due' | 'all') => {
    asked.length = 0;
    const { datasets, problems } = await discovery.discover(which);
    return { feeds: datasets.flatMap(({ feeds }) => feeds.map(({ url }) => url)), problems, asked: [...asked] };
  };
  return { pages, clock, slept, stop, discovery, discover };
}

describe('from a collection down to the feeds', () => {
  test('in the order of the catalogues, each address once, whoever names it again', async () => {
    const { discover } = world(
      {
        'https://c.example/': JSON.stringify({
          hasPart: ['https://c.example/a', 'https://c.example/b', 'https://c.example/'],
        }),
        'https://c.example/a': catalogOf('https://two.example/', SITE),
        'https://c.example/b': catalogOf(SITE, `${SITE}#again`, 'https://c.example/'),
        [SITE]: siteOf('https://f.example/1'),
        'https://two.example/': siteOf('https://f.example/2', 'https://f.example/3'),
      },
      ['https://c.example/', SITE],
    );
    const { feeds, problems, asked } = await discover('all');
    expect(feeds).toEqual(['https://f.example/1', 'https://f.example/2', 'https://f.example/3']);
    expect(problems).toEqual([]);
    expect(asked.toSorted()).toEqual(
      ['https://c.example/', 'https://c.example/a', 'https://c.example/b', SITE, 'https://two.example/'].toSorted(),
    );
  });

  test('a catalogue of catalogues without end, and one of too many sites, are read so far and no further', async () => {
    const endless: Record<string, Page> = {};
    for (let step = 0; step < 20; step++)
      endless[`https://c.example/${step}`] = catalogOf(`https://c.example/${step + 1}`);
    expect((await world(endless, ['https://c.example/0']).discover('all')).asked).toHaveLength(LIMITS.siteLevels);

    const many = Array.from({ length: LIMITS.sitePages + 5 }, (_, at) => `https://s.example/${at}`);
    const pages = Object.fromEntries(many.map((url) => [url, siteOf(`${url}/feed`)]));
    const { feeds, problems } = await world({ ...pages, [SITE]: catalogOf(...many) }, [SITE]).discover('all');
    expect(feeds).toHaveLength(LIMITS.sitePages - 1);
    expect(problems).toEqual([expect.stringContaining(`more than ${LIMITS.sitePages} addresses`)]);
  });

  test('a site that fails is one sentence; the others are read', async () => {
    const { discover } = world(
      {
        'https://c.example/': catalogOf(
          'https://gone.example/?key=hunter2',
          'https://html.example/',
          'file:///etc/passwd',
          SITE,
        ),
        'https://html.example/': '<title>Just a moment…</title>',
        [SITE]: siteOf('https://f.example/1'),
      },
      ['https://c.example/'],
    );
    const { feeds, problems } = await discover('due');
    expect(feeds).toEqual(['https://f.example/1']);
    expect(problems).toEqual([
      'https://gone.example/?key=***: the server answered 404',
      'https://html.example/: the page has no JSON-LD in it (<script type="application/ld+json">), so it names no feed',
      expect.stringContaining('404'),
    ]);
  });
});

describe('looking again', () => {
  test('once a day; the first time and `all` at once', async () => {
    const { discover, clock, discovery } = world({ [SITE]: siteOf('https://f.example/1') }, [SITE]);
    expect(discovery.wait()).toBe(0);
    expect((await discover('due')).asked).toEqual([SITE]);
    expect(discovery.wait()).toBe(LIMITS.siteMs);
    clock.now += LIMITS.siteMs - 1;
    expect(await discover('due')).toEqual({ feeds: ['https://f.example/1'], problems: [], asked: [] });
    clock.now += 1;
    expect((await discover('due')).asked).toEqual([SITE]);
    expect((await discover('all')).asked).toEqual([SITE]);
  });

  test('a site that fails keeps its feeds, and is asked again after waits that grow', async () => {
    const { discover, clock, pages, discovery } = world({ [SITE]: siteOf('https://f.example/1') }, [SITE]);
    await discover('due');
    clock.now += LIMITS.siteMs;
    pages[SITE] = new ConnectionError(SITE, 'broken');
    const waits: number[] = [];
    for (let round = 0; round < 3; round++) {
      const { feeds, problems, asked } = await discover('due');
      expect({ feeds, problems, asked }).toEqual({
        feeds: ['https://f.example/1'],
        problems: [`${SITE}: broken (its known feeds are read on)`],
        asked: [SITE],
      });
      waits.push(discovery.wait());
      clock.now += discovery.wait() - 1;
      expect((await discover('due')).asked).toEqual([]);
      clock.now += 1;
    }
    expect(waits).toEqual([3750, 7500, 15_000]);
    pages[SITE] = siteOf('https://f.example/2');
    expect(await discover('due')).toMatchObject({ feeds: ['https://f.example/2'], problems: [] });
    expect(discovery.wait()).toBe(LIMITS.siteMs);
  });

  test('a page that names nothing any more is a failure, not the end of its feeds', async () => {
    const { discover, pages } = world({ [SITE]: siteOf('https://f.example/1') }, [SITE]);
    await discover('all');
    pages[SITE] = siteOf();
    const { feeds, problems } = await discover('all');
    expect(feeds).toEqual(['https://f.example/1']);
    expect(problems).toEqual([expect.stringContaining('no distribution that is an RPDE feed (its known feeds')]);
  });

  test('what a catalogue no longer lists is gone, and forgotten', async () => {
    const { discover, pages, discovery } = world(
      {
        'https://c.example/': catalogOf(SITE, 'https://two.example/'),
        [SITE]: siteOf('https://f.example/1'),
        'https://two.example/': new ConnectionError(SITE, 'x'),
      },
      ['https://c.example/'],
    );
    await discover('all');
    expect(discovery.memory()).toContain(SITE);
    pages['https://c.example/'] = catalogOf('https://three.example/');
    pages['https://three.example/'] = siteOf('https://f.example/3');
    expect(await discover('all')).toMatchObject({ feeds: ['https://f.example/3'], problems: [] });
    expect(discovery.memory()).not.toContain(SITE);
  });

  test('asks with the validators of what it knows, and believes a 304', async () => {
    const sent: GetOptions[] = [];
    const page = (get: GetOptions): TextResponse => {
      sent.push(get);
      if (get.etag === '"1"') return { changed: false, url: SITE };
      return {
        changed: true,
        url: SITE,
        text: siteOf('https://f.example/1'),
        contentType: '',
        etag: '"1"',
        lastModified: 'then',
      };
    };
    const { discover } = world({ [SITE]: page }, [SITE]);
    await discover('all');
    expect(await discover('all')).toMatchObject({ feeds: ['https://f.example/1'], problems: [] });
    expect(sent.map(({ etag, lastModified }) => [etag, lastModified])).toEqual([
      [undefined, undefined],
      ['"1"', 'then'],
    ]);
  });

  test('`all` tries a few times what may be a blip, also the 403 of who is asked too fast', async () => {
    const rows: [Error, number][] = [
      [new ConnectionError(SITE, 'x'), LIMITS.triesPerPage],
      [new StatusError(SITE, 500), LIMITS.triesPerPage],
      [new StatusError(SITE, 403), LIMITS.triesPerPage],
      [new StatusError(SITE, 404), 1],
    ];
    for (const [error, tries] of rows) {
      const { discover, slept } = world({ [SITE]: error }, [SITE]);
      expect((await discover('all')).asked, error.message).toHaveLength(tries);
      for (const ms of slept) expect(ms).toBeLessThanOrEqual(LIMITS.retryWaitMs);
      expect((await world({ [SITE]: error }, [SITE]).discover('due')).asked).toHaveLength(1);
    }
  });

  test('stopped: it says why', async () => {
    const { discover, stop } = world({ [SITE]: new ConnectionError(SITE, 'x') }, [SITE]);
    stop.abort(new StoppedError('SIGTERM'));
    await expect(discover('all')).rejects.toThrow('stopped by SIGTERM');
  });
});

describe('what is remembered', () => {
  test('gives the same without asking anybody', async () => {
    const first = world({ [SITE]: siteOf('https://f.example/1') }, [SITE]);
    await first.discover('all');
    const second = world({}, [SITE], first.discovery.memory());
    expect(await second.discover('none')).toEqual({ feeds: ['https://f.example/1'], problems: [], asked: [] });
    expect(await second.discover('due')).toEqual({ feeds: ['https://f.example/1'], problems: [], asked: [] });
    second.clock.now += 2 * LIMITS.siteMs;
    expect(await second.discover('due')).toMatchObject({ feeds: ['https://f.example/1'], asked: [SITE] });
  });

  test('is read as earlier releases stored it', async () => {
    const first = world({ [SITE]: siteOf('https://f.example/1') }, [SITE]);
    await first.discover('all');
    const earlier = first.discovery.memory().replace('"sites":', '"said":');
    expect(earlier).not.toBe(first.discovery.memory());
    const second = world({}, [SITE], earlier);
    expect(await second.discover('none')).toEqual({ feeds: ['https://f.example/1'], problems: [], asked: [] });
  });

  test('a root that is new is asked at once, one that the settings no longer name is forgotten', async () => {
    const first = world({ [SITE]: siteOf('https://f.example/1') }, [SITE]);
    await first.discover('all');
    const second = world(
      { 'https://two.example/': siteOf('https://f.example/2') },
      ['https://two.example/'],
      first.discovery.memory(),
    );
    expect(second.discovery.wait()).toBe(0);
    expect(await second.discover('due')).toEqual({
      feeds: ['https://f.example/2'],
      problems: [],
      asked: ['https://two.example/'],
    });
  });

  test('a clock that was wrong puts nothing off for years', async () => {
    const first = world({ [SITE]: siteOf('https://f.example/1') }, [SITE]);
    first.clock.now = Date.UTC(2099, 0, 1);
    await first.discover('all');
    const second = world({ [SITE]: siteOf('https://f.example/1') }, [SITE], first.discovery.memory());
    expect((await second.discover('due')).asked).toEqual([SITE]);
  });

  test.each(['', 'null', '{"version":0}', '{"version":1}', 'broken'])('%j counts as nothing', async (memory) => {
    expect((await world({ [SITE]: siteOf('https://f.example/1') }, [SITE], memory).discover('due')).asked).toEqual([
      SITE,
    ]);
  });
});

test('naming a site on this machine names its origin, and no other', async () => {
  const other = await faultServer((_request, response) => response.end(siteOf('https://f.example/secret')));
  const server = await faultServer((request, response) => {
    if (request.url === '/moved') response.writeHead(302, { location: other.url }).end();
    else response.end(request.url === '/' ? catalogOf('/site', '/moved', other.url) : siteOf('/feed'));
  });
  const root = `${server.url}/`;
  const client = createClient({ userAgent: 'test/1', named: [root], now: Date.now });
  closing.push(server.close, other.close, () => client.close());
  const options = {
    roots: [root],
    client,
    queue: createHostQueue(),
    now: Date.now,
    random: () => 0,
    sleep: async () => {},
    signal: new AbortController().signal,
  };
  const { datasets, problems } = await createDiscovery(options).discover('all');
  expect(datasets.flatMap(({ feeds }) => feeds.map(({ url }) => url))).toEqual([`${server.url}/feed`]);
  expect(problems).toEqual([
    expect.stringContaining('is not a public address'),
    expect.stringContaining('is not a public address'),
  ]);
  expect(other.asked).toEqual([]);
});
