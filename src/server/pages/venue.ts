import { html } from 'hono/html';
import type { ListingRow, VenuePage, VenuePart } from '../../library/index.ts';
import { type Links, safeLink } from '../links.ts';
import type { Page } from './frame/document.tsx';
import { linked, type Markup } from './frame/markup.tsx';
import { about, factList, googleNote, occurrenceTime, subscribe, upcomingSection } from './parts.ts';
import { openingHours } from './week.ts';
import { freshFor, typeName } from './words.ts';

/** A place or facility: is it open, what is on, and its calendars. `facilities`: the first of those at the place. */
export function venuePage(venue: VenuePage, facilities: readonly ListingRow[], links: Links): Page {
  const name = venue.name || 'Without a name';
  const body = html`<h1><bdi>${name}</bdi></h1>
    <section aria-labelledby="hours-title"><h2 id="hours-title">Opening hours</h2>${openingHours(venue)}</section>
    ${subscriptions(venue, name, links)}
    ${facts(venue, links)}
    ${venue.collection === 'places' && upcoming(venue, links)}
    ${facilityList(venue, facilities, links)}
    ${about(venue.description)}
    ${machines(venue, links)}`;
  return {
    title: name,
    body,
    style: ['plain'],
    publishers: venue.publisher ? [venue.publisher] : [],
    calendars: offered(venue).map(({ part }) => links.calendar(venue.collection, venue.key, part)),
    freshFor: freshFor(venue.hours),
  };
}

interface Offer {
  part: VenuePart;
  title: string;
  says: string;
}

const HOURS: Offer = {
  part: 'hours',
  title: 'Opening hours',
  says: 'When it is open and when it is specially closed, as plain events that do not block your time: the one for Google, Outlook and Apple.',
};
const SESSIONS: Offer = { part: 'sessions', title: 'What is on', says: 'Every session here.' };
const IN_FORM = ' in a form (VAVAILABILITY) that calendar servers read and most programs do not show.';
const ALL: Offer = { part: 'all', title: 'Everything', says: `Every session, and the opening hours${IN_FORM}` };

/** Nothing is on at a facility, so a calendar of that would be empty for ever. */
function offered({ collection }: VenuePage): readonly Offer[] {
  return collection === 'places' ? [HOURS, SESSIONS, ALL] : [HOURS, { ...ALL, says: `The opening hours${IN_FORM}` }];
}

function subscriptions(venue: VenuePage, name: string, links: Links): Markup {
  const { collection: kind, key } = venue;
  const items = offered(venue).map(
    ({ part, title, says }) => html`<h3>${title}</h3>
      <p class="meta">${says}</p>
      ${subscribe({ kind, key, part, name: part === 'all' ? name : `${name}: ${title.toLowerCase()}` }, links)}`,
  );
  return html`<section class="panel" aria-labelledby="subscribe-title">
    <h2 id="subscribe-title">Subscribe</h2>
    ${items}
    ${googleNote()}
  </section>`;
}

function facts({ type, address, telephone, zone, holidays, url, placeKey }: VenuePage, links: Links): Markup {
  return factList([
    ['What', type === 'Place' ? undefined : typeName(type)],
    ['Where', address],
    ['Place', placeKey && html`<a href="${links.path(`/places/${placeKey}`)}">The place around it</a>`],
    ['Phone', telephone],
    ['Time zone', zone],
    ['Public holidays', holidays],
    ['More', safeLink(url) && linked('The publisher’s page', url)],
  ]);
}

function upcoming({ key, name: here, upcoming: list, zone, series }: VenuePage, links: Links): Markup {
  const items = list.map(({ seriesKey, name, ...one }) => {
    const lines = withoutPlace(name, here) || 'Without a name';
    const link = html`<a href="${links.path(`/series/${seriesKey}`)}"><bdi>${lines}</bdi></a>`;
    return html`${occurrenceTime(one, zone)} – ${link}`;
  });
  const all =
    series > 0 &&
    html`<p><a href="${links.path(`/?kind=series&place=${key}`)}">All that is on here (${series})</a></p>`;
  return upcomingSection('On next', items, all);
}

/** Calendars of series are called `Yoga, Town Hall`; the page of the Town Hall names the place already. */
function withoutPlace(name: string | undefined, here: string | undefined): string | undefined {
  return here && name?.endsWith(`, ${here}`) ? name.slice(0, -here.length - 2) : name;
}

function facilityList({ key, facilities: total }: VenuePage, rows: readonly ListingRow[], links: Links): Markup {
  if (rows.length === 0) return html``;
  const items = rows.map(
    (row) =>
      html`<li><a href="${links.path(`/facilities/${row.key}`)}"><bdi>${row.name || 'Without a name'}</bdi></a></li>`,
  );
  const rest =
    total > rows.length &&
    html`<p><a href="${links.path(`/?kind=facilities&place=${key}`)}">All ${total} facilities</a></p>`;
  return html`<section aria-labelledby="facilities-title">
    <h2 id="facilities-title">Facilities (${total})</h2>
    <ul>${items}</ul>
    ${rest}
  </section>`;
}

/** What people's calendar programs do not show, for those who write programs. */
function machines({ collection, key }: VenuePage, links: Links): Markup {
  const calendar = (part: VenuePart) => html`<code>${links.calendar(collection, key, part)}</code>`;
  const api = `${links.base}/api/${collection}/${key}`;
  return html`<section aria-labelledby="machines-title"><h2 id="machines-title">For programs</h2>
    <dl>
      <dt>Availability</dt>
      <dd>${calendar('availability')}<p>The opening hours as VAVAILABILITY (RFC 7953), for the years around this one.</p></dd>
      <dt>Free/busy</dt>
      <dd>${calendar('freebusy')}<p>When it is closed or booked, as VFREEBUSY (RFC 5545): eight weeks from today, or the window given as
        <code>?from=2026-12-01&amp;to=2026-12-08</code>.</p></dd>
      <dt>JSON</dt>
      <dd><code>${api}</code><p>What this page says; <code>${api}/open?at=</code> and <code>${api}/hours?from=&amp;to=</code> answer for
        other times. <a href="${links.path('/openapi.json')}">Described here</a>.</p></dd>
    </dl></section>`;
}
