import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it, test } from 'vitest';
import { davAddress } from '../../../src/dav/index.ts';
import { tokenOf } from '../../../src/library/index.ts';
import { LIMITS } from '../../../src/limits.ts';
import { davCost } from '../../../src/server/dav/dav.ts';
import { type RunningServer, type ServerOptions, startServer } from '../../../src/server/start.ts';
import { event, FakeObjects } from '../../dav/fake.ts';
import { multiget, propfind, query, sync } from '../../dav/rig.ts';
import { FakeLibrary, render } from '../fake.ts';

/** CalDAV over a socket: who may ask, how much, and under which address. */

const START = Date.UTC(2026, 10, 23, 18);
const running: RunningServer[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
});

async function start(options: Partial<ServerOptions> = {}, count = 3) {
  const library = new FakeLibrary();
  const objects = new FakeObjects();
  for (let n = 0; n < count; n += 1) objects.put(`${n}.ics`, [event(`${n}`, START + n * 3_600_000)]);
  library.objects = objects;
  const server = await startServer({ library, port: 0, host: '127.0.0.1', render, ...options });
  running.push(server);
  return { library, objects, server, url: server.url };
}

interface Got {
  status: number;
  headers: NodeJS.Dict<string | string[]>;
  body: string;
}

function ask(method: string, url: string, headers: Record<string, string> = {}, body?: string): Promise<Got> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, (response) => {
      text(response).then(
        (got) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: got }),
        reject,
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const PATH = '/dav/series/c/';

test.each(['/', '/dav/', '/dav', PATH])('OPTIONS %s names CalDAV', async (path) => {
  const { url } = await start();
  const { status, headers } = await ask('OPTIONS', url + path);
  expect([status, headers.dav]).toEqual([200, expect.stringContaining('calendar-access')]);
  expect(headers.allow).toContain('PROPFIND');
});

test.each(['OPTIONS', 'PROPFIND'])('%s of the well-known address names CalDAV on its way', async (method) => {
  const { url } = await start();
  const { status, headers } = await ask(method, `${url}/.well-known/caldav`);
  expect([status, headers.dav]).toEqual([301, expect.stringContaining('calendar-access')]);
});

test.each([
  ['gzip', 415],
  ['identity', 207],
] as const)('a body with Content-Encoding: %s is %s', async (coding, status) => {
  const { url } = await start();
  const got = await ask('PROPFIND', url + PATH, { depth: '0', 'content-encoding': coding }, propfind('<D:allprop/>'));
  expect(got.status).toBe(status);
  expect(got.headers['accept-encoding']).toBe(status === 415 ? 'identity' : undefined);
  expect(got.headers.dav).toContain('calendar-access');
});

describe('over a socket', () => {
  it.each<[method: string, body: string, status: number]>([
    ['OPTIONS', '', 200],
    ['PROPFIND', propfind('<D:allprop/>'), 207],
    ['REPORT', sync(''), 207],
    ['REPORT', query(''), 207],
    ['REPORT', multiget([`${PATH}0.ics`]), 207],
    [
      'PROPPATCH',
      '<D:propertyupdate xmlns:D="DAV:"><D:set><D:prop><D:displayname>x</D:displayname></D:prop></D:set></D:propertyupdate>',
      207,
    ],
    ['PUT', 'BEGIN:VCALENDAR', 403],
    ['DELETE', '', 403],
    ['MKCALENDAR', '', 403],
    ['LOCK', '<D:lockinfo xmlns:D="DAV:"/>', 405],
  ])('%s', async (method, body, status) => {
    const { url } = await start();
    const got = await ask(method, url + PATH, { depth: '0', 'content-type': 'application/xml' }, body);
    expect(got.status).toBe(status);
    expect(got.headers.dav).toContain('calendar-access');
    if (status === 207) expect(got.headers['content-type']).toBe('application/xml; charset=utf-8');
  });

  test('hrefs have the path of the base address, and tokens its name', async () => {
    const { url, server } = await start({ trustedProxies: ['127.0.0.1'], forwardedBase: true });
    expect(server.url).toBe(url);
    const proxied = { depth: '0', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'c.example' };
    const body = propfind('<D:prop><D:sync-token/><CS:source/></D:prop>');
    const got = await ask('PROPFIND', url + PATH, proxied, body);
    expect(got.body).toContain('<D:sync-token>https://c.example/ns/sync/');
    expect(got.body).toContain('<D:href>https://c.example/series/c.ics</D:href>');
    const moved = await ask('PROPFIND', `${url}/.well-known/caldav`, proxied);
    expect(moved.headers.location).toBe('https://c.example/dav/');
  });

  test('a body that is too large, however it is sent, is 413', async () => {
    const { url } = await start();
    const large = 'x'.repeat(LIMITS.dav.requestBytes + 1);
    const chunked = await ask('REPORT', url + PATH, { 'transfer-encoding': 'chunked' }, large);
    expect([chunked.status, chunked.headers.dav]).toEqual([413, expect.stringContaining('calendar-access')]);
  });

  test('a thousand objects by one multiget', async () => {
    const { url } = await start({}, 1000);
    const hrefs = Array.from({ length: 1000 }, (_, n) => `${PATH}${n}.ics`);
    const { status, body } = await ask('REPORT', url + PATH, {}, multiget(hrefs));
    expect([status, body.match(/BEGIN:VEVENT/g)?.length]).toEqual([207, 1000]);
  });
});

