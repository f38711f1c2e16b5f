import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BROKEN, DESK, DEVICES, FITS, hasChromium, keepShot, Pages, PHONE, SCHEMES, violations } from './chromium.ts';

/** Every page of the samples in a real Chromium, and the whole way from the first page to a subscribed address. */

const folder = mkdtempSync(join(tmpdir(), 'openactive-ical-pages-'));
const here = hasChromium();

let pages: Pages;
/** Keys of things in the samples, by what they are. */
const keys: Record<string, string> = {};

beforeAll(async () => {
  if (!here) return;
  pages = await Pages.open('--samples', '--data', join(folder, 'data'), '--publish-page');
  keys.series = await keyOf('series?q=dawn+yoga');
  keys.place = await keyOf('places?q=harbour');
  keys.bare = await keyOf('places?q=fit+barn');
  keys.facility = await keyOf('facilities?q=badminton');
});

afterAll(async () => {
  await pages?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function keyOf(query: string): Promise<string> {
  const { items } = (await (await fetch(`${pages.service.url}/api/${query}`)).json()) as { items: { key: string }[] };
  if (items[0] === undefined) throw new Error(`Nothing in the samples for ${query}`);
  return items[0].key;
}

/** Each page, with what can be opened on it. `{name}` is a key. */
const PAGES: [path: string, opens: string[], status?: number][] = [
  ['/', []],
  ['/search?q=yoga&near=Wexcombe', ['[popovertarget=sub]', '[popovertarget=filters]']],
  ['/search?q=yoga&view=week', ['[popovertarget=filters]']],
  ['/search?q=zzzzzz&maxPrice=8', []],
  ['/search?kind=places', []],
  ['/search?kind=facilities', []],
  ['/series/{series}', ['[popovertarget=sub]']],
  ['/series/{series}/explain', []],
  ['/places/{place}', ['[popovertarget=sub]', '[popovertarget=subh]']],
  ['/places/{bare}', ['[popovertarget=sub]']],
  ['/facilities/{facility}', ['[popovertarget=sub]']],
  ['/my', []],
  ['/my?add=series/{series}&add=places/{place}&add=search%3Fq%3Dyoga', []],
  ['/embed/series/{series}', []],
  ['/embed/places/{place}?accent=0b6338', []],
  ['/embed/search?q=yoga&theme=dark', []],
  ['/api', []],
  ['/feeds', []],
  ['/publish', []],
  ['/search?near=Nowhere', [], 400],
  ['/embed/places/nothing', [], 404],
  ['/nothing', [], 404],
];

/** Buttons that reach out of the window, where nothing scrolls them into it. */
const CUT_OFF = `[...document.querySelectorAll('.btn')].filter((one) => one.checkVisibility() && !one.closest('.scroll') &&
  one.getBoundingClientRect().right > innerWidth).map((one) => one.textContent)`;

const keyed = (path: string) => path.replaceAll(/\{(\w+)\}/g, (_, name: string) => keys[name] ?? '');

describe.runIf(here)('in Chromium', () => {
  describe.each(DEVICES)('on a %s', (device, size) => {
    test.each(PAGES)('axe finds nothing on %s, light and dark', async (path, opens, status = 200) => {
      const visit = async (page: Page) => {
        for (const colorScheme of SCHEMES) {
          await page.emulateMedia({ colorScheme });
          expect(await page.evaluate(FITS)).toBe(true);
          expect(await page.evaluate(BROKEN)).toEqual([]);
          expect(await violations(page)).toEqual([]);
          for (const selector of opens) await opened(page, selector);
          await keepShot(page, `${device}-${colorScheme}${path.replaceAll(/[^a-z]+/gi, '-')}`, { fullPage: true });
        }
      };
      // The policy of pages would keep axe out.
      await pages.visit(keyed(path), visit, { ...size, bypassCSP: true, status });
    });
  });

  test.each(PAGES)('on %s nothing is cut off where letters are twice as large', async (path, _opens, status = 200) => {
    const visit = async (page: Page) => {
      const devtools = await page.context().newCDPSession(page);
      await devtools.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
      expect(await page.evaluate('Number.parseFloat(getComputedStyle(document.body).fontSize)')).toBeGreaterThanOrEqual(
        30,
      );
      expect(await page.evaluate(FITS)).toBe(true);
      expect(await page.evaluate(CUT_OFF)).toEqual([]);
    };
    await pages.visit(keyed(path), visit, { viewport: { width: 360, height: 740 }, status });
  });

  /** What says something by its colour, with neither an edge, nor an outline, nor a colour of its own. */
  const UNSEEN = `[...document.querySelectorAll('.flag, .pill, .chip.on, .days a, .dot, .key i, .month a, .state, .card, .rows')].filter((one) => {
    const styles = [getComputedStyle(one), getComputedStyle(one, '::before')];
    return one.checkVisibility() && !styles.some((style) => style.borderTopStyle !== 'none' || style.outlineStyle !== 'none' || style.forcedColorAdjust === 'none');
  }).map((one) => one.className)`;

  test.each(PAGES)('on %s what is chosen or marked is seen in forced colours', async (path, _opens, status = 200) => {
    const visit = async (page: Page) => {
      expect(await page.evaluate(UNSEEN)).toEqual([]);
      const chosen = `[...document.querySelectorAll('main :is(.days, .chips) [aria-current]')].map((one) => getComputedStyle(one).outlineStyle)`;
      expect(await page.evaluate<string[]>(chosen)).not.toContain('none');
    };
    await pages.visit(keyed(path), visit, { ...PHONE, forcedColors: 'active', status });
  });

  test.each(['Wexcombe and District Community Leisure and Sports Trust Ltd', 'W'.repeat(60)])(
    'an operator called %s stands on the band, above the search',
    async (name) => {
      const visit = async (page: Page) => {
        await page.locator('.brand bdi').evaluate((one, text) => one.replaceChildren(text), name);
        const [brand, hero, title] = await Promise.all(
          ['.brand bdi', '.hero', 'h1'].map((one) => page.locator(one).boundingBox()),
        );
        if (!brand || !hero || !title) throw new Error('not shown');
        expect(hero.y).toBeLessThanOrEqual(0);
        expect(brand.y).toBeGreaterThanOrEqual(0);
        expect(title.y).toBeGreaterThanOrEqual(brand.y + brand.height);
        expect(await page.evaluate(FITS)).toBe(true);
      };
      await pages.visit('/', visit, { viewport: { width: 320, height: 740 } });
    },
  );

  /** The spacing of WCAG 1.4.12. */
  const SPACED =
    '*{line-height:1.5!important;letter-spacing:.12em!important;word-spacing:.16em!important}p{margin-bottom:2em!important}';
  /** Words that are cut off, that reach out of their box, or that break within. */
  const CUT = `[...document.querySelectorAll('.btn, .chip, .days a, .row .when>time, .s .when>time, .pre b, .month th, .dates2')].filter((one) =>
    one.checkVisibility() && (one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== 'auto' ||
    one.matches('time, .month th') && one.getClientRects().length + one.offsetHeight / 45 > 2)).map((one) => one.textContent)`;

  test.each(PAGES)('on %s nothing is cut off where letters stand apart', async (path, _opens, status = 200) => {
    const visit = async (page: Page) => {
      await page.addStyleTag({ content: SPACED });
      for (const width of [320, 390, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        expect([width, await page.evaluate(FITS), await page.evaluate(CUT)]).toEqual([width, true, []]);
      }
    };
    await pages.visit(keyed(path), visit, { bypassCSP: true, status });
  });

  /** Opens what a button opens, and closes it. The filters stand open on wide screens. */
  async function opened(page: Page, selector: string): Promise<void> {
    const button = page.locator(`button:visible${selector}`).first();
    if ((await button.count()) === 0) return;
    await button.click();
    expect(await page.locator(':is(:popover-open,:modal)').count()).toBe(1);
    // It rises for 180 ms, and is half transparent meanwhile.
    await page.evaluate('Promise.all(document.getAnimations().map((one) => one.finished))');
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await page.locator(':is(:popover-open,:modal)').count()).toBe(0);
  }

  test.each(PAGES.map(([path]) => path).filter((path) => !path.startsWith('/embed')))(
    'what %s says on a desk is said on a phone',
    async (path) => {
      const terms = async (page: Page) =>
        page
          .locator('main dt:visible, main h1:visible, main section:not(.none) > h2:visible, main .head h2:visible')
          .allInnerTexts();
      const status = PAGES.find(([one]) => one === path)?.[2] ?? 200;
      await pages.visit(
        keyed(path),
        async (page) => {
          const onPhone = await terms(page);
          await page.setViewportSize({ width: 1280, height: 900 });
          // The filters are a column there.
          expect((await terms(page)).filter((term) => term !== 'Filters' && !onPhone.includes(term))).toEqual([]);
        },
        { ...PHONE, status },
      );
    },
  );
});

/** Instants of the events of a calendar that has no rules, and first instants of those that have. */
const starts = (text: string) => [...text.matchAll(/^DTSTART[^:]*:(\d{8}T\d{6}Z?)/gm)].map(([, start]) => start);

async function calendarAt(address: string): Promise<string> {
  const answer = await fetch(address.replace(/^(?:webcal|http):\/\/localhost/, 'http://127.0.0.1'));
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8']);
  return answer.text();
}

const ways = DEVICES.flatMap(([device, size]) => SCHEMES.map((scheme) => [device, scheme, size] as const));

describe.runIf(here)('from the first page', () => {
  test.each(ways)('to the subscribed address of a series, on a %s, %s', async (_device, colorScheme, size) => {
    const visit = async (page: Page) => {
      await page.fill('#q', 'swimming');
      await page.click('.find [type=submit]');
      expect(new URL(page.url()).search).toContain('q=swimming');
      const row = page.locator('.row').first();
      const [name, date] = [
        await row.locator('h3').innerText(),
        await row.locator('time').first().getAttribute('datetime'),
      ];
      await row.locator('h3 a').click();
      await page.waitForURL(/\/series\/[a-z0-9]+$/);
      expect(await page.locator('h1').innerText()).toBe(name);
      expect(await page.locator(`main time[datetime="${date}"]`).count()).toBeGreaterThan(0);
      await page.locator('button:visible[popovertarget^=sub]').first().click();
      const sheet = page.locator('dialog:modal');
      expect(await sheet.locator('h2').innerText()).toContain(name);
      const address = await sheet.locator('input[readonly]').first().inputValue();
      expect(await sheet.locator('[data-d=apple]').getAttribute('href')).toBe(address.replace(/^https?:/, 'webcal:'));
      const text = await calendarAt(address);
      expect(text.replaceAll(/\r\n[ \t]/g, '')).toContain(`SUMMARY:${name.replaceAll(',', '\\,')}`);
      expect(starts(text).length).toBeGreaterThan(0);
    };
    await pages.visit('/', visit, { ...size, colorScheme });
  });

  test('words that were typed and not sent yet are searched for when a filter is chosen', async () => {
    const visit = async (page: Page) => {
      await page.fill('#q', 'swimming');
      await page.check('#filters [name=maxPrice][value="8"]');
      await page.waitForURL(/maxPrice=8/);
      expect(new URL(page.url()).searchParams.getAll('q')).toEqual(['swimming']);
      await page.fill('#q', 'yoga');
      await page.press('#q', 'Enter');
      await page.waitForURL(/q=yoga/);
      expect(new URL(page.url()).searchParams.get('maxPrice')).toBe('8');
    };
    await pages.visit('/search?q=yoga', visit, DESK);
  });

  test('a sheet says what was copied, and the focus goes on behind it once it is closed', async () => {
    const visit = async (page: Page) => {
      await page.locator('button:visible[popovertarget=sub]').click();
      const sheet = page.locator('dialog:modal');
      const copies = sheet.getByRole('button', { name: /^Copy/ });
      expect(await copies.allTextContents()).toEqual(['Copy the address', 'Copy the CalDAV address']);
      await copies.first().click();
      await expect.poll(() => sheet.getByRole('status').first().textContent()).toBe('Copied');
      await page.keyboard.press('Escape');
      expect(await sheet.count()).toBe(0);
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.closest("main") !== null')).toBe(true);
    };
    await pages.visit(`/series/${keys.series}`, visit, {
      ...DESK,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
  });

  /** Where the focus is, in one word. */
  const FOCUS = `(document.activeElement === document.body ? 'nowhere' :
    document.activeElement.closest(':is(:popover-open,:modal)') ? 'within' : document.activeElement.outerHTML.slice(0, 80))`;

  test.each([
    ['the Subscribe sheet', '/series/{series}', 'sub', true],
    ['the Subscribe sheet', '/series/{series}', 'sub', false],
    ['the sheet of opening hours', '/places/{place}', 'subh', false],
  ])('Tab never leaves %s of %s behind (#%s, JavaScript: %s)', async (_, path, id, javaScriptEnabled) => {
    const visit = async (page: Page) => {
      const button = page.locator(`button:visible[popovertarget=${id}]`).first();
      await button.focus();
      await page.keyboard.press('Enter');
      const sheet = page.locator(`#${id}:is(:popover-open,:modal)`);
      for (let tabs = 0; tabs < 24 && (await sheet.count()) > 0; tabs += 1) {
        expect(['within', 'nowhere']).toContain(await page.evaluate(FOCUS));
        await page.keyboard.press(tabs % 8 === 7 ? 'Shift+Tab' : 'Tab');
      }
      expect(await sheet.count()).toBe(1);
      await page.keyboard.press('Escape');
      expect([await sheet.count(), await button.evaluate((one) => one.matches(':focus'))]).toEqual([0, true]);
      await button.click();
      await page.mouse.click(5, 5);
      expect(await sheet.count()).toBe(0);
    };
    await pages.visit(keyed(path), visit, { ...DESK, javaScriptEnabled });
  });

  test.each(DEVICES)('the day of a timetable stays in sight as it scrolls, on a %s', async (_, { viewport }) => {
    const visit = async (page: Page) => {
      const heads = await page.evaluate<number[]>(`[...document.querySelectorAll('.day')].flatMap((day) => {
        const last = [...day.querySelectorAll('.s')].filter((one) => one.checkVisibility()).at(-1);
        if (last === undefined) return [];
        last.scrollIntoView({ block: 'center', behavior: 'instant' });
        return [day.querySelector('h3').getBoundingClientRect().top];
      })`);
      expect(heads.length).toBeGreaterThan(1);
      expect(Math.min(...heads)).toBeGreaterThanOrEqual(0);
    };
    await pages.visit(`/places/${keys.place}`, visit, { viewport: { ...viewport, height: 240 } });
  });

  const choice = (price: string) => `#filters [name=maxPrice][value="${price}"]`;

  test('the filters of a page that comes back from behind another one are those in force', async () => {
    const visit = async (page: Page) => {
      await page.check(choice('0'));
      await page.waitForURL(/maxPrice=0/);
      await page.goBack();
      await page.waitForURL(/q=yoga$/);
      await expect.poll(() => page.isChecked(choice(''))).toBe(true);
      await page.check(choice('0'));
      await page.waitForURL(/maxPrice=0/);
    };
    await pages.visit('/search?q=yoga', visit, DESK);
  });

  test('keys move through the filters and pass them by; a button shows what they chose', async () => {
    const visit = async (page: Page) => {
      const apply = page.locator('.apply button');
      expect(await apply.isVisible()).toBe(false);
      await page.focus(choice(''));
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      expect(await page.evaluate('document.activeElement.value')).toBe('5');
      await apply.focus();
      await page.keyboard.press('Enter');
      await page.waitForURL(/maxPrice=5/);
      await page.locator('.skip').last().focus();
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.closest("#results") !== null')).toBe(true);
    };
    await pages.visit('/search?q=yoga', visit, DESK);
  });

  test.each(ways)('by filters to the calendar of a search, on a %s, %s', async (_device, colorScheme, size) => {
    const visit = async (page: Page) => {
      await page.fill('#q', 'yoga on tuesday');
      await page.click('.find [type=submit]');
      expect(await page.locator('.picks .chip.on').allInnerTexts()).toEqual([expect.stringContaining('Tuesdays')]);
      const rows = await page.locator('.row h3').allInnerTexts();
      await page.locator('button:visible[popovertarget=sub]').click();
      const address = await page.locator('dialog:modal input[readonly]').first().inputValue();
      const text = await calendarAt(address);
      for (const name of rows) expect(text).toContain(name);
    };
    await pages.visit('/', visit, { ...size, colorScheme });
  });

  test.each(ways)(
    'over + to the address of a list, which keeps what is added later, on a %s, %s',
    async (_device, colorScheme, size) => {
      const visit = async (page: Page) => {
        await page.goto(`${pages.service.url}/search?q=yoga`);
        const [first, second] = [
          '.row:not(:has(h3 :text-is("Chair Yoga"))) .go',
          '.row:has(h3 :text-is("Chair Yoga")) .go',
        ].map((rows) => page.locator(rows).first()) as [Locator, Locator];
        await first.click();
        await page.locator('.tray a').click();
        await page.waitForURL(/\/my/);
        await page.locator('aside button[type=submit]').click();
        await page.waitForURL(/\/my\/k[\w-]+\?edit=/);
        const address = await page.locator('#adr').inputValue();
        const before = await calendarAt(address);
        expect(before).not.toContain('Chair Yoga');
        await page.goto(`${pages.service.url}/search?q=yoga`);
        await second.click();
        await page.locator('.tray a').click();
        await page.waitForURL(/\/my\/k[\w-]+\?edit=/);
        expect(await calendarAt(address)).toContain('Chair Yoga');
        for (const event of before.match(/^UID:.*$/gm) ?? []) expect(await calendarAt(address)).toContain(event);
      };
      await pages.visit('/', visit, { ...size, colorScheme });
    },
  );
});
