import {
  type Details,
  inherit,
  type Schedule,
  type Series,
  type Session,
  statusIn,
} from '../../opportunity/records.ts';
import { occurrences, overlaySessions } from '../../recurrence/overlay.ts';
import { DAY_MS } from '../../time/days.ts';
import { type Instant, utcDate } from '../../time/instant.ts';
import { currentTimes } from '../wording/partial-schedules.ts';
import { locationOf } from '../wording/wording.ts';
import { changedDates, newPlace, type ShownDate, type ShownPlace } from './changed-dates.ts';
import type { Change } from './changes.ts';

/** A series with those of its sessions that may have changed. */
interface SeriesDates {
  series: Series;
  sessions: readonly Session[];
}

/**
 * The changes of the dates of a series from now on: of rules in words, of sessions one by one. Pure.
 *
 * @example
 * ```ts
 * const changes = changesOf({ series, sessions: [] }, { series: moved, sessions: [] }, { now, horizonDays: 365 });
 * ```
 */
export function changesOf(
  was: SeriesDates,
  now: SeriesDates,
  { now: at, horizonDays }: { now: Instant; horizonDays: number },
): readonly Change[] {
  const ofSeries = was.series === now.series ? [] : seriesChanges(was.series, now.series, at);
  const isRescheduled = ofSeries.some(({ what }) => what === 'schedule');
  const dates = [shownDates(was), shownDates(now)] as const;
  if (!isRescheduled) addInstances(dates, was, now, { from: at, to: at + horizonDays * DAY_MS });
  // The words of new rules cover their instances: sessions that replace an instance are not listed beside them.
  const listed = isRescheduled ? dates.map((list) => list.filter(({ instance }) => instance === undefined)) : dates;
  const [before = [], after = []] = listed;
  const whole = new Set(ofSeries.map(({ what }) => what));
  const ofDates = changedDates(before, after).filter(
    (change) => !whole.has(change.what) && Math.max(change.start ?? 0, change.was ?? 0) >= at,
  );
  return [...ofSeries, ...ofDates];
}

function shownDates({ series, sessions }: SeriesDates): ShownDate[] {
  const place = shownPlace(series.details);
  const { sessions: all, matches } = overlaySessions(series, sessions);
  return all.map((session) => {
    const match = matches.get(session.id);
    return {
      id: session.id,
      start: session.start,
      end: session.end === session.start ? undefined : session.end,
      allDay: session.allDay,
      state: stateOf(series, session),
      ...(saysWhere(session.details) ? shownPlace(inherit(series.details, session.details, true)) : place),
      name: session.details.name === series.details.name ? undefined : session.details.name,
      instance: match && instanceId(match.schedule, match.start),
    };
  });
}

const instanceId = (schedule: number, start: Instant): string => `${schedule} ${start}`;

function stateOf(series: Series, session?: Session): ShownDate['state'] {
  const status = statusIn(series, session);
  if (status === 'EventCancelled') return 'cancelled';
  return status === 'EventPostponed' ? 'postponed' : 'on';
}

const saysWhere = ({ location, room, attendance, virtualLocation }: Details): boolean =>
  (location ?? room ?? attendance ?? virtualLocation) !== undefined;

/** `Studio 2, Harbour Lane` */
function shownPlace(details: Details): ShownPlace {
  const { title, address } = locationOf(details) ?? {};
  const parts = [details.room, title].filter((part) => part !== undefined);
  return { place: parts.length === 0 ? undefined : parts.join(', '), address };
}

/** Adds instances that a session replaces on one side alone; all instances where the rules differ and their words do not. */
function addInstances(
  [before, after]: readonly [ShownDate[], ShownDate[]],
  was: SeriesDates,
  now: SeriesDates,
  window: { from: Instant; to: Instant },
): void {
  if (!was.series.schedules.some(({ expandable }) => expandable)) return;
  const isSame =
    was.series === now.series || JSON.stringify(was.series.schedules) === JSON.stringify(now.series.schedules);
  const ids = new Set([...before, ...after].flatMap(({ instance }) => instance ?? []));
  if (isSame && ids.size === 0) return;
  const [ofWas, ofNow] = isSame ? instancesById(was, ids) : [instancesOf(was, window), instancesOf(now, window)];
  const taken = (list: readonly ShownDate[]) => new Set(list.map(({ instance }) => instance));
  const [takenWas, takenNow] = [taken(before), taken(after)];
  before.push(...ofWas.filter(({ id }) => !takenWas.has(id)));
  after.push(...ofNow.filter(({ id }) => !takenNow.has(id)));
}

/** The instances with these ids, as two lists of separate objects. Their starts are read from the ids. */
function instancesById({ series }: SeriesDates, ids: ReadonlySet<string>): [ShownDate[], ShownDate[]] {
  const starts = [...ids].map((id) => Number(id.split(' ')[1]));
  const window = { from: Math.min(...starts), to: Math.max(...starts) + 1 };
  const found = instancesOf({ series, sessions: [] }, window).filter(({ id }) => ids.has(id));
  return [found, found.map((date) => ({ ...date }))];
}

/** Most instances of one series that are compared. */
const MOST_INSTANCES = 1000;

function instancesOf({ series }: SeriesDates, { from, to }: { from: Instant; to: Instant }): ShownDate[] {
  const [state, place] = [stateOf(series), shownPlace(series.details)];
  return occurrences(series, [], from, to, MOST_INSTANCES).map(({ start, end, schedule = 0 }) => ({
    id: instanceId(schedule, start),
    start,
    end: end === start ? undefined : end,
    state,
    ...place,
  }));
}

/** Changes of all dates together: their status, their place, and the rules in words. */
function seriesChanges(was: Series, now: Series, at: Instant): Change[] {
  const changes: Change[] = [];
  const [stateWas, state] = [stateOf(was), stateOf(now)];
  if (stateWas !== state) changes.push({ what: state === 'on' ? 'reinstated' : state });
  const places = newPlace(shownPlace(was.details), shownPlace(now.details));
  if (places !== undefined) changes.push({ what: 'place', ...places });
  const [wordsWas, words] = [ruleWords(was, at), ruleWords(now, at)];
  if (wordsWas.join('\n') !== words.join('\n')) {
    const gone = wordsWas.filter((one) => !words.includes(one));
    changes.push({ what: 'schedule', words: words.filter((one) => !wordsWas.includes(one)), wasWords: gone });
  }
  return changes;
}

function ruleWords({ schedules }: Series, at: Instant): string[] {
  const today = utcDate(at);
  const hasEnded = ({ endDate = today }: Schedule): boolean => endDate < today;
  const current = schedules.filter((schedule) => schedule.expandable && !hasEnded(schedule));
  return currentTimes(current, undefined);
}
