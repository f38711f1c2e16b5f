import { DAYS } from '../opportunity/item/vocabulary.ts';
import { civilOf, type Day, dateOfDay, dayOf, weekdayOf } from '../time/days.ts';
import type { Weekday } from '../time/instant.ts';
import { type Filters, MIDNIGHT } from './filters.ts';
import { type Pattern, pattern } from './patterns.ts';
import type { Ages, Clock, QueryContext } from './slots.ts';

/**
 * Phrases that are filters, a row each: the phrase, and what it says. The longest phrase wins, of equal ones the first.
 * `patterns.ts` says how phrases are written, `slots.ts` what is in braces.
 */

export interface Phrase {
  pattern: Pattern;
  /** Undefined: it says nothing here, in this context. */
  filters(values: readonly unknown[], context: QueryContext): Filters | undefined;
  /** Only beside an activity, or alone: elsewhere its words are part of a name. */
  beside: boolean;
}

type Row = readonly [text: string, filters: Filters | ((...values: never[]) => Filters | undefined)];

const HOUR = 3600;
const EVERY_DAY: readonly Weekday[] = [0, 1, 2, 3, 4, 5, 6];
const WEEKEND: Weekday[] = [5, 6];
const WEEKDAYS: Weekday[] = [0, 1, 2, 3, 4];

const hours = (after: number, before: number): Filters => ({
  ...(after > 0 && { after: after * HOUR }),
  ...(before < 24 && { before: before * HOUR }),
});
const dates = (from: Day, to: Day): Filters => ({ from: dateOfDay(from), to: dateOfDay(to) });
const monday = (today: Day): Day => today - weekdayOf(today);
/** The first such weekday from a day on. */
const comingDay = (day: Weekday, from: Day): Day => from + ((day - weekdayOf(from) + 7) % 7);
const comingWeekend = (today: Day): Filters => dates(Math.max(today, monday(today) + 5), monday(today) + 7);
const monthFrom = (first: Day): Filters => {
  const { year, month } = civilOf(first);
  return dates(first, dayOf(year, month + 1, 1));
};
const thisMonth = ({ today }: QueryContext): Filters => {
  const { year, month } = civilOf(today);
  return dates(today, dayOf(year, month + 1, 1));
};
const daysBetween = (first: Weekday, last: Weekday): Weekday[] =>
  EVERY_DAY.filter((day) => (first <= last ? day >= first && day <= last : day >= first || day <= last));

const WEEK: readonly Row[] = [
  ['(on|every|each|on a)? {day}', (day: Weekday) => ({ day: [day] })],
  [
    '(from|on|every)? {day} (to|till|until|through|-) {day}',
    (first: Weekday, last: Weekday) => ({ day: daysBetween(first, last) }),
  ],
  [
    '(not|not on|except|except on|but not|but not on) {day}',
    (day: Weekday) => ({ day: EVERY_DAY.filter((one) => one !== day) }),
  ],
  ['{day} night|nights', (day: Weekday) => ({ day: [day], ...hours(18, 24) })],
  ['(at|on|over|during|every)? the? weekend|weekends', { day: WEEKEND }],
  ['(on|during|every)? the? weekday|weekdays', { day: WEEKDAYS }],
  ['(not|except) (on|at)? the? weekend|weekends', { day: WEEKDAYS }],
  ['midweek', { day: [1, 2, 3] }],
  ['(on|in)? weeknight|weeknights', { day: WEEKDAYS, ...hours(17, 24) }],
];

