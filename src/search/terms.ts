import { perObject } from '../bounded-map.ts';
import { isTypingError } from '../nearest.ts';
import { foldedText, singular, stem, wordsIn } from '../vocabulary/folding.ts';
import { remembered } from '../vocabulary/remembered.ts';
import {
  allBroader,
  allNarrower,
  type Concept,
  labelsOf,
  MOST_LABEL_WORDS,
  type Vocabulary,
} from '../vocabulary/vocabulary.ts';
import { ALSO_CALLED, MOST_NAME_WORDS, type Synonyms, synonymsIn } from './synonyms.ts';
import { MAX_QUERY } from './tokens.ts';
import { GENERIC } from './values/context.ts';

/** Texts as terms, for documents and queries alike. Pure. */

/**
 * The terms of a text: stems of its words in their order, then its hyphenated words as one.
 *
 * @example termsOf("Men's 5-a-side Swimming") // ['men', '5', 'a', 'sid', 'swim', '5asid']
 */
export function termsOf(text: string): string[] {
  const words = (foldedText(text).match(HYPHENATED) ?? []).map((word) => word.split(HYPHEN));
  return [...words.flat(), ...words.filter((parts) => parts.length > 1).map((parts) => parts.join(''))].map(stemOf);
}

const stemOf = remembered(stem);
const HYPHENATED = /[\p{L}\p{N}]+(?:[-‐‑][\p{L}\p{N}]+)*/gu;
const HYPHEN = /[-‐‑]/;

/** Terms that a document may have instead of others. */
export interface OtherTerms {
  terms: readonly string[];
  /** Their weight, from 0 to 1; the words of the query have 1. */
  weight: number;
  /** The label of a broader concept, to name what was searched for. */
  label?: string;
}

/** A word or name of a query, with its alternatives. */
export interface QueryTerm {
  /** The terms that a document must have, all of them. */
  terms: readonly string[];
  /** Whether the terms follow each other in this order: they were in quotation marks. */
  phrase?: true;
  /** Whether the term only ranks: documents without it are found behind others. `class` of `yoga class`. */
  optional?: true;
  /** The term is left out where nothing has all words of the query: `mum` of `mum and baby yoga`. */
  yields?: true;
  /** The concept that is named. */
  concept?: Concept;
  /** The word as it was typed, folded. */
  text?: string;
  /** Names of other activities that contain this one: `walking football`, where walking is meant. */
  not?: readonly (readonly string[])[];
  /** Other labels of the concept, then of narrower ones, then of broader ones, which help where nothing else is found. */
  others: readonly OtherTerms[];
}

export const WEIGHTS = { label: 1, narrower: 0.6, broader: 0.2 } as const;

/** The most narrower concepts of a term; more would make a query long and no better. */
const MOST_NARROWER = 40;
const MOST_TERMS = 40;

/** Words without a meaning of their own; a query of these alone has no terms. */
export const STOP_WORDS = new Set(
  `a am an and any anybody anyone anything anywhere are around as at available be been but by can cant could did do does doesnt doing dont event events find for
  from get getting go going had happening has have having he hello help hes hey hi his her how i id if im in into is it its ive list looking me much my
  n need needs of ok okay on or our please pls recommend she shes should show some somebody someone something somewhere stuff suggest suitable
  tell thanks that thats the their them theres there theyre they things this those to und up us want wanted wants was we were what whats when where whether which
  who whos with wondering would you your alexa google siri`.split(/\s+/),
);
/** Verbs for what people do or would like to do. */
export const VERBS =
  'attend begin bring come enjoy improve join learn like likes love loves meet practise start starting take teach teaches tried try trying'.split(
    ' ',
  );
/**
 * Words for how something shall be. A name may have them; where nothing has them, they are left out and named as unmatched.
 */
