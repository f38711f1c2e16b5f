import { raw } from 'hono/html';
import { type Markup, markupText, scriptText } from './markup.tsx';
import { pageHeaders, pageStyle } from './policy.ts';
import { themeOf } from './theme.ts';

/** A page that stands alone, without header and script: it is written to files too. */

const STYLE = pageStyle(themeOf(), ['plain']);

export const PLAIN_HEADERS: Readonly<Record<string, string>> = pageHeaders(STYLE, { script: false });

export async function plainPage(title: string, body: Markup, data?: object): Promise<string> {
  const page = (
    <html lang="en-GB">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        {data === undefined ? null : <script type="application/ld+json">{raw(scriptText(data, 2))}</script>}
        <style>{raw(STYLE.text)}</style>
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
