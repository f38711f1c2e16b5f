import { stem, wordsIn } from '../vocabulary/folding.ts';

/** Words of people for which feeds have other words, where OpenActive's activity list has no label. Pure. */

/** Words for a person who comes with a child. A class may have them in its name; otherwise the class of the child is meant. */
const PARENTS = ['parent', 'mum', 'mummy', 'mother', 'dad', 'daddy', 'father', 'carer'];
/** Words in front of the name of a leader. */
const LEADERS = ['instructor', 'teacher', 'tutor'];
/** Words for what people do with a result, why they search, and that everybody may come. */
const ASKING = 'book|reserve|day out|night out|men and women|women and men|boys and girls|girls and boys'.split('|');
const OUTDOORS = ['open air', 'outdoor', 'outdoors'];
const YIELDING: ReadonlySet<string> = new Set([...PARENTS, ...LEADERS, ...ASKING, ...OUTDOORS]);

/** Complaints, for which gentle classes are found. */
const JOINTS =
  'arthritis|bad back|bad backs|back pain|bad knee|bad knees|knee pain|bad hip|bad hips|joint pain|stiff joints|sore joints|hip operation|hip replacement|knee operation|knee replacement'.split(
    '|',
  );
const GENTLE = ['low impact', 'gentle', 'chair', 'seated', 'aqua aerobics', 'tai chi'];

/** Words for people who do an activity, with the activity. */
const DOERS: readonly (readonly [name: string, activity: string])[] = [
  ['swimmer', 'swimming'],
  ['runner', 'running'],
  ['walker', 'walking'],
  ['rambler', 'rambling'],
  ['dancer', 'dancing'],
  ['climber', 'climbing'],
  ['cyclist', 'cycling'],
  ['skater', 'skating'],
  ['boxer', 'boxing'],
  ['gymnast', 'gymnastics'],
  ['footballer', 'football'],
];

/** Other names of activities, with the label in the activity list. */
export const ALSO_CALLED: ReadonlyMap<string, string> = new Map([
  ['ping pong', 'Table Tennis'],
  ['ping-pong', 'Table Tennis'],
  ['soccer', 'Football'],
  ['footie', 'Football'],
  ['footy', 'Football'],
  ['kickabout', 'Football'],
  ['kick about', 'Football'],
  ['bike', 'Cycling'],
  ['biking', 'Cycling'],
  ['free running', 'Parkour'],
  ['freerunning', 'Parkour'],
  ['free-running', 'Parkour'],
  ['hoops', 'Basketball'],
  ['badders', 'Badminton'],
  ['jog', 'Jogging'],
  ['self defense', 'Self Defence'],
  // Swimming, and not the game of pool.
  ['swimming pool', 'Swimming'],
  ['swimming pools', 'Swimming'],
  ['swimming baths', 'Swimming'],
  ['padel', 'Padel Tennis'],
  ['tumbling', 'Gymnastics'],
  ['water aerobics', 'Aqua Aerobics'],
  ['pool aerobics', 'Aqua Aerobics'],
  ['aerobics in the pool', 'Aqua Aerobics'],
  ['exercise in the pool', 'Aqua Aerobics'],
  ['aquarobics', 'Aqua Aerobics'],
  ['paddle board', 'Stand Up Paddleboarding'],
  ['paddle boarding', 'Stand Up Paddleboarding'],
  ['paddleboarding', 'Stand Up Paddleboarding'],
  ['playgroup', 'Early Years Play'],
  ['play group', 'Early Years Play'],
  ['stay and play', 'Early Years Play'],
  ['buggy fit', 'Buggy Fitness'],
  ['buggyfit', 'Buggy Fitness'],
  ['mindfulness', 'Meditation'],
  ['mma', 'Mixed Martial Arts'],
  ['tai kwon do', 'Taekwondo'],
  ['racquetball', 'Squash 57'],
  ['six a side', '6-a-side'],
  ['seven a side', '7-a-side'],
  // In Welsh.
  ['nofio', 'Swimming'],
  ['rhedeg', 'Running'],
  ['cerdded', 'Walking'],
  ['beicio', 'Cycling'],
  ['ioga', 'Yoga'],
  ['dawnsio', 'Dance'],
  ['peldroed', 'Football'],
]);

