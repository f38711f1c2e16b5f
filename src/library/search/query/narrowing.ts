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

/**
 * Narrower queries that words suggest. Each takes the place of the query where something on the requested dates matches it.
 */

/** A query, with what it was made of. */
export interface Narrowed {
  query: SearchQuery;
  /** Filters of the address. */
  named: Filters;
  /** Filters of the address, over those in the words. */
  filters: Filters;
  understood: Understood | undefined;
  /** Words of `understood` that were mistyped. */
  replaced: readonly ReplacedWord[];
  /** Towns among the words, as keys. */
  towns: readonly string[];
}

interface Narrowing {
  /** Narrower queries, of which the first that finds something is taken; undefined: the words suggest none. */
  to(asked: Narrowed): SearchQuery | readonly SearchQuery[] | undefined;
  /** Whether the words mean something else. It is asked only where the narrower query finds something. */
  unless?(read: Reader, asked: Narrowed): Promise<boolean>;
}

const NARROWINGS: readonly Narrowing[] = [
  { to: inTown },
  { to: inTownOfWords, unless: namesOrganizer },
  { to: ofStatedAges },
  { to: ofName },
  { to: ofCarers },
  { to: ofKindWords },
  { to: ofOwnWords, unless: namesPlace },
];

/** A query of series, as narrow as it can be. `isOn`: whether a query finds something on the requested dates. */
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

/** Words that ask for what is around a place, and not only in it. */
const AROUND = /\b(?:around|away|by|close|far|from|near|nr|next|of|within)\b/i;

/** What is in the named town itself. Where nothing is, `in Exeter` remains what is near it. */
function inTown({ query, named, filters, understood }: Narrowed): SearchQuery | undefined {
  const { near } = filters;
  const parts = understood?.understood ?? [];
  const isAround = named.near !== undefined || named.within !== undefined || parts.some((one) => one.filters.within);
  if (isAround || typeof near !== 'string') return undefined;
  const part = parts.find((one) => one.filters.near === near);
  if (part === undefined || AROUND.test(part.text)) return undefined;
  return { ...query, keys: { ...query.keys, towns: [foldedKey(near)] } };
}

/** What is in the town of `netball Wexcombe`, and not elsewhere by Wexcombe Clubs. */
function inTownOfWords({ query, filters, towns }: Narrowed): SearchQuery | undefined {
  return towns.length === 0 || filters.near !== undefined ? undefined : { ...query, keys: { ...query.keys, towns } };
}

/** From this age on there are classes for people of that age. */
const OLDER = 50;
/** From the next age on children may come to what is for adults, too. */
const CHILD = 11;

/**
 * For children: what adults may not come to, else what states its ages. For older people: what states that it is for them. An
 * age of the address is not narrowed. Nor is a search for anything free, because an open day states no ages.
 */
function ofStatedAges({ query, named, filters }: Narrowed): SearchQuery[] {
  const { age } = query;
  if (age === undefined || named.age !== undefined) return [];
  const isAnyFree = filters.free === true && query.words === undefined;
  const isOfChildren = age.max !== undefined && age.max < ADULT;
  const ofTheirOwn: SearchQuery = { ...query, age: { ...age, highest: ADULT } };
  if (isOfChildren && !isAnyFree) return [ofTheirOwn, { ...query, age: { ...age, stated: 0 } }];
  // A class from 16 years on is for few teenagers.
  if (isOfChildren && age.min > CHILD) return [ofTheirOwn, { ...query, age: { ...age, max: age.min } }];
  return age.min >= OLDER ? [{ ...query, age: { ...age, stated: OLDER } }] : [];
}

/**
 * What has the words in its name as they stand: `teen gym` and `public swim` are names, although they begin with a filter or
 * a weak word.
 */
function ofName({ query, named, understood }: Narrowed): SearchQuery | undefined {
  const spoken = understood === undefined ? [] : [...namesOfWho(understood, named), ...weakNames(understood.words)];
  if (spoken.length === 0) return undefined;
  return { ...query, words: [...(query.words ?? []), { any: spoken, phrase: true, within: 'kind' }] };
}

