import { BugError } from '../errors.ts';
import { NAME, Octets, PARAMETER, RAW, TEXT } from './octets.ts';
import type { Component, Property } from './tree.ts';

/**
 * The one place that writes iCalendar text: tree → escaped by value type, folded by octets, lines ended by CRLF
 * (RFC 5545 3.1, 3.3). Nothing in a value can end a line, a value or a parameter early; what is normalised on the way
 * (control characters, line ends, half characters) some reader in the field drops the whole calendar over (feed rules
 * 1, 28). Addresses are percent-encoded where a character is not one of RFC 3986.
 *
 * @throws BugError for names, and for values of type `raw`, that this program cannot have meant
 */
export function write(calendar: Component): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(writeBytes(calendar));
}

/** The same as UTF-8 octets, without the way through a string. */
export function writeBytes(calendar: Component): Uint8Array {
  const writer: Writer = { out: new Octets(), written: new Map() };
  component(writer, calendar);
  return writer.out.bytes();
}

interface Writer {
  out: Octets;
  /** Where the line of a long property stands: sessions of a series share theirs, and copying is quicker than writing. */
  written: Map<Property, readonly [start: number, end: number]>;
}

const SEMICOLON = 0x3b;
const EQUALS = 0x3d;
const QUOTE = 0x22;
const COLON = 0x3a;
const COMMA = 0x2c;

function component(writer: Writer, { name, properties, components }: Component): void {
  edge(writer.out, 'BEGIN', name);
  for (const property of properties) {
    if (property.value.length < LONG) contentLine(writer.out, property);
    else longLine(writer, property);
  }
  for (const inner of components) component(writer, inner);
  edge(writer.out, 'END', name);
}

const LONG = 60;

function longLine({ out, written }: Writer, property: Property): void {
  const place = written.get(property);
  if (place !== undefined) return out.again(place[0], place[1]);
  const start = out.length;
  contentLine(out, property);
  written.set(property, [start, out.length]);
}

function edge(out: Octets, which: 'BEGIN' | 'END', name: string): void {
  out.put(which, NAME);
  out.sign(COLON);
  out.put(name, NAME);
  out.end();
}

function contentLine(out: Octets, { name, params, type, value }: Property): void {
  out.put(name, NAME);
  if (params !== undefined) for (const pair of params) parameter(out, pair[0], pair[1]);
  out.sign(COLON);
  if (typeof value === 'string') scalar(out, type, value);
  else if (type === 'text-list') list(out, value);
  else throw new BugError(`${name}: several values, but not a list of texts`);
  out.end();
}

function scalar(out: Octets, type: Property['type'], value: string): void {
  switch (type) {
    case 'text':
    case 'text-list':
      return out.put(value, TEXT);
    case 'uri':
    case 'x-uri':
      return out.put(encodeUri(value), RAW);
    case 'raw':
      return out.put(value, RAW);
  }
}

/** Separators in lists are commas that are not escaped (RFC 5545 3.8.1.2). */
function list(out: Octets, values: readonly string[]): void {
  for (let index = 0; index < values.length; index++) {
    if (index > 0) out.sign(COMMA);
    out.put(values[index] as string, TEXT);
  }
}

const TOKEN = /^[A-Za-z0-9._/+-]+$/;

/** A parameter; whatever is not a plain token is quoted, which is always allowed (RFC 5545 3.2). */
function parameter(out: Octets, name: string, value: string): void {
  out.sign(SEMICOLON);
  out.put(name, NAME);
  out.sign(EQUALS);
  if (TOKEN.test(value)) return out.put(value, RAW);
  out.sign(QUOTE);
  out.put(value, PARAMETER);
  out.sign(QUOTE);
}

const URI_UNSAFE = /[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]+/g;

/** No backslashes in an address: what RFC 3986 does not allow is percent-encoded. */
function encodeUri(uri: string): string {
  return uri.replace(URI_UNSAFE, (piece) => encodeURIComponent(piece.toWellFormed()));
}
