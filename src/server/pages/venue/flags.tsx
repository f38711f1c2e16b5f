import type { TimetableEntry } from '../../../library/index.ts';
import { Icon, type IconName } from '../frame/icons.tsx';
import type { Markup } from '../frame/markup.tsx';
import { agesWords, dateWords, localMoment } from '../wording.ts';

/** What is out of the ordinary about one session: at most two badges, and a note of the room. */

type Flagged = Pick<TimetableEntry, 'status' | 'start' | 'previousStart' | 'placesLeft' | 'room' | 'ages'>;

const MOST = 2;
/** Fewer places than this are worth a word. */
const FEW = 5;

/** It is struck through. */
export function isOff({ status }: Pick<Flagged, 'status'>): boolean {
  return status === 'EventCancelled';
}

export function Flags({ entry, zone }: { entry: Flagged; zone: string }): Markup {
  const found: Markup[] = [];
  const { status, previousStart, start, placesLeft } = entry;
  if (status === 'EventCancelled') found.push(<Flag name="cross" kind="bad" words="Cancelled" />);
  if (status === 'EventPostponed') found.push(<Flag name="pause" kind="new" words="Postponed" />);
  if (previousStart !== undefined && previousStart !== start) found.push(<NewTime was={wasAt(entry, zone)} />);
  if (placesLeft !== undefined && placesLeft <= 0 && status !== 'EventCancelled')
    found.push(<span class="flag">Full</span>);
  return <>{found.slice(0, MOST)}</>;
}

function Flag({ name, kind, words }: { name: IconName; kind: string; words: string }): Markup {
  return (
    <span class={`flag ${kind}`}>
      <Icon name={name} />
      {words}
    </span>
  );
}

function NewTime({ was }: { was: string }): Markup {
  return (
    <span class="flag new">
      <Icon name="clock" />
      New time<span class="vh">, was </span> <s>{was}</s>
    </span>
  );
}

/** The time alone where the day is the same. */
function wasAt({ start, previousStart = start }: Flagged, zone: string): string {
  const [was, is] = [localMoment(zone, previousStart), localMoment(zone, start)];
  if (was.day === is.day) return was.time;
  return `${dateWords(was.day, is.day)}, ${was.time}`;
}

/** `Studio 1 · Over 60 · 2 left` */
export function noteWords({ room, ages, placesLeft }: Flagged): string {
  const left = placesLeft !== undefined && placesLeft > 0 && placesLeft <= FEW ? `${placesLeft} left` : undefined;
  return [room, agesWords(ages), left].filter((text) => text).join(' · ');
}
