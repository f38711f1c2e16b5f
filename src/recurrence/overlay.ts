import { type EventStatus, type Instant, type Series, type Session, statusIn } from '../opportunity/records.ts';
import { type Instance, instancesOf, wallOfInstance } from './expand.ts';
import { endAt, type OrderedSchedule, orderedSchedules, type Taker, takerOf } from './same-instance.ts';
import { canonicalId, type Filled, skeleton, templateFiller, templateReader } from './templates.ts';
import type { Wall } from './zone.ts';

/** The generated instance an explicit session stands for. */
export interface Match {
  /** `Schedule.index`. */
  schedule: number;
  /** Original start in the schedule's zone. */
  wall: Wall;
  /** Original start. */
  start: Instant;
}

/** One occurrence of a series as a reader of the feed sees it. */
export interface Occurrence {
  /** `@id`: filled from the template, or the session's if it states one. */
  id?: string;
  type: string;
  start: Instant;
  /** `start` itself when the length is unknown. */
  end: Instant;
  url?: string;
  name?: string;
  status: EventStatus;
  source: 'generated' | 'explicit';
  /** `Schedule.index` of what generated it, or of the instance the explicit session stands for. */
  schedule?: number;
  /** Start of the generated instance, also where the explicit session has moved. */
  original?: Instant;
  /** `Session.id` of an explicit occurrence, stated or standing in. */
  session?: string;
}

/** A schedule of a series, with what reads the ids that its `idTemplate` makes. */
export interface Source extends OrderedSchedule {
  read: ((canonical: string) => Filled | undefined) | undefined;
}

/** The schedules of a series that may be expanded. The door keeps at most MAX_EXPANDED, so a session may be compared with each. */
export function sourcesOf(series: Series): Source[] {
  return orderedSchedules(series).map((ordered) => {
    const { idTemplate } = ordered.schedule;
    return { ...ordered, read: idTemplate === undefined ? undefined : templateReader(idTemplate) };
  });
}

/** Which generated instance each explicit session of the series stands for (semantics 4.1, 4.2), keyed by `Session.id`. */
export function matchSessions(series: Series, sessions: readonly Session[]): Map<string, Match> {
  const matches = new Map<string, Match>();
  for (const { session, source, wall, start } of claims(sourcesOf(series), sessions)) {
    matches.set(session.id, { schedule: source.schedule.index, wall, start });
  }
  return matches;
}

/** An explicit session with the generated instance it stands for. */
export interface Claim {
  session: Session;
  source: Source;
  wall: Wall;
  start: Instant;
}

/** One claim per instance: of several sessions the one that did not move, else the first by id; the others stand alone. */
export function claims(sources: readonly Source[], sessions: readonly Session[]): Iterable<Claim> {
  if (sources.length === 0) return [];
  const find = finder(sources);
  const best = new Map<string, Claim>();
  for (const session of sessions) {
    const found = find(session);
    if (found === undefined) continue;
    const claim = { ...found, source: shownSource(sources, found) };
    const key = `${claim.start} ${claim.source.schedule.index}`;
    const other = best.get(key);
    if (other === undefined || comesBefore(claim, other)) best.set(key, claim);
  }
  return best.values();
}

/**
 * The schedule whose instance a session replaces: of several that give the same one, the one that is shown. Of several that
 * only start together and make no ids, the one that ends with the session.
 */
function shownSource(sources: readonly Source[], { session, source, start }: Claim): Source {
  const shown = (one: Source): Source => {
    const taker = takerOf(one, start);
    return sources.find(({ schedule }) => schedule === taker?.by.schedule) ?? one;
  };
  if (source.read !== undefined || session.end === undefined) return shown(source);
  const alike = sources.find((one) => one.read === undefined && endAt(one, start) === session.end);
  return shown(alike ?? source);
}

function comesBefore(claim: Claim, other: Claim): boolean {
  const unmoved = claim.session.start === claim.start;
  if (unmoved !== (other.session.start === other.start)) return unmoved;
  return claim.session.id < other.session.id;
}

/** Finds the instance of a session: by its `@id` where templates make ids, by its start where there are none (semantics 4). */
export function finder(sources: readonly Source[]): (session: Session) => Claim | undefined {
  const templated = Map.groupBy(
    sources.filter(({ read }) => read !== undefined),
    ({ schedule }) => skeleton(canonicalId(schedule.idTemplate ?? '')),
  );
  const plain = sources.filter(({ read }) => read === undefined);
  const byId = (session: Session): Claim | undefined => {
    if (!session.idStated || templated.size === 0) return undefined;
    const canonical = canonicalId(session.id);
    return first(templated.get(skeleton(canonical)) ?? [], (source) => claimById(source, session, canonical));
  };
  return (session) => byId(session) ?? first(plain, (source) => claimAt(source, session, session.start));
}

