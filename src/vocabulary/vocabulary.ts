import { nearest } from '../nearest.ts';
import { singular, stem, wordsIn } from './folding.ts';

/** A concept of a vocabulary (SKOS). `broader` and `narrower` are the nearest concepts alone. */
export interface Concept {
  readonly id: string;
  readonly prefLabel: string;
  readonly altLabel: readonly string[];
  readonly broader: readonly Concept[];
  readonly narrower: readonly Concept[];
}

/** Most concepts that are read of a document, which comes from another server; the longest list has 768. */
const MAX_CONCEPTS = 20_000;
/** Most characters of a label that is looked up. */
const MAX_LABEL = 200;
/** Words of the longest label in the lists that ship: the most words of a query that are compared with labels. */
export const MOST_LABEL_WORDS = 5;

/** A vocabulary: its concepts, found by id or label, and what is broader or narrower. */
export class Vocabulary {
  readonly id: string;
  readonly license: string | undefined;
  /** In the order of the document. */
  readonly concepts: readonly Concept[];
  readonly #byId = new Map<string, Concept>();
  readonly #byLabel: readonly ReadonlyMap<string, Concept>[];
  #labelled: Labelled | undefined;

  private constructor(id: string, license: string | undefined, concepts: readonly Concept[]) {
    this.id = id;
    this.license = license;
    this.concepts = concepts;
    for (const concept of concepts) this.#byId.set(idKey(concept.id), concept);
    this.#byLabel = LABEL_KEYS.map((key) => labelIndex(concepts, key));
  }

  /**
   * The vocabulary of a document at its address, `https://openactive.io/activity-list`; undefined: it is none. Concepts
   * without id or label are left out; `narrower` comes of `broader`.
   *
   * @example Vocabulary.read(JSON.parse(text))?.byLabel('keep fit')?.prefLabel // 'Group Exercise'
   */
  static read(document: unknown): Vocabulary | undefined {
    if (!isObject(document)) return undefined;
    const id = statedText(document.id ?? document['@id']);
    const listed = document.concept;
    if (id === undefined || !Array.isArray(listed)) return undefined;
    const concepts = conceptsOf(id, listed.slice(0, MAX_CONCEPTS));
    return concepts.length === 0 ? undefined : new Vocabulary(id, statedText(document.license), concepts);
  }

  /** The concept of an id, in all spellings feeds use: `http:`, `www.`, `/#`, `_:`, upper case. */
  byId(id: string): Concept | undefined {
    return this.#byId.get(idKey(id));
  }