const YIELDING_WORDS = new Set([
  ...VERBS,
  ...`active casual competitive countryside daily easy energetic family fun gentle guided indoor indoors intense live mixed nervous new
  outside people plan proper quick quiet regular short social team weekly`.split(/\s+/),
]);
/** Weak words: many documents that are meant do not have them. */
const WEAK_WORDS = new Set(
  `ability activity age all based best boyfriend brother cheap cheapest class club coaching cost course court daughter friend friendly
  girlfriend good gran grandad granddad granddaughter grandfather grandma grandmother grandson group husband lesson level local nan nana
  nice niece nephew only partner place play price public schedule session sister son sport time timetable training wife`.split(
    /\s+/,
  ),
);

/** Weak words that names have for what something is: a coaching course, a gymnastics club. */
const KIND_WORDS: ReadonlySet<string> = new Set(['club', 'coaching', 'course', 'lesson', 'training']);

/** Whether a weak word says what something is, where a name has it: `training` of `football training`. */
export const isOfNames = (word: string): boolean => KIND_WORDS.has(singular(word));

/** Weak words for anything that is on. */
const ANYTHING: ReadonlySet<string> = new Set(['activity', 'class', 'session'].map(stem));

/** Whether a term asks for anything that is on: most classes have no such word in their names. */
export const isAnything = ({ terms: [term = ''], optional }: QueryTerm): boolean =>
  optional === true && ANYTHING.has(term);

export const FILLERS =
  'classes class lessons lesson sessions session courses course groups group training coaching activities activity'.split(
    ' ',
  );

/** Weak and stop words with a typing error that is recognised: shorter ones are one letter away from too many words. */
const LONG_WORDS = [...GENERIC, ...STOP_WORDS].filter(({ length }) => length >= 6);

/** The weak or stop word that a word is with one typing error: `classes` of `clases`. */
export function fillerLike(word: string): string | undefined {
  return [...FILLERS, ...LONG_WORDS].find((filler) => filler[0] === word[0] && isTypingError(word, filler));
}

/**
 * The terms of a query, with what the vocabulary knows of each.
 *
 * @example queryTerms('hatha yoga classes', activityList()).map(({ terms }) => terms) // [['hatha', 'yoga'], ['class']]
 */
