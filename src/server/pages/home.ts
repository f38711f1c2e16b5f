import { html } from 'hono/html';
import type { Collection, Listing, ListingRow, Publisher } from '../../library/index.ts';
import { momentText } from '../../time/instant.ts';
import type { Links } from '../links.ts';
import type { Page } from './frame/document.tsx';
import type { Markup } from './frame/markup.tsx';
import { subscribe } from './parts.ts';
import { typeName, when, whenDays } from './words.ts';

export const COLLECTIONS = ['series', 'places', 'facilities'] as const satisfies readonly Collection[];

const TITLES: Record<Collection, string> = { series: 'Sessions', places: 'Places', facilities: 'Facilities' };

/** What was asked of the first page, already checked. */
export interface Search {
  q?: string;
  place?: string;
  /** Absent: every list, each from its start. */
  kind?: Collection;
  after?: string;
}

export interface Found {
  lists: ReadonlyMap<Collection, Listing>;
  publishers: Publisher[];
}

export function homePage(search: Search, { lists, publishers }: Found, links: Links): Page {
  const body = html`<h1>Find a session or a place, subscribe to its calendar</h1>
    ${searchForm(search, links)}
    ${search.place && onePlace(search.place, links)}
    ${filters(search, links)}
    ${COLLECTIONS.map((kind) => section(kind, lists.get(kind), search, links))}`;
  const title = search.q ? `${search.q} – sessions and places` : 'Sessions and places for your calendar';
  return { title, body, style: ['plain'], publishers };
}

function onePlace(place: string, links: Links): Markup {
  return html`<p>Only at one place. <a href="${links.path(`/places/${place}`)}">About the place</a> ·
    <a href="${links.path('/')}">Show everything</a></p>`;
}

function filters({ q, place, kind: chosen }: Search, links: Links): Markup {
  const kinds = place === undefined ? [undefined, ...COLLECTIONS] : (['series', 'facilities'] as const);
  const items = kinds.map((kind) => {
    const query = new URLSearchParams({ ...(kind && { kind }), ...(q && { q }), ...(place && { place }) });
    const href = links.path(query.size === 0 ? '/' : `/?${query}`);
    const current = kind === chosen ? html` aria-current="page"` : html``;
    return html`<li><a href="${href}"${current}>${kind === undefined ? 'Everything' : TITLES[kind]}</a></li>`;
  });
  return html`<nav aria-label="What to show"><ul class="tabs">${items}</ul></nav>`;
}

function searchForm(search: Search, links: Links): Markup {
  return html`<form role="search" action="${links.path('/')}" method="get">
    <div class="field">
      <label for="q">Activity, name or place</label>
      <input id="q" name="q" type="search" maxlength="200" value="${search.q ?? ''}" />
    </div>
    ${search.place && html`<input type="hidden" name="place" value="${search.place}" />`}
    ${search.kind && html`<input type="hidden" name="kind" value="${search.kind}" />`}
    <button type="submit">Search</button>
  </form>`;
}

function section(kind: Collection, listing: Listing | undefined, search: Search, links: Links): Markup {
  if (listing === undefined) return html``;
  const id = `${kind}-title`;
  const title = TITLES[kind];
  const more =
    listing.next !== undefined &&
    html`<p><a href="${moreLink(kind, listing.next, search, links)}" rel="next">More ${title.toLowerCase()}</a></p>`;
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">${title} (${listing.total})</h2>
    ${listing.rows.length === 0 ? nothing(title, search) : html`<ul class="rows">${listing.rows.map((row) => rowItem(row, links))}</ul>`}
    ${more}
  </section>`;
}

function nothing(title: string, { q, after }: Search): Markup {
  if (after !== undefined) return html`<p>There are no more ${title.toLowerCase()}.</p>`;
  if (q === undefined) return html`<p>No ${title.toLowerCase()} have been found in the feeds yet.</p>`;
  return html`<p>No ${title.toLowerCase()} match “<bdi>${q}</bdi>”. Try fewer or other words.</p>`;
}

function moreLink(kind: Collection, after: string, { q, place }: Search, links: Links): string {
  const query = new URLSearchParams({ kind, ...(q && { q }), ...(place && { place }), after });
  return links.path(`/?${query}`);
}

function rowItem(row: ListingRow, links: Links): Markup {
  const { kind, key } = row;
  const name = row.name || 'Without a name';
  const facts = [row.activity.slice(0, 5).join(', ') || typeName(row.type), row.place].filter((fact) => fact);
  return html`<li>
    <h3><a href="${links.path(`/${kind}/${key}`)}"><bdi>${name}</bdi></a></h3>
    <p class="meta">${facts.map((fact, at) => html`${at > 0 ? ' · ' : ''}<bdi>${fact}</bdi>`)}</p>
    ${
      row.next !== undefined &&
      html`<p>Next: <time datetime="${momentText(row.next, row.nextAllDay)}">${
        row.nextAllDay ? whenDays(row.next) : when(row.zone, row.next)
      }</time></p>`
    }
    ${row.calendar && html`<details><summary>Subscribe<span class="vh"> to ${name}</span></summary>${subscription(row, name, links)}</details>`}
  </li>`;
}

/** Of a facility, calendar programs can show only when it is open: everything else in its calendar is for machines. */
function subscription({ kind, key }: ListingRow, name: string, links: Links): Markup {
  if (kind !== 'facilities') return subscribe({ kind, key, name }, links);
  return subscribe({ kind, key, part: 'hours', name: `${name}: opening hours` }, links);
}
