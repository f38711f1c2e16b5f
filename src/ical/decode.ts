/** Octets of a calendar as text. RFC 5545 3.1.4 demands UTF-8; another encoding is read where it is certain. */

interface DecodedCalendar {
  text: string;
  /** The encoding that was read, where it is not UTF-8. */
  encoding?: string;
}

/** `charset`: the parameter of a Content-Type. */
export function decodedCalendar(bytes: Uint8Array, charset?: string): DecodedCalendar {
  const wide = wideEncoding(bytes);
  if (wide !== undefined) return { text: new TextDecoder(wide).decode(bytes), encoding: wide.toUpperCase() };
  const utf8 = decodedAs('utf-8', bytes, true);
  if (utf8 !== undefined) return { text: utf8 };
  const joined = withWholeCharacters(bytes);
  const unfolded = joined && decodedAs('utf-8', joined, true);
  if (unfolded !== undefined) return { text: unfolded };
  const stated = charset === undefined || /^utf-?8$/i.test(charset) ? undefined : decodedAs(charset, bytes, false);
  if (stated !== undefined) return { text: stated, encoding: (charset as string).toUpperCase() };
  if (isWestern(bytes)) return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'WINDOWS-1252' };
  return { text: new TextDecoder().decode(joined ?? bytes) };
}

const [LF, CR, SPACE, TAB] = [10, 13, 32, 9];

/**
 * The octets with each fold that splits a character moved behind it. Lines are folded by octets (RFC 5545 3.1), and keep their
 * numbers here. Undefined where no fold splits a character. One pass.
 */
function withWholeCharacters(bytes: Uint8Array): Uint8Array | undefined {
  const joined = new Uint8Array(bytes.length);
  let to = 0;
  /** Octets of folds to write behind the character. */
  let held: number[] = [];
  let isMoved = false;
  for (let at = 0; at < bytes.length; ) {
    const fold = foldAt(bytes, at);
    if (fold > 0 && isContinuation(bytes[at + fold]) && (joined[to - 1] ?? 0) >= 0x80) {
      held.push(...bytes.subarray(at, at + fold));
      isMoved = true;
      at += fold;
    } else if (held.length > 0 && !isContinuation(bytes[at])) {
      joined.set(held, to);
      to += held.length;
      held = [];
    } else joined[to++] = bytes[at++] as number;
  }
  joined.set(held, to);
  return isMoved ? joined : undefined;
}

/** Octets of the fold that begins here: a line end with the SPACE or TAB after it. */
function foldAt(bytes: Uint8Array, at: number): number {
  const end = bytes[at] === LF ? 1 : bytes[at] !== CR ? 0 : bytes[at + 1] === LF ? 2 : 1;
  const next = bytes[at + end];
  return end > 0 && (next === SPACE || next === TAB) ? end + 1 : 0;
}

/** The second or a later octet of a character of UTF-8. */
function isContinuation(octet: number | undefined): boolean {
  return octet !== undefined && octet >= 0x80 && octet < 0xc0;
}

function decodedAs(encoding: string, bytes: Uint8Array, fatal: boolean): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** UTF-16, known by its byte order mark or by the zeros between the letters of `BEGIN`. */
function wideEncoding([first, second, third]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0 && third !== 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0 && third === 0)) return 'utf-16be';
  return undefined;
}

/** Octets that windows-1252 does not have. */
const UNUSED = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]);

/**
 * Letters with accents stand alone in the languages of windows-1252. Three octets in a row are those of another alphabet, and a
 * whole sequence of UTF-8 among them means that parts of the text were encoded differently.
 */
function isWestern(bytes: Uint8Array): boolean {
  let row = 0;
  for (const byte of bytes) {
    row = byte < 0x80 ? 0 : row + 1;
    if (row > 2 || UNUSED.has(byte)) return false;
  }
  return !/[^\0-\u007f\ufffd]/.test(new TextDecoder().decode(bytes));
}
