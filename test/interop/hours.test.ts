import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { HOURS_AS } from '../../src/cli/convert-hours.ts';
import { venuesOf } from '../../src/cli/venues.ts';
import { openPeriods } from '../../src/hours/periods.ts';
import { write } from '../../src/ical/write.ts';
import { readInput } from '../../src/opportunity/input.ts';
import { type Zone, zone } from '../../src/recurrence/zone.ts';
import { Random } from '../generate/random.ts';
import { randomVenueJson } from '../hours/random-place.ts';
import { libicalObjections, READERS, type Reader } from './readers.ts';

/**
 * Opening hours of random places as other people's programs read them: the plain events by every calendar engine, the
 * VAVAILABILITY by two readings that differ in how they step through rules. All see what `hours` says.
 */

const PLACES = Number(process.env.OPENACTIVE_ICAL_RUNS ?? 12);
const [FROM, TO] = ['2026-01-01', '2028-01-01'];
const [START, END] = [Date.parse(FROM), Date.parse(TO)];
const folder = mkdtempSync(join(tmpdir(), 'openactive-ical-hours-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const defaults = { zone: zone('Europe/London') as Zone, holidays: { country: 'GB', region: 'ENG' } };
const options = { ...defaults, from: START, to: END, now: START, revision: { sequence: 0, modified: START } };

interface Case {
  expected: string[];
  files: Record<'availability' | 'hours', string>;
}

/** Places and facilities that have any hours. */
const cases = Array.from({ length: 2 * PLACES }, (_, n) => caseOf(n))
  .filter((one) => one !== undefined)
  .slice(0, PLACES);

function caseOf(n: number): Case | undefined {
  const { json } = randomVenueJson(new Random(n + 1000), n);
  const input = readInput(JSON.stringify(json), { zone: defaults.zone.id, feed: '-' });
  const venue = venuesOf(input, defaults).venues[0];
  if (venue === undefined || venue.hours.standard.length + venue.hours.special.length === 0) return undefined;
  const files = { availability: join(folder, `${n}-availability.ics`), hours: join(folder, `${n}-hours.ics`) };
  writeFileSync(files.availability, write(HOURS_AS.availability(input, options)));
  writeFileSync(files.hours, write(HOURS_AS.hours(input, options)));
  const periods = openPeriods(venue.hours, venue.context, START, END);
  return {
    expected: periods.map(({ start, end }) => line(start, end)),
    files,
  };
}

function line(start: number, end: number): string {
  return `${utc(start)} ${utc(end)}`;
}
function utc(at: number): string {
  return new Date(at).toISOString().replace('.000Z', 'Z');
}

/** The time that rows cover within the window. */
function union(rows: readonly { start: string; end: string }[]): string[] {
  const merged: [number, number][] = [];
  const periods = rows.map(
    ({ start, end }) => [Math.max(Date.parse(start), START), Math.min(Date.parse(end), END)] as const,
  );
  for (const [start, end] of periods.toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (start >= end) continue;
    if (last === undefined || start > last[1]) merged.push([start, end]);
    else last[1] = Math.max(last[1], end);
  }
  return merged.map(([start, end]) => line(start, end));
}

function isMissing(what: string | undefined): boolean {
  if (what === undefined) return false;
  if (process.env.CI) throw new Error(`not here: ${what}`);
  console.warn(`left out, for it is not here: ${what}`);
  return true;
}

test('there is enough to see', () => {
  expect(cases).toHaveLength(PLACES);
  expect(cases.reduce((sum, { expected }) => sum + expected.length, 0)).toBeGreaterThan(PLACES * 100);
});

describe('plain events', () => {
  test.each(READERS.map((reader) => [reader.name, reader] as const))('%s sees what hours says', (_, reader) => {
    if (isMissing(reader.missing())) return;
    for (const { expected, files } of cases) {
      // All-day events are notices of closure; some readers show them as a day of UTC.
      const timed = reader.read(files.hours, FROM, TO).filter(({ summary }) => !summary.startsWith('Closed'));
      expect(union(timed), files.hours).toEqual(expected);
    }
  });
});

describe('VAVAILABILITY', () => {
  const here = fileURLToPath(new URL('./readers/', import.meta.url));
  const sabre = '/usr/share/php/Sabre/VObject/includes.php';

  test.each([
    ['dateutil', '/usr/bin/python3', 'availability.py', ['-c', 'import icalendar, dateutil']],
    ['PHP, stepping from day to day', 'php', 'availability.php', ['-r', `require '${sabre}';`]],
  ])('read by %s is what hours says', (name, program, script, probe) => {
    if (isMissing(runs(program, probe) ? undefined : name)) return;
    for (const { expected, files } of cases) {
      const said = execFileSync(program, [join(here, script), files.availability, FROM, TO], { encoding: 'utf8' });
      expect(said.split('\n').slice(0, -1), files.availability).toEqual(expected);
    }
  });

  test('libical objects to nothing', () => {
    if (isMissing((READERS.find(({ name }) => name === 'libical') as Reader).missing())) return;
    for (const { files } of cases) {
      for (const file of Object.values(files)) expect(libicalObjections(file)).toEqual([]);
    }
  });
});

function runs(program: string, args: string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
