import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { townApp } from '../town-app.ts';

/** `after` is a local time and a cursor: an address may have both, and `next` keeps the time. */

const BASE = 'https://c.example';
let app: Hono;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ app, close } = await townApp(BASE));
}, 60_000);
afterAll(() => close());

interface Answer {
  items: { id?: string; key?: string; start: string }[];
  next?: string;
  parameters?: { name: string }[];
  detail?: string;
}

async function asked(address: string): Promise<Answer & { status: number }> {
  const response = await app.request(address.replace(BASE, ''));
  return { status: response.status, ...((await response.json()) as Answer) };
}

async function paged(address: string): Promise<{ items: Answer['items']; pages: number }> {
  const items: Answer['items'] = [];
  let [next, pages]: [string | undefined, number] = [address, 0];
  while (next !== undefined) {
    const page = await asked(next);
    expect([next, page.status]).toEqual([next, 200]);
    items.push(...page.items);
    next = page.next;
    pages += 1;
  }
  return { items, pages };
}

test.each([
  '/api/occurrences?after=18:00&day=mon,thu',
  '/api/series?after=18:00&day=mon,thu',
  '/api/series?after=18:00&q=class',
])('%s, page by page, is the whole', async (address) => {
  const whole = await asked(`${address}&limit=500`);
  expect(whole.next).toBeUndefined();
  const { items, pages } = await paged(`${address}&limit=3`);
  expect(items).toEqual(whole.items);
  expect([items.length > 6, pages > 2]).toEqual([true, true]);
});

test('each page has the time', async () => {
  const { items } = await paged('/api/occurrences?after=18:00&day=mon,thu&limit=5');
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/London', timeStyle: 'short' });
  for (const { start } of items) expect(clock.format(new Date(start)) >= '18:00', start).toBe(true);
});

test('in either order, and each alone', async () => {
  const { next = '', items } = await asked('/api/occurrences?limit=3&after=18:00');
  const [time, cursor] = new URL(next).searchParams.getAll('after') as [string, string];
  expect(time).toBe('18:00');
  const second = await asked(next);
  expect((await asked(`/api/occurrences?after=${cursor}&limit=3&after=18:00`)).items).toEqual(second.items);
  expect(second.items).not.toEqual(items);
  // Without the time it is another search, and its cursor none of it.
  const alone = await asked(`/api/occurrences?limit=3&after=${cursor}`);
  expect([alone.status, alone.parameters?.[0]?.name]).toEqual([400, 'after']);
  expect((await asked(`${next}&after=19:00`)).status).toBe(400);
  const other = await asked(`/api/occurrences?limit=3&after=19:00&after=${cursor}`);
  expect(other.detail).toMatch(/^"after" must be the cursor of "next", for the same filters, not "/);
  expect((await asked('/api/occurrences?after=noon')).detail).toMatch(
    /^"after" must be a local time such as 18:00, or/,
  );
});

test.each(['/api/places?after=18:00', '/api/facilities?after=18:00&q=court', '/api/places?after=x'])(
  '%s: only a cursor is taken',
  async (address) => {
    const response = await app.request(address);
    const { detail } = (await response.json()) as { detail: string };
    expect([response.status, detail]).toEqual([
      400,
      expect.stringMatching(/^"after" must be the cursor of "next", for the same filters, not "(?:18:00|x)"\.$/),
    ]);
  },
);
