import { PRODID } from '../../calendar/components.ts';
import { lengthOf, textOf } from '../../ical/content.ts';
import type { ContentLine } from '../../ical/content-line.ts';
import { decodedCalendar } from '../../ical/decode.ts';
import { lineOf, linesOf, type Problem, type ReadComponent, readCalendars, textIn } from '../../ical/read.ts';
import { defined } from '../../opportunity/records.ts';
import { DAY_MS } from '../../time/days.ts';
import { toInstant, toWall, type Zone } from '../../time/zone.ts';
import type { CalendarText } from '../contract.ts';
import type { FindingList } from '../finding-list.ts';
import { MAX_CALENDAR, MAX_COMPONENTS, MAX_LINE_CHARS, MAX_LINES } from '../limits.ts';
import { Context, placeOf } from './context.ts';
import { readEvent } from './events.ts';
import type { Availability, CalendarModel } from './model.ts';
import { byName, zonesOf } from './zones.ts';

interface ReadCalendar {
  calendar: CalendarModel;
  findings: FindingList;
}

const NOTHING: ReturnType<typeof readCalendars> = { calendars: [], problems: [] };
const LIMITS = { components: MAX_COMPONENTS, lines: MAX_LINES, lineChars: MAX_LINE_CHARS };

/**
 * Reads a calendar of any program. Never throws: unusable parts have findings. `floating` is the zone of times without one,
 * where the calendar does not name its own.
 */
export function readCalendar({ source, text, encoding }: CalendarText, floating: Zone): ReadCalendar {
  const isTooLarge = text.length > MAX_CALENDAR;
  const isQuoted = !isTooLarge && hasQuoted(text);
  const { calendars: written, problems } = isTooLarge
    ? NOTHING
    : readCalendars(isQuoted ? asFolds(text) : text, LIMITS);
  const context = new Context(source, zonesOf(written), floating);
  const calendars = isQuoted ? written.map((one) => plainLines(one, context)) : written;
  if (isTooLarge)
    context.report('calendar-too-large', '', '', { most: `${MAX_CALENDAR.toLocaleString('en')} characters` });
  noteText(context, text, encoding);
  for (const problem of problems) noteProblem(context, problem);
  const model: CalendarModel = {
    source,
    series: [],
    zone: floating,
    events: [],
    availabilities: [],
    skipped: 0,
    ours: false,
    attended: 0,
  };
  // A part of a calendar would withdraw the rest of its sessions.
  const isCut = problems.some(({ kind }) => kind === 'too-many');
  if (!isCut) for (const calendar of calendars) addCalendar(model, calendar, context, floating);
  return { calendar: model, findings: context.findings };
}

function noteText(context: Context, text: string, encoding: string | undefined): void {
  if (encoding !== undefined) context.report('calendar-not-utf-8', '', '', { used: encoding });
  const count = text.split('\uFFFD').length - 1;
  if (count > 0) context.report('calendar-characters-lost', '', '', { count });
  if (/^\uFEFF?\s*BEGIN:(?!VCALENDAR)/i.test(text)) context.report('calendar-bare', '', 'line 1');
}

function noteProblem(context: Context, { kind, line, value }: Problem): void {
  const place = `line ${line}`;
  if (kind === 'no-calendar') context.report('calendar-not-icalendar', '', '');
  else if (kind === 'unclosed') context.report('component-unclosed', '', place, { name: value });
  else if (kind === 'cut') context.report('calendar-cut', '', place, { name: value });
  else if (kind === 'stray-end') context.report('component-stray-end', '', place, { name: value });
  else if (kind === 'too-long') context.report('line-too-long', '', place, { most: MAX_LINE_CHARS });
  else if (kind === 'line' || kind === 'stray-line') context.report('line-unreadable', '', place, { value });
  else if (kind === 'too-deep') context.report('component-too-deep', '', place, { name: value });
  else
    context.report('calendar-too-large', '', place, {
      most: `${MAX_COMPONENTS.toLocaleString('en')} components or ${MAX_LINES.toLocaleString('en')} lines`,
    });
}

function addCalendar(model: CalendarModel, component: ReadComponent, context: Context, floating: Zone): void {
  context.zone = calendarZone(component, context) ?? floating;
  context.ours = textIn(component, 'PRODID') === PRODID;
  context.cancels = isCancelling(component, context);
  const name = textIn(component, 'NAME') ?? textIn(component, 'X-WR-CALNAME');
  if (model.name === undefined && name !== undefined) model.name = name.slice(0, 300);
  model.zone = context.zone;
  model.ours = context.ours;
  model.series.push(...linesOf(component, 'X-OPENACTIVE-SERIES').map(({ value }) => textOf(value)));
  let others = 0;
  for (const inner of component.components) {
    if (inner.isCut) model.skipped++;
    else if (inner.name === 'VEVENT') addEvent(model, inner, context);
    else if (inner.name === 'VAVAILABILITY') model.availabilities.push(availabilityOf(inner, context));
    else if (inner.name !== 'VTIMEZONE') others++;
  }
  model.skipped += others;
  if (others > 0) context.report('components-not-read', '', '', { count: others });
}

