import accessibilityDocument from './accessibility-support.json' with { type: 'json' };
import activityDocument from './activity-list.json' with { type: 'json' };
import facilityDocument from './facility-types.json' with { type: 'json' };
import { Vocabulary } from './vocabulary.ts';

/**
 * OpenActive's vocabularies as they ship with the program, under CC BY 4.0. `tools/vocabularies.ts` makes the documents;
 * a newer one of the same address is read by `Vocabulary.read`.
 */

/** What people do: `https://openactive.io/activity-list`. */
export const activityList: () => Vocabulary = once(activityDocument);
/** Where they do it: `https://openactive.io/facility-types`. */
export const facilityTypes: () => Vocabulary = once(facilityDocument);
/** What a session is prepared for: `https://openactive.io/accessibility-support`. */
export const accessibilitySupport: () => Vocabulary = once(accessibilityDocument);

/** Read when it is first asked for: commands that need no vocabulary do not wait for it. */
function once(document: unknown): () => Vocabulary {
  let vocabulary: Vocabulary | undefined;
  return () => {
    vocabulary ??= Vocabulary.read(document) as Vocabulary;
    return vocabulary;
  };
}
