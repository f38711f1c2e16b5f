import { html } from 'hono/html';
import type { ExplainedRow } from '../../calendar/explain/explained.ts';
import type { SeriesExplanation } from '../../library/index.ts';
import type { Links } from '../links.ts';
import type { Page } from './frame/document.tsx';
import type { Markup } from './frame/markup.tsx';
import { statusWord, when, whenDays } from './words.ts';

export interface ExplainedPage extends SeriesExplanation {
  from: number;
  to: number;
  next: string | undefined;
  truncated: string | undefined;
}

/** Where each date of a series comes from, and why others are not shown: for the people who publish it. */
export function explainPage(page: ExplainedPage, links: Links): Page {
  const { head, name = 'Without a name', schedules, rows, zone, total, next, truncated } = page;
  const back = links.path(`/series/${head.key}`);
  const body = html`<h1>Why these dates: <bdi>${name}</bdi></h1>
    ${head.state === 'live' && html`<p><a href="${back}">Back to the session</a></p>`}
    ${head.state !== 'live' && html`<p class="note">The publisher has withdrawn this: no dates are made of it any more.</p>`}
    <ul>${schedules.map(({ sentence }) => html`<li><bdi>${sentence}</bdi></li>`)}</ul>
    ${truncated && html`<p class="note">${truncated}</p>`}
    <div class="across"><table>
      <caption>${total} dates from ${when(zone, page.from)} to ${when(zone, page.to)}</caption>
      <thead><tr><th scope="col">When</th><th scope="col">Shown</th><th scope="col">Why</th></tr></thead>
      <tbody>${rows.map((row) => tableRow(row, zone))}</tbody>
    </table></div>
    ${next && html`<p><a href="${next}" rel="next">More dates</a></p>`}`;
  const publishers = page.publisher ? [page.publisher] : [];
  return { title: `Why these dates: ${name}`, body, style: ['plain'], publishers, freshFor: 60 };
}

function tableRow({ start, end, allDay, shown, status, sentence, events }: ExplainedRow, zone: string): Markup {
  const words = allDay ? whenDays : (from: number, to: number) => when(zone, from, to);
  const word = shown ? (statusWord(status as 'EventCancelled') ?? 'Yes') : 'No';
  return html`<tr>
    <th scope="row"><time datetime="${start}">${words(Date.parse(start), Date.parse(end))}</time></th>
    <td>${word}</td>
    <td><bdi>${sentence}</bdi>${events.map((event) => html` <span class="meta">${event.sentence}</span>`)}</td>
  </tr>`;
}
