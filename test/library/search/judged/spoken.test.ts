import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { queryOf } from '../../../../src/search/query.ts';
import { sampleTown, type Town } from '../town.ts';
import { feedCounty } from './regions/county.ts';

/** What people say to a search as they would to somebody at a desk, on a Tuesday at noon: the first answer, by start. */

type Asked = readonly [question: string, first: string | undefined];

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
  ['couch to 5km', 'Couch to 5k'],
  ['couch 2 5k', 'Couch to 5k'],
  ['couchto5k', 'Couch to 5k'],
  ['run 5km', 'Couch to 5k'],
  ['wimmin swim', 'Women-only Swim'],
  ['free running for teenagers', 'Parkour for Teens'],
  ['coaching course saturday', 'Coaching Award: day one'],
  ['swimming course', 'Learn to Swim for Adults, Stage 1'],
  ['coaching saturday', 'Coaching Award: day one'],
  ['training saturday', 'Early Bird Lanes'],
  ['cardio', 'Kettlebells'],
  ['fitness classes', 'Kettlebells'],
  ['keep fit', 'Kettlebells'],
  ['workout before work', 'Express HIIT'],
  ['30 minute hiit', 'Express HIIT'],
  ['45-min pilates', 'Lunchtime Pilates'],
  ['half hour swim', 'Early Bird Lanes'],
  ['badminton for two hours', 'Badminton Club Night'],
  ['yoga under an hour long', 'Candlelight Yoga'],
  ['somthing for a 3 yr old on saturday', 'Gym Tots'],
  ['anythng for over 60s', 'Walking Football'],
  ['baby yoga', undefined],
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
  ['boys football saturday', 'Junior Football Training (Saturday)'],
  ['boys football monday', 'BOYS FOOTBALL TRAINING U9'],
  ['boys football friday', 'Junior Football Training'],
  ['girls football thursday', 'Junior Football Training'],
  ['girls dance', 'Street Dance'],
  ['girls netball', 'Netball'],
  ['boys gym', 'Teen Gym - Moorgate'],
  ['toddler football', 'Mini Kickers'],
  ['preschool ballet', 'Baby Ballet'],
  ['pre-school football', 'Mini Kickers'],
  ['tots football', 'Mini Kickers'],
  ['tots gym', 'Gym Tots'],
  ['pre-school gymnastics', 'Pre-school Gymnastics'],
  ['newborn swimming', 'Baby Swimming Lessons'],
  ['secondary school gym', 'Teen Gym - Moorgate'],
  ['tweens street dance', 'Street Dance'],
  ['over sixty yoga', 'Chair Yoga - Port Ellis'],
  ['sixty plus exercise', 'Zumba Gold'],
  ['zumba exeter', 'Zumba'],
  ['netball great harrow', 'Back to Netball'],
  ['zumba class exeter please', 'Zumba'],
  ['Saltmouth Leisure Centre', 'Tea Dance (Tuesday)'],
  ['fre yoga', 'Vinyasa Flow'],
  ['onlin yoga', 'Yoga on Zoom - Little Tarrow'],
  ['baby yoga', 'Baby Swimming Lessons'],
  ['mum and baby yoga', 'Baby Swimming Lessons'],
  ['coaching course saturday', 'Coaching Award: day one'],
  ['training saturday', 'Junior Football Training (Saturday)'],
  ['lessons wednesday', 'Baby Swimming Lessons'],
  ['club tuesday', 'Gymnastics Club (Tuesday)'],
  ['football training', 'Boys Football Training U9 (Tuesday)'],
  ['tennis coaching', 'TENNIS COACHING'],
  ['badminton club', 'Badminton Club - Stoke Averill'],
  ['fitness classes', 'Zumba - Combe Barton'],
  ['fitness class for seniors', 'Zumba Gold'],
  ['learn to skate', 'Roller Disco'],
  ['half term holiday club', 'Holiday Multi-sports'],
  ['holiday camp', 'Holiday Multi-sports'],
  ['zumba exetor', 'Zumba'],
  ['teeens street dance', 'Street Dance'],
];

