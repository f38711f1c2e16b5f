import { type Facts, shown } from '../opportunity/findings.ts';
import { isObject, isWide, type Json } from '../opportunity/item/json.ts';
import { webAddress } from '../opportunity/item/values.ts';
import { bareName } from '../opportunity/item/vocabulary.ts';
import { parseDuration, parseMoment } from '../time/iso-text.ts';
import { type DataModel, isA, type Property } from './model.ts';

/** The fault of a value: its code, and the facts of its sentence besides the property. */
interface Wrong {
  code: 'value-of-wrong-type' | 'value-misformatted' | 'value-not-in-list' | 'value-too-small';
  facts: Facts;
}

/** The fault of a value by the data model; undefined: it is valid. */
export function wrongValue(model: DataModel, property: Property, value: Json): Wrong | undefined {
  const { kinds, reference, least } = property;
  if (reference && typeof value === 'string' && isPublicAddress(value)) return undefined;
  const values = Array.isArray(value) ? value : [value];
  const fitting = kinds.filter(({ array }) => array === Array.isArray(value));
  if (fitting.length === 0) return wrongType(model, property, value);
  if (!fitting.some(({ name }) => values.every((one) => fits(model, name, one)))) {
    const odd = values.find((one) => !fitting.some(({ name }) => fits(model, name, one)));
    return odd === undefined
      ? mixedForms(model, property, values, fitting)
      : wrongOne(model, property, odd, nearest(fitting, odd));
  }
  if (least !== undefined && typeof value === 'number' && value < least)
    return { code: 'value-too-small', facts: { least, value } };
  return undefined;
}

/** The fault of an array whose values fit different kinds, such as a date among dates with times: the value unlike the others. */
function mixedForms(model: DataModel, property: Property, values: readonly Json[], kinds: Property['kinds']): Wrong {
  const { name = '' } = kinds.find((kind) => kind.name === 'DateTime') ?? kinds[0] ?? {};
  const odd = values.find((one) => !fits(model, name, one));
  const { code, facts } = wrongOne(model, property, odd ?? null, name);
  return { code, facts: { ...facts, expected: `${facts.expected}, like the others of the array` } };
}

/** The kind that a value is nearest to: a DateTime where it has a time, so that the advice keeps the time. */
function nearest(kinds: Property['kinds'], value: Json): string {
  const isTimed = typeof value === 'string' && /\dT\d/.test(value);
  const timed = isTimed ? kinds.find(({ name }) => name === 'DateTime') : undefined;
  return (timed ?? kinds[0])?.name ?? '';
}

const FORMATS: Record<string, string> = {
  URL: 'an absolute http(s) address',
  Date: 'a date such as 2027-03-28',
  DateTime: 'a date and time with its zone, such as 2027-03-28T09:30:00Z',
  Time: 'a time of day such as 09:30, without a zone',
  Duration: 'an ISO 8601 duration such as PT1H30M',
};
const WORDS: Record<string, string> = {
  Text: 'a text',
  Number: 'a number without quotation marks',
  Integer: 'a whole number without quotation marks',
  Boolean: 'true or false, without quotation marks',
};

function wrongOne(model: DataModel, property: Property, value: Json, name: string): Wrong {
  if (typeof value !== 'string' || isWide(value)) return wrongType(model, property, value);
  const list = model.enums.get(name);
  if (list !== undefined) {
    return { code: 'value-not-in-list', facts: { expected: [...list].join(', '), value: shown(value) } };
  }
  const expected = FORMATS[name];
  if (expected === undefined) return wrongType(model, property, value);
  return { code: 'value-misformatted', facts: { expected, value: shown(value) } };
}

function wrongType(model: DataModel, { kinds, reference }: Property, value: Json): Wrong {
  const words = kinds.map(({ name, array }) => {
    const one =
      WORDS[name] ?? FORMATS[name] ?? (model.enums.has(name) ? `a value of ${name}` : `an object of type ${name}`);
    return array ? `an array, of ${one.replace(/^an? /, '')} each` : one;
  });
  if (reference) words.push('its @id');
  const found =
    isObject(value) && typeof value['@type'] === 'string' ? `an object of type ${shown(value['@type'])}` : shown(value);
  return { code: 'value-of-wrong-type', facts: { expected: words.join(', or '), value: found } };
}

function fits(model: DataModel, name: string, value: Json): boolean {
  if (typeof value === 'string' && isWide(value)) return name === 'Integer' || name === 'Number';
  const list = model.enums.get(name);
  if (list !== undefined) return typeof value === 'string' && list.has(value);
  const check = CHECKS[name];
  if (check !== undefined) return check(value);
  if (!isObject(value) || value['@value'] !== undefined) return false;
  const type = value['@type'] ?? value.type;
  // An object without a type has a finding of its own; the type of an extension (`ext:Hall`) may be a subtype.
  return typeof type !== 'string' || isA(model, bareName(type), name) || /^[a-z][\w-]*:(?!\/\/)/i.test(type);
}

/** Whether a text is a normalised address, on a host with a domain name, an IPv4 address or `localhost`. */
export function isPublicAddress(text: string): boolean {
  return webAddress(text) === text && HOST.test(new URL(text).hostname);
}

const HOST = /^(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|(?:[\w-]+\.)+[a-z][a-z\d-]+)\.?$/i;

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:Z|[+-]\d{2}:?\d{2})$/;
const TIME = /^(?:[01]\d|2[0-3]|24(?=:00(?::00)?$)):[0-5]\d(?::[0-5]\d)?$/;

const CHECKS: Record<string, (value: Json) => boolean> = {
  Text: (value) => typeof value === 'string',
  Number: (value) => typeof value === 'number',
  Integer: (value) => typeof value === 'number' && Number.isInteger(value),
  Boolean: (value) => typeof value === 'boolean',
  URL: (value) => typeof value === 'string' && isPublicAddress(value),
  Date: (value) => typeof value === 'string' && DATE.test(value) && parseMoment(value) !== undefined,
  DateTime: (value) => typeof value === 'string' && DATE_TIME.test(value) && parseMoment(value) !== undefined,
  Time: (value) => typeof value === 'string' && TIME.test(value),
  Duration: (value) =>
    typeof value === 'string' && parseDuration(value) !== undefined && !/\dW\d|[YMDT]\d+W/.test(value),
};
