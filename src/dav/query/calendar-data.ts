import { toObject } from '../../calendar/components.ts';
import type { CalendarEvent } from '../../calendar/objects.ts';
import { type Instance, instancesOf } from '../../calendar/rule/instances.ts';
import { type Component, type Property, raw } from '../../ical/tree.ts';
import { writeBytes } from '../../ical/write.ts';
import type { ObjectMember } from '../../library/index.ts';
import { LIMITS } from '../../limits.ts';
import type { Instant, InstantWindow } from '../../time/instant.ts';
import { toInstant, type Zone, zone } from '../../time/zone.ts';
import { unmet } from '../refusal.ts';
import type { DataOf } from '../xml/multistatus.ts';
import { CALDAV } from '../xml/names.ts';
import { childOf, childrenOf, type Element } from '../xml/read.ts';
import { escapedOctets } from '../xml/write.ts';
import { windowOf } from './time-range.ts';
import { escapedObject } from './whole-objects.ts';

/** The part of an object that a report sends (RFC 4791 9.6). */
export interface DataRequest {
  comp?: CompSelection;
  expand?: InstantWindow;
  limit?: InstantWindow;
}

/** The properties and components to send of a component; absent lists: all of them. */
interface CompSelection {
  props?: { name: string; hasValue: boolean }[];
  comps?: Map<string, CompSelection>;
}

/** @throws Refusal */
export function readDataRequest(data: Element): DataRequest {
  const [type = ''] = (data.attributes.get('content-type') ?? 'text/calendar').split(';');
  const version = data.attributes.get('version') ?? '2.0';
  if (type.trim().toLowerCase() !== 'text/calendar' || version !== '2.0')
    throw unmet('C:supported-calendar-data', 'Objects are text/calendar of version 2.0 alone.');
  const comp = childOf(data, CALDAV, 'comp');
  const expand = childOf(data, CALDAV, 'expand');
  const limit = childOf(data, CALDAV, 'limit-recurrence-set');
  const freeBusy = childOf(data, CALDAV, 'limit-freebusy-set');
  // Objects here hold no VFREEBUSY; the element is read only to refuse a wrong one.
  if (freeBusy !== undefined) windowOf(freeBusy, 'C:valid-filter');
  return {
    ...(comp && { comp: selectionOf(comp) }),
    ...(expand && { expand: windowOf(expand, 'C:valid-filter') }),
    ...(limit && { limit: windowOf(limit, 'C:valid-filter') }),
  };
}

/** The selection of a component. An empty element selects everything, as VTIMEZONE in the example of RFC 4791 7.8.1. */
function selectionOf(comp: Element): CompSelection {
  const props = childrenOf(comp, CALDAV, 'prop');
  const comps = childrenOf(comp, CALDAV, 'comp');
  const hasAllProps = childOf(comp, CALDAV, 'allprop') !== undefined || props.length === 0;
  const hasAllComps = childOf(comp, CALDAV, 'allcomp') !== undefined || (props.length === 0 && comps.length === 0);
  return {
    ...(!hasAllProps && {
      props: props.map(({ attributes }) => ({
        name: attributes.get('name')?.toUpperCase() ?? '',
        hasValue: attributes.get('novalue') !== 'yes',
      })),
    }),
    ...(!hasAllComps && {
      comps: new Map(comps.map((child) => [child.attributes.get('name')?.toUpperCase() ?? '', selectionOf(child)])),
    }),
  };
}

/**
 * Makes the octets of objects of one report, and limits the instances of all of them together. Undefined: an object has no
 * instance in the window, and one without a component is not allowed (RFC 5545 3.6).
 *
 * @throws Refusal, when the octets are made
 */
