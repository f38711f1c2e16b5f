import { toComponents } from '../calendar/components.ts';
import { write } from '../ical/write.ts';
import type { StoredCalendar } from './library.ts';

/** The bytes of a calendar, as text: a pure function of what is stored (semantics 6). */
export function renderCalendar({ calendar, revision, more }: StoredCalendar): string {
  return write(toComponents(calendar, revision, more));
}
