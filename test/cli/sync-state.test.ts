import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LIMITS } from '../../src/limits.ts';
import { openStore } from '../../src/store/index.ts';
import { faultServer } from '../harvest/ingest/faults.ts';
import { sessions } from '../harvest/model-feed.ts';
import { RpdePublisher } from '../harvest/rpde-publisher.ts';
import { cli, type Ran } from './io.ts';

let data: string;
let publisher: RpdePublisher;
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'oai-sync-'));
  publisher = await RpdePublisher.open();
  for (const { id, data: said } of sessions(1, 200)) publisher.put(id, said ?? {});
});
afterEach(async () => {
  await publisher.close();
  await rm(data, { recursive: true });
});

const NOW = Date.parse('2026-11-21T09:30:00Z');
const sync = (...more: string[]): Promise<Ran> =>
  cli(['sync', '--data', data, '--feed', publisher.url, ...more], { now: () => NOW });

async function states() {
  const store = await openStore({ data });
  try {
    return await store.read.feedStates();
  } finally {
    await store.close();
  }
}

test('sync says what is held and how to confirm it, applies what a setting confirms, and ends with 1 until then', async () => {
  expect((await sync()).code).toBe(0);
  for (let id = 1; id <= 150; id += 1) publisher.delete(`s${id}`);
  const held = await sync();
  expect(held.code).toBe(1);
  expect(held.out).toContain(`; held: ${publisher.url} would take away 150 of 200 calendars and 150 of 200 sessions`);
  expect(held.out).toContain(`openactive-ical feeds --confirm "${publisher.url}"`);
  expect(await states()).toMatchObject([{ state: 'held', items: 200 }]);
  expect((await sync('--confirm-deletes', 'ask')).code).toBe(1);
  expect((await sync('--confirm-deletes', 'https://else.example/')).code).toBe(1);
  expect((await sync('--confirm-deletes', publisher.url)).code).toBe(0);
  expect(await states()).toMatchObject([{ state: 'ended', items: 50, deleted: 150, held: undefined }]);
});

test('sync --resync reads from the start and deletes what is no longer there', async () => {
  await sync();
  publisher.forget('s7');
  expect((await sync()).code).toBe(0);
  expect(await states()).toMatchObject([{ items: 200 }]);
  expect((await sync('--resync')).code).toBe(0);
  expect(await states()).toMatchObject([{ state: 'ended', items: 199, deleted: 1 }]);
});

test('a summary line names its feed, or the folder, once', async () => {
  await mkdir(join(data, 'pages'));
  await writeFile(join(data, 'pages', '1.json'), '[]');
  const server = await faultServer((_request, response) => response.writeHead(404).end());
  const gone = `${server.url}/gone`;
  const ran = await cli(['sync', '--data', data, '--feed', gone, '--feed', join(data, 'pages')]);
  await server.close();
  const rests = [gone, join(data, 'pages')].map((name) => {
    const line = ran.out.split('\n').find((one) => one.startsWith(`${name}: `)) ?? '';
    return line.slice(line.indexOf('; '));
  });
  expect(rests).toEqual([
    '; failed: the server answered 404',
    '; failed: 1.json: holds an array where an RPDE page was expected: an object with "items" and "next"',
  ]);
});

test('sync leaves a paused feed as it is, says so, and does not fail for it', async () => {
  await sync();
  await cli(['feeds', '--data', data, '--pause', publisher.url], { now: () => NOW });
  publisher.delete('s7');
  const asked = publisher.asked.length;
  for (const more of [[], ['--resync']]) {
    expect(await sync(...more)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/pages 0, items 0, .*; paused by somebody; feeds --resume has it read again\n$/),
    });
  }
  expect(publisher.asked).toHaveLength(asked);
  await cli(['feeds', '--data', data, '--resume', publisher.url]);
  expect((await sync()).code).toBe(0);
  expect(await states()).toMatchObject([{ state: 'ended', items: 199, deleted: 1, paused: undefined }]);
});

test('a failure is kept in words without secrets, and a feed that is named no more is retired', async () => {
  publisher.instead = (_request, response) => {
    response.writeHead(403).end();
    return true;
  };
  const secret = `${publisher.url}?key=hush`;
  expect((await cli(['sync', '--data', data, '--feed', secret])).code).toBe(1);
  const [failing] = await states();
  expect(failing).toMatchObject({ state: 'failing', failures: 1, lastError: expect.stringContaining('answered 403') });
  expect(failing?.lastError).not.toContain('hush');
  expect(failing?.nextVisit).toBeGreaterThan(failing?.lastAttempt ?? Number.MAX_SAFE_INTEGER);
  publisher.instead = undefined;
  expect((await sync()).code).toBe(0);
  expect((await states()).map(({ state }) => state)).toEqual(['retired', 'ended']);
});

test('a few feeds of a host are read side by side, and all of them are in the end', async () => {
  const PAGES = 3;
  const [open, seen]: [Set<string>, number[]] = [new Set(), []];
  const server = await faultServer((request, response) => {
    const [path = '', page] = (request.url ?? '').split('?page=');
    const n = Number(page ?? 0);
    open.add(path);
    seen.push(open.size);
    const items = n === PAGES ? [] : [{ state: 'deleted', kind: 'Event', id: n, modified: n }];
    if (n === PAGES) open.delete(path);
    const next = `${server.url}${path}?page=${Math.min(n + 1, PAGES)}`;
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ next, license: 'x', items }));
  });
  try {
    const feeds = Array.from({ length: 3 * LIMITS.feedsAtOnce }, (_, n) => `${server.url}/${n}`);
    expect((await cli(['sync', '--data', data, ...feeds.flatMap((url) => ['--feed', url])])).code).toBe(0);
    expect(Math.max(...seen)).toBe(LIMITS.feedsAtOnce);
    expect((await states()).map(({ state, deleted }) => [state, deleted])).toEqual(feeds.map(() => ['ended', PAGES]));
  } finally {
    await server.close();
  }
});
