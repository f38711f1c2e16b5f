import { perObject } from '../../../bounded-map.ts';
import { foldedKey } from '../../../search/document.ts';
import type { Filters } from '../../../search/filters.ts';
import { isOfNames, queryTerms } from '../../../search/terms.ts';
import { withWord } from '../../../search/tokens.ts';
import { ADULT } from '../../../search/values/context.ts';
import type { Understood } from '../../../search/words.ts';
import type { Reader, SearchQuery, TermGroup } from '../../../store/index.ts';
import { stem, wordsIn } from '../../../vocabulary/folding.ts';
import { activityList } from '../../../vocabulary/shipped.ts';
import { labelsOf, type Vocabulary } from '../../../vocabulary/vocabulary.ts';
import type { ReplacedWord } from '../types.ts';
import { hasOne } from './matching.ts';

/** Narrower queries, each of which holds where something that is on answers it. They are asked for where words give a reason. */

/** What a query was made of. */
export interface Narrowed {
  query: SearchQuery;
  /** Filters of the address. */
  named: Filters;
  /** Filters of the address, over those in the words. */
  filters: Filters;
  understood: Understood | undefined;
  /** Words of `understood` that were mistyped. */
  replaced: readonly ReplacedWord[];
}

interface Narrowing {
  /** Narrower queries, of which the first holds that finds something; undefined: there is no reason for one. */
  to(asked: Narrowed): SearchQuery | readonly SearchQuery[] | undefined;
  /** Whether something else is meant, which is asked where the narrower query finds something. */
  unless?(read: Reader, asked: Narrowed): Promise<boolean>;
}

const NARROWINGS: readonly Narrowing[] = [
  { to: inTown },
  { to: ofStatedAges },
  { to: ofName },
  { to: ofCarers },
  { to: ofKindWords },
  { to: ofOwnWords, unless: namesPlace },
];

/** A query of series, as narrow as it can be. `isOn`: whether a query finds something on the dates that are asked for. */
export async function narrowed(
  read: Reader,
  asked: Narrowed,
  isOn: (query: SearchQuery) => Promise<boolean>,
): Promise<SearchQuery> {
  let { query } = asked;
  if (query.kind !== 'series') return query;
  for (const narrowing of NARROWINGS) {
    for (const narrow of [narrowing.to({ ...asked, query }) ?? []].flat()) {
      if (!(await hasOne(read, narrow)) || (await narrowing.unless?.(read, asked)) || !(await isOn(narrow))) continue;
      query = narrow;
      break;
    }
  }
  return query;
}

/** Around a place, and not in it. */
const AROUND = /\b(?:around|away|by|close|far|from|near|nr|next|of|within)\b/i;

/** What is in the town that words name: `in Exeter` is also what is near it, where nothing is there. */
function inTown({ query, named, filters, understood }: Narrowed): SearchQuery | undefined {
  const { near } = filters;
  const parts = understood?.understood ?? [];
  const isAround = named.near !== undefined || named.within !== undefined || parts.some((one) => one.filters.within);
  if (isAround || typeof near !== 'string') return undefined;
  const part = parts.find((one) => one.filters.near === near);
  if (part === undefined || AROUND.test(part.text)) return undefined;
  return { ...query, keys: { ...query.keys, towns: [foldedKey(near)] } };
}

/** From this age on there are classes for people of that age. */
const OLDER = 50;

/**
 * What no adult may come to, where words ask for children, else what states its ages; and what states that it is for older people.
 * An age in the address is as exact as it says. What is free and of no kind is for everybody: an open day states no age.
 */
function ofStatedAges({ query, named, filters }: Narrowed): SearchQuery[] {
  const { age } = query;
  if (age === undefined || named.age !== undefined) return [];
  const isAnyFree = filters.free === true && query.words === undefined;
  if (age.max !== undefined && age.max < ADULT && !isAnyFree)
    return [
      { ...query, age: { ...age, highest: ADULT } },
      { ...query, age: { ...age, stated: 0 } },
    ];
  return age.min >= OLDER ? [{ ...query, age: { ...age, stated: OLDER } }] : [];
}

/** What is called as somebody says it: `teen gym` and `public swim` are names, though a part of each says who comes or little. */
function ofName({ query, named, understood }: Narrowed): SearchQuery | undefined {
  const spoken = understood === undefined ? [] : [...namesOfWho(understood, named), ...weakNames(understood.words)];
  if (spoken.length === 0) return undefined;
  return { ...query, words: [...(query.words ?? []), { any: spoken, phrase: true, within: 'kind' }] };
}

