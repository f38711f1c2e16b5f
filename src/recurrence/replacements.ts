import type { Series, Session, TimedSession } from '../opportunity/records.ts';
import type { Instant } from '../time/instant.ts';
import type { Wall } from '../time/zone.ts';
import { instancesOf, wallOfInstance } from './expand.ts';
import { earlierOf, endAt, type OrderedSchedule, orderedSchedules } from './same-instance.ts';
import { canonicalId, type Filled, skeleton, templateReader, withoutFractions } from './templates.ts';

/** Which generated instance an explicit session replaces (semantics 4). */

/** A schedule of a series, with a reader of the ids that its `idTemplate` makes. */
export interface Source extends OrderedSchedule {
  read: ((canonical: string) => Filled | undefined) | undefined;
}

/** The schedules of a series that may be expanded. At most MAX_EXPANDED are, so a session may be compared with each. */
export function sourcesOf(series: Series): Source[] {
  return orderedSchedules(series).map((ordered) => {
    const { idTemplate } = ordered.schedule;
    return { ...ordered, read: idTemplate === undefined ? undefined : templateReader(idTemplate) };
  });
}

/**
 * How a session matches an instance, the closest match first. `id`: equal `@id`s. `start`: equal starts, and the Schedule has
 * no `idTemplate`. `near-id`: equal `@id`s but for fractions of a second. `start-alone`: equal starts, and the session has no
 * `@id`. `previous-start`: the session's `previousStartDate` is the start of the instance.
 */
const CLOSENESS = ['id', 'start', 'near-id', 'start-alone', 'previous-start'] as const;
export type HowMatched = (typeof CLOSENESS)[number];

/** An explicit session with the generated instance it stands for. */
export interface Replacement {
  /** The parts of its time that the session does not state are those of the instance (semantics 4.7). */
  session: TimedSession;
  source: Source;
  wall: Wall;
  start: Instant;
  how: HowMatched;
  /** Whether the time of the session is, in part, that of the instance. */
  takesTime: boolean;
}

/** Replacements by `Session.id`, one for each instance: `comesBefore` chooses from several sessions; the others stand alone. */
export function replacements(sources: readonly Source[], sessions: readonly Session[]): Map<string, Replacement> {
  const best = new Map<string, Replacement>();
  if (sources.length === 0) return best;
  const find = finder(sources);
  for (const session of sessions) {
    const found = find(session);
    if (found === undefined) continue;
    const replacement = replacementOf(session, found, shownSource(sources, session, found));
    const key = `${replacement.start} ${replacement.source.schedule.index}`;
    const other = best.get(key);
    if (other === undefined || comesBefore(replacement, other)) best.set(key, replacement);
  }
  return new Map([...best.values()].map((replacement) => [replacement.session.id, replacement]));
}

/**
 * The schedule whose instance a session replaces: the shown one of several schedules that give the same instance. Where
 * only starts are equal, the schedule whose instance also ends with the session.
 */
function shownSource(sources: readonly Source[], session: Session, { source, start, how }: FoundInstance): Source {
  const shown = (one: Source): Source => {
    const earlier = earlierOf(one, start);
    return sources.find(({ schedule }) => schedule === earlier?.by.schedule) ?? one;
  };
  if (session.end === undefined || (how !== 'start' && how !== 'start-alone')) return shown(source);
  const together = how === 'start' ? sources.filter(({ read }) => read === undefined) : sources;
  return shown(together.find((one) => endAt(one, start) === session.end) ?? source);
}

function replacementOf(session: Session, { start, how, ...found }: FoundInstance, source: Source): Replacement {
  const timed = withInstanceTimes(session, start, (endAt(source, start) ?? start) - start);
  // Schedules of different zones give one instant at different wall times.
  const wall = source === found.source ? found.wall : (wallOfInstance(source, start) ?? found.wall);
  return { session: timed, source, wall, start, how, takesTime: timed !== session };
}

/** The session with a start and a length: those of the instance where it states none (semantics 4.7). */
export function withInstanceTimes(session: Session, instanceStart: Instant, instanceLength: number): TimedSession {
  const { start = instanceStart, length = instanceLength } = session;
  // An end that is stated without a start may be before the start of the instance.
  const stated = session.end !== undefined && session.end > start ? session.end : undefined;
  const end = stated ?? (length > 0 ? start + length : undefined);
  if (session.start === start && session.end === end) return session as TimedSession;
  return { ...session, start, ...(end !== undefined && { end }) };
}

