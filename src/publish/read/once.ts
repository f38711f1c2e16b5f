import type { ContentLine } from '../../ical/content-line.ts';
import { lineOf, linesOf, type ReadComponent } from '../../ical/read.ts';
import { type Context, placeOf } from './context.ts';

/** Properties of an event that RFC 5545 3.6.1 allows once, as far as they are read. The first one is. */
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

/** A finding for each that stands there with two values, and for DURATION beside DTEND. */
export function reportTwice(component: ReadComponent, context: Context, uid: string): void {
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
