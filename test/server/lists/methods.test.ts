import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Served, served } from '../stored-rig.ts';

/** What the addresses of lists say that they take. */

let one: Served;
beforeEach(async () => {
  one = await served();
});
afterEach(() => one.close());

const KEPT = `/my/k${'a'.repeat(22)}`;
const READ = 'GET, HEAD, OPTIONS';

test.each([
  ['/my', `${READ}, POST`, ['DELETE', 'PATCH', 'PUT']],
  [KEPT, `${READ}, POST, PUT`, ['DELETE', 'PATCH']],
  // Its token says everything by itself: there is nothing to change.
  ['/my/1Stut2uzagjvasqayr', READ, ['DELETE', 'PATCH']],
  [`${KEPT}.ics`, READ, ['DELETE', 'PATCH']],
])('%s takes %s', async (path, allow, others) => {
  for (const method of others) {
    const refused = await one.app.request(path, { method });
    expect([method, refused.status, refused.headers.get('allow')]).toEqual([method, 405, allow]);
  }
  const { status, headers } = await one.app.request(path, { method: 'OPTIONS' });
  expect([status, headers.get('allow')]).toEqual([204, allow]);
  expect(headers.get('access-control-allow-origin')).toBe('*');
  expect(headers.get('access-control-allow-methods')).toBe(allow);
  if (allow !== READ) expect(headers.get('access-control-allow-headers')).toBe('Content-Type, If-Match, If-None-Match');
});

test('a page of another origin makes a list by JSON, and reads nothing of what a form gets', async () => {
  const origin = { origin: 'https://club.example' };
  const sent = { ...origin, 'content-type': 'application/json' };
  const made = await one.app.request('/my', { method: 'POST', headers: sent, body: '{"things":["series/a"]}' });
  expect([made.status, made.headers.get('access-control-allow-origin')]).toEqual([201, '*']);
  expect(made.headers.get('access-control-allow-credentials')).toBeNull();
  const form = { ...origin, 'content-type': 'application/x-www-form-urlencoded' };
  const led = await one.app.request('/my', { method: 'POST', headers: form, body: 'things=series/a' });
  expect([led.status, led.headers.get('access-control-allow-origin')]).toEqual([303, null]);
  const page = await one.app.request(led.headers.get('location') ?? '', { headers: origin });
  expect([page.status, page.headers.get('access-control-allow-origin')]).toEqual([200, null]);
});
