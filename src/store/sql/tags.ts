/** 48 bits of a text, distinguished by salt. Pure. */
export type TagOf = (text: string, salt: number) => number;

/**
 * Numbers by which rows are found in place of their names. An index over numbers is a fifth of one over addresses, of which
 * each page would be written again and again. Two names may have one tag, so every lookup compares the names too. Each
 * database has a seed of its own, so that no publisher can choose names with one tag. `within`: the number of the kind of the
 * name, or of its feed.
 */
export type Tags = (name: string, within: number) => number;

/** `seed` and `blocks`: what `SEED_OF` selects. `tagOf`: for tests. */
export function seededTags(seed: unknown, blocks: unknown, tagOf: TagOf = blocks ? tagInBlock : tag): Tags {
  const first = Number(seed);
  return (name, within) => tagOf(name, first + within);
}

/** Key of `meta` for the seed of tags. */
export const SEED = 'tags';

/** Key of `meta`: present where tags are made by `tagInBlock`, and absent where an earlier release filled the database. */
export const BLOCKS = 'tag-blocks';

export const SEED_OF = `SELECT value, (SELECT value FROM meta WHERE key = '${BLOCKS}') FROM meta WHERE key = '${SEED}'`;

/**
 * Two lanes of multiplied characters, mixed at the end. It is no cryptographic hash, and takes a microsecond less a name. The
 * part before the last slash makes the first ten bits, so that names of one feed are neighbours in the index.
 */
export function tag(text: string, salt: number): number {
  const { a, b, folder } = lanesOf(text, salt);
  const name = (mixed(b, a) & 0x3f) * 2 ** 32 + (mixed(a, b) >>> 0);
  return (mixed(folder, folder) & 0x3ff) * 2 ** 38 + name;
}

/**
 * A tag whose next fourteen bits come from all but the last three characters. Names that count up are neighbours so, and 500
 * of them write a few pages of the index instead of one each.
 *
 * @example tagInBlock('https://a.example/slots/1001', 7) // beside that of 1002
 */
export function tagInBlock(text: string, salt: number): number {
  const { a, b, folder, block } = lanesOf(text, salt);
  const name = (mixed(block, block) & 0x3fff) * 2 ** 24 + (mixed(a, b) >>> 8);
  return (mixed(folder, folder) & 0x3ff) * 2 ** 38 + name;
}

/** Characters at the end of a name that distinguish it within its block. */
const OWN = 3;
const SLASH = 0x2f;

/** The two lanes at the end of a name; the second one also after its last slash, and before its last characters. */
function lanesOf(text: string, salt: number): Record<'a' | 'b' | 'folder' | 'block', number> {
  const cut = text.length - OWN;
  let a = 0xdeadbeef ^ salt;
  let b = 0x41c6ce57 ^ salt;
  let [folder, block] = [b, b];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (at === cut) block = b;
    a = Math.imul(a ^ unit, 2_654_435_761);
    b = Math.imul(b ^ unit, 1_597_334_677);
    if (unit === SLASH) folder = b;
  }
  return { a, b, folder, block };
}

function mixed(a: number, b: number): number {
  const first = Math.imul(a ^ (a >>> 16), 2_246_822_507) ^ Math.imul(b ^ (b >>> 13), 3_266_489_909);
  return Math.imul(first ^ (first >>> 16), 3_266_489_909) ^ Math.imul(b ^ (b >>> 16), 2_246_822_507);
}