describe('a login', () => {
  const named = { authorization: `Basic ${Buffer.from('any:thing').toString('base64')}` };

  test('is asked for only where it is set', async () => {
    const { url } = await start();
    expect((await ask('PROPFIND', url + PATH, { depth: '0' })).status).toBe(207);
    expect((await ask('PROPFIND', url + PATH, { depth: '0', ...named })).status).toBe(207);
  });

  test('takes any name and password', async () => {
    const { url } = await start({ davLogin: true });
    const refused = await ask('PROPFIND', url + PATH, { depth: '0' });
    expect(refused.status).toBe(401);
    expect(refused.headers['www-authenticate']).toMatch(/^Basic realm="/);
    expect(refused.headers.dav).toContain('calendar-access');
    expect((await ask('PROPFIND', url + PATH, { depth: '0', ...named })).status).toBe(207);
    expect((await ask('PROPFIND', url + PATH, { depth: '0', authorization: 'Bearer x' })).status).toBe(401);
    expect((await ask('OPTIONS', url + PATH)).status).toBe(200);
    expect((await ask('GET', `${url}/healthz`)).status).toBe(200);
  });
});

describe('a caller who asks too much', () => {
  test('is sent away with a 503, which programs wait for', async () => {
    const { url } = await start({ rateLimit: 3 });
    const twice = () => ask('REPORT', url + PATH, {}, sync(''));
    expect((await twice()).status).toBe(207);
    const refused = await twice();
    expect([refused.status, refused.headers['content-type']]).toEqual([503, 'text/plain; charset=utf-8']);
    expect(refused.body).toContain('So many requests');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.headers.dav).toContain('calendar-access');
    expect((await ask('OPTIONS', url + PATH)).status).toBe(200);
  });

  test('gets objects one by one, eight for each request of another kind', async () => {
    const { url } = await start({ rateLimit: 1 });
    const statuses: number[] = [];
    for (let n = 0; n < 9; n += 1) statuses.push((await ask('GET', `${url}${PATH}0.ics`)).status);
    expect(statuses).toEqual([...Array<number>(8).fill(200), 503]);
  });

  const list = tokenOf([{ kind: 'series', key: 'c' }]);
  it.each<[method: string, path: string, cost: number]>([
    ['OPTIONS', PATH, 0],
    ['PROPFIND', PATH, 1],
    ['GET', `${PATH}0.ics`, 0.125],
    ['GET', PATH, 1],
    ['REPORT', PATH, 2],
    ['PROPFIND', '/dav/search/q%3Dyoga/', 5],
    ['PROPFIND', `/dav/my/${list}/`, 10],
    ['PROPFIND', `/dav/my/${list}/series-c/`, 1],
    ['REPORT', `/dav/my/${list}/search-0123456789abcdef/`, 5],
  ])('%s of %s counts %i', (method, path, cost) => {
    expect(davCost(davAddress(path), method)).toBe(cost);
  });
});

test('metrics count answers as those of CalDAV', async () => {
  const { url, server } = await start();
  await ask('PROPFIND', url + PATH, { depth: '0' });
  await ask('GET', `${url}/.well-known/caldav`);
  await ask('GET', `${url}${PATH}0.ics`);
  await ask('PUT', `${url}${PATH}0.ics`);
  const { dav } = server.serving.meters.answers;
  expect(dav).toEqual([0, 0, 2, 1, 1, 0]);
});

describe('a kept list', () => {
  test('stays as long as its home or one of its calendars is asked for', async () => {
    const { url, library } = await start();
    const asked: string[] = [];
    library.lists = { touch: (token: string) => void asked.push(token) } as NonNullable<typeof library.lists>;
    await ask('PROPFIND', `${url}/dav/my/kept/`, { depth: '0' });
    await ask('REPORT', `${url}/dav/my/kept/series-c/`, {}, sync(''));
    await ask('PROPFIND', url + PATH, { depth: '0' });
    expect(asked).toEqual(['kept', 'kept']);
  });
});

test('answers are compressed for those who ask, and objects are not', async () => {
  const { url } = await start();
  const zipped = { 'accept-encoding': 'gzip', depth: '1' };
  const listed = await fetch(url + PATH, { method: 'PROPFIND', headers: zipped, body: propfind('<D:allprop/>') });
  expect(listed.headers.get('content-encoding')).toBe('gzip');
  expect(await listed.text()).toContain('</D:multistatus>');
  const object = await fetch(`${url}${PATH}0.ics`, { headers: zipped });
  expect([object.headers.get('content-encoding'), object.headers.get('etag')]).toEqual([
    null,
    expect.stringMatching(/^"/),
  ]);
});

describe('a browser of another site', () => {
  test('may ask what programs ask', async () => {
    const { url } = await start();
    const { headers } = await ask('OPTIONS', url + PATH, {
      origin: 'https://x.example',
      'access-control-request-method': 'REPORT',
    });
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(headers['access-control-allow-methods']).toContain('REPORT');
    expect(headers['access-control-allow-headers']).toContain('Depth');
  });
});
