import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { command } from '../../../src/cli/commands/expand.ts';
import { UsageError } from '../../../src/cli/io.ts';
import { ConfigError } from '../../../src/errors.ts';
import { randomFeed, randomSeries, randomWindow } from '../../generate/series.ts';
import { expandByReading } from '../../oracle/expand.ts';
import { runs } from '../../runs.ts';
import { samplesDir } from '../../samples.ts';
import { testIo } from '../io.ts';

const NOW = Date.parse('2018-03-10T15:00:00Z');

/** Runs `expand` on standard input, some bytes at a time. */
async function expand(input: unknown, ...args: string[]) {
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  const io = testIo({ stdin: [text.slice(0, 100), text.slice(100)], now: () => NOW });
  const code = await command.run(['-', ...args], io);
  return { code, out: io.out(), err: io.err(), lines: io.out().split('\n').slice(0, -1) };
}

async function rows(input: unknown, ...args: string[]): Promise<Record<string, string | null>[]> {
  const { lines } = await expand(input, ...args);
  return lines.map((line) => JSON.parse(line) as Record<string, string | null>);
}

const base = 'session-series/1402CBP20150217';
/** The documentation's overlay: five Thursdays of March 2018, the third replaced, the fourth booked. */
const thursdays = {
  '@context': 'https://openactive.io/',
  '@type': 'SessionSeries',
  '@id': `https://example.com/api/${base}`,
  name: 'Football & friends ⚽',
  eventSchedule: [
    {
      '@type': 'Schedule',
      repeatFrequency: 'P1W',
      startDate: '2018-03-01',
      endDate: '2018-03-29',
      startTime: '08:30',
      endTime: '09:30',
      byDay: ['https://schema.org/Thursday'],
      duration: 'PT1H',
      exceptDate: ['2018-03-15T08:30:00Z'],
      scheduleTimezone: 'Europe/London',
      scheduledEventType: 'ScheduledSession',
      idTemplate: `https://api.example.org/${base}/{startDate}`,
      urlTemplate: `https://example.org/${base}/{startDate}`,
    },
  ],
};
function explicit(start: string, end: string, more: object = {}) {
  const data = {
    '@context': 'https://openactive.io/',
    '@type': 'ScheduledSession',
    '@id': `https://api.example.org/${base}/${start}`,
    superEvent: thursdays['@id'],
    startDate: start,
    endDate: end,
    eventStatus: 'https://schema.org/EventScheduled',
    ...more,
  };
  return { state: 'updated', kind: 'ScheduledSession', id: `C5EE-${start}`, modified: 1521565719, data };
}
const replaced = explicit('2018-03-15T10:30:00Z', '2018-03-15T11:30:00Z', { url: `https://example.org/${base}/15` });
const booked = explicit('2018-03-22T08:30:00Z', '2018-03-22T09:30:00Z', { remainingAttendeeCapacity: 3 });
const march = ['--from', '2018-03-01', '--to', '2018-04-01'];

describe('a line of an occurrence', () => {
  test('has these keys, in this order, with null for what is missing', async () => {
    const { lines, code } = await expand([thursdays, replaced, booked], ...march);
    expect(code).toBe(0);
    const times = [
      ['2018-03-01T08:30:00Z', '2018-03-01T09:30:00Z', 'generated', `https://example.org/${base}/2018-03-01T08:30:00Z`],
      ['2018-03-08T08:30:00Z', '2018-03-08T09:30:00Z', 'generated', `https://example.org/${base}/2018-03-08T08:30:00Z`],
      ['2018-03-15T10:30:00Z', '2018-03-15T11:30:00Z', 'explicit', `https://example.org/${base}/15`],
      ['2018-03-22T08:30:00Z', '2018-03-22T09:30:00Z', 'explicit', null],
      ['2018-03-29T07:30:00Z', '2018-03-29T08:30:00Z', 'generated', `https://example.org/${base}/2018-03-29T07:30:00Z`],
    ] as const;
    expect(lines).toEqual(
      times.map(([start, end, source, url]) =>
        JSON.stringify({
          id: `https://api.example.org/${base}/${start}`,
          type: 'ScheduledSession',
          start,
          end,
          url,
          name: 'Football & friends ⚽',
          status: 'EventScheduled',
          source,
        }),
      ),
    );
  });

  test('as a table', async () => {
    const { out } = await expand(
      [thursdays, booked],
      '--from',
      '2018-03-20',
      '--to',
      '2018-04-01',
      '--format',
      'table',
    );
    expect(out).toBe(
      [
        'START (Europe/London)  END    STATUS     SOURCE     NAME                  ID\n',
        `Thu 22 Mar 2018 08:30  09:30  scheduled  explicit   Football & friends ⚽  https://api.example.org/${base}/2018-03-22T08:30:00Z\n`,
        `Thu 29 Mar 2018 08:30  09:30  scheduled  generated  Football & friends ⚽  https://api.example.org/${base}/2018-03-29T07:30:00Z\n`,
      ].join(''),
    );
  });

  test('a table keeps control characters from the terminal', async () => {
    const { out } = await expand({ ...thursdays, name: 'Red \u001b[31malert\r\nnext' }, ...march, '--format', 'table');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(out.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f]/);
    expect(out.split('\n')).toHaveLength(6);
  });

  test('findings and sums go to standard error', async () => {
    const { err } = await expand([thursdays, { '@type': 'Nonsense' }], ...march);
    expect(err).toMatch(/^items 2, occurrences 4, errors \d+, warnings \d+, infos \d+ \(check lists them\)\n$/);
  });
});

