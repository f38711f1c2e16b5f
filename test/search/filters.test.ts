import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonical, FILTER_NAMES, type Filters, filterSchemas } from '../../src/search/filters.ts';
import { queryOf, type ReadOptions, readFilters, writable } from '../../src/search/query.ts';
import { dateOfDay } from '../../src/time/days.ts';
import type { Weekday } from '../../src/time/instant.ts';
import { anyText } from '../generate/any-text.ts';

const read = (query: string, options?: ReadOptions) => readFilters(new URLSearchParams(query), options);
const HOUR = 3600;

test.each<[string, Filters, Filters]>([
  ['an activity', { activity: ['Y'.repeat(5000)], free: true }, { free: true }],
  ['a place to be near', { near: 'y'.repeat(150), within: 3, q: 'a' }, { q: 'a', within: 3 }],
  ['more values than there may be', { level: Array.from({ length: 21 }, String), q: 'a' }, { q: 'a' }],
  ['nothing', { activity: ['Yoga'], from: '2026-11-24' }, { activity: ['Yoga'], from: '2026-11-24' }],
])('%s no address can have is left out', (_, filters, left) => {
  expect(writable(filters)).toEqual(left);
  expect(queryOf(writable(filters))).not.toContain('YYYY');
});

describe('filters of an address', () => {
  test.each<[string, Filters, string?]>([
    ['', {}],
    ['q=', {}],
    ['q=+&near=&day=&free=', {}],
    ['q=%20dawn%0A%09yoga%00', { q: 'dawn yoga' }, 'q=dawn+yoga'],
    [
      'activity=Yoga&activity=Pilates&activity=Yoga',
      { activity: ['Pilates', 'Yoga'] },
      'activity=Pilates&activity=Yoga',
    ],
    ['activity=Strength,+Conditioning', { activity: ['Strength, Conditioning'] }],
    ['day=mon,tue', { day: [0, 1] }],
    ['day=tue&day=mon&day=Monday', { day: [0, 1] }, 'day=mon,tue'],
    ['day=Thurs,+SU', { day: [3, 6] }, 'day=thu,sun'],
    ['after=18:00&before=21:00', { after: 18 * HOUR, before: 21 * HOUR }],
    ['after=7:05&before=24:00', { after: 7 * HOUR + 300, before: 24 * HOUR }, 'after=07:05&before=24:00'],
    ['from=2026-11-24&to=2026-12-01', { from: '2026-11-24', to: '2026-12-01' }],
    ['near=50.72,-3.53', { near: { latitude: 50.72, longitude: -3.53 }, within: 5 }],
    ['near=50.723456789, -0.0', { near: { latitude: 50.72346, longitude: 0 }, within: 5 }, 'near=50.72346,0'],
    ['near=EX99&within=3', { near: 'EX99', within: 3 }],
    ['near=Wexcombe&within=5', { near: 'Wexcombe', within: 5 }, 'near=Wexcombe'],
    ['near=EX99&within=4.828032', { near: 'EX99', within: 4.828 }, 'near=EX99&within=4.828'],
    ['near=EX99&within=3.10000000000000008', { near: 'EX99', within: 3.1 }, 'near=EX99&within=3.1'],
    ['within=3&near=', {}, ''],
    ['q=yoga+in+Wexcombe&within=3', { q: 'yoga in Wexcombe', within: 3 }],
    ['q=yoga&near=&within=3', { q: 'yoga' }, 'q=yoga'],
    ['age=8', { age: { min: 8, max: 8 } }],
    ['age=5-11', { age: { min: 5, max: 11 } }],
    ['age=60%2B', { age: { min: 60 } }, 'age=60-'],
    ['level=beginner,Advanced', { level: ['Advanced', 'beginner'] }, 'level=Advanced,beginner'],
    ['gender=women', { gender: 'FemaleOnly' }, 'gender=female'],
    ['gender=https://openactive.io/MaleOnly', { gender: 'MaleOnly' }, 'gender=male'],
    ['gender=NoRestriction', {}, ''],
    ['gender=All', { gender: 'NoRestriction' }, 'gender=all'],
    ['free=1&online=true&cancelled=on', { free: true, online: true, cancelled: true }, 'cancelled=1&free=1&online=1'],
    ['free=0&online=no', {}, ''],
    ['maxPrice=%C2%A37.50', { maxPrice: 7.5 }, 'maxPrice=7.5'],
    ['maxPrice=7.4999999999', { maxPrice: 7.5 }, 'maxPrice=7.5'],
    ['accessible=1', { accessible: ['any'] }, 'accessible=any'],
    ['accessible=Visual+impairment', { accessible: ['Visual impairment'] }],
    ['utm_source=x&fbclid=y&gclid=z&mc_cid=1&q=yoga', { q: 'yoga' }, 'q=yoga'],
  ])('%s', (query, filters, written) => {
    expect(read(query)).toEqual({ filters, problems: [] });
    expect(queryOf(filters)).toBe(written ?? (Object.keys(filters).length === 0 ? '' : query));
  });

  test.each([
    ['within=5,5', 'a number of kilometres such as 5 or 4.8, more than 0 and at most 500'],
    ['within=0.0004', 'more than 0'],
    ['within=3km', 'a number of kilometres'],
    ['maxPrice=100000', 'less than 100000'],
    ['maxPrice=1e9', 'such as 8 or 7.50'],
    ['age=11-5', 'the lower first'],
    ['age=151', 'none above 150'],
    ['after=24:30', 'from 00:00 to 24:00'],
    ['near=95,0', 'latitude and longitude in degrees'],
  ])('%s: the words say what is allowed', (query, words) => {
    expect(read(query).problems[0]?.allowed).toContain(words);
  });

  test.each<[string, string, string | undefined, ReadOptions?]>([
    ['activty=yoga', 'activty', 'activity'],
    ['Day=mon', 'Day', 'day'],
    ['organiser=x', 'organiser', 'organizer'],
    ['maxprice=8', 'maxprice', 'maxPrice'],
    ['constructor=1', 'constructor', undefined],
    ['__proto__=1', '__proto__', undefined],
    ['limt=3', 'limt', 'limit', { others: ['limit'] }],
    ['day=mon,tuseday', 'day', 'tue'],
    ['day=someday', 'day', undefined],
    ['gender=femal', 'gender', 'female'],
    ['gender=constructor', 'gender', undefined],
    ['gender=mixed', 'gender', undefined],
    ['gender=none', 'gender', undefined],
    ['after=6pm', 'after', undefined],
    ['after=25:00', 'after', undefined],
    ['before=24:01', 'before', undefined],
    ['from=2026-02-30', 'from', undefined],
    ['from=tomorrow', 'from', undefined],
    ['from=2026-12-01&to=2026-12-01', 'to', undefined],
    ['near=95,0', 'near', undefined],
    ['near=123', 'near', undefined],
    ['near=EX99&near=EX1', 'near', undefined],
    ['near=EX99&within=0', 'within', undefined],
    ['near=EX99&within=501', 'within', undefined],
    ['within=3', 'within', undefined],
    ['day=mon&within=3', 'within', undefined],
    ['age=11-5', 'age', undefined],
    ['age=200', 'age', undefined],
    ['age=eight', 'age', undefined],
    ['free=maybe', 'free', undefined],
    ['free=constructor', 'free', undefined],
    ['maxPrice=-1', 'maxPrice', undefined],
    ['q=a&q=b', 'q', undefined],
    [`q=${'x'.repeat(201)}`, 'q', undefined],
    [`q=${'x'.repeat(100_000)}`, 'q', undefined],
    [`activity=${'x'.repeat(100_000)}`, 'activity', undefined],
    [`day=${'mon,'.repeat(100_000)}`, 'day', undefined],
    [Array.from({ length: 21 }, (_, index) => `place=${index}`).join('&'), 'place', undefined],
    ['after=', 'after', undefined, { cursor: true }],
    ['after=a&after=b', 'after', undefined, { cursor: true }],
  ])('cannot read %s', (query, name, meant, options) => {
    const { problems } = read(query, options);
    expect(problems.map((problem) => problem.name)).toEqual([name]);
    expect(problems[0]?.nearest).toBe(meant);
    expect(problems[0]?.allowed).not.toBe('');
    expect((problems[0]?.value ?? '').length).toBeLessThanOrEqual(100);
  });

  test('name a known parameter of the address itself', () => {
    expect(read('limit=5&facets=1&q=yoga', { others: ['limit', 'facets'] }).problems).toEqual([]);
  });

  test('tell the time that is meant by after from a cursor', () => {
    const cursor = { cursor: true };
    expect(read('after=18:00&after=WzEsMl0', cursor)).toEqual({
      filters: { after: 18 * HOUR },
      problems: [],
      cursor: 'WzEsMl0',
    });
    expect(read('after=18:00', cursor)).toEqual({ filters: { after: 18 * HOUR }, problems: [] });
    expect(read('after=WzEsMl0').problems).toHaveLength(1);
  });

  test('have few problems, however much is wrong', () => {
    const query = Array.from({ length: 10_000 }, (_, index) => `x${index}=1`).join('&');
    expect(read(query).problems.length).toBe(20);
  });
});

