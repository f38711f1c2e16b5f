import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ICAL from 'ical.js';
import { afterAll, describe, expect, test } from 'vitest';
import { vtimezone } from '../../../src/ical/timezone.ts';
import { write } from '../../../src/ical/write.ts';
import type { PublishFinding } from '../../../src/publish/codes.ts';
import { publishCalendars } from '../../../src/publish/publish-calendars.ts';
import { zone } from '../../../src/time/zone.ts';
import { cli } from '../../cli/io.ts';
import { MAPPING, NOW, objectsOf } from '../../publish/published.ts';
import { whenHere } from '../judge.ts';
import { comparable, MISREAD_CALENDARS } from '../ledger.ts';
import { READERS, type Reader } from '../readers.ts';
import { differences, type Row } from '../rows.ts';

/**
 * Other people's calendars become feeds, and the feeds become calendars by `convert`: an engine sees in these what it sees in
 * the original. What is left out on the way is what findings name, one for each event or date.
 */

const root = fileURLToPath(new URL('../../../', import.meta.url));
/** Beside the checkout. */
const CASES = '../shared/cases/publish';
const files = globSync(['fixtures/**/*.ics', `${CASES}/**/*.ics`], { cwd: root }).sort();
/** Rules that no Schedule can say are written out until two years after NOW. */
const [FROM, TO] = ['2026-01-01', '2028-01-01'];

const folder = mkdtempSync(join(tmpdir(), 'openactive-ical-back-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Of each such event nothing is published. */
const LEFT_OUT = new Set([
  'calendar-of-program',
  'event-all-day',
  'event-called-private',
  'event-closed',
  'event-left-out',
  'event-private',
  'event-without-start',
]);

interface RoundTrip {
  findings: PublishFinding[];
  series: number;
  /** What is published of the calendar, as a file for engines, and what comes back. */
  original: string;
  back: string;
}

const made = new Map<string, Promise<RoundTrip>>();

function roundTrip(file: string): Promise<RoundTrip> {
  const known = made.get(file) ?? newRoundTrip(file);
  made.set(file, known);
  return known;
}

async function newRoundTrip(file: string): Promise<RoundTrip> {
  const text = readFileSync(join(root, file), 'utf8');
  const { published, findings } = publishCalendars([{ source: 'club.ics', text }], MAPPING, [], NOW);
  const name = join(folder, file.replaceAll(/[^\w]+/g, '-'));
  writeFileSync(`${name}.json`, JSON.stringify(objectsOf(published)));
  const { code, out } = await cli(['convert', `${name}.json`, '--as', 'events']);
  expect(code).toBe(0);
  writeFileSync(`${name}.original.ics`, publishedPart(withZones(text), findings));
  writeFileSync(`${name}.back.ics`, out);
  const series = published['session-series'].length;
  return { findings, series, original: `${name}.original.ics`, back: `${name}.back.ics` };
}

function publishedPart(text: string, findings: readonly PublishFinding[]): string {
  const uidsOf = (is: (code: string) => boolean) =>
    new Set(findings.filter(({ code }) => is(code)).map((one) => one.item));
  const [left, alone] = [uidsOf((code) => LEFT_OUT.has(code)), uidsOf((code) => code === 'rule-too-much')];
  return text.replaceAll(/BEGIN:VEVENT[\s\S]*?END:VEVENT\r?\n/g, (event) => {
    const uid = /^UID:(.*?)\r?$/m.exec(event)?.[1] ?? 'none';
    if (left.has(uid)) return '';
    return alone.has(uid) ? event.replace(/^RRULE:.*\r?\n/m, '') : event;
  });
}

/** With the definition of each zone that is only named: ical.js knows no others. */
function withZones(text: string): string {
  const named = new Set(text.matchAll(/;TZID="?([\w/+-]+)/g).map(([, name = '']) => name));
  const zones = [...named].flatMap((name) => (text.includes(`TZID:${name}`) ? [] : (zone(name) ?? [])));
  const written = zones.map((one) => write(vtimezone(one, Date.parse(FROM), Date.parse(TO))));
  return text.replace('BEGIN:VEVENT', () => `${written.join('')}BEGIN:VEVENT`);
}

/** `convert` puts before a title what has become of an event. */
function rowsOf(reader: Reader, file: string): Row[] {
  return reader.read(file, FROM, TO).map((row) => ({
    ...row,
    summary: comparable(row.summary).replace(/^(?:Cancelled|Postponed): /, ''),
    status: row.status || 'CONFIRMED',
  }));
}

test.skipIf(!existsSync(join(root, CASES)))('the cases beside the checkout are among the calendars', () => {
  expect(files.filter((file) => file.startsWith(CASES)).length).toBeGreaterThan(5);
});

describe.each(READERS)('$name', (reader) => {
  whenHere(reader.missing(), () => {
    test.each(files)('%s', async (file) => {
      const { original, back, findings } = await roundTrip(file);
      const excepted = findings.filter(({ code }) => code === 'earlier-date-excepted').length;
      const found = differences(rowsOf(reader, back), rowsOf(reader, original));
      const misread = MISREAD_CALENDARS[basename(file)]?.[reader.name];
      if (misread !== undefined) expect(found, misread).not.toEqual([]);
      else expect(found).toEqual(Array.from({ length: excepted }, () => expect.stringMatching(/^ours 0, theirs 1:/)));
    });
  });
});

describe('each event is published, or a finding says why not', () => {
  test.each(files)('%s', async (file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const { findings, series } = await roundTrip(file);
    const left = findings.filter(({ code }) => LEFT_OUT.has(code)).length;
    // What this program wrote becomes the series that it was.
    if (text.includes('X-OPENACTIVE-SERIES')) expect([left, series > 0]).toEqual([0, true]);
    else {
      const events = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent');
      expect(series + left).toBe(events.filter((one) => one.getFirstProperty('recurrence-id') === null).length);
    }
  });
});
