import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WEEKDAYS } from '../../src/time/days.ts';
import { DEVICES, FITS, hasChromium, keepShot, Pages } from './chromium.ts';

/** Names as no mock-up has them, in every field of a feed: nothing is wider than the window, on a phone and at a desk. */

const folder = mkdtempSync(join(tmpdir(), 'openactive-ical-long-names-'));
const here = hasChromium();

const NAMES = [
  'Aquagymnastikfortgeschrittenenkursteilnehmerversammlung'.repeat(3),
  'https://booking.example/activities/swimming/adults/beginners?site=harbour-lane&session=2026-11-24T18:00:00Z&lang=en',
  '👩‍👩‍👧‍👦🏊🏽‍♀️🧘🏿‍♂️🇬🇧'.repeat(20),
  'يوغا للمبتدئين في المركز الرياضي الجديد مساء الثلاثاء',
  `שחייה ${'למתחילים'.repeat(15)} (18:00–19:00)`,
  'Yoga\nfor beginners\r\n\r\n\tand\u2028everybody\u0085else',
  '初心者のための火曜日の夜のヨガ教室'.repeat(6),
  `Z${'\u0300\u0316\u0489'.repeat(40)}umba`,
  `NBSP\u00a0${'all\u00a0in\u00a0one\u00a0line\u00a0'.repeat(15)}`,
  'Soft\u00adhy\u00adphens\u200b and \u2060words\u200d without width',
  'A'.repeat(250),
];

const date = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const idOf = (index: number) => `https://long.example/series/${index}`;

const DAYS = WEEKDAYS.map((day) => `https://schema.org/${day}`);

function item(name: string, index: number): object {
  const id = idOf(index);
  const hours = ['Monday', 'Saturday'].map((day) => ({
    '@type': 'OpeningHoursSpecification',
    dayOfWeek: `https://schema.org/${day}`,
    opens: '07:00',
    closes: '22:00',
  }));
  const night = { '@type': 'OpeningHoursSpecification', dayOfWeek: DAYS, opens: '18:00', closes: '01:30' };
  const data = {
    '@context': 'https://openactive.io/',
    '@type': 'SessionSeries',
    '@id': id,
    name,
    description: `${name}\n${name}`,
    activity: [{ '@type': 'Concept', prefLabel: name }],
    category: [name],
    level: [name],
    leader: [{ '@type': 'Person', name }],
    organizer: { '@type': 'Organization', name, telephone: name, email: `${'e'.repeat(90)}@long.example` },
    offers: [{ '@type': 'Offer', name, price: 123_456.78, priceCurrency: 'GBP', url: 'https://long.example/book' }],
    location: {
      '@type': 'Place',
      '@id': `${id}/place`,
      name,
      description: name,
      telephone: `0${'1'.repeat(60)}`,
      address: { '@type': 'PostalAddress', streetAddress: name, addressLocality: name, postalCode: 'EX99 9ZZ' },
      geo: { latitude: 50.7, longitude: -3.5 },
      openingHoursSpecification: index % 2 === 0 ? [...hours, night] : hours,
      specialOpeningHoursSpecification: [{ ...hours[0], validFrom: date(1), validThrough: date(2), description: name }],
    },
    eventSchedule: [
      {
        '@type': 'Schedule',
        startDate: date(-7),
        endDate: date(60),
        startTime: '23:30',
        duration: 'PT45M',
        repeatFrequency: 'P1D',
        scheduleTimezone: 'Europe/London',
        scheduledEventType: 'ScheduledSession',
      },
    ],
  };
  return { state: 'updated', kind: 'SessionSeries', id: `long-${index}`, modified: index + 1, data };
}

let pages: Pages;

beforeAll(async () => {
  if (!here) return;
  const feed = join(folder, 'feed');
  mkdirSync(feed);
  writeFileSync(join(feed, '1.json'), JSON.stringify({ next: '2.json', license: 'x', items: NAMES.map(item) }));
  writeFileSync(join(feed, '2.json'), JSON.stringify({ next: '2.json', license: 'x', items: [] }));
  pages = await Pages.open('--feed', feed, '--data', join(folder, 'data'));
});

