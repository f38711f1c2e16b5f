import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalId, fillTemplate, readId, skeleton, startFromId } from '../../src/recurrence/templates.ts';
import { utcText } from '../../src/time/instant.ts';

const start = Date.parse('2018-03-15T08:30:00Z');
const end = Date.parse('2018-03-15T09:30:00Z');
const base = 'https://api.example.org/session-series/1402CBP20150217';

describe('filling', () => {
  test.each([
    ['a start', `${base}/{startDate}`, `${base}/2018-03-15T08:30:00Z`],
    ['a start and an end', '{startDate}/{endDate}', '2018-03-15T08:30:00Z/2018-03-15T09:30:00Z'],
    ['a start twice', '{startDate}{startDate}', '2018-03-15T08:30:00Z2018-03-15T08:30:00Z'],
    ['nothing', `${base}/x`, `${base}/x`],
    ['another variable is left alone', '{date}/{startDate', '{date}/{startDate'],
    ['dollar signs mean nothing', '$&/{startDate}$1', '$&/2018-03-15T08:30:00Z$1'],
  ])('%s', (_name, template, expected) => {
    expect(fillTemplate(template, start, end)).toBe(expected);
  });

  test('fractions of a second are cut, and no length is too long', () => {
    expect(utcText(start + 999)).toBe('2018-03-15T08:30:00Z');
    expect(fillTemplate('{endDate}', start, 1e300)).toMatch(/Z$/);
  });
});

describe('ids are compared', () => {
  test.each([
    ['raw', `${base}/2018-03-15T08:30:00Z`],
    ['percent-encoded', `${base}/2018-03-15T08%3A30%3A00Z`],
    ['percent-encoded in small letters', `${base}/2018-03-15T08%3a30%3a00Z`],
    ['with a dashed time', `${base}/2018-03-15T08-30-00Z`],
    ['with an offset of zero', `${base}/2018-03-15T08:30:00+00:00`],
    ['with an offset of zero, percent-encoded', `${base}/2018-03-15T08%3A30%3A00%2B00%3A00`],
    ['with a slash at its end', `${base}/2018-03-15T08:30:00Z/`],
    ['with scheme and host in capitals', `${base.replace('https://api', 'HTTPS://API')}/2018-03-15T08:30:00Z`],
    ['wholly encoded', `https%3A%2F%2Fapi.example.org/session-series/1402CBP20150217/2018-03-15T08%3A30%3A00Z`],
  ])('%s', (_name, id) => {
    expect(canonicalId(id)).toBe(`${base}/2018-03-15T08:30:00Z`);
    expect(startFromId(`${base}/{startDate}`, id)).toBe(start);
  });

  test.each([
    ['a lone percent', '100%', '100%'],
    ['percent of no UTF-8', 'a%FF%3Ab', 'a%FF%3Ab'],
    ['percent-encoded letters', 'caf%C3%A9', 'café'],
    ['decoded once, not twice', 'a%253Ab', 'a%3Ab'],
  ])('%s', (_name, id, expected) => {
    expect(canonicalId(id)).toBe(expected);
  });
});

describe('reading an id', () => {
  test.each([
    ['another series', `${base}/{startDate}`, 'https://api.example.org/other/2018-03-15T08:30:00Z', undefined],
    ['something after it', `${base}/{startDate}`, `${base}/2018-03-15T08:30:00Z/x`, undefined],
    ['a date alone', `${base}/{startDate}`, `${base}/2018-03-15`, undefined],
    ['a date that is none', `${base}/{startDate}`, `${base}/2018-02-30T08:30:00Z`, undefined],
    ['an hour that is none', `${base}/{startDate}`, `${base}/2018-03-15T25:30:00Z`, undefined],
    ['two starts that differ', '{startDate}/{startDate}', '2018-03-15T08:30:00Z/2018-03-16T08:30:00Z', undefined],
    ['start and end', '{startDate}/{endDate}', '2018-03-15T08:30:00Z/2018-03-15T09:30:00Z', { start, end }],
    ['a template with a slash at its end', `${base}/{startDate}/`, `${base}/2018-03-15T08:30:00Z`, { start }],
    [
      'a template with a host in capitals',
      'https://X.org/{startDate}',
      'https://x.org/2018-03-15T08:30:00Z',
      { start },
    ],
    ['an end alone', 'x{endDate}', 'x2018-03-15T09:30:00Z', { end }],
    ['no time at all', `${base}/x`, `${base}/x`, {}],
    [
      'an encoded template',
      'https://example.org/a%20b/{startDate}',
      'https://example.org/a b/2018-03-15T08:30:00Z',
      { start },
    ],
  ])('%s', (_name, template, id, expected) => {
    expect(readId(template, id)).toEqual(expected);
  });
});

describe('what is filled can be read', () => {
  const piece = fc
    .string({ unit: fc.constantFrom(...'ab/%:-2T0Z{} é?=&'), maxLength: 12 })
    // `%` and the two digits that begin a year would be an encoded character.
    .filter((text) => !/%.?$/.test(text));
  const instant = fc.integer({ min: 0, max: 4_000_000_000 }).map((seconds) => seconds * 1000);
  test('in every form', () => {
    fc.assert(
      fc.property(piece, piece, instant, instant, (before, after, from, to) => {
        const template = `${before}{startDate}${after}{endDate}`;
        const id = fillTemplate(template, from, to);
        const dashed = id.replace(utcText(to), utcText(to).replaceAll(':', '-'));
        for (const form of [id, dashed]) {
          expect(readId(template, form)).toEqual({ start: from, end: to });
          expect(skeleton(canonicalId(form))).toBe(skeleton(canonicalId(template)));
        }
      }),
    );
  });

  test('hostile ids take no time to turn down', () => {
    const long = `${'2018-03-15T08-30-'.repeat(50_000)}%%%${'%E2'.repeat(50_000)}`;
    expect(startFromId('{startDate}', long)).toBeUndefined();
    expect(skeleton(canonicalId(long)).length).toBeGreaterThan(0);
  });
});
