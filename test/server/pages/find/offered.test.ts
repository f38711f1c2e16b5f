import type { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setUp } from '../../fake.ts';
import { HOUR } from '../../made.ts';
import { townApp } from '../../town-app.ts';
import { item, SIX, words } from './items.ts';

/** What the results say of a calendar of them, in the sample town on Tue 24 Nov 2026 at noon. */

let app: Hono;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ app, close } = await townApp('https://c.example'));
}, 60_000);
afterAll(() => close());

/** The address that the sheet has, and the words beside the button. */
async function offered(path: string): Promise<{ calendar: string | undefined; text: string }> {
  const html = await (await app.request(path)).text();
  const [, calendar] = /<dialog id="sub"[^>]* data-cal="([^"]*)"/.exec(html) ?? [];
  return { calendar: calendar?.replaceAll('&amp;', '&').replace('https://c.example', ''), text: words(html) };
}

describe('a calendar of a search', () => {
  const table: [path: string, calendar: string | undefined, note: string][] = [
    ['/search?q=yoga', '/search.ics?q=yoga', 'New matches appear by themselves.'],
    ['/search?q=yoga&from=2026-11-26', '/search.ics?q=yoga', 'New matches appear by themselves.'],
    ['/search?q=yoga&from=2026-11-24&to=2026-11-25', '/search.ics?q=yoga', 'not only Tue 24 Nov.'],
    ['/search?q=swim&from=2026-11-28&to=2026-11-30', '/search.ics?q=swim', 'not only Sat 28 to Sun 29 Nov.'],
    ['/search?q=yoga&to=2026-11-27', '/search.ics?q=yoga', 'not only Tue 24 to Thu 26 Nov.'],
    [
      '/search?q=yoga&from=2026-12-01&to=2027-02-01',
      '/search.ics?from=2026-12-01&q=yoga&to=2027-02-01',
      'It ends with these dates: Tue 1 Dec to Sun 31 Jan 2027.',
    ],
    ['/search?q=yoga+tonight', '/search.ics?q=yoga%20tonight', '“tonight” is read anew every day.'],
    ['/search?q=swim+this+weekend', '/search.ics?q=swim%20this%20weekend', '“this weekend” is read anew every day.'],
    ['/search?q=yoga+24+Nov', undefined, 'would be empty soon'],
    ['/search?q=yoga+24/11/2026', undefined, 'would be empty soon'],
    ['/search?q=yoga+24/11', undefined, 'would be empty soon'],
    ['/search?q=swim+christmas+eve', undefined, 'would be empty soon'],
    ['/search?q=yoga+christmas', undefined, 'would be empty soon'],
  ];
  test.each(table)('%s', async (path, calendar, note) => {
    const found = await offered(path);
    expect(found.calendar?.replaceAll('+', '%20')).toBe(calendar);
    expect(found.text).toContain(note);
  });

  test.each([
    ['/search?q=yoga+on+tuesday', 'Yoga · Tuesdays: whatever matches'],
    ['/search?q=yoga+not+at+Bridge+Street+Hall', 'Yoga · not at Bridge Street Hall: whatever matches'],
    [
      '/search?q=yoga&day=tue,wed&maxPrice=8&near=Wexcombe',
      'Yoga near Wexcombe · Tuesdays · Wednesdays · Up to £8: what',
    ],
    ['/search?q=yoga&to=2026-11-27', 'Yoga: whatever matches'],
    ['/search?q=yoga+near+Wexcombe', 'Yoga · Near Wexcombe: whatever matches'],
  ])('%s: the sheet names all filters', async (path, said) => {
    const html = await (await app.request(path)).text();
    expect(/<dialog id="sub"[\s\S]*?<\/dialog>/.exec(html)?.[0]).toContain(said);
  });

  test.each(table.filter(([, calendar]) => calendar !== undefined))('%s: is not empty', async (path) => {
    const { calendar = '' } = await offered(path);
    expect(await (await app.request(calendar)).text()).toContain('BEGIN:VEVENT');
  });

  test.each(['/search?q=yoga&from=2026-11-01&to=2026-11-20', '/search?q=yoga+near+me', '/search?q=xylophone'])(
    '%s has none',
    async (path) => {
      const { calendar, text } = await offered(path);
      expect([calendar, text.includes('Subscribe to this search')]).toEqual([undefined, false]);
    },
  );
});

describe('what nothing has beside the other words', () => {
  test('is in no heading, and in no name of the calendar', async () => {
    const html = await (await app.request('/search?q=ballroom+dancing')).text();
    const [, heading = ''] = /<h1[^>]*>(.*?)<\/h1>/s.exec(html) ?? [];
    expect(words(heading)).toMatch(/^ \d+ dancing sessions $/);
    expect(/<dialog id="sub"[\s\S]*?<\/dialog>/.exec(html)?.[0]).toContain('Dancing: whatever matches');
    expect(words(html)).toContain('Shown without “ ballroom ”.');
  });

  test.each([
    ['ballroom dancing', 'DESCRIPTION:Nothing has all of it. Shown without “ballroom”.\\n'],
    ['yooga', 'DESCRIPTION:Showing yoga instead of “yooga”.\\n'],
    ['yoga not free', 'DESCRIPTION:Left out\\, because no search can ask for it: “not free”.\\n'],
    ['yoga', 'DESCRIPTION:Source: '],
  ])('%s: its calendar says so', async (q, said) => {
    expect(await (await app.request(`/search.ics?${new URLSearchParams({ q })}`)).text()).toContain(said);
  });
});

describe('times of day are those of each place', () => {
  async function page(path: string, zone: string): Promise<string> {
    const set = setUp();
    set.library.search.items = [item({ zone, start: SIX + HOUR })];
    return words(await (await set.app.request(path)).text());
  }
  const said = 'is meant in the time of each place';

  test('where one has other clocks', async () => {
    expect(await page('/search?before=21:00', 'America/New_York')).toContain(`Before 21:00 ${said}`);
    expect(await page('/search?after=07:00&before=21:00', 'Asia/Tokyo')).toContain(`After 07:00, Before 21:00 ${said}`);
  });

  test('not where all have the same, or none was asked for', async () => {
    expect(await page('/search?before=21:00', 'Europe/London')).not.toContain(said);
    expect(await page('/search', 'America/New_York')).not.toContain(said);
  });
});

test.each([
  ['is the pool open sunday', true],
  ['opening hours harbour lane', true],
  ['when does the gym open', true],
  ['ashdown pools sunday hours', true],
  ['is the gym open now', true],
  ['what time does the pool close', true],
  ['open day', false],
  ['yoga in 7 hours', false],
  ['gym', false],
])('%s: places are offered beside sessions', async (q, isOffered) => {
  const html = await (await app.request(`/search?${new URLSearchParams({ q })}`)).text();
  expect(html).toContain('<li class="row');
  expect(/<a class="chip fill" href="\/search\?kind=places&amp;q=[^"]*">Places <small>\d/.test(html)).toBe(isOffered);
});
