import type { FoundRow, OccurrenceItem } from '../../../library/index.ts';
import type { Markup } from '../frame/markup.tsx';
import { DayAndTimes, shownIn } from '../times.tsx';
import { dateWords, localMoment } from '../wording.ts';

/** A place or facility in a list. */
export interface ShownVenue {
  row: FoundRow;
  /** What is on there next, of a place without hours. */
  next?: OccurrenceItem;
}

interface OpenOrNextOptions {
  venue: ShownVenue;
  /** The zone of the operator: times of another say so. */
  home: string;
  now: number;
}

/** Whether it is open; a place without hours leads with what is on. */
export function OpenOrNext({ venue, home, now }: OpenOrNextOptions): Markup | null {
  const { row, next } = venue;
  const { hours, zone } = row;
  if (hours !== undefined) {
    const words =
      hours.next === undefined ? '' : `${changeWords(zone, hours.next.at, now)}${noteOf(zone, home, hours.next.at)}`;
    return <p class={hours.open ? 'state' : 'state shut'}>{`${hours.open ? 'Open' : 'Closed'}${words}`}</p>;
  }
  if (next === undefined) return null;
  const { start, allDay } = next;
  return (
    <p class="soft">
      Next: <DayAndTimes span={{ start, ...(allDay && { allDay }) }} zone={next.zone} now={now} />
      {allDay ? null : noteOf(next.zone, home, start)}
    </p>
  );
}

/** ` (New York time)` */
function noteOf(zone: string, home: string, at: number): string {
  const { note } = shownIn(zone, home, at);
  return note === undefined ? '' : ` ${note}`;
}

/** ` until 22:00`, ` until 07:00 tomorrow`, ` until Sat 1 May` */
function changeWords(zone: string, at: number, now: number): string {
  const [then, today] = [localMoment(zone, at), localMoment(zone, now).day];
  if (then.day === today) return ` until ${then.time}`;
  if (then.day === today + 1) return ` until ${then.time} tomorrow`;
  return ` until ${dateWords(then.day, today)}${then.day - today < 7 ? `, ${then.time}` : ''}`;
}
