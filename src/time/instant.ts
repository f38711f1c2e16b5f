/** Milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number;

/** Instants, the end excluded. */
export interface InstantWindow {
  from: Instant;
  to: Instant;
}

/** `YYYY-MM-DD`, a calendar date without a zone. */
export type LocalDate = string;

/** Monday = 0 … Sunday = 6. */
export type Weekday = 0 | 1 | 2 | 3 | 4 | 5 | 6;

/** An instant without its fraction of a second, as in an HTTP-date or a UTC time of iCalendar. */
export function wholeSecond(instant: Instant): Instant {
  return Math.floor(instant / 1000) * 1000;
}

/** The last instant that a Date can hold; hostile durations go beyond it. */
const LAST_INSTANT = 8.64e15;

/** The instant, or the nearest one that a Date can hold. */
export function nearestDate(instant: Instant): Instant {
  return Math.max(-LAST_INSTANT, Math.min(LAST_INSTANT, instant));
}

/** Start or end of an occurrence as text: an instant in UTC, or the date of an all-day one. */
export function momentText(instant: Instant, allDay: boolean | undefined): string {
  return allDay ? utcDate(instant) : utcText(instant);
}

/** The date of an instant in UTC; of wall time, which is read as UTC, the date on the wall. */
export function utcDate(instant: Instant): LocalDate {
  return utcText(instant).slice(0, 10);
}

/** `YYYY-MM-DDThh:mm:ssZ` of an instant, fractions of a second cut off. */
export function utcText(instant: Instant): string {
  return `${new Date(nearestDate(instant)).toISOString().slice(0, -5)}Z`;
}
