import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addresses, FITS, hasChromium, keepShot, Pages, PHONE, type Visit } from './chromium.ts';

/** The pages in a real Chromium: they open, lead where they say, and stay inert whatever a feed calls its things. */

const folder = mkdtempSync(join(tmpdir(), 'openactive-ical-browser-'));
const here = hasChromium();

/** Names that would do something if any of them were taken for markup, script, style or a link. */
const HOSTILE = [
  '<script>window.harmed = 1</script>',
  '"><img src=x onerror="window.harmed = 2">',
  '</title></textarea><svg onload="window.harmed = 3">',
  '<style>*{display:none !important}</style>',
  "' onmouseover='window.harmed = 4' x='",
  '{{constructor.constructor("window.harmed = 5")()}}',
  '</script><script>window.harmed = 9</script><!--<script>',
  ']]><script xmlns="http://www.w3.org/1999/xhtml">window.harmed = 10</script>',
  '&lt;script&gt;window.harmed = 11&lt;/script&gt; &amp;#60;img src=x onerror=window.harmed=12&amp;#62;',
  '<math><mtext><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=window.harmed=13&gt;">',
  '<iframe srcdoc="<script>parent.harmed = 14</script>"></iframe><object data="data:text/html,x"></object>',
  '</bdi></a></h3><base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=https://evil.example/">',
  '<link rel=stylesheet href=//evil.example/x.css><img srcset="//evil.example/x.png 1x">',
  '`${window.harmed = 15}` \u2028window.harmed = 16//',
  'javascript:window.harmed=17//%0d%0aX-Evil:%201',
  '\u202egnirts dekcirt \u2066 with marks of direction',
];

let pages: Pages;

function hostileItem(trick: string, index: number): object {
  const name = `Swimming ${index} ${trick}`;
  const id = `https://example.org/series/${index}`;
  const date = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const data = {
    '@context': 'https://openactive.io/',
    '@type': 'SessionSeries',
    '@id': id,
    name,
    description: `${name}\n<a href="javascript:window.harmed = 6">read more</a>`,
    url: 'javascript:window.harmed = 7',
    activity: [{ '@type': 'Concept', prefLabel: name }],
    organizer: { '@type': 'Organization', name, url: 'javascript:window.harmed = 8' },
    location: { '@type': 'Place', '@id': `${id}/place`, name, address: name, geo: { latitude: 51.5, longitude: -1 } },
    eventSchedule: [
      {
        '@type': 'Schedule',
        startDate: date(-7),
        endDate: date(60),
        startTime: '18:00',
        duration: 'PT1H',
        repeatFrequency: 'P1W',
        scheduleTimezone: 'Europe/London',
        scheduledEventType: 'ScheduledSession',
      },
    ],
  };
  return { state: 'updated', kind: 'SessionSeries', id: `hostile-${index}`, modified: index + 1, data };
}

beforeAll(async () => {
  if (!here) return;
  const feed = join(folder, 'feed');
  mkdirSync(feed);
  const license = 'https://creativecommons.org/licenses/by/4.0/';
  const items = HOSTILE.map(hostileItem);
  writeFileSync(join(feed, '1.json'), JSON.stringify({ next: '2.json', license, items }));
  writeFileSync(join(feed, '2.json'), JSON.stringify({ next: '2.json', license, items: [] }));
  pages = await Pages.open('--feed', feed, '--samples', '--data', join(folder, 'data'));
});

afterAll(async () => {
  await pages?.close();
  rmSync(folder, { recursive: true, force: true });
});

const onPage = (path: string, visit: Visit, options?: BrowserContextOptions & { status?: number }) =>
  pages.visit(path, visit, options);

/** The browser's reader of XML, as far as tests ask it. */
interface XmlReader {
  parseFromString(
    text: string,
    type: string,
  ): {
    querySelector(selector: string): { textContent: string | null } | null;
    querySelectorAll(selector: string): { length: number };
  };
}

