import { html } from 'hono/html';
import type { Collection, PageOccurrence, VenuePart } from '../../library/index.ts';
import type { Finding } from '../../opportunity/findings.ts';
import { momentText } from '../../time/instant.ts';
import { type Links, type SubscribeLink, safeLink, subscribeLinks } from '../links.ts';
import { linked, type Markup } from './frame/markup.tsx';
import { statusWord, when, whenDays } from './words.ts';

/** Pieces that pages of series, places and facilities share. */

/** What to do where a click does not do it (feed rule 35). */
export function googleNote(): Markup {
  return html`<p class="meta">Your calendar looks for changes by itself. If Google Calendar does not open, copy the address and
    <a href="https://calendar.google.com/calendar/u/0/r/settings/addbyurl" rel="noopener noreferrer nofollow">add it by URL</a>.</p>`;
}

/** Terms and what there is to say of each; those without are left out. `dir`: of texts of publishers. */
export function factList(
  lines: readonly (readonly [string, Markup | string | undefined])[],
  dir = html` dir="auto"`,
): Markup {
  return html`<dl>${lines.map(([term, fact]) => fact && html`<dt>${term}</dt><dd${dir}>${fact}</dd>`)}</dl>`;
}

export function about(description: string | undefined): Markup {
  if (!description) return html``;
  return html`<section aria-labelledby="about-title"><h2 id="about-title">About</h2><p class="text" dir="auto">${description}</p></section>`;
}

/** The next dates, each in a line; `after`: what stands under them. */
export function upcomingSection(title: string, lines: readonly Markup[], after: Markup | false): Markup {
  return html`<section aria-labelledby="upcoming-title">
    <h2 id="upcoming-title">${title}</h2>
    ${lines.length === 0 ? html`<p>No dates are known at the moment.</p>` : html`<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>`}
    ${after}
  </section>`;
}

/** When, whether it is on, and the publisher's page. */
export function occurrenceLine(occurrence: PageOccurrence, zone: string): Markup {
  const { start, allDay, name, url } = occurrence;
  const href = safeLink(url);
  const label = name || 'Details';
  const unseen = allDay ? whenDays(start) : when(zone, start);
  return html`${occurrenceTime(occurrence, zone)}${
    href && html` – ${linked(label, href)}<span class="vh">, ${unseen}</span>`
  }`;
}

export function occurrenceTime({ start, end, allDay, status }: PageOccurrence, zone: string): Markup {
  const word = statusWord(status);
  const words = allDay ? whenDays(start, end) : when(zone, start, end);
  return html`<time datetime="${momentText(start, allDay)}">${words}</time>${word && html` <span class="cancelled">${word}</span>`}`;
}

/** What the publisher could do better, folded away: of use to few readers, but to those much. */
export function findings(list: readonly Finding[]): Markup {
  if (list.length === 0) return html``;
  const items = list
    .slice(0, 100)
    .map(
      ({ severity, code, path, message, rule }) =>
        html`<li><strong>${severity}</strong>: ${message} <span class="meta"><code>${code}</code> at <code>${path}</code> (${rule})</span></li>`,
    );
  return html`<details><summary>What the publisher’s data could say better (${list.length})</summary><ul>${items}</ul></details>`;
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
      <label for="${field}">Calendar address<span class="vh"> of ${name}</span></label>
      <input id="${field}" type="text" readonly value="${address}" />
      <button type="button" data-copy="" aria-label="Copy the address of ${name}" hidden>Copy</button>
    </div>`;
}

function wayLink({ label, href, external }: SubscribeLink, name: string): Markup {
  const rel = external ? html` rel="noopener noreferrer nofollow"` : html` rel="nofollow"`;
  return html`<a class="button" href="${href}"${rel}>${label}<span class="vh">: ${name}</span></a>`;
}
