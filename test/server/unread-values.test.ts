import type { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { townApp } from './town-app.ts';

/** Values that cannot be read, or that nothing bears: the same on JSON, pages and calendars of a search. */

let app: Hono;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ app, close } = await townApp('https://c.example'));
}, 60_000);
afterAll(() => close());

const words = (html: string) =>
  html
    .replace(/<(style|script).*?<\/\1>/gs, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');

async function asked(path: string): Promise<{ status: number; text: string }> {
  const response = await app.request(path);
  return { status: response.status, text: await response.text() };
}

/** Misspelt values with what is meant, where something is near. */
const CLOSED: [query: string, nearest: string | undefined][] = [
  ['level=beginer', 'Beginner'],
  ['level=zz', undefined],
  ['accessible=Hearing+impairmant', 'Hearing impairment'],
  ['accessible=zz', undefined],
  ['gender=femal', 'female'],
  ['gender=zz', undefined],
  ['day=mnday', 'mon'],
  ['activity=Yogaa', 'Yoga'],
  ['activity=zzzz', undefined],
  ['near=Wexcomb', 'wexcombe'],
  ['near=Atlantis', undefined],
  ['free=maybe', undefined],
  ['age=old', undefined],
  ['within=3', undefined],
];

describe('values of closed lists', () => {
  test.each(CLOSED)('%s is 400 with the nearest', async (query, nearest) => {
    const [name] = query.split('=') as [string];
    for (const list of ['occurrences', 'series']) {
      const { status, text } = await asked(`/api/${list}?${query}`);
      expect(status, list).toBe(400);
      const [parameter] = (JSON.parse(text) as { parameters: { name: string; nearest?: string }[] }).parameters;
      expect([parameter?.name, parameter?.nearest], list).toEqual([name, nearest]);
    }
    const calendar = await asked(`/search.ics?${query}`);
    expect([calendar.status, calendar.text.trim().split('\n').length]).toEqual([400, 1]);
    expect(calendar.text).toContain(`"${name}" must be`);
    expect(calendar.text.includes('did you mean')).toBe(nearest !== undefined);
  });

  test.each(CLOSED)('%s: an embed says so', async (query, nearest) => {
    const { status, text } = await asked(`/embed/search?${query}`);
    expect(status).toBe(400);
    expect(words(text)).toContain('must be');
    expect(/Did you mean/.test(words(text))).toBe(nearest !== undefined);
    expect(text).not.toContain('Subscribe');
  });

  test.each(CLOSED)('%s: the page leads to the nearest', async (query, nearest) => {
    const { status, text } = await asked(`/search?${query}`);
    expect(text).not.toContain('Subscribe to this search');
    if (query.startsWith('activity=')) expect(status).toBe(200);
    else expect(status).toBe(400);
    expect(/Did you mean/.test(words(text))).toBe(nearest !== undefined);
    const links = [...text.matchAll(/<a class="chip" href="([^"]*)">(?:Did you mean )?<bdi>/g)];
    const [link] = links.map(([, href = '']) => href.replaceAll('&amp;', '&'));
    if (link !== undefined && nearest !== undefined)
      expect((await asked(link.replace('https://c.example', ''))).status).toBe(200);
    expect(link === undefined).toBe(nearest === undefined);
  });

  test('a cursor that was not given out, however long', async () => {
    for (const length of [3, 600, 7000]) expect((await asked(`/search?more=${'x'.repeat(length)}`)).status).toBe(400);
  });

  test('kind and view of the page', async () => {
    for (const query of ['kind=zz', 'view=zz', 'kind=plaices&q=lido', 'view=weak']) {
      const { status, text } = await asked(`/search?${query}`);
      expect([query, status]).toEqual([query, 400]);
      expect(words(text)).toContain('allowed is');
    }
    expect((await asked('/search?kind=plaices&q=lido')).text).toContain('href="/search?q=lido&amp;kind=places"');
  });
});

describe('names that nothing bears', () => {
  const names: [query: string, nearest: string | undefined, title: string][] = [
    ['place=Old+Mill', 'Old Mill Movement Studio', 'No place called “Old Mill”'],
    ['place=Atlantis', undefined, 'No place called “Atlantis”'],
    ['organizer=Wexcombe+Clubs', 'Wexcombe Clubs Together', 'No organiser called “Wexcombe Clubs”'],
    ['organizer=nobody', undefined, 'No organiser called “nobody”'],
    ['series=Judo+Clubb', 'Judo Club', 'No session called “Judo Clubb”'],
  ];

  test.each(names)('%s: 400 on JSON, a page that says so', async (query, nearest, title) => {
    const { status, text } = await asked(`/api/occurrences?${query}`);
    const { parameters } = JSON.parse(text) as { parameters: { nearest?: string }[] };
    expect([status, parameters[0]?.nearest]).toEqual([400, nearest]);
    const page = await asked(`/search?${query}`);
    expect([page.status, /<meta name="robots" content="noindex"/.test(page.text)]).toEqual([200, true]);
    expect(words(page.text)).toContain(title);
    expect(page.text).not.toContain('Subscribe to this search');
    if (nearest === undefined) return;
    const [, href = ''] = /<a class="chip" href="([^"]*)">Did you mean <bdi>/.exec(page.text) ?? [];
    const meant = await asked(href.replaceAll('&amp;', '&'));
    expect([meant.status, meant.text.includes('Subscribe to this search')]).toEqual([200, true]);
  });

  test('a town is no place: what is on near it is proposed', async () => {
    const { status, text } = await asked('/api/occurrences?place=Wexcombe&day=tue');
    const { detail, parameters } = JSON.parse(text) as { detail: string; parameters: object[] };
    expect([status, detail]).toEqual([400, expect.stringContaining('"near=Wexcombe"?')]);
    expect(parameters).toMatchObject([{ name: 'place', instead: { name: 'near', value: 'Wexcombe' } }]);
    const page = await asked('/search?place=Wexcombe&day=tue');
    expect(words(page.text)).toContain('What is on near Wexcombe');
    expect(page.text).toContain('href="/search?day=tue&amp;near=Wexcombe"');
    expect((await asked('/search?day=tue&near=Wexcombe')).text).toContain('Subscribe to this search');
  });

  test('a calendar waits: what is out of season comes again', async () => {
    const { status, text } = await asked('/search.ics?place=Atlantis');
    expect([status, text.includes('BEGIN:VEVENT')]).toEqual([200, false]);
    expect(text.replaceAll('\r\n ', '')).toContain('DESCRIPTION:No place is called “Atlantis” here now.');
  });

  test('so does an embed, and says whom', async () => {
    const { status, text } = await asked('/embed/search?place=Atlantis');
    expect([status, words(text).includes('not &quot;Atlantis&quot;')]).toEqual([200, true]);
  });
});

