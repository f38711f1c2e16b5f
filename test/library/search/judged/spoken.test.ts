import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sampleTown, type Town } from '../town.ts';
import { countyItems } from './county.ts';

/** What people say to a search as they would to somebody at a desk, on a Tuesday at noon: the first answer, by start. */

type Asked = readonly [question: string, first: string];

const OF_TOWN: readonly Asked[] = [
  ['Hey Google, find me a yoga class tonight', 'Candlelight Yoga'],
  ['Alexa, what exercise classes are on tomorrow morning', 'Dawn Yoga Flow'],
  ['ok google is there badminton on friday night', 'Badminton Club Night'],
  ['Siri where can I go swimming on Sunday', 'Early Bird Lanes'],
  ['do you have any judo classes', 'Judo Club'],
  ["I'd like to try yoga", 'Candlelight Yoga'],
  ['I would like to do yoga on thursday', 'Chair Yoga'],
  ['my son wants to do karate', 'Little Tigers Karate'],
  ['need a spin class friday', 'Midnight Spin'],
  ['can anyone recommend a yoga class', 'Candlelight Yoga'],
  ['pls yoga tuesday', 'Candlelight Yoga'],
  ['events', 'Desk Stretch with Studio Manhattan'],
  ['learn to swim', 'Learn to Swim for Adults, Stage 1'],
  ['suggest a class for tomorrow evening', 'Kettlebells'],
  ['anything happening tonight', 'Candlelight Yoga'],
  ['somewhere to swim before work', 'Early Bird Lanes'],
  ['who teaches candlelight yoga', 'Candlelight Yoga'],
  ['Hi there! My daughter is 4 and would love to try gymnastics, is there anything on Saturdays?', 'Gym Tots'],
  ['I work nights so I need something in the afternoon, any pilates?', 'Lunchtime Pilates'],
  ['My husband uses a wheelchair and likes basketball', 'Wheelchair Basketball'],
  ["I'd like to get back into netball after having kids", 'Back to Netball'],
  ['Looking for something free to do with the family on Saturday', 'Harbour Lane Open Day'],
  ['Hello, I was wondering whether there is any yoga', 'Candlelight Yoga'],
  ['football team looking for a pitch', 'Friday Night Five-a-side'],
  ['mixed ability yoga', 'Candlelight Yoga'],
  ['mum n baby swim', 'Baby Swim'],
  ['walk for people with memory loss', 'Memory Walk'],
  ['running for my 30 year old girlfriend', 'Couch to 5k'],
  ['sat morning karate kids', 'Little Tigers Karate'],
  ['park run sunday kids', 'Junior Fun Run'],
  ['OAPs tai chi', 'Tai Chi for Balance'],
  ['female swimming', 'Women-only Swim'],
  ['gents boxing', 'Men’s Boxing Fitness'],
  ['teenage parkour', 'Parkour for Teens'],
  ['wee ones gymnastics', 'Gym Tots'],
  ['karate for my 8 year old boy', 'Little Tigers Karate'],
  ['gymnastics for a 4 year old boy', 'Gym Tots'],
  ['swimming for my 3 year old girl', 'Splash Tots'],
  ['boys karate', 'Little Tigers Karate'],
  ['girls parkour', 'Parkour for Teens'],
  ['Swim lessons for 18 month old', 'Baby Swim'],
  ['when is the gym open', 'Women on Weights'],
  ['adult swimming lessons', 'Learn to Swim for Adults, Stage 1'],
  ['adult swimming lessons for beginners', 'Learn to Swim for Adults, Stage 1'],
  ['swimming lessons for adults', 'Learn to Swim for Adults, Stage 1'],
  ['strength training', 'Kettlebells'],
  ['weights', 'Kettlebells'],
  ['footy friday', 'Friday Night Five-a-side'],
  ['c25k', 'Couch to 5k'],
  ['couch to 5 km', 'Couch to 5k'],
  ['chair based exercise', 'Chair Yoga'],
  ['yoga and pilates tomorrow', 'Dawn Yoga Flow'],
  ['yoga & pilates tomorrow', 'Dawn Yoga Flow'],
  ['yoga at Bridge St Hall', 'Candlelight Yoga'],
  ['evening classes at bridge st hall', 'Candlelight Yoga'],
];

const OF_COUNTY: readonly Asked[] = [
  ['List all free classes in Wexcombe on Saturday', 'Harbour Lane Open Day'],
  ["I can't swim and I'm 45", 'Adult Swimming Lessons - Beer Regis'],
  ['quiet swim for autistic son', 'Relaxed Swim'],
  ['guided walks free', 'Memory Walk'],
  ['girls gymnastics', 'Gymnastics Club (Tuesday)'],
  ['7yo gymnastics', 'Gymnastics Club (Tuesday)'],
  ['sea swimming', 'Open Water Swimming (Saturday)'],
  ['yoga for pregnant women', 'Pregnancy Yoga (Tuesday)'],
  ['LBT', 'Legs, Bums & Tums - Wexcombe'],
  ['mum and toddler swim next tuesday', 'Baby Swimming Lessons - Saltmouth'],
  ['something fun for a 10 year old on a Friday evening', 'Climbing Taster (Friday)'],
  ['yoga Exetor', 'Pregnancy Yoga (Tuesday)'],
  ['no more than 5 miles from Exeter tai chi', 'Tai Chi for Balance'],
];

let town: Town;
beforeAll(async () => {
  town = await sampleTown();
});
afterAll(() => town.rig.close());

const first = async (q: string) => (await town.library.search.occurrences({ q }, { limit: 1 })).items[0]?.name;

describe('of the town', () => {
  test.each(OF_TOWN)('%s', async (question, expected) => expect(await first(question)).toBe(expected));
});

test('what nothing has beside the rest is said', async () => {
  const unmatched = async (q: string) => (await town.library.search.occurrences({ q }, { limit: 1 })).unmatched;
  expect(await unmatched('girls parkour')).toEqual(['girls']);
  expect(await unmatched('karate for my 8 year old boy')).toEqual(['boy']);
  expect(await unmatched('I work nights so I need something in the afternoon, any pilates?')).toEqual([
    'work',
    'nights',
    'so',
  ]);
  for (const exact of ['girls only parkour', 'parkour for women and girls', "women's parkour", "men's chair yoga"]) {
    const { items } = await town.library.search.occurrences({ q: exact }, { limit: 1 });
    expect([exact, items, await unmatched(exact)]).toEqual([exact, [], undefined]);
  }
  expect(await unmatched('yoga')).toBeUndefined();
});

describe('of the county', () => {
  beforeAll(async () => {
    await town.rig.feed(countyItems(), 260, 'https://data.county.example/api/series');
  }, 60_000);
  test.each(OF_COUNTY)('%s', async (question, expected) => expect(await first(question)).toBe(expected));
});
