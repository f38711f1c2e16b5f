import { describe, expect, test } from 'vitest';
import { calendarFilters, readFindQuery, searchPath, withoutFilter } from '../../../../src/server/pages/find/asked.ts';
import { filtersInUse } from '../../../../src/server/pages/find/filter-words.ts';
import { dateOfDay, dayOfDate, weekendFrom } from '../../../../src/time/days.ts';

const asked = (query: string) => readFindQuery(new URLSearchParams(query));
const context = { today: dayOfDate('2026-11-24'), places: new Map([['town0hall0key', 'Town Hall']]) };

test('what an address asks', () => {
  expect(asked('q=yoga&day=mon&kind=places&view=week&more=abc&near=%20Wexcombe')).toEqual({
    filters: { q: 'yoga', day: [0], near: 'Wexcombe', within: 5 },
    kind: 'places',
    view: 'week',
    more: 'abc',
    problems: [],
    nearText: 'Wexcombe',
  });
  expect(asked('q=&kind=&view=&more=')).toEqual({ filters: {}, kind: 'sessions', view: 'list', problems: [] });
  expect(asked('kind=plaices&view=evil').problems).toEqual([
    { name: 'kind', value: 'plaices', allowed: 'sessions, places, facilities', nearest: 'places' },
    { name: 'view', value: 'evil', allowed: 'list, week' },
  ]);
  expect(asked('utm_source=x&subscribe').problems).toEqual([]);
  expect(asked('daay=mon').problems).toMatchObject([{ name: 'daay', nearest: 'day' }]);
  // An id has up to 2,048 characters, and a cursor has one: what is none is refused, and begins no list anew.
  expect(asked(`more=${'x'.repeat(3000)}`).more).toHaveLength(3000);
});

test('addresses of other results, the same for equal ones', () => {
  expect(searchPath({})).toBe('/search');
  expect(searchPath({ q: 'a&b', day: [1, 0] })).toBe('/search?day=mon,tue&q=a%26b');
  expect(searchPath({ q: 'a' }, { kind: 'places', view: 'week', more: 'x=' })).toBe(
    '/search?kind=places&q=a&view=week&more=x%3D',
  );
});

test('a filter, or one value of it, is taken off', () => {
  expect(withoutFilter({ day: [0, 1], free: true }, 'day', 0)).toEqual({ day: [1], free: true });
  expect(withoutFilter({ day: [0], free: true }, 'day', 0)).toEqual({ free: true });
  expect(withoutFilter({ day: [0], free: true }, 'free')).toEqual({ day: [0] });
});

test('a calendar of a search goes on: the day that was turned to is no part of it', () => {
  expect(calendarFilters({ q: 'yoga', from: '2026-11-24' })).toEqual({ q: 'yoga' });
  expect(calendarFilters({ from: '2026-11-28', to: '2026-11-30' })).toEqual({ from: '2026-11-28', to: '2026-11-30' });
});

describe('filters in words', () => {
  test.each([
    ['day=mon,sat', ['Mondays', 'Saturdays']],
    ['after=17:00&before=20:30', ['After 17:00', 'Before 20:30']],
    ['after=16:00&before=18:01', ['After 16:00', 'Not after 18:00']],
    ['maxPrice=8', ['Up to £8']],
    ['maxPrice=7.50', ['Up to £7.50']],
    ['maxPrice=0', ['Free']],
    ['free=1', ['Free']],
    ['near=Wexcombe', []],
    ['near=Wexcombe&within=3', ['Within 3 km']],
    ['near=Wexcombe&within=4.828', ['Within 4.8 km']],
    ['near=Wexcombe&within=0.04', ['Within 40 m']],
    ['from=2026-11-28&to=2026-11-30', ['Sat 28 to Sun 29 Nov']],
    ['to=2026-12-01', ['Until Mon 30 Nov']],
    ['age=60-', ['Over 60']],
    ['age=8', ['Age 8']],
    ['age=0-4', ['Under 5']],
    ['gender=female', ['Women only']],
    ['gender=all', ['Not for one gender']],
    ['online=1&cancelled=1', ['Cancelled ones too', 'Online']],
    ['accessible=any', ['Accessible']],
    ['place=town0hall0key', ['Town Hall']],
    ['place=zzzz0zzzz0zzzz', ['One place']],
    ['place=Town%20Hall', ['Town Hall']],
    ['activity=Yoga&level=Beginner', ['Beginner', 'Yoga']],
    ['after=00:00', ['After 00:00']],
  ])('%s', (query, said) => {
    expect(
      filtersInUse(asked(query).filters, context)
        .map(({ words }) => words)
        .sort(),
    ).toEqual(said);
  });
});

test.each([
  ['2026-11-23', '2026-11-28', '2026-11-30'],
  ['2026-11-27', '2026-11-28', '2026-11-30'],
  ['2026-11-28', '2026-11-28', '2026-11-30'],
  ['2026-11-29', '2026-11-29', '2026-11-30'],
])('the weekend of %s is from %s to %s', (today, from, to) => {
  expect(weekendFrom(dayOfDate(today)).map(dateOfDay)).toEqual([from, to]);
});