describe('only a page can ask where somebody is', () => {
  test.each(['/search.ics', '/embed/search', '/api/occurrences', '/api/series', '/api/places', '/api/facilities'])(
    '%s near me: 400 with the cure',
    async (path) => {
      for (const q of ['yoga+near+me', 'gym+within+5+miles']) {
        const { status, text } = await asked(`${path}?q=${q}`);
        expect([status, text.includes('near=')]).toEqual([400, true]);
        expect((await asked(`${path}?q=${q}&near=EX99`)).status).toBe(200);
      }
    },
  );

  test('the page shows the rest, and asks', async () => {
    const { status, text } = await asked('/search?q=yoga+near+me');
    expect([status, words(text).includes('Candlelight Yoga')]).toEqual([200, true]);
  });
});

test('a parameter that is not known is 400 on every address of the API', async () => {
  const { paths } = JSON.parse((await asked('/openapi.json')).text) as { paths: Record<string, unknown> };
  const { items } = JSON.parse((await asked('/api/series?limit=1')).text) as { items: { key: string }[] };
  const addresses = Object.keys(paths).filter((path) => path.startsWith('/api/'));
  expect(addresses.length).toBeGreaterThan(10);
  for (const path of addresses) {
    const address = path.replace('{key}', items[0]?.key ?? '').replace('{id}', '1');
    const { status, text } = await asked(`${address}?limmit=5`);
    expect([address, status]).toEqual([address, 400]);
    expect(text).toContain('"limmit\\" is no parameter');
    expect((await asked(`${address}?utm_source=x`)).status, address).not.toBe(400);
  }
});
