import type { ExplainedRow, ExplainedSchedule } from '../../../../calendar/explain/explained.ts';
import { NOT_EXPANDED } from '../../../../calendar/rule/reasons.ts';
import { counted } from '../../../../library/index.ts';
import type { Page } from '../../frame/document.tsx';
import type { Markup } from '../../frame/markup.tsx';
import { ColumnHeads, NameLink } from '../../parts.tsx';
import { Times, zoneNote } from '../../times.tsx';
import { dateWords, localMoment } from '../../wording.ts';
import { whenLine } from '../when.tsx';
import { Deep } from './deep.tsx';
import { givenBy, type NextDates, nextDates, reasonsOf } from './reasons.ts';
import { dayOfRow, type ExplainView, rowSpan } from './view.ts';

/** The page that explains the dates of a series: a paragraph, the rules, the dates that differ, and a part for programmers. */

/** The page of `/series/{key}/explain`. */
export function explainPage(view: ExplainView): Page {
  const { explanation } = view;
  const name = explanation.name ?? 'Without a name';
  return {
    title: `Why these dates: ${name}`,
    body: <ExplainBody view={view} name={name} />,
    publishers: explanation.publisher === undefined ? [] : [explanation.publisher],
    path: `/series/${explanation.head.key}/explain`,
    current: 'search',
    style: ['tables', 'facts', 'month', 'explain'],
    freshFor: 60,
    isHidden: true,
  };
}

function ExplainBody({ view, name }: { view: ExplainView; name: string }): Markup {
  const { explanation, site } = view;
  const next = nextDates(explanation.rows);
  return (
    <div class="plain1">
      <nav aria-label="Breadcrumb">
        <ol class="crumbs">
          <li>
            <a href={site.links.path('/search')}>What’s on</a>
          </li>
          <li>
            <NameLink href={site.links.path(`/series/${explanation.head.key}`)} name={name} />
          </li>
        </ol>
      </nav>
      <h1>
        Why these dates? <span class="vh">{name}</span>
      </h1>
      <p class="lead">{paragraph(view, next)}</p>
      <Rules view={view} next={next} />
      <Differing view={view} next={next} />
      <Deep view={view} />
    </div>
  );
}

/** How many of the next dates follow the rules, in two sentences at most. */
function paragraph({ explanation, now }: ExplainView, next: NextDates): string {
  const { schedules, zone } = explanation;
  const rules = schedules.filter(({ expanded }) => expanded).length;
  if (next.count === 0) return nothing(schedules, rules);
  const dates = next.count === 1 ? 'The next date' : `Of the next ${counted(next.count, 'date')}`;
  if (rules === 0) return 'The organiser publishes each date by itself: there is no rule that they follow.';
  const shown = next.rows.filter((row) => row.shown);
  const same = shown.filter((row) => row.schedule !== undefined && reasonsOf(row, '').length === 0).length;
  const last = localMoment(zone, Date.parse(shown[next.count - 1]?.start ?? '')).day;
  const to = next.count === 1 ? '' : `, to ${dateWords(last, localMoment(zone, now).day)}`;
  const given = `The organiser gives ${rulesWords(schedules, rules)}`;
  if (same === next.count)
    return `${given}, and ${next.count === 1 ? 'the next date follows' : `all of the next ${counted(next.count, 'date')}${to}, follow`} ${rules === 1 ? 'it' : 'them'}.`;
  const differ = next.count - same;
  if (next.count === 1) return `${given}. ${dates} differs.`;
  return `${given}. ${dates}${to}, ${same} ${same === 1 ? 'follows' : 'follow'} ${rules === 1 ? 'it' : 'them'} and ${differ} ${differ === 1 ? 'differs' : 'differ'}.`;
}

/** `one rule`, `32 rules, of which the first 20 are made into dates` */
function rulesWords(schedules: readonly ExplainedSchedule[], rules: number): string {
  const left = schedules.filter(({ because: [why] }) => why === 'too-many-schedules').length;
  if (left > 0) return `${rules + left} rules, of which the first ${rules} are made into dates`;
  return rules === 1 ? 'one rule' : counted(rules, 'rule');
}

