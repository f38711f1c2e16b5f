import type { Markup } from '../frame/markup.tsx';
import type { Site } from '../frame/site.ts';
import { CopyField } from '../parts.tsx';

/** The line of HTML that puts a timetable into another site's page. `path`: of the embed, below the base address. */
export function EmbedLine({ site, path, name }: { site: Site; path: string; name: string }): Markup {
  const line = `<iframe src="${attribute(site.links.base + path)}" title="${attribute(name)}" width="100%" height="560" loading="lazy"></iframe>`;
  return (
    <details class="part noprint share">
      <summary>Put this on your site</summary>
      <p class="soft">
        One line of HTML. <code>?theme=light</code> or <code>dark</code> and <code>&accent=0b6338</code> change its
        colours.
      </p>
      <label class="vh" for="embed-line">
        HTML of the timetable
      </label>
      <CopyField id="embed-line" what="HTML" value={line} />
    </details>
  );
}

/**
 * A text as the value of an attribute. The template escapes the line once more: here it is text, and HTML where it is pasted.
 */
function attribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
