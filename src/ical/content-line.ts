/** One content line, taken apart (RFC 5545 3.1, RFC 6868). */
export interface ContentLine {
  name: string;
  /** By name in capitals; several values of one parameter are joined by `,` again. */
  params: ReadonlyMap<string, string>;
  /** The value as written, still escaped. */
  value: string;
  line: number;
}

const NO_PARAMS: ReadonlyMap<string, string> = new Map();
const NAME = /^[A-Za-z0-9_-]{1,100}/;
/** Most parameters of one line; RFC 5545 defines a dozen. */
const MOST_PARAMS = 50;

export function parseLine(text: string, line: number): ContentLine | undefined {
  const name = NAME.exec(text)?.[0];
  if (name === undefined) return undefined;
  const sign = text[name.length];
  if (sign === ':') return { name: name.toUpperCase(), params: NO_PARAMS, value: text.slice(name.length + 1), line };
  if (sign !== ';') return undefined;
  const params = new Map<string, string>();
  const colon = parseParams(text, name.length, params);
  if (colon === undefined) return undefined;
  return { name: name.toUpperCase(), params, value: text.slice(colon + 1), line };
}

/** Reads `;NAME=value` until the colon before the value, whose position it gives. */
function parseParams(text: string, from: number, params: Map<string, string>): number | undefined {
  let at = from;
  while (text[at] === ';') {
    if (params.size >= MOST_PARAMS) return undefined;
    // `DTSTART;;VALUE=DATE:…` and `DTSTART;:…` leave a parameter empty.
    if (text[at + 1] === ';' || text[at + 1] === ':') {
      at++;
      continue;
    }
    const equals = text.indexOf('=', at);
    const name = equals < 0 ? undefined : NAME.exec(text.slice(at + 1, Math.min(equals, at + 102)))?.[0];
    if (name === undefined || at + 1 + name.length !== equals) return undefined;
    const end = endOfValue(text, equals + 1, name.toUpperCase() === 'TZID');
    if (end === undefined) return undefined;
    params.set(name.toUpperCase(), decode(text.slice(equals + 1, end)));
    at = end;
  }
  return text[at] === ':' ? at : undefined;
}

/** Where a parameter's value ends: at `;` or `:` outside quotes. */
function endOfValue(text: string, from: number, isZone: boolean): number | undefined {
  let quoted = false;
  for (let at = from; at < text.length; at++) {
    const unit = text[at];
    if (unit === '"') quoted = !quoted;
    else if (!quoted && unit === ';') return at;
    else if (!quoted && unit === ':' && !(isZone && isWithinZone(text, at))) return at;
  }
  return undefined;
}

/**
 * Outlook's `TZID=(UTC+01:00) Amsterdam, …:20270101T…` and `TZID=tzone://Microsoft/Utc:20270101T…` without their quotes: the
 * colons of the offset and of the address do not end them.
 */
function isWithinZone(text: string, colon: number): boolean {
  if (text.startsWith('=tzone://', colon - 6)) return true;
  return (
    /\((?:UTC|GMT)[+-]\d\d$/.test(text.slice(Math.max(0, colon - 8), colon)) &&
    /^\d\d\)/.test(text.slice(colon + 1, colon + 4))
  );
}

/** A parameter value without quotes; `^n`, `^'` and `^^` are decoded (RFC 6868). */
function decode(value: string): string {
  const plain = value.includes('"') ? value.replaceAll('"', '') : value;
  if (!plain.includes('^')) return plain;
  return plain.replace(/\^(['n^])/g, (_, sign: string) => (sign === 'n' ? '\n' : sign === "'" ? '"' : '^'));
}
