import { MAX_LINE, MAX_MARKUP, MAX_TEXT } from '../limits.ts';

/**
 * Text of feeds into plain text: HTML and entities undone, control characters out, lengths bounded. Every step is one pass
 * over the text, whatever it holds; text without `<` and `&` (nearly all) is only scanned.
 */

/** A plain text, and the changes that made it plain. */
export interface PlainText {
  text: string;
  html?: true;
  controls?: true;
  cut?: true;
}

/** A single line: white space of any kind is one space. At most `MAX_LINE` characters. */
export function toLine(value: string): PlainText {
  const result = prepared(value, MAX_LINE * 4, false);
  result.text = ODD_SPACE.test(result.text) ? result.text.replace(/[\s\u0085]+/g, ' ').trim() : result.text.trim();
  return limited(result, MAX_LINE);
}

const ODD_SPACE = /\s\s|[^\S ]|\u0085/;

/** Lines and paragraphs: `\n` between lines, at most one empty line in a row. At most `MAX_TEXT` characters. */
export function toLines(value: string): PlainText {
  const result = prepared(value, MAX_MARKUP, true);
  result.text = tidyLines(result.text);
  return limited(result, MAX_TEXT);
}

/** `withLinks`: the addresses of links are written after their words. */
function prepared(value: string, most: number, withLinks: boolean): PlainText {
  const result: PlainText = { text: value };
  if (value.length > most) {
    result.text = cutAt(value, most);
    result.cut = true;
  }
  if (CONTROLS.test(result.text)) {
    result.text = result.text.replace(CONTROLS_ALL, '');
    result.controls = true;
  }
  if (result.text.includes('<') && TAG.test(result.text)) {
    result.text = withoutTags(result.text, withLinks);
    result.html = true;
  }
  if (result.text.includes('&')) result.text = withoutEntities(result.text);
  if (!result.text.isWellFormed()) result.text = result.text.toWellFormed();
  return result;
}

/** C0 without tab and line ends, DEL, C1 without NEL, and characters that change the direction of the text after them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not reach a calendar
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\u202a-\u202e\u2066-\u2069\ufeff]/;
const CONTROLS_ALL = new RegExp(CONTROLS.source, 'g');

/** `<` before a letter, a slash or an exclamation mark opens a tag; `a < b` and `<3` do not. */
const TAG = /<[a-z/!]/i;
const BLOCK =
  /^(?:p|div|br|li|ul|ol|tr|table|caption|h[1-6]|section|article|aside|header|footer|main|nav|address|center|figure|figcaption|fieldset|legend|form|option|summary|details|blockquote|hr|dd|dt|dl|pre)$/;
const CELL = /^t[dh]$/;

/**
 * A text without tags: blocks become line ends, cells of a row are a blank apart, list items get a dash. White space of the
 * source counts only where no block does.
 */
function withoutTags(text: string, withLinks: boolean): string {
  const out: string[] = [];
  let at = 0;
  let blocks = false;
  let link: Link | undefined;
  for (let open = text.indexOf('<'); open >= 0; open = text.indexOf('<', at)) {
    const close = TAG_START.test(text[open + 1] ?? '') ? text.indexOf('>', open) : open;
    if (close < 0) break;
    if (close === open) {
      out.push(text.slice(at, open + 1));
      at = open + 1;
      continue;
    }
    const name = tagName(text, open, close);
    out.push(text.slice(at, open));
    if (BLOCK.test(name)) {
      blocks = true;
      out.push(breakFor(name, text[open + 1] === '/'));
    }
    if (CELL.test(name)) out.push(' ');
    if (name === 'a' && withLinks) {
      if (link !== undefined) out.push(addressOf(link, out));
      link = text[open + 1] === '/' ? undefined : linkOf(text.slice(open, Math.min(close, open + LONGEST_TAG)), out);
    }
    at = endOfElement(text, name, open, close);
  }
  out.push(text.slice(at));
  const joined = blocks ? out.map((part) => (BREAKS.has(part) ? part : part.replace(/[\r\n\t ]+/g, ' '))) : out;
  return joined.join('').replace(EDGES, '\n').replaceAll(LINE, '\n').replaceAll(PARAGRAPH, '\n\n');
}

/** A link that is open: its address, and the number of parts before its words. */
interface Link {
  address: string;
  from: number;
}

/** Longer tags are not searched, and longer addresses not written. */
const LONGEST_TAG = 2000;
const LONGEST_ADDRESS = 500;

function linkOf(tag: string, { length: from }: readonly string[]): Link | undefined {
  const [, double, single, bare] = /\shref\s?=\s?(?:"([^"]*)"|'([^']*)'|([^\s"']+))/i.exec(tag) ?? [];
  const address = (double ?? single ?? bare ?? '').trim();
  const isShown = address.length <= LONGEST_ADDRESS && /^https?:\/\/[^\s<>]+$/i.test(address);
  return isShown ? { address, from } : undefined;
}

/** ` (https://x.org/)` after the words of a link; nothing where the words are the address, or there are none. */
function addressOf({ address, from }: Link, out: readonly string[]): string {
  const words = out.slice(from).join('').trim();
  return words === '' || bareAddress(words) === bareAddress(address) ? '' : ` (${address})`;
}

function bareAddress(text: string): string {
  return withoutEntities(text)
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/^www\./, '')
    .replace(/\/$/, '');
}

const TAG_START = /[a-z/!]/i;
/** Private characters for breaks while white space is still being collapsed; control characters are out by now. */
const LINE = '\u0001';
const PARAGRAPH = '\u0002';
/** Several of these in a row, as where one block ends and the next begins, are one line end. */
const EDGE = '\u0003';
const EDGES = new RegExp(`${EDGE}[\\s${EDGE}]*`, 'g');
const BULLET = `${EDGE}- `;
const BREAKS = new Set([LINE, PARAGRAPH, EDGE, BULLET]);

