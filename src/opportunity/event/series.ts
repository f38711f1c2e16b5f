import { detailsBelow, detailsOf } from '../details.ts';
import { shown } from '../findings.ts';
import { isPointer, itemStandIn, referenceOf, standInByContent, statedId } from '../identity.ts';
import { isObject, type JsonObject } from '../item/json.ts';
import { at, emit, first, isEmpty, note, type Rank, type Reading, single } from '../item/reading.ts';
import { typeOf, urlOf } from '../item/values.ts';
import { MAX_DEPTH } from '../limits.ts';
import { type Details, type EventStatus, inherit, type Series, type SeriesType } from '../records.ts';
import { schedulesOf } from '../schedule/schedule.ts';
import { statusOf } from './status.ts';

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
  const value = first(reading, from, 'superEvent', path);
  if (value === undefined) return undefined;
  const here = at(path, 'superEvent');
  if (isObject(value) && !isPointer(value)) {
    if (ownId === undefined || single(value['@id'] ?? value.id) !== ownId) {
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
  const { id: courseId, details: course } = courseOf(reading, from, path, ownId);
  const parent = parentOf(reading, from, path, ownId);
  if (parent === undefined) return { details: course, status: undefined, parent: courseId };
  const named = (above: string | undefined): string | undefined => {
    if (above === undefined) return courseId;
    if (courseId !== undefined) note(reading, 'course-beside-super-event', at(path, 'instanceOfCourse'));
    return above;
  };
  if (parent.object === undefined) return { details: course, status: undefined, parent: named(parent.id) };
  const here = at(path, 'superEvent');
  if (depth >= MAX_DEPTH) {
    note(reading, 'nested-too-deep', here, { most: MAX_DEPTH });
    return { details: course, status: undefined, parent: courseId };
  }
  const id = statedId(reading, parent.object, here);
  const above = inheritedOf(reading, parent.object, here, id, depth + 1);
  const own = inherit(above.details, detailsOf(reading, parent.object, here), false);
  return {
    details: course === undefined ? own : inherit(own, course, false),
    status: statusOf(reading, parent.object, here) ?? above.status,
    parent: named(above.parent),
  };
}

/** The Course that a CourseInstance is an instance of: it states what all instances share. `id`: it is only named. */
function courseOf(
  reading: Reading,
  from: JsonObject,
  path: string,
  ownId: string | undefined,
): { id?: string | undefined; details?: Details } {
  const course = first(reading, from, 'instanceOfCourse', path);
  if (course === undefined) return {};
  if (isObject(course) && !isPointer(course)) {
    return { details: detailsOf(reading, course, at(path, 'instanceOfCourse')) };
  }
  const id = referenceOf(reading, course, 'instanceOfCourse', path);
  return id === ownId ? {} : { id };
}

/** A Course item: what its instances share, who name it as they name an EventSeries. It has no times of its own. */
export function courseItem(reading: Reading, from: JsonObject): void {
  const id = statedId(reading, from, '$');
  if (id === undefined) {
    note(reading, 'course-without-instance', '$');
    return;
  }
  const url = urlOf(reading, from, 'url', '$');
  const details = detailsOf(reading, from, '$');
  const start = { kind: 'series' as const, id, type: 'EventSeries' as const, ...(url !== undefined && { url }) };
  emit(reading, { ...start, status: 'EventScheduled', details, schedules: [] }, 2);
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
  const hasParent = !isEmpty(from.superEvent) || frame.above !== undefined;
  const own = (hasParent ? detailsBelow : detailsOf)(reading, from, path);
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
