import { BugError } from '../errors.ts';
import { zone as zoneNamed } from '../time/zone.ts';
import { eventItem, sessionItem } from './event/events.ts';
import { courseItem } from './event/series.ts';
import { type RawFinding, shown } from './findings.ts';
import { identOf } from './ids.ts';
import { isObject, type Json, type JsonObject } from './item/json.ts';
import { note, OWN, type Part, pathTo, type Rank, type RankedRecord, type Reading, type Spot } from './item/reading.ts';
import { typeOf } from './item/values.ts';
import type { RpdeItem } from './page/page.ts';
import { facilityItem, slotItem } from './place/facility.ts';
import { placeItem } from './place/place.ts';
import type { SeriesType } from './records.ts';

export { OWN, type Rank, type RankedRecord };

export interface CleanOptions {
  /** IANA name: the zone of times that name none. */
  zone: string;
  /** The feed's address; stand-in ids are made of it. */
  feed: string;
  /** Whether Slot records are made. */
  slots?: boolean;
  /** The label of a concept of OpenActive's lists by its address; absent: concepts without a label are not shown. */
  conceptLabel?: ((id: string) => string | undefined) | undefined;
}

export interface Cleaned {
  /** Each record once. */
  records: RankedRecord[];
  /** Each finding once, those of the envelope first. */
  findings: RawFinding[];
}

/**
 * Makes clean records of an updated item. Never throws on bad data: what cannot be used is a finding, and an item that
 * yields no record has a finding that says why. Throws BugError for an unknown `options.zone`.
 *
 * @example
 * ```ts
 * for (const item of parsePage(text).items) {
 *   const { records, findings } = cleanItem(item, { zone: 'Europe/London', feed: 'https://example.org/feed' });
 *   console.log(records, findings);
 * }
 * ```
 */
export function cleanItem(item: RpdeItem, options: CleanOptions): Cleaned {
  const cleaned = readOnce(item, options, item.data);
  // Names with a prefix are rare, and are looked for only where a property is missing.
  if (!isObject(item.data) || !cleaned.findings.some(({ code }) => code.endsWith('-missing'))) return cleaned;
  const { data, first } = withPlainNames(item.data);
  if (first === undefined) return cleaned;
  const { records, findings } = readOnce(item, options, data);
  const facts = { found: first.name, use: first.plain };
  return { records, findings: [...findings, { code: 'property-misnamed', path: first.path, facts }] };
}

function readOnce(item: RpdeItem, options: CleanOptions, data: Json | undefined): Cleaned {
  const zone = zoneNamed(options.zone);
  if (zone === undefined) throw new BugError(`The default zone "${shown(options.zone)}" is none.`);
  const reading: Reading = {
    feed: options.feed,
    kind: item.kind,
    itemId: item.id,
    zone,
    around: [],
    slots: options.slots === true,
    conceptLabel: options.conceptLabel,
    records: [],
    findings: item.findings === undefined ? [] : [...item.findings],
  };
  const root = { reading, path: '$' };
  if (isObject(data)) readData({ ...root, from: data });
  else note(root, 'item-without-data', { value: shown(data ?? 'nothing', 40) });
  return { records: eachOnce(root), findings: eachFindingOnce(reading.findings) };
}

/** Dispatch is on the data's type, never on the item's kind (semantics 1.1). */
function readData(part: Part): void {
  const type = typeOf(part, KNOWN);
  const read = type === undefined ? undefined : READERS.get(type);
  if (type === undefined) note(part, 'type-missing');
  else if (read === undefined) note(part, 'unknown-type', { value: shown(type) });
  else read(part);
}

const series = (type: SeriesType) => (part: Part) => eventItem(part, type);

const READERS = new Map<string, (part: Part) => void>([
  ['ScheduledSession', sessionItem],
  ['SessionSeries', series('SessionSeries')],
  ['Event', series('Event')],
  ['HeadlineEvent', series('HeadlineEvent')],
  ['CourseInstance', series('CourseInstance')],
  ['EventSeries', series('EventSeries')],
  ['FacilityUse', (part) => facilityItem(part, 'FacilityUse')],
  ['IndividualFacilityUse', (part) => facilityItem(part, 'IndividualFacilityUse')],
  ['Slot', slotItem],
  ['Place', placeItem],
  ['SportsActivityLocation', placeItem],
  ['OnDemandEvent', (part) => note(part, 'on-demand-event')],
  ['Course', courseItem],
  [
    'CourseInstanceSubEvent',
    (part) => {
      note(part, 'type-unofficial', { value: 'CourseInstanceSubEvent', used: 'Event' });
      eventItem(part, 'Event');
    },
  ],
]);
const KNOWN: ReadonlySet<string> = new Set(READERS.keys());

/** Records, each once: of records with one identity that of the highest rank, then the first. Places often repeat. */
function eachOnce(root: Spot): RankedRecord[] {
  const { records } = root.reading;
  if (records.length < 2) return records;
  const best = new Map<string, RankedRecord>();
  for (const ranked of records) {
    const key = `${ranked.record.kind} ${identOf(ranked.record.id)}`;
    const known = best.get(key);
    if (known === undefined || ranked.rank > known.rank) best.set(key, ranked);
    else if (ranked.rank === known.rank && ranked.record.kind !== 'place') note(root, 'repeated-within-item');
  }
  return best.size === records.length ? records : [...best.values()];
}

/** Findings, each once: some properties are read for several records. */
function eachFindingOnce(findings: RawFinding[]): RawFinding[] {
  if (findings.length < 2 || new Set(findings.map(({ path }) => path)).size === findings.length) return findings;
  const first = new Map<string, RawFinding>();
  for (const finding of findings) {
    const key = `${finding.code} ${finding.path} ${finding.facts?.value ?? ''}`;
    if (!first.has(key)) first.set(key, finding);
  }
  return first.size === findings.length ? findings : [...first.values()];
}

/** The vocabularies whose names stand without a prefix in OpenActive's data. */
const PREFIX = /^(?:oa:|schema:|https?:\/\/(?:schema\.org|openactive\.io)\/)(?=[A-Za-z]+$)/;

/** Greatest depth at which properties with a prefix are renamed. */
const DEEPEST = 20;

/** A property with a prefix, and its path. */
interface Prefixed {
  name: string;
  plain: string;
  path: string;
}

/**
 * Data whose properties have plain names: `startDate`, where JSON-LD also allows `schema:startDate`. Where a property has both
 * names, the plain one stays. `first`: the first property with a prefix; undefined: there was none.
 */
function withPlainNames(data: JsonObject): { data: JsonObject; first: Prefixed | undefined } {
  const found: Prefixed[] = [];
  const plain = renamed(data, '$', 0, found) as JsonObject;
  return { data: plain, first: found[0] };
}

function renamed(value: Json, path: string, depth: number, found: Prefixed[]): Json {
  if (depth > DEEPEST) return value;
  if (Array.isArray(value)) return value.map((entry, index) => renamed(entry, `${path}[${index}]`, depth + 1, found));
  if (!isObject(value)) return value;
  const entries: [string, Json][] = [];
  for (const [name, entry] of Object.entries(value)) {
    const plain = name.replace(PREFIX, '');
    const here = pathTo(path, name);
    if (plain !== name) found.push({ name, plain, path: here });
    if (plain === name || value[plain] === undefined) entries.push([plain, renamed(entry, here, depth + 1, found)]);
  }
  return Object.fromEntries(entries);
}