function breakFor(name: string, closing: boolean): string {
  if (name === 'br') return LINE;
  if (name === 'li') return closing ? EDGE : BULLET;
  return name === 'p' || (name[0] === 'h' && name !== 'hr') ? PARAGRAPH : EDGE;
}

function tagName(text: string, open: number, close: number): string {
  const from = text[open + 1] === '/' ? open + 2 : open + 1;
  return (/^[a-z0-9]*/i.exec(text.slice(from, Math.min(close, from + 12)))?.[0] ?? '').toLowerCase();
}

/** The position after a tag, a comment, or the whole content of a script or style. */
function endOfElement(text: string, name: string, open: number, close: number): number {
  if (text.startsWith('<!--', open)) return after(text, '-->', open + 4);
  if ((name === 'script' || name === 'style') && text[open + 1] !== '/') return closing(text, name, close);
  return close + 1;
}

function after(text: string, what: string, from: number): number {
  const at = text.indexOf(what, from);
  return at < 0 ? text.length : at + what.length;
}

/** Where `</script` begins; the end of the text if it never does. */
function closing(text: string, name: 'script' | 'style', from: number): number {
  const tag = name === 'script' ? /<\/script/gi : /<\/style/gi;
  tag.lastIndex = from;
  return tag.exec(text)?.index ?? text.length;
}

/** Named character references of HTML that feeds use. */
const REFERENCES = `
  amp &; lt <; gt >; quot "; apos '; pound £; euro €; cent ¢; yen ¥; copy ©; reg ®; trade ™; deg °; plusmn ±;
  times ×; divide ÷; hellip …; ndash –; mdash —; lsquo ‘; rsquo ’; sbquo ‚; ldquo “; rdquo ”; bdquo „; laquo «;
  raquo »; bull •; middot ·; sect §; para ¶; dagger †; frac12 ½; frac14 ¼; frac34 ¾; sup2 ²; sup3 ³; larr ←; rarr →;
  uarr ↑; darr ↓; check ✓; hearts ♥; star ☆; iexcl ¡; iquest ¿; szlig ß; aelig æ; AElig Æ; oslash ø; Oslash Ø;
  oelig œ; OElig Œ; dstrok đ; Dstrok Đ; hstrok ħ; Hstrok Ħ; lstrok ł; Lstrok Ł; tstrok ŧ; Tstrok Ŧ; eth ð; ETH Ð;
  thorn þ; THORN Þ; eng ŋ; ENG Ŋ; ijlig ĳ; IJlig Ĳ; imath ı; inodot ı; kgreen ĸ; lmidot ŀ; Lmidot Ŀ; napos ŉ`;

/** Names of diacritics on a letter, with the character: `wcirc` is ŵ, `Scaron` is Š. */
const DIACRITICS = new Map([
  ['grave', '\u0300'],
  ['acute', '\u0301'],
  ['circ', '\u0302'],
  ['tilde', '\u0303'],
  ['macr', '\u0304'],
  ['breve', '\u0306'],
  ['dot', '\u0307'],
  ['uml', '\u0308'],
  ['ring', '\u030a'],
  ['dblac', '\u030b'],
  ['caron', '\u030c'],
  ['cedil', '\u0327'],
  ['ogon', '\u0328'],
]);
/** The last letter of Latin Extended-A: HTML has such names for no later letters. */
const LAST_COMPOSED = '\u017f';

function composed(name: string): string | undefined {
  const accent = DIACRITICS.get(name.slice(1));
  const letter = accent === undefined ? '' : `${name[0]}${accent}`.normalize();
  return letter.length === 1 && letter <= LAST_COMPOSED ? letter : undefined;
}

const NAMED = new Map([
  ...REFERENCES.split(';').map((line) => line.trim().split(' ') as [string, string]),
  ...['nbsp', 'ensp', 'emsp', 'thinsp'].map((name): [string, string] => [name, ' ']),
  ...['shy', 'zwnj', 'zwj'].map((name): [string, string] => [name, '']),
]);

/** Decodes character references once, so that a text escaped twice never becomes a tag again. */
function withoutEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]{1,7}));/g,
    (whole, decimal, hex, name) => {
      if (name !== undefined) return NAMED.get(name as string) ?? composed(name as string) ?? whole;
      return character(decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal));
    },
  );
}

function character(code: number): string {
  if (code === 9 || code === 10 || code === 13) return ' ';
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return '';
  const text = String.fromCodePoint(code);
  return CONTROLS.test(text) ? '' : text;
}

function tidyLines(text: string): string {
  if (!text.includes('\n') && !text.includes('\r') && !NEEDS_TIDYING.test(text)) return text.trim();
  const lines = text.split(/\r\n?|[\n\u0085\u2028\u2029]/).map((line) => line.replace(/[^\S\n]+/g, ' ').trim());
  const kept: string[] = [];
  for (const line of lines) if (line !== '' || (kept.at(-1) ?? '') !== '') kept.push(line);
  while (kept.at(-1) === '') kept.pop();
  return kept.join('\n');
}

const NEEDS_TIDYING = /[\t\u0085\u00a0\u2028\u2029]|\s\s/;

function limited(result: PlainText, most: number): PlainText {
  if (result.text.length <= most) return result;
  result.text = `${cutAt(result.text, most - 1).trimEnd()}…`;
  result.cut = true;
  return result;
}

/** The first characters of a text, without half a surrogate pair. */
function cutAt(text: string, length: number): string {
  const code = text.charCodeAt(length - 1);
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? length - 1 : length);
}
