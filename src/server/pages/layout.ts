import { html, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import type { Collection, Publisher, VenuePart } from '../../library/index.ts';
import { type Links, type SubscribeLink, safeLink, subscribeLinks } from '../links.ts';
import { PAGE_HEADERS, SCRIPT, STYLE } from './assets.ts';
import { licenceName } from './words.ts';

/** A piece of a page; everything put into one is escaped unless it is a piece itself. */
export type Markup = HtmlEscapedString | Promise<HtmlEscapedString>;

export interface Page {
  title: string;
  body: Markup;
  publishers: readonly Publisher[];
  status?: number;
  /** The calendars this page is about, for readers that discover them. */
  calendars?: readonly string[];
  /** Seconds for which what it says is true; absent: it does not depend on the clock. */
  freshFor?: number;
}

/** Short enough that a changed series is seen soon; a page of an error is never kept. */
const CACHE_CONTROL = 'public, max-age=60, stale-while-revalidate=600';

export async function pageResponse(page: Page, links: Links): Promise<Response> {
  const text = String(await document(page, links));
  const status = page.status ?? 200;
  return new Response(text, { status, headers: { ...PAGE_HEADERS, 'Cache-Control': cacheControl(status, page) } });
}

function cacheControl(status: number, { freshFor }: Page): string {
  if (status !== 200) return 'no-store';
  return freshFor === undefined ? CACHE_CONTROL : `public, max-age=${freshFor}`;
}

/** A page that only says something: not found, gone, failed. */
export function notice(title: string, text: string, status: number, links: Links): Promise<Response> {
  const body = html`<h1>${title}</h1>
    <p>${text}</p>
    <p><a href="${links.path('/')}">Find sessions and places</a></p>`;
  return pageResponse({ title, body, publishers: [], status }, links);
}

function document({ title, body, publishers, calendars = [] }: Page, links: Links): Markup {
  return html`${opening(title)}
        ${calendars.map((calendar) => html`<link rel="alternate" type="text/calendar" href="${calendar}" />`)}
        <style>${raw(STYLE)}</style>
      </head>
      <body>
        <a class="unseen skip" href="#main">Skip to the content</a>
        <header><p><a href="${links.path('/')}">Sessions and places for your calendar</a></p></header>
        <main id="main">${body}</main>
        <footer>${attribution(publishers)}
          <p>Calendars are made from open data in the <a href="https://openactive.io/">OpenActive</a> format.
            For programs: the same as JSON, <a href="${links.path('/openapi.json')}">described here</a>.
            <a href="${links.path('/feeds')}">The feeds it comes from</a>, and how they are.</p>
        </footer>
        <p id="said" class="unseen" role="status"></p>
        <script type="module">${raw(SCRIPT)}</script>
      </body>
    </html>`;
}

export function opening(title: string): Markup {
  return html`<!doctype html>
    <html lang="en-GB">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>`;
}

/** The licence of the data asks that its publishers are named; many fold into one line. */
function attribution(publishers: readonly Publisher[]): Markup {
  if (publishers.length === 0) return html``;
  const names = publishers.map((publisher) => html`<li>${publisherName(publisher)}</li>`);
  if (publishers.length <= 6) return html`<p>Data published by:</p><ul>${names}</ul>`;
  return html`<details><summary>Data published by ${publishers.length} organisations</summary><ul>${names}</ul></details>`;
}

function publisherName({ name, url, license }: Publisher): Markup {
  const licence = safeLink(license);
  return html`${linked(name, url)}${licence && html`, licensed under <a href="${licence}" rel="license">${licenceName(licence)}</a>`}`;
}

/** A name, as a link where there is a safe address. `bdi`: the direction of one name must not turn what follows it. */
export function linked(name: string, address: string | undefined): Markup {
  const href = safeLink(address);
  return href ? html`<a href="${href}" rel="nofollow"><bdi>${name}</bdi></a>` : html`<bdi>${name}</bdi>`;
}

export interface Subscription {
  kind: Collection;
  key: string;
  part?: VenuePart;
  name: string;
}

export function subscribe({ kind, key, part = 'all', name }: Subscription, links: Links): Markup {
  const address = links.calendar(kind, key, part);
  const field = `address-${kind}-${key}${part === 'all' ? '' : `-${part}`}`;
  return html`<ul class="ways">${subscribeLinks(address, name).map((way) => html`<li>${wayLink(way, name)}</li>`)}</ul>
    <div class="address">
      <div class="field">
        <label for="${field}">Calendar address<span class="unseen"> of ${name}</span></label>
        <input id="${field}" type="text" readonly value="${address}" />
      </div>
      <button type="button" data-copies="${field}" hidden>Copy<span class="unseen"> the address of ${name}</span></button>
    </div>`;
}

function wayLink({ label, href, external }: SubscribeLink, name: string): Markup {
  const rel = external ? html` rel="noopener noreferrer nofollow"` : html` rel="nofollow"`;
  return html`<a class="button" href="${href}"${rel}>${label}<span class="unseen">: ${name}</span></a>`;
}
