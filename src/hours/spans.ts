import type { OpeningHours } from '../opportunity/records.ts';
import { DAY_SECONDS } from '../time/days.ts';

/**
 * Open from `start` until `end`: seconds of wall time since the midnight that begins the day it opens on. An `end` beyond
 * one day reaches into the next one; the span still belongs to the day it opens on (semantics 5).
 */
export interface DaySpan {
  start: number;
  end: number;
}

/** A span with the reasons of every entry that is part of it. */
export interface ReasonedSpan extends DaySpan {
  because: readonly string[];
}

/** The span of an entry on a day that it covers; undefined where the entry means closed (`00:00`–`00:00`). */
export function spanOf({ opens, closes }: Pick<OpeningHours, 'opens' | 'closes'>): DaySpan | undefined {
  if (opens === 0 && closes === 0) return undefined;
  const end = endOfMinute(closes);
  return { start: opens, end: end <= opens ? end + DAY_SECONDS : end };
}

/** Publishers that cannot write 13:00 for an end write 12:59 or 12:59:59: a close at :59 is the end of that minute. */
function endOfMinute(closes: number): number {
  const minutes = Math.floor(closes / 60);
  return minutes % 60 === 59 || closes % 60 === 59 ? (minutes + 1) * 60 : closes;
}

/** The union of spans: sorted, touching and overlapping ones as one. */
export function mergeSpans(spans: readonly ReasonedSpan[]): ReasonedSpan[] {
  if (spans.length < 2) return [...spans];
  const merged: ReasonedSpan[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start || a.end - b.end)) {
    const last = merged.at(-1);
    if (last === undefined || span.start > last.end) merged.push({ ...span });
    else {
      last.end = Math.max(last.end, span.end);
      last.because = unionOf(last.because, span.because);
    }
  }
  return merged;
}

/** Most reasons of a span. A place that never closes has one for each weekday, or three with shifts. */
const MAX_REASONS = 24;

/** The texts of both lists, each once, in order. */
export function unionOf(a: readonly string[], b: readonly string[]): readonly string[] {
  if (a === b || a.length >= MAX_REASONS) return a;
  const news = b.filter((text) => !a.includes(text));
  return news.length === 0 ? a : [...a, ...news].slice(0, MAX_REASONS);
}
