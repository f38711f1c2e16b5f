import { shown } from '../findings.ts';
import { childId, digestOf, identifierOf, isPointer, referenceOf, statedId } from '../identity.ts';
import { isObject, type JsonObject } from '../item/json.ts';
import { emit, isEmpty, many, note, type Rank, type Reading, within } from '../item/reading.ts';
import { typeOf } from '../item/values.ts';
import { MAX_CHILDREN, MAX_DEPTH } from '../limits.ts';
import type { Series, SeriesType, Session } from '../records.ts';
import { readSeries, type SeriesFrame } from './series.ts';
import { hasParts, mayReplace, noteNoSpan, readSession, sessionBesideParts, singleSession } from './session.ts';
import { type ReadSpan, spanOf, spanWithoutStart } from './span.ts';

/** The sub-events of one series while they are being read. */
interface Gathering {
  reading: Reading;
  series: Series;
  /** The object of the series: sub-events without a start take place when it does. */
  parent: JsonObject;
  drafts: Draft[];
  /** `@id`s of all that have one. */
  ids: Set<string>;
  /** Sub-events given by id only. */
  references: number;
  /** Series within, each with records of its own. */
  nested: number;
}

/** A session whose stand-in id waits until all its siblings are known. */
interface Draft {
  session: Session;
  from: JsonObject;
  path: string;
}

/** Reads `subEvent` into sessions of the series (and series within it); returns how many it holds. */
function subEventsOf(reading: Reading, from: JsonObject, path: string, series: Series, depth: number): number {
  if (isEmpty(from.subEvent)) return 0;
  const gathering: Gathering = { reading, series, parent: from, drafts: [], ids: new Set(), references: 0, nested: 0 };
  within(reading, from, () => gather(gathering, from, path, depth));
  if (gathering.references > 0)
    note(reading, 'sub-event-by-reference', `${path}.subEvent`, { count: gathering.references });
  if (gathering.ids.size > 0) series.subEvents = [...gathering.ids];
  for (const session of identified(gathering)) emit(reading, session, 1);
  const timed = gathering.drafts.filter(({ session }) => session.start !== undefined);
  return timed.length + gathering.references + gathering.nested;
}

function gather(gathering: Gathering, from: JsonObject, path: string, depth: number): void {
  const { reading } = gathering;
  for (const [index, entry] of many(reading, from, 'subEvent', path, MAX_CHILDREN).entries()) {
    const here = `${path}.subEvent[${index}]`;
    if (typeof entry === 'string' || (isObject(entry) && isPointer(entry))) {
      const id = referenceOf(reading, entry, 'subEvent', here);
      if (id !== undefined) gathering.ids.add(id);
      gathering.references += 1;
    } else if (isObject(entry)) gatherOne(gathering, entry, here, depth);
    else note(reading, 'reference-unusable', here, { property: 'subEvent', value: shown(entry) });
  }
}

function gatherOne(gathering: Gathering, from: JsonObject, path: string, depth: number): void {
  const { reading, series } = gathering;
  const type = typeOf(reading, from, path, SESSION_TYPES);
  const nested = type !== undefined && NESTED.has(type);
  if (depth >= MAX_DEPTH && (nested || !isEmpty(from.subEvent))) {
    note(reading, 'nested-too-deep', path, { most: MAX_DEPTH });
  } else if (nested) {
    gathering.nested += 1;
    const fallback = () => childId(`${series.id}#/subEvent`, digestOf(from));
    eventWithin(reading, from, path, { type: type as SeriesType, fallback, above: series, depth: depth + 1 }, 1);
  } else if (isEmpty(from.subEvent)) {
    const usual = series.type === 'SessionSeries' ? 'ScheduledSession' : 'Event';
    if (type !== undefined && !SESSION_TYPES.has(type))
      note(reading, 'type-unofficial', path, { value: shown(type), used: usual });
    draftSession(gathering, from, path, type !== undefined && SESSION_TYPES.has(type) ? type : usual);
  } else within(reading, from, () => gather(gathering, from, path, depth + 1));
}

