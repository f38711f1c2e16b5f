import type { Cell, Value } from '../sql/database.ts';

/** Encodes and decodes values of PostgreSQL, all as text but for octets. */

/** Escapes U+0000, which RPDE ids may have and texts of PostgreSQL may not. The escape itself is doubled. */
const ESCAPE = '\uFFFF';
const NUL = `${ESCAPE}0`;

function withoutNul(text: string): string {
  if (!text.includes('\0') && !text.includes(ESCAPE)) return text;
  return text.replaceAll(ESCAPE, ESCAPE + ESCAPE).replaceAll('\0', NUL);
}

function withNul(text: string): string {
  if (!text.includes(ESCAPE)) return text;
  return text.replaceAll(/\uFFFF([\uFFFF0])/g, (_, escaped: string) => (escaped === '0' ? '\0' : ESCAPE));
}

const MOST = '9223372036854775807';

export function parameterOf(value: Value): string | Buffer | null {
  if (value === null) return null;
  if (typeof value === 'string') return withoutNul(value);
  if (typeof value !== 'number') return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (Number.isFinite(value)) return String(value);
  return value < 0 ? `-${MOST}` : MOST;
}

/** The literal of an array. */
export function arrayOf(values: readonly Value[]): string {
  return `{${values.map(element).join(',')}}`;
}

function element(value: Value): string {
  if (value === null) return 'NULL';
  if (typeof value === 'number') return String(parameterOf(value));
  if (typeof value === 'string') return inQuotes(withoutNul(value));
  const octets = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return `"\\\\x${octets.toString('hex')}"`;
}

function inQuotes(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

const toNumber = (text: string): number => Number(text);
const toOctets = (text: string): Uint8Array => Buffer.from(text.slice(2), 'hex');

/** Parsers by the OID of a type, the same in every PostgreSQL: int8, int2, int4, float4, float8, numeric; bytea. */
const PARSERS: Readonly<Record<number, (text: string) => Cell>> = {
  20: toNumber,
  21: toNumber,
  23: toNumber,
  700: toNumber,
  701: toNumber,
  1700: toNumber,
  17: toOctets,
};

export const TYPES = {
  getTypeParser: (type: number): ((text: string) => Cell) => PARSERS[type] ?? withNul,
};
