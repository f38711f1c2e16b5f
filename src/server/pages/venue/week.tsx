import { counted, type Timetable, type TimetableEntry } from '../../../library/index.ts';
import { DAY_MS, type Day, dateOfDay } from '../../../time/days.ts';
import { NIGHT_ENDS } from '../../../time/evening.ts';
import { type Instant, momentText } from '../../../time/instant.ts';
import { Icon } from '../frame/icons.tsx';
import type { Markup } from '../frame/markup.tsx';
import type { Site } from '../frame/site.ts';
import { DayTile, DayTiles, familyClass, NameLink } from '../parts.tsx';
import { Dash, Times, zoneNote } from '../times.tsx';
import { dateWords, daysWords, localMoment, nameWords, sinceWords, weekdayName } from '../wording.ts';
import { Flags, isOff, noteWords } from './flags.tsx';
import {
  ALL_DAY,
  DAYS,
  type Hour,
  hourName,
  hoursIn,
  type TimetableDay,
  timetableDays,
  type Week,
} from './timetable.ts';

/** The timetable of a place, as its page shows it. */

interface WeekOptions {
  site: Site;
  timetable: Timetable;
  week: Week;
  zone: string;
  now: Instant;
  /** The path of the page, to which `?week` is added. */
  path: string;
}

/** A week with more than `DENSE` sessions is printed smaller, and one with more than `HALVES` on two sheets. */
const DENSE = 70;
const HALVES = 120;
const HALF = 4;

/** The timetable: seven days, on wide screens and on paper with their hours in line. */
export function TimetableSection(options: WeekOptions): Markup {
  const { site, timetable, week, zone } = options;
  const cut = cutDay(options);
  const days = timetableDays(timetable.entries, zone, week).filter(({ day }) => cut === undefined || day <= cut);
  const total = days.reduce((sum, { count }) => sum + count, 0);
  const [first, last] = [days[0]?.day ?? week.first, days.at(-1)?.day ?? week.first];
  const paper = total > HALVES ? ' halves dense' : total > DENSE ? ' dense' : '';
  return (
    <section class={`part tt${paper}`} id="timetable" aria-labelledby="tt">
      <div class="head">
        <h2 id="tt">
          Timetable{' '}
          <span class="soft">
            {daysWords(first, last, week.today)}
            {zoneNote(zone, site.zone, week.from)}
          </span>
        </h2>
        <Paging {...options} />
      </div>
      {total === 0 ? <p>Nothing is on in these seven days.</p> : <Days {...options} days={days} />}
      <Rest {...options} />
    </section>
  );
}

/** The day within which the timetable ends, as more is on than it lists; nothing of later days is listed. */
function cutDay({ timetable: { until }, week, zone }: WeekOptions): Day | undefined {
  return until === undefined ? undefined : Math.max(week.first, localMoment(zone, until - NIGHT_ENDS).day);
}

function weekPath({ site, path, week }: WeekOptions, first: Day): string {
  return site.links.path(`${path}${first === week.today ? '' : `?week=${dateOfDay(first)}`}#timetable`);
}

function Paging(options: WeekOptions): Markup {
  const { before, first, today } = options.week;
  return (
    <p class="chips noprint">
      {before === undefined ? null : (
        <a class="chip" href={weekPath(options, before)} rel="nofollow">
          <Icon name="left" />
          <span class="vh">Earlier week</span>
        </a>
      )}
      {first === today ? null : (
        <a class="chip" href={weekPath(options, today)}>
          This week
        </a>
      )}
      <Later {...options} />
      <button class="chip wide" type="button" data-print="" hidden>
        <Icon name="print" />
        Print
      </button>
    </p>
  );
}

/** A link to the next week, or to the day at which this timetable is cut. */
function Later(options: WeekOptions): Markup | null {
  const { after, first, today } = options.week;
  const cut = cutDay(options);
  const next = cut === undefined || cut <= first ? after : cut;
  if (next === undefined) return null;
  const week = first === today ? 'Next week' : <span class="vh">Later week</span>;
  return (
    <a class="chip" href={weekPath(options, next)} rel="nofollow">
      {next === cut ? `From ${dateWords(cut, today)}` : week}
      <Icon name="right" />
    </a>
  );
}

type DaysOptions = WeekOptions & { days: readonly TimetableDay[] };

function Days(options: DaysOptions): Markup {
  const { days, week } = options;
  const cut = cutDay(options);
  const hours = hoursIn(days);
  const half = (from: number, to: number) => (
    <div class="half">
      <Rail hours={hours} />
      {days.slice(from, to).map((day, at) => (
        <DaySection {...options} day={day} column={from + at + 1} hours={hours} />
      ))}
    </div>
  );
  return (
    <>
      <div class="narrow">
        <DayTiles label="Days">
          {days.map(({ day, count }) => (
            <DayTile
              day={day}
              today={week.today}
              count={count}
              isMore={day === cut && count > 0}
              unit={count === 1 ? 'session' : 'sessions'}
              href={`#d${dateOfDay(day)}`}
              isCurrent={day === week.today && count > 0}
            />
          ))}
        </DayTiles>
      </div>
      <div class={days.length === DAYS ? 'grid' : `grid n${days.length}`}>
        {half(0, HALF)}
        {half(HALF, days.length)}
      </div>
    </>
  );
}

