import { hash } from 'node:crypto';
import { BLANK } from '../../calendar/source-properties.ts';
import { ownWords, withoutStatus } from '../../calendar/wording/status-words.ts';
import { type Length, lengthOf, textOf, textsOf } from '../../ical/content.ts';
import type { ContentLine } from '../../ical/content-line.ts';
import { lineOf, linesOf, type ReadComponent, textIn } from '../../ical/read.ts';
import { toLine, toLines } from '../../opportunity/item/text.ts';
import { MAX_LENGTH } from '../../opportunity/limits.ts';
import { DAY_MS } from '../../time/days.ts';
import { toInstant } from '../../time/zone.ts';
import { MAX_DATES } from '../limits.ts';
import { type Context, placeOf } from './context.ts';
import { geoOf, imagesOf, isPage, statedPrice } from './extras.ts';
import type { CalendarEvent, RuleParts, Status, Time, Wording } from './model.ts';
import { readRule } from './rule.ts';
import { isPlausible, parseTime } from './values.ts';

/** Reads a VEVENT or AVAILABLE; undefined, with a finding, for one that cannot be published. */
export function readEvent(component: ReadComponent, context: Context): CalendarEvent | undefined {
  const stated = textIn(component, 'UID');
  const item = (stated ?? '').slice(0, 300);
  const start = startOf(component, context, item);
  if (start === undefined) return undefined;
  const access = textIn(component, 'CLASS')?.toUpperCase() ?? 'PUBLIC';
  const recurrence = lineOf(component, 'RECURRENCE-ID');
  const recurrenceId = recurrence && context.time(recurrence, recurrence.value, item);
  const wording = wordingOf(component, context, item);
  const source = sourceOf(component);
  const uid = stated ?? madeUid(component, start, wording, context);
  return {
    uid,
    line: component.line,
    start,
    length: plausibleLength(component, start, context, uid),
    ...(recurrenceId && { recurrenceId }),
    andFuture: recurrence?.params.get('RANGE')?.toUpperCase() === 'THISANDFUTURE',
    rules: rulesOf(component, 'RRULE', context, uid),
    exRules: rulesOf(component, 'EXRULE', context, uid),
    extra: extraOf(component, context, uid),
    except: linesOf(component, 'EXDATE')
      .flatMap((line) => writtenTimes(line, context, uid))
      .slice(0, MAX_DATES),
    wording,
    transparent: isTransparent(component) && !(context.ours && wording.status === 'CANCELLED'),
    // What is no CLASS of RFC 5545 is to be treated as PRIVATE (3.8.1.3).
    ...(access !== 'PUBLIC' && { access: access.slice(0, 40) }),
    sequence: Number(/^\d{1,9}$/.exec(lineOf(component, 'SEQUENCE')?.value.trim() ?? '')?.[0] ?? 0),
    stamp: stampOf(component, context),
    ...(source && { source }),
  };
}

function startOf(component: ReadComponent, context: Context, item: string): Time | undefined {
  const line = lineOf(component, 'DTSTART');
  const start = line && context.time(line, line.value, item);
  if (start === undefined) {
    const value = line === undefined ? 'nothing' : line.value.slice(0, 40);
    context.report('event-without-start', item, placeOf(line ?? component), { value });
    return undefined;
  }
  if (isPlausible(start.wall)) return start;
  context.report('event-start-implausible', item, placeOf(line ?? component), {
    value: line?.value.slice(0, 40) ?? '',
  });
  return undefined;
}

/** A UID for an event without one: the same for ever for the same name and start. */
function madeUid(component: ReadComponent, { wall, zone }: Time, { summary }: Wording, context: Context): string {
  const uid = `${hash('sha256', `${summary ?? ''}\n${wall}\n${zone.id}`).slice(0, 32)}@without-uid`;
  context.report('event-without-uid', '', placeOf(component));
  return uid;
}

const NO_LENGTH: Length = { days: 0, exact: 0 };
const ONE_DAY: Length = { days: 1, exact: 0 };