const DATES: readonly Row[] = [
  ['today', ({ today }: QueryContext) => dates(today, today + 1)],
  ['(this|today) (morning)', ({ today }: QueryContext) => ({ ...dates(today, today + 1), ...hours(0, 12) })],
  ['(this|today) (afternoon)', ({ today }: QueryContext) => ({ ...dates(today, today + 1), ...hours(12, 17) })],
  ['(this|today) (evening)', ({ today }: QueryContext) => ({ ...dates(today, today + 1), ...hours(17, 24) })],
  ['tonight', ({ today }: QueryContext) => ({ ...dates(today, today + 1), ...hours(17, 24) })],
  [
    '(later today|later on today)',
    ({ today, time }: QueryContext) => ({ ...dates(today, today + 1), ...(time !== undefined && { after: time }) }),
  ],
  [
    '(right now|open now|on now|now|starting now|starting soon)',
    ({ today, time }: QueryContext) =>
      time === undefined
        ? undefined
        : { ...dates(today, today + 1), after: time, ...(time + 2 * HOUR < MIDNIGHT && { before: time + 2 * HOUR }) },
  ],
  ['tomorrow', ({ today }: QueryContext) => dates(today + 1, today + 2)],
  ['tomorrow night', ({ today }: QueryContext) => ({ ...dates(today + 1, today + 2), ...hours(18, 24) })],
  ['the? day after tomorrow', ({ today }: QueryContext) => dates(today + 2, today + 3)],
  [
    'on? (this|this coming|the coming|coming) {day}',
    (day: Weekday, { today }: QueryContext) => dates(comingDay(day, today), comingDay(day, today) + 1),
  ],
  [
    'on? next {day}',
    (day: Weekday, { today }: QueryContext) => dates(monday(today) + 7 + day, monday(today) + 8 + day),
  ],
  ['(at|on|over)? (this|this coming|the coming|coming) weekend', ({ today }: QueryContext) => comingWeekend(today)],
  ['(at|on|over)? next weekend', ({ today }: QueryContext) => dates(monday(today) + 12, monday(today) + 14)],
  ['this week', ({ today }: QueryContext) => dates(today, monday(today) + 7)],
  ['next week', ({ today }: QueryContext) => dates(monday(today) + 7, monday(today) + 14)],
  ['this month', thisMonth],
  ['next month', ({ today }: QueryContext) => monthFrom(dayOf(civilOf(today).year, civilOf(today).month + 1, 1))],
  ['(in|over|within)? the? next {number} days', (count: number, { today }: QueryContext) => spanFrom(today, count)],
  [
    '(in|over|within)? the? next {number} weeks',
    (count: number, { today }: QueryContext) => spanFrom(today, count * 7),
  ],
  ['(on|on the)? {date}', (day: Day) => dates(day, day + 1)],
  ['on? {day} the? {date}', (_: Weekday, day: Day) => dates(day, day + 1)],
  ['(from|since|starting) the? {date}', (day: Day) => ({ from: dateOfDay(day) })],
  ['after the? {date}', (day: Day) => ({ from: dateOfDay(day + 1) })],
  ['(until|till|to|by) the? {date}', (day: Day) => ({ to: dateOfDay(day + 1) })],
  ['before the? {date}', (day: Day) => ({ to: dateOfDay(day) })],
  ['(from|between) {date} (to|until|till|and|-) {date}', between],
  ['{date} (to|until|till|-) {date}', between],
  ['(from|between)? {ordinal} (to|until|till|and|-) {date}', betweenDates],
  ['(in|during) {month}', (first: Day) => monthFrom(first)],
];

function between(first: Day, last: Day): Filters | undefined {
  return first <= last ? dates(first, last + 1) : undefined;
}

/** `1 to 5 Dec`. */
function betweenDates(first: number, last: Day): Filters | undefined {
  return between(last - civilOf(last).date + first, last);
}

function spanFrom(today: Day, days: number): Filters | undefined {
  return days >= 1 && days <= 366 ? dates(today, today + days) : undefined;
}

