import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { siteOf } from '../../../src/server/pages/frame/site.ts';
import type { Trial } from '../../../src/server/pages/publish/trial.ts';
import type { TrialAnswers } from '../../../src/server/publishing/answers.ts';
import { mountPublish, type TrialOutcome } from '../../../src/server/publishing/publishing.ts';
import { setUp } from '../fake.ts';

/** `/publish`: a form, and what came of it. */

const NOW = Date.UTC(2026, 10, 24, 12);
const SECRET = 'https://calendar.example/private-0123/basic.ics';
const HOSTILE = '<img src=x onerror=alert(1)>"\'';

const TRIAL: Trial = {
  name: HOSTILE,
  series: [
    {
      name: HOSTILE,
      when: ['Tuesdays 18:30–19:30'],
      sessions: 2,
      next: '2026-11-25T18:30:00Z',
      activity: HOSTILE,
      place: HOSTILE,
      price: { amount: 4.5, currency: 'GBP' },
    },
    { name: 'Bare', when: [], sessions: 0 },
    { name: 'Paid in a currency of its own', when: [], sessions: 0, price: { amount: 3, currency: HOSTILE } },
  ],
  facilities: [{ name: HOSTILE, hours: 7 }],
  counts: { series: 1003, sessions: 2, facilities: 1 },
  undecided: [{ title: HOSTILE, events: 3 }],
  left: [{ title: HOSTILE, events: 2, why: 'says that something is closed' }],
  more: 4,
  private: 1,
  findings: [{ code: 'x', severity: 'error', message: HOSTILE, count: 2 }],
  mapping: `{"$comment": "</textarea>${HOSTILE.replaceAll('"', '')}"}`,
};

function app(outcome: TrialOutcome = { trial: TRIAL }) {
  const asked: string[] = [];
  const answered: TrialAnswers[] = [];
  const mounted = new Hono();
  const trial = async (pasted: string, answers: TrialAnswers) => {
    asked.push(pasted);
    answered.push(answers);
    return outcome;
  };
  mountPublish(mounted, { trial, site: siteOf('https://c.example'), now: () => NOW });
  const send = (calendar: string, headers: Record<string, string> = {}, more: [string, string][] = []) =>
    mounted.request('/publish', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams([['calendar', calendar], ...more]).toString(),
    });
  return { get: (path: string) => mounted.request(path), send, asked, answered };
}

function isUnseen(response: Response) {
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('x-robots-tag')).toBe('noindex');
  expect(response.headers.get('referrer-policy')).toBe('no-referrer');
}

test('the form sends the address in the body, and nothing in the query fills it in', async () => {
  const { get, asked } = app();
  const response = await get(`/publish?calendar=${encodeURIComponent(SECRET)}`);
  const text = await response.text();
  expect(response.status).toBe(200);
  isUnseen(response);
  expect(text).toContain('method="post" action="/publish"');
  expect(text).toContain('<meta name="robots" content="noindex"');
  expect(text).not.toContain('private-0123');
  expect(asked).toEqual([]);
});

test('what would be published, what not, and the mapping file, with hostile words as words', async () => {
  const { send, asked } = app();
  const response = await send(SECRET);
  const text = await response.text();
  expect(asked).toEqual([SECRET]);
  expect(response.status).toBe(200);
  isUnseen(response);
  const words = text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
  expect(words).toContain('1,003 classes or sessions, 2 dates of their own and 1 place with opening hours would be');
  expect(words).toContain('6 entries and more would not be.');
  expect(words).toContain('Tuesdays 18:30–19:30; 2 dates, next: Tomorrow, 18:30');
  expect(words).toContain('£4.50');
  expect(words).toContain('No activity');
  expect(words).toContain('and 1,000 others.');
  expect(text).not.toMatch(/<img|<\/textarea>\S*<img/);
  expect(text.match(/<textarea/g)).toHaveLength(1);
  const address = /href="data:application\/json;charset=utf-8,([^"]+)" download="mapping.json"/.exec(text)?.[1];
  expect(decodeURIComponent((address ?? '').replaceAll('&#39;', "'"))).toBe(TRIAL.mapping);
});

test.each([
  [{ trouble: 'There is nothing at this address.' }, 422],
  [{ trouble: 'Others try their calendars just now.', isBusy: true }, 503],
])('a trouble is a sentence: %o', async (outcome, status) => {
  const response = await app(outcome).send(SECRET);
  expect(response.status).toBe(status);
  isUnseen(response);
  expect(await response.text()).toContain(`role="alert">${outcome.trouble}`);
});

test('what is filled in goes to the trial, and what cannot be used is told and shown again', async () => {
  const { send, answered } = app();
  const titles: [string, string][] = [
    ['title', 'Track training'],
    ['activity', 'running'],
    ['title', 'Committee'],
    ['activity', ''],
  ];
  await send(SECRET, {}, [['site', 'club.example'], ['organizer', ' The Club '], ['price', '£4.50'], ...titles]);
  expect(answered[0]).toEqual({
    site: 'https://club.example/',
    organizer: 'The Club',
    price: 4.5,
    activities: [{ title: 'Track training', activity: 'Running' }],
  });
  const wrong: [string, string][] = [
    ['site', HOSTILE],
    ['price', 'ten'],
    ['title', HOSTILE],
    ['activity', HOSTILE],
  ];
  const text = await (await send(SECRET, {}, wrong)).text();
  expect(answered[1]).toEqual({ activities: [] });
  expect(text.match(/class="wrong"/g)).toHaveLength(3);
  expect(text).toContain('value="ten"');
  expect(text).not.toContain('<img');
  await send(SECRET);
  expect(answered[2]).toEqual({});
});

test('nothing, too much, and what other pages send is not tried', async () => {
  const { send, asked } = app();
  expect((await send('')).status).toBe(400);
  expect((await send('x'.repeat(40_000))).status).toBe(413);
  expect((await send(SECRET, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  expect(asked).toEqual([]);
  expect((await send(SECRET, { 'sec-fetch-site': 'same-origin' })).status).toBe(200);
});

test('is no page where nobody has turned it on', async () => {
  expect((await setUp().app.request('/publish')).status).toBe(404);
});
