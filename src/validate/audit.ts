import { type FindingCode, type RawFinding, shown } from '../opportunity/findings.ts';
import { isObject, type Json, type JsonObject } from '../opportunity/item/json.ts';
import { isEmpty, pathTo } from '../opportunity/item/reading.ts';
import { bareName } from '../opportunity/item/vocabulary.ts';
import { MAX_DEPTH_AUDITED, MAX_FINDINGS } from '../opportunity/limits.ts';
import { ATTENDANCE_MODES } from '../opportunity/whereabouts.ts';
import { parseMoment } from '../time/iso-text.ts';
import { conceptFindings } from './concepts.ts';
import { type DataModel, dataModel, type ModelType, type Property } from './model.ts';
import { partFindings } from './parts.ts';
import { isPublicAddress, wrongValue } from './values.ts';

/**
 * Compares an item's data with the OpenActive data model, property by property, for publishers who run `check`. Calendars do
 * not need most of the model, so harvested feeds are not compared. A place with an error or warning of the reader gets no second
 * finding. One step for each property; pure.
 */
export function auditFindings(
  data: Json | undefined,
  noted: readonly Pick<RawFinding, 'path' | 'code'>[],
): RawFinding[] {
  if (!isObject(data)) return [];
  const audit: Audit = { model: dataModel(), findings: [], noted: new Set(noted.map(({ path }) => path)) };
  auditContext(audit, data);
  visit(audit, data, { path: '$', property: undefined, hint: undefined, above: undefined, depth: 0 });
  const missed = new Set(noted.map(({ code, path }) => pathTo(path, NOTED_OF[code] ?? '')));
  const fresh = ({ code, path }: RawFinding) =>
    !(audit.noted.has(path) || (code === 'property-missing' && missed.has(path)));
  return audit.findings.filter(fresh).slice(0, MAX_FINDINGS);
}

/** The property that a finding of the reader calls missing, where its path is that of the object. */
const NOTED_OF: Partial<Record<FindingCode, string>> = {
  'id-missing': '@id',
  'name-missing': 'name',
  'hours-without-days': 'dayOfWeek',
  'schedule-start-time-missing': 'startTime',
  'schedule-timezone-missing': 'scheduleTimezone',
  'scheduled-event-type-missing': 'scheduledEventType',
  'session-without-start': 'startDate',
  'slot-without-uses': 'remainingUses',
  'slot-without-facility': 'facilityUse',
};

interface Audit {
  model: DataModel;
  findings: RawFinding[];
  /** Paths that have a finding already. */
  noted: Set<string>;
}

interface ObjectPlace {
  path: string;
  /** The property that holds the object; undefined: the object is the item's data. */
  property: string | undefined;
  /** The type of an object that states none: the only one that the property may have. */
  hint: string | undefined;
  /** The object around it, if it inherits from that object. */
  above: JsonObject | undefined;
  depth: number;
}

function addFinding({ findings }: Audit, code: FindingCode, path: string, facts?: RawFinding['facts']): void {
  if (findings.length < 2 * MAX_FINDINGS) findings.push({ code, path, ...(facts && { facts }) });
}

const CONTEXT = 'https://openactive.io/';
const OLD_CONTEXT = /^(?:http:\/\/(?:www\.)?|https:\/\/www\.)openactive\.io/;

function auditContext(audit: Audit, data: JsonObject): void {
  const context = data['@context'];
  const all = Array.isArray(context) ? context : [context];
  const odd = all[0] === CONTEXT ? all.find((one) => typeof one === 'string' && OLD_CONTEXT.test(one)) : all[0];
  if (context === undefined) addFinding(audit, 'context-missing', pathTo('$', '@context'));
  else if (odd !== undefined || all.length === 0) {
    addFinding(audit, 'context-unexpected', pathTo('$', '@context'), { value: shown(odd) });
  }
}

