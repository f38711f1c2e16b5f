import { type Length, lengthOf } from '../../ical/content.ts';
import { lineOf, type ReadComponent } from '../../ical/read.ts';
import { MAX_LENGTH } from '../../opportunity/limits.ts';
import { DAY_MS } from '../../time/days.ts';
import { type Context, placeOf } from './context.ts';
import type { Time } from './model.ts';

/** The length of an event: DTEND or DURATION. */

const NO_LENGTH: Length = { days: 0, exact: 0 };
const ONE_DAY: Length = { days: 1, exact: 0 };

/** The length of an event; one beyond the limit of readers is left out, with a finding. */
export function plausibleLength(component: ReadComponent, start: Time, context: Context, uid: string): Length {
  const length = lengthFrom(component, start, context, uid);
  if (length.days * DAY_MS + length.exact > MAX_LENGTH) {
    const line = lineOf(component, 'DTEND') ?? lineOf(component, 'DURATION') ?? component;
    context.report('event-too-long', uid, placeOf(line));
  }
  return length;
}

/** RFC 5545 3.6.1: DTEND, else DURATION, else the whole day of a DATE and no time at all of a DATE-TIME. */
function lengthFrom(component: ReadComponent, start: Time, context: Context, uid: string): Length {
  const usual = start.allDay ? ONE_DAY : NO_LENGTH;
  const endLine = lineOf(component, 'DTEND');
  if (endLine !== undefined) {
    const end = context.time(endLine, endLine.value, uid, start);
    const length = end && between(start, end);
    if (length !== undefined) return length;
    // A DATE-TIME without a length is an instant; a DATE always has one.
    if (end !== undefined && (end.instant < start.instant || start.allDay)) {
      context.report('end-unusable', uid, placeOf(endLine), { value: endLine.value.slice(0, 40) });
    }
    return usual;
  }
  const durationLine = lineOf(component, 'DURATION');
  if (durationLine === undefined) return usual;
  const length = lengthOf(durationLine.value);
  if (length !== undefined && (!start.allDay || length.days + length.exact > 0)) return length;
  context.report('end-unusable', uid, placeOf(durationLine), { value: durationLine.value.slice(0, 40) });
  return usual;
}

/** The length of a positive span. Days of all-day events are nominal, any other length is exact (RFC 5545 3.8.5.3). */
export function between(start: Time, end: Time): Length | undefined {
  if (start.allDay) {
    const days = Math.ceil((end.wall - start.wall) / DAY_MS);
    return days > 0 ? { days, exact: 0 } : undefined;
  }
  const exact = end.instant - start.instant;
  // The clocks skip the start: the length by wall time counts.
  const shown = start.zone === end.zone ? end.wall - start.wall : 0;
  if (exact <= 0 && shown <= 0) return undefined;
  return { days: 0, exact: exact > 0 ? exact : shown };
}
