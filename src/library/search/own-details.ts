import type { Details, Session } from '../../opportunity/records.ts';
import { recordOf } from '../../store/index.ts';

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