/** Words of addresses and names of places in their short and long forms. */
export const SHORT_FORMS: readonly (readonly string[])[] = [
  ['st', 'street', 'saint'],
  ['rd', 'road'],
  ['ave', 'avenue'],
  ['ln', 'lane'],
  ['sq', 'square'],
  ['ctr', 'cntr', 'centre', 'center'],
  ['pk', 'park'],
  ['rec', 'recreation ground', 'recreation'],
  ['gdns', 'gdn', 'gardens', 'garden'],
  ['cres', 'crescent'],
];

/** Names with one meaning, a line each: a search for one of them finds all. */
const SAME: readonly (readonly string[])[] = [
  ['spin', 'spinning', 'indoor cycling', 'group cycling', 'studio cycling'],
  ['parkrun', 'park run'],
  [...OUTDOORS, 'open water'],
  ['early years', 'preschool', 'pre school', 'tots', 'toddler', 'toddlers', 'under 5s'],
  [
    'holiday',
    'holidays',
    'half term',
    'half term holiday',
    'school holiday',
    'holiday club',
    'holiday camp',
    'sports camp',
    'activity camp',
    'school holiday sports camp',
  ],
  ['drop in', 'drop ins', 'dropin'],
  ['teen', 'teens', 'teenage', 'teenager', 'teenagers'],
  ['abs', 'core'],
  ['5 a side', 'five a side', '5 aside', 'five aside', '5aside'],
  ['5k', '5 k', '5km', '5 km'],
  ['10k', '10 k', '10km', '10 km'],
  [
    'couch to 5k',
    'couch to 5 k',
    'couch to 5km',
    'couch to 5 km',
    'couch 2 5k',
    'couch 2 5 k',
    'couchto5k',
    'couch25k',
    'c25k',
    'cto5k',
  ],
  ['weights', 'weight lifting', 'weightlifting', 'lifting weights', 'weight training', 'strength training'],
  ['lengths', 'swim lengths', 'laps', 'swim laps', 'lane swimming', 'lanes'],
  ['swimming lessons', 'swim lessons', 'cant swim', 'cannot swim'],
  ['learn to swim', 'learn 2 swim', 'swim school'],
  ['jiu jitsu', 'ju jitsu', 'jujitsu'],
  ['legs bums tums', 'lbt'],
  ['open water swimming', 'sea swimming', 'wild swimming', 'outdoor swimming'],
  [
    'pregnancy',
    'pregnant',
    'pregnant women',
    'pregnant ladies',
    'antenatal',
    'prenatal',
    'ante natal',
    'pre natal',
    'mums to be',
    'mum to be',
    'mothers to be',
    'expectant mums',
    'expectant mothers',
  ],
  ['qigong', 'qi gong'],
  ['toning', 'conditioning'],
  ['memory loss', 'memory', 'dementia'],
  ['falls prevention', 'fall prevention', 'falls', 'balance'],
  ['seated', 'sitting', 'sitting down'],
  ['relaxing', 'relaxation', 'calming'],
  JOINTS,
  ['combat sports'],
  PARENTS,
  ...SHORT_FORMS,
  ['hula hoop', 'hula hooping'],
  ['3g', 'astroturf', 'astro turf', 'astro', 'artificial pitch', 'artificial grass pitch', 'artificial turf'],
  ...[...LEADERS, ...ASKING].map((name) => [name]),
  ...DOERS.map(([name]) => [name]),
];
/**
 * Names of many activities together, with the nearest concept and what is meant. `keep fit` is a label of all group exercise: it is
 * searched for by what else is meant.
 */