/** Words that say an age, or that something is for everybody, with the activity behind them. */
function namesOfWho({ query, understood }: Understood, { age, gender }: Filters): string[][] {
  if (age !== undefined || gender !== undefined) return [];
  return understood.flatMap(({ text, end, filters }, at) => {
    const next = query.slice(end, understood[at + 1]?.start);
    const isName = filters.age !== undefined || filters.gender === 'NoRestriction';
    const [activity] = isName ? queryTerms(next, activityList()) : [];
    return activity?.concept === undefined ? [] : [[...wordsIn(text).map(stem), ...activity.terms]];
  });
}

/** Words that say little, each with the activity behind it. */
function weakNames(words: string): string[][] {
  const terms = queryTerms(words, activityList());
  return terms.flatMap(({ terms: weak, optional }, at) => {
    const next = terms[at + 1];
    return optional && next?.concept !== undefined ? [[...weak, ...next.terms]] : [];
  });
}

/** What says carer itself: beside a child a carer is who a parent is, and else somebody who cares for an adult. */
function ofCarers({ query, understood, replaced }: Narrowed): SearchQuery | undefined {
  const words = new Set(wordsIn(meantWords(understood, replaced)).map(stem));
  if (!words.has(CARER) || words.has(PARENT)) return undefined;
  const own = (group: TermGroup): TermGroup =>
    group.any.some((terms) => terms.includes(CARER)) ? { ...group, any: [[CARER]] } : group;
  return { ...query, words: (query.words ?? []).map(own) };
}

const [CARER, PARENT] = [stem('carer'), stem('parent')];

/**
 * What is a course, a club or training by its own name: with all of these words, else with one of them. `training` beside a day is
 * what somebody asks for, and football training is not all football.
 */
function ofKindWords({ query, understood, replaced }: Narrowed): SearchQuery[] {
  const typed = new Set(wordsIn(meantWords(understood, replaced).replaceAll(QUOTED, ' ')).filter(isOfNames).map(stem));
  const groups = [...typed].map(
    (term): TermGroup => ({
      any: [[term]],
      within: 'kind',
      ...(term === TRAINING && { not: trainingLabelsIn(activityList()) }),
    }),
  );
  const either: TermGroup = { any: groups.flatMap(({ any }) => any), within: 'kind' };
  const asked = groups.length > 1 ? [groups, [either]] : groups.length === 1 ? [groups] : [];
  return asked.map((more) => ({ ...query, words: [...(query.words ?? []), ...more] }));
}

/** Labels with "training" among other words: body pump is resistance training, and nobody's training on Saturday. */
const trainingLabelsIn = perObject(({ concepts }: Vocabulary): string[][] => {
  const labels = concepts.flatMap(labelsOf).map((label) => wordsIn(label).map(stem));
  return labels.filter((terms) => terms.length > 1 && terms.includes(TRAINING));
});

const TRAINING = stem('training');

/** A name, which is asked for as a whole. */
const QUOTED = /["“”][^"“”]*["“”]/g;

/** The words that are left, without typing errors. */
function meantWords(understood: Understood | undefined, replaced: readonly ReplacedWord[]): string {
  return replaced.reduce((text, { word, by }) => withWord(text, word, by), understood?.words ?? '');
}

/** What has words in its own name or activity, where names of others have them, too: `lanes` are no street. */
function ofOwnWords({ query }: Narrowed): SearchQuery | undefined {
  if (query.words?.some(({ within }) => within === 'names') !== true) return undefined;
  return { ...query, words: query.words.map((group): TermGroup => ({ ...group, within: 'kind' })) };
}

/** Words of a longer text are not looked up. */
const MOST_WORDS = 12;
/** Lists with names of somewhere and somebody. */
const NAMES = ['towns', 'districts', 'places', 'organizers'] as const;

/** Whether some of the words are a town, an organiser or a place, or several of them a part of a place's name. */
async function namesPlace(read: Reader, { query: { kind }, understood, replaced }: Narrowed): Promise<boolean> {
  const words = foldedKey(meantWords(understood, replaced).replaceAll(/["“”]/g, ' ')).split(' ').slice(0, MOST_WORDS);
  const runs = words.flatMap((_, from) => words.slice(from).map((_word, more) => words.slice(from, from + more + 1)));
  const names = runs.map((run) => run.join(' '));
  for (const list of NAMES) if (await hasOne(read, { kind, keys: { [list]: names } })) return true;
  const pairs = runs.filter(({ length }) => length === 2).map((pair) => pair.map(stem));
  return pairs.length > 0 && hasOne(read, { kind: 'place', words: [{ any: pairs, phrase: true, within: 'kind' }] });
}

/** A query that names no age, for adults: where babies alone have half an hour, that is no `half hour swim`. */
export function forAdults(query: SearchQuery): SearchQuery {
  return query.age === undefined ? { ...query, age: { min: ADULT } } : query;
}
