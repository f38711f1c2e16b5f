import { counted, type PageDate } from '../../../library/index.ts';
import { civilOf, type Day, MONTHS, WEEKDAYS, weekdayOf } from '../../../time/days.ts';
import type { Markup } from '../frame/markup.tsx';
import { lastLocalDay, localMoment } from '../wording.ts';
import { type DateStatus, dateStatus, dayShown, rowId, type SeriesView, todayOf, zoneFor } from './view.ts';

/** The month view: six weeks at most, a row a week. Each date links to its row in the table of dates. */

const WEEKS = 6;
const WEEK = 7;
/** The most days on which one date is drawn: enough for a camp, and less than a membership of a year. */
const LONGEST = 60;

/** The month view of a series. */
export function Month({ view }: { view: SeriesView }): Markup {
  const first = firstMonday(view);
  const isNow = view.from === undefined && first <= todayOf(view);
  const weeks = weeksOf(view, first);
  const byDay = datesByDay(view);
  const rows = Array.from({ length: weeks }, (_, week) => first + week * WEEK);
  return (
    <table class="month">
      <caption>{isNow ? `Next ${weekWords(weeks)}` : weekWords(weeks)}</caption>
      <thead>
        <tr>
          <td />
          {WEEKDAYS.map((name) => (
            <th scope="col">
              <abbr title={name}>{name.slice(0, 2)}</abbr>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((monday) => (
          <Week monday={monday} byDay={byDay} view={view} isFirst={monday === first} />
        ))}
      </tbody>
    </table>
  );
}

const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six'];

function weekWords(weeks: number): string {
  return weeks === 1 ? 'week' : `${NUMBERS[weeks] ?? weeks} weeks`;
}

/**
 * The Monday of this week, or of the requested one; where no date begins within six weeks from it, the Monday of the first
 * date.
 */
function firstMonday(view: SeriesView): Day {
  const { from, dates } = view;
  const asked = mondayOf(from === undefined ? todayOf(view) : localMoment(zoneFor(view, from).zone, from).day);
  const [next] = dates.dates;
  const first = next === undefined ? asked : mondayOf(dayShown(view, next));
  return first < asked + WEEKS * WEEK ? asked : first;
}

function mondayOf(day: Day): Day {
  return day - weekdayOf(day);
}

/** The number of weeks: six, or fewer where the list of dates ends earlier, but at least one. */
function weeksOf(view: SeriesView, first: Day): number {
  const { next } = view.dates;
  if (next === undefined) return WEEKS;
  return Math.max(1, Math.min(WEEKS, Math.floor((dayShown(view, { start: next }) - first) / WEEK)));
}

interface WeekProps {
  monday: Day;
  byDay: ReadonlyMap<Day, readonly PageDate[]>;
  view: SeriesView;
  isFirst: boolean;
}

function Week({ monday, byDay, view, isFirst }: WeekProps): Markup {
  const days = Array.from({ length: WEEK }, (_, at) => monday + at);
  const start = days.find((day) => civilOf(day).date === 1);
  const name = start ?? (isFirst ? monday : undefined);
  return (
    <tr>
      {name === undefined ? <td /> : <th scope="row">{MONTHS[civilOf(name).month - 1]?.slice(0, 3)}</th>}
      {days.map((day) => (
        <td>
          <DayCell day={day} dates={byDay.get(day) ?? []} view={view} />
        </td>
      ))}
    </tr>
  );
}

function DayCell({ day, dates, view }: { day: Day; dates: readonly PageDate[]; view: SeriesView }): Markup {
  const { date, month } = civilOf(day);
  const current = day === todayOf(view) ? ('date' as const) : undefined;
  const [first] = dates;
  if (first === undefined) return current === undefined ? <>{date}</> : <span aria-current={current}>{date}</span>;
  const state = stateOfDay(dates);
  return (
    <a href={`#${rowId(dayShown(view, first))}`} class={CLASSES[state]} aria-current={current}>
      {date}
      <span class="vh">
        {' '}
        {MONTHS[month - 1]}
        {spokenWords(view, dates, state)}
      </span>
    </a>
  );
}

/** CSS classes by state; a date that is on has none. */
export const CLASSES: Record<DateStatus, string | undefined> = {
  on: undefined,
  moved: 'moved',
  postponed: 'held',
  gone: 'gone',
};

/** The one state that a day shows: a new time before all others, and cancelled only if all of its dates are. */
function stateOfDay(dates: readonly PageDate[]): DateStatus {
  const states = new Set(dates.map(dateStatus));
  return (['moved', 'on', 'postponed'] as const).find((state) => states.has(state)) ?? 'gone';
}

/** `, new time, 18:30 to 19:30`, `, cancelled`, `, 07:00 to 08:00 and 2 more` */
function spokenWords(view: SeriesView, dates: readonly PageDate[], state: DateStatus): string {
  if (state === 'gone') return ', cancelled';
  if (state === 'postponed') return ', postponed';
  const shown = dates.find((date) => dateStatus(date) === state) as PageDate;
  const more = dates.length - 1;
  return `${state === 'moved' ? ', new time' : ''}, ${spokenTimes(view, shown)}${more > 0 ? ` and ${counted(more, 'more', 'more')}` : ''}`;
}

function spokenTimes(view: SeriesView, { start, end, allDay }: PageDate): string {
  if (allDay) return 'all day';
  const { zone } = zoneFor(view, start);
  const from = localMoment(zone, start).time;
  return end === undefined ? from : `${from} to ${localMoment(zone, end).time}`;
}

/** Each date on every day that it is on. */
function datesByDay(view: SeriesView): Map<Day, PageDate[]> {
  const found = new Map<Day, PageDate[]>();
  for (const date of view.dates.dates) {
    const day = dayShown(view, date);
    const last = Math.min(lastLocalDay(date, zoneFor(view, date.start).zone), day + LONGEST - 1);
    for (let one = day; one <= last; one += 1) found.set(one, [...(found.get(one) ?? []), date]);
  }
  return found;
}
