import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { queryOf, readFilters } from '../../src/search/query.ts';
import { MAX_QUERY, tokensOf, withWord } from '../../src/search/tokens.ts';
import { NUMBERS } from '../../src/search/values/context.ts';
import { mayReadLoosely, understand, withoutPart } from '../../src/search/words.ts';
import { accessibilitySupport, activityList } from '../../src/vocabulary/shipped.ts';
import { anyText } from '../generate/any-text.ts';
import { ALL_WORDS, ALL_WORDS_LATER, LEFT_OUT, NO_NEGATIONS, READ_LATER, UNDERSTOOD } from './questions.ts';

const PLACES = ['wexcombe', 'harbour lane', 'ex99'];
const OPTIONS = {
  today: '2026-11-24',
  time: 12 * 3600 + 300,
  isPlace: (text: string) => PLACES.includes(text.toLowerCase()),
  isName: (text: string) => text === 'No Holds',
};
const read = (q: string) => understand(q, OPTIONS);
const shown = (query: string) =>
  new URLSearchParams(query).toString() && decodeURIComponent(query).replaceAll('+', ' ');

test.each([...UNDERSTOOD, ...READ_LATER])('%s', (question, words, filters, parts) => {
  const understood = read(question);
  expect([understood.words, shown(queryOf(understood.filters)), understood.understood.map(({ text }) => text)]).toEqual(
    [words, filters, parts.split(' | ')],
  );
});

describe('a loose reading', () => {
  const LOOSE = { loosely: { isTown: () => false, ranges: 'ages', seasons: true } } as const;
  const differs = (question: string): boolean =>
    JSON.stringify(understand(question, { ...OPTIONS, ...LOOSE })) !== JSON.stringify(read(question));
  const all = [...UNDERSTOOD, ...READ_LATER].map(([question]) => question).concat(ALL_WORDS, ALL_WORDS_LATER);
  const words = [...new Set(all.flatMap((question) => question.split(' ')))];
  const hasNumber = (question: string) => tokensOf(question).some(({ word }) => /\d/.test(word) || NUMBERS.has(word));

  test('differs where it is said that it may, of whatever words', () => {
    const some = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 5 }).map((list) => list.join(' '));
    const check = (question: string) => {
      if (!hasNumber(question) && differs(question))
        expect([question, mayReadLoosely(question)]).toEqual([question, true]);
    };
    for (const question of [...all, 'half hours yoga']) check(question);
    fc.assert(fc.property(some, check), { numRuns: 3000 });
  });

  test('is not tried for most texts', () => {
    expect(all.filter(mayReadLoosely).length).toBeLessThan(all.length / 2);
    expect(['pilates', 'walking football', 'aqua aerobics tonight'].filter(mayReadLoosely)).toEqual([]);
  });
});

test.each(LEFT_OUT)('%s is not asked for as its opposite', (question, words, filters, parts) => {
  const understood = read(question);
  const leftOut = understood.understood.flatMap((part) => part.leftOut ?? []);
  expect([understood.words, shown(queryOf(understood.filters)), leftOut.join(' | ')]).toEqual([words, filters, parts]);
});

test.each([
  ['pilates at least an hour', 60, 1440],
  ['over an hour', 61, 1440],
  ['over 60 minutes', 61, 1440],
  ['longer than half an hour', 31, 1440],
  ['at most 45 minutes', 1, 45],
  ['up to an hour', 1, 60],
  ['an hour or less', 1, 60],
  ['under an hour and a half', 1, 89],
  ['between 30 and 60 minutes', 30, 60],
  ['between one and two hours', 60, 120],
  ['half an hour to an hour', 30, 60],
  ['30-45 min', 30, 45],
  ['30 - 45mins', 30, 45],
  ['1-2 hours', 60, 120],
  ['75+ minutes', 75, 1440],
  ['yoga for 1+ hours', 60, 1440],
  ['60 minutes plus', 60, 1440],
  ['half an hour', 25, 35],
  ['an hour and a half', 85, 95],
  ['hour and a half yoga', 85, 95],
  ['one and a half hours', 85, 95],
  ['1.5 hours', 85, 95],
  ['1 hour 30 minutes', 85, 95],
  ['an hour long', 55, 65],
  ['hour-long yoga', 55, 65],
  ['half hour', 25, 35],
  ['45 minutes', 40, 50],
])('%s is how long something lasts', (question, min, max) => {
  const loosely = { isTown: () => false, ranges: 'ages' as const };
  const { understood, filters } = understand(question, { ...OPTIONS, loosely });
  expect([understood.flatMap(({ lasts }) => lasts ?? []), filters]).toEqual([[{ min, max }], {}]);
});

