/** `expand --explain`: each occurrence with its source, and hidden ones with the reason. */

import { Explanation } from '../../calendar/explain/explain.ts';
import type { ExplainedRow, ExplainedSchedule, Item, ItemOf } from '../../calendar/explain/explained.ts';
import { zoneOf } from '../../calendar/header.ts';
import { planSeries } from '../../calendar/series/plan.ts';
import { Trace } from '../../calendar/series/trace.ts';
import type { Input } from '../../join/input.ts';
import { bestClaims, claimKey, type Joined, NO_SERIES } from '../../join/join.ts';
import { shown } from '../../opportunity/findings.ts';
import { compareOccurrences } from '../../recurrence/overlay.ts';
import { publicFeed } from '../../store/index.ts';
import type { Instant } from '../../time/instant.ts';
import { type Zone, zone as zoneNamed } from '../../time/zone.ts';
import { wrapped } from '../args.ts';
import { occurrenceSpan, tableLines, zoneColumn } from '../table.ts';

/** A line of the output: the explanation of a Schedule or of an occurrence. */
export type ExplainedLine =
  | ({ line: 'schedule'; series: string } & ExplainedSchedule)
  | ({ line: 'occurrence'; series: string | null; zone: string } & ExplainedRow);

/**
 * Yields Schedules first, then all occurrences that overlap [from, to), by start. The events are those that `convert` writes
 * of the same input.
 */
export function* explainInput(
  input: Input,
  { series, orphans }: Joined,
  { zone: home, source, from, to }: { zone: string; source: string; from: Instant; to: Instant },
): Generator<ExplainedLine> {
  const itemOf = itemsOf(input, source);
  const all = orphans.length === 0 ? series : [...series, { series: NO_SERIES, sessions: orphans }];
  const explanations = all.map(({ series: one, sessions }) => {
    const trace = new Trace();
    const { events } = planSeries(one, sessions, { zone: home }, trace);
    const explanation = new Explanation({ series: one, sessions, trace, written: events, zone: home }, from, to);
    return { id: one.id, explanation, zone: zoneOf(one, home).id };
  });
  for (const { id, explanation } of explanations) {
    for (const schedule of explanation.schedules()) yield { line: 'schedule', series: id, ...schedule };
  }
  const rows = explanations.flatMap(({ id, explanation, zone }) =>
    explanation.verdicts.map((verdict) => ({
      id,
      explanation,
      zone,
      verdict: id === '' ? { ...verdict, because: 'series-missing' as const } : verdict,
    })),
  );
  rows.sort((a, b) => compareOccurrences(a.verdict.occurrence, b.verdict.occurrence));
  for (const { id, explanation, zone, verdict } of rows) {
    yield { line: 'occurrence', series: id === '' ? null : id, zone, ...explanation.row(verdict, itemOf) };
  }
}

function itemsOf({ records }: Input, source: string): ItemOf {
  const feed = publicFeed(source);
  const best = bestClaims(records);
  return (kind, id): Item | undefined => {
    const claim = best.get(claimKey(kind, id));
    return claim && { feed, kind: claim.kind, id: claim.rpdeId };
  };
}

/** A table of Schedules, and one of dates: when, whether shown, why. The sentences stand below each row, and are never cut. */
export function explainedTable(lines: readonly ExplainedLine[], width?: number): string[] {
  const schedules = lines.filter((line) => line.line === 'schedule');
  const dates = lines.filter((line) => line.line === 'occurrence');
  const { start, column } = zoneColumn(new Set(dates.map(({ zone }) => zone)));
  const columns = [{ title: start }, { title: 'END' }, ...column, { title: 'SHOWN' }, { title: 'BECAUSE', least: 9 }];
  const rows = dates.map((line) => [
    ...occurrenceSpan(zoneNamed(line.zone) as Zone, {
      start: Date.parse(line.start),
      end: Date.parse(line.end),
      ...(line.allDay && { allDay: line.allDay }),
    }),
    ...(column.length > 0 ? [line.zone] : []),
    line.shown ? 'yes' : 'no',
    line.because.join(','),
  ]);
  const paths = schedules.map(({ path }) => [path]);
  return [
    ...withSentences(tableLines([{ title: 'SCHEDULE' }], paths, width), schedules, width),
    ...withSentences(tableLines(columns, rows, width), dates, width),
  ];
}

function withSentences([header = '', ...rows]: string[], lines: readonly ExplainedLine[], width?: number): string[] {
  const below = rows.flatMap((row, at) => [row, ...sentencesOf(lines[at] as ExplainedLine, width)]);
  return rows.length === 0 ? [] : [header, ...below];
}

function sentencesOf(line: ExplainedLine, width = Number.POSITIVE_INFINITY): string[] {
  const text = shown([line.sentence, ...line.events.map((event) => event.sentence)].join(' '), MOST_CHARS);
  return wrapped(text, width - INDENT.length).map((one) => `${INDENT}${one}`);
}

const INDENT = '  ';
const MOST_CHARS = 1000;
