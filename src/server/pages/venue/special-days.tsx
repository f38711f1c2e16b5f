import type { DayHours } from '../../../hours/questions.ts';
import { type Day, dayOfDate } from '../../../time/days.ts';
import { Icon } from '../frame/icons.tsx';
import type { Markup } from '../frame/markup.tsx';
import { dateWords, listWords } from '../wording.ts';
import { OpenWords } from './open-words.tsx';

/** Days with other hours than the usual week, in sentences: `Closed on Christmas Day (Fri 25 Dec).` */

/** Consecutive days with equal hours. */
type Stretch = [DayHours, ...DayHours[]];

/** The most stretches that are listed. */
const MOST = 6;
/** The fewest days of a stretch that is named by its first and last day; days of shorter ones are named one by one. */
const LONG = 3;

/** `days`: in order, of this week and of the weeks after it. */
export function SpecialDays({ days, today }: { days: readonly DayHours[]; today: Day }): Markup | null {
  const stretches = stretchesOf(days);
  if (stretches.length === 0) return null;
  const alike = Map.groupBy(stretches.slice(0, MOST), hoursOf);
  return (
    <div class="notes">
      <p class="flag new">
        <Icon name="warn" />
        Special hours
      </p>
      <ul>
        {[...alike.values()].map((some) => (
          <li>
            <Hours open={some[0]?.[0].open ?? []} /> {whenWords(some, today)}.
          </li>
        ))}
        {stretches.length > MOST ? <li>More days with other hours follow.</li> : null}
      </ul>
    </div>
  );
}

function Hours({ open }: Pick<DayHours, 'open'>): Markup {
  if (open.length === 0) return <>Closed</>;
  return <>{['Open ', <OpenWords day={{ open }} />]}</>;
}

function stretchesOf(days: readonly DayHours[]): Stretch[] {
  const found: Stretch[] = [];
  for (const day of days) {
    const [last, before] = [found.at(-1), found.at(-1)?.at(-1)];
    const isNext = before && dayOfDate(day.date) === dayOfDate(before.date) + 1 && hoursOf([before]) === hoursOf([day]);
    if (isNext) last?.push(day);
    else found.push([day]);
  }
  return found.flatMap((one) => (one.length < LONG ? one.map((day): Stretch => [day]) : [one]));
}

function hoursOf([{ open }]: Stretch): string {
  return JSON.stringify(open);
}

/** `on Christmas Day (Fri 25 Dec) and Boxing Day (Sat 26 Dec) and from Mon 28 Dec to Sun 3 Jan 2027` */
function whenWords(stretches: readonly Stretch[], today: Day): string {
  const days = stretches.filter(({ length }) => length < LONG).map(([day]) => dayWords(day, today));
  const long = stretches.filter(({ length }) => length >= LONG);
  const lines = long.map((one) => {
    const [first, last] = [one[0], one.at(-1) as DayHours].map(({ date }) => dateWords(dayOfDate(date), today));
    return `from ${first} to ${last}`;
  });
  return [...(days.length === 0 ? [] : [`on ${listWords(days)}`]), ...lines].join(' and ');
}

const SUBSTITUTE = / \(substitute day\)$/;

function dayWords({ date, holiday }: DayHours, today: Day): string {
  const words = dateWords(dayOfDate(date), today);
  return holiday === undefined ? words : `${holiday.replace(SUBSTITUTE, ', substitute day')} (${words})`;
}