test.each([
  ['yoga not at Bridge Street Hall', [{ text: 'Bridge Street Hall', isName: true, lead: 'at' }]],
  ['yoga not with Anna', [{ text: 'Anna', isName: true, lead: 'by' }]],
  [
    'yoga not taught by Anna or Ben',
    [
      { text: 'Anna', isName: true, lead: 'by' },
      { text: 'Ben', isName: true, lead: 'by' },
    ],
  ],
  [
    'not at Harbour Lane, not at Wexcombe',
    [
      { text: 'at Harbour Lane', filters: { near: 'Harbour Lane' } },
      { text: 'at Wexcombe', filters: { near: 'Wexcombe' } },
    ],
  ],
  ['not women only', [{ text: 'women only', filters: { gender: 'FemaleOnly' } }]],
  ['not women only classes', [{ text: 'women only classes', filters: { gender: 'FemaleOnly' } }]],
  ['anything but kids', [{ text: 'kids', filters: { age: { min: 3, max: 11 } }, isName: true }]],
  ['dance no partner', [{ text: 'partner', isName: true, lead: 'no' }]],
  ['dance not partner', [{ text: 'partner', isName: true }]],
])('what is not wanted in %s', (question, unwanted) => {
  expect(read(question).understood.flatMap((part) => part.unwanted ?? [])).toEqual(unwanted);
});

test('names that the data has are not taken apart, and filters in them are words', () => {
  const isName = (text: string) => text === 'not beginners';
  const { words, filters } = understand('yoga not beginners', { today: '2026-11-24', isName });
  expect([words, filters]).toEqual(['yoga not beginners', {}]);
});

test.each(NO_NEGATIONS)('nothing of %s is left out', (question) => {
  expect(read(question).understood.filter(({ leftOut }) => leftOut)).toEqual([]);
});

test.each([...ALL_WORDS, ...ALL_WORDS_LATER, 'mourning walk', '"Saterday" swim', 'Kids Club activities', 'Fit 4 Kids'])(
  'nothing of %s is a filter',
  (question) => {
    expect(read(question)).toMatchObject({ words: question, filters: {}, understood: [] });
  },
);

test('accessibility support has the labels of the vocabulary', () => {
  const labels = UNDERSTOOD.flatMap(([question]) => read(question).filters.accessible ?? []);
  expect(new Set(labels.filter((label) => accessibilitySupport().byLabel(label) === undefined))).toEqual(
    new Set(['any']),
  );
});

test('no activity is taken apart', () => {
  const apart = activityList()
    .concepts.map(({ prefLabel }) => prefLabel)
    .filter((label) => read(label).understood.length > 0);
  expect(apart).toEqual([]);
});

test.each([
  ['free free free free', '', ['free free free free']],
  ['free yoga free', 'yoga', ['free', 'free']],
  ['monday tuesday yoga', 'yoga', ['monday', 'tuesday']],
])('a filter that is said again is one part: %s', (question, words, parts) => {
  const understood = read(question);
  expect([understood.words, understood.understood.map(({ text }) => text)]).toEqual([words, parts]);
});

test.each([
  ['yoga in Exeter', 'yoga in Exeter', ''],
  ['yoga near Exeter', 'yoga', 'near=Exeter'],
  ['yoga in EX4', 'yoga', 'near=EX4'],
  ['yoga L1', 'yoga', 'near=L1'],
])('without places, %s', (question, words, filters) => {
  const understood = understand(question, { today: '2026-11-24' });
  expect([understood.words, queryOf(understood.filters)]).toEqual([words, filters]);
});

test.each([
  ['2026-11-24', '2026-11-28', '2026-11-30'],
  ['2026-11-28', '2026-11-28', '2026-11-30'],
  ['2026-11-29', '2026-11-29', '2026-11-30'],
  ['2026-11-30', '2026-12-05', '2026-12-07'],
  ['2026-12-31', '2027-01-02', '2027-01-04'],
])('this weekend, on %s', (today, from, to) => {
  expect(understand('this weekend', { today }).filters).toEqual({ from, to });
});

test.each([
  ['24 Nov', '2026-11-24', '2026-11-24'],
  ['24 Nov', '2026-11-25', '2027-11-24'],
  ['29 February 2028', '2026-11-25', '2028-02-29'],
  ['1 January', '2026-12-31', '2027-01-01'],
])('%s, on %s', (question, today, from) => {
  expect(understand(question, { today }).filters.from).toBe(from);
});

test.each([
  ['swim at 6.15', 'after=06:15&before=06:45'],
  ['swim at 7', 'after=19:00&before=19:30'],
  ['swim at 7am', 'after=07:00&before=07:30'],
  ['evening swim at 7', 'after=19:00&before=19:30'],
  ['swim before 7', 'before=07:00'],
  ['swim after 6', 'after=18:00'],
  ['football tuesday 7-9', 'after=19:00&before=21:00&day=tue'],
])('with bare hours in the other half of the day, %s', (question, filters) => {
  expect(shown(queryOf(understand(question, { ...OPTIONS, otherHalf: true }).filters))).toBe(filters);
});