export function queryTerms(words: string, vocabulary: Vocabulary): QueryTerm[] {
  const parts = words.slice(0, 2 * MAX_QUERY).split(/["“”]/);
  const found = parts.flatMap((part, index) =>
    index % 2 === 1 && index < parts.length - 1 ? quotedTerm(part) : namedTerms(part, vocabulary),
  );
  return withEither(found).slice(0, MOST_TERMS);
}

/** `or` between two of the terms. */
const OR = 'or';

/** Terms, with the two sides of `or` as one term that either fulfils. `class` of `yoga class or pilates` is no side. */
function withEither(found: readonly (QueryTerm | typeof OR)[]): QueryTerm[] {
  const terms: QueryTerm[] = [];
  let isOr = false;
  for (const term of found) {
    const at = terms.findLastIndex(({ optional }) => !optional);
    const before = terms[at];
    if (term === OR) isOr = true;
    else if (!isOr || term.optional || before === undefined) terms.push(term);
    else terms[at] = either(before, term);
    if (term !== OR && !term.optional) isOr = false;
  }
  return terms;
}

function either({ concept, ...one }: QueryTerm, other: QueryTerm): QueryTerm {
  const others = [...one.others, { terms: other.terms, weight: WEIGHTS.label }, ...other.others];
  return {
    ...one,
    ...(other.phrase && { phrase: true }),
    // The term is an activity only if both sides are.
    ...(concept !== undefined && other.concept !== undefined && { concept }),
    others,
  };
}

function quotedTerm(text: string): QueryTerm[] {
  const terms = wordsIn(text).map(stem);
  return terms.length === 0 ? [] : [{ terms, phrase: true, others: [] }];
}

/** The terms of a text: from left to right the longest label or name at each word, else the word. */
function namedTerms(text: string, vocabulary: Vocabulary): (QueryTerm | typeof OR)[] {
  const pieces = foldedText(text).match(PIECES) ?? [];
  const words = pieces.filter((piece) => !LISTING.test(piece));
  /** Words behind a comma or a stroke. */
  const listed = new Set(pieces.flatMap((piece, at) => (LISTING.test(piece) ? wordsBefore(pieces, at) : [])));
  const found: (QueryTerm | typeof OR)[] = [];
  for (let at = 0; at < words.length && found.length < MOST_TERMS; ) {
    const label = labelAt(words, at, vocabulary);
    const name = nameAt(words, at);
    const isName = name !== undefined && (name.end > label.end || (name.end === label.end && name.synonyms.of));
    const { end, concept } = isName ? { end: name.end } : label;
    const run = words.slice(at, end);
    // `yoga, pilates` are two kinds of activity, of which one is enough.
    if (concept !== undefined && listed.has(at) && isActivity(found.at(-1))) found.push(OR);
    if (concept !== undefined) found.push(conceptTerm(run, concept, vocabulary));
    else if (name !== undefined) found.push(namedTerm(run, name.synonyms, vocabulary));
    else if (run[0]?.toLowerCase() === OR) found.push(OR);
    else found.push(...wordTerm(run[0] as string));
    at = end;
  }
  return found;
}

const PIECES = new RegExp(`${HYPHENATED.source}|[,/]`, 'gu');
const LISTING = /^[,/]$/;

const wordsBefore = (pieces: readonly string[], at: number): number =>
  pieces.slice(0, at).filter((piece) => !LISTING.test(piece)).length;

const isActivity = (term: QueryTerm | typeof OR | undefined): boolean =>
  typeof term === 'object' && term.concept !== undefined;

/** The label of another name: `Football` of `footy`, and so of `walking footy`. */
const calledOtherwise = (name: string): string => ALSO_CALLED.get(name.toLowerCase()) ?? name;

/** The longest label that begins at a word: its end and its concept; without one, the end of the word. */
export function labelAt(
  words: readonly string[],
  at: number,
  vocabulary: Vocabulary,
): { end: number; concept?: Concept } {
  for (let end = Math.min(words.length, at + MOST_LABEL_WORDS); end > at; end -= 1) {
    const run = words.slice(at, end);
    const label = calledOtherwise(run.join(' '));
    const concept = conceptCalled(label, vocabulary) ?? conceptCalled(run.map(calledOtherwise).join(' '), vocabulary);
    if (concept !== undefined) return { end, concept };
  }
  return { end: at + 1 };
}

/** The longest name with synonyms that begins at a word; undefined where none does. */
export function nameAt(words: readonly string[], at: number): { end: number; synonyms: Synonyms } | undefined {
  for (let end = Math.min(words.length, at + MOST_NAME_WORDS); end > at; end -= 1) {
    const synonyms = synonymsIn(words.slice(at, end).flatMap(wordsIn));
    if (synonyms !== undefined) return { end, synonyms };
  }
  return undefined;
}

function namedTerm(words: readonly string[], synonyms: Synonyms, vocabulary: Vocabulary): QueryTerm {
  const text = words.join(' ');
  const { yields, of } = synonyms;
  const concept = of === undefined ? undefined : vocabulary.byLabel(of.kind);
  const terms = wordsIn(of?.called ?? text).map(stem);
  return { terms, text, ...(concept && { concept }), ...(yields && { yields }), others: otherTerms(synonyms) };
}

function otherTerms({ same, broader }: Synonyms): OtherTerms[] {
  return [
    ...same.map((terms) => ({ terms, weight: WEIGHTS.label })),
    ...broader.map((label) => ({ terms: wordsIn(label).map(stem), weight: WEIGHTS.broader, label })),
  ];
}

/** Names of other activities that begin with a label of this one, which only says how they are done: walking football. */
function qualified(concept: Concept, vocabulary: Vocabulary): string[][] {
  const related = new Set([concept, ...allNarrower(concept), ...allBroader(concept)]);
  const own = labelsOf(concept).map((label) => wordsIn(label).map(stem));
  return vocabulary.concepts
    .filter((other) => !related.has(other))
    .flatMap(labelsOf)
    .flatMap((label) => {
      const words = wordsIn(label);
      const terms = words.map(stem);
      const isBefore = own.some(
        (one) =>
          terms.length > one.length &&
          one.every((term, at) => term === terms[at]) &&
          vocabulary.byLabel(words.slice(one.length).join(' ')) !== undefined,
      );
      return isBefore || (OTHER_KINDS.has(terms.join(' ')) && own.some((one) => one.join() === terms.at(-1)))
        ? [terms]
        : [];
    });
}

/** Names of activities that are not of the kind that their last word says. */
const OTHER_KINDS = new Set(
  ['Table Tennis', 'Motor Cycling', 'Arm Wrestling'].map((label) => wordsIn(label).map(stem).join(' ')),
);

const qualifiedIn = perObject((vocabulary: Vocabulary) =>
  perObject((concept: Concept) => qualified(concept, vocabulary)),
);

function conceptTerm(words: readonly string[], concept: Concept, vocabulary: Vocabulary): QueryTerm {
  const terms = wordsIn(words.join(' ')).map(stem);
  const known = new Set([terms.join(' ')]);
  const others = (labels: readonly string[], weight: number): OtherTerms[] =>
    labels.flatMap((label) => {
      const labelTerms = wordsIn(label).map(stem);
      const key = labelTerms.join(' ');
      if (known.has(key)) return [];
      known.add(key);
      return [{ terms: labelTerms, weight, ...(weight === WEIGHTS.broader && { label }) }];
    });
  const not = qualifiedIn(vocabulary)(concept);
  const synonyms = synonymsIn(words.flatMap(wordsIn));
  return {
    terms,
    concept,
    text: words.join(' '),
    ...(not.length > 0 && { not }),
    others: [
      ...(synonyms === undefined ? [] : otherTerms(synonyms)),
      ...others([...labelsOf(concept), terms.join('')], WEIGHTS.label),
      ...others(narrowerLabels(concept), WEIGHTS.narrower),
      ...others(allBroader(concept).flatMap(labelsOf), WEIGHTS.broader),
    ],
  };
}

/** The labels of narrower concepts, without single words whose term means something else: eventing, schooling. */
function narrowerLabels(concept: Concept): string[] {
  const isOther = (label: string): boolean => {
    const [word = '', ...more] = wordsIn(label);
    const term = stem(word);
    return more.length === 0 && term !== word && (isWeak(term) || STOP_WORDS.has(term) || OTHER_WORDS.has(term));
  };
  const labels = allNarrower(concept).slice(0, MOST_NARROWER).flatMap(labelsOf);
  return labels.filter((label) => !isOther(label));
}

const isWeak = (word: string): boolean => WEAK_WORDS.has(singular(word));

/** Words that mean something else than the activity with their stem: `school` does not mean the schooling of horses. */
const OTHER_WORDS = new Set(['camp', 'school', 'train']);

/**
 * The activity of a label. A weak word must be the label itself, and not only have its stem: `events` does not mean eventing.
 */
export function conceptCalled(label: string, vocabulary: Vocabulary): Concept | undefined {
  const concept = vocabulary.byLabel(label);
  const [word = '', ...more] = wordsIn(label);
  const isOther = isWeak(word) || STOP_WORDS.has(word) || OTHER_WORDS.has(singular(word));
  if (concept === undefined || more.length > 0 || !isOther) return concept;
  return labelsOf(concept).some((one) => wordsIn(one).map(singular).join(' ') === singular(word)) ? concept : undefined;
}

function wordTerm(word: string): QueryTerm[] {
  const [first = '', ...more] = wordsIn(word);
  if (more.length > 0) {
    const parts = [first, ...more];
    return [{ terms: parts.map(stem), others: [{ terms: [stem(parts.join(''))], weight: WEIGHTS.label }] }];
  }
  if (STOP_WORDS.has(first)) return [];
  return [
    {
      terms: [stem(first)],
      ...(isWeak(first) && { optional: true as const }),
      ...(YIELDING_WORDS.has(first) && { yields: true as const, text: first }),
      others: [],
    },
  ];
}
