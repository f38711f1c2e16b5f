import { type RawFinding, shown } from '../opportunity/findings.ts';
import { isObject, type Json, type JsonObject } from '../opportunity/item/json.ts';
import { pathTo, single } from '../opportunity/item/reading.ts';
import { webAddress } from '../opportunity/item/values.ts';
import { conceptMatch, conceptWords, type StatedConcept } from '../vocabulary/concept-match.ts';
import { accessibilitySupport, activityList, facilityTypes } from '../vocabulary/shipped.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';

/** Properties with concepts of OpenActive's lists. */
const LISTS: Readonly<Record<string, () => Vocabulary>> = {
  activity: activityList,
  facilityType: facilityTypes,
  accessibilitySupport,
};

/** Findings about each concept of a property, compared with its list. */
export function conceptFindings(property: string, value: Json, path: string): RawFinding[] {
  if (!Object.hasOwn(LISTS, property)) return [];
  const vocabulary = (LISTS[property] as () => Vocabulary)();
  return Array.isArray(value)
    ? value.flatMap((one, index) => conceptFinding(vocabulary, one, `${path}[${index}]`))
    : conceptFinding(vocabulary, value, path);
}

function conceptFinding(vocabulary: Vocabulary, value: Json, path: string): RawFinding[] {
  const stated = isObject(value) ? statedConcept(value) : statedWord(statedText(value));
  if (stated.id === undefined && stated.label === undefined) return [];
  const match = conceptMatch(vocabulary, stated);
  if (match.kind === 'unlisted') {
    const facts = { list: vocabulary.id, value: shownConcept(stated), nearest: conceptWords(match.nearest) };
    return [{ code: 'concept-not-in-list', path, facts }];
  }
  if (match.kind === 'listed') return [];
  const facts = { used: conceptWords(match.concept), labelled: conceptWords(match.labelled) };
  return [{ code: 'concept-label-of-another', path: pathTo(path, 'prefLabel'), facts }];
}

/** The id and label of a concept, also under their older names `id` and `name`. */
function statedConcept(value: JsonObject): StatedConcept {
  return { id: statedText(single(value['@id'] ?? value.id)), label: statedText(value.prefLabel ?? value.name) };
}

/** A text is a label, or the address of a concept. */
function statedWord(text: string | undefined): StatedConcept {
  return text !== undefined && webAddress(text) !== undefined ? { id: text.trim() } : { label: text };
}

function statedText(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

function shownConcept({ id, label }: StatedConcept): string {
  if (id === undefined) return shown(label);
  return label === undefined ? shown(id, 120) : `${shown(label)} (${shown(id, 120)})`;
}
