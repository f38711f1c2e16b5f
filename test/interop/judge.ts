import { describe, expect, test } from 'vitest';
import { type EventCase, expectedHours, expectedRows, FROM, file, index, type PlaceCase, TO } from './cases.ts';
import { comparable } from './ledger.ts';
import { libicalObjections, type Reader } from './readers.ts';
import { differences, type Row } from './rows.ts';
import { union } from './union.ts';

/** What each judge is asked. A judge that is not installed is a failure in CI, and a skipped test with a reason elsewhere. */

/** Registers the tests of a judge, if it is here. */
export function whenHere(missing: string | undefined, tests: () => void): void {
  if (missing === undefined) tests();
  else if (process.env.CI) {
    test('is installed', () => {
      throw new Error(`not here: ${missing}`);
    });
  } else test.skip(`not here: ${missing}`, () => undefined);
}

/** An engine reads the events of series, and opening hours as events: it sees what `expand` and `hours` say. */
export function judgedBy(reader: Reader): void {
  whenHere(reader.missing(), () => {
    const { events, places } = index();
    describe('series, as expand says', () => {
      test.each(events.map((one) => [one.name, one] as const))('%s', (_, one) => seesEvents(reader, one));
    });
    describe('opening hours as events, as hours says', () => {
      test.each(places.map((one) => [one.name, one] as const))('%s', (_, one) => seesHours(reader, one));
    });
  });
}

function seesEvents(reader: Reader, one: EventCase): void {
  const ours = expectedRows(one);
  expect(ours.length).toBeGreaterThan(20);
  expect(differences(named(ours), named(reader.read(file(one.name, 'ics'), one.from, one.to)))).toEqual([]);
}

function named(rows: readonly Row[]): Row[] {
  return rows.map((row) => ({ ...row, summary: comparable(row.summary) }));
}

function seesHours(reader: Reader, one: PlaceCase): void {
  const rows = reader.read(file(one.name, 'hours.ics'), FROM, TO);
  // All-day events are notices of closure; some readers show them as a day of UTC.
  const open = rows.filter(({ summary }) => !summary.startsWith('Closed'));
  for (const [{ name }, hours] of expectedHours(one)) {
    const own = open.filter(({ summary }) => summary === `Open: ${name}` || summary.startsWith(`Open: ${name} (`));
    expect(union(own, FROM, TO), name).toEqual(hours);
  }
}

/** Neither the parser nor the restrictions of libical object to any calendar of any kind. */
export function restrictionsHold(): void {
  const { events, places } = index();
  const files = [
    ...events.map(({ name }) => file(name, 'ics')),
    ...places.flatMap(({ name }) => ['availability.ics', 'freebusy.ics', 'hours.ics'].map((kind) => file(name, kind))),
  ];
  test.each(files)('%s', (path) => {
    expect(libicalObjections(path)).toEqual([]);
  });
}
