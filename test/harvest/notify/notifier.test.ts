import type { IncomingMessage, RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ClientOptions } from '../../../src/fetch/client.ts';
import type { NoticeMessage } from '../../../src/harvest/notify/notice.ts';
import { Notifier, type NotifierOptions } from '../../../src/harvest/notify/notifier.ts';
import type { FeedStatus } from '../../../src/harvest/visit/visit.ts';
import { LIMITS } from '../../../src/limits.ts';
import { naming, serve, stranger } from '../attacks/rig.ts';
import { FEED, type Rig, rig, START } from '../rig.ts';

/** Messages to a receiver on loopback, over a store: what is told once, what is tried again, and what nobody waits for. */

let one: Rig;
let stop: AbortController;
let runs: Promise<void>[];
beforeEach(async () => {
  one = await rig();
  stop = new AbortController();
  runs = [];
  await one.feed([], 1);
});
afterEach(async () => {
  stop.abort();
  await Promise.all(runs);
  await one.close();
});

const OK = status('ended', 0);
const FAILING = status('failing', 2, 'https://feeds.example.org/sessions: the server answered 500');

function status(state: FeedStatus['state'], failures: number, error?: string): FeedStatus {
  return { feed: FEED, state, failures, wait: 8000, ...(error !== undefined && { error }) };
}

/** A receiver that reads messages before it answers. */
async function receiver(answer: (message: NoticeMessage, ...http: Parameters<RequestListener>) => void) {
  const got: NoticeMessage[] = [];
  const server = await serve((request, response) => {
    void text(request).then((body) => {
      got.push(JSON.parse(body));
      answer(got.at(-1) as NoticeMessage, request, response);
    });
  });
  return { server, got };
}

const taking = () => receiver((_message, _request, response) => response.writeHead(200).end('ok'));

interface Sent {
  notifier: Notifier;
  waits: number[];
  tries: Parameters<NotifierOptions['onTry']>[];
  /** Until so many tries were made. */
  tried(count: number): Promise<void>;
}

function notifying(url: string, client: NotifierOptions['client'], more: Partial<NotifierOptions> = {}): Sent {
  const waits: number[] = [];
  const tries: Sent['tries'] = [];
  const notifier = new Notifier({
    url,
    client,
    service: 'https://calendars.example',
    store: one.store,
    now: one.options.now,
    random: () => 1,
    signal: stop.signal,
    sleep: async (ms) => {
      waits.push(ms);
      await new Promise((done) => setImmediate(done));
    },
    onTry: (...args) => tries.push(args),
    ...more,
  });
  runs.push(notifier.run());
  const tried = async (count: number) => {
    while (tries.length < count) await new Promise((done) => setTimeout(done, 2));
  };
  return { notifier, waits, tries, tried };
}

/** As much time as a message would take that must not come. */
const quiet = () => new Promise((done) => setTimeout(done, 100));
const notified = async () => (await one.store.read.feedState(FEED))?.notified;
const eventsOf = (got: readonly NoticeMessage[]) =>
  got.map(({ notices }) => notices.map(({ event, was }) => `${was} > ${event}`));

test('that our own database failed is no news of a feed, and takes the place of none', async () => {
  const { server, got } = await taking();
  const { notifier, tried } = notifying(server.url, naming(server));
  const ours: FeedStatus = { ...status('failing', 3, 'The database failed.'), isOurs: true };
  notifier.visitEnded(FEED, ours);
  await quiet();
  expect(got).toEqual([]);
  notifier.visitEnded(FEED, FAILING);
  notifier.visitEnded(FEED, ours);
  await tried(1);
  expect(got.map(({ notices }) => notices.map(({ error }) => error))).toEqual([[FAILING.error]]);
});

test('a message says what, which feed, since when and why, as JSON with a text', async () => {
  const { server, got } = await taking();
  const { notifier, tried } = notifying(`${server.url}/hooks/k3y`, naming(server));
  notifier.visitEnded(FEED, FAILING);
  await tried(1);
  const [{ headers, method, url } = {} as IncomingMessage] = server.asked;
  expect([method, url, headers['content-type'], headers['user-agent']]).toEqual([
    'POST',
    '/hooks/k3y',
    'application/json',
    'test/1',
  ]);
  expect(got).toEqual([
    {
      text: `${FEED}: failing; what was read before is served (2 visits in a row). ${FAILING.error}`,
      service: 'https://calendars.example',
      notices: [
        {
          event: 'failing',
          was: 'ok',
          at: new Date(START).toISOString(),
          feed: { id: 1, name: FEED, address: FEED, publisher: 'Example Leisure' },
          failures: 2,
          nextVisit: new Date(START + 8000).toISOString(),
          error: FAILING.error,
        },
      ],
    },
  ]);
});

test('one message a change, not a visit; none after a restart; one when it is back', async () => {
  const { server, got } = await taking();
  const first = notifying(server.url, naming(server));
  for (let visit = 0; visit < 5; visit += 1) first.notifier.visitEnded(FEED, FAILING);
  await first.tried(1);
  first.notifier.visitEnded(FEED, FAILING);
  await quiet();
  expect(eventsOf(got)).toEqual([['ok > failing']]);
  stop.abort();
  await Promise.all(runs);
  await one.reopen();
  stop = new AbortController();
  const second = notifying(server.url, naming(server));
  second.notifier.visitEnded(FEED, FAILING);
  await quiet();
  second.notifier.visitEnded(FEED, status('gone', 9, 'gone'));
  await second.tried(1);
  second.notifier.visitEnded(FEED, OK);
  await second.tried(2);
  second.notifier.visitEnded(FEED, OK);
  await quiet();
  expect(eventsOf(got)).toEqual([['ok > failing'], ['failing > gone'], ['gone > back']]);
  expect(await notified()).toBeUndefined();
});