function visit(audit: Audit, object: JsonObject, place: ObjectPlace): void {
  const { path, property, hint, depth } = place;
  const own = object['@type'] ?? object.type;
  const stated = Array.isArray(own) ? own[0] : own;
  if (Array.isArray(own)) {
    const facts = { property: '@type', expected: 'a text', value: shown(own) };
    addFinding(audit, 'value-of-wrong-type', pathTo(path, '@type'), facts);
  }
  const type = typeof stated === 'string' && stated !== '' ? bareName(stated) : undefined;
  if (type === undefined) {
    const facts = { property: property ?? '', type: hint ?? '' };
    if (property !== undefined) addFinding(audit, 'object-without-type', path, facts);
  }
  if (type !== undefined && type !== stated)
    addFinding(audit, 'type-spelling', path, { value: shown(stated), used: type });
  const model = audit.model.types.get(type ?? hint ?? '');
  if (property !== undefined && object['@context'] !== undefined)
    addFinding(audit, 'context-nested', pathTo(path, '@context'));
  if (depth > MAX_DEPTH_AUDITED) return;
  if (model === undefined) {
    // The model lacks this type, and may have the types of objects in it.
    for (const name in object) descend(audit, undefined, undefined, name, object[name] as Json, place);
    return;
  }
  missing(audit, object, model, place);
  for (const name in object) {
    if (!IGNORED.has(name)) judge(audit, object, model, name, place);
  }
  for (const one of partFindings(object, model, path)) addFinding(audit, one.code, one.path, one.facts);
  spans(audit, object, model, path);
}

/** Properties that `judge` skips: the reader checks types, and `auditContext` contexts. */
const IGNORED = new Set(['@type', 'type', '@context']);

/** Properties that no object inherits. */
const OWN = new Set(
  '@type @id identifier eventSchedule subEvent superEvent startDate endDate offers individualFacilityUse'.split(' '),
);
const PARENTS = ['superEvent', 'aggregateFacilityUse', 'instanceOfCourse'];

/** Whether an object has a property, or inherits one. An empty value of its own counts: it has a finding already. */
function has(object: JsonObject, name: string, above: JsonObject | undefined, depth = 0): boolean {
  // A null of the object itself is found as an empty value; a null of another object is not inherited.
  if (object[name] !== undefined && (depth === 0 || object[name] !== null)) return true;
  if (name.startsWith('@') && object[name.slice(1)] !== undefined) return true;
  // Courts have names of their own; events inherit the name of their series.
  const isCourt = above?.individualFacilityUse !== undefined || object.aggregateFacilityUse !== undefined;
  if (OWN.has(name) || depth > MAX_DEPTH_AUDITED || (name === 'name' && isCourt)) return false;
  if (above !== undefined && has(above, name, undefined, depth + 1)) return true;
  return PARENTS.some((parent) => {
    const value = object[parent];
    return isObject(value) && has(value, name, undefined, depth + 1);
  });
}

function missing(audit: Audit, object: JsonObject, model: ModelType, { path, property, above }: ObjectPlace): void {
  const isOnline = object.eventAttendanceMode === ATTENDANCE_MODES.online;
  for (const name of (property === undefined ? undefined : model.mustIn.get(property)) ?? model.must) {
    if (name === '@type') continue;
    if (name === 'location' && isOnline) {
      if (has(object, name, above)) addFinding(audit, 'location-of-online-event', pathTo(path, name));
    } else if (!has(object, name, above)) {
      addFinding(audit, 'property-missing', pathTo(path, name), { type: model.name, property: name });
    }
  }
  for (const names of model.any) {
    if (names.some((name) => has(object, name, above))) continue;
    const properties = names.map((name) => `"${name}"`).join(', ');
    addFinding(audit, 'property-of-several-missing', path, { type: model.name, properties });
  }
}

