/** What is on in the county: what feeds of leisure operators and clubs list, with the words they have for it. */

export interface Kind {
  name: string;
  /** Labels; most are of OpenActive's activity list. */
  activity: string[];
  /** Local times of start, one of which a series has. */
  times: string[];
  /** Years; absent: the feed says nothing. */
  age?: [min: number, max?: number];
  level?: string[];
  gender?: 'FemaleOnly' | 'MaleOnly';
  support?: string[];
  online?: true;
  /** `0` to 6 from Monday; absent: any. */
  days?: number[];
}

const DAWN = ['06:30', '07:00'];
const DAY = ['09:30', '10:00', '11:00', '14:00'];
const SCHOOL = ['15:45', '16:15', '16:30', '17:00'];
const EVENING = ['18:00', '18:30', '19:00', '20:00'];
const ANY = [...DAWN, ...DAY, ...EVENING];
const WEEKEND = [5, 6];

export const KINDS: readonly Kind[] = [
  { name: 'Hatha Yoga', activity: ['Hatha Yoga'], times: ANY, age: [16] },
  {
    name: 'Vinyasa Flow',
    activity: ['Vinyasa Yoga'],
    times: [...DAWN, ...EVENING],
    age: [16],
    level: ['Intermediate'],
  },
  { name: 'Yoga for Beginners', activity: ['Yoga'], times: EVENING, age: [16], level: ['Beginner'] },
  { name: 'Yoga', activity: ['Yoga'], times: ANY, age: [14] },
  { name: 'Men’s Yoga', activity: ['Yoga'], times: EVENING, age: [18], gender: 'MaleOnly' },
  { name: 'Yoga on Zoom', activity: ['Yoga'], times: ['07:00', '19:00'], age: [16], online: true },
  { name: 'Pregnancy Yoga', activity: ['Yoga'], times: EVENING, age: [18], gender: 'FemaleOnly' },
  { name: 'Chair Yoga', activity: ['Yoga'], times: DAY, age: [55], support: ['Physical impairment'] },
  { name: 'Pilates', activity: ['Pilates'], times: ANY, age: [16], level: ['Beginner', 'Intermediate'] },
  { name: 'Pilates Reformer', activity: ['Pilates'], times: ANY, age: [16], level: ['Advanced'] },
  { name: 'Zumba', activity: ['Zumba'], times: EVENING, age: [14] },
  { name: 'Zumba Gold', activity: ['Zumba'], times: DAY, age: [60] },
  { name: 'Aqua Aerobics', activity: ['Aqua Aerobics'], times: DAY, age: [16] },
  { name: 'Lane Swimming', activity: ['Lane Swimming'], times: ANY, age: [8] },
  { name: 'Family Swim', activity: ['Swimming'], times: DAY, days: WEEKEND },
  { name: 'Public Swim', activity: ['Swimming'], times: [...DAY, '12:30'] },
  { name: 'Ladies Swim', activity: ['Swimming'], times: EVENING, age: [16], gender: 'FemaleOnly' },
  { name: 'Relaxed Swim', activity: ['Swimming'], times: DAY, support: ['Learning impairment'] },
  { name: 'Junior Swimming Lessons Stage 3', activity: ['Swimming Lessons'], times: SCHOOL, age: [5, 11] },
  { name: 'Pre-school Swimming Lessons', activity: ['Swimming Lessons'], times: DAY, age: [3, 5], level: ['Beginner'] },
  { name: 'Adult Swimming Lessons', activity: ['Swimming Lessons'], times: EVENING, age: [16], level: ['Beginner'] },
  { name: 'Baby Swimming Lessons', activity: ['Swimming Lessons'], times: DAY, age: [0, 1] },
  { name: 'Parent and Toddler Swim', activity: ['Swimming'], times: DAY, age: [0, 3] },
  { name: 'Mini Kickers', activity: ['Football'], times: ['09:30', '10:00'], age: [2, 4], days: WEEKEND },
  { name: 'Junior Football Training', activity: ['Football'], times: [...SCHOOL, '18:00'], age: [5, 11] },
  { name: 'Boys Football Training U9', activity: ['Football'], times: SCHOOL, age: [7, 8], gender: 'MaleOnly' },
  { name: 'Girls Football', activity: ['Football'], times: SCHOOL, age: [8, 12], gender: 'FemaleOnly' },
  { name: 'Women’s Football', activity: ['Football'], times: EVENING, age: [16], gender: 'FemaleOnly' },
  { name: 'Walking Football', activity: ['Walking Football'], times: DAY, age: [50] },
  { name: 'Men’s Walking Football', activity: ['Walking Football'], times: DAY, age: [60], gender: 'MaleOnly' },
  { name: '5-a-side League', activity: ['Small Sided Football'], times: EVENING, age: [16] },
  { name: 'Badminton Club', activity: ['Badminton'], times: EVENING, age: [16] },
  { name: 'No Strings Badminton', activity: ['Badminton'], times: DAY, age: [16], level: ['Beginner'] },
  { name: 'Junior Badminton', activity: ['Badminton'], times: SCHOOL, age: [8, 16] },
  { name: 'Squash Ladder', activity: ['Squash'], times: EVENING, age: [16] },
  { name: 'Tennis Coaching', activity: ['Tennis'], times: [...DAY, ...EVENING], age: [16], level: ['Improver'] },
  { name: 'Mini Tennis', activity: ['Tennis'], times: ['09:30', '16:15'], age: [4, 8] },
  { name: 'Netball', activity: ['Netball'], times: EVENING, age: [16], gender: 'FemaleOnly' },
  {
    name: 'Wheelchair Basketball',
    activity: ['Wheelchair Basketball'],
    times: EVENING,
    age: [12],
    support: ['Physical impairment'],
  },
  { name: 'Junior Basketball', activity: ['Basketball'], times: SCHOOL, age: [8, 14] },
  { name: 'Gym Induction', activity: ['Gym Session'], times: ANY, age: [16] },
  { name: 'Teen Gym', activity: ['Gym Session'], times: SCHOOL, age: [11, 15] },
  {
    name: 'Accessible Gym',
    activity: ['Gym Session'],
    times: DAY,
    age: [16],
    support: ['Physical impairment', 'Visual impairment'],
  },
  { name: 'Women-only Gym', activity: ['Gym Session'], times: DAY, age: [16], gender: 'FemaleOnly' },
  { name: 'Group Cycling', activity: ['Indoor Cycling'], times: [...DAWN, ...EVENING], age: [16] },
  { name: 'Body Pump', activity: ['Body Pump'], times: [...DAWN, ...EVENING], age: [16] },
  { name: 'Boxercise', activity: ['Boxercise'], times: EVENING, age: [16], level: ['Beginner'] },
  { name: 'Legs, Bums & Tums', activity: ['Legs Bums & Tums'], times: EVENING, age: [16] },
  {
    name: 'HIIT',
    activity: ['High Intensity Interval Training'],
    times: [...DAWN, ...EVENING],
    age: [16],
    level: ['Advanced'],
  },
  { name: 'Low Impact Exercise', activity: ['Exercise Class'], times: DAY, age: [60] },
  { name: 'Strength and Balance', activity: ['Exercise Class'], times: DAY, age: [65] },
  { name: 'Tai Chi', activity: ['Tai Chi'], times: DAY },
  { name: 'Karate for Kids', activity: ['Karate'], times: ['16:30', '17:00', '10:00'], age: [5, 11] },
  { name: 'Judo', activity: ['Judo'], times: EVENING, age: [8] },
  { name: 'Trampolining', activity: ['Trampolining'], times: SCHOOL, age: [5, 12] },
  { name: 'Pre-school Gymnastics', activity: ['Gymnastics'], times: DAY, age: [2, 4] },
  { name: 'Gymnastics Club', activity: ['Gymnastics'], times: SCHOOL, age: [5, 14] },
  { name: 'Baby Ballet', activity: ['Ballet'], times: DAY, age: [0, 3] },
  { name: 'Street Dance', activity: ['Street Dance'], times: SCHOOL, age: [11, 16] },
  { name: 'Tea Dance', activity: ['Social Dance'], times: ['14:00'], age: [50] },
  { name: 'Soft Play', activity: ['Soft Play'], times: DAY, age: [0, 5] },
  { name: 'Roller Disco', activity: ['Roller Skating'], times: ['16:30', '18:00'], age: [5, 15] },
  { name: 'Health Walk', activity: ['Walking'], times: ['10:00', '14:00'] },
  { name: 'Sunday Ramble', activity: ['Hiking'], times: ['10:00', '13:30'], days: [6] },
  { name: 'Couch to 5k', activity: ['Running'], times: ['09:00', '18:30'], age: [16], level: ['Beginner'] },
  { name: 'Running Club', activity: ['Running'], times: EVENING, age: [16] },
  {
    name: 'Open Water Swimming',
    activity: ['Open Water Swimming'],
    times: ['07:00', '09:00'],
    age: [16],
    days: WEEKEND,
  },
  { name: 'Climbing Taster', activity: ['Climbing'], times: EVENING, age: [8], level: ['Beginner'] },
  { name: 'Holiday Multi-sports', activity: ['Multi-sports'], times: ['09:30'], age: [5, 12] },
];

/** What descriptions say besides: of other things, too. */
export const ASIDES: readonly string[] = [
  'No experience of yoga or Pilates is needed.',
  'Free parking beside the football pitches.',
  'Stay for a swim afterwards: the pool is open until nine.',
  'Our gym and the climbing wall are in the same building.',
  'A good warm-up for running, cycling or tennis.',
  'Bring the kids: soft play is next door on Saturday morning.',
  'Beginners are welcome, and so are wheelchair users.',
  'Changing rooms, showers and a café.',
  'Ask about badminton and squash courts at reception.',
  'The teacher also leads Tai Chi and a health walk.',
];
