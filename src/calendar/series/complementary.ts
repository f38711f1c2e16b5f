import type { RawFinding } from '../../opportunity/findings.ts';
import { type Series, type Session, statusIn, type TimedSession } from '../../opportunity/records.ts';
import { isSamePlace } from '../../opportunity/whereabouts.ts';
import type { Match } from '../../recurrence/overlay.ts';
import { isSubDay, occursOn, ruleWalls } from '../../recurrence/rule.ts';
import { endAt, type OrderedSchedule } from '../../recurrence/same-instance.ts';
import { canonicalId, type Filled, fillTemplate, templateReader } from '../../recurrence/templates.ts';
import { DAY_MS } from '../../time/days.ts';
import { type Instant, utcDate, utcText } from '../../time/instant.ts';
import { toInstant, toWall } from '../../time/zone.ts';
import { Gathered, path } from './match-findings.ts';

/**
 * Findings about a complementary ScheduledSession feed (semantics 4.11): which sessions may stand beside a Schedule, and how
 * the two refer to each other. Only a series with its sessions shows them. One finding for each rule and Schedule, with the
 * first session that breaks it: fifty sessions of one mistake are one thing to change. Linear in the sessions.
 */
export function complementaryFindings(
  series: Series,
  sessions: readonly TimedSession[],
  matches: ReadonlyMap<string, Match>,
  sources: readonly OrderedSchedule[],
): RawFinding[] {
  if (series.type !== 'SessionSeries' || sessions.length === 0 || sources.length === 0) return [];
  const found = new Gathered();
  const bySource = Map.groupBy(sessions, ({ id }) => matches.get(id)?.schedule);
  for (const source of sources) {
    const { index, idTemplate, templateUnusable } = source.schedule;
    const matched = bySource.get(index) ?? [];
    if (idTemplate === undefined && !templateUnusable)
      found.add('id-template-missing', path(index), matched[0] ?? bySource.get(undefined)?.[0] ?? sessions[0]);
    judgeMatched({ series, source, matches, found }, matched);
  }
  judgeOthers({ series, sources, matches, found }, bySource.get(undefined) ?? []);
  return found.findings();
}

interface Judged {
  series: Series;
  source: OrderedSchedule;
  matches: ReadonlyMap<string, Match>;
  found: Gathered;
}

/** Judges sessions that replace instances of one Schedule. */
function judgeMatched({ series, source, matches, found }: Judged, sessions: readonly Session[]): void {
  const idle: Session[] = [];
  const { idTemplate, index } = source.schedule;
  for (const session of sessions) {
    const { start } = matches.get(session.id) as Match;
    if (idTemplate !== undefined && session.id !== canonicalId(session.id) && idTemplate === canonicalId(idTemplate)) {
      found.add('id-time-spelling', path(index, '.idTemplate'), session, { used: utcText(start) });
    }
    if (session.remainingAttendeeCapacity === undefined && statusIn(series, session) !== 'EventCancelled') {
      found.add('session-without-capacity', path(index), session);
    }
    if (addsNothing(series, session, source, start)) idle.push(session);
  }
  if (idle.length === 0) return;
  const covered = coverage(source, sessions, matches);
  if (covered === undefined) for (const session of idle) found.add('session-adds-nothing', path(index), session);
  else found.add('sessions-cover-schedule', path(index), undefined, { ...covered, idle: idle.length });
}

/** Fewer sessions in a row may all have had a booking. Four weekly ones, a month, show a system that publishes every one. */
const FEWEST_COVERED = 4;

/** The instances from the first session's to the last one's, where each has a session; else undefined. */
function coverage(
  { rule, excludes, exclusions, zone }: OrderedSchedule,
  sessions: readonly Session[],
  matches: ReadonlyMap<string, Match>,
): { count: number; first: string; last: string } | undefined {
  if (sessions.length < FEWEST_COVERED) return undefined;
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { id } of sessions) {
    const { wall } = matches.get(id) as Match;
    first = Math.min(first, wall);
    last = Math.max(last, wall);
  }
  // One instance more than there are sessions proves that one has none. So the data published bounds the work.
  const walls = ruleWalls(rule, first, last, sessions.length + exclusions.length + 1);
  const instances = walls.filter((wall) => !excludes(toInstant(zone, wall), wall)).length;
  if (instances !== sessions.length || walls.at(-1) !== last) return undefined;
  return { count: instances, first: utcDate(first), last: utcDate(last) };
}