/** Parts of the words that say an age, or that everybody may come, each with the activity behind it. */
function namesOfWho({ query, understood }: Understood, { age, gender }: Filters): string[][] {
  if (age !== undefined || gender !== undefined) return [];
  return understood.flatMap(({ text, end, filters }, at) => {
    const next = query.slice(end, understood[at + 1]?.start);
    const isName = filters.age !== undefined || filters.gender === 'NoRestriction';
    const [activity] = isName ? queryTerms(next, activityList()) : [];
    return activity?.concept === undefined ? [] : [[...wordsIn(text).map(stem), ...activity.terms]];
  });
}

/** Weak words, each with the activity behind it. */
function weakNames(words: string): string[][] {
  const terms = queryTerms(words, activityList());
  return terms.flatMap(({ terms: weak, optional }, at) => {
    const next = terms[at + 1];
    return optional && next?.concept !== undefined ? [[...weak, ...next.terms]] : [];
  });
}

/** What names carers itself. Beside parents a carer is one of them; alone, a carer is somebody who cares for an adult. */
function ofCarers({ query, understood, replaced }: Narrowed): SearchQuery | undefined {
  const words = new Set(wordsIn(meantWords(understood, replaced)).map(stem));
  if (!words.has(CARER) || words.has(PARENT)) return undefined;
  const own = (group: TermGroup): TermGroup =>
    group.any.some((terms) => terms.includes(CARER)) ? { ...group, any: [[CARER]] } : group;
  return { ...query, words: (query.words ?? []).map(own) };
}

const [CARER, PARENT] = [stem('carer'), stem('parent')];

/**
 * What is a course, a club or training by its own name: with all of these words, else with one of them. Not all football is
 * football training.
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

/** Labels with "training" among other words, such as resistance training: `training` alone does not mean body pump. */
const trainingLabelsIn = perObject(({ concepts }: Vocabulary): string[][] => {
  const labels = concepts.flatMap(labelsOf).map((label) => wordsIn(label).map(stem));
  return labels.filter((terms) => terms.length > 1 && terms.includes(TRAINING));
});

const TRAINING = stem('training');

/** A name in quotation marks. */
const QUOTED = /["“”][^"“”]*["“”]/g;

/** The words that are no filters, typing errors corrected. */
function meantWords(understood: Understood | undefined, replaced: readonly ReplacedWord[]): string {
  return replaced.reduce((text, { word, by }) => withWord(text, word, by), understood?.words ?? '');
}

/** What has the words in its own name or activities, and not only in the name of its place: `lanes` means no street. */
function ofOwnWords({ query }: Narrowed): SearchQuery | undefined {
  if (query.words?.some(({ within }) => within === 'names') !== true) return undefined;
  return { ...query, words: query.words.map((group): TermGroup => ({ ...group, within: 'kind' })) };
}

/** The most words of a text that are looked up. */
const MOST_WORDS = 12;
/** The lists of keys of names of places and organisers. */
const NAMES = ['towns', 'districts', 'places', 'organizers'] as const;

/** Some of the words one after the other, as keys. */
function runsOfWords({ understood, replaced }: Narrowed): string[][] {
  const words = foldedKey(meantWords(understood, replaced).replaceAll(/["“”]/g, ' ')).split(' ').slice(0, MOST_WORDS);
  return words.flatMap((_, from) => words.slice(from).map((_word, more) => words.slice(from, from + more + 1)));
}

function namesOrganizer(read: Reader, asked: Narrowed): Promise<boolean> {
  const organizers = runsOfWords(asked).map((run) => run.join(' '));
  return hasOne(read, { kind: asked.query.kind, keys: { organizers } });
}

/** Whether some of the words are a town, an organiser or a place, or several of them a part of a place's name. */
async function namesPlace(read: Reader, asked: Narrowed): Promise<boolean> {
  const runs = runsOfWords(asked);
  const { kind } = asked.query;
  const names = runs.map((run) => run.join(' '));
  for (const list of NAMES) if (await hasOne(read, { kind, keys: { [list]: names } })) return true;
  const pairs = runs.filter(({ length }) => length === 2).map((pair) => pair.map(stem));
  return pairs.length > 0 && hasOne(read, { kind: 'place', words: [{ any: pairs, phrase: true, within: 'kind' }] });
}

/** A query that names no age, for adults: where babies alone have half an hour, that is no `half hour swim`. */
export function forAdults(query: SearchQuery): SearchQuery {
  return query.age === undefined ? { ...query, age: { min: ADULT } } : query;
}
