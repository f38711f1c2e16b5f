import { hash } from 'node:crypto';
import querystring from 'node:querystring';
import { BLANK } from '../../calendar/source-properties.ts';
import { ownWords, withoutStatus } from '../../calendar/wording/status-words.ts';
import { textOf } from '../../ical/content.ts';
import type { ContentLine } from '../../ical/content-line.ts';
import { lineOf, linesOf, type ReadComponent, textIn } from '../../ical/read.ts';
import { toLine, toLines } from '../../opportunity/item/text.ts';
import { defined } from '../../opportunity/records.ts';
import { MAX_CATEGORIES, MAX_IMAGES, MAX_LOCATION } from '../limits.ts';
import { type Context, placeOf } from './context.ts';
import { categoriesOf, imagesOf, isWebAddress, reportLosses, statedPrice } from './extras.ts';
import { plausibleLength } from './length.ts';
import type { CalendarEvent, Status, Time, Wording } from './model.ts';
import { geoOf, meetingOf, reportGeo, statedLocation } from './place.ts';
import { datesGiven } from './recurrence.ts';
import { isPlausible, parseTime } from './values.ts';
import { withWholeDays } from './whole-days.ts';

/** Reads a VEVENT or AVAILABLE; undefined, with a finding, for one that cannot be published. */
export function readEvent(component: ReadComponent, context: Context): CalendarEvent | undefined {
  const stated = textIn(component, 'UID');
  const item = (stated ?? '').slice(0, 300);
  const start = startOf(component, context, item);
  if (start === undefined) return undefined;
  const access = accessOf(component);
  const recurrence = lineOf(component, 'RECURRENCE-ID');
  const recurrenceId = recurrence && context.time(recurrence, recurrence.value, item, start);
  const wording = wordingOf(component, context, item);
  const source = sourceOf(component);
  const uid = stated ?? madeUid(component, start, wording, context);
  // Findings do not quote what is private.
  if (access === undefined) {
    reportTwice(component, context, uid);
    reportGeo(component, context, uid);
    reportLosses(component, context, uid);
  }
  const event: CalendarEvent = {
    uid,
    line: component.line,
    start,
    length: plausibleLength(component, start, context, uid),
    ...(recurrenceId && { recurrenceId }),
    andFuture: isAndFuture(recurrence, context, uid),
    ...datesGiven(component, start, context, uid),
    wording,
    transparent: isTransparent(component) && !(context.ours && wording.status === 'CANCELLED'),
    ...(access !== undefined && { access: access.slice(0, 40) }),
    sequence: Number(/^\d{1,9}$/.exec(lineOf(component, 'SEQUENCE')?.value.trim() ?? '')?.[0] ?? 0),
    stamp: stampOf(component, context),
    ...(source && { source }),
  };
  return withWholeDays(event, component);
}

