import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Service, serve } from '../interop/program.ts';
import { isInstalled } from '../interop/readers.ts';

/** The pages in a real Chromium: they open, lead where they say, and stay inert whatever a feed calls its things. */

const folder = mkdtempSync(join(tmpdir(), 'openactive-ical-browser-'));
const shots = fileURLToPath(new URL('../../.cache/screenshots/', import.meta.url));
const here = isInstalled('chromium');

/** Names that would do something if any of them were taken for markup, script, style or a link. */
const HOSTILE = [
  '<script>window.harmed = 1</script>',
  '"><img src=x onerror="window.harmed = 2">',
  '</title></textarea><svg onload="window.harmed = 3">',
  '<style>*{display:none !important}</style>',
  "' onmouseover='window.harmed = 4' x='",
  '{{constructor.constructor("window.harmed = 5")()}}',
  '\u202egnirts dekcirt \u2066 with marks of direction',
];

let browser: Browser;
let service: Service;

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
  if (!here) {
    if (process.env.CI) throw new Error('chromium is not installed');
    console.warn('chromium is not installed: the pages are not tested');
    return;
  }
  const feed = join(folder, 'feed');
  mkdirSync(feed);
  mkdirSync(shots, { recursive: true });
  const license = 'https://creativecommons.org/licenses/by/4.0/';
  const items = HOSTILE.map(hostileItem);
  writeFileSync(join(feed, '1.json'), JSON.stringify({ next: '2.json', license, items }));
  writeFileSync(join(feed, '2.json'), JSON.stringify({ next: '2.json', license, items: [] }));
  service = await serve('--feed', feed, '--samples', '--data', join(folder, 'data'));
  browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Opens a page and runs what it asks; fails if anything was complained of or ran that should not. */
async function onPage(path: string, look: (page: Page) => Promise<void>): Promise<void> {
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('dialog', (dialog) => complaints.push(dialog.message()));
  page.on(
    'request',
    (request) => request.url().startsWith(service.url) || complaints.push(`asks for ${request.url()}`),
  );
  try {
    const answer = await page.goto(service.url + path, { waitUntil: 'networkidle' });
    expect(answer?.status()).toBe(200);
    await look(page);
    expect(complaints).toEqual([]);
    expect(await page.evaluate('window.harmed')).toBeUndefined();
  } finally {
    await page.close();
  }
}

async function addresses(page: Page, selector: string): Promise<string[]> {
  return page.locator(selector).evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
}

test.runIf(here || process.env.CI)(
  'the first page opens without a complaint and lists what has a hostile name',
  async () => {
    await onPage('/?q=Swimming', async (page) => {
      const names = await page.locator('main h3').allTextContents();
      // What is between tags may be taken for markup and dropped at the reader, the words beside it may not.
      for (const index of HOSTILE.keys())
        expect(names.filter((name) => name.includes(`Swimming ${index}`)).length).toBeGreaterThan(0);
      expect(await page.locator('main h3').first().isVisible()).toBe(true);
      await page.screenshot({ path: join(shots, 'hostile.png'), fullPage: true });
    });
  },
);

test.runIf(here || process.env.CI)(
  'the first page with the samples shows something at two widths, and fits',
  async () => {
    await onPage('/', async (page) => {
      for (const width of [1280, 360]) {
        await page.setViewportSize({ width, height: 800 });
        const shot = await page.screenshot({ path: join(shots, `first-${width}.png`) });
        // A blank page of this size compresses to about 5 KB.
        expect(shot.length).toBeGreaterThan(10_000);
        expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
      }
      expect(await page.locator('main li').count()).toBeGreaterThan(3);
    });
  },
);

test.runIf(here || process.env.CI)('a series page leads to its calendar in every program', async () => {
  await onPage('/?q=Swimming', async (home) => {
    expect(await home.locator('h1').isVisible()).toBe(true);
    const [link] = (await addresses(home, 'main a[href*="/series/"]')).filter((href) =>
      /\/series\/[a-z0-9]+$/.test(href),
    );
    await onPage(link as string, async (page) => {
      const links = await addresses(page, 'a');
      const calendar = `${service.url}${link}.ics`;
      expect(links).toContain(calendar.replace('http:', 'webcal:'));
      expect(links).toContain(`${calendar}?download=1`);
      const outside = (host: string) =>
        links.find((href) => href.startsWith(`https://${host}/`) && href.includes(encodeURIComponent(link as string)));
      for (const host of ['calendar.google.com', 'outlook.live.com', 'outlook.office.com'])
        expect(outside(host), host).toBeDefined();
      expect(links.filter((href) => !/^(?:https?:|webcal:|tel:[+\d]+$|mailto:[^\s?&]+$|\/|#)/.test(href))).toEqual([]);
      expect((await fetch(calendar)).headers.get('content-type')).toBe('text/calendar; charset=utf-8');
      await page.screenshot({ path: join(shots, 'series.png'), fullPage: true });
    });
  });
});

test.runIf(here || process.env.CI)('every series of the hostile feed has a page on which nothing runs', async () => {
  const links = new Set<string>();
  for (let index = 0; index < HOSTILE.length; index++) {
    const id = encodeURIComponent(`https://example.org/series/${index}`);
    const answer = await fetch(`${service.url}/series?id=${id}`, { redirect: 'manual' });
    links.add(new URL(answer.headers.get('location') ?? '/', service.url).pathname.replace(/\.ics$/, ''));
  }
  expect(links.size).toBe(HOSTILE.length);
  for (const link of links)
    await onPage(link, async (page) => expect(await page.locator('h1').textContent()).not.toBe(''));
});