afterAll(async () => {
  await pages?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function keyOf(kind: 'series' | 'places', index: number): Promise<string> {
  const id = encodeURIComponent(kind === 'places' ? `${idOf(index)}/place` : idOf(index));
  const answer = await fetch(`${pages.service.url}/${kind}?id=${id}`, { redirect: 'manual' });
  return /\/([a-z0-9]+)\.ics$/.exec(answer.headers.get('location') ?? '')?.[1] ?? '';
}

/** What stands beyond the right or left edge of the window, where nothing scrolls it into sight; all of it where the page is too wide. */
const OUTSIDE = `const isWide = !(${FITS});
[...document.querySelectorAll('body *')].filter((one) => {
  const { left, right, width } = one.getBoundingClientRect();
  const apart = '.scroll, .free, .vh, .skip, .court, svg, [popover]:not(:popover-open), pre';
  return (right > innerWidth + 1 || left < -1) && (isWide || width > 1 && one.checkVisibility() && !one.closest(apart));
}).slice(0, 8).map((one) => one.outerHTML.slice(0, 120))`;

/** The number of opening hours that touch the edge of their card. */
const AT_EDGE = `[...document.querySelectorAll('.lanes td:last-child')].filter((one) =>
  one.getBoundingClientRect().right > one.closest('section').getBoundingClientRect().right - 8).length`;

describe.runIf(here)('in Chromium', () => {
  test.each(DEVICES)('every page with names of all kinds fits, %s', async (device, options) => {
    const paths = ['/', '/search', '/search?view=week', '/search?kind=places', '/feeds', '/embed/search'];
    const keys: string[] = [];
    for (const index of NAMES.keys()) {
      const [series, place] = [await keyOf('series', index), await keyOf('places', index)];
      paths.push(`/series/${series}`, `/series/${series}/explain`, `/places/${place}`, `/embed/series/${series}`);
      keys.push(`add=series/${series}`, `add=places/${place}`);
    }
    paths.push(
      `/my?${keys.join('&')}`,
      ...NAMES.map((name) => `/search?q=${encodeURIComponent(name.slice(0, 200).toWellFormed())}`),
    );
    const wide: string[] = [];
    const visit = async (page: Page, path: string) => {
      const outside = await page.evaluate<string[]>(OUTSIDE);
      if (!(await page.evaluate(FITS)) || outside.length > 0) wide.push([path.slice(0, 80), ...outside].join('\n  '));
      const at = paths.indexOf(path);
      if (at < 8) await keepShot(page, `long-${device}-${at}`, { fullPage: true });
    };
    await pages.visitEach(paths, visit, options);
    expect(wide.join('\n')).toBe('');
  });

  test('hours past midnight and what can be opened fit a window of 320 px', async () => {
    const keys = await Promise.all([0, 1, 2, 3].map((index) => keyOf('places', index)));
    const wide: string[] = [];
    const visit = async (page: Page, path: string) => {
      await page.evaluate('document.querySelectorAll("details").forEach((one) => { one.open = true })');
      const outside = await page.evaluate<string[]>(OUTSIDE);
      if (!(await page.evaluate(FITS)) || outside.length > 0) wide.push([path, ...outside].join('\n  '));
      const spans = await page.evaluate(AT_EDGE);
      expect([path, spans]).toEqual([path, 0]);
    };
    const paths = ['/', '/search', '/feeds', ...keys.map((key) => `/places/${key}`)];
    await pages.visitEach(paths, visit, { viewport: { width: 320, height: 640 } });
    expect(wide.join('\n')).toBe('');
  });

  test('at the edges of layouts no control is squeezed, also at twice the size', async () => {
    for (const width of [960, 768, 640, 320])
      await pages.visit(
        '/search?q=yoga',
        async (page) => {
          const { width: shown = 0 } = (await page.locator('.find [type=submit]').boundingBox()) ?? {};
          expect([width, shown >= 44]).toEqual([width, true]);
          expect(await page.evaluate(FITS)).toBe(true);
        },
        { viewport: { width, height: 450 } },
      );
  });

  test.each(DEVICES)('sheets with names of all kinds fit, %s', async (_, options) => {
    const wide: string[] = [];
    const keys = await Promise.all([...NAMES.keys()].map((index) => keyOf('series', index)));
    const visit = async (page: Page, path: string) => {
      await page.click('[popovertarget=sub]:visible');
      const outside = await page.evaluate<string[]>(OUTSIDE);
      if (!(await page.evaluate(FITS)) || outside.length > 0) wide.push([path, ...outside].join('\n  '));
    };
    await pages.visitEach(
      keys.map((key) => `/series/${key}`),
      visit,
      options,
    );
    expect(wide.join('\n')).toBe('');
  });
});
