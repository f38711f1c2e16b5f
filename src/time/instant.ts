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

/** The second that an instant is in: an HTTP-date, and a UTC time of iCalendar, have no fractions. */
export function wholeSecond(instant: Instant): Instant {
  return Math.floor(instant / 1000) * 1000;
}

/** The furthest instant that a Date can hold; hostile durations go beyond it. */
const LAST_INSTANT = 8.64e15;

/** The instant, or the nearest one that a Date can hold. */
export function nearestDate(instant: Instant): Instant {
  return Math.max(-LAST_INSTANT, Math.min(LAST_INSTANT, instant));
}

/** Start or end of an occurrence as text: an instant in UTC, or the date where it is of whole days. */
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