describe('the window', () => {
  test('begins today and lasts a year by default', async () => {
    const weekly = structuredClone(thursdays);
    Reflect.deleteProperty(weekly.eventSchedule[0] as object, 'endDate');
    const found = await rows(weekly);
    expect(found[0]?.start).toBe('2018-03-22T08:30:00Z');
    expect(found.at(-1)?.start).toBe('2019-03-07T08:30:00Z');
    const year = await rows(weekly, '--from', '2020-01-01');
    expect([year[0]?.start, year.at(-1)?.start]).toEqual(['2020-01-02T08:30:00Z', '2020-12-24T08:30:00Z']);
  });

  test.each([
    ['today is included, and --to is not', ['--to', '2018-03-22'], 0],
    ['until the day after', ['--to', '2018-03-23'], 1],
    ['one day', ['--from', '2018-03-01', '--to', '2018-03-02'], 1],
  ])('%s', async (_name, args, count) => {
    expect(await rows(thursdays, ...args)).toHaveLength(count);
  });

  test.each([
    ['an end in the past without a beginning', ['--to', '2018-03-01'], /--to 2018-03-01 must be after today/],
    ['an end before its beginning', ['--from', '2018-03-02', '--to', '2018-03-01'], /must be after --from/],
    ['a date that is none', ['--from', '2018-02-30'], /--from "2018-02-30": a date is needed/],
    ['a zone that is none', ['--timezone', 'BST'], /--timezone is "BST", allowed is an IANA time zone/],
    ['another format', ['--format', 'xml'], /allowed are jsonl, table/],
    ['two files', ['x.json'], /one argument too many/],
  ])('misuse: %s', async (_name, args, message) => {
    const failed = expand(thursdays, ...args);
    await expect(failed).rejects.toThrow(message);
    await expect(failed).rejects.toSatisfy((error) => error instanceof UsageError || error instanceof ConfigError);
  });
});

