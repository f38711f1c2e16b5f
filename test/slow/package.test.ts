import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import Holidays from 'date-holidays';
import { chromium } from 'playwright-core';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageFolder } from '../../src/cli/package.ts';
import { isInstalled } from '../interop/readers.ts';

/** The package as others get it: packed, installed into an empty folder, and bundled for a browser. */

const folder = mkdtempSync(join(tmpdir(), 'openactive-ical-package-'));
const installed = join(folder, 'node_modules', 'openactive-ical');
const here = isInstalled('chromium');

async function run(command: string, ...args: string[]): Promise<string> {
  const PATH = `${dirname(process.execPath)}:${process.env.PATH}`;
  return (await promisify(execFile)(command, args, { cwd: folder, env: { ...process.env, PATH } })).stdout;
}

/** Converts pages to every kind of calendar: what runs here in Node, and there in a browser. */
const CONVERT = `
import * as library from 'openactive-ical';

const zone = 'Europe/London';
const revision = { sequence: 0, modified: Date.UTC(2026, 0, 1) };
const bounds = () => library.boundsAround('2026-03-01');

export function convert(text) {
  const { records } = library.readInput(text, { zone, feed: 'pages.json' });
  const calendars = library.join(records).series.map(({ series, sessions }) => {
    const { events } = library.planSeries(series, sessions, { zone });
    return library.toComponents(library.seriesCalendar(series, events, { zone }), () => revision);
  });
  const places = records.map(({ record }) => record).filter(({ kind }) => kind === 'place');
  const venues = places.map((place) => library.placeVenue(place, { zone: library.zone(zone) }));
  const hours = library.openingCalendar(venues, bounds, { zone });
  calendars.push(library.toComponents(hours, () => revision));
  calendars.push(library.availabilityCalendar(venues, bounds, revision, { zone }));
  return calendars.map(library.write).join('');
}
`;

const USE = `
import { type Finding, join, type OpenPeriod, readInput } from 'openactive-ical';

const { records, findings } = readInput('{}', { zone: 'Europe/London', feed: 'a' });
const codes: Finding['code'][] = findings.map(({ code }) => code);
const starts: number[] = ([] as OpenPeriod[]).map(({ start }) => start);
const names: (string | undefined)[] = join(records).series.map(({ series }) => series.details.name);
console.log(codes, starts, names);
`;

/** The sample feeds, all pages in one text. */
function pages(): string {
  const feeds = join(packageFolder, 'fixtures', 'feeds');
  const names = readdirSync(feeds, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'));
  return `[${names.sort().map((name) => readFileSync(join(feeds, name), 'utf8'))}]`;
}

beforeAll(async () => {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  writeFileSync(join(folder, 'convert.js'), CONVERT);
  // What `npm run build` made is packed, not made again: other tests run it meanwhile.
  const packed = await run('npm', 'pack', packageFolder, '--ignore-scripts', '--silent');
  await run('npm', 'install', `./${packed.trim()}`, '--no-audit', '--no-fund');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('it takes less than 40 MB where it is installed, as `du` counts: folders too, in blocks of 4 KB', () => {
  const files = readdirSync(join(folder, 'node_modules'), { recursive: true, withFileTypes: true });
  const sizes = files.map((file) => statSync(join(file.parentPath, file.name)).size);
  const megabytes = sizes.reduce((sum, size) => sum + Math.ceil(size / 4096), 0) / 256;
  expect(megabytes).toBeLessThan(40);
  // A folder that is nearly empty would prove nothing.
  expect(megabytes).toBeGreaterThan(20);
});

test('its holidays are those of the whole of date-holidays, far outside 1970 to 2030 too', () => {
  const Packed = createRequire(import.meta.url)(join(installed, 'dist/date-holidays.cjs')) as typeof Holidays;
  const whole = new Holidays();
  const differing: string[] = [];
  for (const country of Object.keys(whole.getCountries())) {
    for (const region of ['', ...Object.keys(whole.getStates(country) ?? {})]) {
      const [all, packed] = [Holidays, Packed].map((Library) => new Library(country, region, { languages: 'en' }));
      for (const year of [1950, 2026, 2045])
        if (daysOf(all, year) !== daysOf(packed, year)) differing.push(`${country} ${region} ${year}`);
    }
  }
  expect(differing).toEqual([]);
});

function daysOf(library: Holidays | undefined, year: number): string {
  const days = library?.getHolidays(year) ?? [];
  return days.map(({ date, name, start, end }) => [date.slice(0, 19), name, dayCount(start, end)].join(' ')).join('\n');
}

const dayCount = (start: Date, end: Date): number => Math.round((end.getTime() - start.getTime()) / 86_400_000);

test('its types are whole: a program that uses it passes the compiler', async () => {
  writeFileSync(join(folder, 'use.ts'), USE);
  const options = ['--noEmit', '--strict', '--target', 'es2024', '--module', 'nodenext', '--types', ''];
  await run(process.execPath, join(packageFolder, 'node_modules/typescript/bin/tsc'), ...options, 'use.ts');
});

test('it brings no Node, and nothing that only the adapter for ical-generator needs', () => {
  const names = readdirSync(join(folder, 'node_modules'));
  expect(names.filter((name) => /^(?:node(?:-.*)?|luxon|ical-generator|rrule)$/.test(name))).toEqual([]);
});

test('its command runs', async () => {
  const { version } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as { version: string };
  expect(await run(join(folder, 'node_modules', '.bin', 'openactive-ical'), '--version')).toBe(`${version}\n`);
});

describe('in a bundle for browsers', () => {
  test('nothing of Node is left', async () => {
    const [{ imports }] = await bundled();
    expect(imports).toEqual([]);
  });

  test.runIf(here || process.env.CI)('the sample feeds become the same octets in Chromium as in Node', async () => {
    const { convert } = (await import(/* @vite-ignore */ pathToFileURL(join(folder, 'convert.js')).href)) as {
      convert: (text: string) => string;
    };
    const expected = convert(pages());
    expect(expected.match(/^BEGIN:VCALENDAR/gm)?.length).toBeGreaterThan(10);
    // Public holidays are asked for.
    expect(expected).toContain('New Year');
    const [{ code }] = await bundled();
    const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
    try {
      const page = await browser.newPage();
      await page.addScriptTag({ content: code });
      const calendars = await page.evaluate(`bundle.convert(${JSON.stringify(pages())})`);
      expect(calendars).toBe(expected);
    } finally {
      await browser.close();
    }
  });
});

async function bundled() {
  const bundle = await rolldown({ input: join(folder, 'convert.js'), platform: 'browser' });
  const { output } = await bundle.generate({ format: 'iife', name: 'bundle' });
  await bundle.close();
  return output;
}
