import type { RecordKind } from '../../../opportunity/records.ts';
import { foldedKey } from '../../../search/document.ts';
import { canonical, type Filters } from '../../../search/filters.ts';
import type { Unwanted } from '../../../search/negation.ts';
import { queryTerms } from '../../../search/terms.ts';
import { ADULT } from '../../../search/values/context.ts';
import type { Understood, UnderstoodText } from '../../../search/words.ts';
import type { KeyList, Reader, SearchQuery, TermGroup, UnwantedNames } from '../../../store/index.ts';
import { DAY_SECONDS, EVERY_DAY } from '../../../time/days.ts';
import { stem, wordsIn } from '../../../vocabulary/folding.ts';
import { activityList } from '../../../vocabulary/shipped.ts';
import { hasOne, isFound } from './matching.ts';
import { knownPlace } from './places.ts';
import { groupOf } from './term-groups.ts';

/** Unwanted parts of the words, such as `yoga` of `not yoga`, as conditions of a query. */

type OppositeQuery = Pick<SearchQuery, 'notAge' | 'notGender' | 'online'>;
type Names = readonly (readonly string[])[];

/** The conditions for all unwanted parts. */
export interface Exclusion {
  /** Names that exclude a document. */
  names: UnwantedNames;
  /** The opposites of filters, where only a query can express them. */
  query: OppositeQuery;
  /** Parts of the words without any condition, and single unwanted things without one. */
  unasked: ReadonlySet<UnderstoodText | Unwanted>;
}

/** The conditions of a query of a kind for all unwanted parts of the words. */
export async function exclusionOf(
  read: Reader,
  kind: RecordKind,
  understood: Understood | undefined,
): Promise<Exclusion> {
  const names: { [List in keyof UnwantedNames]: Names } = {};
  const query: OppositeQuery = {};
  const unasked = new Set<UnderstoodText | Unwanted>();
  for (const part of understood?.understood ?? []) {
    const { unwanted = [] } = part;
    const left: Unwanted[] = [];
    for (const one of unwanted) {
      const own = await unwantedNames(read, kind, one);
      const lists = Object.keys(own) as (keyof UnwantedNames)[];
      for (const list of lists) names[list] = [...(names[list] ?? []), ...(own[list] ?? [])];
      const opposite = kind === 'series' ? oppositeQueryOf(one) : undefined;
      addOpposite(query, opposite);
      if (lists.length === 0 && opposite === undefined && one.isAsked !== true) left.push(one);
    }
    for (const one of left) unasked.add(one);
    if (unwanted.length > 0 && left.length === unwanted.length) unasked.add(part);
  }
  return { names, query, unasked };
}

/** Not for women alone and not for men alone: for no gender alone. */
function addOpposite(query: OppositeQuery, { notAge, notGender, online }: OppositeQuery = {}): void {
  if (notAge !== undefined) query.notAge = [...(query.notAge ?? []), ...notAge];
  const isOther = query.notGender !== undefined && query.notGender !== notGender;
  if (notGender !== undefined) query.notGender = isOther ? 'either' : notGender;
  if (online !== undefined) query.online = online;
}

