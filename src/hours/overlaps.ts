import type { RawFinding } from '../opportunity/findings.ts';
import type { OpeningHours } from '../opportunity/records.ts';
import { WEEKDAYS } from '../time/days.ts';
import type { Weekday } from '../time/instant.ts';
import { timeText } from '../time/iso-text.ts';
import { spanOf } from './spans.ts';

export const DAYS = [...WEEKDAYS, 'PublicHolidays'];

/** Whether an entry is for a weekday; 7 means public holidays. An entry that names no day is for every weekday. */
export function onDay({ days, publicHolidays }: OpeningHours, weekday: number): boolean {
  if (weekday === 7) return publicHolidays;
  return days.length === 0 ? !publicHolidays : days.includes(weekday as Weekday);
}

/** Findings about entries for the same dates and weekday that overlap, or contradict each other. Each entry has one at most. */
export function overlapFindings(entries: readonly OpeningHours[]): RawFinding[] {
  if (entries.length < 2) return [];
  const found = new Map<string, RawFinding>();
  const seasons = Map.groupBy(entries, ({ validFrom = '', validThrough = '' }) => `${validFrom} ${validThrough}`);
  for (const season of seasons.values()) {
    if (season.length < 2) continue;
    for (const [weekday, day] of DAYS.entries()) {
      const onThatDay = season.filter((entry) => onDay(entry, weekday));
      judgeDay(onThatDay, day, found);
    }
  }
  return [...found.values()];
}

function judgeDay(entries: readonly OpeningHours[], day: string, found: Map<string, RawFinding>): void {
  if (entries.length < 2) return;
  const open: OpeningHours[] = [];
  let closed: OpeningHours | undefined;
  for (const entry of entries) {
    if (spanOf(entry) === undefined) closed ??= entry;
    else open.push(entry);
  }
  open.sort((a, b) => a.opens - b.opens);
  const [first] = open;
  if (closed !== undefined && first !== undefined) {
    addFinding(found, closed, { code: 'hours-contradict', path: closed.path, facts: { day, value: hoursText(first) } });
  }
  let widest = first;
  for (const entry of open.slice(1)) {
    if (widest === undefined) return;
    if (entry.opens < spanEnd(widest)) {
      const facts = { day, first: hoursText(widest), second: hoursText(entry) };
      addFinding(found, entry, { code: 'hours-overlap', path: entry.path, facts });
    }
    if (spanEnd(entry) > spanEnd(widest)) widest = entry;
  }
}

function addFinding(found: Map<string, RawFinding>, { path }: OpeningHours, finding: RawFinding): void {
  if (!found.has(path)) found.set(path, finding);
}

function spanEnd(entry: OpeningHours): number {
  return spanOf(entry)?.end ?? 0;
}

function hoursText({ opens, closes }: OpeningHours): string {
  return `${timeText(opens)}–${timeText(closes)}`;
}