function isCancelling(component: ReadComponent, context: Context): boolean {
  const line = lineOf(component, 'METHOD');
  if (line?.value.trim().toUpperCase() !== 'CANCEL') return false;
  context.reportOnce('', 'calendar-cancels', placeOf(line));
  return true;
}

function addEvent(model: CalendarModel, component: ReadComponent, context: Context): void {
  const event = readEvent(component, context);
  if (event === undefined) model.skipped++;
  else model.events.push(event);
  if (lineOf(component, 'ATTENDEE') !== undefined) model.attended++;
}

/** The zone of a calendar: X-WR-TIMEZONE, which nearly all programs write, or TIMEZONE-ID. */
function calendarZone(component: ReadComponent, context: Context): Zone | undefined {
  const line = lineOf(component, 'X-WR-TIMEZONE') ?? lineOf(component, 'TIMEZONE-ID');
  if (line === undefined) return undefined;
  const value = textOf(line.value).trim();
  const found = byName(value) ?? context.zones(value);
  if (found === undefined || found.how === 'own') {
    context.reportOnce(value, 'zone-unknown', `line ${line.line} ${line.name}`, {
      value: value.slice(0, 60),
      used: context.zone.id,
    });
    return undefined;
  }
  return found.zone;
}

function availabilityOf(component: ReadComponent, context: Context): Availability {
  const uid = textIn(component, 'UID') ?? '';
  const open = component.components
    .filter(({ name }) => name === 'AVAILABLE')
    .flatMap((one) => readEvent(one, context) ?? [])
    .filter(({ access }) => access === undefined);
  const startLine = lineOf(component, 'DTSTART');
  const endLine = lineOf(component, 'DTEND');
  const start = startLine && context.time(startLine, startLine.value, uid);
  const length = lengthOf(lineOf(component, 'DURATION')?.value ?? '');
  const end = endLine ? context.time(endLine, endLine.value, uid)?.instant : undefined;
  const to =
    end ??
    (start && length && toInstant(start.zone, toWall(start.zone, start.instant) + length.days * DAY_MS) + length.exact);
  const name = textIn(component, 'SUMMARY');
  const location = textIn(component, 'LOCATION');
  return {
    uid,
    line: component.line,
    ...defined({ name, location }),
    priority: priorityOf(component),
    ...defined({ from: start?.instant, to }),
    open,
  };
}

/** The priority of a component (RFC 7953 3.2): 1 is the highest, 9 the lowest; 0 and none are below it. */
function priorityOf(component: ReadComponent): number {
  const value = Number(/^[0-9]$/.exec(lineOf(component, 'PRIORITY')?.value.trim() ?? '')?.[0] ?? 0);
  return value === 0 ? 10 : value;
}

/** Values in quoted-printable (RFC 2045 6.7), as in vCalendar 1.0, which phones and old Outlooks still write. */
const QUOTED = /^[\w-]{1,100};[^:]{0,400}ENCODING=QUOTED-PRINTABLE[^:]{0,400}:/i;

/** Whether any value is in quoted-printable; most calendars have none. */
function hasQuoted(text: string): boolean {
  return /;ENCODING=QUOTED-PRINTABLE/i.test(text);
}

/** Soft line breaks as folds, so that lines keep their numbers. */
function asFolds(text: string): string {
  const parts = text.split(/(\r\n|\r|\n)/);
  let isOpen = false;
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const line = parts[at] as string;
    isOpen = line.endsWith('=') && (isOpen || QUOTED.test(line));
    if (!isOpen) continue;
    parts[at] = line.slice(0, -1);
    parts[at + 1] += ' ';
  }
  return parts.join('');
}

/** The component with its quoted-printable values decoded. */
function plainLines(component: ReadComponent, context: Context): ReadComponent {
  const lines = component.lines.map((line) => (isQuoted(line) ? plainLine(line, context) : line));
  return { ...component, lines, components: component.components.map((one) => plainLines(one, context)) };
}

function isQuoted({ params }: ContentLine): boolean {
  return params.get('ENCODING')?.toUpperCase() === 'QUOTED-PRINTABLE';
}

function plainLine(line: ContentLine, context: Context): ContentLine {
  const value = decodedCalendar(quotedOctets(line.value), line.params.get('CHARSET')).text;
  const count = value.split('\uFFFD').length - line.value.split('\uFFFD').length;
  if (count > 0) context.report('calendar-characters-lost', '', placeOf(line), { count });
  return { ...line, value };
}

/** The octets of a value such as `Caf=C3=A9`: characters outside `=XX` stand for themselves. */
function quotedOctets(value: string): Uint8Array {
  const octets = Buffer.from(value).toString('latin1');
  return Buffer.from(
    octets.replace(/=([\dA-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
}