describe('a part that is taken off', () => {
  test('leaves the rest', () => {
    const understood = read('yoga Saturday morning under £8');
    expect(understood.understood.map((part) => withoutPart(understood, part))).toEqual([
      'yoga morning under £8',
      'yoga Saturday under £8',
      'yoga Saturday morning',
    ]);
  });

  test.each([
    ["girls' gymnastics", 'girls', 'gymnastics'],
    ['any yoga on Tuesday?', 'on Tuesday', 'any yoga'],
    ['yoga, Saturday', 'Saturday', 'yoga'],
    ['yoga, Saturday, morning', 'Saturday', 'yoga, morning'],
    ['Saturday, yoga', 'Saturday', 'yoga'],
    ['Mondays & Wednesdays pilates', 'Wednesdays', 'Mondays pilates'],
    ['Mon/Wed/Fri spin', 'Wed', 'Mon Fri spin'],
    ['swimming (adults) evenings', 'adults', 'swimming evenings'],
    ['Saturday (hot) yoga', 'Saturday', '(hot) yoga'],
    ['(hot) yoga (Saturday)', 'Saturday', '(hot) yoga'],
    ['yoga (hot) Saturday', 'Saturday', 'yoga (hot)'],
    ['yoga? on Saturday "hot yoga"', 'on Saturday', 'yoga? "hot yoga"'],
    ['Saturday', 'Saturday', ''],
  ])('of %s takes its marks along: %s', (question, part, expected) => {
    const understood = read(question);
    const found = understood.understood.find(({ text }) => text === part);
    expect(found && withoutPart(understood, found)).toBe(expected);
  });

  test.each(UNDERSTOOD)('is gone: %s', (question) => {
    const understood = read(question);
    for (const part of understood.understood) {
      expect(understood.query.slice(part.start, part.end)).toBe(part.text);
      expect(withoutPart(understood, part).length).toBeLessThan(understood.query.length);
    }
  });
});

const pieces = fc.constantFrom(
  ...'on|every|sat|Monday|to|-|–|and|or|the|weekend|24|24th|Nov|March|2026-11-24|tonight|this|next|morning|after|before|at|between|6|6pm|18:30|noon'.split(
    '|',
  ),
  ...'free|under|£8|8|pounds|up to|near|in|me|EX99|Wexcombe|within|3|miles|km|of|for|kids|over|60s|age|5|year olds|women|mens|only'.split(
    '|',
  ),
  ...'beginners|online|zoom|wheelchair|accessible|deaf|not|no|without|cancelled|yoga|football|5-a-side|"|“|”|,|/|😀|\u0000|\u0301|’|x'.split(
    '|',
  ),
);
const query = fc.oneof(
  fc.array(fc.tuple(pieces, fc.constantFrom(' ', '', '  ', '-'))).map((parts) => parts.flat().join('')),
  anyText(300),
);
const letters = (text: string): string => [...(text.match(/[\p{L}\p{N}]/gu) ?? [])].sort().join('');

test('parts and words have every letter of the query, once', () => {
  fc.assert(
    fc.property(query, (q) => {
      const { query: line, words, understood, filters } = read(q);
      expect(readFilters(new URLSearchParams(queryOf(filters)))).toEqual({ filters, problems: [] });
      expect(letters(`${understood.map(({ text }) => text).join(' ')} ${words}`)).toBe(letters(line));
      expect(line.length).toBeLessThanOrEqual(MAX_QUERY);
    }),
    { numRuns: 500 },
  );
});

test('a place with a stray quotation mark is the same when its address is read again', () => {
  const { filters } = read('near on ” on');
  expect(filters.near).toBe('on on');
  expect(readFilters(new URLSearchParams(queryOf(filters))).filters).toEqual(filters);
});

test('a quoted phrase stays whole', () => {
  fc.assert(
    fc.property(
      fc.array(
        pieces.filter((piece) => !['"', '“', '”', '\u0000'].includes(piece)),
        { minLength: 1, maxLength: 5 },
      ),
      (inner) => {
        const quoted = `"${inner.join(' ')}"`;
        expect(read(`Monday ${quoted} evening`).words).toBe(quoted.replaceAll(/\s+/g, ' '));
      },
    ),
  );
});

test.each([
  ['pilates late', 'late', 'early', 'pilates early'],
  ['Yooga on Monday', 'yooga', 'yoga', 'yoga on Monday'],
  ['Yógga, swim', 'yogga', 'yoga', 'yoga, swim'],
  ['old tai-chee class', 'tai chee', 'tai chi', 'old tai chi class'],
  ['men’s yooga', 'mens', 'womens', 'womens yooga'],
  ['$1 yooga', 'yooga', '$1', '$1 $1'],
  ['pilates', 'late', 'early', 'pilates'],
  ['pilates', '', 'early', 'pilates'],
])('%s with other words for %s', (text, words, by, expected) => {
  expect(withWord(text, words, by)).toBe(expected);
});

/** A pattern that went back and forth would not end within the test. */
test.each([
  ['blanks', ' '],
  ['words', 'a '],
  ['one word', 'x'],
  ['numbers', '5-'],
  ['prices', '£'],
  ['quotation marks', '"'],
  ['apostrophes', "a'"],
  ['places', 'near '],
  ['ranges', 'between 5 and '],
  ['times', '1:1'],
  ['marks', '\u0301'],
  ['halves of characters', '\ud83d'],
])('a long query of %s is cut', (_name, piece) => {
  const { query: line } = read(piece.repeat(100_000));
  expect(line.length).toBeLessThanOrEqual(MAX_QUERY);
});
