import { itemStandIn, statedId } from '../identity.ts';
import type { JsonObject } from '../item/json.ts';
import { emit, note, type Reading } from '../item/reading.ts';
import type { SeriesType } from '../records.ts';
import { embeddedSeries, type Parent, parentOf, readSeries, seriesType } from './series.ts';
import { hasParts, mayReplace, noteNoSpan, readSession } from './session.ts';
import { spanOf, spanWithoutStart } from './span.ts';
import { eventWithin } from './sub-events.ts';

/** A ScheduledSession item: one session of the series that its `superEvent` is. */
export function sessionItem(reading: Reading, from: JsonObject): void {
  const id = statedId(reading, from, '$');
  sessionOfParent(reading, from, 'ScheduledSession', id, parentOf(reading, from, '$', id));
}

function sessionOfParent(
  reading: Reading,
  from: JsonObject,
  type: string,
  id: string | undefined,
  parent: Parent | undefined,
): void {
  const usual = type === 'ScheduledSession' ? 'SessionSeries' : 'Event';
  const series = parent?.object === undefined ? parent?.id : embeddedSeries(reading, parent, usual);
  if (series === undefined) note(reading, 'session-without-series', '$');
  if (id === undefined) note(reading, 'id-missing', '$', { type });
  const span = spanOf(reading, from, '$');
  if (typeof span === 'string') noteNoSpan(reading, span, '$');
  if (typeof span === 'string' && !mayReplace(id, from)) return;
  const known = typeof span === 'string' ? spanWithoutStart(reading, from, '$') : span;
  const frame = { id: id ?? itemStandIn(reading, type), idStated: id !== undefined, type, series, span: known };
  const session = readSession(reading, from, '$', frame);
  if (type === 'Event' && series !== undefined && typeof span !== 'string') {
    ownSeries(reading, from);
    session.ownSeries = true;
  }
  emit(reading, session, 2);
}

/** An Event that is complete by itself is shown where the series that it names is not there (semantics 2). */
function ownSeries(reading: Reading, from: JsonObject): void {
  const fallback = () => itemStandIn(reading, 'Event');
  const { series } = readSeries(reading, from, '$', { type: 'Event', fallback, single: true, depth: 0 });
  const { parent: _, statusStated: __, ...own } = series;
  emit(reading, { ...own, untilJoined: true }, 2);
}

/** An item of the Event family: a series of its own with what is in it, one session of a series, or both in one. */
export function eventItem(reading: Reading, from: JsonObject, type: SeriesType): void {
  const parts = hasParts(from);
  if (type === 'Event' && parts) note(reading, 'event-with-schedule', '$');
  if (type === 'Event' && !parts && sessionOfSeries(reading, from)) return;
  const fallback = () => itemStandIn(reading, type);
  const { series, parts: events } = eventWithin(reading, from, '$', { type, fallback, depth: 0 }, 2);
  if (events > 0 || series.schedules.length > 0 || type === 'EventSeries') return;
  if (type === 'SessionSeries') note(reading, 'series-without-schedule', '$');
  else note(reading, 'series-without-time', '$', { type });
}

/** Reads a plain Event that belongs to a series; false: it stands for itself, as under an EventSeries. */
function sessionOfSeries(reading: Reading, from: JsonObject): boolean {
  const id = statedId(reading, from, '$');
  const parent = parentOf(reading, from, '$', id);
  if (parent === undefined) return false;
  if (parent.object !== undefined && (parent.type === 'EventSeries' || seriesType(parent.type) === undefined))
    return false;
  sessionOfParent(reading, from, 'Event', id, parent);
  return true;
}