const GROUPS: readonly (readonly [names: string, kind: string, meant: string])[] = [
  [
    'fitness|fitness class|cardio|keep fit|workout|work out',
    'Group Exercise',
    `exercise class|hiit|high intensity interval training|multi fitness|circuit training|circuits|bootcamp|zumba|dance fitness|
    aerobics|boxing fitness|boxercise|indoor cycling|bodypump|body pump|kettlebells|legs bums and tums|trampoline fitness|
    strength and conditioning`,
  ],
  [
    'racquet sports|racket sports|raquet sports|rackets sports',
    'Multisports',
    'badminton|tennis|squash|table tennis|pickleball|padel|racketball',
  ],
  [
    'team sports|team games|ball games|ball sports',
    'Multisports',
    `football|5 a side|futsal|netball|basketball|volleyball|handball|hockey|rugby|cricket|rounders|softball|baseball|
    lacrosse|korfball|dodgeball|water polo`,
  ],
  [
    'water sports|watersports',
    'Swimming',
    `canoeing|kayaking|rowing|sailing|windsurfing|surfing|stand up paddleboarding|paddleboarding|water polo|water skiing|
    wakeboarding|rafting|open water swimming|diving|snorkelling|dragon boat racing`,
  ],
];
/** Names that are of a kind. A search for the kind finds them too, and not the other way round. */
const OF_KIND: readonly (readonly [name: string, kind: string])[] = [
  ['learn to swim', 'swimming lessons'],
  ['swim school', 'swimming lessons'],
  ['kettlebells', 'weights'],
  ['strength', 'weights'],
  ['chair', 'seated'],
  ...GENTLE.map((name) => [name, 'arthritis'] as const),
];
/** Broader names, which are searched for where nothing has the name. */
const BROADER: readonly (readonly [name: string, broader: string])[] = [
  ['parkrun', 'running'],
  ['10k', 'running'],
  ...DOERS,
  ['toning', 'legs bums tums'],
  ['combat sports', 'martial arts'],
  ['learn to swim', 'swimming lessons'],
  ['relaxing', 'yoga'],
];

/** Words for needs: a class without the word is no help. */
const NEEDS: ReadonlySet<string> = new Set(
  `postnatal postpartum antenatal prenatal aquanatal pregnancy pregnant dementia alzheimers parkinsons stroke cancer cardiac
  diabetes diabetic arthritis menopause rehab rehabilitation autism autistic sen send adhd deaf blind vi sighted hearing impaired
  impairment disability disabled wheelchair hoist bsl mobility accessible inclusive relaxed quiet free creche
  baby babies newborn toddler toddlers preschool preschooler preschoolers child children kid kids junior juniors teen teens teenage teenagers boys girls adult adults
  senior seniors women womens ladies men mens`.split(/\s+/),
);

/** Whether a word says a need. */
export const isNeed = (word: string): boolean => NEEDS.has(word);

/** Other names of a name, as terms. `broader`: labels that are searched for where nothing has any of these names. */
export interface Synonyms {
  same: readonly (readonly string[])[];
  broader: readonly string[];
  /** The label of its activity, and the name that is searched for in its place. */
  of?: { kind: string; called: string };
  /** Whether the name is left out where nothing has it together with the other words. */
  yields?: true;
}

const termsOfName = (name: string): string[] => wordsIn(name).map(stem);
const nameKey = (words: readonly string[]): string => words.map(stem).join(' ');

const KNOWN: ReadonlyMap<string, Synonyms> = new Map([
  ...SAME.flatMap((names) => names.map((name) => [nameKey(wordsIn(name)), synonymsOf(name, names)] as const)),
  ...GROUPS.flatMap(([names, kind, meant]) => groupNames(names.split('|'), kind, meant.split('|'))),
]);

/** The synonyms of a group by its names. `keep fit` is a label of Group Exercise, so it is replaced by the other names. */
function groupNames(names: readonly string[], kind: string, meant: readonly string[]): [string, Synonyms][] {
  const called = names[0] as string;
  const same = [...names.filter((name) => name !== 'keep fit'), ...meant].map(termsOfName);
  const synonyms: Synonyms = { same, broader: [kind.toLowerCase()], of: { kind, called } };
  return names.map((name) => [nameKey(wordsIn(name)), synonyms]);
}

function synonymsOf(name: string, names: readonly string[]): Synonyms {
  const own = nameKey(wordsIn(name));
  const ofKind = OF_KIND.filter(([, kind]) => names.includes(kind)).map(([one]) => one);
  const others = new Map([...names, ...ofKind].map((one) => [nameKey(wordsIn(one)), termsOfName(one)]));
  others.delete(own);
  return {
    same: [...others.values()],
    broader: BROADER.filter(([one]) => names.includes(one)).map(([, broader]) => broader),
    ...(YIELDING.has(name) && { yields: true as const }),
  };
}

/** The most words of a name. */
export const MOST_NAME_WORDS = 4;

/** The synonyms of a name; undefined where it has none. */
export function synonymsIn(words: readonly string[]): Synonyms | undefined {
  return KNOWN.get(nameKey(words));
}
