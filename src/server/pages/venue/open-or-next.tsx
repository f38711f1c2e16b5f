import type { FoundRow, OccurrenceItem } from '../../../library/index.ts';
import type { Markup } from '../frame/markup.tsx';
import { DayAndTimes, zoneNote } from '../times.tsx';
import { dateWords, dayNameIn, endMoment, localMoment } from '../wording.ts';

/** A place or facility in a list. */
export interface ShownVenue {
  row: FoundRow;
  /** The next occurrence at a place without hours. */
  next?: OccurrenceItem;
}

interface OpenOrNextOptions {
  venue: ShownVenue;
  /** The zone of the operator: times of another say so. */
  home: string;
  now: number;
}

/** Whether a venue is open; for a place without hours, its next occurrence. */
export function OpenOrNext({ venue, home, now }: OpenOrNextOptions): Markup | null {
  const { row, next } = venue;
  const { hours, zone } = row;
  if (hours !== undefined) {
    const words = hours.next === undefined ? '' : changeWords({ zone, home, now }, hours.next.at);
    return <p class={hours.open ? 'state' : 'state shut'}>{`${hours.open ? 'Open' : 'Closed'}${words}`}</p>;
  }
  if (next === undefined) return null;
  const { start, allDay } = next;
  if (start <= now && !allDay) return <p class="soft">On now</p>;
  return (
    <p class="soft">
      Next: <DayAndTimes span={{ start, ...(allDay && { allDay }) }} zone={next.zone} home={home} now={now} />
    </p>
  );
}

/** ` until 22:00`, ` until 07:00 tomorrow`, ` until Mon 1 Mar, midnight (New York time)`, ` until Sat 1 May` */
function changeWords(clocks: { zone: string; home: string; now: number }, at: number): string {
  const { zone, home, now } = clocks;
  const [{ day, time }, today, note] = [endMoment(zone, at), localMoment(zone, now).day, zoneNote(zone, home, at)];
  const name = dayNameIn(day, clocks);
  if (name === 'Today') return ` until ${time}${note}`;
  if (name === 'Tomorrow') return ` until ${time} tomorrow${note}`;
  return ` until ${dateWords(day, today)}${day - today < 7 ? `, ${time}${note}` : ''}`;
}
