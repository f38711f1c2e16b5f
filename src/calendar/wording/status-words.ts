import { ROWS } from '../../opportunity/properties.ts';
import type { Instant } from '../../time/instant.ts';
import { toWall, type Zone } from '../../time/zone.ts';
import type { CalendarEvent } from '../objects.ts';
import { shortWallWords } from './wall-words.ts';

/**
 * STATUS in words. Outlook shows a cancelled event as an ordinary one and only frees its time, so summary and description
 * state it (semantics 4.5, feed rule 23). `publish` removes these words again.
 */

type Status = CalendarEvent['status'];
type Texts = Pick<CalendarEvent, 'summary' | 'description'>;

const PREFIX: Record<Status, string> = { CONFIRMED: '', TENTATIVE: 'Postponed: ', CANCELLED: 'Cancelled: ' };
const SENTENCE: Record<Status, string> = {
  CONFIRMED: '',
  TENTATIVE: 'Postponed: no new date yet.',
  CANCELLED: 'Cancelled.',
};
const NEW_TIME = /^New time(?:: it was \w{3} \d{1,2} \w{3}(?: \d{4})?, \d\d:\d\d)?\.$/;

/** `New time: it was Mon 23 Nov, 07:00.`; `New time.` where the former time is unknown. */
export function newTimeSentence(was: Instant | undefined, start: Instant, z: Zone): string {
  return was === undefined ? 'New time.' : `New time: it was ${shortWallWords(toWall(z, was), toWall(z, start))}.`;
}

/** Texts with their status in them. `newTime`: the sentence of a session that takes place at another time. */
export function withStatus<T extends Texts>(
  texts: T,
  status: Status,
  newTime?: string,
): T & Pick<CalendarEvent, 'transparent'> {
  const sentence = SENTENCE[status] || newTime;
  if (sentence === undefined) return texts;
  const { summary, description } = texts;
  return {
    ...texts,
    summary: summary.startsWith(PREFIX[status]) ? summary : PREFIX[status] + summary,
    description: description === undefined ? sentence : `${sentence}\n\n${description}`,
    ...(status === 'CANCELLED' && { transparent: true }),
  };
}

export function asCancelled(event: CalendarEvent): CalendarEvent {
  if (event.status === 'CANCELLED') return event;
  const { summary, description, ...rest } = event;
  const { summary: plain = '', ...texts } = withoutStatus(
    { summary, ...(description && { description }) },
    event.status,
    true,
  );
  return { ...rest, ...withStatus({ summary: plain, ...texts }, 'CANCELLED'), status: 'CANCELLED' };
}

/**
 * Texts without the words that STATUS repeats. The sentence about a new time has no STATUS, so it is removed only where this
 * program wrote the calendar (`ours`).
 */
export function withoutStatus({ summary, description }: Partial<Texts>, status: Status, ours: boolean): Partial<Texts> {
  const [first = '', ...paragraphs] = description?.split('\n\n') ?? [];
  const isOurs = status === 'CONFIRMED' ? ours && NEW_TIME.test(first) : first === SENTENCE[status];
  const left = isOurs ? paragraphs.join('\n\n') : description;
  const plain = summary?.startsWith(PREFIX[status]) ? summary.slice(PREFIX[status].length) : summary;
  return { ...(plain && { summary: plain }), ...(left && { description: left }) };
}

/** The lines that a calendar adds to a description (wording.ts, attribution.ts). */
const LABELS = [...ROWS.map(({ label }) => label).filter((label) => label !== undefined), 'Places left', 'Details'];
const FACT = new RegExp(`^(${LABELS.join('|')}): |^Usually `);

const CREDIT = /^(Source: |Open data, )[^\n]*$/;

/**
 * The publisher's words in a description that this program wrote. Facts and credit are removed, because each conversion to
 * feeds and back would add them once more. Undefined: nothing is left.
 */
export function ownWords(description: string): string | undefined {
  const paragraphs = description.split('\n\n');
  if (CREDIT.test(paragraphs.at(-1) ?? '')) paragraphs.pop();
  const last = paragraphs.at(-1)?.split('\n') ?? [];
  if (last.length > 0 && last.every((line) => FACT.test(line))) paragraphs.pop();
  return paragraphs.length === 0 ? undefined : paragraphs.join('\n\n');
}
