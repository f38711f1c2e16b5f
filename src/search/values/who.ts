import type { Filters } from '../filters.ts';
import type { PhraseRow } from '../patterns.ts';
import type { Ages, QueryContext } from './context.ts';

/** Phrases for the people who come: ages, gender, levels, accessibility support. */

const YEARS = '(years old|year old|year olds|years|yrs|yr|yr old|yr olds|yo|yos|years of age)';
const FOR_MY = '(for a|for my|for our|for|my)?';

export const AGES: readonly PhraseRow<Filters>[] = [
  ['(for the|for my|for our|for|as an|as a) {who} only?', (ages: Ages) => ({ age: ages })],
  // "Pilates with baby" is a class of its own.
  [`${FOR_MY} {number} and a half ${YEARS}`, (years: number) => wholeYears(years)],
  ['(with my|with our|with) {who}', (ages: Ages) => (ages.max === 1 ? undefined : { age: ages })],
  ['{who} only', (ages: Ages) => ({ age: ages })],
  [`${FOR_MY} {number} ${YEARS} girls|girl`, (years: number) => ({ ...aged(years, years), gender: 'FemaleOnly' })],
  [`${FOR_MY} {number} ${YEARS} boys|boy`, (years: number) => ({ ...aged(years, years), gender: 'MaleOnly' })],
  [`${FOR_MY} {gluedYears} old|olds?`, (years: number) => aged(years, years)],
  [`${FOR_MY} {number} (months|month) (old|olds)`, (months: number) => inMonths(months)],
  ['(for a|for)? (under|below|up to|younger than) {number} (months|month) old?', (months: number) => babies(months)],
  [`${FOR_MY} {looseMonths} (months|month)`, (months: number) => inMonths(months)],
  [
    '(im|i am|shes|she is|hes|he is|whos|who is|daughter is|son is|child is) {number}',
    (years: number) => aged(years, years),
  ],
  ['in (my|her|his|their) {numbers}', (min: number) => aged(min, min + 9)],
  ['for? the? (over|above) {numbers} only?', (min: number) => aged(min)],
  [`for? the? (over|above) {number} ${YEARS}?`, (min: number) => (min >= 16 ? aged(min) : undefined)],
  ['for? the? {numbers} (and over|plus|and above|and up)', (min: number) => aged(min)],
  ['for? (ages|aged|age)? {number} (and over|plus|and above|and up)', (min: number) => aged(min)],
  ['for? the? (under|below) {numbers} only?', (limit: number) => under(limit)],
  [`for? the? (under|below|up to) {number} ${YEARS}`, (limit: number) => under(limit)],
  ['(for|for the|for ages|ages|aged|age)? {atLeast}', (min: number) => aged(min)],
  ['for? the? {over}', (min: number) => aged(min)],
  ['for? the? {under}', (limit: number) => under(limit)],
  ['for? the? (under|below) {numbers} girls|girl', (limit: number) => oneGender('FemaleOnly', under(limit))],
  ['for? the? (under|below) {numbers} boys|boy', (limit: number) => oneGender('MaleOnly', under(limit))],
  ['for? (age|aged|ages) {number}', (years: number) => aged(years, years)],
  ['for? (age|aged|ages) {number} (to|and|-) {number}', (min: number, max: number) => aged(min, max)],
  [`${FOR_MY} {number} ${YEARS}`, (years: number) => wholeYears(years)],
  [`for? {number} (to|and|-) {number} ${YEARS}`, (min: number, max: number) => aged(min, max)],
  ['{looseAge} (to|-) {wholeNumber}', (min: number, max: number) => (min < max ? aged(min, max) : undefined)],
  ['(for|with) (grown ups)', { age: { min: 18 } }],
];

/** An age in months as whole years; more than 36 months are no age. */
function inMonths(months: number): Filters | undefined {
  const years = Math.floor(months / 12);
  return months <= 36 ? aged(years, years) : undefined;
}

/** `under 6 months`: from birth on. */
function babies(months: number): Filters | undefined {
  return months <= 36 ? aged(0, Math.floor(months / 12)) : undefined;
}

/** An age in whole years: `2.5 year old` is two. */
function wholeYears(years: number): Filters | undefined {
  return aged(Math.floor(years), Math.floor(years));
}

function oneGender(gender: 'FemaleOnly' | 'MaleOnly', ages: Filters | undefined): Filters | undefined {
  return ages && { ...ages, gender };
}

function aged(min: number, max?: number): Filters | undefined {
  const isAge =
    Number.isInteger(min) && min <= 110 && Number.isInteger(max ?? min) && min <= (max ?? 150) && (max ?? 0) <= 110;
  return isAge ? { age: { min, ...(max !== undefined && { max }) } } : undefined;
}

/** Ages under a limit: `under 5s` are 0 to 4. */
export function under(limit: number): Filters | undefined {
  return limit >= 1 && limit <= 110 ? aged(0, limit - 1) : undefined;
}

