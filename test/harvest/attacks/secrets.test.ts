import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publicText, publicUrl, StoppedError } from '../../../src/errors.ts';
import { cli } from '../../cli/io.ts';
import { type FaultServer, faultServer } from '../ingest/faults.ts';
import { failure, naming, serve } from './rig.ts';

/** Keys in the address and headers of a feed: in no log, error, finding, page or answer, whatever goes wrong. */

const SECRETS = ['hunter2', 'aGVhZGVyLWtleQ', 'c0ffee00deadbeef42'];

describe('an address as it is shown', () => {
  const rows: [string, string][] = [
    ['https://me:hunter2@a.example/feed', 'https://a.example/feed'],
    ['https://hunter2@a.example/feed#hunter2', 'https://a.example/feed'],
    ['https://a.example/feed?apiKey=hunter2&page=2', 'https://a.example/feed?apiKey=***&page=2'],
    ['https://a.example/feed?access_token=hunter2', 'https://a.example/feed?access_token=***'],
    ['https://a.example/feed?X-Amz-Signature=hunter2', 'https://a.example/feed?X-Amz-Signature=***'],
    ['https://a.example/feed?code=hunter2', 'https://a.example/feed?code=***'],
    ['https://a.example/feed?c=c0ffee00deadbeef42', 'https://a.example/feed?c=***'],
    ['https://a.example/feed?c0ffee00deadbeef42', 'https://a.example/feed?***'],
    ['https://a.example/feed?tenant=6f1c2d8e-3b7a-4c55-9a10-0c3d5e7f9a11', 'https://a.example/feed?tenant=***'],
    [
      'https://a.example/feed?afterId=6f1c2d8e-3b7a-4c55-9a10-0c3d5e7f9a11',
      'https://a.example/feed?afterId=6f1c2d8e-3b7a-4c55-9a10-0c3d5e7f9a11',
    ],
    [
      'https://a.example/feed?afterTimestamp=636192000000000001',
      'https://a.example/feed?afterTimestamp=636192000000000001',
    ],
    [
      'https://a.example/feed?from=2026-11-21T10:00:00Z&club=7',
      'https://a.example/feed?from=2026-11-21T10:00:00Z&club=7',
    ],
    ['/feed?key=hunter2&after=1', '/feed?key=***&after=1'],
    ['//me:hunter2@a.example/feed', '//a.example/feed'],
  ];
  test.each(rows)('%s', (address, shown) => {
    expect(publicText(address)).toBe(shown);
    if (URL.canParse(address)) expect(publicUrl(address)).toBe(shown);
  });

  test('no address', () => {
    expect(publicUrl('hunter2')).toBe('(an address that cannot be read)');
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

/** A feed whose pages repeat its key, some of them broken in ways that are reported. */
async function keyedFeed(): Promise<FaultServer> {
  const item = (id: number, more: object = {}) => ({
    state: 'updated',
    kind: 'SessionSeries',
    id,
    modified: id,
    // No @id: a stand-in is made of the feed's address.
    data: {
      '@type': 'SessionSeries',
      name: `Yoga ${id}`,
      location: {
        '@type': 'Place',
        name: 'Hall',
        address: 'Marlowe',
        openingHoursSpecification: [
          {
            '@type': 'OpeningHoursSpecification',
            dayOfWeek: ['https://schema.org/Monday'],
            opens: '09:00',
            closes: '17:00',
          },
        ],
      },
      eventSchedule: [
        {
          '@type': 'Schedule',
          startDate: '2026-12-01',
          startTime: '18:00',
          duration: 'PT1H',
          repeatFrequency: 'P1W',
          byDay: ['https://schema.org/Tuesday'],
          scheduleTimezone: 'Europe/London',
        },
      ],
      ...more,
    },
  });
  const pages: Record<string, object> = {
    '/rpde': {
      items: [item(1), item(2, { duration: 'nonsense' })],
      next: '/rpde?p=2&apiKey=hunter2&c=c0ffee00deadbeef42',
    },
    '/rpde2': {
      items: [item(3)],
      next: 'https://me:hunter2@elsewhere.example/rpde?apiKey=hunter2&c=c0ffee00deadbeef42',
    },
  };
  return faultServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://x');
    if (url.searchParams.get('apiKey') !== 'hunter2') response.writeHead(404).end('hunter2');
    else response.end(JSON.stringify(pages[url.searchParams.get('p') === '2' ? '/rpde2' : '/rpde']));
  });
}

describe('from one end to the other', () => {
  let server: FaultServer;
  let folder: string;
  let env: Record<string, string>;
  beforeAll(async () => {
    server = await keyedFeed();
    folder = await mkdtemp(join(tmpdir(), 'oai-secrets-'));
    const url = `${server.url.replace('//', '//me:hunter2@')}/rpde?apiKey=hunter2&c=c0ffee00deadbeef42`;
    env = {
      OPENACTIVE_ICAL_FEEDS: JSON.stringify([{ url, headers: { 'X-Key': 'aGVhZGVyLWtleQ' } }]),
      OPENACTIVE_ICAL_DATASETS: `${server.url.replace('//', '//me:hunter2@')}/site?token=hunter2`,
      OPENACTIVE_ICAL_DATA: folder,
      OPENACTIVE_ICAL_LOG_LEVEL: 'trace',
    };
  });
  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  function clean(text: string, where: string): void {
    for (const secret of SECRETS) expect(text.includes(secret), `${secret} in ${where}`).toBe(false);
    const pair = Buffer.from('me:hunter2').toString('base64');
    expect(text.includes(pair), `the password in ${where}`).toBe(false);
  }

  test('commands', async () => {
    const lines = [
      ['sync'],
      ['config', '--print'],
      ['feeds'],
      ['check', `${server.url}/rpde?apiKey=hunter2&c=c0ffee00deadbeef42`],
      ['check', '--format', 'jsonl', `${server.url}/rpde?apiKey=hunter2&c=c0ffee00deadbeef42`],
      ['convert', `${server.url}/rpde?apiKey=hunter2&c=c0ffee00deadbeef42`],
      ['hours', `${server.url}/rpde?apiKey=hunter2&c=c0ffee00deadbeef42`, '--from', '2026-12-01', '--to', '2026-12-08'],
      ['convert', `${server.url}/gone?token=hunter2`],
    ];
    for (const argv of lines) {
      const ran = await cli(argv, { env });
      expect(ran.out + ran.err, argv[0]).not.toBe('');
      expect(ran.code, ran.err).not.toBe(2);
      clean(ran.out + ran.err, argv.slice(0, 2).join(' '));
    }
    // The server did see them: what is looked for above was there to be shown.
    expect(server.asked.some(({ headers }) => headers['x-key'] === 'aGVhZGVyLWtleQ')).toBe(true);
    expect(server.asked.some(({ headers }) => headers.authorization !== undefined)).toBe(true);
  });

  test('everything that is served, and the log', async () => {
    const stopper = new AbortController();
    const { promise: ready, resolve } = Promise.withResolvers<string>();
    const onOut = (text: string) => {
      const url = /http:\/\/\S+?(?=\/\s)/.exec(text)?.[0];
      if (url !== undefined) resolve(url);
    };
    const running = cli(['serve', '--port', '0', '--host', '127.0.0.1'], { env, onOut, signal: stopper.signal });
    const base = await ready;
    const text = async (path: string) => (await fetch(new URL(path, base))).text();
    while (!(await text('/api/series')).includes('Yoga 3')) await new Promise((done) => setTimeout(done, 20));
    const seen = new Set<string>();
    const queue = [
      '/',
      '/feeds',
      '/api/feeds',
      '/api/series',
      '/api/places',
      '/openapi.json',
      '/api',
      '/sitemap.xml',
      '/metrics',
      '/healthz',
      '/readyz',
      '/robots.txt',
    ];
    for (let path = queue.shift(); path !== undefined && seen.size < 150; path = queue.shift()) {
      if (seen.size === seen.add(path).size) continue;
      const found = await text(path);
      clean(found, path);
      for (const [, link = ''] of found.matchAll(/(?:href="|")((?:http:\/\/127\.0\.0\.1:\d+)?\/[^"\s<>]+)"/g)) {
        const url = new URL(link.replaceAll('&amp;', '&'), base);
        if (url.origin === base) queue.push(url.pathname + url.search);
      }
    }
    expect([...seen].filter((path) => path.endsWith('.ics')).length).toBeGreaterThan(3);
    stopper.abort(new StoppedError('SIGTERM'));
    const { out, err } = await running;
    expect(err).toContain('"level"');
    clean(out + err, 'the log');
  });
});
