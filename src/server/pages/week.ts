import { html } from 'hono/html';
import type { DayHours } from '../../hours/questions.ts';
import type { VenuePage } from '../../library/index.ts';
import type { Markup } from './frame/markup.tsx';
import { dayWords, iso, lengthWords, soon } from './words.ts';

export function openingHours({ hours, zone }: VenuePage): Markup {
  if (hours === undefined) return html`<p>No opening hours have been published.</p>`;
  return html`${now(hours, zone)}
    <div class="across"><table>
      <caption>The next seven days, in local time (<bdi>${zone}</bdi>)</caption>
      <thead><tr><th scope="col">Day</th><th scope="col">Open</th><th scope="col">Why</th></tr></thead>
      <tbody>${hours.week.map((day, at) => dayRow(day, at === 0))}</tbody>
    </table></div>
    <p class="meta">Open ${lengthWords(hours.openSevenDays)} in the next seven days.</p>`;
}

type Hours = NonNullable<VenuePage['hours']>;

function now({ open, next, at }: Hours, zone: string): Markup {
  const change = next && html` <time datetime="${iso(next.at)}">${soon(zone, next.at, at)}</time>`;
  if (open)
    return html`<p class="now"><strong>Open now</strong>${change ? html`, closes${change}` : ', day and night'}</p>`;
  return html`<p class="now"><strong class="closed">Closed now</strong>${change ? html`, opens${change}` : ', and no opening is announced'}</p>`;
}

function dayRow(day: DayHours, isToday: boolean): Markup {
  const current = isToday ? html` aria-current="date"` : html``;
  const today = isToday ? html` <span class="meta">today</span>` : html``;
  return html`<tr${current}>
    <th scope="row"><time datetime="${day.date}">${dayWords(day.date)}</time>${today}</th>
    <td>${openWords(day)}</td>
    <td>${reason(day)}</td>
  </tr>`;
}

function openWords({ open }: DayHours): Markup | string {
  if (open.length === 0) return 'Closed';
  return html`${open.map((span, at) => html`${at > 0 ? ', ' : ''}<span class="span">${spanWords(span)}</span>`)}`;
}

function spanWords({ opens, closes, nextDay }: DayHours['open'][number]): string {
  if (opens === '00:00' && closes === '24:00') return 'All day';
  return `${opens}–${closes}${nextDay ? ' (the next day)' : ''}`;
}

/** The usual week needs no reason. */
function reason({ holiday, exceptional, open }: DayHours): string {
  if (holiday !== undefined) return `Public holiday: ${holiday}`;
  if (!exceptional) return '';
  return open.length === 0 ? 'Special closure' : 'Special hours';
}
