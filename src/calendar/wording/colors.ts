/** Colours of calendars: CSS3 names (RFC 7986 5.9) dark enough for white text, the same for the same activity. */

const COLORS: readonly (readonly [name: string, hex: string])[] = [
  ['seagreen', '#2E8B57'],
  ['steelblue', '#4682B4'],
  ['crimson', '#DC143C'],
  ['darkorange', '#FF8C00'],
  ['mediumvioletred', '#C71585'],
  ['teal', '#008080'],
  ['royalblue', '#4169E1'],
  ['olivedrab', '#6B8E23'],
  ['sienna', '#A0522D'],
  ['indigo', '#4B0082'],
  ['firebrick', '#B22222'],
  ['darkcyan', '#008B8B'],
  ['slateblue', '#6A5ACD'],
  ['forestgreen', '#228B22'],
  ['chocolate', '#D2691E'],
  ['mediumblue', '#0000CD'],
];

/** The colour for a word, e.g. an activity; case does not matter. */
export function colorOf(word: string): { name: string; hex: string } {
  // FNV-1a: any hash will do, as long as it never changes.
  let state = 0x811c9dc5;
  for (const character of word.toLowerCase())
    state = Math.imul(state ^ (character.codePointAt(0) as number), 0x01000193) >>> 0;
  const [name, hex] = COLORS[state % COLORS.length] as (typeof COLORS)[number];
  return { name, hex };
}
