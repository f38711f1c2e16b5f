import { MOST_WINDOW_DAYS } from '../../library/index.ts';
import { type FilterName, filterSchemas } from '../../search/filters.ts';
import type { SCHEMAS } from './openapi-schemas.ts';

/** The parts of `/openapi.json` (OpenAPI 3.1): parameters, operations, answers. */

export type SchemaName = keyof typeof SCHEMAS;
export type Json = Readonly<Record<string, unknown>>;

export interface Parameter {
  name: string;
  in: 'query' | 'path';
  description: string;
  schema: Json;
  required?: boolean;
  example?: string | readonly string[];
}

export interface Operation {
  summary: string;
  parameters?: readonly Parameter[];
  tags?: readonly string[];
  requestBody?: Json;
  responses: Json;
}

export type Method = 'get' | 'post' | 'put';
export type Paths = Readonly<Record<string, Readonly<Partial<Record<Method, Operation>>>>>;

export const parameter = (name: string, description: string, schema: Json = { type: 'string' }): Parameter => ({
  name,
  in: 'query',
  description,
  schema,
});

export const inPath = (name: string, description: string, schema: Json): Parameter => ({
  name,
  in: 'path',
  required: true,
  description,
  schema,
});

export const KEY = inPath('key', 'The key in its address.', { type: 'string', pattern: '^[a-z0-9]{1,64}$' });

export const MOMENT = { anyOf: ['date', 'date-time'].map((format) => ({ type: 'string', format })) };
export const WINDOW = [
  parameter('from', 'Begin: a date (its UTC midnight) or a UTC date-time; default today.', MOMENT),
  parameter('to', `End, excluded; default eight weeks after, at most ${MOST_WINDOW_DAYS} days after "from".`, MOMENT),
];

/** The description of each filter of a search. */
export const FILTERS = filterSchemas() as Record<FilterName, Json>;

export function filterParameter(name: FilterName): Parameter {
  const { description, examples, ...schema } = FILTERS[name];
  const [example] = (examples ?? []) as (string | string[])[];
  return { ...parameter(name, String(description), schema), ...(example !== undefined && { example }) };
}

export const filterParameters = (): Parameter[] => (Object.keys(FILTERS) as FilterName[]).map(filterParameter);

export function answerSchema(description: string, schema: SchemaName, type = 'application/json'): Json {
  return { description, content: { [type]: { schema: { $ref: `#/components/schemas/${schema}` } } } };
}

export function problem(description: string): Json {
  return answerSchema(description, 'Problem', 'application/problem+json');
}

/** Schemas of addresses that are never limited. */
const OPERATIONS: readonly SchemaName[] = ['Alive', 'Ready'];

const TOO_MANY = 'More requests in a minute than one caller may make; Retry-After says when to come back.';
const TOO_LONG = 'The answer takes too long just now; Retry-After says when to try again.';
export const REFUSALS = { 429: problem(TOO_MANY), 503: problem(TOO_LONG) };
/** `REFUSALS` of an address that does not answer in JSON. */
const REFUSALS_IN_WORDS = { 429: { description: TOO_MANY }, 503: { description: TOO_LONG } };

const OTHER = 'It is not what If-Match names.';
/** Answers to conditional requests; 412 in JSON. */
export const CONDITIONS = { 304: { description: 'It is as it was (If-None-Match).' }, 412: problem(OTHER) };

/** An address that answers in JSON. */
export function get(
  summary: string,
  schema: SchemaName,
  parameters: readonly Parameter[],
  more: Json = {},
): { get: Operation } {
  const failures = {
    ...(!OPERATIONS.includes(schema) && { 400: problem('A parameter that cannot be used.'), ...REFUSALS }),
    ...(parameters.some((one) => one.in === 'path') && { 404: problem('There is none of this name.') }),
    ...CONDITIONS,
  };
  return {
    get: { summary, parameters, responses: { 200: answerSchema('The answer.', schema), ...failures, ...more } },
  };
}

/** An address that does not answer in JSON. */
export function getText(
  type: string,
  summary: string,
  parameters: readonly Parameter[],
  more: Json = {},
): { get: Operation } {
  const answer = { description: 'The answer.', content: { [type]: { schema: { type: 'string' } } } };
  const missing = parameters.some((one) => one.in === 'path') && {
    404: { description: 'There is none of this name.' },
  };
  const failures = { ...missing, ...CONDITIONS, ...REFUSALS_IN_WORDS };
  return { get: { summary, parameters, responses: { 200: answer, ...failures, ...more } } };
}

/** Operations under a heading. */
export function tagged(tag: string, paths: Paths): Paths {
  return Object.fromEntries(
    Object.entries(paths).map(([path, operations]) => [
      path,
      Object.fromEntries(Object.entries(operations).map(([method, one]) => [method, { ...one, tags: [tag] }])),
    ]),
  );
}
