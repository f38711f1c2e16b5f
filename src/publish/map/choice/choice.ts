import type { Facts } from '../../../opportunity/codes/rule.ts';
import { DAY_MS } from '../../../time/days.ts';
import { parseTime } from '../../../time/iso-text.ts';
import { toInstant } from '../../../time/zone.ts';
import type { PublishCode } from '../../codes.ts';
import type { CalendarEvent, CalendarModel, Time } from '../../read/model.ts';
import type { EventGroup } from '../dates/groups.ts';
import type { Report } from '../dates/instances.ts';
import { ANY_NAME } from '../json.ts';
import type { Mapped } from '../mapped.ts';
import type { MappedChoice, Role } from '../schema.ts';
import { hasPart, hasWords, isTitle } from './words.ts';

/** Which events of a calendar are published, as what and at what times: by the mapping file, else by safe defaults. */

/** The events of one calendar by role. */
export interface Chosen {
  sessions: EventGroup[];
  /** Opening hours, and events that close them. */
  opening: CalendarEvent[];
  cancellations: Cancellation[];
}

/** An event that cancels the sessions it covers. */
export interface Cancellation {
  group: EventGroup;
  /** Whole words of the events that it covers; absent: all events of its calendar. */
  covers: readonly string[] | undefined;
}

interface Choice {
  role: Role;
  /** Whether the event is cancelled, whatever its STATUS. */
  cancelled?: true;
  covers?: readonly string[] | undefined;
  /** Lines of the mapping file that are about it. */
  lines?: readonly number[] | undefined;
  /** Times of an event without any. */
  times?: GivenTimes | undefined;
  why?: readonly [code: PublishCode, facts?: Facts];
}

/** The choice for a group of events in progress. */
interface Choosing {
  found: Chosen;
  model: CalendarModel;
  mapped: Mapped;
  report: Report;
}

export function chosen(
  groups: readonly EventGroup[],
  model: CalendarModel,
  mapped: Mapped,
  reporter: (uid: string) => Report,
): Chosen {
  const found: Chosen = { sessions: [], opening: [], cancellations: [] };
  for (const group of groups) {
    const choosing = { found, model, mapped, report: reporter(group.uid) };
    if (group.master === undefined) addOrphans(choosing, group);
    else addGroup(choosing, group, group.master);
  }
  return found;
}

/** The master decides for its group; an override may only be left out or be cancelled. */
function addGroup(choosing: Choosing, group: EventGroup, master: CalendarEvent): void {
  const { found, model, mapped, report } = choosing;
  const choice = withFinding(choose(master, model, mapped), master, report);
  if (choice.role === 'nothing') return;
  const { except, overrides } = keptOverrides(choosing, group, choice);
  const own = asChosen({ ...master, except: [...master.except, ...except] }, choice);
  addAs(found, { ...group, master: own, overrides }, choice);
}

function addOrphans({ found, model, mapped, report }: Choosing, group: EventGroup): void {
  const byRole = new Map<Role, { choice: Choice; overrides: CalendarEvent[] }>();
  for (const one of group.overrides) {
    const choice = withFinding(choose(one, model, mapped), one, report);
    const own = byRole.get(choice.role) ?? { choice, overrides: [] };
    byRole.set(choice.role, own);
    own.overrides.push(asChosen(one, choice, choice.times));
  }
  for (const { choice, overrides } of byRole.values()) addAs(found, { ...group, overrides }, choice);
}

function addAs({ sessions, opening, cancellations }: Chosen, group: EventGroup, { role, covers }: Choice): void {
  if (role === 'session') sessions.push(group);
  else if (role === 'cancellation') cancellations.push({ group, covers });
  else if (role !== 'nothing') opening.push(...(group.master ? [group.master] : []), ...group.overrides);
}

