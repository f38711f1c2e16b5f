/** Titles as a mapping file names them: whole, or by a beginning where they differ in numbers alone. */

/** Titles of one beginning that become one line: `Booking 4711` and the like. */
const FEW = 3;
/** Beginnings that are compared with every other title. */
const MOST_BEGINNINGS = 200;
/** Longer titles are named by their beginning. */
const LONGEST = 200;

/** `others`: titles that must not be meant too. In the order of the titles. */
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