/** Orders sessions for one instance: the closer match, then the session that has not moved, then the first by id. */
function comesBefore(replacement: Replacement, other: Replacement): boolean {
  const closer = CLOSENESS.indexOf(replacement.how) - CLOSENESS.indexOf(other.how);
  if (closer !== 0) return closer < 0;
  const unmoved = replacement.session.start === replacement.start;
  if (unmoved !== (other.session.start === other.start)) return unmoved;
  return replacement.session.id < other.session.id;
}

/** An instance of a schedule, and how it was found. */
export type FoundInstance = Pick<Replacement, 'source' | 'wall' | 'start' | 'how'>;
type InstancePlace = Omit<FoundInstance, 'how'>;

/** Finds the instance of a session: by its `@id` where templates make ids, else by when it starts, or was to start. */
export function finder(sources: readonly Source[]): (session: Session) => FoundInstance | undefined {
  const templated = Map.groupBy(
    sources.filter(({ read }) => read !== undefined),
    ({ schedule }) => skeleton(canonicalId(schedule.idTemplate ?? '')),
  );
  const plain = sources.filter(({ read }) => read === undefined);
  const byId = (session: Session, canonical: string): InstancePlace | undefined =>
    first(templated.get(skeleton(canonical)) ?? [], (source) => foundById(source, session, canonical));
  const byStart = (among: readonly Source[], start: Instant): InstancePlace | undefined =>
    first(among, (source) => foundAt(source, start));
  return (session) => {
    const { id, idStated, start, previousStart, allDay } = session;
    const named = idStated && templated.size > 0;
    const exact = named ? byId(session, canonicalId(id)) : undefined;
    if (exact !== undefined) return { ...exact, how: 'id' };
    const whole = named ? withoutFractions(id) : id;
    const near = whole === id ? undefined : byId(session, canonicalId(whole));
    if (near !== undefined) return { ...near, how: 'near-id' };
    const isMoved = previousStart !== undefined && previousStart !== start;
    const before = isMoved ? byStart(sources, previousStart) : undefined;
    if (before !== undefined) return { ...before, how: 'previous-start' };
    // An all-day session has no time of day to compare with the start of an instance.
    if (start === undefined || allDay) return undefined;
    const at = byStart(plain, start);
    if (at !== undefined) return { ...at, how: 'start' };
    const alone = idStated ? undefined : byStart(sources, start);
    return alone && { ...alone, how: 'start-alone' };
  };
}

function first<T, R>(list: readonly T[], find: (one: T) => R | undefined): R | undefined {
  for (const one of list) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

function foundById(source: Source, session: Session, canonical: string): InstancePlace | undefined {
  const filled = source.read?.(canonical);
  if (filled === undefined) return undefined;
  const { start, end } = filled;
  if (start === undefined && end === undefined) return foundConstant(source, session);
  const found = foundAt(source, start ?? startBefore(source, end as Instant));
  return found !== undefined && end !== undefined && end !== source.endOf(found.start, found.wall) ? undefined : found;
}

/** The start of the instance with this end. On the night of a clock change an end by the clock is not `duration` later. */
export function startBefore(source: Source, end: Instant): Instant {
  const usual = end - source.duration;
  if (source.schedule.endsByClock !== true) return usual;
  return instancesOf(source, end - 1, end).find((one) => one.end === end)?.start ?? usual;
}

/** The instance of an `@id` that all instances share, its template being constant: that of the start, or the only one. */
function foundConstant(source: Source, { start, allDay }: Session): InstancePlace | undefined {
  const unmoved = start === undefined || allDay ? undefined : foundAt(source, start);
  if (unmoved !== undefined || source.rule.count !== 1) return unmoved;
  const [only] = instancesOf(source, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
  return only && foundAt(source, only.start);
}

/** The instance at a start. No session replaces an excluded one: 15 March of the worked example is an event of its own. */
function foundAt(source: Source, start: Instant): InstancePlace | undefined {
  const wall = wallOfInstance(source, start);
  return wall === undefined || source.excludes(start, wall) ? undefined : { source, wall, start };
}
