import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hasChromium, Pages, PHONE } from './chromium.ts';

/** "My list" in several tabs of one browser: each changes the same list, and takes nothing from another. */

const here = hasChromium();

let pages: Pages;
let context: BrowserContext;
/** Keys of three series of the samples. */
let keys: [string, string, string];

beforeAll(async () => {
  if (!here) return;
  pages = await Pages.open('--samples');
  const answer = await fetch(`${pages.service.url}/api/series?limit=3`);
  const { items } = (await answer.json()) as { items: { key: string }[] };
  keys = items.map(({ key }) => key) as typeof keys;
});
afterAll(() => pages?.close());

beforeEach(async () => {
  if (here) context = await pages.browser.newContext();
});
afterEach(() => context?.close());

async function open(path: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(pages.service.url + path);
  return page;
}

const series = (at: 0 | 1 | 2) => open(`/series/${keys[at]}`);
const entry = (at: 0 | 1 | 2) => `series/${keys[at]}`;
const add = (page: Page) => page.locator('[data-add]:visible').first().click();
const stored = async (page: Page) => (await page.evaluate<string[]>('JSON.parse(localStorage.my ?? "[]")')).toSorted();
const both = () => [entry(0), entry(1)].toSorted();
const count = (page: Page) => page.locator('[data-n]').innerText();
/** What the page of a list shows. */
const shown = async (page: Page) =>
  (await page.evaluate<string[]>('JSON.parse(document.querySelector("[data-my]").dataset.my)')).toSorted();
const until = (page: Page, things: string[]) =>
  expect.poll(() => shown(page).catch(() => undefined), { timeout: 5000 }).toEqual(things.toSorted());

/** A list with the first series, kept under an address of its own. */
async function kept(): Promise<Page> {
  const page = await series(0);
  await add(page);
  await page.goto(`${pages.service.url}/my`);
  await page.locator('aside button[type=submit]').click();
  await page.waitForURL(/\/my\/k[\w-]+\?edit=/);
  return page;
}

describe.runIf(here)('two tabs of one browser', () => {
  test('add to one list, and each shows what the other added and took off', async () => {
    const [one, other] = [await series(0), await series(1)];
    await add(one);
    await expect.poll(() => count(other)).toBe('1');
    await add(other);
    expect(await stored(other)).toEqual(both());
    await expect.poll(() => count(one)).toBe('2');
    const again = await series(0);
    await add(again);
    await expect.poll(() => one.locator('[data-add]:visible').first().getAttribute('aria-pressed')).toBe('false');
    expect(await stored(one)).toEqual([entry(1)]);
  });

  test('a page that comes back from behind another one shows what was added there', async () => {
    const one = await series(0);
    await one.goto(`${pages.service.url}/series/${keys[1]}`);
    await add(one);
    await one.goBack();
    await expect.poll(() => count(one)).toBe('1');
    await add(one);
    expect(await stored(one)).toEqual(both());
  });

  test('the page of the list takes nothing off by being loaded again, and its buttons take off one thing', async () => {
    const one = await series(0);
    await add(one);
    await one.goto(`${pages.service.url}/my`);
    await until(one, [entry(0)]);
    await add(await series(1));
    await one.reload();
    await until(one, both());
    await add(await series(2));
    await one.locator(`button[name=remove][value="${entry(0)}"]`).click();
    await until(one, [entry(1), entry(2)]);
    expect(await stored(one)).toEqual([entry(1), entry(2)].toSorted());
    await one.getByRole('button', { name: 'Undo' }).click();
    await until(one, [entry(0), entry(1), entry(2)]);
    expect(await stored(one)).toEqual([entry(0), entry(1), entry(2)].toSorted());
  });

  test('the address of the list is shown to another browser, and leaves the list of that one as it is', async () => {
    const one = await series(0);
    await add(one);
    await one.goto(`${pages.service.url}/my`);
    await until(one, [entry(0)]);
    await one.waitForURL((url) => url.searchParams.get('mine') === null && url.searchParams.has('token'));
    const address = new URL(one.url());
    await context.close();
    context = await pages.browser.newContext();
    const other = await series(1);
    await add(other);
    await other.goto(address.href);
    expect([await shown(other), await stored(other)]).toEqual([[entry(0)], [entry(1)]]);
  });

  test('what is added while Subscribe is pressed stays on the list', async () => {
    const one = await series(0);
    await add(one);
    await one.goto(`${pages.service.url}/my`);
    await until(one, [entry(0)]);
    await add(await series(1));
    await one.locator('aside button[type=submit]').click();
    await one.waitForURL(/\/my\/k[\w-]+\?edit=/);
    await until(one, both());
  });

  test('a kept list holds what either of them added, and loses what one took off', async () => {
    const list = await kept();
    const [one, other] = [await series(1), await series(2)];
    await add(one);
    await add(other);
    await one.goto(`${pages.service.url}/my`);
    await one.waitForURL(/\/my\/k[\w-]+\?edit=/);
    await until(one, [...both(), entry(2)]);
    await add(await series(0));
    await list.reload();
    await until(list, [entry(1), entry(2)]);
    expect(await stored(list)).toEqual([entry(1), entry(2)].toSorted());
  });
});

