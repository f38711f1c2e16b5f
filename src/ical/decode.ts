/** Octets of a calendar as text. RFC 5545 3.1.4 asks for UTF-8; other encodings are read where it is certain which one it is. */

export interface DecodedCalendar {
  text: string;
  /** What it was read as, where that is not UTF-8. */
  encoding?: string;
}

/** `charset`: what a Content-Type says. */
export function decodedCalendar(bytes: Uint8Array, charset?: string): DecodedCalendar {
  const wide = wideEncoding(bytes);
  if (wide !== undefined) return { text: new TextDecoder(wide).decode(bytes), encoding: wide.toUpperCase() };
  const utf8 = decodedAs('utf-8', bytes, true);
  if (utf8 !== undefined) return { text: utf8 };
  const stated = charset === undefined || /^utf-?8$/i.test(charset) ? undefined : decodedAs(charset, bytes, false);
  if (stated !== undefined) return { text: stated, encoding: (charset as string).toUpperCase() };
  if (isWestern(bytes)) return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'WINDOWS-1252' };
  return { text: new TextDecoder().decode(bytes) };
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