const TIMES: readonly Row[] = [
  ['(in|during)? the? early morning|mornings', hours(0, 9)],
  ['(in|during)? the? morning|mornings', hours(0, 12)],
  ['(in|during)? the? late morning|mornings', hours(10, 12)],
  ['(in|during)? the? afternoon|afternoons', hours(12, 17)],
  ['(in|during)? the? early afternoon|afternoons', hours(12, 15)],
  ['(in|during)? the? late afternoon|afternoons', hours(15, 18)],
  ['(in|during)? the? evening|evenings', hours(17, 24)],
  ['(in|during)? the? early evening|evenings', hours(17, 19)],
  ['(in|during)? the? late evening|evenings', hours(20, 24)],
  ['at night', hours(18, 24)],
  ['(in|during)? the? daytime', hours(9, 17)],
  ['(during the day)', hours(9, 17)],
  ['(at|during|in)? my? (lunchtime|lunchtimes|lunch time|lunch break|lunch hour)', hours(12, 14)],
  ['(at lunch)', hours(12, 14)],
  ['(after work)', hours(17, 24)],
  ['(before work)', hours(0, 9)],
  ['(after school)', hours(15, 18)],
  ['(before school)', hours(0, 9)],
  ['(after|later than|past) {clock}', (time: Clock, { half }: QueryContext) => ({ after: timed(time, half, 1, 7) })],
  [
    '(from|starting|starting at|starting from) {exactClock}',
    (time: Clock, { half }: QueryContext) => ({ after: timed(time, half, 1, 7) }),
  ],
  ['(before|earlier than) {clock}', (time: Clock, { half }: QueryContext) => ({ before: timed(time, half, 1, 5) })],
  ['(until|till|by) {exactClock}', (time: Clock, { half }: QueryContext) => ({ before: timed(time, half, 1, 5) })],
  ['(at|around|about) {clock}', (time: Clock, { half }: QueryContext) => halfHour(timed(time, half, 1, 6))],
  [
    '(at|around|about)? half past {clock}',
    (time: Clock, { half }: QueryContext) => halfHour(timed(time, half, 1, 6) + HOUR / 2),
  ],
  ['{exactClock}', (time: Clock, { half }: QueryContext) => halfHour(timed(time, half, 1, 6))],
  ['(between|from) {clock} (and|to|till|until|-) {clock}', within],
  ['{clock} (to|till|until|-) {exactClock}', within],
  ['{exactClock} (to|till|until|-) {clock}', within],
];

/** Which half of the day a bare hour is in: what the query says, else after noon from hour `first` to `last`. */
function timed({ seconds, bare }: Clock, half: 'am' | 'pm' | undefined, first: number, last: number): number {
  const hour = Math.floor(seconds / HOUR);
  const isAfternoon = half === undefined ? hour >= first && hour <= last : half === 'pm';
  return bare && isAfternoon ? seconds + 12 * HOUR : seconds;
}

function halfHour(after: number): Filters | undefined {
  return after >= MIDNIGHT ? undefined : { after, ...(after + HOUR / 2 < MIDNIGHT && { before: after + HOUR / 2 }) };
}

/** The end of a range says its half of the day, the beginning is as near before it as it can be. */
function within(first: Clock, last: Clock, { half }: QueryContext): Filters | undefined {
  const before = timed(last, half, 1, 8);
  const after = first.bare && first.seconds + 12 * HOUR < before ? first.seconds + 12 * HOUR : first.seconds;
  return after < before ? { after, ...(before < MIDNIGHT && { before }) } : undefined;
}

const AT_MOST =
  '(under|below|less than|cheaper than|up to|upto|max|maximum|at most|no more than|not more than|for under|for less than|for up to)';

const PRICES: readonly Row[] = [
  ['for? free', { free: true }],
  ['(free of charge|no charge|no cost|no fee|costs nothing|free entry)', { free: true }],
  [`${AT_MOST} {money}`, (maxPrice: number) => priced(maxPrice)],
  ['for {money}', (maxPrice: number) => priced(maxPrice)],
  ['{money} (or less|or under|or cheaper|max|maximum|and under)', (maxPrice: number) => priced(maxPrice)],
  [
    '(below|less than|cheaper than|up to|upto|max|maximum|at most|no more than|not more than) {bareNumber}',
    (maxPrice: number) => priced(maxPrice),
  ],
  ['under {bareNumber}', (limit: number) => (limit > 21 ? priced(limit) : under(limit))],
];

function priced(maxPrice: number): Filters {
  return maxPrice === 0 ? { free: true } : { maxPrice };
}

