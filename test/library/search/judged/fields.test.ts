import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OccurrenceItem } from '../../../../src/library/search/types.ts';
import type { Town } from '../town.ts';
import { everything, rightBy } from './judge.ts';
import { sampleCounty } from './regions/county.ts';

/** Fifty more questions, written by the fields of the data alone: what is right is said by fields, not by the search. */

let town: Town;
let all: OccurrenceItem[];
beforeAll(async () => {
  town = await sampleCounty();
  all = await everything(town.library, '2026-12-22');
}, 60_000);
afterAll(() => town.rig.close());

const SWIM = /swim|aqua|early bird lanes|splash tots/i;

/** The question, the fields of right answers, what their name, activity or category says. */
const ASKED: readonly [question: string, filters: string, meant: RegExp][] = [
  ['badminton wednesday evening', 'day=wed&after=17:00', /badminton/i],
  ['where can I play squash', '', /squash/i],
  ['karate for 7 year old', 'age=7', /karate/i],
  ['free walks at the weekend', 'free=1&day=sat,sun', /walk(?!ing (football|netball))|rambl/i],
  ['tai chi mornings', 'before=12:00', /tai chi/i],
  ['netball near Saltmouth', 'near=Saltmouth', /netball/i],
  ['swimming lessons for adults', 'age=18-', /swimming lesson|learn to swim/i],
  ['baby swimming', 'age=0-1', SWIM],
  ['women only gym', 'gender=female', /\bgym\b|weights/i],
  ['walking football for over 60s', 'age=60-', /walking football/i],
  ['boxing for beginners', 'level=Beginner', /box/i],
  ['hiit before work', 'before=09:00', /hiit|high intensity/i],
  ['body pump EX97', 'near=EX97', /body ?pump/i],
  ['junior tennis saturday morning', 'day=sat&before=12:00&age=5-15', /(?<!table )tennis/i],
  ['trampolining after school', 'after=15:00&before=18:30', /trampolin/i],
  ['street dance for 12 year olds', 'age=12', /street dance/i],
  ['couch to 5k', '', /couch to 5k/i],
  ['open water swimming sunday', 'day=sun', /open water/i],
  ['wild swimming', '', /open water|wild/i],
  ['wheelchair basketball', '', /wheelchair basketball/i],
  ['yoga for men', 'gender=male', /yoga/i],
  ['pregnancy yoga under £10', 'maxPrice=10', /pregnan/i],
  ['zumba gold for seniors', 'age=60-', /zumba gold/i],
  ['online yoga', 'online=1', /yoga|stretch/i],
  ['chair yoga near Great Harrow', 'near=Great Harrow', /chair yoga/i],
  ['five a side this week', 'from=2026-11-24&to=2026-11-30', /5-a-side|five-a-side|small sided/i],
  ['ballet for 3 year old', 'age=3', /ballet/i],
  ['aqua aerobics tomorrow', 'from=2026-11-25&to=2026-11-26', /aqua/i],
  ['lane swimming before 8am', 'before=08:00', /lane/i],
  ['gym for teenagers', 'age=13-17', /\bgym\b/i],
  ['judo monday', 'day=mon', /judo/i],
  ['spin class tuesday evening', 'day=tue&after=17:00', /spin|cycling/i],
  ['family swim', '', /family swim/i],
  ['autism friendly swimming', 'accessible=Learning impairment', SWIM],
  ['strength and balance over 65', 'age=65-', /strength and balance/i],
  ['rambling sunday', 'day=sun', /rambl/i],
  ['pilates reformer advanced', 'level=Advanced', /pilates/i],
  ['vinyasa intermediate', 'level=Intermediate', /vinyasa/i],
  ['roller skating kids', 'age=3-11', /roller|skat/i],
  ['running club thursday', 'day=thu', /\brun|5k/i],
  ['table tennis', '', /table tennis/i],
  ['girls football', 'gender=female', /football/i],
  ['soft play for a 2 year old', 'age=2', /soft play/i],
  ['tea dance', '', /tea dance/i],
  ['swimming under £3', 'maxPrice=3', SWIM],
  ['yoga in Beer Regis on saturday', 'near=Beer Regis&day=sat', /yoga|vinyasa/i],
  ['legs bums and tums', '', /legs/i],
  ['basketball for juniors', 'age=5-15', /basketball/i],
  ['gymnastics for 4 year olds near Exeter', 'age=4&near=Exeter', /gymnast/i],
  ['exercise for people with a visual impairment', 'accessible=Visual impairment', /./],
];

/** Rambling is any walk to the activity list. */
const WRONG = ['rambling sunday'];

test('the first answer is a right one', async () => {
  expect(ASKED).toHaveLength(50);
  const wrong: string[] = [];
  for (const [question, filters, meant] of ASKED) {
    const right = rightBy(all, filters, meant);
    const [first] = (await town.library.search.occurrences({ q: question }, { limit: 1 })).items;
    const isRight = right.some(({ series, start }) => series.key === first?.series.key && start === first.start);
    if (!isRight && !(right.length === 0 && first === undefined)) wrong.push(question);
  }
  expect(wrong).toEqual(WRONG);
});