function first<T, R>(list: readonly T[], find: (one: T) => R | undefined): R | undefined {
  for (const one of list) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

function claimById(source: Source, session: Session, canonical: string): Claim | undefined {
  const filled = source.read?.(canonical);
  if (filled === undefined) return undefined;
  const { start, end } = filled;
  if (start === undefined && end === undefined) return claimConstant(source, session);
  const claim = claimAt(source, session, start ?? (end as Instant) - source.duration);
  return claim !== undefined && end !== undefined && end !== source.endOf(claim.start, claim.wall) ? undefined : claim;
}

/** A template without a time names all its instances alike: the start tells them apart, unless there is only one. */
function claimConstant(source: Source, session: Session): Claim | undefined {
  const unmoved = claimAt(source, session, session.start);
  if (unmoved !== undefined || source.rule.count !== 1) return unmoved;
  const [only] = instancesOf(source, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
  return only && claimAt(source, session, only.start);
}

/** An excluded instance is not generated, so nothing stands for it: the worked example's 15 March is an event of its own. */
function claimAt(source: Source, session: Session, start: Instant): Claim | undefined {
  const wall = wallOfInstance(source, start);
  return wall === undefined || source.excludes(start, wall) ? undefined : { session, source, wall, start };
}

/**
 * The occurrences of a series that overlap [from, to), explicit sessions laid over generated ones (semantics 4), sorted by
 * start, then id. `series.details` must be the effective ones (inherited). At most `limit` of them are generated.
 */
export function occurrences(
  series: Series,
  sessions: readonly Session[],
  from: Instant,
  to: Instant,
  limit: number = Number.POSITIVE_INFINITY,
): Occurrence[] {
  const sources = sourcesOf(series);
  const claimed = [...claims(sources, sessions)];
  const found = generated(series, sources, claimed, { from, to, limit });
  const claimOf = new Map(claimed.map((claim) => [claim.session, claim]));
  for (const session of sessions) {
    if (overlaps(session.start, session.end ?? session.start, from, to)) {
      found.push(explicit(series, session, claimOf.get(session)));
    }
  }
  return found.sort(compareOccurrences);
}

interface Window {
  from: Instant;
  to: Instant;
  limit: number;
}

function generated(series: Series, sources: Source[], claimed: readonly Claim[], window: Window): Occurrence[] {
  const found: Occurrence[] = [];
  const makers = new Map(sources.map((source) => [source, maker(series, source)]));
  judge(sources, claimed, window, {
    isFull: () => found.length >= window.limit,
    shown: (source, instance) => found.push((makers.get(source) as Maker)(instance)),
  });
  return found;
}

/** Who is told what becomes of each instance in a window. */
export interface Verdicts {
  isFull?(): boolean;
  shown(source: Source, instance: Instance): void;
  /** Named by `exceptDate`. */
  excepted?(source: Source, instance: Instance): void;
  /** An earlier schedule gives the same occurrence. */
  taken?(source: Source, instance: Instance, taker: Taker): void;
  /** `by`: the explicit session that stands for it. */
  hidden?(source: Source, instance: Instance, by: Claim): void;
}

/** Decides of every generated instance that overlaps [from, to) whether it is an occurrence of the series (semantics 3, 4). */
export function judge(
  sources: readonly Source[],
  claimed: readonly Claim[],
  { from, to }: Pick<Window, 'from' | 'to'>,
  tell: Verdicts,
): void {
  const hidden = new Map(claimed.map((claim) => [`${claim.source.schedule.index} ${claim.start}`, claim]));
  for (const source of sources) {
    for (const instance of instancesOf(source, from, to)) {
      if (tell.isFull?.()) return;
      if (instance.excluded) {
        tell.excepted?.(source, instance);
        continue;
      }
      const taker = takerOf(source, instance.start);
      const by = hidden.get(`${source.schedule.index} ${instance.start}`);
      if (taker !== undefined) tell.taken?.(source, instance, taker);
      else if (by === undefined) tell.shown(source, instance);
      else tell.hidden?.(source, instance, by);
    }
  }
}

type Maker = (instance: Instance) => Occurrence;

/** Makes the occurrences of one schedule. */
export function maker(series: Series, { schedule }: Source): Maker {
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

/** "The explicit one is used in its entirety": nothing of the generated one but what both inherit from the series. */
export function explicit(series: Series, session: Session, claim: Claim | undefined): Occurrence {
  const name = session.details.name ?? series.details.name;
  return {
    ...sessionOccurrence(session),
    status: statusIn(series, session),
    ...(name !== undefined && { name }),
    ...(claim && { schedule: claim.source.schedule.index, original: claim.start }),
  };
}

/** The occurrence of an explicit session by itself, as one without a series (yet) is listed. */
export function sessionOccurrence(session: Session): Occurrence {
  const { url, details } = session;
  return {
    ...(session.idStated && { id: session.id }),
    type: session.type,
    start: session.start,
    end: session.end ?? session.start,
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

/** By start, then id (none first), then what keeps the order the same whatever the order of arrival. */
export function compareOccurrences(a: Occurrence, b: Occurrence): number {
  return (
    a.start - b.start ||
    compareText(a.id, b.id) ||
    compareText(a.session, b.session) ||
    (a.schedule ?? -1) - (b.schedule ?? -1)
  );
}

function compareText(a = '', b = ''): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
