/** What is on in the shire: what else than in the county, by the words of other operators and clubs. */

export interface ShireKind {
  name: string;
  /** Labels of OpenActive's activity list. */
  activity: string[];
  /** Local times of start, one of which a series has. */
  times: readonly string[];
  /** Years; absent: the feed says nothing. */
  age?: [min: number, max?: number];
  level?: string[];
  gender?: 'FemaleOnly' | 'MaleOnly';
  support?: string[];
  online?: true;
  /** `0` to 6 from Monday; absent: any. */
  days?: readonly number[];
  /** Which places of a town have it. */
  sites?: readonly number[];
  /** Pounds; absent: any. */
  prices?: readonly number[];
  /** What its description begins with. */
  about?: string;
}

const DAWN = ['06:15', '06:45', '07:00'];
const DAY = ['09:15', '10:30', '11:00', '13:00', '14:30'];
const SCHOOL = ['15:30', '16:00', '16:45', '17:15'];
const EVENING = ['18:15', '19:00', '19:30', '20:15'];
const ANY = [...DAWN, ...DAY, ...EVENING];
const WEEKEND = [5, 6];
/** Places by their number in a town. */
const HALLS = [0, 1];
const PARK = [2];
const POOL = [3];

/** In the order in which the feed has them. */
export const SHIRE_KINDS: readonly ShireKind[] = [
  { name: 'Yin Yoga', activity: ['Yin Yoga'], times: EVENING, age: [16], sites: HALLS },
  {
    name: 'Ashtanga Yoga',
    activity: ['Ashtanga Yoga'],
    times: [...DAWN, ...EVENING],
    age: [16],
    level: ['Intermediate', 'Advanced'],
    sites: HALLS,
  },
  { name: 'Gentle Yoga', activity: ['Yoga'], times: DAY, age: [16], level: ['Beginner'], sites: HALLS },
  { name: 'Family Yoga', activity: ['Yoga'], times: ['10:30', '14:30'], age: [4], days: WEEKEND, sites: HALLS },
  {
    name: 'Chair Based Exercise',
    activity: ['Chair Based Exercise'],
    times: DAY,
    age: [60],
    support: ['Physical impairment'],
    sites: HALLS,
  },
  { name: 'Clubbercise', activity: ['Clubbercise'], times: EVENING, age: [16], sites: HALLS },
  { name: 'Line Dancing', activity: ['Line Dancing'], times: [...DAY, ...EVENING], sites: HALLS },
  {
    name: 'Ballroom for Beginners',
    activity: ['Ballroom And Latin'],
    times: EVENING,
    age: [16],
    level: ['Beginner'],
    sites: HALLS,
  },
  { name: 'Salsa', activity: ['Salsa'], times: EVENING, age: [18], sites: HALLS },
  { name: 'Tap Dance Juniors', activity: ['Tap'], times: SCHOOL, age: [6, 12], sites: HALLS },
  { name: 'Circuits', activity: ['Circuit Training'], times: [...DAWN, ...EVENING], age: [16], sites: HALLS },
  { name: 'Aqua Zumba', activity: ['Aqua Zumba®'], times: [...DAY, ...EVENING], age: [16], sites: POOL },
  { name: 'Swim for Fitness', activity: ['Swimming'], times: ANY, age: [16], sites: POOL },
  { name: 'Casual Swimming', activity: ['Swimming'], times: [...DAY, ...SCHOOL], sites: POOL },
  {
    name: 'Ducklings (0-3 years)',
    activity: ['Swimming Lessons'],
    times: DAY,
    age: [0, 3],
    level: ['Beginner'],
    sites: POOL,
  },
  {
    name: 'Learn to Swim Level 1',
    activity: ['Swimming Lessons'],
    times: [...SCHOOL, '09:15'],
    age: [4, 7],
    level: ['Beginner'],
    sites: POOL,
  },
  {
    name: 'Learn to Swim Level 5',
    activity: ['Swimming Lessons'],
    times: SCHOOL,
    age: [7, 12],
    level: ['Intermediate'],
    sites: POOL,
  },
  {
    name: 'Adult Learn to Swim',
    activity: ['Swimming Lessons'],
    times: EVENING,
    age: [16],
    level: ['Beginner'],
    sites: POOL,
  },
  {
    name: 'Inflatable Fun Session',
    activity: ['Swimming'],
    times: ['13:00', '14:30'],
    age: [8, 16],
    days: WEEKEND,
    sites: POOL,
  },
  {
    name: 'Disability Swim',
    activity: ['Swimming'],
    times: DAY,
    support: ['Physical impairment', 'Learning impairment'],
    sites: POOL,
  },
  {
    name: 'Ladies Only Swim',
    activity: ['Swimming'],
    times: [...DAY, ...EVENING],
    age: [16],
    gender: 'FemaleOnly',
    sites: POOL,
  },
  { name: 'Water Polo', activity: ['Water Polo'], times: EVENING, age: [12], level: ['Intermediate'], sites: POOL },
  { name: 'parkrun', activity: ['Running'], times: ['09:00'], days: [5], sites: PARK, prices: [0] },
  {
    name: 'Junior parkrun',
    activity: ['Running'],
    times: ['09:00'],
    age: [4, 14],
    days: [6],
    sites: PARK,
    prices: [0],
  },
  {
    name: 'Ladies Jogging Group',
    activity: ['Jogging'],
    times: [...DAY, ...EVENING],
    age: [16],
    gender: 'FemaleOnly',
    level: ['Beginner'],
    sites: PARK,
    prices: [0, 2],
  },
  { name: 'Nordic Walking', activity: ['Nordic Walking'], times: DAY, age: [18], sites: PARK },
  { name: 'Wellbeing Walk', activity: ['Walking'], times: ['10:30', '14:30'], sites: PARK, prices: [0] },
  {
    name: 'Buggy Fit',
    activity: ['Buggy Fitness'],
    times: DAY,
    age: [16],
    sites: PARK,
    about: 'Exercise with your baby in the pram.',
  },
  { name: 'Walking Netball', activity: ['Walking Netball'], times: DAY, age: [50], gender: 'FemaleOnly', sites: HALLS },
  { name: 'Walking Cricket', activity: ['Walking Cricket'], times: DAY, age: [50], sites: PARK },
  { name: 'Women’s Cricket', activity: ['Cricket'], times: EVENING, age: [16], gender: 'FemaleOnly', sites: PARK },
  {
    name: 'All Stars Cricket',
    activity: ['Cricket'],
    times: ['09:15', '10:30'],
    age: [5, 8],
    days: WEEKEND,
    sites: PARK,
  },
  {
    name: 'Tag Rugby Minis',
    activity: ['Tag Rugby'],
    times: ['09:15', '10:30'],
    age: [4, 7],
    days: WEEKEND,
    sites: PARK,
  },
  { name: 'Touch Rugby', activity: ['Touch Rugby Union'], times: EVENING, age: [16], sites: PARK },
  {
    name: 'Wheelchair Rugby',
    activity: ['Wheelchair Rugby'],
    times: EVENING,
    age: [14],
    support: ['Physical impairment'],
    sites: HALLS,
  },
  { name: 'Under 12s Football', activity: ['Football'], times: SCHOOL, age: [10, 11], sites: PARK },
  {
    name: 'Little Strikers',
    activity: ['Football'],
    times: ['09:15', '10:30'],
    age: [3, 5],
    days: WEEKEND,
    sites: PARK,
  },
  {
    name: 'Wildcats Girls Football',
    activity: ['Football'],
    times: [...SCHOOL, '10:30'],
    age: [5, 11],
    gender: 'FemaleOnly',
    sites: PARK,
    prices: [0, 3],
  },
  { name: 'Casual Kickabout', activity: ['Football'], times: EVENING, age: [16], sites: PARK, prices: [0, 3, 4] },
  {
    name: 'Powerchair Football',
    activity: ['Powerchair Football'],
    times: [...DAY, ...EVENING],
    age: [5],
    support: ['Physical impairment'],
    sites: HALLS,
  },
  { name: 'Futsal', activity: ['Futsal'], times: EVENING, age: [16], sites: HALLS },
  { name: 'Mixed Hockey', activity: ['Hockey'], times: EVENING, age: [14], sites: PARK },
  { name: 'Volleyball', activity: ['Volleyball'], times: EVENING, age: [14], sites: HALLS },
  {
    name: 'Pickleball',
    activity: ['Pickleball'],
    times: [...DAY, ...EVENING],
    age: [16],
    level: ['Beginner', 'Intermediate'],
    sites: HALLS,
  },
  {
    name: 'Rusty Rackets',
    activity: ['Tennis'],
    times: [...DAY, ...EVENING],
    age: [16],
    level: ['Beginner'],
    sites: PARK,
    about: 'Tennis for adults coming back to the game.',
  },
  { name: 'Junior Tennis Orange Ball', activity: ['Tennis'], times: SCHOOL, age: [8, 9], sites: PARK },
  {
    name: 'Table Tennis Social',
    activity: ['Table Tennis'],
    times: [...DAY, ...EVENING],
    sites: HALLS,
    prices: [2, 3],
  },
  { name: 'Badminton Social', activity: ['Badminton'], times: [...DAY, ...EVENING], age: [16], sites: HALLS },
  { name: 'Squash Club Night', activity: ['Squash'], times: EVENING, age: [14], level: ['Intermediate'], sites: HALLS },
  { name: 'Taekwondo Juniors', activity: ['Taekwondo'], times: SCHOOL, age: [6, 13], sites: HALLS },
  { name: 'Kickboxing', activity: ['Kickboxing'], times: EVENING, age: [14], sites: HALLS },
  {
    name: 'Brazilian Jiu-Jitsu',
    activity: ['Brazilian jiu-jitsu'],
    times: EVENING,
    age: [16],
    level: ['Beginner'],
    sites: HALLS,
  },
  {
    name: 'Women’s Self Defence',
    activity: ['Self Defence'],
    times: EVENING,
    age: [16],
    gender: 'FemaleOnly',
    sites: HALLS,
  },
  { name: 'Fencing Club', activity: ['Fencing'], times: EVENING, age: [9], sites: HALLS },
  {
    name: 'Archery Have a Go',
    activity: ['Archery'],
    times: ['10:30', '13:00'],
    age: [10],
    level: ['Beginner'],
    days: WEEKEND,
    sites: PARK,
  },
  { name: 'Bouldering', activity: ['Bouldering'], times: [...DAY, ...EVENING], age: [8], sites: HALLS },
  {
    name: 'Skateboarding Lessons',
    activity: ['Skateboarding'],
    times: ['10:30', '16:00'],
    age: [7, 15],
    level: ['Beginner'],
    sites: PARK,
  },
  {
    name: 'Learn to Ride',
    activity: ['Learn to Ride'],
    times: ['10:30', '13:00'],
    age: [4, 8],
    days: WEEKEND,
    sites: PARK,
    prices: [0],
    about: 'Balance bikes and first pedals.',
  },
  { name: 'Social Cycle Ride', activity: ['Cycling'], times: ['09:15', '10:30'], age: [16], sites: PARK, prices: [0] },
  {
    name: 'Paddleboarding Taster',
    activity: ['Stand Up Paddleboarding'],
    times: ['10:30', '13:00'],
    age: [10],
    level: ['Beginner'],
    days: WEEKEND,
    sites: PARK,
  },
  { name: 'Rowing Club', activity: ['Rowing'], times: DAWN, age: [14], sites: PARK },
  {
    name: 'Strength and Conditioning',
    activity: ['Strength and Conditioning'],
    times: [...DAWN, ...EVENING],
    age: [16],
    level: ['Advanced'],
    sites: HALLS,
  },
  { name: 'Over 60s Gym', activity: ['Gym Workout'], times: DAY, age: [60], sites: HALLS },
  { name: 'Junior Gym', activity: ['Gym Workout'], times: SCHOOL, age: [11, 15], sites: HALLS },
  { name: 'Cardiac Rehab', activity: ['Phase IV Cardiac Rehabilitation'], times: DAY, age: [18], sites: HALLS },
  {
    name: 'Steady Steps',
    activity: ['Postural Stability Instruction'],
    times: DAY,
    age: [65],
    sites: HALLS,
    about: 'Falls prevention: balance and strength for older people.',
  },
  {
    name: 'Boccia',
    activity: ['Boccia'],
    times: DAY,
    support: ['Physical impairment', 'Learning impairment'],
    sites: HALLS,
  },
  { name: 'Stay and Play', activity: ['Early Years Play'], times: DAY, age: [0, 4], sites: HALLS, prices: [0, 2] },
  { name: 'Tumble Tots', activity: ['Gymnastics'], times: DAY, age: [1, 4], sites: HALLS },
  { name: 'Cheerleading', activity: ['Cheerleading'], times: SCHOOL, age: [6, 16], sites: HALLS },
  {
    name: 'Youth Club Multisports',
    activity: ['Multisports'],
    times: EVENING,
    age: [11, 17],
    sites: HALLS,
    prices: [0, 1],
  },
  { name: 'Bowls', activity: ['Bowls'], times: [...DAY], sites: PARK },
  { name: 'Meditation', activity: ['Meditation'], times: [...DAWN, ...EVENING], age: [16], online: true },
  { name: 'Live Online HIIT', activity: ['HIIT'], times: [...DAWN, ...EVENING], age: [16], online: true },
];
