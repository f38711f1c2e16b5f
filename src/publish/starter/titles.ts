/** Titles in a mapping file: whole, or by a beginning where they differ in numbers alone. */

/** Fewest titles of one beginning that become one line: `Booking 4711` and the like. */
const FEW = 3;
/** Most beginnings that are compared with every other title. */
const MOST_BEGINNINGS = 200;
/** Longest title that is named whole; a longer one is named by its beginning. */
const LONGEST = 200;

/** Patterns for titles, in the order of the titles. `others`: titles that must not match. */
export function titlePatterns(titles: readonly string[], others: readonly string[]): string[] {
  const groups = [...Map.groupBy(titles, beginningOf)];
  const large = groups.filter(([beginning, own]) => beginning !== '' && own.length >= FEW);
  const lower = others.map((one) => one.trim().toLowerCase());
  const usable = new Set(
    large
      .sort(([, a], [, b]) => b.length - a.length)
      .slice(0, MOST_BEGINNINGS)
      .flatMap(([beginning]) => (lower.some((one) => one.startsWith(beginning)) ? [] : beginning)),
  );
  return [
    ...new Set(titles.map((title) => (usable.has(beginningOf(title)) ? `${beginningOf(title)}*` : whole(title)))),
  ];
}

/** The words before the first number, in small letters; empty: there is no number, or less than a word before it. */
function beginningOf(title: string): string {
  const words = /^(.*?\p{L})[^\p{L}\p{N}]*\p{N}/u.exec(title.trim().slice(0, LONGEST))?.[1]?.toLowerCase() ?? '';
  return words.length < 3 || /\p{N}/u.test(words) ? '' : words;
}

function whole(title: string): string {
  return title.length > LONGEST ? `${title.slice(0, LONGEST).trim()}*` : title;
}