const PLACES: readonly Row[] = [
  [
    '(near me|near to me|close to me|around me|around here|near here|near by|nearby|close by|in my area|near my location|where i am)',
    { near: 'me' },
  ],
  ['(near|near to|nr|close to|next to) {anyPlace}', (near: string) => ({ near })],
  ['(in|at|around|by|from) {place}', (near: string) => ({ near })],
  ['{postcode}', (near: string) => ({ near })],
  ['within {distance}', (km: number) => ({ near: 'me', within: km })],
  ['(within|up to|less than|under|max)? {distance} away', (km: number) => ({ near: 'me', within: km })],
  ['within? {distance} (of|from|around) (me|here|my location)', (km: number) => ({ near: 'me', within: km })],
  [
    '(within|up to|less than|under)? {distance} (of|from|around|away from) {anyPlace}',
    (km: number, near: string) => ({ near, within: km }),
  ],
  ['(within walking distance|in walking distance|walking distance)', { near: 'me', within: 1.5 }],
];

const YEARS = '(years old|year old|year olds|years|yrs|yr|yr old|yr olds|yo|yos|years of age)';

const AGES: readonly Row[] = [
  ['(for the|for my|for our|for) {who}', (ages: Ages) => ({ age: ages })],
  ['for? the? (over|above) {numbers}', (min: number) => aged(min)],
  [`for? the? (over|above) {number} ${YEARS}?`, (min: number) => (min >= 16 ? aged(min) : undefined)],
  ['for? the? {numbers} (and over|plus|and above|and up)', (min: number) => aged(min)],
  ['for? (ages|aged|age)? {number} (and over|plus|and above|and up)', (min: number) => aged(min)],
  ['for? the? (under|below) {numbers}', (limit: number) => under(limit)],
  [`for? the? (under|below|up to) {number} ${YEARS}`, (limit: number) => under(limit)],
  ['for? the? {under}', (limit: number) => under(limit)],
  ['for? (age|aged|ages) {number}', (years: number) => aged(years, years)],
  ['for? (age|aged|ages) {number} (to|and|-) {number}', (min: number, max: number) => aged(min, max)],
  [`(for a|for my|for our|for|my)? {number} ${YEARS}`, (years: number) => aged(years, years)],
  [`for? {number} (to|and|-) {number} ${YEARS}`, (min: number, max: number) => aged(min, max)],
  ['for? the? (older people|older adults|senior citizens|retired people|retirees)', { age: { min: 60 } }],
  ['for young people', { age: { min: 11, max: 18 } }],
];

function aged(min: number, max?: number): Filters | undefined {
  const isAge =
    Number.isInteger(min) && min <= 110 && Number.isInteger(max ?? min) && min <= (max ?? 150) && (max ?? 0) <= 110;
  return isAge ? { age: { min, ...(max !== undefined && { max }) } } : undefined;
}

function under(limit: number): Filters | undefined {
  return limit >= 1 && limit <= 110 ? aged(0, limit - 1) : undefined;
}

const PEOPLE: readonly Row[] = [
  ['(for the|for)? (women|womens|ladies|female|females|girls) only', { gender: 'FemaleOnly' }],
  ['(only for|only) (women|ladies|females|girls)', { gender: 'FemaleOnly' }],
  ['for (women and girls|women|ladies|females|girls)', { gender: 'FemaleOnly' }],
  ['(for the|for)? (men|mens|male|males|boys) only', { gender: 'MaleOnly' }],
  ['(only for|only) (men|males|boys)', { gender: 'MaleOnly' }],
  ['for (men and boys|men|males|boys)', { gender: 'MaleOnly' }],
  ['(for|for a)? (absolute|complete|total)? (beginner|beginners|novice|novices) level?', { level: ['Beginner'] }],
  ['(no experience needed|no experience)', { level: ['Beginner'] }],
  ['for? (improver|improvers) level?', { level: ['Improver'] }],
  ['for? (intermediate|intermediates) level?', { level: ['Intermediate'] }],
  ['for? (advanced) level?', { level: ['Advanced'] }],
];

/** Beside an activity only: `Men's Shed` and `Kids Club` are names. */
const BESIDE: readonly Row[] = [
  ['(women|womens|ladies)', { gender: 'FemaleOnly' }],
  ['(men|mens)', { gender: 'MaleOnly' }],
  ['(kids|children|childrens)', { age: { min: 3, max: 11 } }],
  ['toddlers', { age: { min: 1, max: 3 } }],
  ['(teens|teenagers)', { age: { min: 13, max: 17 } }],
  ['adults', { age: { min: 18 } }],
  ['(seniors|pensioners)', { age: { min: 60 } }],
];

