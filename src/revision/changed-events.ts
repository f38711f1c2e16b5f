import { seriesCalendar } from '../calendar/header.ts';
import type { Calendar } from '../calendar/objects.ts';
import { composeSeries } from '../calendar/series/compose.ts';
import { storedForm } from '../calendar/series/last-series.ts';
import { planSeries } from '../calendar/series/plan.ts';
import type { RawFinding } from '../opportunity/findings.ts';
import type { Session } from '../opportunity/records.ts';
import { sha256 } from '../platform/hash.ts';
import type { EventStamps } from '../store/index.ts';
import { type Instant, wholeSecond } from '../time/instant.ts';
import type { ShownSeries } from './context.ts';

/** Compares the events of a calendar with their stored stamps, UID by UID (semantics 6). */

/** Stamps by UID. The hash is undefined where this transaction made the stamp: the event is unchanged since. */
export type KnownStamps = Record<string, [hash: string | undefined, sequence: number, changed: Instant]>;

export interface Next {
  revision: number;
  changed: Instant;
}

/** The stamps of all present events, and the UIDs that changed. */
interface StampedEvents {
  stamps: EventStamps;
  changed: string[];
  added: string[];
  gone: string[];
  /** Whether any UID changed, was added or went. */
  differ: boolean;
}

interface ChangedEvents extends StampedEvents {
  /** Hash of the present header. */
  header: string;
  headerDiffers: boolean;
  findings: RawFinding[];
}

/** The stamps and the header of a series' calendar before a change. */
interface ShownBefore {
  stamps: KnownStamps;
  /** Hash of the header; undefined: this transaction made the calendar. */
  header: string | undefined;
}

/** A series as it is now: `whole` where its Schedules or its size make events depend on one another. */
interface SeriesNow extends ShownSeries {
  sessions: readonly Session[];
  unread: number;
  whole: boolean;
}

/** Plans the whole series, and compares each UID with its stamp. Fast paths must give the same result. */
export function changedEvents(before: ShownBefore, now: SeriesNow, next: Next): ChangedEvents {
  const { calendar, findings } = composed(now);
  const header = headerHash(calendar);
  const headerDiffers = before.header !== undefined && before.header !== header;
  return { ...stampsAfter(before.stamps, calendar.events, next), header, headerDiffers, findings };
}

function composed({ series, sessions, options, unread, whole }: SeriesNow): {
  calendar: Calendar;
  findings: RawFinding[];
} {
  if (whole) return composeSeries(series, sessions, { ...options, unread });
  const { events, findings } = planSeries(series, sessions, options);
  return { calendar: seriesCalendar(series, events, options), findings };
}

/** Stamps of the present events: an event that is unchanged keeps its stamp. */
export function stampsAfter(before: KnownStamps, shown: readonly { uid: string }[], next: Next): StampedEvents {
  const stamps: EventStamps = {};
  const changed: string[] = [];
  const added: string[] = [];
  for (const [uid, events] of Map.groupBy(shown, (event) => event.uid)) {
    const hash = eventHash(events);
    const known = before[uid];
    if (known !== undefined && (known[0] === hash || known[0] === undefined)) stamps[uid] = [hash, known[1], known[2]];
    else {
      stamps[uid] = [hash, next.revision, next.changed];
      (known === undefined ? added : changed).push(uid);
    }
  }
  const gone = Object.keys(before).filter((uid) => stamps[uid] === undefined);
  return { stamps, changed, added, gone, differ: changed.length + added.length + gone.length > 0 };
}

/**
 * Hashes the events of one UID, master and overrides, without their stamps. It differs exactly when their served text
 * does (semantics 6). The planner makes its objects the same way each time, so that the order of properties is stable.
 */
export function eventHash(events: readonly object[]): string {
  return sha256(JSON.stringify(events.map(storedForm)), 'base64url').slice(0, 27);
}

/** Hash of the header of a series' calendar, which does not depend on its events, unless there are too many. */
export function headerOf({ series, options }: ShownSeries): string {
  return headerHash(seriesCalendar(series, [], options));
}

function headerHash({ events: _, ...header }: Calendar): string {
  return eventHash([header]);
}

/** The revision after `last`, at least a second later: Last-Modified has whole seconds (feed rule 18). */
export function nextRevision(last: Next | undefined, now: Instant): Next {
  const second = wholeSecond(now);
  if (last === undefined) return { revision: 0, changed: second };
  return { revision: last.revision + 1, changed: Math.max(second, last.changed + 1000) };
}

/** The largest revision and the latest time of several calendars, which the next revision must exceed. */
export function latest(...before: (Next | undefined)[]): Next | undefined {
  const known = before.filter((one) => one !== undefined);
  if (known.length === 0) return undefined;
  return {
    revision: Math.max(...known.map(({ revision }) => revision)),
    changed: Math.max(...known.map(({ changed }) => changed)),
  };
}