/** The hours beside the grid. They are hidden from screen readers, as each entry has its time. */
function Rail({ hours }: { hours: readonly number[] }): Markup {
  return (
    <div class="rail" aria-hidden="true">
      <b />
      {hours.map((hour) => (
        <b>{hour === ALL_DAY ? '' : hourName(hour)}</b>
      ))}
    </div>
  );
}

type DayOptions = DaysOptions & { day: TimetableDay; column: number; hours: readonly number[] };

/** A day has one child for each hour of the rail, so that both have the same rows. */
function DaySection(options: DayOptions): Markup {
  const { day, column, week, hours } = options;
  const isToday = day.day === week.today;
  return (
    <section
      class={`day d${column}`}
      id={`d${dateOfDay(day.day)}`}
      aria-label={dateWords(day.day, week.today)}
      {...(isToday ? { 'aria-current': 'date' } : {})}
    >
      <h3>
        {weekdayName(day.day)} <span class="num">{Number(dateOfDay(day.day).slice(8))}</span>
        {isToday ? <small class="noprint"> today</small> : null}
      </h3>
      {day.count === 0 ? <p class="none">Nothing</p> : null}
      {hours.map((hour) => {
        const own = day.hours.find((one) => one.hour === hour);
        return own === undefined ? <i /> : <HourList {...options} hour={own} day={day.day} />;
      })}
    </section>
  );
}

function HourList({ hour: { entries }, ...options }: WeekOptions & { hour: Hour; day: Day }): Markup {
  const isToday = options.day === options.week.today;
  return (
    <ol>
      {entries.map((entry) => (
        <Entry {...options} entry={entry} isPast={isToday && isOver(entry, options.now)} />
      ))}
    </ol>
  );
}

function isOver({ start, end = start, allDay }: TimetableEntry, now: Instant): boolean {
  return !allDay && end <= now;
}

type EntryOptions = WeekOptions & { entry: TimetableEntry; day: Day; isPast: boolean };

function Entry({ site, zone, entry: known, day, isPast }: EntryOptions): Markup {
  const { placesLeft: _, ...gone } = known;
  const entry = isPast || isOff(known) ? gone : known;
  const note = noteWords(entry);
  const state = `${isOff(entry) ? ' off' : ''}${isPast ? ' past' : ''}`;
  return (
    <li class={`s${entry.family ? ` ${familyClass(entry.family)}` : ''}${state}`}>
      <span class="when">
        <EntryTimes entry={entry} zone={zone} day={day} />
      </span>
      <NameLink href={site.links.path(`/series/${entry.seriesKey}`)} name={nameWords(entry.name)} />
      {note === '' ? null : (
        <small>
          <bdi>{note}</bdi>
        </small>
      )}
      <Flags entry={entry} zone={zone} />
    </li>
  );
}

/** `Times` in fewer octets: the `<time>` of an end has no date. A time of another day than the column has its weekday. */
function EntryTimes({ entry, zone, day }: Pick<EntryOptions, 'entry' | 'zone' | 'day'>): Markup {
  const { start, end, allDay } = entry;
  if (allDay) return <Times span={entry} zone={zone} />;
  const from = localMoment(zone, start);
  const since = sinceWords(from.day, day);
  const to = end === undefined || end <= start ? undefined : localMoment(zone, end);
  const isLong = to !== undefined && end !== undefined && end - start >= DAY_MS;
  return (
    <>
      {since === undefined ? null : `${since} `}
      {isLong ? <Times span={entry} zone={zone} /> : <time datetime={momentText(start, false)}>{from.time}</time>}
      {to === undefined || isLong ? null : (
        <span>
          <Dash />
          <time>{to.time}</time>
        </span>
      )}
      {isLong || (to ?? from).day === day ? null : ` (${weekdayName((to ?? from).day)})`}
    </>
  );
}

/** A note on the entries that the timetable leaves out, with a link to them. */
function Rest(options: WeekOptions): Markup | null {
  const { timetable, week, zone } = options;
  if (timetable.until === undefined) return null;
  const { time } = localMoment(zone, timetable.until);
  const day = localMoment(zone, timetable.until - NIGHT_ENDS).day;
  const words = dateWords(day, week.today);
  return (
    <p class="notes">
      {counted(timetable.entries.length, 'session')} are listed; what starts from {words}, {time} on is not.{' '}
      {day > week.first ? (
        <a class="noprint" href={weekPath(options, day)} rel="nofollow">
          From {words}
        </a>
      ) : null}
    </p>
  );
}