/** Readers of feeds leave the end of a longer one out, which a finding says. */
function plausibleLength(component: ReadComponent, start: Time, context: Context, uid: string): Length {
  const length = lengthFrom(component, start, context, uid);
  if (length.days * DAY_MS + length.exact > MAX_LENGTH) {
    const line = lineOf(component, 'DTEND') ?? lineOf(component, 'DURATION') ?? component;
    context.report('event-too-long', uid, placeOf(line));
  }
  return length;
}

/** RFC 5545 3.6.1: DTEND, else DURATION, else the whole day of a DATE and no time at all of a DATE-TIME. */
function lengthFrom(component: ReadComponent, start: Time, context: Context, uid: string): Length {
  const usual = start.allDay ? ONE_DAY : NO_LENGTH;
  const endLine = lineOf(component, 'DTEND');
  if (endLine !== undefined) {
    const end = statedEnd(component, endLine, start, context, uid);
    const length = end && between(start, end);
    if (length !== undefined) return length;
    // An instant is what a time says; a day of no length is none.
    if (end !== undefined && (end.instant < start.instant || start.allDay)) {
      context.report('end-unusable', uid, placeOf(endLine), { value: endLine.value.slice(0, 40) });
    }
    return usual;
  }
  const durationLine = lineOf(component, 'DURATION');
  if (durationLine === undefined) return usual;
  const length = lengthOf(durationLine.value);
  if (length !== undefined && (!start.allDay || length.days + length.exact > 0)) return length;
  context.report('end-unusable', uid, placeOf(durationLine), { value: durationLine.value.slice(0, 40) });
  return usual;
}

/** One without a zone beside a start that has one is in the same zone: the two are to be of one form (3.8.2.2). */
function statedEnd(
  component: ReadComponent,
  line: ContentLine,
  start: Time,
  context: Context,
  uid: string,
): Time | undefined {
  const isZoned = lineOf(component, 'DTSTART')?.params.has('TZID') === true;
  const written = isZoned && !line.params.has('TZID') ? parseTime(line.value) : undefined;
  if (written?.form !== 'local') return context.time(line, line.value, uid);
  context.report('end-without-zone', uid, placeOf(line), { used: start.zone.id });
  return { wall: written.wall, zone: start.zone, instant: toInstant(start.zone, written.wall), allDay: false };
}

/** Undefined where the end is not after the start. Days of all-day events are nominal, anything else is exact (3.8.5.3). */
function between(start: Time, end: Time): Length | undefined {
  if (start.allDay && end.allDay) {
    const days = Math.round((end.wall - start.wall) / DAY_MS);
    return days > 0 ? { days, exact: 0 } : undefined;
  }
  const exact = end.instant - start.instant;
  // From an hour that the clocks leave out to the one after it: what the wall clock says is meant.
  const shown = start.zone === end.zone ? end.wall - start.wall : 0;
  if (exact <= 0 && shown <= 0) return undefined;
  return { days: 0, exact: exact > 0 ? exact : shown };
}

function rulesOf(component: ReadComponent, name: string, context: Context, uid: string): RuleParts[] {
  return linesOf(component, name)
    .slice(0, 10)
    .flatMap((line) => {
      const read = readRule(line);
      if (!('rule' in read)) {
        context.report(read.problem, uid, placeOf(line), { value: line.value.slice(0, 80), why: read.why });
        return [];
      }
      if (read.both) context.report('rule-count-and-until', uid, placeOf(line));
      return [read.rule];
    });
}

function writtenTimes(
  line: { name: string; line: number; value: string; params: ReadonlyMap<string, string> },
  context: Context,
  uid: string,
): Time[] {
  return line.value
    .split(',', MAX_DATES)
    .filter((value) => value.trim() !== '')
    .flatMap((value) => context.time(line, value, uid) ?? []);
}

/** RDATE: dates, or periods with a length of their own. */
function extraOf(component: ReadComponent, context: Context, uid: string): CalendarEvent['extra'] {
  const found: CalendarEvent['extra'] = [];
  for (const line of linesOf(component, 'RDATE')) {
    for (const value of line.value.split(',', MAX_DATES)) {
      const [first = '', second] = value.split('/');
      const start = value.trim() === '' ? undefined : context.time(line, first, uid);
      if (start === undefined || !isPlausible(start.wall)) continue;
      const length = second === undefined ? undefined : periodLength(line, start, second, context, uid);
      found.push({ start, ...(length && { length }) });
    }
  }
  return found.slice(0, MAX_DATES);
}