export function dataWriter(request: DataRequest, floating: Zone): DataOf {
  let written = 0;
  let characters = 0;

  /** Each instance by itself, in UTC, with no rule (RFC 4791 9.6.5). */
  function expanded({ events }: ObjectMember, window: InstantWindow): CalendarEvent[] {
    const left = LIMITS.dav.instances - written;
    const instances = instancesOf(events, window, floating, left + 1);
    written += instances.length;
    // The limit is checked before anything is written: descriptions times instances took 2 GB elsewhere (CVE-2025-59045).
    for (const { event } of instances) characters += lengthOf(event);
    if (instances.length > left || characters > LIMITS.dav.answerBytes)
      throw unmet(
        'D:number-of-matches-within-limits',
        `More than ${LIMITS.dav.instances} instances, or too long ones: ask for less time.`,
      );
    return instances.map((instance) => expandedEvent(instance));
  }

  /** The master, and overrides whose own time or whose instance is in the window (RFC 4791 9.6.6). */
  function limited({ events }: ObjectMember, window: InstantWindow | undefined): readonly CalendarEvent[] {
    if (window === undefined) return events;
    return events.filter(
      (event) =>
        event.recurrenceId === undefined ||
        instancesOf([event], window, floating, 1).length > 0 ||
        instancesOf([originalOf(event)], window, floating, 1).length > 0,
    );
  }

  return ({ member }) => {
    const { comp, expand, limit } = request;
    if (comp === undefined && expand === undefined && limit === undefined) return escapedObject(member);
    const events = expand !== undefined ? expanded(member, expand) : limited(member, limit);
    if (events.length === 0) return undefined;
    const tree = toObject(events, member.revision);
    return escapedOctets(writeBytes(comp === undefined ? tree : selected(tree, comp)));
  };
}

/** An override at the original time of its instance. */
function originalOf(event: CalendarEvent): CalendarEvent {
  const { span, recurrenceId } = event;
  if (recurrenceId === undefined) return event;
  const start = recurrenceId.wall;
  return { ...event, span: { ...span, zone: recurrenceId.zone, start, end: start + (span.end - span.start) } };
}

function expandedEvent({ event, start, end, original }: Instance): CalendarEvent {
  const { rrule: _, exdates: __, recurrenceId: ___, span, ...rest } = event;
  if (span.allDay === true) {
    const length = span.end - span.start;
    const wall = event.recurrenceId === undefined ? (original?.wall ?? span.start) : span.start;
    return { ...rest, span: { ...span, start: wall, end: wall + length }, ...(original && { recurrenceId: original }) };
  }
  const inUtc = original && instantOfOriginal(original);
  const utc = { zone: 'UTC', start, end: span.end > span.start ? end : start };
  return { ...rest, span: utc, ...(inUtc !== undefined && { recurrenceId: { zone: 'UTC', wall: inUtc } }) };
}

/** An estimate of the characters of an event as text. */
function lengthOf({ summary, description = '', location, url = '' }: CalendarEvent): number {
  const place = location === undefined ? 0 : 2 * (location.title.length + (location.address?.length ?? 0));
  return BARE_EVENT + summary.length + description.length + place + url.length;
}

/** Characters of times, UID and stamps. */
const BARE_EVENT = 300;

function instantOfOriginal({ zone: name, wall }: NonNullable<Instance['original']>): Instant | undefined {
  const z = zone(name);
  return z && toInstant(z, wall);
}

function selected(component: Component, { props, comps }: CompSelection): Component {
  const properties =
    props === undefined ? component.properties : component.properties.flatMap((one) => selectedProperty(one, props));
  const components = component.components.flatMap((child) => {
    const selection = comps === undefined ? {} : comps.get(child.name);
    return selection === undefined ? [] : [selected(child, selection)];
  });
  return { name: component.name, properties, components };
}

function selectedProperty(property: Property, props: NonNullable<CompSelection['props']>): Property[] {
  const one = props.find(({ name }) => name === property.name);
  if (one === undefined) return [];
  return [one.hasValue ? property : raw(property.name, '', property.params)];
}