  /**
   * The concept of a label or another label of it. Case, diacritics, blanks, hyphens, trade marks, plural and gerund do not
   * count, unless two concepts differ by nothing else.
   *
   * @example activityList().byLabel('foot-ball')?.prefLabel // 'Football'
   */
  byLabel(label: string): Concept | undefined {
    if (label.length > MAX_LABEL) return undefined;
    const words = wordsIn(label);
    for (const [index, key] of LABEL_KEYS.entries()) {
      const found = this.#byLabel[index]?.get(key(words));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Every concept with exactly these words as its preferred label, else every one with them as another label. */
  labelled(label: string): readonly Concept[] {
    if (label.length > MAX_LABEL) return [];
    this.#labelled ??= {
      preferred: conceptsByWords(this.concepts, ({ prefLabel }) => [prefLabel]),
      other: conceptsByWords(this.concepts, ({ altLabel }) => altLabel),
    };
    const words = wordsIn(label).join(' ');
    return this.#labelled.preferred.get(words) ?? this.#labelled.other.get(words) ?? [];
  }

  /** The concept that people most likely mean by an id, a label or a mistyped label. */
  nearest(text: string): Concept | undefined {
    const found = this.byId(text) ?? this.byLabel(text);
    if (found !== undefined) return found;
    const labels = this.#byLabel[1] as ReadonlyMap<string, Concept>;
    const label = nearest(joined(wordsIn(text.slice(0, MAX_LABEL))), [...labels.keys()]);
    return label === undefined ? undefined : labels.get(label);
  }
}

/**
 * Everything narrower than a concept, the nearest first, without itself.
 *
 * @example allNarrower(swimming).map(({ prefLabel }) => prefLabel) // ['Aqua Park', 'Cold Water Swimming', …]
 */
export function allNarrower(concept: Concept): Concept[] {
  return reached(concept, ({ narrower }) => narrower);
}

/** Everything broader than a concept, the nearest first, without itself. */
export function allBroader(concept: Concept): Concept[] {
  return reached(concept, ({ broader }) => broader);
}

/** All labels of a concept, the preferred one first. */
export function labelsOf({ prefLabel, altLabel }: Concept): string[] {
  return [prefLabel, ...altLabel];
}

/** Breadth first; documents may hold circles. */
function reached(from: Concept, next: (concept: Concept) => readonly Concept[]): Concept[] {
  const found = new Set([from]);
  for (const concept of found) for (const one of next(concept)) found.add(one);
  found.delete(from);
  return [...found];
}

/** The key of an id: its UUID, which names a concept in every spelling; else the id without scheme, `www.` and case. */
function idKey(id: string): string {
  const key = id.slice(0, MAX_LABEL).trim().toLowerCase();
  return conceptUuid(key) ?? key.replace(/^https?:\/\/(?:www\.)?/, '').replace(/\/(?=#|$)/, '');
}

/** The UUID at the end of a concept's address; undefined: there is none. */
export function conceptUuid(key: string): string | undefined {
  return UUID.exec(key)?.[0];
}

const UUID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

/** How labels are compared, from the strictest to the most tolerant; each is tried before the next. */
const LABEL_KEYS: readonly ((words: readonly string[]) => string)[] = [
  (words) => words.join(' '),
  joined,
  (words) => words.map(stem).join(''),
];

function joined(words: readonly string[]): string {
  return words.map(singular).join('');
}

/** Preferred labels come before others, broader concepts before narrower ones. */
function labelIndex(concepts: readonly Concept[], key: (words: readonly string[]) => string): Map<string, Concept> {
  const index = new Map<string, Concept>();
  const add = (label: string, concept: Concept) => {
    const at = key(wordsIn(label));
    if (at !== '' && !index.has(at)) index.set(at, concept);
  };
  const tops = concepts.filter(({ broader }) => broader.length === 0);
  for (const concept of [...tops, ...concepts]) add(concept.prefLabel, concept);
  for (const concept of concepts) for (const label of concept.altLabel) add(label, concept);
  return index;
}

/** Concepts by the words of their labels, made at the first use, because searches do without it. */
interface Labelled {
  preferred: ReadonlyMap<string, readonly Concept[]>;
  other: ReadonlyMap<string, readonly Concept[]>;
}

function conceptsByWords(concepts: readonly Concept[], labels: (concept: Concept) => readonly string[]) {
  const found = new Map<string, Concept[]>();
  for (const concept of concepts) {
    for (const words of new Set(labels(concept).map((label) => wordsIn(label).join(' ')))) {
      found.set(words, [...(found.get(words) ?? []), concept]);
    }
  }
  return found;
}

function conceptsOf(base: string, listed: readonly unknown[]): Concept[] {
  const found = new Map<string, Concept & { broader: Concept[]; narrower: Concept[] }>();
  const above = new Map<string, string[]>();
  for (const one of listed) {
    if (!isObject(one)) continue;
    const [own, prefLabel] = [statedText(one.id ?? one['@id']), statedText(one.prefLabel)];
    if (own === undefined || prefLabel === undefined) continue;
    const id = absolute(own, base);
    found.set(idKey(id), { id, prefLabel, altLabel: statedTexts(one.altLabel), broader: [], narrower: [] });
    above.set(idKey(id), statedTexts(one.broader));
  }
  for (const [key, concept] of found) {
    for (const address of above.get(key) ?? []) {
      const broader = found.get(idKey(absolute(address, base)));
      if (broader === undefined || broader === concept || concept.broader.includes(broader)) continue;
      concept.broader.push(broader);
      broader.narrower.push(concept);
    }
  }
  return [...found.values()];
}

/** `#id` is relative to the address of the vocabulary. */
function absolute(id: string, base: string): string {
  return id.startsWith('#') ? `${base}${id}` : id;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function statedText(value: unknown): string | undefined {
  const text = typeof value === 'string' && value.length <= MAX_LABEL ? value.trim() : '';
  return text === '' ? undefined : text;
}

function statedTexts(value: unknown): string[] {
  return (Array.isArray(value) ? value.slice(0, MAX_CONCEPTS) : [value])
    .map(statedText)
    .filter((text) => text !== undefined);
}
