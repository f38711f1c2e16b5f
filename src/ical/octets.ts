import { BugError } from '../errors.ts';

/**
 * Content lines as octets: escaping, UTF-8 and folding in one pass, because a line is folded by its octets in UTF-8
 * (RFC 5545 3.1). One loop over each value is five times as quick as escape, measure, slice and join.
 */

/** How a kind of value is escaped. Each ASCII character has 0 (as it is), `DROP`, `REFUSE`, or the two characters written for it. */
type Escapes = Uint16Array;

const DROP = 1;
const REFUSE = 2;
const LF = 10;
const CR = 13;
/** Octets of a line without its CRLF; the space that begins a continuation is one of them. */
const LINE = 75;

/** Octets of memory kept from one calendar to the next: the size that a subscribed one may have (feed rule 29). */
const KEPT = 1 << 20;

/** TEXT (RFC 5545 3.3.11): `:`, `"` and TAB stay as they are; other control characters are dropped. */
export const TEXT = escapes({ '\\': '\\\\', ';': '\\;', ',': '\\,', '\n': '\\n', '\r': '\\n' });

/** A quoted parameter value (RFC 5545 3.2, RFC 6868). */
export const PARAMETER = escapes({ '^': '^^', '"': "^'", '\n': '^n', '\r': '^n' });

/** Values this program makes: dates, rules, durations, numbers, periods, colours, and addresses already encoded. */
export const RAW = only(/[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]/);

export const NAME = only(/[A-Z0-9-]/);

function escapes(pairs: Record<string, string>): Escapes {
  const actions = new Uint16Array(128).fill(DROP, 0, 32);
  actions[9] = 0;
  actions[127] = DROP;
  for (const [from, to] of Object.entries(pairs))
    actions[from.charCodeAt(0)] = to.charCodeAt(0) * 256 + to.charCodeAt(1);
  return actions;
}

function only(allowed: RegExp): Escapes {
  return Uint16Array.from({ length: 128 }, (_, unit) => (allowed.test(String.fromCharCode(unit)) ? 0 : REFUSE));
}

export class Octets {
  #bytes = new Uint8Array(KEPT);
  #at = 0;
  #limit = LINE;

  clear(): void {
    if (this.#bytes.length > KEPT) this.#bytes = new Uint8Array(KEPT);
    this.#at = 0;
    this.#limit = LINE;
  }

  end(): void {
    this.#reserve(2);
    this.#bytes[this.#at++] = CR;
    this.#bytes[this.#at++] = LF;
    this.#limit = this.#at + LINE;
  }

  octet(unit: number): void {
    this.#reserve(4);
    if (this.#at === this.#limit) this.#fold();
    this.#bytes[this.#at++] = unit;
  }

  /** Octets of ASCII that were written before and fit on a line. */
  copy(octets: Uint8Array): void {
    this.#reserve(octets.length);
    this.#bytes.set(octets, this.#at);
    this.#at += octets.length;
  }

  /**
   * Writes a value, escaped. All line ends (CRLF, CR, LF, NEL, LS, PS) become one kind. Control characters and the
   * non-characters U+FFFE and U+FFFF are dropped, and a lone surrogate becomes U+FFFD.
   * @throws BugError where the table refuses a character
   */
  put(value: string, actions: Escapes): void {
    const length = value.length;
    // At most three octets a unit, and a fold (three more) at most every 70.
    this.#reserve(length * 4 + 8);
    const bytes = this.#bytes;
    let index = 0;
    for (;;) {
      let at = this.#at;
      // Characters that are written as they are, as far as the line has room.
      const stop = Math.min(length, index + this.#limit - at);
      for (; index < stop; index++) {
        const unit = value.charCodeAt(index);
        if (unit > 127 || actions[unit] !== 0) break;
        bytes[at++] = unit;
      }
      this.#at = at;
      if (index === length) return;
      const unit = value.charCodeAt(index);
      // A fold comes only before a written character: a dropped one would leave an empty line.
      if (unit < 128 && actions[unit] === 0) this.#fold();
      else index += 1 + this.#special(value, index, actions);
    }
  }

  /** Writes a character that is escaped, dropped or beyond ASCII; returns the number of further units that it took. */
  #special(value: string, index: number, actions: Escapes): number {
    const unit = value.charCodeAt(index);
    if (unit > 127) return this.#wide(value, index, unit, actions);
    const action = actions[unit] as number;
    if (action === DROP) return 0;
    this.#pair(action, value);
    return unit === CR && value.charCodeAt(index + 1) === LF ? 1 : 0;
  }

  get length(): number {
    return this.#at;
  }

  /** Writes once more the whole lines that stand between two places. */
  again(start: number, end: number): void {
    this.#reserve(end - start);
    this.#bytes.copyWithin(this.#at, start, end);
    this.#at += end - start;
    this.#limit = this.#at + LINE;
  }

  slice(start: number, end: number): Uint8Array {
    return this.#bytes.slice(start, end);
  }

  /** The octets written; valid until the next call. */
  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#at);
  }

  #pair(action: number, value: string): void {
    if (action === REFUSE) throw new BugError(`not a value this program makes: ${JSON.stringify(value)}`);
    if (this.#at + 2 > this.#limit) this.#fold();
    this.#bytes[this.#at++] = action >> 8;
    this.#bytes[this.#at++] = action & 255;
  }

  /** Writes a character beyond ASCII, unfolded, for readers decode by line. Returns the number of further units that it took. */
  #wide(value: string, index: number, unit: number, actions: Escapes): number {
    if (actions[LF] === REFUSE) this.#pair(REFUSE, value);
    if (unit === 0x85 || unit === 0x2028 || unit === 0x2029) {
      this.#pair(actions[LF] as number, value);
      return 0;
    }
    if (unit < 0xa0 || unit > 0xfffd) return 0;
    if (unit < 0xd800 || unit > 0xdfff) {
      this.#encode(unit);
      return 0;
    }
    const low = value.charCodeAt(index + 1);
    const whole = unit < 0xdc00 && low >= 0xdc00 && low <= 0xdfff;
    this.#encode(whole ? (unit - 0xd800) * 0x400 + (low - 0xdc00) + 0x10000 : 0xfffd);
    return whole ? 1 : 0;
  }

  #encode(point: number): void {
    const octets = point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    if (this.#at + octets > this.#limit) this.#fold();
    const bytes = this.#bytes;
    if (octets === 2) bytes[this.#at++] = 0xc0 | (point >> 6);
    else if (octets === 3) bytes[this.#at++] = 0xe0 | (point >> 12);
    else bytes[this.#at++] = 0xf0 | (point >> 18);
    if (octets === 4) bytes[this.#at++] = 0x80 | ((point >> 12) & 63);
    if (octets >= 3) bytes[this.#at++] = 0x80 | ((point >> 6) & 63);
    bytes[this.#at++] = 0x80 | (point & 63);
  }

  #fold(): void {
    this.#bytes[this.#at++] = CR;
    this.#bytes[this.#at++] = LF;
    this.#limit = this.#at + LINE;
    this.#bytes[this.#at++] = 0x20;
  }

  #reserve(room: number): void {
    if (this.#at + room <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#at + room));
    larger.set(this.#bytes.subarray(0, this.#at));
    this.#bytes = larger;
  }
}