/** Whether a session has no booking, and is in every property as its instance would be without it. */
function addsNothing(series: Series, session: Session, source: OrderedSchedule, start: Instant): boolean {
  if (session.unread || mayBeBooked(series, session) || session.start !== start) return false;
  if (statusIn(series, session) !== statusIn(series)) return false;
  const end = source.schedule.duration === undefined ? undefined : endFrom(source, start);
  if (session.end !== undefined && session.end !== end) return false;
  return hasUsualUrl(series, session, source, start) && hasUsualDetails(series, session);
}

/** Whether a session may have bookings. Places left prove the contrary only where the number of all places is known. */
function mayBeBooked(series: Series, { details, remainingAttendeeCapacity: left }: Session): boolean {
  const most = details.maximumAttendeeCapacity ?? series.details.maximumAttendeeCapacity;
  return left !== undefined && (most === undefined || left < most);
}

function hasUsualUrl(series: Series, { url }: Session, source: OrderedSchedule, start: Instant): boolean {
  const { schedule } = source;
  if (url === undefined || url === series.url) return true;
  return (
    schedule.urlTemplate !== undefined && fillTemplate(schedule.urlTemplate, start, endFrom(source, start)) === url
  );
}

function endFrom(source: OrderedSchedule, start: Instant): Instant {
  return endAt(source, start) ?? start + source.duration;
}

function hasUsualDetails(series: Series, { details }: Session): boolean {
  const usual = series.details as Record<string, unknown>;
  for (const [name, value] of Object.entries(details)) {
    if (value === usual[name]) continue;
    const same = name === 'location' && isSamePlace(details.location, series.details.location);
    if (!same && JSON.stringify(value) !== JSON.stringify(usual[name])) return false;
  }
  return true;
}

/** Judges sessions that replace no instance: those whose `@id` no template makes, and those of earlier Schedules. */
function judgeOthers(
  { series, sources, matches, found }: Omit<Judged, 'source'> & { sources: readonly OrderedSchedule[] },
  sessions: readonly TimedSession[],
): void {
  const templated = sources.flatMap((source) => {
    const { idTemplate } = source.schedule;
    return idTemplate === undefined ? [] : [{ source, read: templateReader(idTemplate) }];
  });
  const [main] = templated;
  if (main === undefined || sessions.length === 0) return;
  const patterned = series.schedules.every(({ partial, idTemplate }) => !partial && idTemplate !== undefined);
  const hidden = new Set([...matches.values()].map(({ schedule, start }) => `${schedule} ${start}`));
  for (const session of sessions) {
    if (!session.idStated) continue;
    const canonical = canonicalId(session.id);
    const readings = templated.map(({ source, read }) => ({ source, filled: read(canonical) }));
    const made = readings.find(({ filled }) => filled !== undefined);
    if (made !== undefined) judgeLeftover(made.source, made.filled as Filled, session, hidden, found);
    else if (patterned || templated.some(({ source }) => instanceAt(source, session.start) === session.start)) {
      found.add('id-differs-from-template', path(main.source.schedule.index, '.idTemplate'), session);
    }
  }
}

/** A session with an `@id` of the template, whose time the Schedule does not (or no longer) generate. */
function judgeLeftover(
  source: OrderedSchedule,
  { start: named }: Filled,
  session: TimedSession,
  hidden: ReadonlySet<string>,
  found: Gathered,
): void {
  const { index } = source.schedule;
  if (session.status === 'EventRescheduled' && named === session.start) {
    found.add('rescheduled-id-not-kept', path(index, '.idTemplate'), session);
    return;
  }
  if (session.status === 'EventCancelled') return;
  const start = instanceAt(source, session.start);
  if (start === undefined || hidden.has(`${index} ${start}`)) return;
  found.add('earlier-session-not-excepted', path(index, '.exceptDate'), session, { start: utcText(start) });
}

/** The instance on the local day of an instant; of a rule that repeats within a day, the one at the instant itself. */
function instanceAt({ rule, zone, excludes }: OrderedSchedule, instant: Instant): Instant | undefined {
  const wall = toWall(zone, instant);
  const day = Math.floor(wall / DAY_MS);
  const start = isSubDay(rule) ? wall : day * DAY_MS + rule.time * 1000;
  if (isSubDay(rule) ? ruleWalls(rule, wall, wall, 1).length === 0 : !occursOn(rule, day)) return undefined;
  const at = toInstant(zone, start);
  return excludes(at, start) ? undefined : at;
}