describe.runIf(here)('in Chromium', () => {
  test('results open without a complaint and list what has a hostile name', async () => {
    await onPage('/search?q=Swimming', async (page) => {
      const names = await page.locator('main h3').allTextContents();
      // What is between tags may be taken for markup and dropped at the reader, the words beside it may not.
      for (const index of HOSTILE.keys())
        expect(names.filter((name) => name.includes(`Swimming ${index}`)).length).toBeGreaterThan(0);
      expect(await page.locator('main h3').first().isVisible()).toBe(true);
      await keepShot(page, 'hostile', { fullPage: true });
    });
  });

  test('the first page with the samples shows something from a narrow phone to a desk, and fits', async () => {
    await onPage('/', async (page) => {
      for (const width of [1280, 390, 320]) {
        await page.setViewportSize({ width, height: 800 });
        const shot = await page.screenshot();
        // A blank page of this size compresses to about 5 KB.
        expect(shot.length).toBeGreaterThan(10_000);
        expect(await page.evaluate(FITS)).toBe(true);
      }
      expect(await page.locator('.row').count()).toBeGreaterThan(1);
    });
  });

  test('the way without JavaScript: search, filters, sheet, and + as a link', async () => {
    const visit = async (page: Page) => {
      await page.fill('#q', 'yoga');
      await page.click('.find [type=submit]');
      await page.click('button[popovertarget=filters]:visible');
      await page.selectOption('select[name=after]', '07:00');
      await page.click('.apply button');
      expect(new URL(page.url()).searchParams.get('after')).toBe('07:00');
      await page.click('[popovertarget=sub]:visible');
      expect(await page.locator('dialog:modal').isVisible()).toBe(true);
      expect(await page.locator('[data-copy]').first().isVisible()).toBe(false);
      expect((await addresses(page, '.row .go'))[0]).toMatch(/^\/my\?add=series\/[a-z0-9]+$/);
      expect(await page.locator('.tray').isVisible()).toBe(false);
    };
    await onPage('/', visit, { ...PHONE, javaScriptEnabled: false });
  });

  test('+ puts a series on the list, which stays when the page is opened again', async () => {
    await onPage('/search', async (page) => {
      const add = page.locator('.row .go').first();
      await add.click();
      expect(await add.getAttribute('aria-pressed')).toBe('true');
      await page.reload();
      expect(await page.locator('.tray').innerText()).toContain('1 on my list');
      expect(await page.locator('[data-n]').innerText()).toBe('1');
      await page.locator('.row .go').first().press('Space');
      expect(await page.locator('.tray').isVisible()).toBe(false);
    });
  });

  test('a series page leads to its calendar in every program', async () => {
    await onPage('/search?q=Swimming', async (results) => {
      const [link] = (await addresses(results, 'main a[href*="/series/"]')).filter((href) =>
        /\/series\/[a-z0-9]+$/.test(href),
      );
      await onPage(link as string, async (page) => {
        const links = await addresses(page, 'a');
        const calendar = `${pages.service.url}${link}.ics`;
        expect(links).toContain(calendar.replace('http:', 'webcal:'));
        expect(links).toContain(`${calendar}?download=1`);
        const outside = (host: string) =>
          links.find(
            (href) => href.startsWith(`https://${host}/`) && href.includes(encodeURIComponent(link as string)),
          );
        for (const host of ['calendar.google.com', 'outlook.live.com', 'outlook.office.com'])
          expect(outside(host), host).toBeDefined();
        expect(links.filter((href) => !/^(?:https?:|webcal:|tel:|mailto:|\/|#|\?)/.test(href)).join('\n')).toBe('');
        expect((await fetch(calendar)).headers.get('content-type')).toBe('text/calendar; charset=utf-8');
        await keepShot(page, 'series', { fullPage: true });
      });
    });
  });

  test('every series of the hostile feed has a page on which nothing runs', async () => {
    const links = new Set<string>();
    for (let index = 0; index < HOSTILE.length; index++) {
      const id = encodeURIComponent(`https://example.org/series/${index}`);
      const answer = await fetch(`${pages.service.url}/series?id=${id}`, { redirect: 'manual' });
      links.add(new URL(answer.headers.get('location') ?? '/', pages.service.url).pathname.replace(/\.ics$/, ''));
    }
    expect(links.size).toBe(HOSTILE.length);
    for (const link of links)
      await onPage(link, async (page) => expect(await page.locator('h1').first().textContent()).not.toBe(''));
  });

  /** Keys of the series of the hostile feed, and of their places. */
  async function hostileKeys(kind: 'series' | 'places'): Promise<string[]> {
    const ids = [...HOSTILE.keys()].map(
      (index) => `https://example.org/series/${index}${kind === 'places' ? '/place' : ''}`,
    );
    const answers = ids.map((id) =>
      fetch(`${pages.service.url}/${kind}?id=${encodeURIComponent(id)}`, { redirect: 'manual' }),
    );
    const paths = (await Promise.all(answers)).map((answer) => answer.headers.get('location') ?? '');
    return paths.map((path) => /\/([a-z0-9]+)\.ics$/.exec(path)?.[1] ?? '');
  }

  test('hostile names are inert in embeds, places, lists, explanations and searches', async () => {
    const [series, places] = [await hostileKeys('series'), await hostileKeys('places')];
    expect(new Set([...series, ...places]).size).toBe(2 * HOSTILE.length);
    const list = [...series.map((key) => `series/${key}`), ...places.map((key) => `places/${key}`)];
    const paths = [
      ...series.flatMap((key) => [`/embed/series/${key}`, `/series/${key}/explain`]),
      ...places.flatMap((key) => [`/places/${key}`, `/embed/places/${key}`]),
      `/my?${list.map((one) => `add=${one}`).join('&')}`,
      '/embed/search?q=Swimming',
      '/search?kind=places&q=Swimming',
      ...HOSTILE.map((trick) => `/search?q=${encodeURIComponent(`Swimming ${trick}`)}`),
      ...HOSTILE.map((trick) => `/embed/search?q=${encodeURIComponent(`Swimming ${trick}`)}`),
    ];
    await pages.visitEach(
      paths,
      async (page) => {
        expect(await page.locator('body').innerText()).not.toBe('');
      },
      PHONE,
    );
    await pages.visitEach(
      HOSTILE.map((trick) => `/search?place=${encodeURIComponent(trick)}`),
      async (page) => {
        expect(await page.locator('h1').textContent()).toContain('No place called');
      },
    );
  });

  test('hostile names are text in Atom, and values in JSON-LD', async () => {
    for (const [index, key] of (await hostileKeys('series')).entries()) {
      const atom = await (await fetch(`${pages.service.url}/changes/series/${key}.atom`)).text();
      await onPage(`/series/${key}`, async (page) => {
        const [title, wrong] = await page.evaluate((text): [string, number] => {
          const { DOMParser: Reader } = globalThis as unknown as { DOMParser: new () => XmlReader };
          const read = new Reader().parseFromString(text, 'application/xml');
          const odd = 'parsererror, script, img, svg, style, foreignObject';
          return [read.querySelector('title')?.textContent ?? '', read.querySelectorAll(odd).length];
        }, atom);
        expect([title.includes(`Swimming ${index}`), wrong]).toEqual([true, 0]);
        const data = await page.locator('script[type="application/ld+json"]').allTextContents();
        for (const one of data) expect(JSON.stringify(JSON.parse(one))).toContain(`Swimming ${index}`);
      });
    }
  });

  test('the QR code is of the address alone, whatever is searched for', async () => {
    for (const trick of HOSTILE.slice(0, 5)) {
      await onPage(`/search?q=${encodeURIComponent(`Swimming ${trick}`)}`, async (page) => {
        for (const code of await page.locator('svg.qr').all()) {
          expect(await code.getAttribute('aria-label')).toBe('QR code of this page’s address');
          expect(await code.evaluate((svg) => [...svg.querySelectorAll('*')].map((one) => one.localName))).toEqual([
            'path',
          ]);
          expect(await code.locator('path').getAttribute('d')).toMatch(/^[Mh\d .]+$/);
        }
      });
    }
  });

  test('a page of another origin may read JSON, calendars and Atom, and ask whether they changed', async () => {
    const [key] = await hostileKeys('series');
    const elsewhere = createServer((_, answer) => answer.end('elsewhere')).listen(0, '127.0.0.1');
    await once(elsewhere, 'listening');
    const page = await pages.browser.newPage();
    await page.goto(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`);
    for (const path of [
      '/api/occurrences?limit=1',
      '/openapi.json',
      `/series/${key}.ics`,
      `/changes/series/${key}.atom`,
    ]) {
      const answers = await page.evaluate(async (address): Promise<unknown[]> => {
        const first = await fetch(address, { cache: 'no-store' });
        const tag = first.headers.get('etag') ?? '';
        const second = await fetch(address, { cache: 'no-store', headers: { 'If-None-Match': tag } });
        return [first.status, tag !== '', second.status];
      }, pages.service.url + path);
      expect([path, ...answers]).toEqual([path, 200, true, 304]);
    }
    await page.close();
    elsewhere.close();
  });
});
