import type { DayHours } from '../../../hours/questions.ts';
import type { VenuePage } from '../../../library/index.ts';
import { DAY_MS, type Day, dayOfDate } from '../../../time/days.ts';
import { Icon } from '../frame/icons.tsx';
import type { Markup, Piece } from '../frame/markup.tsx';
import { Dash } from '../times.tsx';
import { dateWords, dayName, localMoment, weekdayName } from '../wording.ts';
import { type Axis, axisOf, barOf } from './hours.ts';

export type Hours = NonNullable<VenuePage['hours']>;

/** `Open now, until 22:00`: one line, and a dot that says the same. */
export function StateLine({ hours, zone }: { hours: Hours; zone: string }): Markup {
  const { open, next, at } = hours;
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
          <time datetime={new Date(next.at).toISOString().slice(0, 19).concat('Z')}>
            {soonWords(zone, next.at, at, open)}
          </time>
        )}
      </span>
    </p>
  );
}

/** `22:00` of today's closing, `today at 18:00`, `tomorrow at 07:00`, `Mon 30 Nov at 07:00`. */
function soonWords(zone: string, at: number, now: number, open: boolean): string {
  const [then, today] = [localMoment(zone, at), localMoment(zone, now).day];
  if (then.day === today) return open ? then.time : `today at ${then.time}`;
  // A night out ends in the small hours.
  if (open && at - now < DAY_MS / 2) return then.time;
  const name = dayName(then.day, today);
  return `${name === 'Tomorrow' ? 'tomorrow' : name} at ${then.time}`;
}

/** The week as swimming lanes. `action`: what stands beside the heading. */
export function HoursCard({ hours, zone, action }: { hours: Hours; zone: string; action?: Piece }): Markup {
  const { week, at } = hours;
  const axis = axisOf(week);
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
            <DayRow day={day} axis={axis} now={index === 0 ? minuteOf(zone, at) : undefined} />
          ))}
        </tbody>
      </table>
      <Notes hours={hours} />
    </section>
  );
}

function minuteOf(zone: string, at: number): number {
  const [hours = 0, minutes = 0] = localMoment(zone, at).time.split(':').map(Number);
  return hours * 60 + minutes;
}

/** `now`: minutes since midnight; today alone. */
function DayRow({ day, axis, now }: { day: DayHours; axis: Axis; now: number | undefined }): Markup {
  const number = dayOfDate(day.date);
  const name = `${weekdayName(number)} ${Number(day.date.slice(8))}`;
  const isToday = now !== undefined;
  return (
    <tr {...(isToday ? { class: 'today', 'aria-current': 'date' } : {})}>
      <th scope="row">
        {isToday ? (
          <>
            <span class="screen">Today</span>
            <span class="paper">{name}</span>
          </>
        ) : (
          name
        )}
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

/** `06:30–22:00`, `18:00–03:00 (Sun)`, `All day`, `Closed` */
function OpenWords({ day }: { day: Pick<DayHours, 'open' | 'date'> }): Markup {
  const { open, date } = day;
  if (open.length === 0) return <>Closed</>;
  return (
    <>
      {open.map((span, index) => (
        <>
          {index > 0 ? ', ' : ''}
          <span class="span">
            {span.opens === '00:00' && span.closes === '24:00' ? (
              'All day'
            ) : (
              <>
                {span.opens}
                <Dash />
                {span.closes}
                {span.nextDay ? ` (${weekdayName(dayOfDate(date) + 1)})` : ''}
              </>
            )}
          </span>
        </>
      ))}
    </>
  );
}

/** Days that are listed one by one; more help nobody. */
const MOST_DAYS = 6;

/** Special days of this week, with their reason, and those of the weeks after it. */
function Notes({ hours: { week, exceptions } }: { hours: Hours }): Markup | null {
  const first = week[0];
  const days = [...week.filter(({ exceptional }) => exceptional), ...exceptions].slice(0, MOST_DAYS);
  if (first === undefined || days.length === 0) return null;
  const today = dayOfDate(first.date);
  return (
    <p class="notes">
      <span class="flag new">
        <Icon name="warn" />
        Special hours
      </span>{' '}
      {days.map((day, index) => (
        <>
          {index > 0 ? '; ' : ''}
          <SpecialDay day={day} today={today} />
        </>
      ))}
      .
    </p>
  );
}

function SpecialDay({ day, today }: { day: DayHours; today: Day }): Markup {
  const name = dateWords(dayOfDate(day.date), today);
  return (
    <>
      {name}
      {day.holiday === undefined ? '' : ` (${day.holiday})`}:{' '}
      {day.open.length === 0 ? 'closed' : <OpenWords day={day} />}
    </>
  );
}
