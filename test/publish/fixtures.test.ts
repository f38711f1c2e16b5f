import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parseMapping } from '../../src/publish/map/mapping.ts';
import { publishCalendars } from '../../src/publish/publish-calendars.ts';
import { readWithIcalJs } from '../calendar/read.ts';
import { checked, failures } from './feed/judges.ts';
import { NOW, objectsOf, rowsOf } from './published.ts';

/**
 * Calendars as Google, Outlook, Apple, Thunderbird and booking systems export them: every `name.ics` of the folder gives
 * `name.json`. UPDATE_FIXTURES=1 writes what comes out; look at the difference before it is committed.
 */
const folder = fileURLToPath(new URL('../../fixtures/calendars/', import.meta.url));
const names = readdirSync(folder).filter((name) => name.endsWith('.ics'));
const mapping = parseMapping(readFileSync(join(folder, 'mapping.json'), 'utf8'), 'mapping.json');
const [FROM, TO] = [Date.UTC(2026, 0, 1), Date.UTC(2028, 0, 1)];

function publishFile(name: string) {
  const text = readFileSync(join(folder, name), 'utf8');
  return publishCalendars([{ source: name, text }], mapping, [], NOW);
}

/** Dates are times of no zone to ical.js. */
const timed = (name: string) =>
  readFileSync(join(folder, name), 'utf8').replaceAll(
    /BEGIN:VEVENT(?:(?!END:VEVENT)[\s\S])*DTSTART;VALUE=DATE[\s\S]*?END:VEVENT\r?\n/g,
    '',
  );

describe('calendars of other programs', () => {
  test.each(names)('%s gives its objects', (name) => {
    const { published, findings } = publishFile(name);
    const out = `${JSON.stringify({ ...published, findings: findings.map(({ code, path }) => `${code} ${path}`.trim()) }, null, 2)}\n`;
    const file = join(folder, name.replace(/ics$/, 'json'));
    if (process.env.UPDATE_FIXTURES === '1') writeFileSync(file, out);
    expect(out).toBe(readFileSync(file, 'utf8'));
  });

  test('are free of errors with the shipped mapping, by the validator of OpenActive and by check', async () => {
    for (const name of names) {
      const { published, findings } = publishFile(name);
      expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
      for (const data of objectsOf(published)) {
        expect(await failures(data), JSON.stringify(data)).toEqual([]);
        expect(checked(data).filter(({ severity }) => severity === 'error')).toEqual([]);
      }
    }
  });

  const sessions = names.filter((name) => !name.includes('hours') && !name.includes('booking'));
  test.each(sessions)('%s shows the occurrences that ical.js finds in it', (name) => {
    const text = timed(name).replaceAll('\r\n', '\n').replaceAll('\n', '\r\n');
    const { published } = publishCalendars([{ source: name, text }], mapping, [], NOW);
    const stated = (row: string) => row.replace(' null ', ' CONFIRMED ');
    // What is private is not published.
    const rows = readWithIcalJs(text, FROM, TO)
      .map(stated)
      .filter((row) => !row.endsWith('Dentist'));
    expect(rowsOf(published, FROM, TO)).toEqual(rows.sort());
  });
});
