import type { ExplainedRow } from '../../../../calendar/explain/explained.ts';
import { counted } from '../../../../library/index.ts';
import type { Finding } from '../../../../opportunity/findings.ts';
import type { Markup } from '../../frame/markup.tsx';
import { ColumnHeads } from '../../parts.tsx';
import { Times } from '../../times.tsx';
import { dateWords, localMoment } from '../../wording.ts';
import { dayOfRow, type ExplainView, rowSpan } from './view.ts';

/** The part for programmers: ids, RRULEs, every row with its sentence, the JSON of the page, and findings. */

export function Deep({ view }: { view: ExplainView }): Markup {
  const { explanation, site, isOpen, truncated, findings } = view;
  const { head, id, schedules, zone, events } = explanation;
  return (
    <details class="deep" open={isOpen}>
      <summary>For programmers</summary>
      <p>
        <code>{id}</code>, {zone}, {counted(events, 'event')} in the{' '}
        <a href={site.links.calendar('series', head.key)}>calendar</a>. The same{' '}
        <a href={site.links.path(`/api/series/${head.key}/explain`)} rel="nofollow">
          as JSON
        </a>
        .
      </p>
      {schedules.length === 0 ? null : (
        <>
          <h3>Schedules</h3>
          <ul>
            {schedules.map(({ sentence, rrule }) => (
              <li>
                <bdi>{sentence}</bdi>
                {rrule === null ? null : [<br />, <code>{rrule}</code>]}
              </li>
            ))}
          </ul>
        </>
      )}
      {truncated === undefined ? null : <p>{truncated}</p>}
      <AllRows view={view} />
      <Findings list={findings} />
    </details>
  );
}

function AllRows({ view }: { view: ExplainView }): Markup {
  const { explanation, window, next, now } = view;
  const { rows, total, zone } = explanation;
  const day = (at: number) => dateWords(localMoment(zone, at).day, localMoment(zone, now).day);
  return (
    <>
      <h3>Every date</h3>
      <section class="across" aria-labelledby="every" tabindex={0}>
        <table class="list">
          <caption id="every">
            {counted(total, 'row')} from {day(window.from)} to {day(window.to)}
          </caption>
          <ColumnHeads names={['When', 'Shown', 'Why']} />
          <tbody>
            {rows.map((row) => (
              <Row row={row} zone={zone} today={localMoment(zone, now).day} />
            ))}
          </tbody>
        </table>
      </section>
      {next === undefined ? null : (
        <p>
          <a href={next} rel="next nofollow">
            More rows
          </a>
        </p>
      )}
    </>
  );
}

function Row({ row, zone, today }: { row: ExplainedRow; zone: string; today: number }): Markup {
  return (
    <tr>
      <th scope="row">
        {dateWords(dayOfRow(row, zone), today)}, <Times span={rowSpan(row)} zone={zone} />
      </th>
      <td>{row.shown ? (STATUS[row.status] ?? 'Yes') : 'No'}</td>
      <td>
        <bdi>{row.sentence}</bdi>
        {row.events.map((event) => (
          <small>
            {' '}
            <bdi>{event.sentence}</bdi>
          </small>
        ))}
        {row.item === undefined ? null : (
          <small>
            {' '}
            Item <code>{`${row.item.kind} ${row.item.id}`}</code> of <bdi>{row.item.feed}</bdi>.
          </small>
        )}
      </td>
    </tr>
  );
}

const STATUS: Record<string, string> = {
  EventCancelled: 'Cancelled',
  EventPostponed: 'Postponed',
  EventRescheduled: 'New time',
};

/** The most findings that are listed. */
const MOST = 100;

function Findings({ list }: { list: readonly Finding[] }): Markup | null {
  if (list.length === 0) return null;
  return (
    <>
      <h3>What the publisher’s data could say better</h3>
      <ul>
        {list.slice(0, MOST).map(({ severity, code, path, message, rule }) => (
          <li>
            <b>{severity}</b>: <bdi>{message}</bdi>{' '}
            <small>
              <code>{code}</code> at{' '}
              <code>
                <bdi>{path}</bdi>
              </code>{' '}
              ({rule})
            </small>
          </li>
        ))}
      </ul>
    </>
  );
}
