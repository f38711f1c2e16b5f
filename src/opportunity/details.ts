import { hasMovedOnline } from './event/status.ts';
import { type FindingCode, shown } from './findings.ts';
import { isPointer, statedId } from './identity.ts';
import { isObject, type Json, type JsonObject } from './item/json.ts';
import {
  at,
  first,
  isEmpty,
  many,
  note,
  noteOnce,
  noteProperty,
  type Part,
  partAt,
  type Reading,
  single,
  statesAnything,
} from './item/reading.ts';
import {
  lineFrom,
  lineOf,
  linesOf,
  noteNoObject,
  numberOf,
  objectReader,
  type Read,
  toNumber,
  urlFrom,
  urlOf,
  webAddress,
  wordOf,
} from './item/values.ts';
import { parseAttendance, parseGender } from './item/vocabulary.ts';
import { MAX_LIST } from './limits.ts';
import { offersOf } from './offers.ts';
import { isVirtual, locationOf, roomOf, virtualOf } from './place/place.ts';
import { type Details, type Kind, type Kinds, type Offer, type Organization, ROWS } from './properties.ts';
import { defined } from './records.ts';

type ReadKind<K extends Kind> = (part: Part, name: string, details: Details) => Kinds[K] | undefined;

/** Readers by kind of value. `name`: the property, which the object has. `details`: those read before it. */
const READERS: { readonly [K in Kind]: ReadKind<K> } = {
  line: lineOf,
  lines: (part, name) => linesOf(part, name, name === 'beta:formattedDescription'),
  text: (part, name) => linesOf(part, name)?.replaceAll(/\n+/g, ' '),
  url: firstUrlOf,
  concepts: labelsOf,
  activities: activitiesOf,
  labels: labelsOf,
  people: peopleOf,
  organization: organizationOf,
  brand: brandOf,
  ages: agesOf,
  gender: wordReader(parseGender, 'gender-unknown'),
  attendance: attendanceOf,
  place: locationOf,
  room: roomOf,
  virtual: virtualOf,
  capacity: (part, name) => numberOf(part, name, CAPACITY),
  offers: offersOf,
};

/** The first address of a property such as `image`, which may have several. */
function firstUrlOf(part: Part, name: string): string | undefined {
  const [one] = many(part, name, Number.POSITIVE_INFINITY).filter((value) => !isEmpty(value));
  return one === undefined ? undefined : urlFrom(part, name, one);
}

const READ = ROWS.map((row) => ({ ...row, read: READERS[row.kind] as ReadKind<Kind> }));

/** Every property of an object that its children inherit (semantics 2). A property that is not stated is absent. */
export function detailsOf(part: Part): Details {
  const details = statedDetails(part);
  if (details.gender === 'NoRestriction') delete details.gender;
  return details;
}

/** The offers of a Slot, which has no other property that is inherited. */
export function slotOffers(part: Part): Offer[] | undefined {
  return statedRows(part, OFFERS).offers;
}

const OFFERS = READ.filter(({ name }) => name === 'offers');

function statedDetails(part: Part): Details {
  const details = statedRows(part, READ);
  if (details.attendance === undefined && hasMovedOnline(part.from)) details.attendance = 'online';
  return details;
}

function statedRows(part: Part, rows: typeof READ): Details {
  const details: Details = {};
  for (const row of rows) {
    for (const name of row.from) {
      if (isEmpty(part.from[name])) continue;
      if (name === row.misnamed) noteOnce(at(part, name), 'property-misnamed', { found: name, use: row.name });
      const found = ownFindings(part);
      // A location may be read into these instead.
      const { room, virtualLocation } = details;
      const value = row.read(part, name, details);
      if (value === undefined) {
        const isElsewhere = details.room !== room || details.virtualLocation !== virtualLocation;
        const isUnused = !isElsewhere && ownFindings(part) === found && statesMore(part.from[name]);
        if (isUnused) noteProperty(part, name, 'value-unused');
        continue;
      }
      (details as Record<string, unknown>)[row.name] = value;
      break;
    }
  }
  return details;
}

