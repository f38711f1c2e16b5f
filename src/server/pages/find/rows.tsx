import type { OccurrenceItem } from '../../../library/index.ts';
import { isOnline } from '../../../opportunity/whereabouts.ts';
import type { Day } from '../../../time/days.ts';
import { familyOfActivities } from '../../../vocabulary/families.ts';
import type { Markup } from '../frame/markup.tsx';
import type { Site } from '../frame/site.ts';
import { AddButton } from '../frame/tray.tsx';
import { Flag, familyClass, NameLink, NewTime, wasWords } from '../parts.tsx';
import { DayName, shownIn, When } from '../times.tsx';
import {
  agesWords,
  dateWords,
  dayName,
  distanceWords,
  lastLocalDay,
  leaderWords,
  localDay,
  occurrenceName,
  placesLeftWords,
  rangeWords,
  sinceWords,
  weekdayName,
} from '../wording.ts';

/** Rows of occurrences, by day: time first. */

/** The most badges of one row. */
const MOST_BADGES = 2;
/** The most places left that are shown in bold. */
const FEW_PLACES = 5;

/** The rows of one day, below its heading. */
export function DayList({
  site,
  day,
  today,
  items,
  further,
  wide = false,
}: DayOfItems & Pick<RowListOptions, 'further'> & { site: Site; today: Day; wide?: boolean }): Markup {
  const name = dayName(day, today);
  const date = dateWords(day, today);
  return (
    <section class={wide ? 'part day1' : 'day1'}>
      <h2>
        <NearDay name={name} date={date} />
      </h2>
      <ol class="rows">
        {items.map((item) => (
          <Row site={site} item={item} day={sinceOf(item, site.zone, day)} further={further?.get(item)} />
        ))}
      </ol>
    </section>
  );
}

/** `Today Sat 21 Nov`, and on paper the date alone. `name` is the date for a day without another name. */
export function NearDay({ name, date }: { name: string; date: string }): Markup {
  if (name === date) return <>{date}</>;
  const both = (
    <>
      {name} <span class="soft num">{date}</span>
    </>
  );
  return <DayName name={both} date={date} />;
}

interface RowListOptions {
  site: Site;
  items: readonly OccurrenceItem[];
  /** Whether each row has its day; by default where an item is of a later day than `today`. */
  days?: boolean;
  /** The current day; by default the first day of the list. */
  today?: Day;
  /** Other dates of the same series, in words. */
  further?: ReadonlyMap<OccurrenceItem, string> | undefined;
}

/** Rows of several days in one list. */
export function RowList({ site, items, days, today, further }: RowListOptions): Markup {
  const on = byDay(items, site.zone);
  const [first, last] = [on[0]?.day ?? 0, on.at(-1)?.day ?? 0];
  const since = today ?? first;
  const hasDay = days ?? last > since;
  // Within a week the weekday says which day it is.
  const words = (day: Day): string => (last - since < 7 ? weekdayName(day) : dateWords(day, since));
  return (
    <ol class="rows">
      {items.map((item) => (
        <Row
          site={site}
          item={item}
          day={hasDay ? words(dayOfItem(item, site.zone)) : undefined}
          further={further?.get(item)}
        />
      ))}
    </ol>
  );
}

/** A local day with its items. */
export interface DayOfItems {
  day: Day;
  items: readonly OccurrenceItem[];
}

/** The items by the local day on which they start. Items that began before the day `begin` are listed under it. */
export function byDay(items: readonly OccurrenceItem[], home: string, begin = Number.NEGATIVE_INFINITY): DayOfItems[] {
  const days = Map.groupBy(items, (item) => Math.max(begin, dayOfItem(item, home)));
  return [...days].sort(([a], [b]) => a - b).map(([day, of]) => ({ day, items: of }));
}

/** The local day of an item, in the zone in which its time is shown. */
export function dayOfItem(item: OccurrenceItem, home: string): Day {
  return localDay(item, zoneOf(item, home).zone);
}

/** The last local day on which an item goes on. */
export function lastDayOf(item: OccurrenceItem, home: string): Day {
  return lastLocalDay(item, zoneOf(item, home).zone);
}

/** The first day of an item that is listed under a later day, in words; undefined for whole days. */
export function sinceOf(item: OccurrenceItem, home: string, day: Day): string | undefined {
  return item.allDay ? undefined : sinceWords(dayOfItem(item, home), day);
}

function zoneOf(item: OccurrenceItem, home: string) {
  return shownIn(item.zone, home, item.start, isOnline(item.details));
}

