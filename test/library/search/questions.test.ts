import { afterAll, beforeAll, expect, test } from 'vitest';
import { sampleTown, type Town } from './town.ts';

/** What people ask of the sample town, on a Tuesday at noon: the first answer, by start. */

let town: Town;
beforeAll(async () => {
  town = await sampleTown();
});
afterAll(() => town.rig.close());

const QUESTIONS: readonly (readonly [question: string, first: string])[] = [
  ['swimming for toddlers on Saturday morning', 'Splash Tots'],
  ['free football tonight near EX99', 'Friday Night Five-a-side'],
  ['Tuesday evening yoga under eight pounds', 'Candlelight Yoga'],
  ['yoga for beginners', 'Candlelight Yoga'],
  ['yoga with Ines', 'Candlelight Yoga'],
  ['morning yoga', 'Dawn Yoga Flow'],
  ['baby swimming', 'Baby Swim'],
  ['chair exercise for seniors', 'Chair Yoga'],
  ['women only swimming', 'Women-only Swim'],
  ["men's boxing", 'Men’s Boxing Fitness'],
  ['wheelchair basketball', 'Wheelchair Basketball'],
  ['basketbal', 'Wheelchair Basketball'],
  ['something for blind people', 'Sound Tennis'],
  ['tennis for visually impaired', 'Sound Tennis'],
  ['accessible exercise', 'Chair Yoga'],
  ['karate for 6 year olds', 'Little Tigers Karate'],
  ['couch to 5k', 'Couch to 5k'],
  ['running for free', 'Couch to 5k'],
  ['lunchtime pilates', 'Lunchtime Pilates'],
  ['pilatis', 'Lunchtime Pilates'],
  ['zumba monday', 'Zumba'],
  ['judo in Little Tarrow', 'Judo Club'],
  ['gymnastics for a 3 year old', 'Gym Tots'],
  ['early morning HIIT', 'Express HIIT'],
  ['bowls thursday evening', 'Evening Bowls'],
  ['climbing friday', 'Friday Climbing Social'],
  ['netball for women', 'Back to Netball'],
  ['badminton friday night', 'Badminton Club Night'],
  ['badmitten', 'Badminton Club Night'],
  ['walking football at Harbour Lane', 'Walking Football'],
  ['tai chi under £3', 'Tai Chi for Balance'],
  ['table tennis tonight', 'Table Tennis Drop-in'],
  ['swimming before work', 'Early Bird Lanes'],
  ['dementia walk', 'Memory Walk'],
  ['what is on at Harbour Lane Leisure Centre', 'Walking Football'],
  ["what's on this weekend", 'Early Bird Lanes'],
  ["what's on tonight", 'Candlelight Yoga'],
  ['evening classes at Bridge Street Hall', 'Candlelight Yoga'],
  ['dancing', 'Last Friday Social Dance'],
  ['social dance', 'Last Friday Social Dance'],
  ['free things for kids this weekend', 'Harbour Lane Open Day'],
  ['open day', 'Harbour Lane Open Day'],
  ['aqua fit', 'Aqua Fit'],
  ['aqua aerobics tuesday or thursday', 'Aqua Fit'],
  ['learn to swim adults', 'Learn to Swim for Adults, Stage 1'],
  ['kids run sunday', 'Junior Fun Run'],
  ['walking football over 50', 'Walking Football'],
  ['parkour saturday', 'Parkour for Teens'],
  ['online', 'Desk Stretch with Studio Manhattan'],
  ['weight training for women', 'Women on Weights'],
  ['ramble sunday', 'Second Sunday Ramble'],
  ['swimming gala', 'Wexcombe Swimming Gala'],
  ['spin friday', 'Midnight Spin'],
  ['late night spin', 'Midnight Spin'],
  ['coach kenji', 'Judo Club'],
  ['whens the next open day', 'Harbour Lane Open Day'],
  ['spin fri eve', 'Midnight Spin'],
  ['yoga near EX99', 'Candlelight Yoga'],
  ['cheapest yoga', 'Candlelight Yoga'],
  ['beginer yoga', 'Candlelight Yoga'],
  ['yoga 6pm or later weekdays', 'Candlelight Yoga'],
  ['parent and baby swimming weekday mornings', 'Baby Swim'],
  ['daddy and baby swim', 'Baby Swim'],
  ['mums and tots gym', 'Gym Tots'],
  ['kids judo', 'Judo Club'],
  ['judo wensday', 'Judo Club'],
  ['karate 4 kids', 'Little Tigers Karate'],
  ['over 60s walking football', 'Walking Football'],
  ['nordic walking', 'Memory Walk'],
  ['walkers group', 'Memory Walk'],
  ['cheap swim sunday', 'Early Bird Lanes'],
  ['Saterday morning swim', 'Early Bird Lanes'],
  ['tabel tennis', 'Table Tennis Drop-in'],
  ['aqau fit', 'Aqua Fit'],
  ['what time is aqua fit', 'Aqua Fit'],
  ['couch to 5 k', 'Couch to 5k'],
  ['learn to swim for grown ups', 'Learn to Swim for Adults, Stage 1'],
  ['coaching course', 'Coaching Award: day one'],
  ["what's on for toddlers this week", 'Baby Swim'],
  ['lanes', 'Early Bird Lanes'],
  ['swimming wexcombe', 'Early Bird Lanes'],
  ['wexcombe', 'Walking Football'],
  ['harbour lane', 'Walking Football'],
  ['things for under 5s', 'Baby Swim'],
  ['martial arts for kids', 'Little Tigers Karate'],
  ['kids swimming', 'Splash Tots'],
  ['table tennis for kids', 'Table Tennis Drop-in'],
  ['things for kids tonight', 'Table Tennis Drop-in'],
];

test('70 questions, with the right first answer', async () => {
  const wrong: string[] = [];
  for (const [question, first] of QUESTIONS) {
    const { items } = await town.library.search.occurrences({ q: question }, { limit: 1 });
    if (items[0]?.name !== first) wrong.push(`${question}: ${items[0]?.name}, not ${first}`);
  }
  expect(QUESTIONS.length).toBeGreaterThanOrEqual(70);
  expect(wrong).toEqual([]);
});

test('where nothing is found, what it is alone is suggested', async () => {
  const q = 'two for one yoga on Friday';
  expect((await town.library.search.occurrences({ q }, { limit: 1 })).items).toEqual([]);
  expect((await town.library.search.suggestions({ q })).didYouMean).toContain('yoga on Friday');
});

test('where no filter alone is to blame, it is found with one word less, or by its words alone', async () => {
  const without = async (q: string) =>
    (await town.library.search.suggestions({ q })).without.map(({ part, filters }) => [part, filters.q]);
  expect(await without('postnatal exercise')).toEqual([['postnatal', 'exercise']]);
  expect(await without('football for girls only after school')).toEqual([['for girls only after school', 'football']]);
});
