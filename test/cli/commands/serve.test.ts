import { writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { StoppedError } from '../../../src/errors.ts';
import type { NoticeMessage } from '../../../src/harvest/notify/notice.ts';
import { faultServer } from '../../harvest/ingest/faults.ts';
import { pageText } from '../../harvest/memory.ts';
import { cli, type Ran, type World } from '../io.ts';
import { rig } from '../rig.ts';

const { path, data, closing, serve: servePages } = rig();

const SUMMARY = /^(.+): pages (\d+), items (\d+), kept (\d+), findings (\d+), seconds \d+\.\d(?:; failed: (.+))?$/;

describe('sync', () => {
  test('reads the samples to their end, a summary line each, and finds nothing new the second time', async () => {
    const at = data();
    const first = await cli(['sync', '--samples', '--data', at]);
    expect(first).toMatchObject({
      code: 0,
      err: expect.stringMatching(/^sessions without their series: 1, waiting for \S+9999\n$/),
    });
    const lines = first.out
      .trimEnd()
      .split('\n')
      .map((line) => SUMMARY.exec(line));
    expect(lines).toHaveLength(8);
    for (const line of lines) expect(Number(line?.[4])).toBeGreaterThan(4);
    const second = await cli(['sync', '--samples', '--data', at]);
    expect(
      second.out
        .trimEnd()
        .split('\n')
        .map((line) => SUMMARY.exec(line)?.[3]),
    ).toEqual(Array(8).fill('0'));
  });

  test('a feed that fails does not keep the others from being read; exit code 1', async () => {
    const server = await servePages({ '/good': pageText([1, 2], '$/end'), '/end': pageText([], '$/end') });
    const ran = await cli(['sync', '--feed', `${server.url}/gone`, '--feed', `${server.url}/good`, '--data', data()]);
    expect(ran.code).toBe(1);
    const rows = ran.out
      .trimEnd()
      .split('\n')
      .map((line) => SUMMARY.exec(line)?.slice(1) ?? []);
    expect(rows.find(([name]) => name === `${server.url}/gone`)?.at(-1)).toContain('the server answered 404');
    expect(rows.find(([name]) => name === `${server.url}/good`)?.slice(1, 4)).toEqual(['2', '2', '2']);
  });

  test('a folder of pages, and names from a settings file', async () => {
    await writeFile(path('page.json'), pageText([1], 'https://a.example/'));
    const feeds = [{ url: 'page.json', name: 'My pages' }];
    await writeFile(path('settings.json'), JSON.stringify({ feeds, data: './from-file' }));
    const ran = await cli(['sync', '--config', 'settings.json'], { folder: path('') });
    expect(ran).toMatchObject({ code: 0, out: expect.stringMatching(/^My pages: pages 1, items 1/) });
  });

  test('on a terminal draws its bars on standard error, and leaves the summary on standard output', async () => {
    let now = 0;
    const ran = await cli(['sync', '--samples', '--data', data()], { columns: 60, now: () => (now += 100) });
    expect(ran.code).toBe(0);
    expect(
      ran.out
        .trimEnd()
        .split('\n')
        .every((line) => SUMMARY.test(line)),
    ).toBe(true);
    expect(ran.err).toContain('█');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what moves the cursor
    const drawn = ran.err.replaceAll(/\u001b\[\d*[AJ]/g, '').split('\n');
    for (const line of drawn) if (!line.startsWith('sessions without')) expect(line.length).toBeLessThan(60);
  });

  test('stopped in the middle: one line, and no summary for what was not done', async () => {
    const server = await faultServer(() => {});
    closing.push(server.close);
    const stop = new AbortController();
    const running = cli(['sync', '--feed', `${server.url}/slow`, '--data', data()], { signal: stop.signal });
    while (server.asked.length === 0) await new Promise((done) => setTimeout(done, 5));
    stop.abort(new StoppedError('SIGTERM'));
    const err = expect.stringMatching(
      /^openactive-ical: sync stopped by SIGTERM: 0 of 1 feed read, 0 items stored;[^\n]+\n$/,
    );
    expect(await running).toEqual({ code: 143, out: '', err });
  });
});

/** Starts `serve`, waits until it tells its address; `stop` ends it. */
async function serving(
  argv: string[],
  { onLog, ...world }: World & { onLog?: (text: string) => void } = {},
): Promise<{ url: string; stop(): Promise<Ran> }> {
  const stopper = new AbortController();
  const { promise: ready, resolve, reject } = Promise.withResolvers<string>();
  const resolveWith = (address: RegExp) => (text: string) => {
    const url = address.exec(text)?.[0];
    if (url !== undefined) resolve(url);
  };
  const onOut = resolveWith(/http:\/\/\S+?(?=\/\s)/);
  // Where there are no pages to open, the log says what is answered.
  const fromLog = resolveWith(/(?<="url":")[^"]+/);
  const onErr = (text: string) => {
    onLog?.(text);
    if (argv.includes('harvest')) fromLog(text);
  };
  const folder = argv.includes('--data') ? [] : ['--data', data()];
  const running = cli(['serve', '--port', '0', '--host', '127.0.0.1', ...folder, ...argv], {
    ...world,
    onOut,
    onErr,
    signal: stopper.signal,
  });
  running.then(({ err }) => reject(new Error(`ended: ${err}`)), reject);
  const stop = async () => {
    stopper.abort(new StoppedError('SIGTERM'));
    return running;
  };
  closing.push(stop);
  return { url: await ready, stop };
}

/** The admin address, once it is logged. */
async function adminIn(log: readonly string[]): Promise<string> {
  for (;;) {
    const url = /"url":"(http:[^"]+)","msg":"The admin address/.exec(log.join(''))?.[1];
    if (url !== undefined) return url;
    await new Promise((done) => setTimeout(done, 10));
  }
}

