import { raw } from 'hono/html';
import { licenseName } from '../../../calendar/wording/attribution.ts';
import type { Publisher } from '../../../library/index.ts';
import { sha256 } from '../../../platform/hash.ts';
import { safeLink } from '../../links.ts';
import { symbolsOf } from '../frame/icons.tsx';
import { type Markup, markupText, separated } from '../frame/markup.tsx';
import { pageHeaders, pageStyle } from '../frame/policy.ts';
import type { Site } from '../frame/site.ts';
import { type Theme, themeOf } from '../frame/theme.ts';

/** A page for the frame of another site: without header and script, its links open in the whole window. */
export interface Embed {
  title: string;
  body: Markup;
  publishers: readonly Publisher[];
  /** The page that shows the same; its address begins with the path of the base address. */
  whole: { href: string; words: string };
  status?: number;
}

/** The colours that the framing site asks for: `?theme=light|dark|auto&accent=0b6338`. */
interface EmbedTheme {
  /** Absent: the preference of the reader's device. */
  scheme?: 'light' | 'dark';
  theme: Theme;
}

/** The parameters of the colours. */
export const THEME_PARAMETERS = ['theme', 'accent'] as const;

/** The colours by the parameters of an address; unreadable values count as absent. */
export function embedTheme(params: URLSearchParams, site: Site): EmbedTheme {
  const [scheme, accent = ''] = [params.get('theme'), params.get('accent') ?? undefined];
  const theme = /^[0-9a-f]{6}$/i.test(accent) ? themeOf(`#${accent.toLowerCase()}`) : site.theme;
  return { theme, ...((scheme === 'light' || scheme === 'dark') && { scheme }) };
}

const CACHE_CONTROL = 'public, max-age=300, stale-while-revalidate=3600';

/** An embed as a response: no script, and other sites may frame it. */
export async function embedResponse(embed: Embed, { theme, scheme }: EmbedTheme): Promise<Response> {
  const style = pageStyle(theme, ['embed'], scheme);
  const content = await markupText(
    <main>
      {embed.body}
      <p class="by">
        <a href={embed.whole.href} target="_top">
          {embed.whole.words}
        </a>
        <Credits publishers={embed.publishers} />
      </p>
    </main>,
  );
  const page = (
    <html lang="en-GB">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{embed.title}</title>
        <meta name="robots" content="noindex" />
        <style>{raw(style.text)}</style>
      </head>
      <body class="embed">
        {symbolsOf(content)}
        {raw(content)}
      </body>
    </html>
  );
  const status = embed.status ?? 200;
  const text = `<!doctype html>\n${await markupText(page)}`;
  const headers = {
    ...pageHeaders(style, { framed: true, script: false }),
    'Cache-Control': status === 200 ? CACHE_CONTROL : 'no-store',
    ...(status === 200 && { ETag: `"${sha256(text, 'base64url')}"` }),
  };
  return new Response(text, { status, headers });
}

/** The publishers with their licences, which ask to be named wherever the data is shown. */
function Credits({ publishers }: { publishers: readonly Publisher[] }): Markup | null {
  if (publishers.length === 0) return null;
  return (
    <>
      {' · Data: '}
      {separated(publishers, ', ', (publisher) => (
        <Credit publisher={publisher} />
      ))}
    </>
  );
}

function Credit({ publisher: { name, url, license } }: { publisher: Publisher }): Markup {
  const [href, licence] = [safeLink(url), safeLink(license)];
  return (
    <>
      {href === undefined ? (
        <bdi>{name}</bdi>
      ) : (
        <a href={href} target="_top" rel="nofollow">
          <bdi>{name}</bdi>
        </a>
      )}
      {licence === undefined ? null : (
        <>
          {name === '' ? null : ' ('}
          <a href={licence} target="_top" rel="license">
            {licenseName(licence)}
          </a>
          {name === '' ? null : ')'}
        </>
      )}
    </>
  );
}
