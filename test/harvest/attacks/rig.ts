/** Servers and clients of an attack, closed when its test ends. */

import type { LookupFunction, Socket } from 'node:net';
import { afterEach } from 'vitest';
import { FetchError } from '../../../src/errors.ts';
import { type Client, type ClientOptions, createClient, type Sender } from '../../../src/fetch/client.ts';
import { createHostQueue } from '../../../src/fetch/host-queue.ts';
import { type CrawlOptions, crawlOnce, type Pass } from '../../../src/harvest/feed/crawl.ts';
import { httpSource } from '../../../src/harvest/feed/http-source.ts';
import { type FaultServer, faultServer, wireServer } from '../ingest/faults.ts';
import { type MemoryIngest, memoryIngest } from '../memory.ts';

export const NOW = Date.UTC(2026, 4, 1, 12);

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** An HTTP server on loopback. */
export async function serve(handler: Parameters<typeof faultServer>[0]) {
  const server = await faultServer(handler);
  closing.push(server.close);
  return server;
}

/** A TCP server: what it writes is what is on the wire. */
export async function wire(onData: (socket: Socket) => void) {
  const server = await wireServer(onData);
  closing.push(server.close);
  return server;
}

/** A client for which nothing is named. */
export function stranger(options: Partial<ClientOptions> = {}): Client & Sender {
  const made = createClient({ userAgent: 'test/1', now: () => NOW, ...options });
  closing.push(() => made.close());
  return made;
}

/** A client for which this server is one the operator named. */
export function naming(server: FaultServer, options: Partial<ClientOptions> = {}): Client & Sender {
  return stranger({ named: [`${server.url}/feed`], ...options });
}

/** The error of a request that must fail. */
export async function failure(promise: Promise<unknown>): Promise<FetchError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof FetchError) return error;
    throw error;
  }
  throw new Error('it did not fail');
}

/** A resolver for which every name is where the test says. */
export const resolving =
  (...addresses: string[]): LookupFunction =>
  (_host, options, done) => {
    const all = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    if (options.all) done(null, all);
    else done(null, addresses[0] as string, all[0]?.family ?? 4);
  };

export interface Crawl {
  ingest: MemoryIngest;
  crawl(options?: Partial<CrawlOptions>): Promise<Pass>;
}

/** Reading the feed of a server that the operator named. */
export function crawling(server: FaultServer, options: Partial<ClientOptions> = {}, path = '/feed'): Crawl {
  const client = naming(server, options);
  const headers = { 'X-Key': 'hunter2' };
  const source = httpSource({ url: server.url + path, client, headers, queue: createHostQueue(), named: new Set() });
  const ingest = memoryIngest();
  const plain: CrawlOptions = { ingest, sleep: async () => {}, random: () => 0.5 };
  return { ingest, crawl: (more) => crawlOnce({ source, meta: {} }, { ...plain, ...more }) };
}
