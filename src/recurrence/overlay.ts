import { compareText } from '../opportunity/ids.ts';
import { type EventStatus, type Series, type Session, statusIn, type TimedSession } from '../opportunity/records.ts';
import type { Instant, InstantWindow } from '../time/instant.ts';
import { type Instance, instancesOf } from './expand.ts';
import { type Replacement, replacements, type Source, sourcesOf } from './replacements.ts';
import { type EarlierInstance, earlierOf } from './same-instance.ts';
import { templateFiller } from './templates.ts';

/** The generated instance that an explicit session replaces. */
export interface Match extends Pick<Replacement, 'wall' | 'start' | 'how' | 'takesTime'> {
  /** `Schedule.index`. */
  schedule: number;
}

/** One occurrence of a series as a reader of the feed sees it. */
export interface Occurrence {
  /** `@id`: filled from the template, or the session's if it states one. */
  id?: string;
  type: string;
  start: Instant;
  /** `start` itself when the length is unknown. */
  end: Instant;
  /** Whole days: `start` and `end` are midnights in UTC of local dates. */
  allDay?: true;
  url?: string;
  name?: string;
  status: EventStatus;
  source: 'generated' | 'explicit';
  /** `Schedule.index` of the Schedule that generates it, or whose instance the explicit session replaces. */
  schedule?: number;
  /** Start of the generated instance, also where the explicit session has moved. */
  original?: Instant;
  /** `Session.id` of an explicit occurrence: its `@id` or a stand-in id. */
  session?: string;
}

/**
 * The generated instance that each explicit session of the series replaces (semantics 4), by `Session.id`.
 *
 * @example
 * ```ts
 * const match = matchSessions(series, sessions).get('https://example.org/sessions/1');
 * ```
 */
export function matchSessions(series: Series, sessions: readonly Session[]): Map<string, Match> {
  return overlaySessions(series, sessions).matches;
}

/** The sessions of a series, with the generated instances that they replace. */
export interface Overlay {
  /** Sessions with a time, in the order given. A session takes the parts that it does not state from its instance. */
  sessions: readonly TimedSession[];
  /** By `Session.id`. */
  matches: Map<string, Match>;
}

/** Explicit sessions over the generated instances of their series, each with the instance that it replaces, if any. */
export function overlaySessions(series: Series, sessions: readonly Session[]): Overlay {
  const matches = new Map<string, Match>();
  const found = replacements(sourcesOf(series), sessions);
  for (const [id, { source, wall, start, how, takesTime }] of found) {
    matches.set(id, { schedule: source.schedule.index, wall, start, how, takesTime });
  }
  return { sessions: withoutCovered(series, timed(sessions, found)), matches };
}

/** Sessions with a time: their own, or that of the instance they replace. A session with neither is left out. */
export function timed(sessions: readonly Session[], found: ReadonlyMap<string, Replacement>): readonly TimedSession[] {
  if (found.size === 0 && sessions.every(isTimed)) return sessions;
  return sessions.flatMap((session) => found.get(session.id)?.session ?? (isTimed(session) ? session : []));
}

/** Whether a session is the event of a HeadlineEvent itself, beside its parts (semantics 4.9). `count`: of all sessions. */
export function isBesideParts(series: Series, { id }: Session, count: number): boolean {
  return count > 1 && series.type === 'HeadlineEvent' && id === series.id;
}

/** Sessions, without the event of a HeadlineEvent itself where a part takes place at the same times. */
export function withoutCovered(series: Series, sessions: readonly TimedSession[]): readonly TimedSession[] {
  const headline = sessions.find((session) => isBesideParts(series, session, sessions.length));
  const isPart = (one: TimedSession) => one !== headline && one.start === headline?.start && one.end === headline.end;
  return sessions.some(isPart) ? sessions.filter((one) => one !== headline) : sessions;
}

/** Whether a session says when it starts. */
export function isTimed(session: Session): session is TimedSession {
  return session.start !== undefined;
}

/**
 * The occurrences of a series that overlap [from, to), explicit sessions over generated ones (semantics 4), sorted by
 * start, then id. `series.details` must be the effective ones (inherited). At most `limit` of them are generated.
 *
 * @example
 * ```ts
 * const march = occurrences(series, sessions, Date.UTC(2026, 2, 1), Date.UTC(2026, 3, 1));
 * ```
 */
export function occurrences(
  series: Series,
  sessions: readonly Session[],
  from: Instant,
  to: Instant,
  limit: number = Number.POSITIVE_INFINITY,
): Occurrence[] {
  const sources = sourcesOf(series);
  const replaced = replacements(sources, sessions);
  const found = generated(series, sources, replaced, { from, to, limit });
  for (const session of withoutCovered(series, timed(sessions, replaced))) {
    if (overlaps(session.start, session.end ?? session.start, from, to)) {
      found.push(explicit(series, session, replaced.get(session.id)));
    }
  }
  return found.sort(compareOccurrences);
}