function nothing(schedules: readonly ExplainedSchedule[], rules: number): string {
  if (schedules.some(({ because: [why] }) => why === 'partial-schedule'))
    return 'The organiser says what is usual, and publishes no dates. So no date is made up.';
  if (rules === 0 && schedules.length > 0) return 'No rule of the organiser can be read whole. So no date is made up.';
  return rules === 0
    ? 'The organiser has published neither a rule nor a date that is still to come.'
    : 'The organiser’s rules give no date that is still to come.';
}

function Rules({ view, next }: { view: ExplainView; next: NextDates }): Markup | null {
  const { schedules, when, zone } = view.explanation;
  if (schedules.length === 0) return null;
  const counts = givenBy(next);
  const dates = { dates: [], times: [], similar: [], zone, homeZone: view.site.zone };
  return (
    <section class="part" aria-labelledby="rules">
      <h2 id="rules">{schedules.length === 1 ? 'The rule' : 'The rules'}</h2>
      <ul class="rules">
        {schedules.map(({ path, expanded, because: [why] }) => {
          const rule = when[path];
          return (
            <li>
              <b>
                <bdi>
                  {rule === undefined ? 'A rule without day and time' : whenLine(rule, { dates, now: view.now }, true)}
                </bdi>
              </b>
              <small>
                {expanded
                  ? givesWords(counts.get(path) ?? 0, next.count)
                  : NOT_EXPANDED[why ?? 'partial-schedule'].words}
              </small>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** `gives 26 of the next 30 dates` */
function givesWords(given: number, of: number): string {
  if (of === 0) return 'gives no date that is still to come';
  if (given === 0) return 'gives none of the next dates';
  if (of === 1) return 'gives the next date';
  return given === of ? `gives all of the next ${of} dates` : `gives ${given} of the next ${of} dates`;
}

function Differing({ view, next }: { view: ExplainView; next: NextDates }): Markup | null {
  const rows = next.rows
    .map((row) => ({ row, reasons: reasonsOf(row, originalWords(view, row)) }))
    .filter(({ reasons }) => reasons.length > 0);
  if (rows.length === 0) return null;
  const note = zoneNote(view.explanation.zone, view.site.zone, view.now);
  return (
    <section class="part" aria-labelledby="differ">
      <h2 id="differ">Dates that differ</h2>
      {note === '' ? null : <p class="soft">Times are{note.replace(/[()]/g, '')}.</p>}
      <table class="list dates">
        <caption class="vh">Dates that are not what the rules say</caption>
        <ColumnHeads names={['Day', 'Time', 'Why']} />
        <tbody>
          {rows.map(({ row, reasons }) => (
            <DifferingRow view={view} row={row} reasons={reasons} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function DifferingRow({ view, row, reasons }: { view: ExplainView; row: ExplainedRow; reasons: string[] }): Markup {
  const { zone } = view.explanation;
  const span = rowSpan(row);
  const isOff = !row.shown || row.status === 'EventCancelled';
  const times = <Times span={span} zone={zone} />;
  return (
    <tr class={isOff ? 'off' : undefined}>
      <th scope="row">
        <span class="num">{dateWords(dayOfRow(row, zone), localMoment(zone, view.now).day)}</span>
      </th>
      <td>{isOff ? <s>{times}</s> : times}</td>
      <td>{reasons.join(' ')}</td>
    </tr>
  );
}

/** `Wed 2 Dec, 07:00`: when the rule has it; of the same day the time alone. */
function originalWords({ explanation: { zone }, now }: ExplainView, row: ExplainedRow): string {
  if (row.original === undefined) return '';
  const was = localMoment(zone, Date.parse(row.original));
  if (was.day === dayOfRow(row, zone)) return was.time;
  return `${dateWords(was.day, localMoment(zone, now).day)}, ${was.time}`;
}