describe('the input', () => {
  test('items, objects and pages in any mix and order are one', async () => {
    const usual = await rows([thursdays, replaced, booked], ...march);
    const page = (...items: unknown[]) => ({ next: 'https://example.org/?afterId=1', items, license: 'x' });
    const asItem = { state: 'updated', kind: 'SessionSeries', id: 's', modified: 1, data: thursdays };
    for (const input of [
      [booked, replaced, thursdays],
      [replaced.data, thursdays, booked.data],
      page(booked, asItem, replaced),
      [page(replaced), page(asItem, booked)],
      { ...thursdays, subEvent: [replaced.data, booked.data] },
    ]) {
      expect(await rows(input, ...march)).toEqual(usual);
    }
  });

  test('sessions whose series is not there are listed too', async () => {
    expect(await rows([booked], ...march)).toMatchObject([
      { start: '2018-03-22T08:30:00Z', name: null, source: 'explicit' },
    ]);
    expect(await rows([booked], '--from', '2018-04-01')).toEqual([]);
  });

  test('a session without an @id has no id', async () => {
    const nameless = structuredClone(booked.data);
    Reflect.deleteProperty(nameless, '@id');
    expect(await rows([{ ...booked, data: nameless }], ...march)).toMatchObject([{ id: null }]);
  });

  test('cancelled ones are listed with their status, and cancel with their series', async () => {
    const cancelled = explicit('2018-03-22T08:30:00Z', '2018-03-22T09:30:00Z', {
      eventStatus: 'schema:EventCancelled',
    });
    expect((await rows([thursdays, cancelled], ...march)).map(({ status }) => status)).toEqual([
      'EventScheduled',
      'EventScheduled',
      'EventCancelled',
      'EventScheduled',
    ]);
    const all = await rows({ ...thursdays, eventStatus: 'https://schema.org/EventCancelled' }, ...march);
    expect(all.map(({ status }) => status)).toEqual(Array(4).fill('EventCancelled'));
  });

  test('--timezone is the zone of what names none', async () => {
    const zoneless = structuredClone(thursdays);
    Reflect.deleteProperty(zoneless.eventSchedule[0] as object, 'scheduleTimezone');
    const [first] = await rows(zoneless, ...march, '--timezone', 'Asia/Kolkata');
    expect(first?.start).toBe('2018-03-01T03:00:00Z');
  });

  test('places alone have no occurrences, and that is no error', async () => {
    expect(await expand({ '@type': 'Place', '@id': 'https://example.org/p', name: 'Hall' })).toMatchObject({
      code: 0,
      out: '',
    });
  });

  test.each([
    ['no JSON', '{"items": ['],
    ['HTML', '<!doctype html><title>Login</title>'],
    ['nothing', ''],
    ['a number', '42'],
  ])('%s cannot be read', async (_name, text) => {
    await expect(expand(text)).rejects.toThrow(/^standard input(?::1)?: /);
  });

  test('a rule that never happens, and one that happens too often, come to an end', async () => {
    const never = structuredClone(thursdays);
    Object.assign(never.eventSchedule[0] as object, { byMonth: [2], byMonthDay: [30], byDay: [], endDate: undefined });
    expect(await rows(never, ...march)).toEqual([]);
    const always = structuredClone(thursdays);
    Object.assign(always.eventSchedule[0] as object, { repeatFrequency: 'PT1S', byDay: [], endDate: undefined });
    expect((await rows(always, ...march)).length).toBeLessThanOrEqual(3000);
  });
});

/** A second reading of the rules, written from their text alone. */
describe('beside a second reading of the rules', () => {
  test('random series, row for row', async () => {
    let seen = 0;
    for (let seed = 1; seed <= runs(200); seed++) {
      const { items } = randomSeries(seed);
      const { from, to } = seed % 3 === 0 ? { from: '2025-06-01', to: '2029-01-01' } : randomWindow(seed);
      const expected = expandByReading(items, from, to);
      expect({ seed, rows: await rows(items, '--from', from, '--to', to) }).toEqual({ seed, rows: expected });
      seen += expected.length;
    }
    expect(seen).toBeGreaterThan(1000);
  });

  test('many of them shuffled together', async () => {
    const { from, to } = randomWindow(7);
    const items = randomFeed(11, 40);
    expect(await rows(items, '--from', from, '--to', to)).toEqual(expandByReading(items, from, to));
    expect(await rows(items.toReversed(), '--from', from, '--to', to)).toEqual(expandByReading(items, from, to));
  });
});

describe.skipIf(samplesDir === undefined)('the real samples', () => {
  const folder = samplesDir;
  const files = folder === undefined ? ['none'] : readdirSync(folder, { recursive: true, encoding: 'utf8' });

  test.each(files.filter((name) => folder === undefined || name.endsWith('.json')))(
    '%s is listed in order, or cannot be read',
    async (name) => {
      const text = readFileSync(join(folder as string, name), 'utf8');
      const found = await rows(text, '--from', '1990-01-01', '--to', '2035-01-01');
      const keys = found.map(({ start, id }) => `${start} ${id ?? ''}`);
      expect(keys).toEqual(keys.toSorted());
      for (const { start, end, status } of found) {
        expect(start).toMatch(/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\dZ)?$/);
        expect(Date.parse(end as string)).toBeGreaterThanOrEqual(Date.parse(start as string));
        expect(status).toMatch(/^Event[A-Z]/);
      }
    },
  );
});