/** The overrides to publish; one that is left out becomes an exception, so that its instance is not shown. */
function keptOverrides(
  { model, mapped, report }: Choosing,
  { master, overrides }: EventGroup,
  { role, times }: Choice,
): { except: Time[]; overrides: CalendarEvent[] } {
  const kept: CalendarEvent[] = [];
  const except: Time[] = [];
  for (const one of overrides) {
    const stated = choose(one, model, mapped);
    const own = { ...stated, times: stated.times ?? times };
    // Its series was chosen as an all-day one.
    const isLikeSeries = own.why?.[0] === 'event-all-day' && master?.start.allDay === true;
    const choice: Choice = isLikeSeries ? { role: 'session', lines: own.lines, times: own.times } : own;
    const isGone = one.access !== undefined || (choice.role === 'nothing' && choice.why?.[0] !== 'event-closed');
    if (role !== 'session' && !isGone) kept.push(asChosen(one, { role, times: own.times }, times));
    else if (!isGone) kept.push(asChosen(one, withFinding(withinSeries(choice), one, report), times));
    else {
      withFinding(choice, one, report);
      if (one.recurrenceId !== undefined) except.push(one.recurrenceId);
    }
  }
  return { except, overrides: kept };
}

/** The choice for an instance: one that is `closed` or a cancellation does not take place. */
function withinSeries(choice: Choice): Choice {
  if (choice.role === 'session') return choice;
  return { ...choice, role: 'session', cancelled: true, why: ['event-called-cancelled'] };
}

function withFinding(choice: Choice, event: CalendarEvent, report: Report): Choice {
  const [code, facts] = choice.why ?? [];
  if (code !== undefined) report(code, `line ${event.line}`, facts);
  return choice;
}

/** The event as chosen. `series`: the times of the series that it overrides. */
function asChosen(
  given: CalendarEvent,
  { role, cancelled, times, lines = [] }: Choice,
  series?: GivenTimes,
): CalendarEvent {
  const event = withTimes(given, times, series ?? times);
  const wording = lines.length === 0 ? event.wording : { ...event.wording, lines };
  const summary = cancelled && plainTitle(wording.summary ?? '');
  return {
    ...event,
    wording,
    ...((role === 'open' || role === 'closed') && { hours: role }),
    ...(cancelled && { wording: { ...wording, ...(summary && { summary }), status: 'CANCELLED' as const } }),
  };
}

/** The choice for one event. */
export function choose(event: CalendarEvent, model: CalendarModel, mapped: Mapped): Choice {
  const { access } = event;
  if (access !== undefined) return { role: 'nothing', why: ['event-private', { value: access }] };
  const { events } = mapped.mapping;
  const lines = events.flatMap((line, index) => (isMeant(line, event, model) ? index : []));
  const index = lines.find((one) => events[one]?.as !== undefined) ?? -1;
  const { as: role, covers } = events[index] ?? {};
  const times = timesIn(lines.flatMap((one) => events[one] ?? []));
  if (role === undefined) return { ...usual(withTimes(event, times), model, mapped), lines, times };
  return { role, covers, lines, times, ...(role === 'nothing' && { why: ['event-left-out', { index }] as const }) };
}

function isMeant(line: MappedChoice, { wording, start, transparent }: CalendarEvent, model: CalendarModel): boolean {
  const { categories, summary = '', status } = wording;
  const labels = new Set(categories.map((one) => one.toLowerCase()));
  const tests: (boolean | undefined)[] = [
    line.title && isTitle(line.title, summary || ANY_NAME),
    line.words && hasWords(line.words, [summary, ...categories].join('\n')),
    line.category?.some((one) => labels.has(one.toLowerCase())),
    line.calendar && hasPart(line.calendar, `${model.source}\n${model.name ?? ''}`),
    line.allDay === undefined ? undefined : line.allDay === start.allDay,
    line.transparent === undefined ? undefined : line.transparent === transparent,
    line.status === undefined ? undefined : line.status === status,
  ];
  return tests.every((passed) => passed !== false);
}

