import { foldedText, wordsIn } from '../vocabulary/folding.ts';

/** Tokens of the words of a search. */

/** The most characters of `q`. */
export const MAX_QUERY = 200;

/** A piece of a text: phrases are made of them. */
export interface Token {
  /** Lower case, without diacritics and apostrophes; `-` for a hyphen, the whole of a quoted phrase. */
  word: string;
  /** The position in the text, the end excluded. */
  start: number;
  end: number;
  /** Whether it is in quotation marks, and so never taken apart. */
  quoted: boolean;
}

/** Quoted phrases, prices, dates, times, numbers, words, hyphens; each alternative is linear. */
const PIECES =
  /["“”][^"“”]+["“”]|[£€$] ?\d{1,5}(?:\.\d{1,2})?(?!\d)|\d{4}-\d\d-\d\d(?!\d)|\d{1,2}\/\d{1,2}\/\d{2,4}(?!\d)|\d{1,2}\.\d{1,2}\.(?:20)?\d\d(?!\d)|\d{1,2}-\d{1,2}-20\d\d(?!\d)|\d{1,2}\/\d{1,2}(?![\d/]|[ -]?y(?:ea)?rs?)|\d{1,2}(?:[:.]\d\d)? ?[ap]\.?m(?![\p{L}\p{N}])|(?<![\d:.])\d{1,2}[:.]\d\d(?![\d:])|\d{1,5}\.\d{1,2}(?!\d)|\d{1,3}\+(?![\p{L}\p{N}])|[\p{L}\p{N}\p{M}]+(?:['’‘ʼ`´][\p{L}\p{N}\p{M}]+)*|[-–—]/giu;

/**
 * The tokens of a text. Characters between them only separate words.
 *
 * @example tokensOf("Men's 5-a-side, 6 pm").map(({ word }) => word) // ['mens', '5', '-', 'a', '-', 'side', '6pm']
 */
export function tokensOf(text: string): Token[] {
  return Array.from(text.matchAll(PIECES), ({ 0: piece, index }) => {
    const quoted = /^["“”]/.test(piece);
    return { word: quoted ? piece : wordOf(piece), start: index, end: index + piece.length, quoted };
  });
}

function wordOf(piece: string): string {
  if (/^[–—]$/.test(piece)) return '-';
  return /^[£€$\d]/.test(piece) ? foldedText(piece).replaceAll(/ |\.(?=m)/g, '') : foldedText(piece);
}

/** Whether a hyphen without blanks joins a token to the one before it: `-` and `free` of `gluten-free`. */
export function isGlued(tokens: readonly Token[], at: number): boolean {
  const [before, here, after] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (here === undefined || before === undefined) return false;
  if (here.word === '-') return before.end === here.start && after?.start === here.end;
  return before.word === '-' && before.end === here.start && tokens[at - 2]?.end === before.start;
}

/**
 * A text in which the first occurrence of some words is replaced. Whole words are compared, folded. A text without them stays as
 * it is.
 *
 * @example withWord('Pilates late', 'late', 'early') // 'Pilates early'
 */
export function withWord(text: string, words: string, by: string): string {
  const wanted = wordsIn(words);
  const tokens = tokensOf(text).filter(({ word }) => word !== '-');
  const at = tokens.findIndex((_, from) => wanted.every((word, next) => tokens[from + next]?.word === word));
  const [first, last] = [tokens[at], tokens[at + wanted.length - 1]];
  if (wanted.length === 0 || first === undefined || last === undefined) return text;
  return text.slice(0, first.start) + by + text.slice(last.end);
}
