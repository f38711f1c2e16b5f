import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adminFeedsPage } from '../../src/server/pages/feeds/admin.tsx';
import { AT, feed } from '../server/made.ts';
import { DEVICES, FITS, hasChromium, Pages, PHONE } from './chromium.ts';

/** What was seen to be crooked, cut off or broken on pages, each with the measure that shows it. */

const folder = mkdtempSync(join(tmpdir(), 'openactive-ical-layout-'));
const here = hasChromium();

let pages: Pages;
let place = '';
let series = '';

beforeAll(async () => {
  if (!here) return;
  pages = await Pages.open('--samples', '--data', join(folder, 'data'));
  const keyOf = async (query: string) => {
    const { items } = (await (await fetch(`${pages.service.url}/api/${query}`)).json()) as { items: { key: string }[] };
    return items[0]?.key ?? '';
  };
  [place, series] = await Promise.all([keyOf('places?q=harbour'), keyOf('series?q=dawn+yoga')]);
});

afterAll(async () => {
  await pages?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe.runIf(here)('in Chromium', () => {
  test('opening hours, and words in the names of sheets, are whole where letters are twice as large', async () => {
    const visit = async (page: Page) => {
      const devtools = await page.context().newCDPSession(page);
      await devtools.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
      const hidden = `[...document.querySelectorAll('.lanes')].map((one) => one.scrollWidth - one.clientWidth)`;
      for (const width of await page.evaluate<number[]>(hidden)) expect(width).toBeLessThanOrEqual(1);
      await page.click('[popovertarget=sub]:visible');
      const lines = `(() => {
        const range = document.createRange();
        const words = document.createTreeWalker(document.querySelector('#sub h2'), NodeFilter.SHOW_TEXT).nextNode();
        range.setStart(words, 0);
        range.setEnd(words, 'Subscribe'.length);
        return range.getClientRects().length;
      })()`;
      expect(await page.evaluate(lines)).toBe(1);
    };
    await pages.visit(`/places/${place}`, visit, PHONE);
  });

  test('rows stand in line on a phone, also where one begins soon', async () => {
    const visit = async (page: Page) => {
      await page.evaluate(
        `document.querySelector('.row .when').insertAdjacentHTML('beforeend', '<span>in 59\\u00a0min</span>')`,
      );
      const lefts = `new Set([...document.querySelectorAll('.row .what')].map((one) => one.getBoundingClientRect().left)).size`;
      expect(await page.evaluate(lefts)).toBe(1);
    };
    await pages.visit('/', visit, PHONE);
  });

  test.each(DEVICES)('nothing is seen below the button of the filters, on a %s', async (_, size) => {
    const visit = async (page: Page) => {
      await page.click('.chip[popovertarget=filters]');
      const gap = `document.querySelector('#filters').getBoundingClientRect().bottom - document.querySelector('.apply').getBoundingClientRect().bottom`;
      expect(await page.evaluate(gap)).toBeCloseTo(0, 1);
    };
    await pages.visit('/search?view=week', visit, size);
  });

  test.each(DEVICES)('the focus stays in the open filters without JavaScript, on a %s', async (_, size) => {
    const visit = async (page: Page) => {
      await page.locator('.chip[popovertarget=filters]').press('Enter');
      const isInside = `document.querySelector('#filters').contains(document.activeElement)`;
      for (let stops = 0; stops < 80; stops += 1) {
        await page.keyboard.press('Tab');
        const isAtEnd = await page.evaluate(`document.activeElement === document.body`);
        expect([stops, isAtEnd || (await page.evaluate(isInside))]).toEqual([stops, true]);
        if (isAtEnd) break;
      }
      await page.keyboard.press('Escape');
      expect(await page.locator('#filters').isVisible()).toBe(false);
      await page.locator('.chip[popovertarget=filters]').click();
      await page.click('#filters [name=free], #filters [value="5"]', { timeout: 5000 });
      await page.mouse.click(5, 5);
      expect(await page.locator('#filters').isVisible()).toBe(false);
    };
    await pages.visit('/search?view=week', visit, { ...size, javaScriptEnabled: false });
  });

  test('paper names days by their dates, and not by what they are today', async () => {
    const words = async (page: Page) => {
      await page.emulateMedia({ media: 'print' });
      expect(await page.locator('main').innerText()).not.toMatch(/\b(?:today|tomorrow|in \d+ min)\b/i);
    };
    for (const path of ['/', '/search', '/search?view=week', `/series/${series}`, `/places/${place}`])
      await pages.visit(path, words, DEVICES[1][1]);
  });

  test('dates of a month are round at 360 px', async () => {
    const visit = async (page: Page) => {
      const oval = `[...document.querySelectorAll('.month a')].filter((one) => one.offsetWidth !== one.offsetHeight).length`;
      expect([await page.evaluate(oval), await page.evaluate(FITS)]).toEqual([0, true]);
    };
    await pages.visit(`/series/${series}`, visit, { viewport: { width: 360, height: 740 } });
  });

  test('what begins soon says so on the screen, and not on paper', async () => {
    const visit = async (page: Page) => {
      const start = await page.locator('.row .when > time:first-child').last().getAttribute('datetime');
      await page.clock.setFixedTime(Date.parse(start ?? '') - 600_000);
      await page.reload();
      const soon = page.locator('.row .when small', { hasText: 'in 10 min' }).last();
      expect(await soon.isVisible()).toBe(true);
      await page.emulateMedia({ media: 'print' });
      expect(await soon.isVisible()).toBe(false);
    };
    await pages.visit('/', visit, PHONE);
  });

  test('the filter of the feeds for operators stands in one line', async () => {
    const page = await pages.browser.newPage({ viewport: { width: 1280, height: 900 } });
    await page.setContent(await adminFeedsPage({ feeds: [feed()], query: {}, now: AT, formToken: 'x' }));
    const [field, button] = await Promise.all(['#fq', '.mini button'].map((one) => page.locator(one).boundingBox()));
    expect(button?.y).toBe(field?.y);
    await page.close();
  });

  test('the ring around the current page keeps off its words in forced colours', async () => {
    const visit = async (page: Page) => {
      const offset = `Number.parseFloat(getComputedStyle(document.querySelector('.top [aria-current]')).outlineOffset)`;
      expect(await page.evaluate<number>(offset)).toBeGreaterThan(0);
    };
    await pages.visit('/search?kind=places', visit, { viewport: { width: 1280, height: 900 }, forcedColors: 'active' });
  });
});
