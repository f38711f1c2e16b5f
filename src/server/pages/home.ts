import { html } from 'hono/html';
import type { Listing, ListingRow, Publisher } from '../library.ts';
import type { Links } from '../links.ts';
import { type Markup, type Page, subscribe } from './layout.ts';
import { iso, typeName, when } from './words.ts';

/** What was asked of the first page, already checked. */
export interface Search {
  q?: string;
  place?: string;
  /** Absent: both lists, each from its start. */
  kind?: 'series' | 'places';
  after?: string;
}

export interface Found {
  series?: Listing;
  places?: Listing;
  publishers: Publisher[];
}

/** Find a series or a place, and subscribe to it. */
export function homePage(search: Search, found: Found, links: Links): Page {
  const body = html`<h1>Find a session, subscribe to its calendar</h1>
    ${searchForm(search, links)}
    ${search.place ? onePlace(links) : contents(found)}
    ${found.series && section('series', 'Sessions', found.series, search, links)}
    ${found.places && section('places', 'Places', found.places, search, links)}`;
  return {
    title: search.q ? `${search.q} – sessions and places` : 'Sessions and places for your calendar',
    body,
    publishers: found.publishers,
  };
}

/** To the second list without passing the first. */
function contents({ series, places }: Found): Markup {
  if (series === undefined || places === undefined) return html``;
  return html`<nav aria-label="On this page">
    <a href="#series-title">Sessions (${series.total})</a> · <a href="#places-title">Places (${places.total})</a>
  </nav>`;
}

function onePlace(links: Links): Markup {
  return html`<p>Only what is on at one place. <a href="${links.path('/')}">Show everything</a></p>`;
}

function searchForm(search: Search, links: Links): Markup {
  return html`<form role="search" action="${links.path('/')}" method="get">
    <div class="field">
      <label for="q">Activity, name or place</label>
      <input id="q" name="q" type="search" maxlength="200" value="${search.q ?? ''}" />
    </div>
    ${search.place && html`<input type="hidden" name="place" value="${search.place}" />`}
    <button type="submit">Search</button>
  </form>`;
}

function section(kind: 'series' | 'places', title: string, listing: Listing, search: Search, links: Links): Markup {
  const id = `${kind}-title`;
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

function moreLink(kind: 'series' | 'places', after: string, { q, place }: Search, links: Links): string {
  const query = new URLSearchParams({ kind });
  if (q !== undefined) query.set('q', q);
  if (place !== undefined) query.set('place', place);
  query.set('after', after);
  return links.path(`/?${query}`);
}

function rowItem(row: ListingRow, links: Links): Markup {
  const name = row.name || 'Without a name';
  const facts = [row.activity.slice(0, 5).join(', ') || typeName(row.type), row.place].filter((fact) => fact);
  return html`<li>
    <h3><a href="${rowLink(row, links)}"><bdi>${name}</bdi></a></h3>
    <p class="meta">${facts.map((fact, at) => html`${at > 0 ? ' · ' : ''}<bdi>${fact}</bdi>`)}</p>
    ${row.next !== undefined && html`<p>Next: <time datetime="${iso(row.next)}">${when(row.zone, row.next)}</time></p>`}
    ${row.calendar && html`<details><summary>Subscribe<span class="unseen"> to ${name}</span></summary>${subscribe(row.kind, row.key, name, links)}</details>`}
  </li>`;
}

/** A series has a page; a place without a calendar of its own leads to its series. */
function rowLink({ kind, key }: ListingRow, links: Links): string {
  return kind === 'series' ? links.path(`/series/${key}`) : links.path(`/?kind=series&place=${key}`);
}
