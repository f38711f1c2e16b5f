import { toObject } from '../../calendar/components.ts';
import { instancesOf } from '../../calendar/rule/instances.ts';
import type { Component, Property } from '../../ical/tree.ts';
import { utcInstant } from '../../ical/values.ts';
import type { ObjectMember } from '../../library/index.ts';
import type { Instant, InstantWindow } from '../../time/instant.ts';
import { toInstant, type Zone, zone } from '../../time/zone.ts';
import type { CompFilter, ParamFilter, PropFilter, TextMatch } from './filter.ts';

/** Whether an object matches a filter (RFC 4791 9.7). Its component tree is made only where the filter asks for more than times. */
export function matches({ events, revision }: ObjectMember, filter: CompFilter, floating: Zone): boolean {
  let tree: Component | undefined;

  function object(): Component {
    tree ??= toObject(events, revision);
    return tree;
  }

  function within(filter: CompFilter): boolean {
    if (filter.name === 'VEVENT') return hasEvent(filter);
    return anyOf(object().components, filter);
  }

  /** Whether a time-range and the other conditions hold of one and the same component. */
  function hasEvent(filter: CompFilter): boolean {
    if (filter.isNotDefined) return false;
    const inTime = filter.timeRange === undefined ? events : overlapping(filter.timeRange, filter);
    if (inTime.length === 0 || filter.props.length + filter.comps.length === 0) return inTime.length > 0;
    const components = object().components.filter(({ name }) => name === 'VEVENT');
    return inTime.some((event) => holds(components[events.indexOf(event)] as Component, filter));
  }

  function overlapping(window: InstantWindow, { props, comps }: CompFilter): ObjectMember['events'] {
    // Without further conditions one instance is enough.
    if (props.length + comps.length === 0) return instancesOf(events, window, floating, 1).map(({ event }) => event);
    return events.filter((event) =>
      // An event by itself, but a master with its overrides, which replace its instances.
      instancesOf([event, ...overridesOf(event, events)], window, floating, events.length + 1).some(
        (instance) => instance.event === event,
      ),
    );
  }

  function anyOf(components: readonly Component[], filter: CompFilter): boolean {
    const named = components.filter(({ name }) => name === filter.name);
    if (filter.isNotDefined) return named.length === 0;
    // Only events have a time: a time-range of a VTIMEZONE holds of none.
    return filter.timeRange === undefined && named.some((component) => holds(component, filter));
  }

  function holds(component: Component, { props, comps }: CompFilter): boolean {
    return (
      props.every((prop) => hasProperty(component, prop, floating)) &&
      comps.every((comp) => anyOf(component.components, comp))
    );
  }

  // The filter is that of VCALENDAR, which every object is.
  if (filter.isNotDefined || !filter.comps.every(within)) return false;
  return filter.props.every((prop) => hasProperty(object(), prop, floating));
}

function overridesOf(event: ObjectMember['events'][number], events: ObjectMember['events']): ObjectMember['events'] {
  return event.recurrenceId === undefined ? events.filter((other) => other !== event) : [];
}

function hasProperty({ properties }: Component, filter: PropFilter, floating: Zone): boolean {
  const named = properties.filter(({ name }) => name === filter.name);
  if (filter.isNotDefined) return named.length === 0;
  return named.some((property) => {
    const { timeRange, text, params } = filter;
    if (timeRange !== undefined && !isWithin(property, timeRange, floating)) return false;
    if (text !== undefined && !hasText(valueText(property), text)) return false;
    return params.every((param) => hasParameter(property, param));
  });
}

function hasParameter({ params = [] }: Property, { name, isNotDefined, text }: ParamFilter): boolean {
  const named = params.filter(([param]) => param === name);
  if (isNotDefined) return named.length === 0;
  return named.some(([, value]) => text === undefined || hasText(value, text));
}

function valueText({ value }: Property): string {
  return typeof value === 'string' ? value : value.join(',');
}

function hasText(value: string, { text, collation, isNegated }: TextMatch): boolean {
  const fold = FOLDS[collation];
  return fold(value).includes(fold(text)) !== isNegated;
}

const FOLDS: Record<TextMatch['collation'], (text: string) => string> = {
  'i;octet': (text) => text,
  'i;ascii-casemap': (text) => text.replace(/[a-z]+/g, (letters) => letters.toUpperCase()),
  'i;unicode-casemap': (text) => text.normalize('NFKD').toUpperCase(),
};

function isWithin(property: Property, { from, to }: InstantWindow, floating: Zone): boolean {
  const at = propertyTime(property, floating);
  return at !== undefined && at >= from && at < to;
}

function propertyTime({ value, params = [] }: Property, floating: Zone): Instant | undefined {
  if (typeof value !== 'string') return undefined;
  if (value.endsWith('Z')) return utcInstant(value);
  const wall = utcInstant(value.includes('T') ? `${value}Z` : `${value}T000000Z`);
  const tzid = params.find(([name]) => name === 'TZID')?.[1];
  return wall === undefined ? undefined : toInstant((tzid === undefined ? undefined : zone(tzid)) ?? floating, wall);
}
