import { describe, expect, test } from 'vitest';
import { counted } from '../../../src/library/index.ts';
import { markupText } from '../../../src/server/pages/frame/markup.tsx';
import { DayAndTimes, shownIn, When } from '../../../src/server/pages/times.tsx';
import {
  addressWords,
  agesWords,
  amountWords,
  countWords,
  dateWords,
  dayName,
  daysWords,
  distanceWords,
  lastLocalDay,
  leaderWords,
  nameWords,
  occurrenceName,
  placesLeftWords,
  priceWords,
  sinceWords,
  telAddress,
} from '../../../src/server/pages/wording.ts';
import { dayOfDate as dayOf } from '../../../src/time/days.ts';

const TODAY = dayOf('2026-11-24');
const LONDON = 'Europe/London';
const at = (text: string) => Date.parse(text);

test.each([
  ['2026-11-24', 'Today'],
  ['2026-11-25', 'Tomorrow'],
  ['2026-11-23', 'Mon 23 Nov'],
  ['2026-12-01', 'Tue 1 Dec'],
  ['2027-01-04', 'Mon 4 Jan 2027'],
])('the day %s is %s', (date, words) => expect(dayName(dayOf(date), TODAY)).toBe(words));

test.each([
  ['2026-12-12', '2026-12-13', 'Sat 12 to Sun 13 Dec'],
  ['2026-11-30', '2026-12-02', 'Mon 30 Nov to Wed 2 Dec'],
  ['2026-12-31', '2027-01-01', 'Thu 31 Dec to Fri 1 Jan 2027'],
  ['2026-12-12', '2026-12-12', 'Sat 12 Dec'],
])('%s to %s: %s', (first, last, words) => expect(daysWords(dayOf(first), dayOf(last), TODAY)).toBe(words));

test.each<[string | undefined, string[], string]>([
  ['Dawn Yoga', ['Yoga'], 'Dawn Yoga'],
  ['', ['Yoga', 'Pilates'], 'Yoga, Pilates'],
  [undefined, [], 'Without a name'],
])('%o of %o is called %s', (name, activity, called) => {
  expect(nameWords(name, activity)).toBe(called);
  const series = { key: 'a', id: 'https://id.example/a', name: name ?? '' };
  expect(occurrenceName({ name: '', series, activity: activity.map((one) => ({ name: one })) })).toBe(called);
});

test.each<[string, string, true | undefined, string]>([
  ['2026-11-27T10:00Z', '2026-11-29T17:00Z', undefined, '2026-11-29'],
  ['2026-11-27T22:00Z', '2026-11-28T04:00Z', undefined, '2026-11-27'],
  ['2026-11-27T22:00Z', '2026-11-28T04:01Z', undefined, '2026-11-28'],
  ['2026-11-27T00:00Z', '2026-11-29T00:00Z', true, '2026-11-28'],
  ['2026-11-27T10:00Z', '2026-11-27T10:00Z', undefined, '2026-11-27'],
])('from %s to %s is on until %s, %s', (start, end, allDay, last) => {
  const span = { start: at(start), end: at(end), ...(allDay && { allDay }) };
  expect(lastLocalDay(span, LONDON)).toBe(dayOf(last));
});

test('what began on another day says on which', () => {
  expect(sinceWords(TODAY, TODAY)).toBeUndefined();
  expect(sinceWords(TODAY - 1, TODAY)).toBe('Mon');
  expect(sinceWords(TODAY - 7, TODAY)).toBe('Tue 17 Nov');
});

test('the year is named where it is another one', () => {
  expect(dateWords(dayOf('2025-03-01'), TODAY)).toBe('Sat 1 Mar 2025');
});

/** What is heard: without what is hidden from screen readers. */
async function heard(markup: Parameters<typeof markupText>[0]): Promise<string> {
  const text = await markupText(markup);
  return text.replaceAll(/<span aria-hidden="true">.*?<\/span>/g, '').replaceAll(/<[^>]*>/g, '');
}

