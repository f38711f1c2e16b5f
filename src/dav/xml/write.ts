import { LIMITS } from '../../limits.ts';
import { unmet } from '../refusal.ts';
import { type Name, PREFIXES } from './names.ts';

/** What XML 1.0 cannot hold in any form (2.2), and what has a meaning in it. A CR that is not escaped is read as LF (2.11). */
const UNSAFE = /[&<>"\r]|[^\t\n\r\x20-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;
const ESCAPED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\r': '&#13;' };

/** ASCII that is itself, as nearly all of addresses and dates: found out ten times as fast. */
const PLAIN = /^[\t\n !#-%'-;=?-~]*$/;

/** Text as content or attribute value; characters that XML cannot hold are left out. */
export function escaped(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(UNSAFE, (character) => ESCAPED[character] ?? '');
}

/** `<D:displayname>…</D:displayname>`; `content` is XML already. A namespace of others is declared at the element. */
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

/** The octets of an answer, in pieces as they are written: no text of the whole is made. */
export class XmlWriter {
  readonly #pieces: Uint8Array<ArrayBuffer>[] = [];
  #text = '<?xml version="1.0" encoding="utf-8"?>\n';
  #octets = 0;

  /** XML as it is. */
  xml(text: string): void {
    this.#text += text;
    if (this.#text.length >= PIECE) this.#flush();
  }

  /** XML that is UTF-8 already: objects are not made text again for it. */
  octets(bytes: Uint8Array<ArrayBuffer>): void {
    this.#flush();
    this.#push(bytes);
  }

  /** All that was written. @throws Refusal: it is more than one answer may be. */
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

const ESCAPED_OCTETS = new Map([...'&<>"\r'].map((sign) => [sign.charCodeAt(0), encoder.encode(ESCAPED[sign])]));
const TAB = 9;
const LF = 10;
const SPACE = 32;
/** The first octet of U+FFFE and U+FFFF, and of much else. */
const LEADING = 0xef;

/** How many octets longer the escape of each octet is; `NONE`: the octet needs none. */
const NONE = 127;
const LONGER = Int8Array.from({ length: 256 }, (_, octet) => {
  const sign = octet === 34 ? undefined : ESCAPED_OCTETS.get(octet);
  if (sign !== undefined) return sign.length - 1;
  if (octet === LEADING) return 0;
  return octet < SPACE && octet !== TAB && octet !== LF ? -1 : NONE;
});

/** Octets escaped one by one, as `escaped` does texts; quotation marks need no escape between tags. */
export function escapedOctets(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  let length = bytes.length;
  for (let at = 0; at < bytes.length; at++) {
    const longer = LONGER[bytes[at] as number] as number;
    if (longer !== NONE) length += longer;
  }
  const out = new Uint8Array(length);
  let to = 0;
  for (let at = 0; at < bytes.length; at++) {
    const octet = bytes[at] as number;
    if (LONGER[octet] === NONE) {
      out[to++] = octet;
    } else if (octet !== LEADING) {
      for (const sign of ESCAPED_OCTETS.get(octet) ?? []) out[to++] = sign;
    } else if (isNoncharacter(bytes, at)) {
      at += 2;
    } else {
      out[to++] = octet;
    }
  }
  return out.subarray(0, to);
}

/** U+FFFE and U+FFFF, which XML cannot hold. */
function isNoncharacter(bytes: Uint8Array, at: number): boolean {
  return bytes[at + 1] === 0xbf && (bytes[at + 2] as number) >= 0xbe;
}
