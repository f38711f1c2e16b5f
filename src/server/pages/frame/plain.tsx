import { raw } from 'hono/html';
import { type Markup, markupText, scriptText } from './markup.tsx';
import { pageHeaders, pageStyle } from './policy.ts';
import { themeOf } from './theme.ts';

/** Pages without header, script and other files: dataset pages, which are written to files too, and those for operators. */

const THEME = themeOf();
const STYLE = pageStyle(THEME, ['plain']);

export const PLAIN_HEADERS: Readonly<Record<string, string>> = pageHeaders(STYLE, { script: false });

/** The style sheet and the headers of the pages for operators. */
const ADMIN = pageStyle(THEME, ['plain', 'tables', 'feeds', 'admin']);

export const ADMIN_HEADERS: Readonly<Record<string, string>> = {
  ...pageHeaders(ADMIN, { script: false }),
  // With `no-referrer` browsers send forms with the origin `null`, and the check of the origin would refuse them.
  'Referrer-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

/** A page for operators. */
export function adminPage(title: string, body: Markup): Promise<string> {
  return plainPage(title, body, undefined, ADMIN);
}

/** A page as text. `data`: its JSON-LD. */
export async function plainPage(title: string, body: Markup, data?: object, style = STYLE): Promise<string> {
  const page = (
    <html lang="en-GB">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        {data === undefined ? null : <script type="application/ld+json">{raw(scriptText(data, 2))}</script>}
        <style>{raw(style.text)}</style>
      </head>
      <body>
        <main id="main">
          <div class="wrap">{body}</div>
        </main>
      </body>
    </html>
  );
  return `<!doctype html>\n${await markupText(page)}\n`;
}
