import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { type Service, serve } from '../interop/program.ts';
import { isInstalled } from '../interop/readers.ts';

/** The machine's Chromium on a running service, as tests of pages use it. */

/** Where screenshots are kept, to be looked at. */
const SHOTS = fileURLToPath(new URL('../../.cache/screenshots/', import.meta.url));

export const PHONE = { viewport: { width: 390, height: 844 } };
export const DESK = { viewport: { width: 1280, height: 900 } };
export const DEVICES = [
  ['phone', PHONE],
  ['desk', DESK],
] as const;
export const SCHEMES = ['light', 'dark'] as const;

/** Whether nothing is wider than the window. */
export const FITS = 'document.documentElement.scrollWidth <= window.innerWidth';
/** Times and badges of more than one line. */
export const BROKEN =
  '[...document.querySelectorAll(".row .when>time, main .flag:not(:has(s))")].filter((one) => one.offsetHeight > 34).map((one) => one.textContent)';

/** What Chromium notes of each button that older browsers open a popover with, and it a modal dialog. */
const FALLBACK = 'popovertarget is ignored on elements with commandfor.';

export type Visit = (page: Page) => Promise<void>;
type VisitOptions = BrowserContextOptions & { status?: number };

/** Whether pages can be tested. @throws Error in CI, where Chromium has to be there. */
export function hasChromium(): boolean {
  if (isInstalled('chromium')) return true;
  if (process.env.CI) throw new Error('chromium is not installed');
  console.warn('chromium is not installed: the pages are not tested');
  return false;
}

/** A service and a browser. */
export class Pages {
  readonly service: Service;
  readonly browser: Browser;

  private constructor(service: Service, browser: Browser) {
    this.service = service;
    this.browser = browser;
  }

  /** `args`: of `serve`. */
  static async open(...args: string[]): Promise<Pages> {
    mkdirSync(SHOTS, { recursive: true });
    const service = await serve(...args);
    return new Pages(service, await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] }));
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.service.stop();
  }

  /** Opens a page and runs what it asks; fails if anything was complained of or ran that should not. */
  async visit(path: string, visit: Visit, options: VisitOptions = {}): Promise<void> {
    await this.visitEach([path], visit, options);
  }

  /** Opens pages one after the other, where the one before was: a page of its own for each takes half a second. */
  async visitEach(
    paths: readonly string[],
    visit: (page: Page, path: string) => Promise<void>,
    { status = 200, ...options }: VisitOptions = {},
  ): Promise<void> {
    const page = await this.browser.newPage(options);
    const complaints: string[] = [];
    page.on('console', (message) => {
      const isAsked = status !== 200 && message.text().includes(`status of ${status}`);
      const { url } = message.location();
      const isKnown = isAsked || message.text() === FALLBACK;
      // A picture of the samples is nowhere.
      if (['error', 'warning'].includes(message.type()) && !isKnown && !/\/images?\//.test(url))
        complaints.push(`${message.text()} ${url}`);
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('dialog', (dialog) => complaints.push(dialog.message()));
    page.on(
      'request',
      (request) => request.url().startsWith(this.service.url) || complaints.push(`asks for ${request.url()}`),
    );
    try {
      for (const path of paths) {
        const answer = await page.goto(this.service.url + path, { waitUntil: 'load' });
        expect([path, answer?.status()]).toEqual([path, status]);
        await visit(page, path);
        expect([path, ...complaints]).toEqual([path]);
        if (options.javaScriptEnabled !== false) expect(await page.evaluate('window.harmed')).toBeUndefined();
      }
    } finally {
      await page.close();
    }
  }
}

/** Keeps a picture of a page; not in CI, where nobody looks at it and a page of some length takes a second. */
export async function keepShot(page: Page, name: string, options: { fullPage?: boolean } = {}): Promise<void> {
  if (!process.env.CI) await page.screenshot({ path: join(SHOTS, `${name}.png`), ...options });
}

export async function addresses(page: Page, selector: string): Promise<string[]> {
  return page.locator(selector).evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
}

/** What axe finds, one line a rule. The policy of pages keeps axe out: `bypassCSP`. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations: found } = await page.evaluate<axe.AxeResults>('axe.run()');
  return found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`);
}