/** The choice for an event without a line in the mapping file. */
function usual(event: CalendarEvent, model: CalendarModel, mapped: Mapped): Choice {
  const { wording, start, transparent, source } = event;
  const { summary = '', categories, status } = wording;
  const opening = mapped.calendar?.openingHours;
  if (opening === true) return hoursChoice(summary);
  if (opening !== false && transparent && OPENING.test(summary)) return hoursChoice(summary);
  if (model.ours || source !== undefined) return { role: 'session' };
  if (isOfProgram(model)) return { role: 'nothing', why: ['calendar-of-program'] };
  if (hasWords(['private'], [summary, ...categories].join('\n')))
    return { role: 'nothing', why: ['event-called-private'] };
  if (CLOSED.test(summary)) return { role: 'nothing', why: ['event-closed'] };
  if (start.allDay) return { role: 'nothing', why: ['event-all-day'] };
  const isCancelled = status !== 'CANCELLED' && CANCELLED.test(summary);
  return isCancelled ? { role: 'session', cancelled: true, why: ['event-called-cancelled'] } : { role: 'session' };
}

const OPENING = /^(?:open|opening hours|closed)\b/i;
const CLOSED = /(?<![\p{L}\p{N}])closed(?![\p{L}\p{N}])|^no (?:training|sessions?|class|classes|practice|run|club)\b/iu;
const CANCELLED = /^[^\p{L}\p{N}]*cancell?ed\b|\bcancell?ed[^\p{L}\p{N}]*$/iu;

function hoursChoice(summary: string): Choice {
  return { role: /^closed\b/i.test(summary) ? 'closed' : 'open' };
}

/** `CANCELLED - Track` is the cancelled `Track`. */
function plainTitle(summary: string): string {
  return summary
    .replace(/^[^\p{L}\p{N}]*cancell?ed\b[^\p{L}\p{N}]*/iu, '')
    .replace(/[^\p{L}\p{N}]*\bcancell?ed[^\p{L}\p{N}]*$/iu, '');
}

const PROGRAM_SOURCE =
  /(?:%23|#)(?:holiday|contacts)(?:%40|@)group\.v\.calendar\.google\.com|icloud\.com\/holidays|facebook\.com\/ical\/b/i;
const PROGRAM_NAME =
  /^(?:(?:contacts['’] )?birthdays|geburtstage|anniversaires|cumpleaños|compleanni|verjaardagen|(?:public |bank |national |uk |us |united kingdom |united states )?holidays(?: in .+)?|feiertage(?: in .+)?|jours fériés.*)$/i;

/** Whether a calendar is one that Google, Outlook, Apple or Facebook makes for every account. */
function isOfProgram({ source, name }: CalendarModel): boolean {
  return PROGRAM_SOURCE.test(source) || PROGRAM_NAME.test(name?.trim() ?? '');
}

/** Milliseconds since midnight of the first and the last day. */
interface GivenTimes {
  start: number;
  /** Absent: no length. */
  end: number | undefined;
}

/** The times of the first line that has any. */
function timesIn(lines: readonly MappedChoice[]): GivenTimes | undefined {
  const line = lines.find(({ startTime }) => startTime !== undefined);
  if (line?.startTime === undefined) return undefined;
  return {
    start: sinceMidnight(line.startTime),
    end: line.endTime === undefined ? undefined : sinceMidnight(line.endTime),
  };
}

/** Milliseconds of `18:30`. */
function sinceMidnight(text: string): number {
  return (parseTime(text)?.seconds ?? 0) * 1000;
}

/** An all-day event at these times, from its first day to its last. `master`: the times of the series that it overrides. */
function withTimes(event: CalendarEvent, own: GivenTimes | undefined, master = own): CalendarEvent {
  const { start, length, recurrenceId, extra, except } = event;
  const replaced = master && recurrenceId && { recurrenceId: atTime(recurrenceId, master) };
  if (own === undefined || !start.allDay) return { ...event, ...replaced };
  const whole = own.end === undefined ? 0 : own.end - own.start;
  const exact = whole < 0 ? whole + DAY_MS : whole;
  return {
    ...event,
    ...replaced,
    start: atTime(start, own),
    length: own.end === undefined ? { days: 0, exact: 0 } : { days: Math.max(0, length.days - 1), exact },
    extra: extra.map((one) => ({ start: atTime(one.start, own) })),
    except: except.map((one) => atTime(one, own)),
  };
}

function atTime(time: Time, { start }: GivenTimes): Time {
  if (!time.allDay) return time;
  const wall = time.wall + start;
  return { ...time, wall, instant: toInstant(time.zone, wall), allDay: false };
}
