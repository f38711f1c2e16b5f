import { html } from 'hono/html';
import {
  agoWords,
  counted,
  dueWords,
  type FeedFindings,
  type FeedHealth,
  grouped,
  heldWords,
  type Publisher,
  stateWords,
} from '../../library/index.ts';
import type { Finding } from '../../opportunity/findings.ts';
import { type Links, safeLink } from '../links.ts';
import type { Page } from './frame/document.tsx';
import { linked, type Markup } from './frame/markup.tsx';
import { factList } from './parts.ts';
import { iso, licenceName } from './words.ts';

/** Seconds for which "3 min ago" is near enough. */
const FRESH = 30;

export function feedsPage(feeds: readonly FeedHealth[], now: number, links: Links): Page {
  const items = feeds.reduce((sum, feed) => sum + feed.items, 0);
  const body = html`<h1>Feeds</h1>
    <p>${counted(feeds.length, 'feed', 'feeds')} with ${counted(items, 'item', 'items')} are read here.
      What one publisher's server does has no effect on what is served of the others.</p>
    <ul class="rows">${feeds.map((feed) => html`<li>${feedRow(feed, now, links)}</li>`)}</ul>`;
  return { title: 'Feeds', body, style: ['plain'], publishers: publishersOf(feeds), freshFor: FRESH };
}

function feedRow(feed: FeedHealth, now: number, links: Links): Markup {
  return html`<h2><a href="${links.path(`/feeds/${feed.id}`)}"><bdi>${feed.name}</bdi></a></h2>
    ${standing(feed)}
    <p class="meta">${counted(feed.items, 'item', 'items')} · ${counted(feed.findings, 'finding', 'findings')} ·
      read to its end ${moment(feed.lastSuccess, now)} · next visit ${moment(feed.nextVisit, now, dueWords)}</p>`;
}

/** Its state, and what somebody should know or do about it. */
function standing(feed: FeedHealth): Markup {
  const isWell = feed.state === 'ended' || feed.state === 'reading' || feed.state === 'new';
  const held = heldWords(feed);
  return html`<p class="${isWell ? '' : 'closed'}">${stateWords(feed)}</p>
    ${held && html`<p class="note">${held}</p>`}
    ${!isWell && feed.lastError && html`<p class="meta"><bdi>${feed.lastError}</bdi></p>`}`;
}

function moment(at: number | undefined, now: number, say = agoWords): Markup {
  const words = say(at, now);
  return at === undefined ? html`${words}` : html`<time datetime="${iso(at)}">${words}</time>`;
}

export function feedPage({ feed, findings, next }: FeedFindings, now: number, links: Links): Page {
  const body = html`<h1><bdi>${feed.name}</bdi></h1>
    <p><a href="${links.path('/feeds')}">All feeds</a></p>
    ${standing(feed)}
    ${facts(feed, now)}
    <section aria-labelledby="findings-title">
      <h2 id="findings-title">Findings</h2>
      ${findings.length === 0 ? html`<p>There are none.</p>` : html`<ul>${findings.map((one) => html`<li>${findingLine(one)}</li>`)}</ul>`}
      ${next !== undefined && html`<p><a href="${links.path(`/feeds/${feed.id}?after=${next}`)}" rel="next">More findings</a></p>`}
    </section>`;
  return { title: `Feed: ${feed.name}`, body, style: ['plain'], publishers: publishersOf([feed]), freshFor: FRESH };
}

function facts(feed: FeedHealth, now: number): Markup {
  const { publisher, license, resync, lastError, lastErrorAt } = feed;
  const licence = safeLink(publisher?.license ?? license);
  const lines = [
    ['Address', linked(feed.address, feed.address)],
    ['Publisher', publisher && linked(publisher.name, publisher.url)],
    ['Licence', licence && html`<a href="${licence}" rel="license">${licenceName(licence)}</a>`],
    ['Items', `${grouped(feed.items)}, and ${grouped(feed.deleted)} deleted ones that are remembered`],
    ['Pages', `${grouped(feed.pages)} taken in, with ${counted(feed.taken, 'item', 'items')}`],
    ['Last asked', moment(feed.lastAttempt, now)],
    ['Last read to its end', moment(feed.lastSuccess, now)],
    ['Last change', moment(feed.lastChange, now)],
    ['Next visit', moment(feed.nextVisit, now, dueWords)],
    ['Read from the start', resync && html`since ${moment(resync.since, now)}: <bdi>${resync.reason}</bdi>`],
    ['Last error', lastError && html`<bdi>${lastError}</bdi> (${moment(lastErrorAt, now)})`],
    ['Failures', `${grouped(feed.failures)} in a row, ${grouped(feed.totalFailures)} in all`],
  ] as const;
  return factList(lines, html``);
}

function findingLine({ severity, message, code, item, path, rule }: Finding): Markup {
  return html`<strong>${severity}</strong>: ${message}
    <span class="meta"><bdi>${item}</bdi>: <code>${code}</code> at <code>${path}</code> (${rule})</span>`;
}

function publishersOf(feeds: readonly FeedHealth[]): Publisher[] {
  return [...new Map(feeds.flatMap(({ publisher }) => (publisher ? [[publisher.name, publisher]] : []))).values()];
}
