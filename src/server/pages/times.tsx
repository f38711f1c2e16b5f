import type { PageOccurrence } from '../../library/index.ts';
import { DAY_MS } from '../../time/days.ts';
import { type Instant, momentText } from '../../time/instant.ts';
import type { Markup, Piece } from './frame/markup.tsx';
import { cityOf, dateWords, dayNameIn, daysWords, localDay, localMoment, weekdayName } from './wording.ts';

/** Days and times as pages show them: bold for the eye, whole for the ear. */

type ShownSpan = Pick<PageOccurrence, 'start' | 'end' | 'allDay'>;

/** The dash is for the eye; what is heard is "to". */
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

/** A day later, with its weekday; later still, with its date. */
function endWords(zone: string, start: Instant, end: Instant): string {
  const [from, to] = [localMoment(zone, start), localMoment(zone, end)];
  if (to.day === from.day) return to.time;
  return to.day - from.day < 7 ? `${to.time} (${weekdayName(to.day)})` : `${dateWords(to.day, from.day)}, ${to.time}`;
}

/** The column that a row begins with. `day`: before the times. */
export function When({ span, zone, day }: { span: ShownSpan; zone: string; day?: string | undefined }): Markup {
  return (
    <p class="when">
      {day === undefined ? null : <small>{day} </small>}
      <Times span={span} zone={zone} />
    </p>
  );
}

/** `Today`; on paper, which is read on other days, its date. */
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
  /** The zone of the operator: times of another say so. */
  home: string;
  now: Instant;
}

/** `Today, 18:00–19:00`, `Fri 27 Nov, 08:00 (New York time)`, `Sat 12 to Sun 13 Dec`: the days as they are called at `now`. */
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

/** ` (New York time)`, after a time that is not by the clocks at home. */
export function ZoneNote(options: { zone: string; home: string; at: Instant }): Markup | null {
  const note = zoneNote(options.zone, options.home, options.at);
  return note === '' ? null : <small>{note}</small>;
}

export function zoneNote(zone: string, home: string, at: Instant): string {
  const { note } = shownIn(zone, home, at);
  return note === undefined ? '' : ` ${note}`;
}

/**
 * The zone in which a start is shown, and what to say of it where the clocks of `zone` are not those of `home`. Of what is
 * online that is `(08:00 in New York)` beside the time at home, of a place `(New York time)` beside its own.
 */
export function shownIn(zone: string, home: string, at: Instant, online = false): { zone: string; note?: string } {
  const [there, here] = [localMoment(zone, at), localMoment(home, at)];
  if (there.time === here.time && there.day === here.day) return { zone };
  if (!online) return { zone, note: `(${cityOf(zone)} time)` };
  return { zone: home, note: `(${there.time} in ${cityOf(zone)})` };
}
