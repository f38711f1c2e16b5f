import { shown } from '../findings.ts';
import { childId, digestOf, identifierOf, isPointer, itemStandIn, referenceOf, statedId } from '../identity.ts';
import { isObject } from '../item/json.ts';
import { at, emit, isEmpty, many, note, type Part, type Rank, within } from '../item/reading.ts';
import { typeOf } from '../item/values.ts';
import { MAX_CHILDREN, MAX_DEPTH } from '../limits.ts';
import type { Series, SeriesType, Session } from '../records.ts';
import { embeddedSeries, type Parent, parentOf, readSeries, type SeriesFrame, seriesType } from './series.ts';
import { hasParts, mayReplace, noteNoSpan, readSession, sessionBesideParts, singleSession } from './session.ts';
import { type ReadSpan, spanOf, spanWithoutStart } from './span.ts';

/** A ScheduledSession item: one session of the series that its `superEvent` is. */
export function sessionItem(part: Part): void {
  const id = statedId(part);
  sessionOfParent(part, 'ScheduledSession', id, parentOf(part, id));
}

function sessionOfParent(part: Part, type: string, id: string | undefined, parent: Parent | undefined): void {
  const usual = type === 'ScheduledSession' ? 'SessionSeries' : 'Event';
  const series = parent?.part === undefined ? parent?.id : embeddedSeries(parent, usual);
  if (series === undefined) note(part, 'session-without-series');
  if (id === undefined) note(part, 'id-missing', { type });
  const span = spanOf(part);
  if (typeof span === 'string') noteNoSpan(part, span);
  if (typeof span === 'string' && !mayReplace(id, part.from)) return;
  const known = typeof span === 'string' ? spanWithoutStart(part) : span;
  const frame = { id: id ?? itemStandIn(part, type), idStated: id !== undefined, type, series, span: known };
  const session = readSession(part, frame);
  if (type === 'Event' && series !== undefined && typeof span !== 'string') {
    ownSeries(part);
    session.ownSeries = true;
  }
  emit(part, session, 2);
}

/** Emits an Event as a series too, which is shown until the series that it names is published (semantics 2). */
function ownSeries(part: Part): void {
  const fallback = () => itemStandIn(part, 'Event');
  const { series } = readSeries(part, { type: 'Event', fallback, single: true, depth: 0 });
  const { parent: _, statusStated: __, ...own } = series;
  emit(part, { ...own, untilJoined: true }, 2);
}

/** An item of the Event family: a series with its sub-events, one session of a series, or both in one. */
export function eventItem(part: Part, type: SeriesType): void {
  const parts = hasParts(part.from);
  if (type === 'Event' && parts) note(part, 'event-with-schedule');
  if (type === 'Event' && !parts && sessionOfSeries(part)) return;
  const fallback = () => itemStandIn(part, type);
  const { series, parts: events } = eventWithin(part, { type, fallback, depth: 0 }, 2);
  if (events > 0 || series.schedules.length > 0 || type === 'EventSeries') return;
  if (type === 'SessionSeries') note(part, 'series-without-schedule');
  else note(part, 'series-without-time', { type });
}

/** Reads a plain Event as a session of a series; false: it is a series itself, as under an EventSeries. */
function sessionOfSeries(part: Part): boolean {
  const id = statedId(part);
  const parent = parentOf(part, id);
  if (parent === undefined) return false;
  if (parent.part !== undefined && (parent.type === 'EventSeries' || seriesType(parent.type) === undefined))
    return false;
  sessionOfParent(part, 'Event', id, parent);
  return true;
}

/** The sub-events of one series while they are being read. */
interface Gathering {
  series: Series;
  /** The object of the series, whose start its sub-events inherit. */
  parent: Part;
  drafts: Draft[];
  /** The stated `@id`s of sub-events. */
  ids: Set<string>;
  /** Sub-events given by id only. */
  references: number;
  /** Number of sub-events that are series, with records of their own. */
  nested: number;
}

/** A session whose stand-in id waits until all its siblings are known. */
interface Draft {
  session: Session;
  part: Part;
}

/** Reads `subEvent` into sessions of the series and series within it; returns the number of both. */
function subEventsOf(part: Part, series: Series, depth: number): number {
  if (isEmpty(part.from.subEvent)) return 0;
  const gathering: Gathering = { series, parent: part, drafts: [], ids: new Set(), references: 0, nested: 0 };
  within(part, () => gather(gathering, part, depth));
  if (gathering.references > 0) note(at(part, 'subEvent'), 'sub-event-by-reference', { count: gathering.references });
  if (gathering.ids.size > 0) series.subEvents = [...gathering.ids];
  for (const session of identified(gathering)) emit(part, session, 1);
  const timed = gathering.drafts.filter(({ session }) => session.start !== undefined);
  return timed.length + gathering.references + gathering.nested;
}