async function names(url: string): Promise<string[]> {
  const { items } = (await (await fetch(`${url}/api/series`)).json()) as { items: { name: string }[] };
  return items.map(({ name }) => name);
}

describe('serve', () => {
  test('has harvested the samples when it tells its address, and ends well when asked to', async () => {
    const { url, stop } = await serving(['--samples']);
    expect(await names(url)).toEqual(expect.arrayContaining(['Dawn Yoga Flow', 'Tai Chi for Balance', 'Kettlebells']));
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    const { items } = (await (await fetch(`${url}/api/series`)).json()) as { items: { calendar: string }[] };
    for (const { calendar } of items) {
      const answer = await fetch(calendar);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8']);
      expect(await answer.text()).toMatch(/^BEGIN:VCALENDAR\r\n[\s\S]+END:VCALENDAR\r\n$/);
    }
    const ran = await stop();
    expect(ran.code).toBe(0);
    for (const line of ran.err.trimEnd().split('\n'))
      expect(JSON.parse(line)).toMatchObject({ time: expect.any(String) });
    await expect(fetch(url)).rejects.toThrow();
  });

  test('shows what a feed says new while it runs', async () => {
    const series = (name: string) => ({ '@type': 'SessionSeries', '@id': 'https://a.example/1', name });
    const item = (name: string, modified: number) => ({
      state: 'updated',
      kind: 'SessionSeries',
      id: 1,
      modified,
      data: series(name),
    });
    const page = (items: object[], next: string) => JSON.stringify({ items, next: `$${next}`, license: 'x' });
    const pages: Record<string, string> = { '/feed': page([item('Before', 1)], '/2'), '/2': page([], '/2') };
    const server = await servePages(pages);
    const { url } = await serving(['--feed', `${server.url}/feed`], {
      env: { OPENACTIVE_ICAL_POLL_SECONDS: '0.1', OPENACTIVE_ICAL_LOG_LEVEL: 'silent' },
    });
    const until = async (name: string) => {
      while ((await names(url))[0] !== name) await new Promise((done) => setTimeout(done, 20));
    };
    await until('Before');
    pages['/2'] = page([item('After', 2)], '/3');
    pages['/3'] = page([], '/3');
    await until('After');
    expect(await names(url)).toEqual(['After']);
  });

  test('that only harvests answers its operator and nobody else, on a port of its own', async () => {
    const { url, stop } = await serving(['--samples', '--role', 'harvest', '--harvest-port', '0']);
    expect(await (await fetch(`${url}/healthz`)).json()).toMatchObject({ status: 'ok' });
    expect(await (await fetch(`${url}/readyz`)).json()).toMatchObject({ status: 'ready', feeds: 8, failing: 0 });
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toMatch(/^openactive_ical_feed_items\{feed="[^"]+"\} \d+$/m);
    expect(metrics).toMatch(/^openactive_ical_store_writes_total [1-9]\d*$/m);
    expect(metrics).not.toContain('openactive_ical_cache_bytes');
    for (const path of ['/', '/feeds', '/api/series', '/places/1.ics']) {
      expect((await fetch(`${url}${path}`)).status, path).toBe(404);
    }
    expect((await fetch(`${url}/metrics`, { method: 'POST' })).status).toBe(405);
    const ran = await stop();
    expect([ran.code, ran.out]).toEqual([0, '']);
    await expect(fetch(url)).rejects.toThrow();
  });

  test('answers its operator on an address of its own, and tells nobody else what is there', async () => {
    const server = await servePages({ '/k3y/feed': pageText([1], '$/k3y/end'), '/k3y/end': '' });
    const log: string[] = [];
    const running = await serving(['--feed', `${server.url}/k3y/feed`, '--admin-port', '0'], {
      onLog: (text) => log.push(text),
    });
    const read = async (path: string) => (await fetch(new URL(path, running.url))).text();
    while (!(await read('/api/feeds')).includes('lastError')) await new Promise((done) => setTimeout(done, 20));
    for (const path of ['/feeds', '/api/feeds', '/feeds/1', '/metrics', '/admin'])
      expect(await read(path)).not.toContain('k3y');
    expect((await fetch(`${running.url}/metrics`)).status).toBe(404);
    const admin = await adminIn(log);
    expect(await (await fetch(`${admin}/admin`)).text()).toContain('/k3y/feed');
    expect(await (await fetch(`${admin}/metrics`)).text()).toContain('openactive_ical_cache_bytes');
  });

  test('tells the webhook of the settings that a feed is gone and back, and counts what it sends', async () => {
    const pages: Record<string, string> = {};
    const server = await servePages(pages);
    const got: NoticeMessage[] = [];
    const receiver = await faultServer((request, response) => {
      void text(request).then((body) => got.push(JSON.parse(body)));
      response.writeHead(204).end();
    });
    closing.push(receiver.close);
    const log: string[] = [];
    const at = data();
    await serving(['--feed', `${server.url}/feed`, '--data', at, '--admin-port', '0', '--allow-private'], {
      env: { OPENACTIVE_ICAL_NOTIFY_URL: `${receiver.url}/hooks/k3y` },
      onLog: (line) => log.push(line),
    });
    const until = async (count: number) => {
      while (got.length < count) await new Promise((done) => setTimeout(done, 20));
    };
    await until(1);
    Object.assign(pages, { '/feed': pageText([1], '$/end'), '/end': pageText([], '$/end') });
    expect((await cli(['feeds', '--retry', '--data', at])).code).toBe(0);
    await until(2);
    expect(got.map(({ notices }) => notices.map(({ event, was, feed }) => [event, was, feed.address]))).toEqual([
      [['gone', 'ok', `${server.url}/feed`]],
      [['back', 'gone', `${server.url}/feed`]],
    ]);
    const admin = await adminIn(log);
    const delivered = 'openactive_ical_notices_total{result="delivered"} 2\n';
    while (!(await (await fetch(`${admin}/metrics`)).text()).includes(delivered));
    expect(log.join('')).not.toContain('k3y');
  });

  test('pauses, resumes, retries and forgets feeds on the admin address', async () => {
    const pages: Record<string, string> = { '/feed': pageText([1], '$/end'), '/end': pageText([], '$/end') };
    const server = await servePages(pages);
    const log: string[] = [];
    await serving(['--feed', `${server.url}/feed`, '--admin-port', '0', '--allow-private'], {
      onLog: (line) => log.push(line),
    });
    const admin = await adminIn(log);
    const read = async (path: string) => (await fetch(admin + path)).text();
    const stateOf = async () =>
      (JSON.parse(await read('/admin/feeds')) as { items: { state: string }[] }).items[0]?.state;
    const until = async (state: string | undefined) => {
      while ((await stateOf()) !== state) await new Promise((done) => setTimeout(done, 20));
    };
    const send = async (action: string) => {
      const token = /name="token" value="([^"]+)"/.exec(await read('/admin/feeds/1'))?.[1] ?? '';
      const body = new URLSearchParams({ token });
      const headers = { origin: admin, 'sec-fetch-site': 'same-origin' };
      return fetch(`${admin}/admin/feeds/1/${action}`, { method: 'POST', body, headers, redirect: 'manual' });
    };
    await until('ended');
    expect((await send('pause')).status).toBe(303);
    expect(await stateOf()).toBe('paused');
    delete pages['/end'];
    await send('resume');
    expect(await stateOf()).toBe('ended');
    expect((await send('forget')).headers.get('location')).toBe('/admin');
    await until(undefined);
    expect(log.join('')).toContain('"action":"forget"');
  });

  test('gives the admin address to nobody else without a token', async () => {
    const argv = ['serve', '--samples', '--data', data(), '--admin-port', '0', '--admin-host', '0.0.0.0'];
    expect(await cli(argv)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/adminHost is "0\.0\.0\.0", which others can reach: set adminToken [^\n]*\n$/),
    });
  });

  test('gives two addresses no common port', async () => {
    const argv = ['serve', '--samples', '--data', data(), '--port', '21300', '--admin-port', '21300'];
    expect(await cli(argv)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/Bad setting: port and adminPort are both 21300: give adminPort [^\n]*\n$/),
    });
  });

  test('that only harvests takes no port unasked: another process may serve beside it', async () => {
    const server = await servePages({});
    const stopper = new AbortController();
    const argv = ['serve', '--samples', '--role', 'harvest', '--data', data(), '--port', String(server.port)];
    const onErr = (text: string) => {
      if (text.includes('was read to its end')) stopper.abort(new StoppedError('SIGTERM'));
    };
    expect(await cli(argv, { signal: stopper.signal, onErr })).toMatchObject({ code: 0, out: '' });
    const taken = await cli([...argv, '--harvest-port', String(server.port), '--host', '127.0.0.1']);
    expect(taken.code).toBe(1);
    expect(taken.err).toContain('another program listens there (choose another port with --admin-port)');
  });

  test('is not ready before it has its admin port', async () => {
    const server = await servePages({});
    const argv = ['serve', '--samples', '--data', data(), '--host', '127.0.0.1', '--port', '0'];
    expect(await cli([...argv, '--admin-port', String(server.port)])).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('another program listens there (choose another port with --admin-port)'),
    });
  });

  test('says in one line that its port is taken', async () => {
    const server = await servePages({});
    const argv = ['serve', '--samples', '--data', data(), '--host', '127.0.0.1', '--port', String(server.port)];
    const ran = await cli(argv, { env: { OPENACTIVE_ICAL_LOG_LEVEL: 'silent' } });
    expect([ran.code, ran.out]).toEqual([1, '']);
    expect(ran.err).toBe(
      `openactive-ical: cannot listen on 127.0.0.1, port ${server.port}: another program listens there (choose another port with --port or PORT)\n`,
    );
  });
});
