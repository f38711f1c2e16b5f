import { BugError } from '../errors.ts';
import { NAME, Octets, PARAMETER, RAW, TEXT } from './octets.ts';
import type { Component, Property } from './tree.ts';

/**
 * The one place that writes iCalendar text: tree → escaped by value type, folded by octets, lines ended by CRLF (RFC 5545 3.1,
 * 3.3). Nothing in a value can end a line, a value or a parameter early. Control characters, line ends and lone surrogates are
 * normalised, because some readers drop the whole calendar over one (feed rules 1, 28). Addresses are percent-encoded where a
 * character is not one of RFC 3986.
 *
 * @throws BugError for names, and for values of type `raw`, that this program cannot have meant
 *
 * @example
 * ```ts
 * console.log(write({ name: 'VCALENDAR', properties: [{ name: 'VERSION', type: 'raw', value: '2.0' }], components: [] }));
 * ```
 */
export function write(calendar: Component): string {
  return decoder.decode(written(calendar));
}

/**
 * A calendar as UTF-8 octets, to be sent or stored as they are.
 *
 * @example
 * ```ts
 * const bytes = writeBytes({ name: 'VCALENDAR', properties: [], components: [] });
 * ```
 */
export function writeBytes(calendar: Component): Uint8Array<ArrayBuffer> {
  return written(calendar).slice();
}

/** How many octets a calendar, or a component of one, comes to. */
export function writtenOctets(component: Component): number {
  return written(component).length;
}

const decoder = new TextDecoder();

// Fresh memory costs more than writing to it, so all calendars are written into the same memory: a small one takes a quarter
// of the time (decision 23). The row `render` of `npm run bench` has a large one.
const out = new Octets();

/** Valid until the next call. */
function written(calendar: Component): Uint8Array {
  out.clear();
  component({ out, lines: new Map(), heads: new Map(), zoned: new Map() }, calendar);
  return out.bytes();
}

/**
 * Octets written before, to be copied: whole lines, which depend on nothing before them, and heads, up to the colon. Copies
 * save half of the time of the bench row "render".
 */
interface Writer {
  out: Octets;
  lines: Map<Property, { start: number; end: number }>;
  /** `NAME:` by name; in `zoned`, heads with parameters by the object that lists these. */
  heads: Heads;
  zoned: Map<Params, Heads>;
}

type Params = NonNullable<Property['params']>;
type Heads = Map<string, Uint8Array>;

const SEMICOLON = 0x3b;
const EQUALS = 0x3d;
const QUOTE = 0x22;
const COLON = 0x3a;
const COMMA = 0x2c;
/** Heads that are worth keeping; longer ones are rare, and may be folded. */
const SHORT = 60;

function component(writer: Writer, { name, properties, components }: Component): void {
  edge(writer, 'BEGIN', name);
  for (const property of properties) {
    if (property.shared === true) sharedLine(writer, property);
    else contentLine(writer, property);
  }
  for (const inner of components) component(writer, inner);
  edge(writer, 'END', name);
}

function edge({ out }: Writer, which: 'BEGIN' | 'END', name: string): void {
  out.put(which, NAME);
  out.octet(COLON);
  out.put(name, NAME);
  out.end();
}

function sharedLine(writer: Writer, property: Property): void {
  const { out, lines } = writer;
  const known = lines.get(property);
  if (known !== undefined) {
    out.again(known.start, known.end);
    return;
  }
  const start = out.length;
  contentLine(writer, property);
  lines.set(property, { start, end: out.length });
}

function contentLine(writer: Writer, { name, params, type, value }: Property): void {
  const { out } = writer;
  if (params === undefined) head(out, writer.heads, name, NO_PARAMS);
  else head(out, zonedHeads(writer, params), name, params);
  if (typeof value === 'string') scalar(out, type, value);
  else if (type === 'text-list') writeList(out, value);
  else throw new BugError(`${name}: several values, but not a list of texts`);
  out.end();
}

const NO_PARAMS: Params = [];

function zonedHeads({ zoned }: Writer, params: Params): Heads {
  let heads = zoned.get(params);
  if (heads === undefined) {
    heads = new Map();
    zoned.set(params, heads);
  }
  return heads;
}

function head(out: Octets, heads: Heads, name: string, params: Params): void {
  const known = heads.get(name);
  if (known !== undefined) {
    out.copy(known);
    return;
  }
  const start = out.length;
  out.put(name, NAME);
  for (const pair of params) parameter(out, pair[0], pair[1]);
  out.octet(COLON);
  if (out.length - start <= SHORT) heads.set(name, out.slice(start, out.length));
}

function scalar(out: Octets, type: Property['type'], value: string): void {
  switch (type) {
    case 'text':
    case 'text-list':
      out.put(value, TEXT);
      break;
    case 'uri':
    case 'x-uri':
      out.put(encodeUri(value), RAW);
      break;
    case 'raw':
      out.put(value, RAW);
  }
}

/** Separators in lists are commas that are not escaped (RFC 5545 3.8.1.2). */
function writeList(out: Octets, values: readonly string[]): void {
  for (let index = 0; index < values.length; index++) {
    if (index > 0) out.octet(COMMA);
    out.put(values[index] as string, TEXT);
  }
}

const TOKEN = /^[A-Za-z0-9._/+-]+$/;

/** Writes a parameter. A value that is not a plain token is quoted, which is always allowed (RFC 5545 3.2). */
function parameter(out: Octets, name: string, value: string): void {
  out.octet(SEMICOLON);
  out.put(name, NAME);
  out.octet(EQUALS);
  if (TOKEN.test(value)) {
    out.put(value, RAW);
  } else {
    out.octet(QUOTE);
    out.put(value, PARAMETER);
    out.octet(QUOTE);
  }
}

const URI_UNSAFE = /[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]+/g;

/** No backslashes in an address: what RFC 3986 does not allow is percent-encoded. */
function encodeUri(uri: string): string {
  return uri.replace(URI_UNSAFE, (piece) => encodeURIComponent(piece.toWellFormed()));
}