describe.runIf(here)('the edit link of another list', () => {
  /** The edit link of a list that another browser keeps. */
  async function linkOfAnother(): Promise<string> {
    const link = (await kept()).url();
    await context.close();
    context = await pages.browser.newContext();
    return link.slice(pages.service.url.length);
  }
  const other = (page: Page) => page.locator('[data-other]');

  test('leaves a browser its own list and the key of it', async () => {
    const link = await linkOfAnother();
    const own = await series(1);
    await add(own);
    await own.goto(`${pages.service.url}/my`);
    await own.locator('aside button[type=submit]').click();
    await own.waitForURL(/\/my\/k[\w-]+\?edit=/);
    const before = await own.evaluate('localStorage.list');
    const page = await open(link);
    await other(page).waitFor({ state: 'visible' });
    expect([await page.evaluate('localStorage.list'), await stored(page)]).toEqual([before, [entry(1)]]);
    expect(await shown(page)).toEqual([entry(0)]);
  });

  test('leaves picks that nobody subscribed to yet, until the person chooses the other list', async () => {
    const link = await linkOfAnother();
    await add(await series(1));
    const page = await open(link);
    await other(page).waitFor({ state: 'visible' });
    expect(await stored(page)).toEqual([entry(1)]);
    await other(page).getByRole('button').click();
    await expect.poll(() => stored(page).catch(() => undefined)).toEqual([entry(0)]);
    expect(await page.evaluate('JSON.parse(localStorage.list).edit')).toBe(
      new URL(page.url()).searchParams.get('edit'),
    );
  });

  test('is the list of a browser that has none', async () => {
    const page = await open(await linkOfAnother());
    await expect.poll(() => stored(page)).toEqual([entry(0)]);
    expect(await other(page).isVisible()).toBe(false);
  });
});

describe.runIf(here)('a list in the address of a page', () => {
  test('grows thing by thing without JavaScript, over the search form and the filters', async () => {
    await context.close();
    context = await pages.browser.newContext({ ...PHONE, javaScriptEnabled: false });
    const page = await open(`/my?add=${entry(0)}`);
    await page.getByText('Find more').click();
    await page.fill('#q', 'yoga');
    await page.click('.find [type=submit]');
    await page.click('button[popovertarget=filters]:visible');
    await page.selectOption('select[name=after]', '07:00');
    await page.click('.apply button');
    await page.waitForURL((url) => url.searchParams.has('after') && url.searchParams.has('list'));
    await page.locator('.row:not(:has(.flag)) h3 a').first().click();
    await page.waitForURL((url) => url.pathname.startsWith('/series/'));
    await add(page);
    await page.waitForURL((url) => url.pathname === '/my');
    expect(await page.locator('button[name=remove]').count()).toBe(2);
  });

  test('is taken out of it by the script, which knows the list of this browser', async () => {
    const page = await open(`/my?add=${entry(0)}`);
    expect(await page.getByText('Find more').getAttribute('href')).not.toContain('list=');
    const carried = new URL(page.url()).searchParams.get('token');
    await page.goto(`${pages.service.url}/search?q=yoga&list=${carried}`);
    await page.waitForURL((url) => url.searchParams.get('q') === 'yoga' && !url.searchParams.has('list'));
    await add(page);
    expect(await stored(page)).toHaveLength(1);
  });
});
