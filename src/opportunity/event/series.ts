import { detailsBelow, detailsOf } from '../details.ts';
import { shown } from '../findings.ts';
import { isPointer, itemStandIn, referenceOf, standInByContent, statedId } from '../identity.ts';
import { isObject } from '../item/json.ts';
import { at, emit, first, isEmpty, note, type Part, partAt, type Rank, single } from '../item/reading.ts';
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

/** The value of `superEvent`: an id, or an object with content and its type as spelled. */
export type Parent =
  | { id: string; part?: undefined; type?: undefined }
  | { part: Part; type: string | undefined; id?: undefined };

/** Reads `superEvent`: an id, an object that only points, or an object. */
export function parentOf(part: Part, ownId: string | undefined): Parent | undefined {
  const value = first(part, 'superEvent');
  if (value === undefined) return undefined;
  if (isObject(value) && !isPointer(value)) {
    if (ownId === undefined || single(value['@id'] ?? value.id) !== ownId) {
      const parent = partAt(part, value, 'superEvent');
      return { part: parent, type: typeOf(parent, SERIES_TYPES) };
    }
  } else {
    const id = referenceOf(part, 'superEvent', value);
    if (id === undefined) return undefined;
    if (id !== ownId) return { id };
  }
  note(at(part, 'superEvent'), 'super-event-is-itself');
  return undefined;
}

/** Details and status from objects embedded in a series or session: its parents, and the course of a CourseInstance. */
export interface Inherited {
  details: Details | undefined;
  status: EventStatus | undefined;
  /** Identity of the nearest ancestor that is named by id only. */
  parent: string | undefined;
}

/** Reads the embedded ancestors of a series, each inheriting from its own (semantics 2), without their `offers`. */
function inheritedOf(part: Part, ownId: string | undefined, depth: number): Inherited {
  const { id: courseId, details: course } = courseOf(part, ownId);
  const parent = parentOf(part, ownId);
  if (parent === undefined) return { details: course, status: undefined, parent: courseId };
  const named = (above: string | undefined): string | undefined => {
    if (above === undefined) return courseId;
    if (courseId !== undefined) note(at(part, 'instanceOfCourse'), 'course-beside-super-event');
    return above;
  };
  if (parent.part === undefined) return { details: course, status: undefined, parent: named(parent.id) };
  if (depth >= MAX_DEPTH) {
    note(parent.part, 'nested-too-deep', { most: MAX_DEPTH });
    return { details: course, status: undefined, parent: courseId };
  }
  const above = inheritedOf(parent.part, statedId(parent.part), depth + 1);
  const own = inherit(above.details, detailsOf(parent.part), false);
  return {
    details: course === undefined ? own : inherit(own, course, false),
    status: statusOf(parent.part) ?? above.status,
    parent: named(above.parent),
  };
}

/** The Course of a CourseInstance, whose details all instances share. `id`: where the Course is only named. */
function courseOf(part: Part, ownId: string | undefined): { id?: string | undefined; details?: Details } {
  const course = first(part, 'instanceOfCourse');
  if (course === undefined) return {};
  if (isObject(course) && !isPointer(course)) return { details: detailsOf(partAt(part, course, 'instanceOfCourse')) };
  const id = referenceOf(part, 'instanceOfCourse', course);
  return id === ownId ? {} : { id };
}

/** A Course item, read as an EventSeries: its instances inherit its details, and it has no times of its own. */
export function courseItem(part: Part): void {
  const id = statedId(part);
  if (id === undefined) {
    note(part, 'course-without-instance');
    return;
  }
  const url = urlOf(part, 'url');
  const details = detailsOf(part);
  const start = { kind: 'series' as const, id, type: 'EventSeries' as const, ...(url !== undefined && { url }) };
  emit(part, { ...start, status: 'EventScheduled', details, schedules: [] }, 2);
}

/** A series before its sub-events are read. */
export interface ReadSeries {
  series: Series;
  idStated: boolean;
}

/** The type of a series to read, and facts from outside its object. */
export interface SeriesFrame {
  type: SeriesType;
  /** Makes a stand-in id where nothing in the data identifies the series. */
  fallback(): string;
  /** Whether a stand-in id comes from the item alone, for one event among others of the same name. */
  single?: boolean;
  /** Details and status of the object it is embedded in. */
  above?: { details: Details; status: EventStatus };
  depth: number;
}

/** Reads a series without its sub-events. */
export function readSeries(part: Part, frame: SeriesFrame): ReadSeries {
  const stated = statedId(part);
  const inherited = inheritedOf(part, stated, frame.depth);
  const hasParent = !isEmpty(part.from.superEvent) || frame.above !== undefined;
  const own = (hasParent ? detailsBelow : detailsOf)(part);
  const url = urlOf(part, 'url');
  const details = inherit(frame.above?.details, inherit(inherited.details, own, false), false);
  const id = stated ?? standInOf(part, frame, own, url);
  const known = statusOf(part) ?? inherited.status ?? frame.above?.status;
  const status = known ?? 'EventScheduled';
  const schedules = schedulesOf(part, frame.type === 'SessionSeries' ? 'ScheduledSession' : 'Event');
  const { type } = frame;
  const { parent } = inherited;
  // The order of properties is part of the stored text.
  const start = url === undefined ? { kind: 'series' as const, id, type } : { kind: 'series' as const, id, type, url };
  const series: Series =
    parent === undefined
      ? { ...start, status, details, schedules }
      : { ...start, status, ...(known === undefined && { statusStated: false }), details, parent, schedules };
  if (stated === undefined) note(part, 'id-missing', { type: frame.type });
  if (details.name === undefined && inherited.parent === undefined) note(part, 'name-missing', { type: frame.type });
  return { series, idStated: stated !== undefined };
}

function standInOf(part: Part, frame: SeriesFrame, own: Details, url: string | undefined): string {
  if (frame.single) return frame.fallback();
  // A name does not identify an item: two series of one name at one place are two items.
  const place = part.path === '$' ? undefined : own.location?.id;
  return standInByContent(part, frame.type, { name: own.name, url, place }) ?? frame.fallback();
}

/** Reads the series embedded in one of its sessions into a record; returns its id. */
export function embeddedSeries({ part, type: stated }: Parent & { part: Part }, usual: SeriesType): string {
  const type = seriesType(stated) ?? usual;
  if (type !== stated && stated !== undefined && stated !== 'Course') {
    note(part, 'super-event-type-unknown', { value: shown(stated), used: type });
  }
  const fallback = () => itemStandIn(part, type);
  const { series } = readSeries(part, { type, fallback, depth: 1 });
  if (!isEmpty(part.from.subEvent)) note(at(part, 'subEvent'), 'sub-events-of-parent');
  emit(part, series, 0 satisfies Rank);
  return series.id;
}

/** The series type of a type; a Course as `superEvent` is read as a CourseInstance. */
export function seriesType(type: string | undefined): SeriesType | undefined {
  if (type === 'Course') return 'CourseInstance';
  return type !== undefined && SERIES_TYPES.has(type) ? (type as SeriesType) : undefined;
}