/** Number of findings so far about values. Those noted once are about spelling, and do not mean that a value was unused. */
function ownFindings({ reading: { findings, noted } }: Part): number {
  return findings.length - (noted?.size ?? 0);
}

/** Whether an object, or one of several, states more than its type and `@id`. */
function statesMore(value: Json | undefined): boolean {
  return [value ?? null].flat().some((one) => isObject(one) && statesAnything(one) && !isPointer(one));
}

/**
 * The details of an object that inherits (semantics 2.2). A `location` with VirtualLocations alone replaces the parent's place,
 * and means online where no attendance mode is stated. `NoRestriction` replaces a restriction of the parent.
 */
export function detailsBelow(part: Part): Details {
  const details = statedDetails(part);
  const { location, attendance } = details;
  if (location === undefined && attendance === undefined && isVirtual(part.from.location))
    details.attendance = 'online';
  return details;
}

function peopleOf(part: Part, property: string): string[] | undefined {
  return distinct(many(part, property, MAX_LIST).map((value) => personOf(part, property, value)));
}

function personOf(part: Part, property: string, value: Json): string | undefined {
  if (!isObject(value) && typeof value !== 'string') return labelOf(part, property, value);
  const name = isObject(value) ? personName(partAt(part, value, property)) : labelOf(part, property, value);
  if (name === undefined) noteNameless(part, property, value);
  return name;
}

/** Notes a person or body without a name, as an address or object, because none of it is shown. */
function noteNameless(part: Part, property: string, value: JsonObject | string): void {
  const stated = isObject(value) && statesAnything(value) ? value : undefined;
  noteNoObject(part, property, isObject(value) ? (single(value['@id'] ?? value.id) ?? stated) : value);
}

/** Organization or Person; a text is its name, or its address. */
function organizationOf(part: Part, property: string): Organization | undefined {
  const value = first(part, property);
  if (typeof value === 'string') {
    if (webAddress(value) === undefined) {
      const name = lineFrom(part, property, value);
      return name === undefined ? undefined : { name };
    }
    noteNameless(part, property, value);
    return { id: value.trim() };
  }
  if (!isObject(value)) {
    noteNoObject(part, property, value);
    return undefined;
  }
  const organization = organizationWithin(partAt(part, value, property));
  if (organization?.name === undefined) noteNameless(part, property, value);
  return organization;
}

const organizationWithin = objectReader<Organization>({
  id: statedId,
  name: personName,
  url: urlOf,
  email: lineOf,
  telephone: lineOf,
});

function brandOf(part: Part, property: string): Details['programme'] {
  const { name, url } = organizationOf(part, property) ?? {};
  return name === undefined && url === undefined ? undefined : defined({ name, url });
}

function personName(part: Part): string | undefined {
  const name = lineOf(part, 'name') ?? lineOf(part, 'legalName');
  if (name !== undefined) return name;
  const names = [lineOf(part, 'givenName'), lineOf(part, 'familyName')];
  return names.filter((one) => one !== undefined).join(' ') || undefined;
}

/** Names of Concepts, written as objects or as texts. */
function labelsOf(part: Part, property: string): string[] | undefined {
  return distinct(labels(part, property));
}

/** The activities, and the types of a facility. */
function activitiesOf(part: Part, property: string): string[] | undefined {
  if (property === 'facilityType' || part.from.facilityType === undefined) return labelsOf(part, property);
  return distinct([...labels(part, property), ...labels(part, 'facilityType')]);
}

function labels(part: Part, property: string): (string | undefined)[] {
  return many(part, property, MAX_LIST).map((value) => labelOf(part, property, value));
}

function labelOf(part: Part, property: string, value: Json): string | undefined {
  if (isObject(value)) {
    const label = lineOf(partAt(part, value, property), isEmpty(value.prefLabel) ? 'name' : 'prefLabel');
    return label ?? listedLabel(part.reading, value['@id'] ?? value.id);
  }
  if (typeof value !== 'string') {
    noteNoObject(part, property, value);
    return undefined;
  }
  if (value === '') return undefined;
  // The address of a Concept is not shown, as people cannot read it.
  return webAddress(value) === undefined ? lineFrom(part, property, value) : listedLabel(part.reading, value);
}

