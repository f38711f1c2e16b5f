import { raw } from 'hono/html';
import type { Publisher } from '../../../library/index.ts';
import { sha256 } from '../../../platform/hash.ts';
import type { StylePart } from '../style/index.ts';
import { Header, type Section } from './band.tsx';
import { Footer } from './footer.tsx';
import { symbolsOf } from './icons.tsx';
import { type Markup, markupText, scriptText } from './markup.tsx';
import { pageHeaders, pageStyle, type Style } from './policy.ts';
import { SCRIPT } from './script.ts';
import { SubscribeSheet, type Subscription } from './sheet.tsx';
import type { Site } from './site.ts';
import { Tray } from './tray.tsx';

/** The frame of every page: head, header, footer, sheets and scripts, and the headers of the response. */

/** A page without its frame. */
export interface Page {
  /** The title of the document; the site's name follows. */
  title: string;
  /** A sentence or two for search engines and links. */
  description?: string | undefined;
  /** The band below the header: `Hero`. */
  hero?: Markup | undefined;
  body: Markup;
  publishers: readonly Publisher[];
  status?: number;
  /** Path below the base, with its query: the canonical address of the page. */
  path?: string;
  current?: Section;
  /** Parts of the style sheet besides `base`, `sheet` and `tray`. */
  style?: readonly StylePart[];
  /** Sheets that buttons of the page open. */
  subscriptions?: readonly Subscription[];
  /** The addresses of the page's calendars, for programs that discover them. */
  calendars?: readonly string[];
  /** Atom feeds of the page's subject. */
  feeds?: readonly string[];
  /** Full address of a picture on this origin. */
  image?: string | undefined;
  /** Data of schema.org, for search engines. */
  jsonLd?: object | undefined;
  /** The lifetime in caches, in seconds; absent: that of `CACHE_CONTROL`. */
  freshFor?: number;
  /** A script of the page, which runs before that of the frame. */
  script?: string;
  /** Whether only the person's own browser may store the page, and asks again each time. */
  isPrivate?: boolean;
  /** Whether search engines shall not index the page. */
  isHidden?: boolean;
}

/** The lifetime of pages that name none. Answers with another status than 200 are not stored. */
const CACHE_CONTROL = 'public, max-age=60, stale-while-revalidate=600';
/** The most characters of a description. */
const DESCRIPTION = 200;

/** The whole page as a response: frame, style sheet, scripts and headers. */
export async function pageResponse(page: Page, site: Site): Promise<Response> {
  const status = page.status ?? 200;
  const style = pageStyle(site.theme, partsOf(page));
  const text = `<!doctype html>\n${await markupText(await documentOf(page, site, style))}`;
  const headers = {
    ...pageHeaders(style, { more: page.script }),
    'Cache-Control': freshness(status, { ...page, isPrivate: page.isPrivate || site.carried !== undefined }),
    ...(status === 200 && { ETag: `"${sha256(text, 'base64url')}"` }),
  };
  return new Response(text, { status, headers });
}

function partsOf({ style = [], hero, subscriptions = [] }: Page): StylePart[] {
  const sheet = subscriptions.length > 0 || style.includes('filters');
  return [...style, ...(hero === undefined ? [] : ['find' as const]), ...(sheet ? ['sheet' as const] : []), 'tray'];
}

function freshness(status: number, { freshFor, isPrivate }: Page): string {
  if (status !== 200) return 'no-store';
  if (isPrivate) return 'private, no-cache';
  return freshFor === undefined ? CACHE_CONTROL : `public, max-age=${freshFor}`;
}

async function documentOf(page: Page, site: Site, style: Style): Promise<Markup> {
  const { hero, body, publishers, subscriptions = [], current } = page;
  const content = await markupText(
    <>
      <Header site={site} current={current} />
      <main id="main">
        {hero}
        {site.isForeign ? <ForeignBar /> : null}
        <div class="wrap">{body}</div>
      </main>
      {current === 'my' ? null : <Tray site={site} />}
      <Footer site={site} publishers={publishers} />
      {subscriptions.map((one) => (
        <SubscribeSheet {...one} />
      ))}
    </>,
  );
  return (
    <html lang="en-GB">
      <Head page={page} site={site} style={style} />
      <body>
        {symbolsOf(content)}
        <a class="skip" href="#main">
          Skip to the content
        </a>
        {raw(content)}
        {page.script === undefined ? null : <script>{raw(page.script)}</script>}
        <script>{raw(SCRIPT)}</script>
      </body>
    </html>
  );
}

function Head({ page, site, style }: { page: Page; site: Site; style: Style }): Markup {
  const { calendars = [], feeds = [], jsonLd } = page;
  const { links, theme } = site;
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{titleOf(page, site)}</title>
      <Described page={page} site={site} />
      <meta name="theme-color" content={theme.light.hero} media="(prefers-color-scheme: light)" />
      <meta name="theme-color" content={theme.dark.hero} media="(prefers-color-scheme: dark)" />
      <link rel="icon" href={links.path('/favicon.svg')} type="image/svg+xml" />
      {calendars.map((calendar) => (
        <link rel="alternate" type="text/calendar" href={calendar} />
      ))}
      {feeds.map((feed) => (
        <link rel="alternate" type="application/atom+xml" href={feed} />
      ))}
      {jsonLd === undefined ? null : <script type="application/ld+json">{raw(scriptText(jsonLd))}</script>}
      <style>{raw(style.text)}</style>
    </head>
  );
}

function titleOf({ title }: Page, { name }: Site): string {
  return title === name ? title : `${title} – ${name}`;
}

/** Metadata of the page: description, canonical address, and Open Graph for sites that link to it. */
function Described({ page, site }: { page: Page; site: Site }): Markup {
  const { title, path, image, status = 200 } = page;
  const description = oneLine(page.description);
  const address = path === undefined || status !== 200 ? undefined : site.links.base + path;
  return (
    <>
      {description === undefined ? null : <meta name="description" content={description} />}
      {page.isHidden || site.carried !== undefined || status !== 200 ? <meta name="robots" content="noindex" /> : null}
      {address === undefined ? null : <link rel="canonical" href={address} />}
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={site.name} />
      <meta property="og:title" content={title} />
      {description === undefined ? null : <meta property="og:description" content={description} />}
      {address === undefined ? null : <meta property="og:url" content={address} />}
      {image === undefined ? null : <meta property="og:image" content={image} />}
    </>
  );
}

function oneLine(text: string | undefined): string | undefined {
  const line = text?.replaceAll(/\s+/g, ' ').trim();
  if (line === undefined || line === '') return undefined;
  if (line.length <= DESCRIPTION) return line;
  return `${line.slice(0, DESCRIPTION).replace(/\s+\S*$/, '')}…`;
}

function ForeignBar(): Markup {
  return (
    <div class="alert">
      <p class="wrap">Addresses here work only on this machine. Operator: set the base address.</p>
    </div>
  );
}
