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
  /** Made by a schedule, and nothing says otherwise. */
  | 'generated'
  /** Taken away by an exclusion, such as an `exceptDate`. */
  | 'excepted'
  /** An earlier schedule gives an occurrence with the same start and end. */
  | 'same-as-earlier-schedule'
  /** An earlier schedule gives an occurrence with the same `@id` and start, and another end. */
  | 'same-id-as-earlier-schedule'
  /** A session stands for it, and says when it is. */
  | 'replaced-by-session'
  /** A session stands for it, at another time. */
  | 'moved-by-session'
  /** A session that stands for an instance: it has its `@id`, or there are no ids and it has its start. */
  | 'replaces-by-id'
  | 'replaces-by-start'
  /** … or its `@id` but for fractions of a second, or it has no `@id` and its start. */
  | 'replaces-by-near-id'
  | 'replaces-without-id'
  /** … and is not when the rule has it. */
  | 'moved'
  /** … and `previousStartDate` says which instance it was. */
  | 'moved-by-previous-start'
  /** A session of a series without a schedule that may be expanded. */
  | 'no-schedule'
  /** The own event of a HeadlineEvent: a part of it takes place at the same times. */
  | 'same-as-part'
  /** A session for an instance that another session stands for already. */
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
  /** Whether it is one of `occurrences()`. */
  shown: boolean;
  because: OccurrenceCode;
  /** Generated instances. */
  instance?: Instance;
  /** The session it is, or that stands for it. */
  session?: TimedSession;
  /** What the session does not say of its time is that of the instance. */
  takesTime?: boolean;
  /** What takes it away. */
  exclusion?: Exclusion;
  /** `Schedule.index` of the schedule that gives the same. */
  earlier?: number;
}

/**
 * Every instance of every schedule that overlaps [from, to), each exactly once, and every session that does: shown or
 * not, and why. What is shown is what `occurrences` gives, in its order. `series.details` must be the effective ones.
 */
export function verdicts(series: Series, sessions: readonly Session[], from: Instant, to: Instant): Verdict[] {
  const sources = sourcesOf(series);
  const replaced = replacements(sources, sessions);
  const found = ofSchedules(series, sources, replaced, from, to);
  const whyAlone = loner(sources);
  const all = timed(sessions, replaced);
  const kept = new Set(withoutCovered(series, all));
  for (const session of all) {
    if (!overlaps(session.start, session.end ?? session.start, from, to)) continue;
    const replacement = replaced.get(session.id);
    const shown = kept.has(session);
    const because = !shown ? 'same-as-part' : replacement === undefined ? whyAlone(session) : roleOf(replacement);
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

function ofSchedules(
  series: Series,
  sources: readonly Source[],
  replaced: ReadonlyMap<string, Replacement>,
  from: Instant,
  to: Instant,
): Verdict[] {
  const found: Verdict[] = [];
  const makers = new Map(sources.map((source) => [source, maker(series, source)]));
  const add = (source: Source, instance: Instance, rest: Omit<Verdict, 'occurrence' | 'instance'>) => {
    const make = makers.get(source) as (one: Instance) => Occurrence;
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

function roleOf({ session, start, how }: Replacement): OccurrenceCode {
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

/** Why a session stands for no instance, by the tests that `replacements` put it to. */
function loner(sources: readonly Source[]): (session: TimedSession) => OccurrenceCode {
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

/** The starts that a session's `@id` has, read with each template it fits. */
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
