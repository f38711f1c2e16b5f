import { counted, type OccurrenceItem } from '../../../library/index.ts';
import { isOnline } from '../../../opportunity/whereabouts.ts';
import { type Day, dateOfDay, dayOfDate } from '../../../time/days.ts';
import { type Markup, separated } from '../frame/markup.tsx';
import type { Site } from '../frame/site.ts';
import { NameLink } from '../parts.tsx';
import { shownIn, When } from '../times.tsx';
import { dateWords, dayName, leaderWords, occurrenceName } from '../wording.ts';
import type { FindQuery } from './asked.ts';
import { badgesOf, type DayOfItems, dayOfItem, itemClass, lastDayOf, NearDay, sinceOf } from './rows.tsx';

/** Results as a week: which days, and a column for each. */

export const WEEK = 7;

/** Days of a page of results, in order. */
export interface ShownDays {
  shown: readonly DayOfItems[];
  /** The first day that is not shown; absent: there are no more results. */
  next?: Day | undefined;
}

interface AskedWeek {
  asked: Pick<FindQuery, 'filters' | 'more'>;
  today: Day;
  /** The cursor of the next rows; undefined: these are all. */
  cursor: string | undefined;
}

/**
 * The seven days from the requested one on, empty days too. Where the first results are a week later or more, the week begins
 * with them. Behind a cursor it begins with the first result, and has no empty days.
 */
export function weekOf(days: readonly DayOfItems[], { asked: { filters, more }, today, cursor }: AskedWeek): ShownDays {
  const begin = dayOfDate(filters.from ?? dateOfDay(today));
  const first = days[0]?.day ?? begin;
  const from = more !== undefined || first >= begin + WEEK ? first : begin;
  const later = days.find(({ day }) => day >= from + WEEK);
  const inside = days.filter(({ day }) => day < from + WEEK);
  const next = later && (later.day < from + 2 * WEEK ? from + WEEK : later.day);
  const week = later === undefined ? wholeDays(inside, cursor) : { shown: inside, next };
  if (more !== undefined) return week;
  const end = filters.to === undefined ? Number.POSITIVE_INFINITY : dayOfDate(filters.to);
  const to = Math.min(from + WEEK, week.next ?? end, end);
  const others = Array.from({ length: to - from }, (_, at): DayOfItems => ({ day: from + at, items: [] }));
  const empty = others.filter(({ day }) => !inside.some((one) => one.day === day));
  return { ...week, shown: [...week.shown, ...empty].sort((a, b) => a.day - b.day) };
}

/** Each day with the items that began on an earlier day and still go on, in front of its own. */
export function withOnEachDay(days: ShownDays, items: readonly OccurrenceItem[], home: string): ShownDays {
  const runs = items.filter((item) => lastDayOf(item, home) > dayOfItem(item, home));
  const shown = days.shown.map(({ day, items: own }): DayOfItems => {
    const since = runs.filter((item) => dayOfItem(item, home) < day && lastDayOf(item, home) >= day);
    return { day, items: [...new Set([...since, ...own])] };
  });
  return { ...days, shown };
}

/** Days without the last one, which may have more rows: the next page begins with it. A single day is kept. */
export function wholeDays(days: readonly DayOfItems[], cursor: string | undefined): ShownDays {
  const last = days.at(-1);
  if (cursor === undefined || days.length < 2 || last === undefined) return { shown: days };
  return { shown: days.slice(0, -1), next: last.day };
}

/** The days of the week of `shown` whose sessions did not fit on the page. `end`: the end of the requested days. */
export function daysNotShown({ shown, next }: ShownDays, end = Number.POSITIVE_INFINITY): Day[] {
  const first = shown[0]?.day;
  if (first === undefined || next === undefined) return [];
  const to = Math.min(first + WEEK, end);
  return Array.from({ length: Math.max(0, to - next) }, (_, at) => next + at);
}

/** A day that is shown as a link to its sessions. */
export interface LinkedDay {
  day: Day;
  /** Absent: not counted. */
  count: number | undefined;
  href: string;
}

interface WeekOptions {
  site: Site;
  days: readonly DayOfItems[];
  later: readonly LinkedDay[];
  today: Day;
}

/** The results as a week, a column a day. */
export function WeekView({ site, days, later, today }: WeekOptions): Markup {
  return (
    <div class="cols">
      {days.map(({ day, items }) => (
        <section class={items.length === 0 ? 'col none' : day === today ? 'col now' : 'col'}>
          <DayHeading day={day} today={today} />
          {items.length === 0 ? (
            <p>Nothing</p>
          ) : (
            <ol>
              {items.map((item) => (
                <Entry site={site} item={item} day={day} />
              ))}
            </ol>
          )}
        </section>
      ))}
      {later.map(({ day, count, href }) => (
        <section class="col">
          <DayHeading day={day} today={today} />
          <p>
            {count === 0 ? 'Nothing' : <a href={href}>{count === undefined ? 'Show' : counted(count, 'session')}</a>}
          </p>
        </section>
      ))}
    </div>
  );
}

function DayHeading({ day, today }: { day: Day; today: Day }): Markup {
  return (
    <h2>
      <NearDay name={dayName(day, today)} date={dateWords(day, today)} />
    </h2>
  );
}

function Entry({ site, item, day }: { site: Site; item: OccurrenceItem; day: Day }): Markup {
  const { zone, note } = shownIn(item.zone, site.zone, item.start, isOnline(item.details));
  const classes = [itemClass(item), item.status === 'EventCancelled' ? 'off' : undefined].filter(Boolean);
  const around = [item.place?.name, leaderWords(item.details.leader)].filter((text) => text);
  return (
    <li class={classes.join(' ') || undefined}>
      <When span={item} zone={zone} day={sinceOf(item, site.zone, day)} />
      <h3>
        <NameLink href={site.links.path(`/series/${item.series.key}`)} name={occurrenceName(item)} />
      </h3>
      <p>
        {badgesOf(item, zone)}
        {separated(around, ' · ', (text) => (
          <bdi>{text}</bdi>
        ))}
        {note === undefined ? null : ` ${note}`}
      </p>
    </li>
  );
}