test('a store that never changed state sends nothing', async () => {
  const { server } = await taking();
  const { notifier } = notifying(server.url, naming(server));
  for (const one of [OK, status('failing', 1, 'once'), status('paused', 0), OK]) notifier.visitEnded(FEED, one);
  await quiet();
  expect(server.asked).toEqual([]);
});

interface Bad {
  name: string;
  answer: RequestListener;
  error: RegExp;
  client?: Partial<ClientOptions>;
  wait?: number;
}

test.each<Bad>([
  {
    name: 'slow',
    answer: () => {},
    client: { limits: { totalMs: 50 } },
    error: /not complete after/,
  },
  { name: '500', answer: (_q, r) => void r.writeHead(500).end(), error: /answered 500/ },
  { name: '404', answer: (_q, r) => void r.writeHead(404).end(), error: /answered 404/ },
  {
    name: '429',
    answer: (_q, r) => void r.writeHead(429, { 'retry-after': '120' }).end(),
    error: /answered 429/,
    wait: 120_000,
  },
  {
    name: 'redirecting',
    answer: (_q, r) => void r.writeHead(307, { location: '/elsewhere' }).end(),
    error: /it redirects: name the address/,
  },
  {
    name: 'broken',
    answer: (request) => void request.socket.destroy(),
    error: /closed the connection|broke the connection/,
  },
])(
  'a receiver that is $name is tried again, ever later; then it hears once',
  async ({ answer, error, client, wait }) => {
    const { server, got } = await receiver((_message, request, response) => {
      if (got.length <= 3) answer(request, response);
      else response.writeHead(204).end();
    });
    const { notifier, tried, tries, waits } = notifying(`${server.url}/hooks/k3y`, naming(server, client));
    notifier.visitEnded(FEED, FAILING);
    await tried(4);
    const { retryFirstMs: first } = LIMITS;
    expect(waits.slice(0, 3)).toEqual(wait === undefined ? [first, 2 * first, 4 * first] : [wait, wait, wait]);
    expect(tries.map(([counts]) => counts)).toEqual([
      { delivered: 0, failed: 1 },
      { delivered: 0, failed: 2 },
      { delivered: 0, failed: 3 },
      { delivered: 1, failed: 3 },
    ]);
    for (const [, failure] of tries.slice(0, 3)) {
      expect(failure?.error).toMatch(error);
      expect(failure?.error).not.toContain('k3y');
    }
    await quiet();
    expect(server.asked).toHaveLength(4);
    expect(server.asked.map(({ url }) => url)).toEqual(Array(4).fill('/hooks/k3y'));
    expect(await notified()).toBe('failing');
  },
);

test('what came and went while the receiver was dead is not sent', async () => {
  const dead = await taking();
  await dead.server.close();
  const { promise: later, resolve } = Promise.withResolvers<void>();
  const { notifier, tried, tries } = notifying(dead.server.url, naming(dead.server), { sleep: () => later });
  notifier.visitEnded(FEED, FAILING);
  await tried(1);
  expect(tries[0]?.[1]?.error).toMatch(/nothing listens there/);
  notifier.visitEnded(FEED, OK);
  resolve();
  await quiet();
  expect([tries.length, await notified()]).toEqual([1, undefined]);
});

test('many changes are few messages, and no feed is kept twice', async () => {
  const count = 2 * LIMITS.notifyFeeds + 1;
  const urls = Array.from({ length: count }, (_, at) => `https://feeds.example.org/${at}`);
  for (const url of urls) await one.feed([], 1, url);
  const { server, got } = await taking();
  const { notifier, tried } = notifying(server.url, naming(server));
  for (let visit = 0; visit < 3; visit += 1) for (const url of urls) notifier.visitEnded(url, FAILING);
  await tried(3);
  expect(got.map(({ notices }) => notices.length)).toEqual([LIMITS.notifyFeeds, LIMITS.notifyFeeds, 1]);
  const told = got.flatMap(({ notices }) => notices.map(({ feed }) => feed.address));
  expect(new Set(told)).toEqual(new Set(urls));
});

test('a forgotten feed has no notice', async () => {
  const { server } = await taking();
  const { notifier } = notifying(server.url, naming(server));
  notifier.visitEnded('https://feeds.example.org/unknown', FAILING);
  await quiet();
  expect(server.asked).toEqual([]);
});

test('an address that nobody named must be public', async () => {
  const { server } = await taking();
  const { notifier, tried, tries } = notifying(server.url, stranger());
  notifier.visitEnded(FEED, FAILING);
  await tried(1);
  expect([tries[0]?.[1]?.error, server.asked.length]).toEqual([expect.stringContaining('not a public address'), 0]);
});

test('a visit is heard at once, whatever the receiver does; the signal ends what hangs', async () => {
  const { server } = await receiver(() => {});
  const { notifier } = notifying(server.url, naming(server));
  notifier.visitEnded(FEED, FAILING);
  while (server.asked.length === 0) await new Promise((done) => setTimeout(done, 2));
  expect(notifier.visitEnded(FEED, OK)).toBeUndefined();
  stop.abort();
  await Promise.all(runs);
});
