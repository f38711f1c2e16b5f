/** Values of content lines, read leniently. */

/** TEXT (RFC 5545 3.3.11): `\n`, `\,`, `\;`, `\\`; a backslash before anything else is itself. */
export function textOf(value: string): string {
  if (!value.includes('\\')) return value;
  return value.replace(/\\([\\;,nN])/g, (_, sign: string) => (sign === 'n' || sign === 'N' ? '\n' : sign));
}

/** A list of TEXT: divided at commas that are not escaped. */
export function textsOf(value: string): string[] {
  return (value.match(/(?:\\.|[^,\\])+/gs) ?? []).map((one) => textOf(one).trim()).filter((one) => one !== '');
}

/** DURATION in ms, exact part and whole days apart: a day is nominal (RFC 5545 3.3.6). */
export interface Length {
  days: number;
  /** Milliseconds. */
  exact: number;
}

const DURATION = /^([+-]?)P(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,7})H)?(?:(\d{1,8})M)?(?:(\d{1,9})S)?)?$/i;

/** Undefined for what is none, and for negative ones. */
export function lengthOf(value: string): Length | undefined {
  const text = value.trim();
  const match = text.length > 60 || !/\d/.test(text) ? null : DURATION.exec(text);
  if (match === null || match[1] === '-') return undefined;
  const [weeks, days, hours, minutes, seconds] = match.slice(2).map((digits) => Number(digits ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
  ];
  return { days: weeks * 7 + days, exact: (hours * 3600 + minutes * 60 + seconds) * 1000 };
}

/**
 * A calendar's octets as text. A fold may divide a character (writers count octets, RFC 5545 3.1): such folds are joined
 * before decoding. UTF-8, UTF-16 by its byte order mark, and what is not UTF-8 as windows-1252, as old Outlook wrote it.
 */
export function decodeCalendar(octets: Uint8Array): string {
  if (octets[0] === 0xff && octets[1] === 0xfe) return new TextDecoder('utf-16le').decode(octets);
  if (octets[0] === 0xfe && octets[1] === 0xff) return new TextDecoder('utf-16be').decode(octets);
  const joined = joinCharacters(octets);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(joined);
  } catch {
    return new TextDecoder(isNearlyUtf8(joined) ? 'utf-8' : 'windows-1252').decode(octets);
  }
}

/** One wrong octet in a text of many sequences is damage, not another encoding. */
function isNearlyUtf8(octets: Uint8Array): boolean {
  const text = new TextDecoder('utf-8').decode(octets);
  const wrong = text.split('\uFFFD').length - 1;
  const right = (text.match(/[\u0080-\uFFFC]/g) ?? []).length;
  return right > wrong * 4;
}

/** Without the folds before a continuation octet (10xxxxxx). */
function joinCharacters(octets: Uint8Array): Uint8Array {
  const kept = new Uint8Array(octets.length);
  let to = 0;
  let from = 0;
  for (let at = octets.indexOf(10); at >= 0; at = octets.indexOf(10, at + 1)) {
    const next = octets[at + 1];
    if ((next !== 0x20 && next !== 0x09) || ((octets[at + 2] ?? 0) & 0xc0) !== 0x80) continue;
    const end = octets[at - 1] === 13 ? at - 1 : at;
    kept.set(octets.subarray(from, end), to);
    to += end - from;
    from = at + 2;
  }
  kept.set(octets.subarray(from), to);
  return from === 0 ? octets : kept.subarray(0, to + octets.length - from);
}
