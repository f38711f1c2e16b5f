/**
 * What other people's calendar programs see of random series, against what `expand` says. Run by hand:
 *
 *   node test/calendar/agree.manual.ts JUDGES [SEED [SERIES [ROUNDS [WITHDRAWN]]]]
 *
 * JUDGES is a folder of programs `occurrences-NAME FILE.ics FROM TO` that print JSON lines {start, end, summary, status}.
 * WITHDRAWN: a date on which all series were taken away: what starts from then on is cancelled.
 * Exit code 1 when one of them differs in a row.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toComponents } from '../../src/calendar/components.ts';
import type { CalendarEvent } from '../../src/calendar/objects.ts';
import { planSeries } from '../../src/calendar/series/plan.ts';
import { write } from '../../src/ical/write.ts';
import type { EventStatus } from '../../src/opportunity/records.ts';
import { occurrences } from '../../src/recurrence/overlay.ts';
import { utcText } from '../../src/time/instant.ts';
import { Random } from '../generate/random.ts';
import { type Made, madeSeries } from './made.ts';

const FROM = Date.UTC(2025, 0, 1);
const TO = Date.UTC(2027, 6, 1);
/** STATUS, and how the summary says it (semantics 4.5). */
const STATUS: Record<EventStatus, readonly [status: string, prefix: string]> = {
  EventScheduled: ['CONFIRMED', ''],
  EventRescheduled: ['CONFIRMED', ''],
  EventCancelled: ['CANCELLED', 'Cancelled: '],
  EventPostponed: ['TENTATIVE', 'Postponed: '],
};

const [folder = '', seed = '1', size = '200', rounds = '1', day] = process.argv.slice(2);
const withdrawn = day === undefined ? Number.POSITIVE_INFINITY : Date.parse(day);
const judges = readdirSync(folder).filter((name) => name.startsWith('occurrences-'));
const work = mkdtempSync(join(tmpdir(), 'agree-'));
let wrong = 0;
let rows = 0;

for (let round = 0; round < Number(rounds); round++) {
  const first = (Number(seed) + round) * 100_000;
  const made = Array.from({ length: Number(size) }, (_, i) => madeSeries(new Random(first + i), `s${first + i}`));
  const expected = count(made.flatMap(rowsOf));
  rows += [...expected.values()].reduce((sum, n) => sum + n, 0);
  const file = join(work, `${round}.ics`);
  const events = made.flatMap(
    ({ series, sessions }) => planSeries(series, sessions, { zone: 'Europe/London', withdrawn }).events,
  );
  writeFileSync(file, write(toComponents(calendar(events), () => ({ sequence: 0, modified: 0 }))));
  console.log(`round ${round}: ${made.length} series, ${events.length} events, ${expected.size} rows, ${file}`);
  for (const judge of judges) wrong += compare(judge, expected, seen(judge, file));
}
console.log(`${rows} occurrences, ${wrong} differences`);
process.exitCode = wrong === 0 ? 0 : 1;

function calendar(events: CalendarEvent[]) {
  return { name: 'agree', zone: 'Europe/London', color: { name: 'teal', hex: '#008080' }, refresh: 'PT6H', events };
}

function rowsOf({ series, sessions }: Made): string[] {
  return occurrences(series, sessions, FROM, TO).map(({ start, end, name, status }) => {
    const [shown, prefix] = STATUS[start >= withdrawn ? 'EventCancelled' : status];
    return [utcText(start), utcText(end), prefix + name, shown].join(' ');
  });
}

function seen(judge: string, file: string): Map<string, number> {
  const text = execFileSync(join(folder, judge), [file, utcText(FROM), utcText(TO)], {
    maxBuffer: 1 << 28,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const found = text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
  return count(found.map(({ start, end, summary, status }) => [start, end, summary, status].join(' ')));
}

function count(list: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const one of list) counts.set(one, (counts.get(one) ?? 0) + 1);
  return counts;
}

function compare(judge: string, expected: Map<string, number>, found: Map<string, number>): number {
  const keys = [...new Set([...expected.keys(), ...found.keys()])].sort();
  const different = keys.filter((key) => expected.get(key) !== found.get(key));
  console.log(`  ${judge.slice(12)}: ${different.length === 0 ? 'agrees' : `${different.length} rows differ`}`);
  for (const key of different.slice(0, 12))
    console.log(`    ${key}: ours ${expected.get(key) ?? 0}, theirs ${found.get(key) ?? 0}`);
  return different.length;
}