/** Whether people can attend online, alone or beside others at the place. */
function hasOnline({ details }: OccurrenceItem): boolean {
  return isOnline(details) || details.attendance === 'mixed';
}

/** The CSS class of the family of an item's activities. */
export function itemClass({ activity }: Pick<OccurrenceItem, 'activity'>): string | undefined {
  const family = familyOfActivities(activity.map(({ name }) => name));
  return family && familyClass(family);
}

interface RowOptions {
  site: Site;
  item: OccurrenceItem;
  day: string | undefined;
  further: string | undefined;
}

function Row({ site, item, day, further }: RowOptions): Markup {
  const { series, status } = item;
  const classes = ['row', itemClass(item), status === 'EventCancelled' ? 'off' : undefined].filter(Boolean);
  const name = occurrenceName(item);
  const { zone, note } = zoneOf(item, site.zone);
  return (
    <li class={classes.join(' ')}>
      <When span={item} zone={zone} day={day} />
      <div class="what">
        <h3>
          <NameLink href={site.links.path(`/series/${series.key}`)} name={name} />
        </h3>
        <Where item={item} badges={badgesOf(item, zone)} note={note} />
        {further === undefined ? null : <p>{further}</p>}
      </div>
      <Cost item={item} />
      <AddButton site={site} entry={`series/${series.key}`} name={name} />
    </li>
  );
}

interface WhereOptions {
  item: OccurrenceItem;
  badges: readonly Markup[];
  /** The note that names its zone. */
  note: string | undefined;
}

function Where({ item, badges, note }: WhereOptions): Markup {
  const { place, details } = item;
  const name = isOnline(details) ? undefined : place?.name || place?.address;
  const leader = leaderWords(details.leader);
  return (
    <p>
      {badges.length > 0 ? <span class="flags">{badges}</span> : null}
      {name === undefined ? null : <bdi>{name}</bdi>}
      {note === undefined ? null : <span class="num"> {note}</span>}
      {place?.distanceKm === undefined || name === undefined ? null : (
        <>
          {NO_BREAK}
          <span class="num">· {distanceWords(place.distanceKm)}</span>
        </>
      )}
      {leader === undefined ? null : (
        <>
          {name === undefined ? ' ' : `${NO_BREAK}· `}
          <bdi>{leader}</bdi>
        </>
      )}
    </p>
  );
}

const NO_BREAK = '\u00a0';

function unbroken(words: string | undefined): string | undefined {
  return words?.replaceAll(' ', NO_BREAK);
}

/** The price, above the number of places left, or else the ages or the level. */
function Cost({ item }: { item: OccurrenceItem }): Markup {
  const { placesLeft = 0, status, age, level = [] } = item;
  const price = itemPrice(item);
  const left = placesLeft <= 0 || status === 'EventCancelled' ? undefined : unbroken(placesLeftWords(placesLeft));
  const forWhom = unbroken(agesWords(age)) ?? level[0];
  return (
    <div class="cost">
      <p>{price === undefined ? 'Price not given' : <b>{price}</b>}</p>
      {left === undefined ? null : <p>{placesLeft <= FEW_PLACES ? <b>{left}</b> : left}</p>}
      {left === undefined && forWhom !== undefined ? (
        <p>
          <bdi>{forWhom}</bdi>
        </p>
      ) : null}
    </div>
  );
}

function itemPrice({ price, details }: OccurrenceItem): string | undefined {
  if (price === undefined) return undefined;
  return rangeWords([price, ...(price.others ?? [])], details.offers?.length ?? 0);
}

/** The badges of an item, `MOST_BADGES` at most, the most important first. */
export function badgesOf(item: OccurrenceItem, zone: string): Markup[] {
  const { status, was, start, placesLeft, elsewhere = false, isNew = false } = item;
  const isOff = status === 'EventCancelled' || status === 'EventPostponed';
  const badges = [
    status === 'EventCancelled' && <Flag kind="bad" icon="cross" words="Cancelled" />,
    !isOff && was !== undefined && was !== start && <NewTime was={wasWords(was, start, zone)} />,
    status === 'EventRescheduled' && (was === undefined || was === start) && (
      <Flag kind="new" icon="clock" words="New time" />
    ),
    !isOff && elsewhere && <Flag kind="new" icon="pin" words="New place" />,
    status === 'EventPostponed' && <Flag kind="new" icon="pause" words="Postponed" />,
    !isOff && placesLeft !== undefined && placesLeft <= 0 && <Flag words="Full" />,
    hasOnline(item) && <Flag words="Online" />,
    !isOff && isNew && <Flag kind="good" words="New" />,
  ];
  return badges.filter((badge) => badge !== false).slice(0, MOST_BADGES);
}