/** The label in OpenActive's lists for the address of a Concept. */
function listedLabel({ conceptLabel }: Reading, id: Json | undefined): string | undefined {
  return typeof id === 'string' ? conceptLabel?.(id.trim()) : undefined;
}

function distinct(values: readonly (string | undefined)[]): string[] | undefined {
  if (values.length === 1) return values[0] === undefined ? undefined : [values[0]];
  const found = [...new Set(values)].filter((value) => value !== undefined);
  return found.length === 0 ? undefined : found;
}

/** Places in a session, or uses of a slot: whole, and never negative. */
export const CAPACITY = { min: 0, max: 1_000_000, integer: true };

function agesOf(part: Part, property: string): Details['ageRange'] {
  const value = first(part, property);
  if (isObject(value) && isInMonths(value)) {
    note(at(part, property), 'age-range-in-months', { value: agesShown(value) });
    return undefined;
  }
  const { min, max } = isObject(value) ? { min: value.minValue, max: value.maxValue } : (agesFromText(value) ?? {});
  const isRead = isAge(min) && isAge(max) && (isObject(value) || min !== undefined);
  const range = { min: ageOf(min), max: ageOf(max) };
  const isReversed = range.min !== undefined && range.max !== undefined && range.min > range.max;
  if (!isRead || isReversed) {
    note(at(part, property), 'age-range-invalid', {
      value: isObject(value) ? agesShown(value) : shown(value),
    });
  }
  if (isReversed || (range.min ?? range.max) === undefined) return undefined;
  return defined(range);
}

function agesShown({ minValue, maxValue }: JsonObject): string {
  return `${shown(minValue, 10)} to ${shown(maxValue, 10)}`;
}

/** UN/CEFACT has MON for months; schema.org allows its texts too. */
function isInMonths({ unitCode, unitText }: JsonObject): boolean {
  const unit = isEmpty(unitCode) ? unitText : unitCode;
  return typeof unit === 'string' && /^mon(?:ths?)?$/i.test(unit.trim());
}

/** Whether a bound of ages is empty or a valid age. */
function isAge(value: Json | undefined): boolean {
  return isEmpty(value) || ageOf(value) !== undefined;
}

function ageOf(value: Json | undefined): number | undefined {
  const age = toNumber(value ?? null);
  return age !== undefined && age >= 0 && age <= 150 ? age : undefined;
}

/** `18`, `18+`, `11-16`. */
function agesFromText(value: Json | undefined): { min: number; max?: number | undefined } | undefined {
  if (typeof value === 'number') return { min: value };
  const match =
    typeof value === 'string' && value.length < 40
      ? /^(\d{1,3})(?: ?(?:\+|(?:-|–|to) ?(\d{1,3})))?$/.exec(value.trim())
      : null;
  if (match === null) return undefined;
  return { min: Number(match[1]), ...(match[2] !== undefined && { max: Number(match[2]) }) };
}

const statedAttendance = wordReader(parseAttendance, 'attendance-mode-unknown');

/** The attendance mode; `mixed` where several known modes are stated. */
function attendanceOf(part: Part, property: string): Details['attendance'] {
  const words = many(part, property, MAX_LIST).flatMap((value) => wordOf(value) ?? []);
  const modes = new Set(words.flatMap((word) => parseAttendance(word) ?? []));
  if (modes.size < 2) return statedAttendance(part, property);
  note(at(part, property), 'attendance-mode-unknown', { value: shown(words.join(', ')) });
  return 'mixed';
}

/** Reads a word of a vocabulary. */
function wordReader<T>(parse: (word: string) => T | undefined, unknown: FindingCode): Read<T> {
  return (part, property) => {
    const value = first(part, property);
    const word = wordOf(value);
    const known = word === undefined ? undefined : parse(word);
    if (known === undefined) note(at(part, property), unknown, { value: shown(value) });
    return known;
  };
}
