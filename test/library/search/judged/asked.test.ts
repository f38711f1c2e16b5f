import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Town } from '../town.ts';
import { sampleCounty } from './regions/county.ts';

/** Sixty more questions, as people type them on a phone: names that the first answer may have; `null`: the data has none. */

let town: Town;
beforeAll(async () => {
  town = await sampleCounty();
}, 60_000);
afterAll(() => town.rig.close());

const ASKED: readonly (readonly [question: string, first: RegExp | null])[] = [
  ['where can i take my 3yr old swimming nr me', /toddler swim|splash/i],
  ['swimin lessons 4 kids', /junior swimming lessons/i],
  ['badmington court tonite', /badminton/i],
  ['gym induction exeter', /gym induction/i],
  ['gym inductions under 16', /teen gym/i],
  ['anything on for over 60s on weds morning', /gold|walking|balance|low impact/i],
  ['walking netball', /netball/i],
  ['walking football for men saltmouth', /men’s walking football/i],
  ['lane swim b4 work', /lane/i],
  ['lane swimming 6.30am', /lane/i],
  ['aquafit ex99', /aqua fit/i],
  ['dissabled gym', /accessible gym/i],
  ['wheelchair friendly gym', /accessible gym/i],
  ['gym for blind man', /accessible gym/i],
  ['deaf friendly yoga', null],
  ['swimming for autistic kids', /relaxed swim/i],
  ['lgbt swimming', /swim/i],
  ['trans swim', /swim/i],
  ['men only yoga', /men’s yoga/i],
  ['mens mental health football', null],
  ['dads and kids football', /football/i],
  ['baby massage', null],
  ['mum and baby yoga', /baby/i],
  ['postnatal pilates', null],
  ['pregnancy yoga under a tenner', /pregnancy yoga/i],
  ['boxing bank holiday monday', /box/i],
  ['swimming bank holiday', /swim|lanes/i],
  ['is the pool open now', null],
  ['gym open sunday', /gym|weights/i],
  ['zumba ex4 tues eve', null],
  ['free stuff for kids half term', null],
  ['cheap swim for oap', /swim/i],
  ['adult beginner swimming lessons', /adult swimming lessons/i],
  ['learn 2 swim adult', /swim.*adult|adult.*swim/i],
  ['yoga 4 beginners nr exeter', /yoga/i],
  ['nofio', /swim/i],
  ['dosbarth ioga', /yoga/i],
  ['rhedeg', /running|5k/i],
  ['couch25k', /couch to 5k/i],
  ['parkrun', /run/i],
  ['spin clas 6am', null],
  ['hiit b4 9am', /hiit/i],
  ['body pump wed 6.30', /body pump/i],
  ['kids karate sat am', /karate/i],
  ['u8 football training', /football training/i],
  ['under 7s football girls', /football/i],
  ['teenage gym sessions', /teen gym/i],
  ['trampolining for adults', null],
  ['soft play rainy day', /soft play/i],
  ['roller skating party', /roller/i],
  ['bums n tums', /bums & tums/i],
  ['pilates w/ reformer', /pilates reformer/i],
  ['squash court hire', /squash/i],
  ['tennis lessons adult improver', /tennis/i],
  ['table tennis 4 pensioners', /table tennis/i],
  ['chair excercise', /chair/i],
  ['strenth and balance class over 70', /strength and balance/i],
  ['dementia friendly', /memory walk/i],
  ['nordic walkin', /walk/i],
  ['health walks great harrow', /health walk/i],
];

test('the first answer is a right one', async () => {
  expect(ASKED).toHaveLength(60);
  const wrong: string[] = [];
  for (const [q, meant] of ASKED) {
    const [first] = (await town.library.search.occurrences({ q }, { limit: 1 })).items;
    const isRight = meant === null ? first === undefined : first !== undefined && meant.test(first.name);
    if (!isRight) wrong.push(q);
  }
  expect(wrong).toEqual([]);
});
