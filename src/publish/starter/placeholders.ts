import { shown } from '../../opportunity/findings.ts';
import { isObject, type Json, type JsonObject } from '../../opportunity/item/json.ts';
import { findingOf, type PublishFinding } from '../codes.ts';
import { type Mapping, parseMapping } from '../map/mapping.ts';

/** Values of a starter mapping that a person has to replace. */

/** The base of example addresses (RFC 2606). */
export const EXAMPLE = 'https://example.org/';
export const NO_STREET = 'To be decided';

export interface DecidedMapping {
  /** The mapping without its placeholders, which must not be published. */
  mapping: Mapping;
  /** One finding for each placeholder, with its path. */
  placeholders: PublishFinding[];
}

/**
 * The mapping of a file without open decisions of its starter: addresses at example.org, and objects whose `$comment` begins
 * with "To decide". Lines of `events` stay, because they publish nothing.
 *
 * @throws ConfigError as `parseMapping`
 */
export function decidedMapping(text: string, name: string): DecidedMapping {
  parseMapping(text, name);
  const placeholders: PublishFinding[] = [];
  const note = (path: string, facts: { value: string } | { question: string }) =>
    placeholders.push(findingOf('mapping-placeholder', 'mapping', '', path, { value: '', question: '', ...facts }));
  const [decided = {}] = decidedPart(JSON.parse(text.replace(/^\uFEFF/, '')) as Json, '$', note);
  return { mapping: parseMapping(JSON.stringify(decided), name), placeholders };
}

type Note = (path: string, facts: { value: string } | { question: string }) => void;

/** The value without placeholders; empty: nothing else is in it. */
function decidedPart(value: Json, path: string, note: Note): Json[] {
  if (typeof value === 'string') {
    const isPlaceholder = value.startsWith(EXAMPLE) || value === NO_STREET;
    if (isPlaceholder && !path.endsWith('.$comment')) note(path, { value });
    return isPlaceholder && !path.endsWith('.$comment') ? [] : [value];
  }
  if (Array.isArray(value)) {
    const kept = value.flatMap((one, index) => decidedPart(one, `${path}[${index}]`, note));
    return kept.length === 0 && value.length > 0 ? [] : [kept];
  }
  if (!isObject(value)) return [value];
  const question = questionOf(value);
  if (question !== undefined && path !== '$' && !/^\$\.events\[\d+\]$/.test(path)) {
    note(path, { question });
    return [];
  }
  const entries = Object.entries(value).flatMap(([key, one]) =>
    decidedPart(one, `${path}.${key}`, note).map((kept): [string, Json] => [key, kept]),
  );
  return [Object.fromEntries(entries)];
}

function questionOf({ $comment }: JsonObject): string | undefined {
  const [, question] = typeof $comment === 'string' ? (/^To decide:?\s*(.*)$/s.exec($comment) ?? []) : [];
  return question && shown(question, 200);
}