describe('times', () => {
  const table: [title: string, start: string, end: string, said: string][] = [
    ['an evening', '2026-11-24T18:00Z', '2026-11-24T19:00Z', '18:00 to 19:00'],
    ['past midnight', '2026-11-27T23:30Z', '2026-11-28T00:15Z', '23:30 to 00:15 (Sat)'],
    ['for weeks', '2026-11-27T09:00Z', '2026-12-27T17:00Z', '09:00 to Sun 27 Dec, 17:00'],
    ['without an end', '2026-11-24T18:00Z', '2026-11-24T18:00Z', '18:00'],
  ];
  test.each(table)('%s', async (_, start, end, said) => {
    const piece = When({ span: { start: at(start), end: at(end) }, zone: LONDON });
    expect(await heard(piece)).toBe(said);
  });

  test('each time is a <time> with its instant', async () => {
    const span = { start: at('2026-07-02T17:00Z'), end: at('2026-07-02T18:00Z') };
    expect(await markupText(When({ span, zone: LONDON }))).toContain(
      '<time datetime="2026-07-02T17:00:00Z">18:00</time>',
    );
  });

  test('days', async () => {
    const now = at('2026-11-24T12:05Z');
    const of = (span: { start: number; end?: number; allDay?: true }) =>
      heard(DayAndTimes({ span, zone: LONDON, home: LONDON, now }));
    expect(await of({ start: at('2026-11-25T18:00Z'), end: at('2026-11-25T19:00Z') })).toBe('Tomorrow, 18:00 to 19:00');
    expect(await of({ start: at('2026-12-12'), end: at('2026-12-14'), allDay: true })).toBe('Sat 12 to Sun 13 Dec');
    expect(await of({ start: at('2026-12-12'), allDay: true })).toBe('Sat 12 Dec, all day');
  });

  test('no day of another zone is called today while the date is another at home', async () => {
    const of = (now: string) =>
      heard(
        DayAndTimes({ span: { start: at('2026-11-27T13:00Z') }, zone: 'America/New_York', home: LONDON, now: at(now) }),
      );
    expect(await of('2026-11-27T12:00Z')).toBe('Today, 08:00 (New York time)');
    expect(await of('2026-11-27T02:00Z')).toBe('Fri 27 Nov, 08:00 (New York time)');
  });

  test.each(['', 'Nowhere/None', '<b>'])('a zone that is none (%s) falls back to UTC', async (zone) => {
    expect(await heard(When({ span: { start: at('2026-07-02T17:00Z') }, zone }))).toBe('17:00');
  });

  test('another zone is named as a city, where its clocks differ', () => {
    const summer = at('2026-11-24T13:00Z');
    expect(shownIn(LONDON, LONDON, summer)).toEqual({ zone: LONDON });
    expect(shownIn('Europe/Dublin', LONDON, summer)).toEqual({ zone: 'Europe/Dublin' });
    expect(shownIn('America/New_York', LONDON, summer, true)).toEqual({ zone: LONDON, note: '(08:00 in New York)' });
    expect(shownIn('America/New_York', LONDON, summer)).toEqual({ zone: 'America/New_York', note: '(New York time)' });
  });
});

const pounds = (...prices: (number | undefined)[]) =>
  prices.map((price) => ({ currency: 'GBP', ...(price !== undefined && { price }) }));

test.each([
  [[], undefined],
  [[undefined], undefined],
  [[0], 'Free'],
  [[6.5], '£6.50'],
  [[6.5, 6.5, undefined], '£6.50'],
  [[5, 2.5], '£2.50 to £5.00'],
  [[0, 5], 'Free to £5.00'],
  [[8, 9, 10, 12], 'from £8.00'],
  [[0, 8, 9, 12], 'Free to £12.00'],
] as [(number | undefined)[], string | undefined][])('prices %j: %s', (prices, words) =>
  expect(priceWords(pounds(...prices))).toBe(words),
);

const euros = (price: number) => ({ currency: 'EUR', price });

