import { expect, test } from 'vitest';
import { FetchTimeoutError } from '../../../src/errors.ts';
import { deadlineOf } from '../../../src/fetch/deadline.ts';
import { createHostQueue } from '../../../src/fetch/host-queue.ts';
import { crawling, failure, naming, serve, wire } from '../../harvest/attacks/rig.ts';

/** A server that takes the connection and keeps it: no headers, no body, a byte now and then, one redirect after the other. */

test('no answer in time', async () => {
  const server = await wire(() => {});
  const error = await failure(naming(server, { limits: { headersMs: 50 } }).get(server.url));
  expect(error).toBeInstanceOf(FetchTimeoutError);
  expect(error.transient).toBe(true);
});

test('headers that drip for ever end at the total time', async () => {
  const server = await wire((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    const drip = setInterval(() => socket.write('X: y\r\n'), 10);
    socket.on('close', () => clearInterval(drip));
  });
  const error = await failure(naming(server, { limits: { totalMs: 150 } }).get(server.url));
  expect(error).toBeInstanceOf(FetchTimeoutError);
});

test('a body that stops coming', async () => {
  const server = await wire((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'));
  const error = await failure(naming(server, { limits: { idleMs: 50 } }).get(server.url));
  expect(error).toBeInstanceOf(FetchTimeoutError);
  expect(error.message).toContain('the body stopped coming');
});

test('a body that drips for ever ends at the total time', async () => {
  const server = await wire((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    const drip = setInterval(() => socket.write('x'), 10);
    socket.on('close', () => clearInterval(drip));
  });
  const error = await failure(naming(server, { limits: { totalMs: 150 } }).get(server.url));
  expect(error).toBeInstanceOf(FetchTimeoutError);
  expect(error.message).toContain('not complete after 0.15 s');
});

test('the total time counts over all redirects together', async () => {
  let hops = 0;
  const server = await serve((_request, response) => {
    setTimeout(() => response.writeHead(302, { location: `/${hops++}` }).end(), 60);
  });
  const error = await failure(naming(server, { limits: { totalMs: 150 } }).get(server.url));
  expect(error).toBeInstanceOf(FetchTimeoutError);
  expect(hops).toBeLessThan(5);
});

test('a name that never resolves', async () => {
  const server = await wire(() => {});
  const client = naming(server, { lookup: () => {}, limits: { connectMs: 50, totalMs: 300 } });
  expect(await failure(client.get('http://slow.example/'))).toBeInstanceOf(FetchTimeoutError);
});

test('work that never hears that its time is over', async () => {
  const url = new URL('http://feeds.example/');
  const never = new Promise<never>(() => {});
  expect((await failure(deadlineOf(url, 20, undefined).within(never))).message).toContain('not complete after 0.02 s');
  const stop = new AbortController();
  const stopped = deadlineOf(url, 60_000, stop.signal);
  setTimeout(() => stop.abort('stop'), 5);
  await expect(stopped.within(never)).rejects.toBe('stop');
  stopped.clear();
});

test('the next in the queue of a host has its turn when the first is given up', async () => {
  const server = await wire(() => {});
  const client = naming(server, { limits: { headersMs: 50 } });
  const queue = createHostQueue();
  const first = queue.run('host', () => client.get(server.url)).catch((error: unknown) => error);
  const second = queue.run('host', async () => 'turn');
  expect(await first).toBeInstanceOf(FetchTimeoutError);
  expect(await second).toBe('turn');
});

test('a pass over such a feed ends, and leaves what is known as it is', async () => {
  const server = await wire(() => {});
  const { crawl, ingest } = crawling(server, { limits: { headersMs: 50 } });
  await expect(crawl()).rejects.toBeInstanceOf(FetchTimeoutError);
  expect(ingest.commits).toEqual([]);
});
