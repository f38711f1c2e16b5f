import type { PageOccurrence } from '../../library/index.ts';
import { DAY_MS } from '../../time/days.ts';
import { type Instant, momentText } from '../../time/instant.ts';
import type { Markup, Piece } from './frame/markup.tsx';
import { cityOf, dateWords, dayNameIn, daysWords, localDay, localMoment, weekdayName } from './wording.ts';

/** Days and times as pages show them, and as screen readers read them. */

type ShownSpan = Pick<PageOccurrence, 'start' | 'end' | 'allDay'>;

/** A dash that screen readers read as "to". */
export function Dash(): Markup {
  return (
    <>
      <span aria-hidden="true">–</span>
      <span class="vh"> to </span>
    </>
  );
}

/** `18:00–19:00`, `23:30–00:15 (Sat)`, `All day`; each time in its `<time>`. */
export function Times({ span, zone }: { span: ShownSpan; zone: string }): Markup {
  const { start, end, allDay } = span;
  if (allDay) return <time datetime={momentText(start, true)}>All day</time>;
  const from = localMoment(zone, start);
  return (
    <>
      <time datetime={momentText(start, false)}>{from.time}</time>
      {end === undefined || end <= start ? null : (
        <span>
          <Dash />
          <time datetime={momentText(end, false)}>{endWords(zone, start, end)}</time>
        </span>
      )}
    </>
  );
}

/** The time of an end, with its weekday on a later day, and with its date a week later. */
function endWords(zone: string, start: Instant, end: Instant): string {
  const [from, to] = [localMoment(zone, start), localMoment(zone, end)];
  if (to.day === from.day) return to.time;
  return to.day - from.day < 7 ? `${to.time} (${weekdayName(to.day)})` : `${dateWords(to.day, from.day)}, ${to.time}`;
}

/** The first column of a row. `day`: in front of the times. */
export function When({ span, zone, day }: { span: ShownSpan; zone: string; day?: string | undefined }): Markup {
  return (
    <p class="when">
      {day === undefined ? null : <small>{day} </small>}
      <Times span={span} zone={zone} />
    </p>
  );
}

/** The name of a day, such as `Today`. On paper, which is read on other days, its date. */
export function DayName({ name, date }: { name: Piece; date: string }): Markup {
  if (name === date) return <>{date}</>;
  return (
    <span data-date={date}>
      <span class="noprint">{name}</span>
    </span>
  );
}

interface DayAndTimesOptions {
  span: ShownSpan;
  zone: string;
  /** The zone of the operator: times of another zone have a note. */
  home: string;
  now: Instant;
}

/** `Today, 18:00–19:00`, `Fri 27 Nov, 08:00 (New York time)`, `Sat 12 to Sun 13 Dec`. `now` decides which day is today. */
export function DayAndTimes({ span, ...clocks }: DayAndTimesOptions): Markup {
  const { zone, home, now } = clocks;
  const today = localMoment(zone, now).day;
  const first = localDay(span, zone);
  const name = <DayName name={`${dayNameIn(first, clocks)},`} date={`${dateWords(first, today)},`} />;
  if (span.allDay) {
    const last = Math.ceil((span.end ?? span.start + DAY_MS) / DAY_MS) - 1;
    const words = last > first ? daysWords(first, last, today) : <>{name} all day</>;
    return <time datetime={momentText(span.start, true)}>{words}</time>;
  }
  return (
    <>
      {name}{' '}
      <span class="num">
        <Times span={span} zone={zone} />
      </span>
      <ZoneNote zone={zone} home={home} at={span.start} />
    </>
  );
}

/** ` (New York time)`, after a time whose zone has other clocks than `home`. */
export function ZoneNote(options: { zone: string; home: string; at: Instant }): Markup | null {
  const note = zoneNote(options.zone, options.home, options.at);
  return note === '' ? null : <small>{note}</small>;
}

/** `ZoneNote` as text; empty where the clocks agree. */
export function zoneNote(zone: string, home: string, at: Instant): string {
  const { note } = shownIn(zone, home, at);
  return note === undefined ? '' : ` ${note}`;
}

/**
 * The zone in which a start is shown, with a note where the clocks of `zone` and `home` differ at that instant. A session at
 * a place is shown in its own zone, with `(New York time)`; an online one in that of `home`, with `(08:00 in New York)`.
 */
export function shownIn(zone: string, home: string, at: Instant, online = false): { zone: string; note?: string } {
  const [there, here] = [localMoment(zone, at), localMoment(home, at)];
  if (there.time === here.time && there.day === here.day) return { zone };
  if (!online) return { zone, note: `(${cityOf(zone)} time)` };
  return { zone: home, note: `(${there.time} in ${cityOf(zone)})` };
}
