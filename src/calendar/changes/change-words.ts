import { defined } from '../../opportunity/records.ts';
import { DAY_MS } from '../../time/days.ts';
import type { Instant } from '../../time/instant.ts';
import { toWall, type Wall, type Zone } from '../../time/zone.ts';
import { wallParts } from '../wording/wall-words.ts';
import type { Change, ChangeKind } from './changes.ts';

/**
 * A change as one line: `Moved: Tue 24 Nov 18:00 is now 19:00`. `at`: when the change was noted; years other than that of
 * `at` are shown.
 *
 * @example
 * ```ts
 * changeWords({ what: 'added', start }, zone('Europe/London'), start); // Added: Tue 24 Nov 18:00
 * ```
 */
export function changeWords(change: Change, z: Zone, at: Instant): string {
  if (change.start === undefined) return ofSeries(change);
  const when = momentWords(change, z, at);
  const { what, was } = change;
  if (what === 'moved') return movedWords(change, z, at) + inPlace(change);
  if (what === 'place') return `New place: ${when} is ${atPlace(change.place)}${instead(change)}`;
  if (what === 'postponed') return `Postponed: ${when}; no new date yet`;
  const before = was === undefined ? '' : ` (it was ${momentWords(wasOf(change), z, at)})`;
  return `${LABELS[what]}: ${when}${before}${what === 'removed' ? '' : inPlace(change)}`;
}

const LABELS: Record<ChangeKind, string> = {
  moved: 'Moved',
  cancelled: 'Cancelled',
  postponed: 'Postponed',
  reinstated: 'On again',
  added: 'Added',
  removed: 'Removed',
  place: 'New place',
  schedule: 'New dates',
  withdrawn: 'Withdrawn by its publisher',
  many: 'Many changes',
};

/** A change of all dates. */
function ofSeries(change: Change): string {
  const { what, words = [], wasWords = [], counts = {} } = change;
  if (what === 'many') return manyWords(counts);
  if (what === 'place') return `New place: ${change.place ?? 'not said'}${instead(change)}`;
  if (what === 'withdrawn') return LABELS.withdrawn;
  if (what !== 'schedule') return `${LABELS[what]}: all dates`;
  if (words.length === 0) return `No regular dates any more. It was: ${wasWords.join('; ')}`;
  const before = wasWords.length === 0 ? '' : `. It was: ${wasWords.join('; ')}`;
  return `${LABELS.schedule}: ${words.join('; ')}${before}`;
}

const NOUNS: Partial<Record<ChangeKind, string>> = { place: 'at another place', reinstated: 'on again' };

/** `24 dates changed: 20 moved, 4 cancelled` */
function manyWords(counts: NonNullable<Change['counts']>): string {
  const all = Object.entries(counts) as [ChangeKind, number][];
  const total = all.reduce((sum, [, count]) => sum + count, 0);
  return `${total} dates changed: ${all.map(([what, count]) => `${count} ${NOUNS[what] ?? what}`).join(', ')}`;
}

type ChangeTimes = Pick<Change, 'start' | 'end' | 'allDay'>;

function wasOf({ was, wasEnd, wasAllDay }: Change): ChangeTimes {
  return defined({ start: was, end: wasEnd, allDay: wasAllDay });
}

/** `Tue 24 Nov 18:00`, `Tue 24 Nov`; the year of `beside` is left out. */
function momentWords({ start = 0, allDay }: ChangeTimes, z: Zone, beside: Instant): string {
  const { date, year, clock } = wallParts(wallOf(start, allDay, z));
  const day = year === wallParts(toWall(z, beside)).year ? date : `${date} ${year}`;
  return allDay ? day : `${day} ${clock}`;
}

const wallOf = (start: Instant, allDay: true | undefined, z: Zone): Wall => (allDay ? start : toWall(z, start));

function movedWords(change: Change, z: Zone, at: Instant): string {
  const before = { ...change, ...wasOf(change) };
  const isSame = (change.was ?? change.start) === change.start;
  if (isSame && before.allDay === change.allDay && !change.allDay)
    return `New end: ${momentWords(change, z, at)}${until(change.wasEnd, z)} is now${until(change.end, z) || ' open'}`;
  const was = momentWords(before, z, at);
  const days = [wallOf(before.start ?? 0, before.allDay, z), wallOf(change.start ?? 0, change.allDay, z)].map((wall) =>
    Math.floor(wall / DAY_MS),
  );
  const { clock } = wallParts(wallOf(change.start ?? 0, change.allDay, z));
  const isClock = days[0] === days[1] && !change.allDay && !before.allDay;
  return `Moved: ${was} is now ${isClock ? clock : momentWords(change, z, at)}`;
}

function until(end: Instant | undefined, z: Zone): string {
  return end === undefined ? '' : ` to ${wallParts(toWall(z, end)).clock}`;
}

const atPlace = (place: string | undefined): string =>
  place === undefined ? 'at a place that is not said' : `at ${place}`;

function inPlace({ place, wasPlace }: Change): string {
  return place === undefined || wasPlace === undefined ? '' : `, at ${place}${instead({ wasPlace })}`;
}

function instead({ wasPlace }: Pick<Change, 'wasPlace'>): string {
  return wasPlace === undefined ? '' : `, not ${wasPlace}`;
}
