import { counted, type PageDate } from '../../../library/index.ts';
import { civilOf, DAY_MS, type Day, dateOfDay } from '../../../time/days.ts';
import { safeLink } from '../../links.ts';
import { Icon, type IconName } from '../frame/icons.tsx';
import { type Markup, separated } from '../frame/markup.tsx';
import { ColumnHeads, Flag, NewTime } from '../parts.tsx';
import { Times } from '../times.tsx';
import { dateWords, daysWords, leaderWords, localMoment } from '../wording.ts';
import { CLASSES, Month } from './month.tsx';
import {
  type DateStatus,
  dateStatus,
  dayShown,
  isOn,
  pathOf,
  rowId,
  type SeriesView,
  todayOf,
  zoneFor,
} from './view.ts';

/** The dates: six weeks as a calendar, and the next as a table. */

/** Rows that are seen at once; the others are in a `<details>`. */
const ROWS = 20;

export function DatesPart({ view }: { view: SeriesView }): Markup {
  const { dates, from } = view;
  const title =
    from === undefined ? 'Dates' : `Dates from ${dateWords(dayShown(view, { start: from }), todayOf(view))}`;
  return (
    <section class="part" aria-labelledby="dates">
      <div class="head">
        <h2 id="dates">{title}</h2>
        <Legend dates={dates.dates} />
      </div>
      {dates.dates.length === 0 ? (
        <>
          <p>No dates are known from then on.</p>
          <Paging view={view} />
        </>
      ) : (
        <div class="dates2">
          <div class="card">
            <Month view={view} />
          </div>
          <div>
            <DateTables view={view} />
            <Paging view={view} />
          </div>
        </div>
      )}
    </section>
  );
}

/** The key of the states that the dates have; none where all dates are on. */
function Legend({ dates }: { dates: readonly PageDate[] }): Markup | null {
  const states = new Set(dates.map(dateStatus));
  const listed = KEY.filter(({ state }) => states.has(state));
  if (listed.every(({ state }) => state === 'on')) return null;
  return (
    <p class="key" aria-hidden="true">
      {listed.map(({ state, words }) => (
        <span>
          <i class={CLASSES[state]} />
          {words}
        </span>
      ))}
    </p>
  );
}

const KEY: readonly { state: DateStatus; words: string }[] = [
  { state: 'on', words: 'On' },
  { state: 'moved', words: 'New time' },
  { state: 'postponed', words: 'Postponed' },
  { state: 'gone', words: 'Cancelled' },
];

function DateTables({ view }: { view: SeriesView }): Markup {
  const { dates } = view.dates;
  const first = firstOfDays(view);
  const [shown, more] = [dates.slice(0, ROWS), dates.slice(ROWS)];
  const notes = new Set(dates.map((date) => noteOf(view, date)));
  const [note] = notes.size === 1 ? notes : [];
  const table = { view, first, hasZones: note === undefined, hasNotes: dates.some(isNoted) };
  const last = dates.at(-1);
  return (
    <>
      {note === undefined ? null : (
        <p class="soft">{`${note.endsWith('time)') ? 'Times are' : 'All are at'} ${note.slice(1, -1)}.`}</p>
      )}
      <DateTable {...table} dates={shown} caption="The next dates" />
      {more.length === 0 || last === undefined ? null : (
        <details class="more">
          <summary class="btn line">
            {counted(more.length, 'more date')}, to {dateWords(dayShown(view, last), todayOf(view))}
          </summary>
          <DateTable {...table} dates={more} caption="Dates after these" />
        </details>
      )}
    </>
  );
}

/** The first date of each day: its row has the id that the month view links to. */
function firstOfDays(view: SeriesView): ReadonlyMap<Day, PageDate> {
  const found = new Map<Day, PageDate>();
  for (const date of view.dates.dates) {
    const day = dayShown(view, date);
    if (!found.has(day)) found.set(day, date);
  }
  return found;
}

interface TableProps {
  view: SeriesView;
  dates: readonly PageDate[];
  first: ReadonlyMap<Day, PageDate>;
  /** Whether rows have the note of their zone: not where one line above the table says it of all. */
  hasZones: boolean;
  /** Whether any date has something in the column `Note`. */
  hasNotes: boolean;
  caption: string;
}

