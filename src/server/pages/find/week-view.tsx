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

export const WEEK = 7;

/** Days of a page of results, in order. */
export interface ShownDays {
  shown: readonly DayOfItems[];
  /** What follows begins with it. */
  next?: Day | undefined;
}

interface AskedWeek {
  asked: Pick<FindQuery, 'filters' | 'more'>;
  today: Day;
  /** The rows go on. */
  cursor: string | undefined;
}

/** Seven days, those without anything too. It begins with the day that was turned to; later where nothing is on in it. */
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

/** Each day with what began on an earlier one and is on then too, before what begins. */
export function withOnEachDay(days: ShownDays, items: readonly OccurrenceItem[], home: string): ShownDays {
  const runs = items.filter((item) => lastDayOf(item, home) > dayOfItem(item, home));
  const shown = days.shown.map(({ day, items: own }): DayOfItems => {
    const since = runs.filter((item) => dayOfItem(item, home) < day && lastDayOf(item, home) >= day);
    return { day, items: [...new Set([...since, ...own])] };
  });
  return { ...days, shown };
}

/** The last day may go on beyond these rows: it begins the next page, unless it is the only one. */
export function wholeDays(days: readonly DayOfItems[], cursor: string | undefined): ShownDays {
  const last = days.at(-1);
  if (cursor === undefined || days.length < 2 || last === undefined) return { shown: days };
  return { shown: days.slice(0, -1), next: last.day };
}

/** Days of the week that begins with the first of `shown` whose sessions are not on the page, because it is full. */
export function daysNotShown({ shown, next }: ShownDays, end = Number.POSITIVE_INFINITY): Day[] {
  const first = shown[0]?.day;
  if (first === undefined || next === undefined) return [];
  const to = Math.min(first + WEEK, end);
  return Array.from({ length: Math.max(0, to - next) }, (_, at) => next + at);
}

/** A day of which there is a link alone. */
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