function gather(gathering: Gathering, part: Part, depth: number): void {
  for (const [index, entry] of many(part, 'subEvent', MAX_CHILDREN).entries()) {
    const here = at(part, 'subEvent', index);
    if (typeof entry === 'string' || (isObject(entry) && isPointer(entry))) {
      const id = referenceOf(part, 'subEvent', entry, index);
      if (id === undefined) continue;
      gathering.ids.add(id);
      gathering.references += 1;
    } else if (isObject(entry)) gatherOne(gathering, { ...here, from: entry }, depth);
    else note(here, 'reference-unusable', { property: 'subEvent', value: shown(entry) });
  }
}

function gatherOne(gathering: Gathering, part: Part, depth: number): void {
  const { series } = gathering;
  const type = typeOf(part, SESSION_TYPES);
  const nested = type !== undefined && NESTED.has(type);
  if (depth >= MAX_DEPTH && (nested || !isEmpty(part.from.subEvent))) {
    note(part, 'nested-too-deep', { most: MAX_DEPTH });
  } else if (nested) {
    gathering.nested += 1;
    const fallback = () => childId(`${series.id}#/subEvent`, digestOf(part.from));
    eventWithin(part, { type: type as SeriesType, fallback, above: series, depth: depth + 1 }, 1);
  } else if (isEmpty(part.from.subEvent)) {
    const usual = series.type === 'SessionSeries' ? 'ScheduledSession' : 'Event';
    const isKnown = type !== undefined && SESSION_TYPES.has(type);
    if (type !== undefined && !isKnown) note(part, 'type-unofficial', { value: shown(type), used: usual });
    draftSession(gathering, part, isKnown ? type : usual);
  } else within(part, () => gather(gathering, part, depth + 1));
}

const SESSION_TYPES = new Set(['ScheduledSession', 'Event']);
/** Types of sub-events that are series themselves, as in an EventSeries. */
const NESTED = new Set<string>([
  'SessionSeries',
  'HeadlineEvent',
  'CourseInstance',
  'EventSeries',
] satisfies SeriesType[]);

/** Reads a series with its sub-events. `parts`: their number; an event without any is its own session. */
function eventWithin(part: Part, frame: Omit<SeriesFrame, 'single'>, rank: Rank): { series: Series; parts: number } {
  const { type, depth } = frame;
  const single = !hasParts(part.from) && type !== 'SessionSeries' && type !== 'EventSeries';
  const { series, idStated } = readSeries(part, { ...frame, single });
  emit(part, series, rank);
  const known = { id: series.id, idStated, type };
  if (single) {
    singleSession(part, known, rank);
    return { series, parts: 1 };
  }
  sessionBesideParts(part, known, rank);
  return { series, parts: subEventsOf(part, series, depth) };
}

function draftSession(gathering: Gathering, part: Part, type: string): void {
  const { series, parent } = gathering;
  const span = spanOrParents(gathering, part);
  const stated = statedId(part);
  if (typeof span === 'string') {
    const inherited = isEmpty(part.from.startDate) && span !== 'undated';
    noteNoSpan(inherited ? parent : part, span);
    if (inherited || !mayReplace(stated, part.from)) return;
  }
  const known = typeof span === 'string' ? spanWithoutStart(part) : span;
  if (stated === undefined) note(part, 'id-missing', { type });
  else gathering.ids.add(stated);
  const frame = { id: stated ?? '', idStated: stated !== undefined, type, series: series.id, span: known };
  gathering.drafts.push({ session: readSession(part, frame), part });
}

/** The span of a sub-event, or its parent's, as the start is inherited too. The dates of a SessionSeries are its bounds alone. */
function spanOrParents({ series, parent }: Gathering, part: Part): ReadSpan {
  const own = spanOf(part);
  if (own !== 'undated' || series.type === 'SessionSeries' || series.type === 'EventSeries') return own;
  const inherited = spanOf(parent);
  if (typeof inherited === 'object') note(part, 'start-inherited');
  return inherited;
}

/**
 * Gives each session without an `@id` its stand-in id: series and `identifier`, else series and start. Siblings with one id get
 * the start too, then a digest of their content, so that no id depends on the order. Equal sessions become one.
 */
function identified({ series, drafts }: Gathering): Session[] {
  const unnamed = drafts.filter(({ session }) => !session.idStated);
  if (unnamed.length > 0) nameAll(series.id, unnamed);
  const seen = new Set<string>();
  return drafts.flatMap(({ session, part }) => {
    if (!seen.has(session.id)) {
      seen.add(session.id);
      return [session];
    }
    note(part, 'repeated-within-item');
    return [];
  });
}

function nameAll(series: string, drafts: readonly Draft[]): void {
  const startOf = ({ session: { start, previousStart } }: Draft) => new Date(start ?? previousStart ?? 0).toISOString();
  const steps: ((draft: Draft) => string)[] = [
    (draft) => identifierOf(draft.part) ?? startOf(draft),
    (draft) => `${identifierOf(draft.part) ?? ''}/${startOf(draft)}`,
    (draft) => `${startOf(draft)}/${digestOf(draft.part.from)}`,
  ];
  let shared = drafts;
  for (const step of steps) {
    const groups = Map.groupBy(shared, step);
    for (const [key, group] of groups)
      for (const { session } of group) session.id = childId(`${series}#/subEvent`, key);
    shared = [...groups.values()].filter((group) => group.length > 1).flat();
    if (shared.length === 0) return;
  }
}