function DateTable({ dates, first, caption, ...table }: TableProps): Markup {
  return (
    <table class="list dates">
      <caption class="vh">{caption}</caption>
      <ColumnHeads names={table.hasNotes ? ['Day', 'Time', 'Note'] : ['Day', 'Time']} />
      <tbody>
        {dates.map((date, at) => (
          <DateRow
            {...table}
            date={date}
            before={dates[at - 1]}
            isFirst={first.get(dayShown(table.view, date)) === date}
          />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps extends Pick<TableProps, 'view' | 'hasZones' | 'hasNotes'> {
  date: PageDate;
  /** The row above. */
  before: PageDate | undefined;
  isFirst: boolean;
}

function DateRow({ view, date, before, isFirst, hasZones, hasNotes }: RowProps): Markup {
  const day = dayShown(view, date);
  const isGone = dateStatus(date) === 'gone';
  const note = hasZones ? noteOf(view, date) : undefined;
  const { zone } = zoneFor(view, date.start);
  const times = <Times span={date} zone={zone} />;
  return (
    <tr id={isFirst ? rowId(day) : undefined} class={isGone ? 'off' : undefined}>
      <th scope="row">
        <RowDay view={view} date={date} before={before} />
      </th>
      <td>
        {isGone ? <s>{times}</s> : times}
        {note === undefined ? null : <small> {note}</small>}
      </td>
      {hasNotes ? (
        <td>
          <Note view={view} date={date} />
        </td>
      ) : null}
    </tr>
  );
}

/** `(08:00 in New York)`; whole days have no clock. */
function noteOf(view: SeriesView, { start, allDay }: PageDate): string | undefined {
  return allDay ? undefined : zoneFor(view, start).note;
}

/** The day, seen in its first row alone, and the year, seen where another begins. Screen readers read both in each row. */
function RowDay({ view, date, before }: Pick<RowProps, 'view' | 'date' | 'before'>): Markup {
  const day = dayShown(view, date);
  const { allDay, end } = date;
  const last = allDay && end !== undefined ? Math.ceil(end / DAY_MS) - 1 : day;
  const words = daysWords(day, last, todayOf(view));
  if (last > day) return <>{words}</>;
  if (before !== undefined && dayShown(view, before) === day) return <span class="vh">{words}</span>;
  const [, plain = words, year = ''] = /^(.*)( \d{4})$/.exec(words) ?? [];
  const isSame = before !== undefined && civilOf(dayShown(view, before)).year === civilOf(day).year;
  return (
    <>
      <span class="num">{plain}</span>
      {isSame && year !== '' ? <span class="vh">{year}</span> : year}
    </>
  );
}

/** The state of a date, the places left, and what its session has otherwise than the series: place, name, leader, note. */
function Note({ view, date }: { view: SeriesView; date: PageDate }): Markup {
  const { place } = date;
  const facts = remarks(date);
  return (
    <>
      <StateFlag view={view} date={date} />
      {place === undefined ? null : [<Flag kind="new" icon="pin" words="New place" />, ' ']}
      {isFull(date) ? [<Flag words="Full" />, ' '] : null}
      {separated(facts, ' · ', (remark) => remark)}
      <Booking view={view} date={date} isFirst={facts.length === 0} />
    </>
  );
}

function isNoted(date: PageDate): boolean {
  return dateStatus(date) !== 'on' || isFull(date) || remarks(date).length > 0 || safeLink(date.url) !== undefined;
}

function isFull(date: PageDate): boolean {
  return isOn(date) && date.placesLeft !== undefined && date.placesLeft <= 0;
}

function remarks(date: PageDate): Markup[] {
  const { name, note, place, placesLeft = 0 } = date;
  const leader = leaderWords(date.leader);
  return [
    ...(place === undefined ? [] : [<bdi>{place}</bdi>]),
    ...(isOn(date) && placesLeft > 0 ? [<>{counted(placesLeft, 'left', 'left')}</>] : []),
    ...(name === undefined ? [] : [<bdi>As “{name}”</bdi>]),
    ...(leader === undefined ? [] : [<bdi>{leader}</bdi>]),
    ...(note === undefined ? [] : [<bdi>{note}</bdi>]),
  ];
}

/** The link that books a date; not on paper. */
function Booking({ view, date, isFirst }: { view: SeriesView; date: PageDate; isFirst: boolean }): Markup | null {
  const href = safeLink(date.url);
  if (!isOn(date) || isFull(date) || href === undefined) return null;
  return (
    <span class="noprint">
      {isFirst ? null : ' · '}
      <a href={href} rel="nofollow">
        Book<span class="vh">, {bookedWords(view, date)}</span>
      </a>
    </span>
  );
}

/** `Mon 30 Nov, 07:00`, so that each link of the table has a text of its own. */
function bookedWords(view: SeriesView, date: PageDate): string {
  const day = dateWords(dayShown(view, date), todayOf(view));
  return date.allDay ? day : `${day}, ${localMoment(zoneFor(view, date.start).zone, date.start).time}`;
}

const FLAGS: Record<Exclude<DateStatus, 'on'>, { kind: 'bad' | 'new'; icon: IconName; words: string }> = {
  gone: { kind: 'bad', icon: 'cross', words: 'Cancelled' },
  postponed: { kind: 'new', icon: 'pause', words: 'Postponed' },
  moved: { kind: 'new', icon: 'clock', words: 'New time' },
};

function StateFlag({ view, date }: { view: SeriesView; date: PageDate }): Markup | null {
  const state = dateStatus(date);
  if (state === 'on') return null;
  const was = state === 'moved' ? beforeWords(view, date) : undefined;
  return <>{was === undefined ? <Flag {...FLAGS[state]} /> : <NewTime was={was} />} </>;
}

/** The time before, as `07:00`, with its day where that is another; undefined where it is unknown. */
function beforeWords(view: SeriesView, date: PageDate): string | undefined {
  const { was, allDay } = date;
  if (was === undefined) return undefined;
  const before = { start: was, ...(allDay && { allDay }) };
  const [day, today] = [dayShown(view, before), todayOf(view)];
  const { zone } = zoneFor(view, was);
  const clock = allDay ? '' : localMoment(zone, was).time;
  return day === dayShown(view, date) ? clock : [dateWords(day, today), clock].filter((part) => part).join(', ');
}

function Paging({ view }: { view: SeriesView }): Markup | null {
  const { site, from, dates } = view;
  const to = (rest: string) => site.links.path(`${pathOf(view)}${rest}`);
  const next = dates.next === undefined ? undefined : dayShown(view, { start: dates.next });
  if (from === undefined && next === undefined) return null;
  return (
    <p class="chips gap">
      {from === undefined ? null : (
        <a class="chip" href={to('#dates')}>
          <Icon name="left" />
          From today
        </a>
      )}
      {next === undefined ? null : (
        <a class="chip" href={to(`?from=${dateOfDay(next)}#dates`)} rel="nofollow">
          From {dateWords(next, todayOf(view))}
          <Icon name="right" />
        </a>
      )}
    </p>
  );
}