/** The names of one unwanted thing, as the data has them; none where nothing has such a name. */
async function unwantedNames(read: Reader, kind: RecordKind, one: Unwanted): Promise<UnwantedNames> {
  const { text, filters: { near, within, ...filters } = {}, isName, lead } = one;
  if (typeof near === 'string' && Object.keys(filters).length === 0)
    return AROUND.test(text) ? {} : namesOfPlace(read, near);
  if (isName !== true) return {};
  const typed = wordsIn(text).map(stem);
  const { kinds, isActivity } = kindsOf(text);
  // Words that say nothing name nothing.
  if (kinds.length === 0) return {};
  if (lead === 'at') {
    const place = await namesOfPlace(read, text);
    return place.notAt === undefined ? namesAround(read, kind, typed) : place;
  }
  if (lead === 'no') return typed.length < 2 ? {} : namesAround(read, kind, typed);
  if (lead === 'by' && !isActivity) {
    const people: TermGroup = { ...phrase(typed), within: 'names', notAt: [typed] };
    return (await isFound(read, { kind, words: [people] })) ? { not: kinds, notBy: [typed] } : {};
  }
  const isKind = await isFound(read, { kind, words: [{ any: kinds, phrase: true, within: 'kind' }] });
  const ofKind = isKind ? { not: kinds } : {};
  if (isActivity) return ofKind;
  // `lanes` are no Harbour Lane, and Wexcombe is a town whatever else is called so.
  const isElse = isKind && typed.length === 1 ? await isWholeName(read, kind, text) : undefined;
  if (isElse === false) return ofKind;
  return { ...ofKind, ...(isElse ? around(typed) : await namesAround(read, kind, typed)) };
}

/** Words for what is near a place. It may be in any other place, so no name excludes it. */
const AROUND = /^(?:around|by|close|near|next|nr|within|not far)\b|\baway\b/i;

const phrase = (terms: readonly string[]): TermGroup => ({ any: [terms], phrase: true });
const around = (terms: readonly string[]): UnwantedNames => ({ notAt: [terms], notBy: [terms] });

/** A text as names of what something is. `isActivity`: all of them are labels of activities, or other names of one. */
function kindsOf(text: string): { kinds: Names; isActivity: boolean } {
  const terms = queryTerms(text, activityList());
  const firm = terms.filter(({ optional }) => !optional);
  const meant = firm.length > 0 ? firm : terms;
  const isActivity = meant.every(({ concept }) => concept !== undefined);
  const areNames = meant.length === 1 || isActivity;
  const kinds = areNames ? meant.flatMap((one) => groupOf(one).any) : [meant.flatMap(({ terms: own }) => own)];
  return { kinds, isActivity };
}

/** The names of a place, a town or a postcode district, as it was typed and as the data has it; none where it is unknown. */
async function namesOfPlace(read: Reader, text: string): Promise<UnwantedNames> {
  const known = await knownPlace(read, text);
  if (known === undefined) return {};
  const names = new Map([text, known.name ?? known.key].map((name) => [foldedKey(name), wordsIn(name).map(stem)]));
  return { notAt: [...names.values()] };
}

/** A name of places and people; none where everything that has it is also called so itself. */
async function namesAround(read: Reader, kind: RecordKind, terms: readonly string[]): Promise<UnwantedNames> {
  const group: TermGroup = { ...phrase(terms), within: 'names', not: [terms] };
  return (await isFound(read, { kind, words: [group] })) ? around(terms) : {};
}

const WHOLE_NAMES = ['towns', 'districts', 'places', 'organizers'] as const satisfies readonly KeyList[];

async function isWholeName(read: Reader, kind: RecordKind, text: string): Promise<boolean> {
  for (const list of WHOLE_NAMES) if (await hasOne(read, { kind, keys: { [list]: [foldedKey(text)] } })) return true;
  return false;
}

/** Groups that exclude a document with one of some names. */
export function withoutUnwanted(groups: readonly TermGroup[], names: UnwantedNames): TermGroup[] {
  if (Object.keys(names).length === 0) return [...groups];
  const [first = ANYTHING, ...others] = groups;
  const not = [...(first.not ?? []), ...(names.not ?? [])];
  return [{ ...first, ...names, ...(not.length > 0 && { not }) }, ...others];
}

/** A group that every document has. */
const ANYTHING: TermGroup = { any: [[]] };

