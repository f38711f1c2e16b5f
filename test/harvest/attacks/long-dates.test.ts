import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { retryAfter } from '../../../src/fetch/freshness.ts';
import type { RawFinding } from '../../../src/opportunity/findings.ts';
import { parsePage } from '../../../src/opportunity/page/page.ts';
import { FEED, type Rig, rig } from '../rig.ts';
import { NOW } from './rig.ts';

/**
 * Texts that a date, a time, a duration or a zone is read from, long and nearly right: patterns that go back over them
 * take years (luxon CVE-2023-22467). Nothing is timed here: one that goes back would not come to the end of this test.
 */
const LONG = 210_000;
const TEXTS: [string, string][] = [
  ['digits', '1'.repeat(LONG)],
  ['zeros in a fraction', `2026-12-01T18:00:00.${'0'.repeat(LONG)}`],
  ['blanks before', `${' '.repeat(LONG)}2026-12-01`],
  ['blanks after', `18:00${' '.repeat(LONG)}x`],
  ['parts of a duration', `P${'1Y'.repeat(LONG / 2)}`],
  ['digits of a duration', `PT${'9'.repeat(LONG)}H!`],
  ['dashes', `2026${'-12'.repeat(LONG / 3)}`],
  ['colons', `${'18:'.repeat(LONG / 3)}`],
  ['offsets', `2026-12-01T18:00${'+01:00'.repeat(LONG / 6)}`],
  ['letters of a weekday', `${'Mon'.repeat(LONG / 3)}`],
  ['commas', `${'MO,'.repeat(LONG / 3)}`],
  ['parts of a zone', `${'Europe/'.repeat(LONG / 7)}London`],
  ['a day in words', `Tue, ${'0'.repeat(LONG)} Dec 2026 18:00:00 GMT`],
  ['comments of RFC 2822', `Tue, 1 Dec 2026 18:00:00 ${'('.repeat(LONG)}`],
  ['slashes', 'a/'.repeat(LONG / 2)],
  ['braces', `{startDate}${'{'.repeat(LONG)}`],
];
const FIELDS = [
  'startDate',
  'endDate',
  'startTime',
  'endTime',
  'duration',
  'repeatFrequency',
  'scheduleTimezone',
  'idTemplate',
  'exceptDate',
  'byDay',
];

describe('long texts', () => {
  let one: Rig;
  beforeEach(async () => {
    one = await rig();
  });
  afterEach(() => one.close());

  test.each(TEXTS)('%s, in every field of a schedule, a session and opening hours', async (_name, text) => {
    const schedule = {
      '@type': 'Schedule',
      startDate: '2026-12-01',
      startTime: '18:00',
      duration: 'PT1H',
      repeatFrequency: 'P1W',
      byDay: ['https://schema.org/Tuesday'],
      scheduleTimezone: 'Europe/London',
    };
    const items = FIELDS.map((field, id) => ({
      state: 'updated',
      kind: 'k',
      id,
      modified: 1,
      data: {
        '@type': 'SessionSeries',
        '@id': `https://a.example/${id}`,
        name: 'Yoga',
        eventSchedule: [{ ...schedule, [field]: field === 'byDay' || field === 'exceptDate' ? [text] : text }],
      },
    }));
    const session = {
      '@type': 'ScheduledSession',
      '@id': 'https://a.example/s',
      superEvent: 'https://a.example/0',
      startDate: text,
      endDate: text,
      duration: text,
    };
    const hours = {
      '@type': 'OpeningHoursSpecification',
      dayOfWeek: [text],
      opens: text,
      closes: text,
      validFrom: text,
      validThrough: text,
    };
    const place = {
      '@type': 'Place',
      '@id': 'https://a.example/p',
      name: 'Hall',
      openingHoursSpecification: [hours],
      specialOpeningHoursSpecification: [hours],
    };
    for (const data of [session, place])
      items.push({ state: 'updated', kind: data['@type'], id: items.length, modified: 1, data: data as never });
    const handle = await one.ingest.open(FEED, {});
    await one.ingest.commit(handle, parsePage(JSON.stringify({ next: FEED, license: 'x', items })), FEED);
    const found = await one.store.read.itemFindings(handle.id, 0, 100);
    expect(found.length).toBeGreaterThan(items.length / 2);
    for (const { findings } of found) {
      for (const finding of JSON.parse(findings) as RawFinding[])
        expect(JSON.stringify(finding).length).toBeLessThan(2000);
    }
  });

  test('as modified, kind and id', async () => {
    const [, digits] = TEXTS[0] as [string, string];
    const items = [
      `{"state":"updated","kind":"k","id":${digits},"modified":1,"data":{}}`,
      `{"state":"updated","kind":"k","id":1,"modified":${digits},"data":{}}`,
      `{"state":"updated","kind":"${digits}","id":1,"modified":1,"data":{}}`,
    ];
    const page = parsePage(`{"next":"${FEED}","license":"x","items":[${items.join()}]}`);
    const handle = await one.ingest.open(FEED, {});
    await one.ingest.commit(handle, page, FEED);
    expect(
      (await one.store.read.pageFindings(handle.id)).length +
        (await one.store.read.itemFindings(handle.id, 0, 10)).length,
    ).toBeGreaterThan(0);
  });
});

test('in the headers of an answer', () => {
  for (const [name, text] of TEXTS) expect(retryAfter(text, NOW), name).toBeUndefined();
});
