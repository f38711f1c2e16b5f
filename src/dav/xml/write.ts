import { LIMITS } from '../../limits.ts';
import { unmet } from '../refusal.ts';
import { type Name, PREFIXES } from './names.ts';

/** Characters that XML 1.0 cannot hold in any form (2.2), and markup. A CR that is not escaped is read as LF (2.11). */
const UNSAFE = /[&<>"\r]|[^\t\n\r\x20-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;
const ESCAPED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\r': '&#13;' };

/** ASCII without markup, as in nearly all addresses and dates: this test is ten times as fast as a replacement. */
const PLAIN = /^[\t\n !#-%'-;=?-~]*$/;

/** Text as content or attribute value; characters that XML cannot hold are left out. */
export function escaped(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(UNSAFE, (character) => ESCAPED[character] ?? '');
}

/** `<D:displayname>…</D:displayname>`; `content` is XML already. A namespace without a prefix is declared at the element. */
export function element(name: Name, content = ''): string {
  const prefix = PREFIXES.get(name.ns);
  const tag = prefix === undefined ? `X:${name.local}` : `${prefix}:${name.local}`;
  const declared = prefix === undefined ? declaration(name) : '';
  const opened = prefix === undefined && name.ns === '' ? name.local : tag;
  return content === '' ? `<${opened}${declared}/>` : `<${opened}${declared}>${content}</${opened}>`;
}

function declaration({ ns }: Name): string {
  return ns === '' ? '' : ` xmlns:X="${escaped(ns)}"`;
}

const PIECE = 64 * 1024;
const encoder = new TextEncoder();

/** Writes the octets of an answer in pieces, so that the whole never is one text. */
export class XmlWriter {
  readonly #pieces: Uint8Array<ArrayBuffer>[] = [];
  #text = '<?xml version="1.0" encoding="utf-8"?>\n';
  #octets = 0;

  xml(text: string): void {
    this.#text += text;
    if (this.#text.length >= PIECE) this.#flush();
  }

  /** Adds XML that is UTF-8 already, so that the octets of objects are not decoded again. */
  octets(bytes: Uint8Array<ArrayBuffer>): void {
    this.#flush();
    this.#push(bytes);
  }

  /** All octets written. @throws Refusal: the answer is too large. */
  pieces(): readonly Uint8Array<ArrayBuffer>[] {
    this.#flush();
    return this.#pieces;
  }

  #flush(): void {
    if (this.#text === '') return;
    this.#push(encoder.encode(this.#text));
    this.#text = '';
  }

  #push(piece: Uint8Array<ArrayBuffer>): void {
    this.#octets += piece.length;
    if (this.#octets > LIMITS.dav.answerBytes)
      throw unmet('D:number-of-matches-within-limits', 'The answer would be too large: ask for less of it at a time.');
    this.#pieces.push(piece);
  }
}

const ESCAPED_OCTETS = new Map([...'&<>\r'].map((sign) => [sign.charCodeAt(0), encoder.encode(ESCAPED[sign])]));
const TAB = 9;
const LF = 10;
const SPACE = 32;
/** 1: ASCII that stands for itself. */
const PLAIN_OCTETS = Uint8Array.from({ length: 256 }, (_, octet) => {
  const isText = octet < 0x80 && (octet >= SPACE || octet === TAB || octet === LF);
  return isText && !ESCAPED_OCTETS.has(octet) ? 1 : 0;
});
/** Most octets for one octet: `&amp;`. References need fewer for each: `&#x7ff;` for two octets, `&#x10ffff;` for four. */
const LONGEST = 5;

/**
 * Octets of UTF-8 escaped as content of an element, where quotation marks need no escape. Characters beyond ASCII become
 * references, because Thunderbird breaks a character that two parts of an answer share.
 */
export function escapedOctets(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  let plain = 0;
  while (PLAIN_OCTETS[bytes[plain] as number] === 1) plain += 1;
  if (plain === bytes.length) return bytes.slice();
  const out = new Uint8Array(plain + (bytes.length - plain) * LONGEST);
  out.set(bytes.subarray(0, plain));
  let to = plain;
  for (let at = plain; at < bytes.length; ) {
    const octet = bytes[at] as number;
    if (PLAIN_OCTETS[octet] === 1) {
      out[to++] = octet;
      at += 1;
    } else if (octet < 0x80) {
      for (const sign of ESCAPED_OCTETS.get(octet) ?? []) out[to++] = sign;
      at += 1;
    } else {
      const length = octet < 0xe0 ? 2 : octet < 0xf0 ? 3 : 4;
      const point = pointOf(bytes, at, length);
      // XML cannot hold U+FFFE and U+FFFF.
      if (point !== 0xfffe && point !== 0xffff)
        to += encoder.encodeInto(`&#x${point.toString(16)};`, out.subarray(to)).written;
      at += length;
    }
  }
  return out.slice(0, to);
}

/** The code point of a character of so many octets. */
function pointOf(bytes: Uint8Array, at: number, length: number): number {
  let point = (bytes[at] as number) & (0xff >> (length + 1));
  for (let next = 1; next < length; next += 1) point = (point << 6) | ((bytes[at + next] as number) & 0x3f);
  return point;
}
