/** Tables for people: a header, columns as wide as their cells, and no line wider than the terminal. */

import { wallWords } from '../calendar/wording/wall-words.ts';
import { shown } from '../opportunity/findings.ts';
import { DAY_MS } from '../time/days.ts';
import { type Instant, utcText } from '../time/instant.ts';
import { toInstant, toWall, type Zone } from '../time/zone.ts';

export interface Column {
  title: string;
  /** The most characters of the column; default: those of its longest cell. */
  most?: number;
  /** The least characters of a column of free text, which a narrow terminal cuts, the last one first. 0: it may be left out. */
  least?: number;
}

/** The gap between two columns. */
const GAP = '  ';

/**
 * The lines of a table, the header first. Control characters of cells become spaces.
 * @param width columns of the terminal; absent: nothing is cut to fit
 */
export function tableLines(columns: readonly Column[], rows: readonly (readonly string[])[], width?: number): string[] {
  const widths = columns.map(({ title, most = Number.POSITIVE_INFINITY }, at) =>
    Math.min(
      most,
      rows.reduce((widest, row) => Math.max(widest, row[at]?.length ?? 0), title.length),
    ),
  );
  if (width !== undefined) narrow(widths, columns, width);
  const cells = [columns.map(({ title }) => title), ...rows];
  return cells.map((row) =>
    row
      .flatMap((cell, at) => (widths[at] === 0 ? [] : [shown(cell, widths[at]).padEnd(widths[at] ?? 0)]))
      .join(GAP)
      .trimEnd()
      .slice(0, width),
  );
}

/** Narrows the columns of free text, the last one first, until the line fits. */
function narrow(widths: number[], columns: readonly Column[], width: number): void {
  const total = () => widths.filter((one) => one > 0).reduce((sum, one) => sum + one + GAP.length, -GAP.length);
  for (let at = columns.length - 1; at >= 0; at -= 1) {
    const least = columns[at]?.least;
    const over = total() - width;
    if (over <= 0) return;
    if (least === undefined) continue;
    const left = (widths[at] as number) - over;
    widths[at] = least === 0 && left < USEFUL ? 0 : Math.max(least, left);
  }
}

/** The least useful width: a column that may be left out is, below it. */
const USEFUL = 8;

/** Start and end in local time: `Tue 24 Nov 2026 18:00` and `19:00`, or in full where it ends on another day. */
export function localSpan(zone: Zone, start: Instant, end: Instant): [start: string, end: string] {
  const [from, to] = [localTime(zone, start), localTime(zone, end)];
  if (end <= start) return [from, ''];
  const isSameDay = dayPart(from) === dayPart(to);
  return [from, isSameDay ? to.replace(DAY_PART, '') : to];
}

/** Start and end of an occurrence. An all-day one is `Tue 24 Nov 2026` and `all day`, or its last day. */
export function occurrenceSpan(
  zone: Zone,
  { start, end, allDay }: { start: Instant; end: Instant; allDay?: true },
): [start: string, end: string] {
  if (!allDay) return localSpan(zone, start, end);
  const [first, last] = [start, end - DAY_MS].map((midnight) => dayPart(wallWords(midnight)).trimEnd());
  return [first as string, first === last ? 'all day' : `to ${last}`];
}

const DAY_PART = /^.*\d{4} /;

function dayPart(words: string): string {
  return padded(DAY_PART.exec(words)?.[0] ?? '');
}

const padded = (words: string): string => words.replace(/ (\d) /, '  $1 ');

/** A local time. The second time in the hour that a clock repeats has its instant beside it. */
function localTime(zone: Zone, instant: Instant): string {
  const wall = toWall(zone, instant);
  const words = padded(wallWords(wall));
  return toInstant(zone, wall) === instant ? words : `${words} (${utcText(instant)})`;
}

/** The header of times where all rows are in one zone, and the column for zones where they are not. */
export function zoneColumn(zones: ReadonlySet<string>): { start: string; column: readonly Column[] } {
  const [only] = zones;
  return zones.size === 1
    ? { start: `START (${only})`, column: [] }
    : { start: 'START', column: zones.size === 0 ? [] : [{ title: 'ZONE' }] };
}
