import type { When } from '../../../calendar/wording/when-words.ts';
import { counted, type PageDate } from '../../../library/index.ts';
import { DAY_MS, dayOfDate, WEEKDAYS, weekdayOf } from '../../../time/days.ts';
import type { Instant } from '../../../time/instant.ts';
import type { Markup } from '../frame/markup.tsx';
import { DayAndTimes, zoneNote } from '../times.tsx';
import { dateWords, dayNameIn, daysWords, listWords, localMoment } from '../wording.ts';
import { dayShown, isOn, type SeriesView, todayOf, zoneFor } from './view.ts';

/** When a series takes place, in words: its rules, or what its dates have in common. */

/** The most lines below the name. */
const LINES = 3;

/** `Every Monday and Friday, 07:00–08:00, until 18 Dec`, a line for each rule; without rules what the dates have in common. */
export function Lead({ view }: { view: SeriesView }): Markup | null {
  const lines = leadLines(view);
  const [first] = lines;
  if (first === undefined) return null;
  const more = lines.length > LINES ? [counted(lines.length - LINES + 1, 'more time')] : [];
  const shown = more.length > 0 ? [...lines.slice(0, LINES - 1), `and ${more[0]}`] : lines;
  return (
    <>
      {shown.map((line) => (
        <p class="lead">
          <bdi>{line}</bdi>
        </p>
      ))}
    </>
  );
}

/**
 * All lines of `Lead`: one for each rule, else the dates in one line, else the sentences of Schedules that are not expanded.
 */
export function leadLines(view: SeriesView): string[] {
  const { dates, series } = view;
  if (dates.times.length > 0) return dates.times.map((when) => whenLine(when, view));
  const common = series.schedules.length > 0 ? undefined : commonWords(view);
  return common === undefined ? series.schedules : [common];
}

/** One rule: days, time, first day where it is to come, last day. `sinceToo`: a first day that is past as well. */
export function whenLine(when: When, view: Pick<SeriesView, 'dates' | 'now'>, sinceToo = false): string {
  const { days, date, time, begins, ends } = when;
  const zone = view.dates.homeZone;
  const today = localMoment(when.zone, view.now).day;
  const short = (one: string) => dateWords(dayOfDate(one), today).replace(/^\w+ /, '');
  const isToCome = begins !== undefined && dayOfDate(begins) > today;
  const beginning = begins === undefined ? undefined : `${isToCome ? 'from' : 'since'} ${short(begins)}`;
  const parts = [
    days,
    date === undefined ? undefined : dateWords(dayOfDate(date), today),
    time === undefined ? undefined : `${time}${zoneNote(when.zone, zone, view.now)}`,
    isToCome || sinceToo ? beginning : undefined,
    ends === undefined ? undefined : `until ${short(ends)}`,
  ];
  return parts.filter((part) => part !== undefined).join(', ');
}

/** The fewest dates that make a pattern. */
const PATTERN = 3;
/** The most weekdays of a pattern. */
const MOST_DAYS = 3;

/** When sessions without a rule are: `Mondays and Fridays, 07:00–08:00` where all are alike, or the only date. */
function commonWords(view: SeriesView): string | undefined {
  const on = view.dates.dates.filter(isOn);
  const [first] = on;
  if (first === undefined) return undefined;
  if (on.length === 1) return onlyDate(view, first);
  const days = [...new Set(on.map((date) => weekdayOf(dayShown(view, date))))].sort();
  const times = new Set(on.map((date) => (date.allDay ? 'all day' : spanText(view, date.start, date.end))));
  if (on.length < PATTERN || days.length > MOST_DAYS || times.size > 1) return undefined;
  return `${listWords(days.map((day) => `${WEEKDAYS[day]}s`))}, ${[...times][0]}${noteOf(view, first)}`;
}

/** `Sat 5 Dec, 09:30–16:30`, `Sat 12 to Sun 13 Dec` */
function onlyDate(view: SeriesView, date: PageDate): string {
  const { start, end, allDay } = date;
  const day = dayShown(view, date);
  const last = end === undefined ? day : dayShown(view, { ...date, start: allDay ? end - 1 : end });
  const words = daysWords(day, last, todayOf(view));
  return allDay || last > day + 1
    ? words
    : `${dateWords(day, todayOf(view))}, ${spanText(view, start, end)}${noteOf(view, date)}`;
}

/** ` (New York time)` */
function noteOf(view: SeriesView, { start, allDay }: PageDate): string {
  const { note } = allDay ? {} : zoneFor(view, start);
  return note === undefined ? '' : ` ${note}`;
}

function spanText(view: SeriesView, start: Instant, end: Instant | undefined): string {
  const { zone } = zoneFor(view, start);
  const from = localMoment(zone, start).time;
  return end === undefined ? from : `${from}–${localMoment(zone, end).time}`;
}

/** `Tomorrow, 07:00–08:00 (New York time)` */
export function NextTimes({ view, date }: { view: SeriesView; date: PageDate }): Markup {
  const { zone, note } = date.allDay ? { zone: view.dates.zone, note: undefined } : zoneFor(view, date.start);
  const home = view.dates.homeZone;
  return (
    <>
      <DayAndTimes span={date} zone={zone} home={home} now={view.now} />
      {zone === home && note !== undefined ? <small> {note}</small> : null}
    </>
  );
}

/** `Wed 25 Nov`, where the line above says `Tomorrow`. */
export function nearDate(view: SeriesView, date: PageDate): string | undefined {
  const day = dayShown(view, date);
  const name = dayNameIn(day, { zone: zoneFor(view, date.start).zone, home: view.dates.homeZone, now: view.now });
  const words = dateWords(day, todayOf(view));
  // The line above has the dates of an event of several whole days.
  if (date.allDay && (date.end ?? 0) - date.start > DAY_MS) return undefined;
  return name === words ? undefined : words;
}