function judge(audit: Audit, object: JsonObject, model: ModelType, name: string, place: ObjectPlace): void {
  const value = object[name] as Json;
  const path = pathTo(place.path, name);
  if (name === '@id' || name === 'id') {
    if (typeof value !== 'string' || !isPublicAddress(value)) {
      addFinding(audit, 'id-not-url', path, { value: shown(value) });
    }
    return;
  }
  if (model.never.has(name)) addFinding(audit, 'property-not-allowed', path, { type: model.name, property: name });
  else if (isEmpty(value)) addFinding(audit, 'value-empty', path, { property: name, value: emptyWord(value) });
  else judgeValue(audit, object, model, name, value, place);
}

function judgeValue(
  audit: Audit,
  object: JsonObject,
  model: ModelType,
  name: string,
  value: Json,
  place: ObjectPlace,
): void {
  const path = pathTo(place.path, name);
  const known = model.properties.get(name);
  if (typeof value === 'string' && name !== 'beta:formattedDescription' && MARKUP.test(value)) {
    addFinding(audit, 'html-in-text', path, { property: name });
  }
  if (known === undefined) {
    // Extensions have a prefix, whose meaning is in a context that is not read here.
    if (!name.includes(':') && !name.startsWith('@') && !READ_BUT_NOT_IN_MODEL.has(name)) {
      addFinding(audit, 'property-unknown', path, { type: model.name, property: shown(name, 60) });
    }
  }
  const wrong = known === undefined ? undefined : wrongValue(audit.model, known, value);
  if (wrong !== undefined) addFinding(audit, wrong.code, path, { property: name, ...wrong.facts });
  for (const one of conceptFindings(name, value, path)) addFinding(audit, one.code, one.path, one.facts);
  descend(audit, object, known, name, value, place);
}

/** Properties that the bridge reads though the model does not have them (semantics 3.1, 4.1). */
const READ_BUT_NOT_IN_MODEL = new Set(['byMonthWeek', 'previousStartDate']);

function emptyWord(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an empty array' : 'an empty text';
}

/** HTML tags and character references. */
const MARKUP = /<(?:[a-z/!?][^>]*>?)|&(?:#\d+|#x[\da-f]+|[a-z]{2,8});/i;

/** Properties whose objects inherit from the object that holds them. */
const INHERITING = new Set(['subEvent', 'individualFacilityUse']);

function descend(
  audit: Audit,
  holder: JsonObject | undefined,
  known: Property | undefined,
  property: string,
  value: Json,
  { path, depth }: ObjectPlace,
): void {
  const types = known?.kinds.map(({ name }) => name).filter((name) => audit.model.types.has(name)) ?? [];
  const hint = types.length === 1 && known?.kinds.length === 1 ? types[0] : undefined;
  const above = INHERITING.has(property) ? holder : undefined;
  const one = { property, hint, above, depth: depth + 1 };
  const here = pathTo(path, property);
  if (isObject(value)) visit(audit, value, { ...one, path: here });
  if (!Array.isArray(value)) return;
  for (const [index, entry] of value.entries()) {
    if (audit.findings.length >= 2 * MAX_FINDINGS) return;
    if (isObject(entry)) visit(audit, entry, { ...one, path: `${here}[${index}]` });
  }
}

/** Checks the start and end of objects other than Schedules; the reader checks sessions and Schedules by their times. */
function spans(audit: Audit, { startDate, endDate }: JsonObject, model: ModelType, path: string): void {
  if (typeof startDate !== 'string' || typeof endDate !== 'string' || model.name === 'Schedule') return;
  const [start, end] = [parseMoment(startDate), parseMoment(endDate)];
  if (start === undefined || end === undefined || start.kind === 'far' || end.kind === 'far') return;
  const [from, to] = [instant(start), instant(end)];
  if (from > to)
    addFinding(audit, 'end-before-start', pathTo(path, 'endDate'), { start: shown(startDate), end: shown(endDate) });
}

function instant(moment: { wall: number; instant?: number }): number {
  return moment.instant ?? moment.wall;
}
