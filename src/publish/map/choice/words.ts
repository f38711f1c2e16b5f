import { perObject } from '../../../bounded-map.ts';

/** Comparison of texts of a mapping file with texts of a calendar. */

const compiled = new Map<string, RegExp>();

/** Whether a text has one of the words as whole words, in any case; `run*` is any word that begins with `run`. */
export function hasWords(words: readonly string[], text: string): boolean {
  return words.some((one) => wholeWords(one).test(text));
}

function wholeWords(words: string): RegExp {
  const known = compiled.get(words);
  if (known !== undefined) return known;
  const isStem = words.endsWith('*');
  const parts = (isStem ? words.slice(0, -1) : words).split(/\s+/).filter((part) => part !== '');
  const body = parts.map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)).join(String.raw`\s+`);
  const made = new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${body})${isStem ? '' : String.raw`(?![\p{L}\p{N}])`}`, 'iu');
  compiled.set(words, made);
  return made;
}

interface Titles {
  whole: ReadonlySet<string>;
  beginnings: readonly string[];
}

/** Whether one of the titles is the whole text, in any case; `run*` is any text that begins with `run`. */
export function isTitle(titles: readonly string[], text: string): boolean {
  const { whole, beginnings } = titlesOf(titles);
  const lower = text.trim().toLowerCase();
  return whole.has(lower) || beginnings.some((one) => lower.startsWith(one));
}

/** Titles as a set, because starter mappings have thousands, for tens of thousands of events. */
const titlesOf = perObject((titles: readonly string[]): Titles => {
  const lower = titles.map((one) => one.toLowerCase());
  const beginnings = lower.filter((one) => one.endsWith('*')).map((one) => one.slice(0, -1));
  return { whole: new Set(lower), beginnings };
});

/** Whether a file name or address has one of the parts. */
export function hasPart(parts: readonly string[], text: string): boolean {
  const lower = text.toLowerCase();
  return parts.some((part) => lower.includes(part.toLowerCase()));
}
