import { shown } from '../findings.ts';
import type { Json, JsonObject } from '../item/json.ts';
import { at, isEmpty, note, type Part } from '../item/reading.ts';
import { wordOf } from '../item/values.ts';
import { isMovedOnline, parseStatus } from '../item/vocabulary.ts';
import type { EventStatus } from '../records.ts';

/** Statuses, the gravest first: of several stated ones, the gravest is the safest to show. */
const GRAVEST: readonly EventStatus[] = ['EventCancelled', 'EventPostponed', 'EventRescheduled', 'EventScheduled'];

/** `eventStatus` in any spelling; undefined if none is stated that can be read. */
export function statusOf(part: Part): EventStatus | undefined {
  const value = part.from.eventStatus;
  // Fast path for the commonest forms.
  if (isEmpty(value)) return undefined;
  if (value === 'https://schema.org/EventScheduled') return 'EventScheduled';
  const here = at(part, 'eventStatus');
  const words = statusWords(value);
  const stated = words.map(parseStatus);
  const status = GRAVEST.find((one) => stated.includes(one));
  if (status === undefined) note(here, 'status-unknown', { value: shown(value) });
  else if (new Set(stated).size > 1) note(here, 'status-several', { value: shown(words.join(', ')), used: status });
  else if (isEmpty(part.from.eventAttendanceMode) && words.some(isMovedOnline)) note(here, 'status-moved-online');
  else if (words.some((word) => !word.trim().endsWith(status)))
    note(here, 'status-spelling', { value: shown(value), used: status });
  return status;
}

/** Whether an event was moved online, and states no attendance mode. */
export function hasMovedOnline({ eventStatus, eventAttendanceMode }: JsonObject): boolean {
  if (eventStatus === undefined || eventStatus === 'https://schema.org/EventScheduled') return false;
  return isEmpty(eventAttendanceMode) && statusWords(eventStatus).some(isMovedOnline);
}

function statusWords(value: Json): string[] {
  return [value].flat().flatMap((one) => wordOf(one) ?? []);
}
