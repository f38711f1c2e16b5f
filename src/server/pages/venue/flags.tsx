import type { TimetableEntry } from '../../../library/index.ts';
import type { Markup } from '../frame/markup.tsx';
import { Flag, NewTime, wasWords } from '../parts.tsx';
import { agesWords, leaderWords } from '../wording.ts';

/** What is out of the ordinary about one session: at most two badges, and a note of room, leader and ages. */

type Flagged = Pick<TimetableEntry, 'status' | 'start' | 'previousStart' | 'placesLeft'>;
type Noted = Pick<TimetableEntry, 'status' | 'room' | 'leader' | 'ages' | 'placesLeft'>;

/** The most badges of one session. */
const MOST = 2;
/** The most places left that are shown. */
const FEW = 5;

/** Whether an entry is cancelled, and so struck through. */
export function isOff({ status }: Pick<Flagged, 'status'>): boolean {
  return status === 'EventCancelled';
}

/** The badges of one session. `zone`: of the time before. */
export function Flags({ entry, zone }: { entry: Flagged; zone: string }): Markup {
  const found: Markup[] = [];
  const { status, previousStart, start, placesLeft } = entry;
  if (status === 'EventCancelled') found.push(<Flag kind="bad" icon="cross" words="Cancelled" />);
  if (status === 'EventPostponed') found.push(<Flag kind="new" icon="pause" words="Postponed" />);
  if (previousStart !== undefined && previousStart !== start)
    found.push(<NewTime was={wasWords(previousStart, start, zone)} />);
  if (placesLeft !== undefined && placesLeft <= 0 && status !== 'EventCancelled') found.push(<Flag words="Full" />);
  return <>{found.slice(0, MOST)}</>;
}

/** `Studio 1 · with Priya · Over 60 · 2 left` */
export function noteWords({ status, room, leader, ages, placesLeft = 0 }: Noted): string {
  const left = !isOff({ status }) && placesLeft > 0 && placesLeft <= FEW ? `${placesLeft}\u00a0left` : undefined;
  return [room, leaderWords(leader), agesWords(ages), left].filter((text) => text).join(' · ');
}
