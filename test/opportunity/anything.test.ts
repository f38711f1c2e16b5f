import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanItem } from '../../src/opportunity/clean.ts';
import { finish } from '../../src/opportunity/findings.ts';
import { type Json, type JsonObject, parseJson } from '../../src/opportunity/item/json.ts';
import { ROWS } from '../../src/opportunity/properties.ts';
import { dataModel } from '../../src/validate/model.ts';
import { runs } from '../runs.ts';
import { cleanRecord } from './shape.ts';

/** Items of all kinds whose properties hold anything at all: what is usual, what is nearly right, and garbage. */

const TYPES = [
  'ScheduledSession',
  'SessionSeries',
  'Event',
  'HeadlineEvent',
  'CourseInstance',
  'EventSeries',
  'FacilityUse',
  'IndividualFacilityUse',
  'Slot',
  'Place',
  'OnDemandEvent',
  'Course',
  'Schedule',
  'PartialSchedule',
  'VirtualLocation',
  'Thing',
];

const text = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    'Yoga',
    'https://x.org/s',
    'https://x.org/s/1',
    'http://x.org/{startDate}',
    '2027-03-01',
    '2027-03-01T10:00:00Z',
    '2027-07-01T10:00:00',
    '2027-03-01T10:59:59Z',
    '0001-01-01',
    '09:00',
    '24:00',
    '9:00Z',
    'PT1H',
    'P1W',
    'P1M',
    'PT0S',
    'PT5M',
    'Europe/London',
    'Mars/Phobos',
    'https://schema.org/Monday',
    '2TH',
    'PublicHolidays',
    'EventCancelled',
    'a\r\nb\u0000',
    '<p>x</p>',
    '&amp;',
    '5.00',
    '-1',
    'oa:FemaleOnly',
    '51.5, -0.1',
    'javascript:alert(1)',
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
);
const scalar = fc.oneof(
  text,
  fc.constant(null),
  fc.boolean(),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, 1, 10, 51.5, 1e9),
);

/** Types of the data model whose properties are read. */
const MODELS = [
  ...TYPES,
  ...'PostalAddress GeoCoordinates OpeningHoursSpecification Concept Offer Organization Person QuantitativeValue'.split(
    ' ',
  ),
];

/** Names that the model lacks: former ones, those that only the reader knows, and those that every object has. */
const OTHERS = '@type type id schedule exceptDates byMonthWeek previousStartDate __proto__ constructor'.split(' ');

/** A row of the table and a property of the model are among them without being named here. */
const KEYS = [
  ...new Set([
    ...OTHERS,
    ...ROWS.flatMap(({ from }) => from),
    ...MODELS.flatMap((type) => [...(dataModel().types.get(type)?.properties.keys() ?? [])]),
  ]),
];

const { value: anyValue } = fc.letrec<{ value: Json; object: Json }>((tie) => ({
  value: fc.oneof({ maxDepth: 6, depthSize: 'small' }, scalar, tie('object'), fc.array(tie('value'), { maxLength: 4 })),
  object: fc
    .tuple(fc.constantFrom(...TYPES), fc.dictionary(fc.constantFrom(...KEYS), tie('value'), { maxKeys: 14 }))
    .map(([type, object]) => ({ '@type': type, ...object })),
}));

const item = fc
  .tuple(fc.constantFrom(...TYPES), fc.dictionary(fc.constantFrom(...KEYS), anyValue, { minKeys: 3, maxKeys: 50 }))
  .map(([type, object]) => ({ '@type': type, ...object }));

function clean(data: Json) {
  return cleanItem(
    { state: 'updated', kind: 'k', id: '1', modified: '1', data },
    { zone: 'Europe/London', feed: 'https://feed.example/', slots: true },
  );
}

describe('any item', () => {
  test('gives records that are what their types say, or a finding that says why not', () => {
    fc.assert(
      fc.property(item, (data) => {
        const before = JSON.stringify(data);
        const { records, findings } = clean(data);
        for (const { record } of records) {
          cleanRecord.parse(record);
          // Nothing is undefined: what a store writes and reads back is the same.
          expect(JSON.parse(JSON.stringify(record))).toStrictEqual(record);
        }
        if (records.length === 0) expect(findings.length).toBeGreaterThan(0);
        expect(JSON.stringify(data)).toBe(before);
        expect(clean(data)).toStrictEqual({ records, findings });
      }),
      { numRuns: runs(400) },
    );
  });

  test('findings are sentences about places in it', () => {
    fc.assert(
      fc.property(item, (data) => {
        for (const raw of clean(data).findings) {
          const { message, path, rule, severity } = finish(raw, 'feed', 'item');
          expect(message).toMatch(/^[^\p{Cc}]{10,400}[.:]$/u);
          expect(message).not.toMatch(/undefined|\[object|NaN/);
          expect(path).toMatch(/^\$/);
          expect(rule.length).toBeGreaterThan(3);
          expect(['error', 'warning', 'info']).toContain(severity);
        }
      }),
      { numRuns: runs(250) },
    );
  });

  test('each record comes once, the better placed first', () => {
    fc.assert(
      fc.property(item, (data) => {
        const keys = clean(data).records.map(({ record }) => `${record.kind} ${record.id}`);
        expect(new Set(keys).size).toBe(keys.length);
      }),
      { numRuns: runs(250) },
    );
  });
});

describe('hostile items', () => {
  test.each(KEYS)('a hundred thousand levels in %s', (key) => {
    const { value: deep } = parseJson(`{"v":${`{"${key}":[`.repeat(50_000)}1${']}'.repeat(50_000)}}`);
    for (const type of ['ScheduledSession', 'SessionSeries', 'HeadlineEvent', 'FacilityUse', 'Place', 'Slot']) {
      const { records, findings } = clean({ '@type': type, ...(deep as { v: JsonObject }).v });
      expect(records.length + findings.length).toBeGreaterThan(0);
    }
  });

  test.each([
    ['subEvent', { startDate: '2027-03-01T10:00:00Z', duration: 'PT1H' }],
    ['eventSchedule', { '@type': 'Schedule' }],
    ['location', { '@type': 'Place', name: 'x' }],
    ['offers', { price: 'x' }],
    ['activity', { prefLabel: 5 }],
    ['leader', {}],
  ])('a hundred thousand entries of %s: cut, with few findings', (key, entry) => {
    const { findings, records } = clean({
      '@type': 'SessionSeries',
      [key]: Array.from({ length: 100_000 }, () => entry),
    });
    expect(findings.length).toBeLessThanOrEqual(101);
    expect(findings.map(({ code }) => code)).toContain('capped');
    expect(records.length).toBeLessThan(20_010);
  });

  test('ten million characters everywhere', () => {
    const long = 'a<&\u0000 '.repeat(2_000_000);
    for (const type of ['ScheduledSession', 'SessionSeries', 'FacilityUse', 'Place', 'Slot']) {
      const { records, findings } = clean(
        Object.fromEntries([...KEYS.filter((key) => key !== '@type').map((key) => [key, long]), ['@type', type]]),
      );
      expect(JSON.stringify([records, findings]).length).toBeLessThan(200_000);
    }
  });
});