/** Words with the filters that they are read as, and what is left out, where the data has what they mean. */
const READ_AS: readonly (readonly [question: string, words: string, filters: string, leftOut: string])[] = [
  ['zumba exeter', 'zumba', 'near=exeter', ''],
  ['great harrow netball monday', 'netball', 'day=mon&near=great+harrow', ''],
  ['yoga exeter', 'yoga exeter', '', ''],
  ['yoga exeter/wexcombe', 'yoga', 'near=exeter', 'wexcombe'],
  ['yoga in exeter or wexcombe', 'yoga', 'near=exeter', 'wexcombe'],
  ['gym in exeter, wexcombe or saltmouth', 'gym', 'near=exeter,+wexcombe', 'saltmouth'],
  ['swimming in Saltmouth or Beer Regis', 'swimming', 'near=Saltmouth', 'Beer Regis'],
  ['yoga in EX99 or EX98', 'yoga', 'near=EX99', 'EX98'],
  ['EX99 EX98 EX97', '', 'near=EX99', 'EX98 | EX97'],
  ['street dance 11-16', 'street dance', 'age=11-16', ''],
  ['football 5 - 11', 'football', 'age=5-11', ''],
  ['football club 5-7', 'football club', 'age=5-7', ''],
  ['yoga 5-7', 'yoga', 'after=17:00&before=19:00', ''],
  ['evening yoga 6-8', 'yoga', 'after=18:00&before=20:00', ''],
  ['swimming stage 3-5', 'swimming stage 3-5', '', ''],
  ['toddler football saturday', 'football', 'age=1-3&day=sat', ''],
  ['mini tennis', 'mini tennis', '', ''],
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

/** Series whose names are the question. */
const SERIES_OF_COUNTY: readonly Asked[] = [
  ['sunday ramble', 'Sunday Ramble'],
  ['ramble', 'Sunday Ramble'],
  ['group cycling', 'Group Cycling'],
  ['yoga for beginners', 'Yoga for Beginners - Saltmouth'],
  ['gym for teens', 'Teen Gym (Saturday)'],
  ['teenagers gym', 'Teen Gym (Saturday)'],
  ['badminton club', 'Badminton Club'],
  ['club tuesday', 'Gymnastics Club (Tuesday)'],
];

test.each([
  ['outdoor bootcamp', ['outdoor'], 'Millfield Bootcamp'],
  ['yoga newbie', ['newbie'], 'Candlelight Yoga'],
  ['yoga every day at 7', ['every', 'day'], 'Dawn Yoga Flow'],
  ['student gym', ['student'], 'Women on Weights'],
  ['ballroom dancing', ['ballroom'], 'Last Friday Social Dance'],
  ['concession swimming', ['concession'], 'Early Bird Lanes'],
  ['karate sensei Kenji', ['sensei'], 'Little Tigers Karate'],
  ['karate master Yamada', ['master', 'yamada'], 'Little Tigers Karate'],
  ['level 1 coach qualification', ['qualification'], 'Coaching Award: day one'],
  ['blokes fitness class', undefined, 'Men’s Boxing Fitness'],
  ['chaps pilates', ['chaps'], 'Lunchtime Pilates'],
  ['zumba for beginners', ['for beginners'], 'Zumba'],
  ['advanced parkour', undefined, undefined],
  ['quick pilates', ['quick'], 'Lunchtime Pilates'],
  ['primary school football', ['primary', 'school'], 'Walking Football'],
  ['join a running group', ['join'], 'Couch to 5k'],
  ['mum yoga', ['mum'], 'Candlelight Yoga'],
  ['family yoga', ['family'], 'Candlelight Yoga'],
  ['proper yoga', ['proper'], 'Candlelight Yoga'],
  ['team badminton', ['team'], 'Badminton Club Night'],
  ['badminton people', ['people'], 'Badminton Club Night'],
  ['enjoy swimming', ['enjoy'], 'Early Bird Lanes'],
  ['teach me yoga', ['teach'], 'Candlelight Yoga'],
  ['book a yoga class', ['book'], 'Candlelight Yoga'],
  ['mixed ability yoga', ['mixed'], 'Candlelight Yoga'],
  ['nervous about swimming', ['nervous', 'about'], 'Early Bird Lanes'],
  ['new to the area yoga', ['new', 'area'], 'Candlelight Yoga'],
  // These say nothing by themselves, as `things` and `for` do.
  ['yoga stuff', undefined, 'Candlelight Yoga'],
  ['stuff', undefined, 'Desk Stretch with Studio Manhattan'],
  ['yoga suitable for beginners', undefined, 'Candlelight Yoga'],
  ['level 2 coach award', undefined, undefined],
  ['pregnancy football', undefined, undefined],
  ['halal swimming', ['halal'], 'Early Bird Lanes'],
  ['yoga in Narnia', undefined, undefined],
  ['yoga near Narnia', undefined, undefined],
  ['yoga "newbie"', undefined, undefined],
  ['lute zither', undefined, undefined],
  ['baby ballet', undefined, undefined],
  ['dog walking near the river', undefined, undefined],
  ['yoga newbie at 3am', undefined, undefined],
])('a word of a name that nothing has is left out and said: %s', async (q, without, name) => {
  const { items, unmatched } = await town.library.search.occurrences({ q }, { limit: 1 });
  expect([unmatched, items[0]?.name]).toEqual([without, name]);
});

test.each(['kids holiday camp', 'newborn classes', 'half term holiday club', 'yoga in Narnia'])(
  'nothing of another meaning is suggested for %s',
  async (q) => {
    const { didYouMean } = await town.library.search.suggestions({ q });
    expect(didYouMean.filter((one) => one !== 'yoga')).toEqual([]);
  },
);

describe('of the county', () => {
  beforeAll(async () => {
    await feedCounty(town);
  }, 60_000);
  test.each(OF_COUNTY)('%s', async (question, expected) => expect(await first(question)).toBe(expected));

  test.each(READ_AS)('%s is read with what is on', async (q, words, filters, left) => {
    const { search } = town.library;
    const understood = await search.understood(q);
    const { leftOut = [] } = await search.occurrences({ q }, { limit: 1 });
    expect([understood.words, queryOf(understood.filters), leftOut.join(' | ')]).toEqual([words, filters, left]);
  });

  test.each<readonly [q: string, expected: RegExp]>([
    ['boys football', /Boys Football/i],
    ['girls football', /Girls Football/i],
    ['girls only football', /Girls Football/i],
    ['women and girls football', /(Women’s|Girls) Football/i],
    ['girls dance', /Street Dance/i],
    ['toddler football saturday', /Mini Kickers/i],
  ])('the first series of %s', async (q, expected) => {
    expect((await town.library.search.series({ q }, { limit: 1 })).items[0]?.name).toMatch(expected);
  });

  test.each(SERIES_OF_COUNTY)('a list of series begins with what %s names', async (q, expected) => {
    expect((await town.library.search.series({ q }, { limit: 1 })).items[0]?.name).toBe(expected);
  });
  test('a day beside a word that says little leaves fewer', async () => {
    const count = async (q: string) => (await town.library.search.facets({ q, day: [5] })).counted;
    expect([await count('coaching course'), await count('classes')]).toEqual([1, 4278]);
  });
});
