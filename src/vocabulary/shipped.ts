import { perObject } from '../bounded-map.ts';
import accessibilityDocument from './accessibility-support.json' with { type: 'json' };
import activityDocument from './activity-list.json' with { type: 'json' };
import facilityDocument from './facility-types.json' with { type: 'json' };
import { Vocabulary } from './vocabulary.ts';

/**
 * OpenActive's vocabularies as they ship with the program, under CC BY 4.0, or newer ones in their place.
 * `tools/vocabularies.ts` makes the documents that ship; `documentOf` makes those that are kept.
 */

/** Levels that the data model names; there is no vocabulary of them. */
export const MODEL_LEVELS = ['Beginner', 'Intermediate', 'Advanced'];

/** Newer vocabularies in place of those that ship, by their ids. */
let newer: ReadonlyMap<string, Vocabulary> = new Map();

/** A vocabulary that ships is read at its first use, so that commands without vocabularies do not wait for it. */
const shippedIn = perObject((document: { id: string }) => Vocabulary.read(document) as Vocabulary);

/** A vocabulary that may be replaced. */
const replaceable = (document: { id: string }) => ({
  id: document.id,
  shipped: () => shippedIn(document),
  current: () => newer.get(document.id) ?? shippedIn(document),
});

const activities = replaceable(activityDocument);
const facilities = replaceable(facilityDocument);
const accessibility = replaceable(accessibilityDocument);

/** Every vocabulary of OpenActive that the program reads. */
export const LISTS = [activities, facilities, accessibility];

/** What people do: `https://openactive.io/activity-list`. */
export const activityList = (): Vocabulary => activities.current();
/** Where they do it: `https://openactive.io/facility-types`. */
export const facilityTypes = (): Vocabulary => facilities.current();
/** What a session is prepared for: `https://openactive.io/accessibility-support`. */
export const accessibilitySupport = (): Vocabulary => accessibility.current();

/** The label of a concept by its address, in the lists that ship, so that records do not depend on newer lists. */
export function conceptLabel(id: string): string | undefined {
  for (const list of LISTS) {
    const concept = list.shipped().byId(id);
    if (concept !== undefined) return concept.prefLabel;
  }
  return undefined;
}

/** Whether all vocabularies in use are those that ship. */
export const usesShipped = (): boolean => LISTS.every((list) => list.current() === list.shipped());

let inUse: string | undefined;

/**
 * Makes this process use these documents, a JSON array, in place of those that ship. A vocabulary that the array lacks, or that
 * cannot be read, stays the one that ships. It is called before searches and before search documents are made.
 */
export function useVocabularies(kept: string | undefined): void {
  if (kept === inUse) return;
  inUse = kept;
  // The first of an id counts.
  newer = new Map(
    readAll(kept)
      .map((one): [string, Vocabulary] => [one.id, one])
      .toReversed(),
  );
}

function readAll(kept = '[]'): Vocabulary[] {
  try {
    const documents: unknown = JSON.parse(kept);
    return Array.isArray(documents) ? documents.flatMap((document) => Vocabulary.read(document) ?? []) : [];
  } catch {
    return [];
  }
}

/** A vocabulary as a document for `Vocabulary.read`; it is the same for any order of the concepts. */
export function documentOf({ id, license, concepts }: Vocabulary): object {
  const concept = concepts.map(({ id: own, prefLabel, altLabel, broader }) => ({
    id: own,
    prefLabel,
    ...(altLabel.length > 0 && { altLabel }),
    ...(broader.length > 0 && { broader: broader.map((one) => one.id) }),
  }));
  return { id, license, concept: concept.sort((a, b) => (a.id < b.id ? -1 : 1)) };
}