const support = (label: string): Filters => ({ accessible: [label] });
const VISUAL = support('Visual impairment');
const HEARING = support('Hearing impairment');
const PHYSICAL = support('Physical impairment');
const LEARNING = support('Learning impairment');
const FOR = '(for|for the|for people with|for those with|people with|with|with a)?';

const OTHERS: readonly Row[] = [
  [
    '(online only|online|zoom|virtual|virtually|livestream|livestreamed|live stream|live streamed|from home)',
    { online: true },
  ],
  ['(on|via|over|by) zoom', { online: true }],
  ['accessible', support('any')],
  [`${FOR} (disabled|disabled people|disability|disabilities) friendly?`, support('any')],
  [`${FOR} (wheelchair|wheelchairs) (accessible|access|friendly|user|users)`, PHYSICAL],
  ['(for|in a|with a|with)? (wheelchair|wheelchairs)', PHYSICAL],
  [
    '(with)? (step free|step free access|accessible by wheelchair|limited mobility|mobility issues|mobility problems)',
    PHYSICAL,
  ],
  [`${FOR} (physical|physically) (impairment|impaired|disability|disabilities|disabled)`, PHYSICAL],
  [`${FOR} (visual|visually|vision|sight) (impairment|impairments|impaired|loss) people?`, VISUAL],
  [`${FOR} (blind|blind people|partially sighted|low vision)`, VISUAL],
  [`${FOR} (hearing) (impairment|impairments|impaired|loss) people?`, HEARING],
  [`${FOR} (deaf|deaf people|hard of hearing|bsl)`, HEARING],
  [`${FOR} (learning) (impairment|disability|disabilities|difficulties|disabled)`, LEARNING],
  [`${FOR} (autism|autistic|autistic people|special needs|send) friendly?`, LEARNING],
  [`${FOR} mental health (issues|problems|conditions)?`, support('Mental health issues')],
  [
    `${FOR} (behavioural|social or behavioural) (problems|difficulties|issues)`,
    support('Social or behavioural problems'),
  ],
  ['(including|with|show|even|also)? cancelled|canceled', { cancelled: true }],
  ['(not|non) cancelled|canceled', {}],
];

export const PHRASES: readonly Phrase[] = [
  ...[WEEK, DATES, TIMES, PRICES, PLACES, AGES, PEOPLE, OTHERS].flatMap((rows) =>
    rows.map((row) => phrase(row, false)),
  ),
  ...BESIDE.map((row) => phrase(row, true)),
];

function phrase([text, filters]: Row, beside: boolean): Phrase {
  return {
    pattern: pattern(text),
    filters: (values, context) =>
      typeof filters === 'function' ? filters(...([...values, context] as never[])) : filters,
    beside,
  };
}

const DAYS_OF_WEEK = DAYS.map((name) => name.toLowerCase());

/** Words that look like filters, in names that people search for: they stay words. */
export const KEPT: ReadonlySet<string> = new Set([
  ...`after school club|alcohol free|bank holiday monday|barrier free|birthday party|book online|boxing day|
    boys brigade|care free|club night|coffee morning|dairy free|drug free|easter monday|easter sunday|
    free climbing|free diving|free fall|free flow|free form|free jumping|free kick|free movement|free play|
    free range|free running|free spirit|free style|free trial|free weights|free wheelers|free wheeling|
    girls brigade|gluten free|good friday|hands free|kids club|ladies day|ladies night|mens shed|mens sheds|
    night owls|online booking|open day|open days|open evening|open morning|pain free|send off|smoke free|
    stress free|sun salutation|sun salutations|sun style|tea dance|this girl can|virtual bodybalance|
    virtual bodycombat|virtual bodypump|virtual cycle|virtual cycling|virtual grit|virtual race|virtual rpm|
    virtual run|virtual spin|virtual spinning|virtual sprint|what is on|whats on|womens institute`
    .split('|')
    .map((words) => words.trim()),
  ...['first', 'second', 'third', 'fourth', 'last'].flatMap((ordinal) =>
    DAYS_OF_WEEK.map((day) => `${ordinal} ${day}`),
  ),
]);