const SESSION_TYPES = new Set(['ScheduledSession', 'Event']);
/** Sub-events that are series themselves: an EventSeries has them. */
const NESTED = new Set<string>([
  'SessionSeries',
  'HeadlineEvent',
  'CourseInstance',
  'EventSeries',
] satisfies SeriesType[]);

/** Reads a series with what is in it. `parts`: how many sub-events; an event without any is its own. */
export function eventWithin(
  reading: Reading,
  from: JsonObject,
  path: string,
  frame: Omit<SeriesFrame, 'single'>,
  rank: Rank,
): { series: Series; parts: number } {
  const { type, depth } = frame;
  const single = !hasParts(from) && type !== 'SessionSeries' && type !== 'EventSeries';
  const { series, idStated } = readSeries(reading, from, path, { ...frame, single });
  emit(reading, series, rank);
  const known = { id: series.id, idStated, type };
  if (single) {
    singleSession(reading, from, path, known, rank);
    return { series, parts: 1 };
  }
  sessionBesideParts(reading, from, path, known, rank);
  return { series, parts: subEventsOf(reading, from, path, series, depth) };
}

function draftSession(gathering: Gathering, from: JsonObject, path: string, type: string): void {
  const { reading, series } = gathering;
  const span = spanOrParents(gathering, from, path);
  const stated = statedId(reading, from, path);
  if (typeof span === 'string') {
    const inherited = isEmpty(from.startDate) && span !== 'undated';
    noteNoSpan(reading, span, inherited ? '$' : path);
    if (inherited || !mayReplace(stated, from)) return;
  }
  const known = typeof span === 'string' ? spanWithoutStart(reading, from, path) : span;
  if (stated === undefined) note(reading, 'id-missing', path, { type });
  else gathering.ids.add(stated);
  const frame = { id: stated ?? '', idStated: stated !== undefined, type, series: series.id, span: known };
  gathering.drafts.push({ session: readSession(reading, from, path, frame), from, path });
}

/** Everything is inherited, the start too; but a SessionSeries' own dates are its bounds and no session's. */
function spanOrParents({ reading, series, parent }: Gathering, from: JsonObject, path: string): ReadSpan {
  const own = spanOf(reading, from, path);
  if (own !== 'undated' || series.type === 'SessionSeries' || series.type === 'EventSeries') return own;
  const inherited = spanOf(reading, parent, '$');
  if (typeof inherited === 'object') note(reading, 'start-inherited', path);
  return inherited;
}

/**
 * Gives each session without an `@id` its stand-in: series and `identifier`, else series and start. Where siblings share
 * it, all of them take the start, then a digest of what they say: no id depends on the order. Equal ones are one.
 */
function identified({ reading, series, drafts }: Gathering): Session[] {
  const unnamed = drafts.filter(({ session }) => !session.idStated);
  if (unnamed.length > 0) nameAll(reading, series.id, unnamed);
  const seen = new Set<string>();
  return drafts.flatMap(({ session, path }) => {
    if (!seen.has(session.id)) {
      seen.add(session.id);
      return [session];
    }
    note(reading, 'repeated-within-item', path);
    return [];
  });
}

function nameAll(reading: Reading, series: string, drafts: readonly Draft[]): void {
  const startOf = ({ session: { start, previousStart } }: Draft) => new Date(start ?? previousStart ?? 0).toISOString();
  const steps: ((draft: Draft) => string)[] = [
    (draft) => identifierOf(reading, draft.from, draft.path) ?? startOf(draft),
    (draft) => `${identifierOf(reading, draft.from, draft.path) ?? ''}/${startOf(draft)}`,
    (draft) => `${startOf(draft)}/${digestOf(draft.from)}`,
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
