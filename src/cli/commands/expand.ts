/** `expand`: the occurrences of an input, one line each. */

import { zoneOf } from '../../calendar/header.ts';
import { cleanWithHours } from '../../hours/findings.ts';
import { readInput } from '../../join/input.ts';
import { type Joined, join, NO_SERIES } from '../../join/join.ts';
import {
  compareOccurrences,
  isTimed,
  type Occurrence,
  occurrences,
  overlaps,
  sessionOccurrence,
} from '../../recurrence/overlay.ts';
import { type Instant, momentText } from '../../time/instant.ts';
import type { Zone } from '../../time/zone.ts';
import { conceptLabel } from '../../vocabulary/shipped.ts';
import { defineCommand, WINDOW_OPTIONS, windowFrom } from '../args.ts';
import { claimPlaces } from '../check/finding-places.ts';
import { joinFindings, waitingFindings } from '../check/join-findings.ts';
import { repeatedItems } from '../check/repeated-items.ts';
import { inputSummary } from '../check/report.ts';
import { feedOf, type Io, readSourceAs } from '../io.ts';
import { settingOptions, settingsOf } from '../settings.ts';
import { type Column, occurrenceSpan, tableLines, zoneColumn } from '../table.ts';
import { type ExplainedLine, explainedTable, explainInput } from './expand-explain.ts';

/** The default horizon of the server (semantics 4). */
const DEFAULT_DAYS = 365;

/** Lines that are written to standard output at a time, so that a slow pipe is awaited. */
const LINES_AT_ONCE = 500;

export const command = defineCommand({
  name: 'expand',
  summary: 'lists the occurrences of series and sessions',
  positionals: 'FILE|URL|-',
  arity: [1, 1],
  options: {
    ...WINDOW_OPTIONS,
    format: { type: 'string', choices: ['jsonl', 'table'], default: 'jsonl', help: 'how occurrences are written' },
    explain: { type: 'boolean', help: 'say where each comes from, and why others are not shown' },
    ...settingOptions(['defaultTimezone', 'allowPrivate']),
  },
  examples: [
    ['expand classes.json --from 2026-02-01 --format table', 'what is on, in local time'],
    ['expand classes.json --explain --format table', 'where each date comes from, and why others are not shown'],
  ],
  notes: `Without --from it begins today (UTC), without --to it ends ${DEFAULT_DAYS} days after its beginning. An occurrence counts if it overlaps that time.
With --explain: a line per schedule and per occurrence, shown or not, with a sentence, codes ("because"), the item that says so, and the event of the calendar that carries it.`,
  run: async (values, [source = ''], io) => {
    const settings = await settingsOf(values, io);
    const zone = settings.defaultTimezone;
    const window = windowFrom(values, io.now(), DEFAULT_DAYS);
    const read = (text: string) => readInput(text, { zone, feed: feedOf(source), conceptLabel }, cleanWithHours);
    const input = await readSourceAs(source, io, read, { allowPrivate: settings.allowPrivate });
    const joined = join(input.records);
    const isTable = values.format === 'table';
    let listed = 0;
    if (values.explain) {
      const lines = explainInput(input, joined, { zone, source, ...window });
      listed = isTable
        ? await writeExplained(lines, io)
        : await write(lines, (line: ExplainedLine) => JSON.stringify(line), io);
    } else {
      const found = occurrencesOf(joined, window.from, window.to, zone);
      listed = found.length;
      if (isTable) await write(tableOf(found, io.width), (line) => line, io);
      else await write(found, ({ occurrence }) => jsonLine(occurrence), io);
    }
    const what = values.explain ? 'lines' : 'occurrences';
    const placeOf = claimPlaces(input.records, source);
    const more = [
      ...repeatedItems(input.records),
      ...joinFindings(joined, placeOf, zone),
      ...waitingFindings(joined, placeOf),
    ];
    io.stderr(inputSummary(input.items, `${what} ${listed}`, [...input.findings, ...more]));
    return 0;
  },
});

/** An occurrence with the zone in which tables show its times. */
interface ListedOccurrence {
  occurrence: Occurrence;
  zone: Zone;
}

/** The occurrences of all series, and sessions whose series is not in the input: the list must miss none. */
function occurrencesOf({ series, orphans }: Joined, from: Instant, to: Instant, home: string): ListedOccurrence[] {
  const found = series.flatMap(({ series: one, sessions }) => {
    const zone = zoneOf(one, home);
    return occurrences(one, sessions, from, to).map((occurrence): ListedOccurrence => ({ occurrence, zone }));
  });
  const zone = zoneOf(NO_SERIES, home);
  for (const orphan of orphans.filter(isTimed)) {
    const isInside = overlaps(orphan.start, orphan.end ?? orphan.start, from, to);
    if (isInside) found.push({ occurrence: sessionOccurrence(orphan), zone });
  }
  return found.sort((a, b) => compareOccurrences(a.occurrence, b.occurrence));
}

/** Writes lines. Returns how many. */
async function write<T>(found: Iterable<T>, line: (one: T) => string, io: Io): Promise<number> {
  let [text, count] = ['', 0];
  for (const one of found) {
    text += `${line(one)}\n`;
    count += 1;
    if (count % LINES_AT_ONCE > 0) continue;
    await io.stdout(text);
    text = '';
  }
  await io.stdout(text);
  return count;
}

function jsonLine({ id = null, type, start, end, allDay, url = null, name = null, status, source }: TableRow): string {
  const times = { start: momentText(start, allDay), end: momentText(end, allDay) };
  return JSON.stringify({ id, type, ...times, url, name, status, source });
}

/** An occurrence whose missing properties may be null. */
type TableRow = Omit<Occurrence, 'id' | 'url' | 'name'> & { [K in 'id' | 'url' | 'name']?: string | null };

function tableOf(found: readonly ListedOccurrence[], width: number | undefined): string[] {
  const zones = new Set(found.map(({ zone }) => zone.id));
  const { start, column } = zoneColumn(zones);
  const columns: Column[] = [
    { title: start },
    { title: 'END' },
    ...column,
    { title: 'STATUS' },
    { title: 'SOURCE' },
    { title: 'NAME', most: 50, least: 12 },
    { title: 'ID', most: 120, least: 0 },
  ];
  const rows = found.map(({ occurrence, zone }) => {
    const { name = '', id = '', status, source } = occurrence;
    const times = occurrenceSpan(zone, occurrence);
    return [...times, ...(column.length > 0 ? [zone.id] : []), statusWord(status), source, name, id];
  });
  return tableLines(columns, rows, width);
}

/** The word for a status: `cancelled` for `EventCancelled`. */
const statusWord = (status: string): string => status.replace(/^Event/, '').toLowerCase();

/** Writes the tables. Returns the number of lines explained. */
async function writeExplained(lines: Iterable<ExplainedLine>, io: Io): Promise<number> {
  const all = [...lines];
  await write(explainedTable(all, io.width), (line) => line, io);
  return all.length;
}