test.each([
  [[euros(6), ...pounds(5)], '€6.00 or £5.00'],
  [[...pounds(5, 7), euros(6)], '€6.00 or £5.00 to £7.00'],
  [[...pounds(5), euros(6), { currency: 'USD', price: 9 }], '€6.00, £5.00 or US$9.00'],
  [[...pounds(5, 7, 8), euros(6)], '€6.00 or from £5.00'],
  [[{ price: 0 }, ...pounds(5), euros(6)], 'Free to €6.00 or £5.00'],
  [[...pounds(0), euros(6)], 'Free to €6.00'],
  [[{ price: 4 }, { price: 5, currency: 'GBP' }, { price: 6, currency: 'EUR' }], '€6.00, £5.00 or 4'],
])('prices in several currencies, %j: %s', (offers, words) => expect(priceWords(offers)).toBe(words));

test('a currency that is none is a text', () => {
  expect(amountWords(3.5, '<b>')).toBe('3.50 <b>');
  expect(amountWords(3, 'eur')).toBe('€3.00');
});

test.each([
  [0, 'under 100 m'],
  [0.04, 'under 100 m'],
  [0.1, '0.1 km'],
  [0.42, '0.4 km'],
  [9.94, '9.9 km'],
  [9.96, '10 km'],
  [12.4, '12 km'],
])('%d km: %s', (km, words) => expect(distanceWords(km)).toBe(words));

test.each([
  [undefined, undefined],
  [{ min: 0 }, undefined],
  [{ min: 60 }, 'Over 60'],
  [{ min: 16 }, '16 and over'],
  [{ min: 11, max: 16 }, '11 to 16'],
  [{ min: 7, max: 7 }, '7'],
  [{ max: 4 }, 'Under 5'],
  [{ max: 30 }, 'Up to 30'],
])('ages %j: %s', (range, words) => expect(agesWords(range)).toBe(words));

test.each([
  [undefined, undefined],
  [[], undefined],
  [['Priya'], 'with\u00a0Priya'],
  [['Priya', 'Tom', 'Priya'], 'with\u00a0Priya and Tom'],
  [['Priya', 'Tom', 'Ana'], 'with\u00a0Priya and 2 others'],
])('leaders %j: %s', (leader, words) => expect(leaderWords(leader)).toBe(words));

test('counts', () => {
  expect([countWords(1204), countWords(5000, true)]).toEqual(['1,204', '5,000+']);
  expect([1, 0, 1204, 1_000_000].map((count) => counted(count, 'session'))).toEqual([
    '1 session',
    '0 sessions',
    '1,204 sessions',
    '1,000,000 sessions',
  ]);
  expect([5, 1, 0].map(placesLeftWords)).toEqual(['5 places left', '1 place left', 'Full']);
});

test.each([
  ['12 Harbour Lane, Wexcombe, EX99 1AA, GB', 'Europe/London', '12 Harbour Lane, Wexcombe, EX99 1AA'],
  ['1 High Street, Leeds, United Kingdom', 'Europe/London', '1 High Street, Leeds'],
  ['1 Main Street, Springfield, IL', 'Europe/London', '1 Main Street, Springfield, IL'],
  ['12 Harbour Lane, Wexcombe, GB', 'America/New_York', '12 Harbour Lane, Wexcombe, GB'],
  ['GB', 'Europe/London', 'GB'],
])('%s at home in %s', (address, home, words) => {
  expect(addressWords(address, 'Europe/London', home)).toBe(words);
});

test.each([
  ['+44 (0)1392 123456', 'tel:+441392123456'],
  ['01392 123456', 'tel:01392123456'],
  ['(01392) 12-34.56', 'tel:01392123456'],
  ['ring the desk', undefined],
  ['01392 123456 ext. 7', undefined],
  ['01392 123456 / 01392 654321', undefined],
  ['99', undefined],
  ['', undefined],
  [undefined, undefined],
])('%j is called as %j', (telephone, address) => {
  expect(telAddress(telephone)).toBe(address);
});
