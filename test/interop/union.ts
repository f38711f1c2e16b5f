import { utc } from './rows.ts';

/** Time on a line: what several periods cover together, and what they leave over, as `START END` lines in UTC. */

type Period = [start: number, end: number];

/** The time that rows cover within a window of UTC dates. */
export function union(rows: readonly { start: string; end: string }[], from: string, to: string): string[] {
  return merged(rows, from, to).map(line);
}

/** The time of the window that rows do not cover. */
export function rest(rows: readonly { start: string; end: string }[], from: string, to: string): string[] {
  const left: Period[] = [];
  let at = Date.parse(from);
  for (const [start, end] of merged(rows, from, to)) {
    if (start > at) left.push([at, start]);
    at = end;
  }
  if (at < Date.parse(to)) left.push([at, Date.parse(to)]);
  return left.map(line);
}

function merged(rows: readonly { start: string; end: string }[], from: string, to: string): Period[] {
  const [first, last] = [Date.parse(from), Date.parse(to)];
  const periods = rows.map(
    ({ start, end }): Period => [Math.max(Date.parse(start), first), Math.min(Date.parse(end), last)],
  );
  const found: Period[] = [];
  for (const [start, end] of periods.toSorted((a, b) => a[0] - b[0])) {
    const before = found.at(-1);
    if (start >= end) continue;
    if (before === undefined || start > before[1]) found.push([start, end]);
    else before[1] = Math.max(before[1], end);
  }
  return found;
}

function line([start, end]: Period): string {
  return `${utc(start)} ${utc(end)}`;
}
