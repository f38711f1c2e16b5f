/** `expand`: the occurrences that a text of feeds stands for, one line each. */

import { cleanWithHours } from '../hours/door.ts';
import { type Finding, type Severity, shown } from '../opportunity/findings.ts';
import { readInput } from '../opportunity/input.ts';
import { type Joined, join } from '../opportunity/join.ts';
import type { Instant } from '../opportunity/records.ts';
import {
  compareOccurrences,
  type Occurrence,
  occurrences,
  overlaps,
  sessionOccurrence,
} from '../recurrence/overlay.ts';
import { utcText } from '../recurrence/templates.ts';
import { defineCommand, WINDOW_OPTIONS, windowOf, ZONE_OPTIONS, zoneName } from './args.ts';
import { type ExplainedLine, explainInput, tableLine } from './expand-explain.ts';
import { feedOf, type Io, readSource, UsageError } from './io.ts';
import { joinFindings, waitingFindings } from './join-findings.ts';

const DAY = 86_400_000;

/** As far as the server's horizon reaches by default (semantics 4). */
const DEFAULT_DAYS = 365;

/** Lines given to standard output at once: small enough for a pipe to say "wait", large enough to be quick. */
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
    timezone: ZONE_OPTIONS.timezone,
    'allow-private': { type: 'boolean', help: 'let redirects lead to private addresses' },
  },
  notes: `Without --from it begins today (UTC), without --to it ends ${DEFAULT_DAYS} days after its beginning. An occurrence counts if it overlaps that time.
With --explain: a line per schedule and per occurrence, shown or not, with a sentence, codes ("because"), the item that says so, and the event of the calendar that carries it.`,
  run: async (values, [source = ''], io) => {
    const zone = zoneName('timezone', values.timezone);
    const window = windowFrom(values, io.now());
    const text = await readSource(source, io, { allowPrivate: values['allow-private'] });
    const input = readInput(text, { zone, feed: feedOf(source) }, cleanWithHours);
    const joined = join(input.records);
    const isTable = values.format === 'table';
    let listed = 0;
    if (values.explain) {
      const lines = explainInput(input, joined, { zone, source, ...window });
      listed = await write(lines, isTable ? tableLine : (line: ExplainedLine) => JSON.stringify(line), io);
    } else {
      const found = occurrencesOf(joined, window.from, window.to);
      listed = await write(found, isTable ? tableOf(found) : jsonLine, io);
    }
    const what = values.explain ? 'lines' : 'occurrences';
    const named = () => source;
    const more = [...joinFindings(joined, named, zone), ...waitingFindings(joined, named)];
    io.stderr(summaryOf(input.items, `${what} ${listed}`, [...input.findings, ...more]));
    return 0;
  },
});

function windowFrom(values: { from?: string | undefined; to?: string | undefined }, now: Instant) {
  const given = windowOf(values);
  const from = given.from ?? Math.floor(now / DAY) * DAY;
  const to = given.to ?? from + DEFAULT_DAYS * DAY;
  if (to <= from) throw new UsageError(`--to ${values.to} must be after today, or give --from`);
  return { from, to };
}

/** All series and, since nothing is to be missing from the list, sessions whose series is not in the input. */
function occurrencesOf({ series, orphans }: Joined, from: Instant, to: Instant): Occurrence[] {
  const found = series.flatMap(({ series: one, sessions }) => occurrences(one, sessions, from, to));
  for (const orphan of orphans) {
    if (overlaps(orphan.start, orphan.end ?? orphan.start, from, to)) found.push(sessionOccurrence(orphan));
  }
  return found.sort(compareOccurrences);
}

/** How many lines were written. */
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

function jsonLine({ id = null, type, start, end, url = null, name = null, status, source }: Row): string {
  return JSON.stringify({ id, type, start: utcText(start), end: utcText(end), url, name, status, source });
}

/** An occurrence where what is missing may be null. */
type Row = Omit<Occurrence, 'id' | 'url' | 'name'> & { [K in 'id' | 'url' | 'name']?: string | null };

/** Columns as wide as what is in them, the free texts last and cut. */
function tableOf(found: readonly Occurrence[]): (one: Occurrence) => string {
  const cells = ({ start, end, status, source, name = '', id = '' }: Occurrence) => [
    utcText(start),
    utcText(end),
    status,
    source,
    shown(name, 50),
    shown(id, 120),
  ];
  const widths = [0, 0, 0, 0, 0, 0];
  for (const one of found) {
    for (const [i, cell] of cells(one).entries()) widths[i] = Math.max(widths[i] ?? 0, cell.length);
  }
  return (one) => {
    const padded = cells(one).map((cell, i) => cell.padEnd(widths[i] ?? 0));
    return padded.join('  ').trimEnd();
  };
}

/** For standard error, so that standard output is the occurrences alone. */
function summaryOf(items: number, listed: string, findings: readonly Finding[]): string {
  const counts: Record<Severity, number> = { error: 0, warning: 0, info: 0 };
  for (const { severity } of findings) counts[severity] += 1;
  const { error, warning, info } = counts;
  const hint = findings.length === 0 ? '' : ' (check lists them)';
  return `items ${items}, ${listed}, errors ${error}, warnings ${warning}, infos ${info}${hint}\n`;
}
