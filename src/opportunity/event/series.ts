import { detailsOf } from '../details.ts';
import { shown } from '../findings.ts';
import { isPointer, itemStandIn, referenceOf, standInByContent, statedId } from '../identity.ts';
import { isObject, type JsonObject } from '../item/json.ts';
import { at, emit, first, isEmpty, note, type Rank, type Reading } from '../item/reading.ts';
import { typeOf, urlOf } from '../item/values.ts';
import { MAX_DEPTH } from '../limits.ts';
import { type Details, type EventStatus, inherit, type Series, type SeriesType } from '../records.ts';
import { schedulesOf } from '../schedule/schedule.ts';
import { statusOf } from './span.ts';

const SERIES_TYPES: ReadonlySet<string> = new Set<SeriesType>([
  'SessionSeries',
  'Event',
  'HeadlineEvent',
  'CourseInstance',
  'EventSeries',
]);

/** What `superEvent` is: an id only, or an object with content and its type as it is spelled. */
export type Parent =
  | { id: string; object?: undefined; type?: undefined }
  | { object: JsonObject; type: string | undefined; id?: undefined };

/** Reads `superEvent`: an id, an object that only points, or an object. */
export function parentOf(
  reading: Reading,
  from: JsonObject,
  path: string,
  ownId: string | undefined,
): Parent | undefined {
  if (isEmpty(from.superEvent)) return undefined;
  const value = first(reading, from, 'superEvent', path);
  if (value === undefined) return undefined;
  const here = at(path, 'superEvent');
  if (isObject(value) && !isPointer(value)) {
    if (ownId === undefined || (value['@id'] ?? value.id) !== ownId) {
      return { object: value, type: typeOf(reading, value, here, SERIES_TYPES) };
    }
  } else {
    const id = referenceOf(reading, value, 'superEvent', path);
    if (id === undefined) return undefined;
    if (id !== ownId) return { id };
  }
  note(reading, 'super-event-is-itself', here);
  return undefined;
}

/** What a series or session takes from objects embedded in it: parents and, for course instances, the course. */
export interface Inherited {
  details: Details | undefined;
  status: EventStatus | undefined;
  /** Identity of the nearest ancestor that is named by id only. */
  parent: string | undefined;
}

/** Reads the embedded ancestors of a series, each over its own (semantics 2). Their `offers` are not for the series. */
function inheritedOf(
  reading: Reading,
  from: JsonObject,
  path: string,
  ownId: string | undefined,
  depth: number,
): Inherited {
  const course = courseOf(reading, from, path);
  const parent = parentOf(reading, from, path, ownId);
  if (parent === undefined) return { details: course, status: undefined, parent: undefined };
  if (parent.object === undefined) return { details: course, status: undefined, parent: parent.id };
  const here = at(path, 'superEvent');
  if (depth >= MAX_DEPTH) {
    note(reading, 'nested-too-deep', here, { most: MAX_DEPTH });
    return { details: course, status: undefined, parent: undefined };
  }
  const id = statedId(reading, parent.object, here);
  const above = inheritedOf(reading, parent.object, here, id, depth + 1);
  const own = inherit(above.details, detailsOf(reading, parent.object, here), false);
  return {
    details: course === undefined ? own : inherit(own, course, false),
    status: statusOf(reading, parent.object, here) ?? above.status,
    parent: above.parent,
  };
}

/** The Course that a CourseInstance is an instance of: it states what all instances share. */
function courseOf(reading: Reading, from: JsonObject, path: string): Details | undefined {
  if (from.instanceOfCourse === undefined) return undefined;
  const course = first(reading, from, 'instanceOfCourse', path);
  return isObject(course) ? detailsOf(reading, course, at(path, 'instanceOfCourse')) : undefined;
}

/** A series as it is read, before it is known what is in it. */
export interface ReadSeries {
  series: Series;
  idStated: boolean;
}

/** How a series is to be read: as what, and what is known before. */
export interface SeriesFrame {
  type: SeriesType;
  /** Stands in for an id when nothing in the data does. */
  fallback(): string;
  /** Take its identity from the item alone: what it holds is one event among others of the same name. */
  single?: boolean;
  /** Details and status of the object it is embedded in. */
  above?: { details: Details; status: EventStatus };
  depth: number;
}

/** Reads a series without its sub-events. */
export function readSeries(reading: Reading, from: JsonObject, path: string, frame: SeriesFrame): ReadSeries {
  const stated = statedId(reading, from, path);
  const inherited = inheritedOf(reading, from, path, stated, frame.depth);
  const own = detailsOf(reading, from, path);
  const url = urlOf(reading, from, 'url', path);
  const details = inherit(frame.above?.details, inherit(inherited.details, own, false), false);
  const id = stated ?? standInOf(reading, from, path, frame, own, url);
  const known = statusOf(reading, from, path) ?? inherited.status ?? frame.above?.status;
  const status = known ?? 'EventScheduled';
  const schedules = schedulesOf(reading, from, path, frame.type === 'SessionSeries' ? 'ScheduledSession' : 'Event');
  const { type } = frame;
  const { parent } = inherited;
  // The order of properties is that of the stored text.
  const start = url === undefined ? { kind: 'series' as const, id, type } : { kind: 'series' as const, id, type, url };
  const series: Series =
    parent === undefined
      ? { ...start, status, details, schedules }
      : { ...start, status, ...(known === undefined && { statusStated: false }), details, parent, schedules };
  if (stated === undefined) note(reading, 'id-missing', path, { type: frame.type });
  if (details.name === undefined && inherited.parent === undefined)
    note(reading, 'name-missing', path, { type: frame.type });
  return { series, idStated: stated !== undefined };
}

function standInOf(
  reading: Reading,
  from: JsonObject,
  path: string,
  frame: SeriesFrame,
  own: Details,
  url: string | undefined,
): string {
  if (frame.single) return frame.fallback();
  // Among a feed's own items a name is not enough: two series of one name at one place are two items.
  const place = path === '$' ? undefined : own.location?.id;
  return standInByContent(reading, from, frame.type, path, { name: own.name, url, place }) ?? frame.fallback();
}

/** Reads the series embedded in one of its sessions into a record; returns its id. */
export function embeddedSeries(reading: Reading, parent: Parent & { object: JsonObject }, usual: SeriesType): string {
  const path = '$.superEvent';
  const type = seriesType(parent.type) ?? usual;
  if (type !== parent.type && parent.type !== undefined && parent.type !== 'Course') {
    note(reading, 'super-event-type-unknown', path, { value: shown(parent.type), used: type });
  }
  const fallback = () => itemStandIn(reading, type);
  const { series } = readSeries(reading, parent.object, path, { type, fallback, depth: 1 });
  if (!isEmpty(parent.object.subEvent)) note(reading, 'sub-events-of-parent', at(path, 'subEvent'));
  emit(reading, series, 0 satisfies Rank);
  return series.id;
}

/** A type that is a series; a Course in the place of one is read as its instance. */
export function seriesType(type: string | undefined): SeriesType | undefined {
  if (type === 'Course') return 'CourseInstance';
  return type !== undefined && SERIES_TYPES.has(type) ? (type as SeriesType) : undefined;
}
