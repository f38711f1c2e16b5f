import { dateOfDay, dayOfDate } from '../../time/days.ts';
import type { LocalDate } from '../../time/instant.ts';

/**
 * deferred hashes stand where hashes would, until somebody asks what was shown: of a session that has been shown since it was
 * first seen (`RecordRow.hash`), of a header (`CalendarRow.header`), and of all opening hours (`CalendarRow.events`) that
 * have been shown since the calendar was made. No hash and no JSON begins like that.
 */
export const DEFERRED = '?';

/** With the stored day it was first shown on: words and bounds depend on that one. */
export function deferredHash(today: LocalDate): string {
  return `${DEFERRED}${dayOfDate(today)}`;
}

export function isDeferred(hash: string | undefined): hash is string {
  return hash?.startsWith(DEFERRED) === true;
}

/** The day in an `deferredHash`. */
export function deferredSince(hash: string): LocalDate {
  return dateOfDay(Number(hash.slice(DEFERRED.length)));
}
