import type { DayHours } from '../../../hours/questions.ts';
import type { VenuePage } from '../../../library/index.ts';
import { DAY_MS, type Day, dayOfDate } from '../../../time/days.ts';
import { utcText } from '../../../time/instant.ts';
import { Icon } from '../frame/icons.tsx';
import type { Markup, Piece } from '../frame/markup.tsx';
import { opening } from '../frame/sheet.tsx';
import { DayName, zoneNote } from '../times.tsx';
import { dayNameIn, endMoment, localMoment, weekdayName } from '../wording.ts';
import { type Axis, axisOf, barOf, minutesOf } from './hours.ts';
import { OpenWords } from './open-words.tsx';
import { SpecialDays } from './special-days.tsx';

/** The opening hours of a venue: whether it is open now, the week, and days with special hours. */

type Hours = NonNullable<VenuePage['hours']>;

/** `Open now, until 22:00`, behind a dot. `home`: the zone of the operator. */
export function StateLine({ hours, zone, home }: { hours: Hours; zone: string; home: string }): Markup {
  const { open, next, at } = hours;
  const clocks = { zone, home, now: at };
  return (
    <p class={open ? 'state' : 'state shut'}>
      <span>
        <b>{open ? 'Open now' : 'Closed now'}</b>
        {open
          ? next === undefined
            ? ', day and night'
            : ', until '
          : next === undefined
            ? '. No opening is announced.'
            : ', opens '}
        {next === undefined ? null : (
          <time datetime={utcText(next.at)}>
            {open ? closingWords(next.at, clocks) : openingWords(next.at, clocks)}
          </time>
        )}
        {next === undefined ? null : zoneNote(zone, home, next.at)}
      </span>
    </p>
  );
}

interface Clocks {
  zone: string;
  home: string;
  now: number;
}

/** `22:00`, `midnight`, `tomorrow at 23:00`, `Sun 29 Nov at midnight` */
function closingWords(at: number, clocks: Clocks): string {
  const { zone, now } = clocks;
  // An end within half a day belongs to the same night.
  if (at - now < DAY_MS / 2) return endMoment(zone, at).time;
  const { day, time } = endMoment(zone, at);
  return day === localMoment(zone, now).day ? time : `${atDay(day, clocks)} at ${time}`;
}

/**
 * `today at 18:00`, `tomorrow at 07:00`, `at midnight`, `Mon 30 Nov at 07:00`; at the beginning of a later day its name
 * alone.
 */
function openingWords(at: number, clocks: Clocks): string {
  const { day, time } = localMoment(clocks.zone, at);
  if (time !== '00:00') return `${atDay(day, clocks)} at ${time}`;
  return day === localMoment(clocks.zone, clocks.now).day + 1 ? 'at midnight' : atDay(day, clocks);
}

function atDay(day: Day, clocks: Clocks): string {
  return dayNameIn(day, clocks).replace(/^To/, 'to');
}

/** The button of the Subscribe sheet of opening hours, where the large button of the page is for another calendar. */
export function HoursButton(): Markup {
  return (
    <button class="chip" type="button" {...opening('subh')}>
      <Icon name="cal" />
      Subscribe<span class="vh"> to the opening hours</span>
    </button>
  );
}

/** The week, each day with a bar of its open hours. `action`: beside the heading. */
export function HoursCard({ hours, zone, action }: { hours: Hours; zone: string; action?: Piece }): Markup {
  const { week, at, exceptions } = hours;
  const axis = axisOf(week);
  const special = [...week.filter(({ exceptional }) => exceptional), ...exceptions];
  return (
    <section class="card hours" aria-labelledby="hours">
      <div class="head">
        <h2 id="hours">Opening hours</h2>
        {action}
      </div>
      <table class="lanes">
        <caption class="vh">Opening hours of the next seven days</caption>
        <thead aria-hidden="true">
          <tr>
            <td />
            <td class="lane">
              <span class="axis">
                {axis.labels.map((hour) => (
                  <span>{String(hour).padStart(2, '0')}</span>
                ))}
              </span>
            </td>
            <td />
          </tr>
        </thead>
        <tbody>
          {week.map((day, index) => (
            <DayRow day={day} axis={axis} now={index === 0 ? minutesOf(localMoment(zone, at).time) : undefined} />
          ))}
        </tbody>
      </table>
      <SpecialDays days={special} today={localMoment(zone, at).day} />
    </section>
  );
}

/** One day of the week. `now`: minutes since midnight, for today alone. */
function DayRow({ day, axis, now }: { day: DayHours; axis: Axis; now: number | undefined }): Markup {
  const number = dayOfDate(day.date);
  const name = `${weekdayName(number)} ${Number(day.date.slice(8))}`;
  const isToday = now !== undefined;
  return (
    <tr {...(isToday ? { class: 'today', 'aria-current': 'date' } : {})}>
      <th scope="row">
        <DayName name={isToday ? 'Today' : name} date={name} />
      </th>
      <td class="lane">
        <Lane day={day} axis={axis} now={now} />
      </td>
      <td>
        <OpenWords day={day} />
        {day.exceptional ? (
          <>
            {' '}
            <Icon name="warn" />
            <span class="vh">{day.holiday === undefined ? 'special hours' : `public holiday, ${day.holiday}`}</span>
          </>
        ) : null}
      </td>
    </tr>
  );
}

/** Minutes of one unit of the drawing. */
const UNIT = 6;

function Lane({ day, axis, now }: { day: DayHours; axis: Axis; now: number | undefined }): Markup {
  const x = (minute: number) => (minute - axis.from) / UNIT;
  const width = x(axis.to);
  return (
    <svg viewBox={`0 0 ${width} 10`} preserveAspectRatio="none" aria-hidden="true">
      <path class="rope" d={`M0 5h${width}`} stroke-width="2" />
      {day.open.map(barOf).map(({ from, to }) => (
        <rect
          x={x(from)}
          y="0"
          width={x(to) - x(from)}
          height="10"
          rx="1.5"
          {...(day.exceptional ? { class: 'odd' } : {})}
        />
      ))}
      {now === undefined || now < axis.from || now > axis.to ? null : (
        <>
          <rect class="gap" x={x(now) - 1} y="-3" width="3" height="16" />
          <rect class="now" x={x(now)} y="-3" width="1" height="16" />
        </>
      )}
    </svg>
  );
}