export const PEOPLE: readonly PhraseRow<Filters>[] = [
  ['(for the|for)? (women|womens|ladies|female|females|girls) only', { gender: 'FemaleOnly' }],
  ['(only for|only|just for|all) (women|ladies|females|female|girls)', { gender: 'FemaleOnly' }],
  ['for (women and girls|women|ladies|females|girls)', { gender: 'FemaleOnly' }],
  ['(for the|for)? (men|mens|male|males|boys) only', { gender: 'MaleOnly' }],
  ['(only for|only|just for|all) (men|males|male|boys)', { gender: 'MaleOnly' }],
  ['for (men and boys|men|males|boys)', { gender: 'MaleOnly' }],
  ['(for|for a|4)? (absolute|complete|total)? (beginner|beginners|novice|novices) level?', { level: ['Beginner'] }],
  ['for? (beginner|beginners|novice|novices) {who}', (ages: Ages) => ({ level: ['Beginner'], age: ages })],
  ['for? {who} (beginner|beginners)', (ages: Ages) => ({ level: ['Beginner'], age: ages })],
  ['(no experience needed|no experience necessary|no experience required|no experience)', { level: ['Beginner'] }],
  ['(new|brand new|completely new|totally new) to {activityNext}', { level: ['Beginner'] }],
  ['for? (nervous|new) {learnerNext}', { level: ['Beginner'] }],
  ['for? (improver|improvers) level?', { level: ['Improver'] }],
  ['for? (intermediate|intermediates) level?', { level: ['Intermediate'] }],
  ['for? (advanced) level?', { level: ['Advanced'] }],
];

/** Phrases that are a filter only beside an activity, or alone: `Men's Shed` and `Kids Club` are names. */
export const BESIDE: readonly PhraseRow<Filters>[] = [
  ['(women and girls|women|womens|ladies|female|females|girls)', { gender: 'FemaleOnly' }],
  ['(men and boys|men|mens|gents|gentlemen|male|males|boys)', { gender: 'MaleOnly' }],
  // In a loose reading alone: `Gals` and `Lasses` are names of clubs.
  ['(blokes|chaps|fellas|fellows|guys|lads)', ({ loosely }: QueryContext) => loosely && { gender: 'MaleOnly' }],
  ['(gals|lasses)', ({ loosely }: QueryContext) => loosely && { gender: 'FemaleOnly' }],
  ['(unisex|mixed gender|mixed sex|any gender|all genders|gender neutral)', { gender: 'NoRestriction' }],
  ['mixed {noAbility}', { gender: 'NoRestriction' }],
  ['nervous', { level: ['Beginner'] }],
  ['{whoBeside}', (ages: Ages) => ({ age: ages })],
  ['lunch', { after: 12 * 3600, before: 14 * 3600 }],
  ['late {lateAlone}', { after: 20 * 3600 }],
];

/** Phrases that no reading takes for a filter elsewhere: `Fit 4 Kids` is a name. */
export const ALWAYS_BESIDE: readonly PhraseRow<Filters>[] = [['(4) {who}', (ages: Ages) => ({ age: ages })]];

/** Words in front of the name of an organiser or a leader. The name is searched for as words. */
export const LEADERS: readonly PhraseRow<Filters>[] = [
  ['(led|taught|organised|organized|hosted|delivered|coached) by', {}],
  ['(class|classes|course|courses|session|sessions|lesson|lessons|activity|activities|event|events) run by', {}],
  ['(run by|coach) {nameNext}', {}],
];

const support = (label: string): Filters => ({ accessible: [label] });
const VISUAL = support('Visual impairment');
const HEARING = support('Hearing impairment');
const PHYSICAL = support('Physical impairment');
const LEARNING = support('Learning impairment');
const FOR = '(for|for the|for people with|for those with|people with|with|with a)?';

export const SUPPORT: readonly PhraseRow<Filters>[] = [
  ['accessible', support('any')],
  ['(for|with|with my|for my) disabled {who}', (ages: Ages) => ({ ...support('any'), age: ages })],
  ['(for|with|with my|for my) autistic {who}', (ages: Ages) => ({ ...LEARNING, age: ages })],
  ['(for|with|with my|for my) deaf {who}', (ages: Ages) => ({ ...HEARING, age: ages })],
  ['(for|with|with my|for my) blind {who}', (ages: Ages) => ({ ...VISUAL, age: ages })],
  [`${FOR} (disabled|disabled people|disability|disabilities) friendly?`, support('any')],
  [`${FOR} (wheelchair|wheelchairs) (accessible|access|friendly|user|users)`, PHYSICAL],
  ['(for|in a|with a|with)? (wheelchair|wheelchairs)', PHYSICAL],
  [
    '(with)? (step free|step free access|accessible by wheelchair|limited mobility|reduced mobility|poor mobility|mobility issues|mobility problems)',
    PHYSICAL,
  ],
  [`${FOR} (physical|physically) (impairment|impaired|disability|disabilities|disabled)`, PHYSICAL],
  [`${FOR} (visual|visually|vision|sight) (impairment|impairments|impaired|loss) people?`, VISUAL],
  [`${FOR} (blind|blind people|partially sighted|low vision|poor eyesight|cant see) friendly?`, VISUAL],
  [`${FOR} (hearing) (impairment|impairments|impaired|loss) people?`, HEARING],
  [`${FOR} (deaf|deaf people|hard of hearing|cant hear|bsl|sign language|british sign language) friendly?`, HEARING],
  [`${FOR} (learning) (impairment|disability|disabilities|difficulties|disabled)`, LEARNING],
  [
    `${FOR} (autism|autistic|autistic people|asd|neurodivergent|neurodiverse|special needs|sen|send) friendly?`,
    LEARNING,
  ],
  [`${FOR} mental health (issues|problems|conditions)?`, support('Mental health issues')],
  [
    `${FOR} (behavioural|social or behavioural) (problems|difficulties|issues)`,
    support('Social or behavioural problems'),
  ],
];