const text = fc
  .stringMatching(/^[a-z0-9é]([a-z0-9é&=+%#' .:;/-]{0,20}[a-z0-9é])?$/)
  .filter((value) => /\p{L}/u.test(value) && !value.includes('  '));
const texts = fc.array(text, { minLength: 1, maxLength: 5 });
const minutes = fc.integer({ min: 0, max: 1439 }).map((minute) => minute * 60);
const day = fc.integer({ min: 20_000, max: 30_000 });
const filters: fc.Arbitrary<Filters> = fc
  .record(
    {
      q: text,
      activity: texts,
      place: texts,
      series: texts,
      organizer: texts,
      near: fc.oneof(
        text.filter((value) => !/^\d+$/.test(value)),
        fc.record({
          latitude: fc.integer({ min: -9e6, max: 9e6 }).map((value) => value / 1e5),
          longitude: fc.integer({ min: -18e6, max: 18e6 }).map((value) => value / 1e5),
        }),
      ),
      within: fc.integer({ min: 1, max: 5000 }).map((value) => value / 10),
      day: fc.array(fc.integer({ min: 0, max: 6 }) as fc.Arbitrary<Weekday>, { minLength: 1, maxLength: 9 }),
      after: minutes,
      before: minutes,
      from: day.map(dateOfDay),
      to: day.map((value) => dateOfDay(value + 10_001)),
      age: fc.oneof(
        fc.integer({ min: 0, max: 150 }).map((min) => ({ min })),
        fc.tuple(fc.nat(75), fc.nat(75)).map(([min, more]) => ({ min, max: min + more })),
      ),
      level: texts,
      gender: fc.constantFrom('FemaleOnly' as const, 'MaleOnly' as const, 'NoRestriction' as const),
      free: fc.constant(true as const),
      maxPrice: fc.nat(100_000).map((cents) => cents / 100),
      online: fc.constant(true as const),
      accessible: fc.array(
        text.map((value) => `a ${value}`),
        { minLength: 1, maxLength: 5 },
      ),
      cancelled: fc.constant(true as const),
    },
    { requiredKeys: [] },
  )
  .map(canonical);

test('filters that are written and read again are equal, and written alike', () => {
  fc.assert(
    fc.property(filters, (given) => {
      const written = queryOf(given);
      expect(read(written)).toEqual({ filters: given, problems: [] });
      expect(queryOf(read(written).filters)).toBe(written);
    }),
  );
});

test('the order of an address does not matter', () => {
  fc.assert(
    fc.property(filters, fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (given, chance) => {
      const pairs = [...new URLSearchParams(queryOf(given))];
      const shuffled = pairs.map((pair) => [chance.next().value as number, pair] as const).sort(([a], [b]) => a - b);
      const again = readFilters(new URLSearchParams(shuffled.map(([, pair]) => pair)));
      expect(queryOf(again.filters)).toBe(queryOf(given));
    }),
  );
});

test('any query is read or refused, never thrown at', () => {
  const name = fc.oneof(fc.constantFrom(...FILTER_NAMES), fc.string());
  fc.assert(
    fc.property(fc.array(fc.tuple(name, anyText(40))), fc.boolean(), (pairs, cursor) => {
      const { filters: found, problems } = readFilters(new URLSearchParams(pairs), { cursor });
      expect(readFilters(new URLSearchParams(queryOf(found))).filters).toEqual(found);
      expect(problems.length).toBeLessThanOrEqual(21);
    }),
  );
});

test('every filter has a JSON Schema with a description', () => {
  const schemas = filterSchemas();
  expect(Object.keys(schemas)).toEqual(FILTER_NAMES);
  for (const schema of Object.values(schemas)) expect((schema as { description?: string }).description).toMatch(/\.$/);
  expect(schemas.day).toMatchObject({
    type: 'array',
    items: { enum: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] },
  });
  expect(schemas.after).toMatchObject({ type: 'string', pattern: expect.any(String) });
  expect(schemas.near).toMatchObject({ examples: ['50.72,-3.53', 'EX99'] });
  expect(schemas.free).toMatchObject({ const: '1' });
  expect(schemas.q).toMatchObject({ type: 'string', maxLength: 200 });
});
