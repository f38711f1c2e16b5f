import type { Details, Session } from '../../opportunity/records.ts';
import { type FoundOccurrence, recordOf } from '../../store/index.ts';
import { DAY_MS } from '../../time/days.ts';

/** Details of a session that only its record says. */

/** Whether a session says one of these details itself, by its text; also the own event of a HeadlineEvent, and what has no text. */
export function ownDetails(names: readonly (keyof Details)[]): (body: string | undefined) => boolean {
  const mentioned = new RegExp(['"type":"HeadlineEvent"', ...names.map((name) => `"${name}":`)].join('|'));
  return (body) => {
    if (body === undefined) return true;
    if (!mentioned.test(body)) return false;
    const { type, details } = recordOf({ body }) as Session;
    return type === 'HeadlineEvent' || names.some((name) => details[name] !== undefined);
  };
}

/** Only the record says whether it is of whole days, and when it ends by the instance that it replaces. */
export function isKnownLater({ start, session, instance }: FoundOccurrence): boolean {
  return session !== undefined && (instance !== undefined || start % DAY_MS === 0);
}
