import type { Series, Session, TimedSession } from '../opportunity/records.ts';
import type { Instant } from '../time/instant.ts';
import type { Exclusion } from './excluded.ts';
import { type Instance, wallOfInstance } from './expand.ts';
import {
  compareOccurrences,
  explicit,
  judge,
  maker,
  type Occurrence,
  overlaps,
  timed,
  withoutCovered,
} from './overlay.ts';
import {
  finder,
  type HowMatched,
  type Replacement,
  replacements,
  type Source,
  sourcesOf,
  startBefore,
} from './replacements.ts';
import { canonicalId } from './templates.ts';

/** Why a generated instance, or an explicit session, is or is not an occurrence of its series (semantics 3 and 4). */
export type OccurrenceCode =
  /** A schedule generates it, and no exclusion, earlier schedule or session changes it. */
  | 'generated'
  /** An exclusion, such as an `exceptDate`, removes it. */
  | 'excepted'
  /** An earlier schedule gives an occurrence with the same start and end. */
  | 'same-as-earlier-schedule'
  /** An earlier schedule gives an occurrence with the same `@id` and start, and another end. */
  | 'same-id-as-earlier-schedule'
  /** A session with the same start replaces it. */
  | 'replaced-by-session'
  /** A session with another start replaces it. */
  | 'moved-by-session'
  /** A session replaces an instance of its `@id`; or of its start, where the schedule has no `idTemplate`. */
  | 'replaces-by-id'
  | 'replaces-by-start'
  /** A session replaces an instance of its `@id` but for fractions of a second; or of its start, where it has no `@id`. */
  | 'replaces-by-near-id'
  | 'replaces-without-id'
  /** A session replaces an instance, and starts at another time. */
  | 'moved'
  /** A session replaces the instance that starts at its `previousStartDate`. */
  | 'moved-by-previous-start'
  /** A session of a series without a schedule that may be expanded. */
  | 'no-schedule'
  /** The event of a HeadlineEvent itself: one of its parts takes place at the same times. */
  | 'same-as-part'
  /** A session for an instance that another session replaces. */
  | 'second-session'
  /** A session for an instance that is excluded: the replacement for an excepted date. */
  | 'instance-excepted'
  /** The `@id` fits the template, but the rule has no instance at the time in it: a leftover of an earlier schedule. */
  | 'id-of-no-instance'
  /** The `@id` fits no template. */
  | 'id-fits-no-template'
  /** No schedule has an instance when it starts. */
  | 'start-of-no-instance'
  /** A session whose series is not in the input. */
  | 'series-missing';

/** One row of an explanation: an instance of a schedule, or an explicit session. */
export interface Verdict {
  /** The occurrence as it is listed, or would have been. */
  occurrence: Occurrence;
  /** Whether `occurrences` lists it. */
  shown: boolean;
  because: OccurrenceCode;
  /** The generated instance; absent in the row of a session. */
  instance?: Instance;
  /** The session of this row, or the one that replaces its instance. */
  session?: TimedSession;
  /** The session takes a part of its time from the instance. */
  takesTime?: boolean;
  /** The exclusion that removes the instance. */
  exclusion?: Exclusion;
  /** `Schedule.index` of the earlier schedule that gives the same instance. */
  earlier?: number;
}

/**
 * One row for each instance and each session that overlaps [from, to): whether it is shown, and why. The rows shown are
 * those of `occurrences`, in its order. `series.details` must be the effective ones.
 */
export function verdicts(series: Series, sessions: readonly Session[], from: Instant, to: Instant): Verdict[] {
  const sources = sourcesOf(series);
  const replaced = replacements(sources, sessions);
  const found = instanceVerdicts(series, sources, replaced, from, to);
  const whyAlone = unmatchedReason(sources);
  const all = timed(sessions, replaced);
  const kept = new Set(withoutCovered(series, all));
  for (const session of all) {
    if (!overlaps(session.start, session.end ?? session.start, from, to)) continue;
    const replacement = replaced.get(session.id);
    const shown = kept.has(session);
    const because = !shown ? 'same-as-part' : replacement === undefined ? whyAlone(session) : matchCode(replacement);
    const takesTime = replacement?.takesTime === true;
    found.push({
      occurrence: explicit(series, session, replacement),
      shown,
      because,
      session,
      ...(takesTime && { takesTime }),
    });
  }
  return found.sort((a, b) => compareOccurrences(a.occurrence, b.occurrence));
}

function instanceVerdicts(
  series: Series,
  sources: readonly Source[],
  replaced: ReadonlyMap<string, Replacement>,
  from: Instant,
  to: Instant,
): Verdict[] {
  const found: Verdict[] = [];
  const makers = new Map(sources.map((source) => [source, maker(series, source)]));
  const add = (source: Source, instance: Instance, rest: Omit<Verdict, 'occurrence' | 'instance'>) => {
    const make = makers.get(source) as (instance: Instance) => Occurrence;
    found.push({ occurrence: make(instance), instance, ...rest });
  };
  judge(
    sources,
    replaced,
    { from, to },
    {
      shown: (source, instance) => add(source, instance, { shown: true, because: 'generated' }),
      excepted: (source, instance) => {
        const exclusion = source.exclusion(instance.start, instance.wall);
        add(source, instance, { shown: false, because: 'excepted', ...(exclusion && { exclusion }) });
      },
      repeated: (source, instance, { by, same }) => {
        const because = same === '@id' ? 'same-id-as-earlier-schedule' : 'same-as-earlier-schedule';
        add(source, instance, { shown: false, because, earlier: by.schedule.index });
      },
      hidden: (source, instance, { session }) => {
        const because = session.start === instance.start ? 'replaced-by-session' : 'moved-by-session';
        add(source, instance, { shown: false, because, session });
      },
    },
  );
  return found;
}

function matchCode({ session, start, how }: Replacement): OccurrenceCode {
  if (session.start === start) return REPLACES[how];
  return how === 'previous-start' ? 'moved-by-previous-start' : 'moved';
}

const REPLACES: Record<HowMatched, OccurrenceCode> = {
  id: 'replaces-by-id',
  start: 'replaces-by-start',
  'near-id': 'replaces-by-near-id',
  'start-alone': 'replaces-without-id',
  'previous-start': 'moved-by-previous-start',
};

/** Why a session replaces no instance, by the tests of `replacements`. */
function unmatchedReason(sources: readonly Source[]): (session: TimedSession) => OccurrenceCode {
  const find = finder(sources);
  return (session) => {
    if (sources.length === 0) return 'no-schedule';
    if (find(session) !== undefined) return 'second-session';
    const named = session.idStated ? namedStarts(sources, session) : [];
    const plain = sources.filter(({ read }) => read === undefined).map((source) => ({ source, start: session.start }));
    if ([...named, ...plain].some(isExcepted)) return 'instance-excepted';
    if (named.length > 0) return 'id-of-no-instance';
    return plain.length > 0 ? 'start-of-no-instance' : 'id-fits-no-template';
  };
}

interface NamedStart {
  source: Source;
  start: Instant;
}

/** The starts that a session's `@id` names, by each template that it fits. */
function namedStarts(sources: readonly Source[], session: TimedSession): NamedStart[] {
  const canonical = canonicalId(session.id);
  return sources.flatMap((source) => {
    const filled = source.read?.(canonical);
    if (filled === undefined) return [];
    const { start, end } = filled;
    return [{ source, start: start ?? (end === undefined ? session.start : startBefore(source, end)) }];
  });
}

function isExcepted({ source, start }: NamedStart): boolean {
  const wall = wallOfInstance(source, start);
  return wall !== undefined && source.excludes(start, wall);
}
