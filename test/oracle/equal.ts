import { readInput } from '../../src/join/input.ts';
import { join } from '../../src/join/join.ts';
import { occurrences } from '../../src/recurrence/overlay.ts';
import { momentText } from '../../src/time/instant.ts';
import { loosened } from '../generate/loose.ts';
import { Random } from '../generate/random.ts';
import { type RpdeJson, randomSeries } from '../generate/series.ts';
import { withWholeDays } from '../generate/whole-days.ts';
import { utc } from './days.ts';
import { expandByReading, type Row } from './expand.ts';

/** The program's own way from text to the rows of `expand`: the reader, the join, the overlay. */
export function expandByProgram(text: string, from: string, to: string): Row[] {
  const { records } = readInput(text, { zone: 'Europe/London', feed: 'test' });
  const window = [Date.parse(`${from}T00:00:00Z`), Date.parse(`${to}T00:00:00Z`)] as const;
  const rows = join(records).series.flatMap(({ series, sessions }) =>
    occurrences(series, sessions, ...window).map((one) => ({
      id: one.id ?? null,
      type: one.type,
      start: momentText(one.start, one.allDay),
      end: momentText(one.end, one.allDay),
      url: one.url ?? null,
      name: one.name ?? null,
      status: one.status,
      source: one.source,
    })),
  );
  return rows.sort((a, b) => Date.parse(a.start) - Date.parse(b.start) || compare(a.id ?? '', b.id ?? ''));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export interface Disagreement {
  seed: number;
  from: string;
  to: string;
  /** Rows that only one of the two has, as JSON. */
  program: string[];
  reading: string[];
}

/** All time, a window around a change of summer time, and a short one, all from the seed. */
function windowsOf(random: Random): [from: string, to: string][] {
  const day = Date.UTC(2024, 5, 1) + random.int(0, 1000) * 86_400_000;
  const date = (offset: number) => utc(day + offset * 86_400_000).slice(0, 10);
  const changes = random.pick([
    ['2026-03-01', '2026-04-10'],
    ['2025-09-20', '2025-11-10'],
    ['2027-03-10', '2027-04-12'],
  ]);
  return [['2024-05-01', '2028-09-01'], changes as [string, string], [date(0), date(random.int(1, 40))]];
}

/** Where program and reading differ for the series of this seed, its items in random order. */
export function disagreement(seed: number, loose = false): Disagreement | undefined {
  const random = new Random(seed);
  const made = randomSeries(seed).items;
  const items: RpdeJson[] = random.shuffle(
    loose ? loosened(seed, made) : random.chance(0.3) ? withWholeDays(made) : made,
  );
  const text = JSON.stringify(random.chance(0.5) ? items : { next: 'x', license: 'x', items });
  for (const [from, to] of windowsOf(random)) {
    const program = expandByProgram(text, from, to).map((row) => JSON.stringify(row));
    const reading = expandByReading(items, from, to).map((row) => JSON.stringify(row));
    // Rows of one start without ids have no order of their own.
    if (program.toSorted().join('\n') === reading.toSorted().join('\n')) continue;
    const [ours, theirs] = [new Set(program), new Set(reading)];
    return {
      seed,
      from,
      to,
      program: program.filter((row) => !theirs.has(row)),
      reading: reading.filter((row) => !ours.has(row)),
    };
  }
  return undefined;
}
