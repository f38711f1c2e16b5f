import { itemStandIn, statedId } from '../identity.ts';
import { emit, note, type Part } from '../item/reading.ts';
import type { SeriesType } from '../records.ts';
import { embeddedSeries, type Parent, parentOf, readSeries, seriesType } from './series.ts';
import { hasParts, mayReplace, noteNoSpan, readSession } from './session.ts';
import { spanOf, spanWithoutStart } from './span.ts';
import { eventWithin } from './sub-events.ts';

/** A ScheduledSession item: one session of the series that its `superEvent` is. */
export function sessionItem(part: Part): void {
  const id = statedId(part);
  sessionOfParent(part, 'ScheduledSession', id, parentOf(part, id));
}

function sessionOfParent(part: Part, type: string, id: string | undefined, parent: Parent | undefined): void {
  const usual = type === 'ScheduledSession' ? 'SessionSeries' : 'Event';
  const series = parent?.part === undefined ? parent?.id : embeddedSeries(parent, usual);
  if (series === undefined) note(part, 'session-without-series');
  if (id === undefined) note(part, 'id-missing', { type });
  const span = spanOf(part);
  if (typeof span === 'string') noteNoSpan(part, span);
  if (typeof span === 'string' && !mayReplace(id, part.from)) return;
  const known = typeof span === 'string' ? spanWithoutStart(part) : span;
  const frame = { id: id ?? itemStandIn(part, type), idStated: id !== undefined, type, series, span: known };
  const session = readSession(part, frame);
  if (type === 'Event' && series !== undefined && typeof span !== 'string') {
    ownSeries(part);
    session.ownSeries = true;
  }
  emit(part, session, 2);
}

/** An Event that is complete by itself is shown where the series that it names is not there (semantics 2). */
function ownSeries(part: Part): void {
  const fallback = () => itemStandIn(part, 'Event');
  const { series } = readSeries(part, { type: 'Event', fallback, single: true, depth: 0 });
  const { parent: _, statusStated: __, ...own } = series;
  emit(part, { ...own, untilJoined: true }, 2);
}

/** An item of the Event family: a series of its own with what is in it, one session of a series, or both in one. */
export function eventItem(part: Part, type: SeriesType): void {
  const parts = hasParts(part.from);
  if (type === 'Event' && parts) note(part, 'event-with-schedule');
  if (type === 'Event' && !parts && sessionOfSeries(part)) return;
  const fallback = () => itemStandIn(part, type);
  const { series, parts: events } = eventWithin(part, { type, fallback, depth: 0 }, 2);
  if (events > 0 || series.schedules.length > 0 || type === 'EventSeries') return;
  if (type === 'SessionSeries') note(part, 'series-without-schedule');
  else note(part, 'series-without-time', { type });
}

/** Reads a plain Event that belongs to a series; false: it stands for itself, as under an EventSeries. */
function sessionOfSeries(part: Part): boolean {
  const id = statedId(part);
  const parent = parentOf(part, id);
  if (parent === undefined) return false;
  if (parent.part !== undefined && (parent.type === 'EventSeries' || seriesType(parent.type) === undefined))
    return false;
  sessionOfParent(part, 'Event', id, parent);
  return true;
}
