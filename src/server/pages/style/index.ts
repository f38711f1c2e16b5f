/**
 * The style sheet of the pages, in parts. A part is a constant in a file of this folder; a page names the parts it uses, and
 * has them in one `<style>` of at most 14 KiB.
 */

import { BASE, TABLES } from './base.ts';
import { ADMIN, API, FEEDS } from './feeds.ts';
import { FIND, SHEET, TRAY } from './find.ts';
import { MY } from './my.ts';
import { NOTICE, PAPER, PLAIN, PLATE, PUBLISH, SHARE } from './notice.ts';
import { FILTERS, HOME, ROWS, TILES, WEEK } from './rows.ts';
import { EXPLAIN, FACTS, MONTH } from './series.ts';
import { EMBED, GRID, LANES, PRINT, SLOTS } from './venue.ts';

/** Parts by name, in the order of the sheet. `base` is on every page. */
const PARTS = {
  base: BASE,
  tables: TABLES,
  find: FIND,
  tiles: TILES,
  rows: ROWS,
  home: HOME,
  week: WEEK,
  filters: FILTERS,
  my: MY,
  publish: PUBLISH,
  plate: PLATE,
  notice: NOTICE,
  feeds: FEEDS,
  api: API,
  admin: ADMIN,
  plain: PLAIN,
  facts: FACTS,
  month: MONTH,
  explain: EXPLAIN,
  sheet: SHEET,
  tray: TRAY,
  lanes: LANES,
  grid: GRID,
  slots: SLOTS,
  share: SHARE,
  paper: PAPER,
  print: PRINT,
  embed: EMBED,
};

export type StylePart = keyof typeof PARTS;

/**
 * The style sheet of a page that uses these parts, without the custom properties of its theme (`tokensOf`).
 *
 * @example styleOf(['month', 'rows'])
 */
export function styleOf(parts: readonly StylePart[]): string {
  const used = new Set<StylePart>(['base', ...parts]);
  return (Object.keys(PARTS) as StylePart[])
    .filter((part) => used.has(part))
    .map((part) => PARTS[part].replaceAll('\n', ''))
    .join('');
}
