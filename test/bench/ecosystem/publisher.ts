import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Ecosystem, feedsOf, type PlannedFeed, pageAfter } from './shape.ts';

/**
 * Publishes an ecosystem on loopback, each dataset at an address of its own (127.1.0.1, 127.1.0.2, …), as the hosts of real
 * publishers are. It keeps no page. `node publisher.ts JSON` prints the addresses of the feeds as a JSON list.
 *
 * `/day`: a hundredth of the items of each feed changes. `/sums`: items and octets of JSON that were sent.
 */

const LICENSE = 'https://creativecommons.org/licenses/by/4.0/';

export interface Published {
  feeds: { url: string; feed: PlannedFeed }[];
  /** Of this computer: `/day` and `/sums`. */
  control: string;
  close(): Promise<void>;
}

export async function publish(ecosystem: Ecosystem): Promise<Published> {
  const feeds = feedsOf(ecosystem);
  const sums = { items: 0, octets: 0, requests: 0 };
  let days = 0;
  const changedOf = (feed: PlannedFeed) => days * Math.ceil(feed.items / 100);

  const answer = ({ url = '/', headers }: IncomingMessage, response: ServerResponse): void => {
    const { pathname, searchParams } = new URL(url, `http://${headers.host}`);
    if (pathname === '/day') days += 1;
    if (pathname === '/day' || pathname === '/sums') {
      response.end(JSON.stringify({ ...sums, days }));
      return;
    }
    const feed = feeds[Number(/^\/feeds\/(\d+)$/.exec(pathname)?.[1] ?? Number.NaN)];
    const after = Number(searchParams.get('afterChangeNumber') ?? 0);
    if (feed === undefined || !Number.isSafeInteger(after) || after < 0) {
      response.writeHead(404).end();
      return;
    }
    const { items, last } = pageAfter(feed, after, { ...ecosystem, changed: changedOf(feed) });
    const next = `http://${headers.host}${pathname}?afterChangeNumber=${last}`;
    const text = `{"next":${JSON.stringify(next)},"license":"${LICENSE}","items":[${items.join(',')}]}`;
    sums.items += items.length;
    sums.octets += Buffer.byteLength(text);
    sums.requests += 1;
    response.writeHead(200, {
      'content-type': 'application/vnd.openactive.rpde+json; version=1',
      'cache-control': `public, max-age=${items.length === 0 ? 8 : 3600}`,
    });
    response.end(text);
  };

  const server = createServer(answer);
  // Who computes long between two requests shall not find the connection closed.
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((done) => server.listen(0, '0.0.0.0', done));
  const { port } = server.address() as AddressInfo;
  const origin = (dataset: number) => `http://127.1.${dataset >> 7}.${1 + (dataset & 127)}:${port}`;
  return {
    feeds: feeds.map((feed) => ({ url: `${origin(feed.dataset)}/feeds/${feed.index}`, feed })),
    control: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

if (import.meta.main) {
  const { feeds, control } = await publish(JSON.parse(process.argv[2] ?? '{}') as Ecosystem);
  console.log(JSON.stringify({ feeds: feeds.map(({ url }) => url), control }));
}