/** Words in which each unwanted part has the opposite filter, where there is one and no other part has that filter. */
export function withOpposites({ filters, understood, ...rest }: Understood): Understood {
  let all = filters;
  const parts = understood.map((part): UnderstoodText => {
    const { leftOut, ...others } = part;
    if (part.unwanted === undefined) return part;
    let own = part.filters;
    const asked = new Set<Unwanted>();
    for (const group of askedTogether(part.unwanted)) {
      const opposite = oppositeOf(unionOf(group));
      if (opposite === undefined || Object.keys(opposite).some((name) => all[name as keyof Filters] !== undefined))
        continue;
      own = { ...own, ...opposite };
      all = canonical({ ...all, ...opposite });
      for (const one of group) asked.add(one);
    }
    const unwanted = part.unwanted.map((one): Unwanted => (asked.has(one) ? { ...one, isAsked: true } : one));
    const isLess = unwanted.some(({ isAsked }) => isAsked !== true);
    return { ...others, filters: own, unwanted, ...(isLess && leftOut !== undefined && { leftOut }) };
  });
  return { ...rest, filters: all, understood: parts };
}

const hoursWithin = ({ after = 0, before = DAY_SECONDS }: Filters = {}): [number, number] => [after, before];

/** Unwanted things one by one, but hours that follow each other together: `not in the morning or afternoon`. */
function askedTogether(unwanted: readonly Unwanted[]): (readonly Unwanted[])[] {
  const isHours = ({ filters = {} }: Unwanted): boolean =>
    Object.keys(filters).length > 0 && Object.keys(filters).every((name) => name === 'after' || name === 'before');
  const hours = unwanted.filter(isHours).toSorted((a, b) => hoursWithin(a.filters)[0] - hoursWithin(b.filters)[0]);
  const follows = (at: number): boolean =>
    hoursWithin(hours[at]?.filters)[0] <= Math.max(...hours.slice(0, at).map(({ filters }) => hoursWithin(filters)[1]));
  const isOne = hours.length > 1 && hours.every((_, at) => at === 0 || follows(at));
  const others = isOne ? unwanted.filter((one) => !hours.includes(one)) : unwanted;
  return [...(isOne ? [hours] : []), ...others.map((one) => [one])];
}

/** The filters of one unwanted thing, or the hours from the first to the last of several. */
function unionOf([first, ...others]: readonly Unwanted[]): Filters {
  if (others.length === 0) return first?.filters ?? {};
  const all = [first, ...others].map((one) => hoursWithin(one?.filters));
  const [after, before] = [Math.min(...all.map(([from]) => from)), Math.max(...all.map(([, to]) => to))];
  return { ...(after > 0 && { after }), ...(before < DAY_SECONDS && { before }) };
}

/** The opposite of unwanted filters: from noon on for `in the morning`. Undefined: no filter says it. */
function oppositeOf({ after, before, day, ...others }: Filters): Filters | undefined {
  if (Object.keys(others).length > 0) return undefined;
  const opposites: Filters[] = [
    ...(day !== undefined ? [{ day: EVERY_DAY.filter((one) => !day.includes(one)) }] : []),

    ...(after === undefined && before !== undefined ? [{ after: before }] : []),
    ...(before === undefined && after !== undefined ? [{ before: after }] : []),
  ];
  return opposites.length === 1 ? opposites[0] : undefined;
}

/** Who wants nothing for children wants nothing for teenagers either, though classes for children are for younger ones. */
const CHILDREN = /\b(?:kid|child)/i;

/** The opposite of filters that only the index can be asked for: not for teenagers, not online. Undefined: it has none. */
function oppositeQueryOf({ text, filters = {} }: Unwanted): OppositeQuery | undefined {
  const { age, gender, online, ...others } = filters;
  if (Object.keys(others).length > 0) return undefined;
  if (age?.max !== undefined && gender === undefined)
    return { notAge: [CHILDREN.test(text) ? { min: 0, max: ADULT - 1 } : { min: age.min, max: age.max }] };
  if (age !== undefined) return undefined;
  if (gender !== undefined && gender !== 'NoRestriction') return { notGender: gender };
  return online ? { online: false } : undefined;
}
