import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OccurrenceItem } from '../../../../src/library/search/types.ts';
import { ALL_WORDS, UNDERSTOOD } from '../../../search/questions.ts';
import type { Town } from '../town.ts';
import { everything, type Question, rightAnswers } from './judge.ts';
import { sampleCounty } from './regions/county.ts';

/** Every seventh of the questions that people ask, of the sample town and a county around it, on a Tuesday at noon. */

let town: Town;
let all: OccurrenceItem[];
beforeAll(async () => {
  town = await sampleCounty();
  all = await everything(town.library, '2026-12-22');
}, 60_000);
afterAll(() => town.rig.close());

const ASKED: readonly Question[] = [...UNDERSTOOD, ...ALL_WORDS.map((words): Question => [words, words, ''])].filter(
  (_, index) => index % 7 === 0,
);

/** Still answered wrongly: one that is named has something broader instead, the others have a word that is not in the data. */
const WRONG_OCCURRENCES = ['P90X', 'yoga at 25:00', 'two for one yoga'];
const WRONG_SERIES = ['P90X', 'yoga at 25:00', 'two for one yoga'];

test('the county has what people ask for', () => {
  expect(ASKED).toHaveLength(64);
  expect(new Set(all.map(({ series }) => series.key)).size).toBeGreaterThan(500);
  expect(ASKED.filter((question) => rightAnswers(all, question).length > 0).length).toBeGreaterThan(50);
});

test('the first occurrence is the earliest right one', async () => {
  const wrong: string[] = [];
  for (const question of ASKED) {
    const right = rightAnswers(all, question);
    const [first] = (await town.library.search.occurrences({ q: question[0] }, { limit: 1 })).items;
    const isRight = right.some(({ series, start }) => series.key === first?.series.key && start === first.start);
    if (!(isRight && first?.start === right[0]?.start) && !(right.length === 0 && first === undefined))
      wrong.push(question[0]);
  }
  expect(wrong).toEqual(WRONG_OCCURRENCES);
});

test('the first series is a right one', async () => {
  const wrong: string[] = [];
  for (const question of ASKED) {
    const right = rightAnswers(all, question);
    const [first] = (await town.library.search.series({ q: question[0] }, { limit: 1 })).items;
    const isRight = right.some(({ series }) => series.key === first?.key);
    if (!isRight && !(right.length === 0 && first === undefined)) wrong.push(question[0]);
  }
  expect(wrong).toEqual(WRONG_SERIES);
});
