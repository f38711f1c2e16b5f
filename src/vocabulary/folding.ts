/** Words as they are compared: what people type, what feeds write and what vocabularies say come to one form here. Pure. */

/**
 * The words of a text: lower case, without diacritics, apostrophes and trade marks; `&` is `and`. Anything else between
 * letters and digits parts two words.
 *
 * @example wordsIn("Men's Zumba® & Café-Yoga") // ['mens', 'zumba', 'and', 'cafe', 'yoga']
 */
export function wordsIn(text: string): string[] {
  return foldedText(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Lower case, without diacritics, apostrophes and trade marks; everything else stays where it is. */
export function foldedText(text: string): string {
  return text
    .replaceAll(/[™®©]/g, '')
    .normalize('NFKD')
    .replaceAll(/[\p{M}'’‘ʼ`´]+/gu, '')
    .toLowerCase()
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll('&', ' and ');
}

/**
 * A word without the end that its plural or gerund has: `swim` of `swims` and `swimming`, `danc` of `dance`, `dances` and
 * `dancing`. Light on purpose: `swimmer` and `runner` stay what they are. The stem of a stem is itself.
 *
 * @example stem('classes') // 'class'
 */
export function stem(word: string): string {
  let stemmed = word;
  for (;;) {
    const shorter = withoutEnd(stemmed);
    if (shorter === stemmed) return stemmed;
    stemmed = shorter;
  }
}

/** A word in the singular: `class` of `classes`, `hobby` of `hobbies`; `tennis`, `canvas` of one form stay. */
export function singular(word: string): string {
  if (word.length < 4 || !word.endsWith('s') || /(?:ss|us|is)$/.test(word)) return word;
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|x|ch|sh|zz)es$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}

function withoutEnd(word: string): string {
  if (word.length < 4) return word;
  const one = singular(word);
  if (one !== word) return one;
  if (word.endsWith('ing') && /[aeiouy]/.test(word.slice(0, -3)) && word.length > 5)
    return undoubled(word.slice(0, -3));
  return /[^aeious]e$/.test(word) ? word.slice(0, -1) : word;
}

/** `swim` of `swimm`; `roll`, `pass` and `buzz` keep both letters. */
function undoubled(word: string): string {
  return /([^aeiouylsz])\1$/.test(word) ? word.slice(0, -1) : word;
}
