import type { Series, Session, TimedSession } from '../opportunity/records.ts';
import type { Instant } from '../time/instant.ts';
import type { Wall } from '../time/zone.ts';
import { instancesOf, wallOfInstance } from './expand.ts';
import { earlierOf, endAt, type OrderedSchedule, orderedSchedules } from './same-instance.ts';
import { canonicalId, type Filled, skeleton, templateReader, withoutFractions } from './templates.ts';

/** Which generated instance an explicit session replaces (semantics 4). */

/** A schedule of a series, with what reads the ids that its `idTemplate` makes. */
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
 * How a session is known to replace an instance, the closest match first. `id`: it has the instance's `@id`. `start`: the
 * Schedule has no `idTemplate`, and they start together. `near-id`: the `@id` but for fractions of a second. `start-alone`: it
 * has no `@id`, and they start together. `previous-start`: it was to start when the instance does.
 */
const CLOSENESS = ['id', 'start', 'near-id', 'start-alone', 'previous-start'] as const;
export type HowMatched = (typeof CLOSENESS)[number];

/** An explicit session with the generated instance it stands for. */
export interface Replacement {
  /** What it does not say of its time is that of the instance (semantics 4.7). */
  session: TimedSession;
  source: Source;
  wall: Wall;
  start: Instant;
  how: HowMatched;
  /** Whether the time of the session is, in part, that of the instance. */
  takesTime: boolean;
}

/** One replacement per instance, by `Session.id`: of several sessions the one that comes first; the others stand alone. */
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
 * The schedule whose instance a session replaces: of several that give the same one, the one that is shown. Of several that
 * only start together, the one that ends with the session.
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
  const own = timedBy(session, start, (endAt(source, start) ?? start) - start);
  // Schedules of different zones give one instant at different wall times.
  const wall = source === found.source ? found.wall : (wallOfInstance(source, start) ?? found.wall);
  return { session: own, source, wall, start, how, takesTime: own !== session };
}

/** The session with what it does not say of its time: that of the instance it replaces (semantics 4.7). */
export function timedBy(session: Session, from: Instant, usual: number): TimedSession {
  const { start = from, length = usual } = session;
  // An end that is stated without a start may be before the start of the instance.
  const stated = session.end !== undefined && session.end > start ? session.end : undefined;
  const end = stated ?? (length > 0 ? start + length : undefined);
  if (session.start === start && session.end === end) return session as TimedSession;
  return { ...session, start, ...(end !== undefined && { end }) };
}

/** The closer match, then the one that did not move, then the first by id. */
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
    // Whole days start when no instance does.
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

/** When the instance with this end starts: where that is a wall time, not its usual length before on the night the clocks change. */
export function startBefore(source: Source, end: Instant): Instant {
  const usual = end - source.duration;
  if (source.schedule.endsByClock !== true) return usual;
  return instancesOf(source, end - 1, end).find((one) => one.end === end)?.start ?? usual;
}

/** A template without a time names all its instances alike: the start tells them apart, unless there is only one. */
function foundConstant(source: Source, { start, allDay }: Session): InstancePlace | undefined {
  const unmoved = start === undefined || allDay ? undefined : foundAt(source, start);
  if (unmoved !== undefined || source.rule.count !== 1) return unmoved;
  const [only] = instancesOf(source, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
  return only && foundAt(source, only.start);
}

/** An excluded instance is not generated, so nothing stands for it: the worked example's 15 March is an event of its own. */
function foundAt(source: Source, start: Instant): InstancePlace | undefined {
  const wall = wallOfInstance(source, start);
  return wall === undefined || source.excludes(start, wall) ? undefined : { source, wall, start };
}
