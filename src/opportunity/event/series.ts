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

/** What `superEvent` is: an id only, or an object with content and its type as it is spelled. */
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

/** What a series or session takes from objects embedded in it: parents and, for course instances, the course. */
export interface Inherited {
  details: Details | undefined;
  status: EventStatus | undefined;
  /** Identity of the nearest ancestor that is named by id only. */
  parent: string | undefined;
}

/** Reads the embedded ancestors of a series, each over its own (semantics 2). Their `offers` are not for the series. */
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

/** The Course that a CourseInstance is an instance of: it states what all instances share. `id`: it is only named. */
function courseOf(part: Part, ownId: string | undefined): { id?: string | undefined; details?: Details } {
  const course = first(part, 'instanceOfCourse');
  if (course === undefined) return {};
  if (isObject(course) && !isPointer(course)) return { details: detailsOf(partAt(part, course, 'instanceOfCourse')) };
  const id = referenceOf(part, 'instanceOfCourse', course);
  return id === ownId ? {} : { id };
}

/** A Course item: what its instances share, who name it as they name an EventSeries. It has no times of its own. */
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
  // The order of properties is that of the stored text.
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
  // Among a feed's own items a name is not enough: two series of one name at one place are two items.
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

/** A type that is a series; a Course in the place of one is read as its instance. */
export function seriesType(type: string | undefined): SeriesType | undefined {
  if (type === 'Course') return 'CourseInstance';
  return type !== undefined && SERIES_TYPES.has(type) ? (type as SeriesType) : undefined;
}
