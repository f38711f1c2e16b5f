import { html } from 'hono/html';
import type { SeriesPage } from '../../library/index.ts';
import type { PlaceSummary } from '../../opportunity/records.ts';
import { type Links, safeLink } from '../links.ts';
import type { Page } from './frame/document.tsx';
import { linked, type Markup } from './frame/markup.tsx';
import { about, factList, findings, googleNote, occurrenceLine, subscribe, upcomingSection } from './parts.ts';
import { ages, gender, price, statusWord, typeName } from './words.ts';

export function seriesPage(series: SeriesPage, links: Links): Page {
  const { details, head } = series;
  const name = details.name || 'Without a name';
  const body = html`<h1><bdi>${name}</bdi></h1>
    ${standing(series)}
    ${
      series.hasCalendar &&
      html`<section class="panel" aria-labelledby="subscribe-title">
      <h2 id="subscribe-title">Subscribe</h2>
      ${subscribe({ kind: head.kind, key: head.key, name }, links)}
      ${googleNote()}
    </section>`
    }
    ${facts(series)}
    ${upcoming(series, links)}
    ${about(details.description)}
    ${findings(series.findings)}`;
  const publishers = series.publisher ? [series.publisher] : [];
  return {
    title: name,
    body,
    style: ['plain'],
    publishers,
    calendars: series.hasCalendar ? [links.calendar(head.kind, head.key)] : [],
  };
}

function standing({ head, status }: SeriesPage): Markup {
  const word = statusWord(status);
  if (head.state !== 'live') {
    return html`<p class="note">The publisher has withdrawn this. Its calendar shows what was planned as cancelled, and will end soon.</p>`;
  }
  return word ? html`<p class="note">${word}</p>` : html``;
}

function facts(series: SeriesPage): Markup {
  const { details } = series;
  return factList([
    ['What', list([...(details.activity ?? []), ...(details.category ?? [])]) ?? typeName(series.type)],
    ['When', list(series.schedules)],
    ['Scheduling', details.schedulingNote],
    ['Where', details.location && place(details.location)],
    ['Meeting point', details.meetingPoint],
    ['Online', online(series)],
    ['Price', list((details.offers ?? []).map(price))],
    ['Level', list(details.level ?? [])],
    ['Ages', ages(details.ageRange)],
    ['Open to', gender(details.gender)],
    ['Led by', list(details.leader ?? [])],
    ['Organiser', details.organizer?.name && linked(details.organizer.name, details.organizer.url)],
    ['More', safeLink(series.url) && linked('The publisher’s page', series.url)],
  ]);
}

function list(texts: readonly (string | undefined)[]): Markup | undefined {
  const distinct = [...new Set(texts.filter((text) => text))];
  if (distinct.length === 0) return undefined;
  return html`<ul>${distinct.map((text) => html`<li><bdi>${text}</bdi></li>`)}</ul>`;
}

function place({ name, address, latitude, longitude, url }: PlaceSummary): Markup {
  const at = latitude !== undefined && longitude !== undefined;
  const map = at && `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`;
  return html`${name && html`<p>${linked(name, url)}</p>`}${address && html`<p>${address}</p>`}
    ${map && html`<p><a href="${map}" rel="noopener noreferrer nofollow">Map</a></p>`}`;
}

function online({ details }: SeriesPage): Markup | string | undefined {
  const { attendance, virtualLocation } = details;
  if (attendance !== 'online' && attendance !== 'mixed' && virtualLocation === undefined) return undefined;
  const word = attendance === 'mixed' ? 'Online as well' : 'Online';
  return safeLink(virtualLocation?.url) ? linked(virtualLocation?.name || word, virtualLocation?.url) : word;
}

function upcoming({ upcoming: occurrences, zone, head }: SeriesPage, links: Links): Markup {
  const lines = occurrences.map((occurrence) => occurrenceLine(occurrence, zone));
  const why = html`<p class="meta"><a href="${links.path(`/series/${head.key}/explain`)}" rel="nofollow">Why these dates</a></p>`;
  return upcomingSection('Next dates', lines, why);
}
