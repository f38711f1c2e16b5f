import type { LocalDate } from '../opportunity/records.ts';
import { dateOfDay, dayOfDate } from '../recurrence/days.ts';

/**
 * Open marks stand where hashes would, until somebody asks what was shown: of a session that has been shown since it was
 * first seen (`RecordRow.hash`), of a header (`CalendarRow.header`), and of all opening hours (`CalendarRow.events`) that
 * have been shown since the calendar was made. No hash and no JSON begins like that.
 */
export const OPEN = '?';

/** With the stored day it was first shown on: words and bounds depend on that one. */
export function openMark(today: LocalDate): string {
  return `${OPEN}${dayOfDate(today)}`;
}

export function isOpen(mark: string | undefined): mark is string {
  return mark?.startsWith(OPEN) === true;
}

/** The day in an `openMark`. */
export function openSince(mark: string): LocalDate {
  return dateOfDay(Number(mark.slice(OPEN.length)));
}
