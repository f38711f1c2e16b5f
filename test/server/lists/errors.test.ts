import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BusyError, StoreError } from '../../../src/errors.ts';
import { type RunningServer, startServer } from '../../../src/server/start.ts';
import { FakeLibrary, render } from '../fake.ts';
import { type Served, served } from '../stored-rig.ts';

/** What goes wrong with a list that is sent: a problem for programs, words for people. */

const PROBLEM = 'application/problem+json; charset=utf-8';
const PAGE = 'text/html; charset=utf-8';
const LINE = 'text/plain; charset=utf-8';

const [JSON_TYPE, FORM] = ['application/json', 'application/x-www-form-urlencoded'];
type Sent = [who: string, headers: Record<string, string>, type: string];
const CALLERS: Sent[] = [
  ['a program that sends JSON', { 'content-type': JSON_TYPE }, PROBLEM],
  ['a page that sends JSON', { 'content-type': JSON_TYPE, accept: '*/*' }, PROBLEM],
  ['who sends JSON and wants pages', { 'content-type': JSON_TYPE, accept: 'text/html' }, PROBLEM],
  ['a program that sends text', { 'content-type': 'text/plain', accept: '*/*' }, PROBLEM],
  ['who sends a form and wants JSON', { 'content-type': FORM, accept: JSON_TYPE }, PROBLEM],
  ['a browser', { 'content-type': FORM, accept: 'text/html,*/*;q=0.8' }, PAGE],
];

let one: Served;
let fault: Error | undefined;
beforeEach(async () => {
  one = await served();
  fault = undefined;
  const { lists } = one.library;
  Object.defineProperty(one.library, 'lists', {
    get: () => {
      if (fault !== undefined) throw fault;
      return lists;
    },
  });
});
afterEach(() => one.close());

async function typeOf(answer: Response | Promise<Response>): Promise<unknown[]> {
  const { status, headers } = await answer;
  return [status, headers.get('content-type')];
}

describe.each(CALLERS)('%s', (_, headers, type) => {
  const send = (body: string) => one.app.request('/my', { method: 'POST', headers, body });

  test('is told so where a list is none, and where it is too long', async () => {
    const isRead = headers['content-type'] !== 'text/plain';
    expect(await typeOf(send('name=x'))).toEqual([isRead ? 400 : 415, type]);
    if (isRead) expect(await typeOf(send('x'.repeat(20_000)))).toEqual([413, type]);
  });

  test('is told so where the service cannot answer', async () => {
    fault = new BusyError('all are busy');
    expect(await typeOf(send('{}'))).toEqual([503, type]);
    fault = new StoreError('the database is away');
    const away = await send('{}');
    expect(await typeOf(away)).toEqual([503, type]);
    expect(away.headers.get('retry-after')).toBe('10');
    expect(await away.text()).toContain('The database gives no answer just now. Try again in 10 seconds.');
    fault = new Error('a fault of ours');
    expect(await typeOf(send('{}'))).toEqual([500, type]);
  });
});

test('a form of no browser is answered by a line', async () => {
  expect(await typeOf(one.app.request('/my', { method: 'POST', headers: { 'content-type': FORM }, body: '' }))).toEqual(
    [400, LINE],
  );
});

describe('beyond the limit', () => {
  let server: RunningServer;
  beforeEach(async () => {
    server = await startServer({ library: new FakeLibrary(), port: 0, host: '127.0.0.1', render, rateLimit: 1 });
  });
  afterEach(() => server.close());

  test.each(CALLERS)('%s', async (_, headers, type) => {
    const send = () => fetch(`${server.url}/my`, { method: 'POST', headers, body: 'x' });
    await (await send()).text();
    const refused = await send();
    expect(await typeOf(refused)).toEqual([429, type]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('a form that is refused is in the page once more, as it was typed', async () => {
    const body = new URLSearchParams([
      ['token', 'abc'],
      ['name', 'Tuesdays “& more” <b>'],
      ['prefix', ''],
      ['prefix', 'place'],
      ['edit', 'k"ey'],
    ]);
    const headers = { accept: 'text/html' };
    await (await fetch(`${server.url}/my`, { method: 'POST', headers, body })).text();
    for (const path of ['/my', `/my/k${'a'.repeat(22)}`]) {
      const refused = await fetch(`${server.url}${path}`, { method: 'POST', headers, body });
      expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
      expect(fieldsOf(await refused.text())).toEqual([...body]);
    }
  });

  test('more than a form holds, and what is no form, is not written back', async () => {
    const send = async (type: string, body: string) =>
      (
        await fetch(`${server.url}/my`, {
          method: 'POST',
          headers: { accept: 'text/html', 'content-type': type },
          body,
        })
      ).text();
    await send(FORM, 'name=x');
    expect(fieldsOf(await send(FORM, 'a&'.repeat(8000)))).toHaveLength(1000);
    expect(fieldsOf(await send(FORM, `name=${'x'.repeat(20_000)}`))).toEqual([]);
    expect(fieldsOf(await send('text/plain', 'name=x'))).toEqual([]);
  });
});

test('a form that meets a database which gives no answer is in the page once more', async () => {
  fault = new StoreError('the database is away');
  const headers = { accept: 'text/html', 'content-type': FORM };
  const response = await one.app.request('/my', { method: 'POST', headers, body: 'name=Ours&token=abc' });
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '10']);
  const fields = [
    ['name', 'Ours'],
    ['token', 'abc'],
  ];
  expect(fieldsOf(await response.text())).toEqual(fields);
});

/** The fields of the form that sends once more what was refused: names and values. */
function fieldsOf(page: string): string[][] {
  const [, form = ''] = /<form class="stack" method="post">([\s\S]*?)<\/form>/.exec(page) ?? [];
  const text = (value = '') =>
    value.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
  return [...form.matchAll(/<input [^>]*>/g)].map(([input]) =>
    ['name', 'value'].map((name) => text(new RegExp(` ${name}="([^"]*)"`).exec(input)?.[1])),
  );
}

test('a calendar of a list counts as asked for, also where it is in memory', async () => {
  const token = `k${'a'.repeat(22)}`;
  const touched: string[] = [];
  const library = new FakeLibrary();
  library.commit(`my/${token}`, 'Yoga');
  Object.assign(library, { lists: { touch: (asked: string) => touched.push(asked) } });
  const server = await startServer({ library, port: 0, host: '127.0.0.1', render });
  const ask = async () => (await fetch(`${server.url}/my/${token}.ics`)).status;
  expect([await ask(), await ask(), touched]).toEqual([200, 200, [token, token]]);
  await server.close();
});