type Replacements = ReadonlyMap<string, Replacement>;

type Window = InstantWindow & { limit: number };

/** The instances of all Schedules that are occurrences, within a window. */
function generated(series: Series, sources: Source[], replaced: Replacements, window: Window): Occurrence[] {
  const found: Occurrence[] = [];
  const makers = new Map(sources.map((source) => [source, maker(series, source)]));
  judge(sources, replaced, window, {
    isFull: () => found.length >= window.limit,
    shown: (source, instance) => found.push((makers.get(source) as Maker)(instance)),
  });
  return found;
}

/** Receives the verdict on each instance in a window. */
export interface Verdicts {
  isFull?(): boolean;
  shown(source: Source, instance: Instance): void;
  /** An exclusion removes the instance. */
  excepted?(source: Source, instance: Instance): void;
  /** An earlier schedule gives the same occurrence. */
  repeated?(source: Source, instance: Instance, earlier: EarlierInstance): void;
  /** `by`: the explicit session that replaces the instance. */
  hidden?(source: Source, instance: Instance, by: Replacement): void;
}

/** Decides whether each generated instance that overlaps [from, to) is an occurrence of the series (semantics 3, 4). */
export function judge(
  sources: readonly Source[],
  replaced: Replacements,
  { from, to }: Pick<Window, 'from' | 'to'>,
  receiver: Verdicts,
): void {
  const hidden = new Map(
    [...replaced.values()].map((replacement) => [
      `${replacement.source.schedule.index} ${replacement.start}`,
      replacement,
    ]),
  );
  for (const source of sources) {
    for (const instance of instancesOf(source, from, to)) {
      if (receiver.isFull?.()) return;
      if (instance.excluded) {
        receiver.excepted?.(source, instance);
        continue;
      }
      const earlier = earlierOf(source, instance.start);
      const by = hidden.get(`${source.schedule.index} ${instance.start}`);
      if (earlier !== undefined) receiver.repeated?.(source, instance, earlier);
      else if (by === undefined) receiver.shown(source, instance);
      else receiver.hidden?.(source, instance, by);
    }
  }
}

export type Maker = (instance: Pick<Instance, 'start' | 'end'>) => Occurrence;

/** Makes the occurrences of one schedule. */
export function maker(series: Series, { schedule }: Pick<Source, 'schedule'>): Maker {
  const id = schedule.idTemplate === undefined ? undefined : templateFiller(schedule.idTemplate);
  const url = schedule.urlTemplate === undefined ? undefined : templateFiller(schedule.urlTemplate);
  const { name } = series.details;
  const status = statusIn(series);
  return ({ start, end }) => ({
    ...(id && { id: id(start, end) }),
    type: schedule.eventType,
    start,
    end,
    ...(url && { url: url(start, end) }),
    ...(name !== undefined && { name }),
    status,
    source: 'generated',
    schedule: schedule.index,
    original: start,
  });
}

/** "The explicit one is used in its entirety": the occurrence of a session takes nothing else from its instance. */
export function explicit(series: Series, session: TimedSession, replacement: Replacement | undefined): Occurrence {
  const name = session.details.name ?? series.details.name;
  return {
    ...sessionOccurrence(session),
    status: statusIn(series, session),
    ...(name !== undefined && { name }),
    ...(replacement && { schedule: replacement.source.schedule.index, original: replacement.start }),
  };
}

/** The occurrence of an explicit session by itself, as a session without a series is listed. */
export function sessionOccurrence(session: TimedSession): Occurrence {
  const { url, details } = session;
  return {
    ...(session.idStated && { id: session.id }),
    type: session.type,
    start: session.start,
    end: session.end ?? session.start,
    ...(session.allDay && { allDay: true }),
    ...(url !== undefined && { url }),
    ...(details.name !== undefined && { name: details.name }),
    status: session.status,
    source: 'explicit',
    session: session.id,
  };
}

/** The overlap test of every list: start < to and end > from; without length, from ≤ start < to. */
export function overlaps(start: Instant, end: Instant, from: Instant, to: Instant): boolean {
  return start < to && (end > start ? end > from : start >= from);
}

/** Orders by start, then id (none first), then by what does not depend on the order of arrival. */
export function compareOccurrences(a: Occurrence, b: Occurrence): number {
  return (
    a.start - b.start ||
    compareText(a.id, b.id) ||
    compareText(a.session, b.session) ||
    (a.schedule ?? -1) - (b.schedule ?? -1)
  );
}
