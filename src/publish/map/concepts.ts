import { shown } from '../../opportunity/findings.ts';
import type { JsonObject } from '../../opportunity/item/json.ts';
import { defined } from '../../opportunity/records.ts';
import { conceptMatch, conceptWords } from '../../vocabulary/concept-match.ts';
import { accessibilitySupport, activityList, facilityTypes } from '../../vocabulary/shipped.ts';
import type { Concept, Vocabulary } from '../../vocabulary/vocabulary.ts';
import { findingOf, type PublishFinding } from '../codes.ts';
import type { MappedConcept, MappedDetails, Mapping } from './schema.ts';

/** Activities and facility types of a mapping file, as concepts of OpenActive's lists. */

/** A Concept as JSON: that of the list with this label, else as the mapping states it. */
export function conceptJson(concept: MappedConcept, list: Vocabulary): JsonObject {
  const listed = listedAs(concept, list);
  if (listed !== undefined)
    return { '@type': 'Concept', '@id': listed.id, prefLabel: listed.prefLabel, inScheme: list.id };
  const { label, id, scheme } = concept;
  const inScheme = scheme ?? (id?.startsWith(list.id) ? list.id : undefined);
  return { '@type': 'Concept', ...defined({ '@id': id, prefLabel: label, inScheme }) };
}

/** The one concept of this label; undefined: none, several, or the mapping gives an id or a list of its own. */
function listedAs({ label, id, scheme }: MappedConcept, list: Vocabulary): Concept | undefined {
  if (id !== undefined || (scheme !== undefined && scheme !== list.id)) return undefined;
  const named = list.labelled(label);
  return named.length === 1 ? named[0] : undefined;
}

/** Whether a label is that of exactly one concept. */
export function isListed(concept: MappedConcept, list: Vocabulary): boolean {
  return listedAs(concept, list) !== undefined;
}

/** One finding for each concept that its list lacks, with the nearest in the list. */
export function unknownConcepts(mapping: Mapping): PublishFinding[] {
  return conceptsOf(mapping).flatMap(([path, concept, list]) => {
    if (concept === undefined || isKnown(concept, list)) return [];
    const { label, id } = concept;
    const match = conceptMatch(list, { label });
    const nearest = conceptWords(match.kind === 'unlisted' ? match.nearest : match.concept);
    const value = id === undefined ? shown(label) : `${shown(label)} (${shown(id, 120)})`;
    return findingOf('mapping-concept-unknown', 'mapping', '', path, { list: list.id, nearest, value });
  });
}

/** Whether a concept is in its list, or has an id or a list of the mapping's own. */
function isKnown(concept: MappedConcept, list: Vocabulary): boolean {
  const { id, scheme } = concept;
  if (id !== undefined) return list.byId(id) !== undefined || !id.startsWith(list.id);
  return (scheme !== undefined && scheme !== list.id) || listedAs(concept, list) !== undefined;
}

type NamedConcept = [path: string, concept: MappedConcept | undefined, list: Vocabulary];

function conceptsOf(mapping: Mapping): NamedConcept[] {
  const { activity, activities, calendars, events } = mapping;
  const supports = ({ accessibilitySupport: given = [] }: MappedDetails, path: string): NamedConcept[] =>
    given.map((one, index) => [`${path}.accessibilitySupport[${index}]`, one, accessibilitySupport()]);
  return [
    ...supports(mapping, '$'),
    ...events.flatMap((line, index) => supports(line, `$.events[${index}]`)),
    ...calendars.flatMap((line, index) => supports(line, `$.calendars[${index}]`)),
    ['$.activity', activity, activityList()],
    ...activities.map(
      (line, index): NamedConcept => [`$.activities[${index}].activity`, line.activity, activityList()],
    ),
    ...calendars.flatMap(({ activity: own, facility }, index): NamedConcept[] => [
      [`$.calendars[${index}].activity`, own, activityList()],
      [`$.calendars[${index}].facility.type`, facility?.type, facilityTypes()],
      [`$.calendars[${index}].facility.activity`, facility?.activity, activityList()],
    ]),
  ];
}
