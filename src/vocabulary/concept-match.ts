import type { Concept, Vocabulary } from './vocabulary.ts';

/** A concept in the words of a feed: by its id, its label or both. */
export interface StatedConcept {
  id?: string | undefined;
  label?: string | undefined;
}

/**
 * The match of a stated concept. `listed`: the vocabulary has it. `unlisted`: the vocabulary has neither its id nor, without
 * an id, its label; with the concept most likely meant. `mixed`: the id of one concept with the label of another.
 */
type ConceptMatch =
  | { kind: 'listed'; concept: Concept }
  | { kind: 'unlisted'; nearest: Concept | undefined }
  | { kind: 'mixed'; concept: Concept; labelled: Concept };

/**
 * Looks a concept up in its vocabulary. A label that no concept has may stand with any id, as publishers have labels of their own.
 *
 * @example conceptMatch(activityList(), { label: 'Yoag' }) // { kind: 'unlisted', nearest: Yoga }
 */
export function conceptMatch(vocabulary: Vocabulary, { id, label }: StatedConcept): ConceptMatch {
  const concept = id === undefined ? vocabulary.byLabel(label ?? '') : vocabulary.byId(id);
  if (concept === undefined) return { kind: 'unlisted', nearest: vocabulary.nearest(label ?? lastPart(id ?? '')) };
  const named = label === undefined ? [] : vocabulary.labelled(label);
  const [labelled] = named;
  return labelled === undefined || named.includes(concept)
    ? { kind: 'listed', concept }
    : { kind: 'mixed', concept, labelled };
}

/** `yoga` of `https://openactive.io/activity-list#yoga`. */
function lastPart(id: string): string {
  return id.slice(Math.max(id.lastIndexOf('#'), id.lastIndexOf('/')) + 1);
}

/** A concept for a sentence: `Yoga (https://openactive.io/activity-list#bf1a5e00-…)`; empty where there is none. */
export function conceptWords(concept: Concept | undefined): string {
  return concept === undefined ? '' : `${concept.prefLabel} (${concept.id})`;
}