function periodLength(
  line: Parameters<Context['time']>[0],
  start: Time,
  second: string,
  context: Context,
  uid: string,
) {
  if (/^[+-]?P/i.test(second)) return lengthOf(second);
  const end = context.time(line, second, uid);
  return end && between(start, end);
}

function wordingOf(component: ReadComponent, context: Context, item: string): Wording {
  const summary = lineText(textIn(component, 'SUMMARY'));
  const status = statusOf(component, context, item);
  const whole = linesText(textIn(component, 'DESCRIPTION') ?? textIn(component, 'X-ALT-DESC'));
  const texts = { ...(summary !== undefined && { summary }), ...(whole !== undefined && { description: whole }) };
  const { description: words, ...named } = withoutStatus(texts, status, context.ours);
  const description = context.ours && words !== undefined ? ownWords(words) : words;
  const location = textIn(component, 'LOCATION');
  const url = urlOf(component);
  const geo = geoOf(component);
  const organizer = organizerOf(component);
  const contact = linesText(textIn(component, 'CONTACT'));
  const images = imagesOf(component);
  const price = statedPrice(component, context, item);
  return {
    ...named,
    ...(description !== undefined && { description }),
    ...(location !== undefined && { location: location.slice(0, 1000) }),
    ...(geo && { geo }),
    ...(url !== undefined && { url }),
    ...(organizer !== undefined && { organizer }),
    ...(contact !== undefined && { contact }),
    ...(images.length > 0 && { images }),
    ...(price && { price }),
    categories: linesOf(component, 'CATEGORIES')
      .flatMap(({ value }) => textsOf(value))
      .slice(0, 20),
    status,
  };
}

function isTransparent(component: ReadComponent): boolean {
  return textIn(component, 'TRANSP')?.toUpperCase() === 'TRANSPARENT';
}

function lineText(text: string | undefined): string | undefined {
  const line = text === undefined ? '' : toLine(text).text;
  return line === '' ? undefined : line;
}

function linesText(text: string | undefined): string | undefined {
  const lines = text === undefined ? '' : toLines(text).text;
  return lines === '' ? undefined : lines;
}

function urlOf(component: ReadComponent): string | undefined {
  const url = lineOf(component, 'URL')?.value.trim();
  return url !== undefined && isPage(url) ? url : undefined;
}

/** A name alone: addresses of people are not for open data. */
function organizerOf(component: ReadComponent): string | undefined {
  const name = lineText(lineOf(component, 'ORGANIZER')?.params.get('CN'));
  return name === undefined || name.includes('@') ? undefined : name;
}

function statusOf(component: ReadComponent, context: Context, item: string): Status {
  const line = lineOf(component, 'STATUS');
  const value = line === undefined ? '' : textOf(line.value).trim().toUpperCase();
  if (value === 'CANCELED') return 'CANCELLED';
  if (value === 'CANCELLED' || value === 'TENTATIVE' || value === 'CONFIRMED') return value;
  if (line !== undefined && value !== '')
    context.report('status-unknown', item, placeOf(line), { value: value.slice(0, 40) });
  return 'CONFIRMED';
}

function stampOf(component: ReadComponent, context: Context): number {
  const line = lineOf(component, 'LAST-MODIFIED') ?? lineOf(component, 'DTSTAMP');
  return line === undefined ? 0 : (context.time(line, line.value, '')?.instant ?? 0);
}

/** Only addresses are identities that others can rely on. */
function sourceOf(component: ReadComponent): CalendarEvent['source'] {
  const line = lineOf(component, 'X-OPENACTIVE-ID');
  const series = line?.params.get('X-OPENACTIVE-SERIES');
  if (line === undefined || series === undefined) return undefined;
  const id = textOf(line.value);
  const isStated = isPage(id);
  if (!isStated && id !== BLANK) return undefined;
  const previous = parseTime(line.params.get('X-OPENACTIVE-PREVIOUS') ?? '');
  return {
    id: isStated ? id : '',
    series,
    ...(previous?.form === 'utc' && { previousStart: previous.wall }),
    ...(line.params.get('X-OPENACTIVE-STATUS') === 'EventRescheduled' && { rescheduled: true }),
  };
}
