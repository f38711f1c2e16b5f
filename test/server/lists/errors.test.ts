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
    expect(await away.text()).toContain('The database gives no answer just now. Try again in a few minutes.');
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
});