function startOf(component: ReadComponent, context: Context, item: string): Time | undefined {
  // A cancellation of one instance may lack DTSTART (RFC 5546 3.2.5).
  const line = lineOf(component, 'DTSTART') ?? (context.cancels ? lineOf(component, 'RECURRENCE-ID') : undefined);
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

/** A CLASS that is not PUBLIC: unknown values mean PRIVATE (RFC 5545 3.8.1.3), and one such line is enough. */
function accessOf(component: ReadComponent): string | undefined {
  const stated = linesOf(component, 'CLASS').map(({ value }) => textOf(value).trim().toUpperCase());
  return stated.find((access) => access !== '' && access !== 'PUBLIC');
}

/** RFC 5545 3.2.13 has THISANDFUTURE alone; RFC 2445 had THISANDPRIOR. */
function isAndFuture(recurrence: ContentLine | undefined, context: Context, uid: string): boolean {
  const range = recurrence?.params.get('RANGE')?.toUpperCase();
  if (recurrence !== undefined && range !== undefined && range !== 'THISANDFUTURE')
    context.report('range-not-read', uid, placeOf(recurrence), { value: range.slice(0, 40) });
  return range === 'THISANDFUTURE';
}

/** A UID for an event without one, which is the same for one name and start. */
function madeUid(component: ReadComponent, { wall, zone }: Time, { summary }: Wording, context: Context): string {
  const uid = `${hash('sha256', `${summary ?? ''}\n${wall}\n${zone.id}`).slice(0, 32)}@without-uid`;
  context.report('event-without-uid', '', placeOf(component));
  return uid;
}

function wordingOf(component: ReadComponent, context: Context, item: string): Wording {
  const summary = lineText(textIn(component, 'SUMMARY'));
  const status = statusOf(component, context, item);
  const whole = linesText(textIn(component, 'DESCRIPTION') ?? textIn(component, 'X-ALT-DESC'));
  const texts = { ...(summary !== undefined && { summary }), ...(whole !== undefined && { description: whole }) };
  const { description: words, ...named } = withoutStatus(texts, status, context.ours);
  const description = context.ours && words !== undefined ? ownWords(words) : words;
  const location = statedLocation(component);
  const url = urlOf(component, context, item);
  const geo = geoOf(component);
  const meeting = meetingOf(component);
  const organizer = organizerOf(component);
  const contact = linesText(textIn(component, 'CONTACT'));
  const images = imagesOf(component).slice(0, MAX_IMAGES);
  const price = statedPrice(component, context, item);
  return {
    ...named,
    ...defined({ description, location: location?.slice(0, MAX_LOCATION), geo, meeting, url, organizer, contact }),
    ...(images.length > 0 && { images }),
    ...(price && { price }),
    categories: categoriesOf(component).slice(0, MAX_CATEGORIES),
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

function urlOf(component: ReadComponent, context: Context, item: string): string | undefined {
  const line = lineOf(component, 'URL');
  const url = line?.value.trim() ?? '';
  if (line === undefined || url === '') return undefined;
  // One spelling: capitals of the scheme and spaces are no part of an address.
  if (isWebAddress(url)) return new URL(url).href;
  context.report('url-not-web', item, placeOf(line), { value: url.slice(0, 40) });
  return undefined;
}

/** The organizer's name alone, because addresses of people are no open data. */
function organizerOf(component: ReadComponent): string | undefined {
  const stated = lineOf(component, 'ORGANIZER')?.params.get('CN') ?? '';
  // The Events Calendar of WordPress percent-encodes CN.
  const name = lineText(/\s/.test(stated) ? stated : querystring.unescape(stated));
  return name === undefined || name.includes('@') ? undefined : name;
}

function statusOf(component: ReadComponent, context: Context, item: string): Status {
  if (context.cancels) return 'CANCELLED';
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

/** The source of an event, whose id must be an address, as other identities are not unique. */
function sourceOf(component: ReadComponent): CalendarEvent['source'] {
  const line = lineOf(component, 'X-OPENACTIVE-ID');
  const series = line?.params.get('X-OPENACTIVE-SERIES');
  if (line === undefined || series === undefined) return undefined;
  const id = textOf(line.value);
  const isStated = isWebAddress(id);
  if (!isStated && id !== BLANK) return undefined;
  const previous = parseTime(line.params.get('X-OPENACTIVE-PREVIOUS') ?? '');
  return {
    id: isStated ? id : '',
    series,
    ...(previous?.form === 'utc' && { previousStart: previous.wall }),
    ...(line.params.get('X-OPENACTIVE-STATUS') === 'EventRescheduled' && { rescheduled: true }),
  };
}

/** Properties that RFC 5545 3.6.1 allows once in an event, and that are read here: the first one counts. */
const ONCE = [
  'UID',
  'DTSTART',
  'DTEND',
  'DURATION',
  'RECURRENCE-ID',
  'SUMMARY',
  'DESCRIPTION',
  'LOCATION',
  'GEO',
  'URL',
  'STATUS',
  'TRANSP',
  'SEQUENCE',
  'LAST-MODIFIED',
  'DTSTAMP',
];

/** A finding for each such property with two values, and for DURATION beside DTEND. */
function reportTwice(component: ReadComponent, context: Context, uid: string): void {
  const report = (name: string, used: ContentLine, left: ContentLine) =>
    context.report('property-twice', uid, placeOf(left), { name, used: used.value.slice(0, 40) });
  for (const name of ONCE) {
    const [used, ...others] = linesOf(component, name);
    const left = used && others.find((one) => !isSameLine(one, used));
    if (left !== undefined) report(name, used as ContentLine, left);
  }
  const [end, duration] = [lineOf(component, 'DTEND'), lineOf(component, 'DURATION')];
  if (end !== undefined && duration !== undefined) report('DTEND or DURATION', end, duration);
}

function isSameLine(one: ContentLine, other: ContentLine): boolean {
  const params = ({ params }: ContentLine) => [...params].sort().join('\n');
  return one.value === other.value && params(one) === params(other);
}
