import { LIMITS } from '../../limits.ts';
import type { InstantWindow } from '../../time/instant.ts';
import { Refusal, unmet } from '../refusal.ts';
import { CALDAV } from '../xml/names.ts';
import { childOf, childrenOf, type Element } from '../xml/read.ts';
import { windowOf } from './time-range.ts';

/** The filter of a calendar-query (RFC 4791 9.7), read and checked: a query with any condition that is not supported is refused. */

export interface CompFilter {
  name: string;
  isNotDefined: boolean;
  timeRange?: InstantWindow;
  props: PropFilter[];
  comps: CompFilter[];
}

export interface PropFilter extends ParamFilter {
  timeRange?: InstantWindow;
  params: ParamFilter[];
}

export interface ParamFilter {
  name: string;
  isNotDefined: boolean;
  text?: TextMatch;
}

export interface TextMatch {
  text: string;
  collation: Collation;
  isNegated: boolean;
}

export const COLLATIONS = ['i;ascii-casemap', 'i;octet', 'i;unicode-casemap'] as const;
export type Collation = (typeof COLLATIONS)[number];

/** @throws Refusal */
export function readFilter(query: Element): CompFilter {
  const filters = childrenOf(query, CALDAV, 'filter');
  const comps = filters.flatMap((filter) => childrenOf(filter, CALDAV, 'comp-filter'));
  const [root] = comps;
  if (root === undefined || comps.length > 1) throw invalid('a query has one filter with one comp-filter.');
  const reading = new FilterReader();
  const filter = reading.comp(root);
  if (filter.name !== 'VCALENDAR') throw invalid('the outermost comp-filter is of VCALENDAR.');
  if (filter.timeRange !== undefined) throw invalid('VCALENDAR has no time: time-range belongs into its components.');
  return filter;
}

function invalid(why: string): Refusal {
  return unmet('C:valid-filter', `The filter cannot be read: ${why}`);
}

const OF_COMP = new Set(['is-not-defined', 'time-range', 'prop-filter', 'comp-filter']);
const OF_PROP = new Set(['is-not-defined', 'time-range', 'text-match', 'param-filter']);
const OF_PARAM = new Set(['is-not-defined', 'text-match']);

class FilterReader {
  #conditions = 0;

  comp(element: Element): CompFilter {
    this.#check(element, OF_COMP);
    const timeRange = rangeIn(element);
    const props = childrenOf(element, CALDAV, 'prop-filter').map((prop) => this.#prop(prop));
    const comps = childrenOf(element, CALDAV, 'comp-filter').map((comp) => this.comp(comp));
    return { name: filterName(element), isNotDefined: isNotDefined(element), ...timeRange, props, comps };
  }

  #prop(element: Element): PropFilter {
    this.#check(element, OF_PROP);
    const timeRange = rangeIn(element);
    const text = textIn(element);
    if (timeRange && text) throw invalid('a prop-filter has a time-range or a text-match.');
    const params = childrenOf(element, CALDAV, 'param-filter').map((param) => this.#param(param));
    return { name: filterName(element), isNotDefined: isNotDefined(element), ...timeRange, ...text, params };
  }

  #param(element: Element): ParamFilter {
    this.#check(element, OF_PARAM);
    return { name: filterName(element), isNotDefined: isNotDefined(element), ...textIn(element) };
  }

  /** Counts a condition, and refuses one that is not supported. */
  #check(element: Element, known: ReadonlySet<string>): void {
    this.#conditions += 1;
    if (this.#conditions > LIMITS.dav.filters)
      throw new Refusal(413, `A filter may have at most ${LIMITS.dav.filters} conditions.`);
    const foreign = element.children.find(({ ns, local }) => ns !== CALDAV || !known.has(local));
    if (foreign !== undefined)
      throw unmet('C:supported-filter', `"${foreign.local.slice(0, 40)}" in a ${element.local} is not supported.`);
    // `test` is an attribute of CardDAV (RFC 6352 10.5): ignored, it would change the question.
    if ((element.attributes.get('test') ?? 'allof') !== 'allof')
      throw unmet('C:supported-filter', `A ${element.local} asks for all of what is in it.`);
    if (isNotDefined(element) && element.children.length > 1) throw invalid('is-not-defined stands alone.');
  }
}

function filterName({ attributes, local }: Element): string {
  const name = attributes.get('name')?.trim();
  if (name === undefined || name === '') throw invalid(`a ${local} needs a name.`);
  return name.toUpperCase();
}

function isNotDefined(element: Element): boolean {
  return childOf(element, CALDAV, 'is-not-defined') !== undefined;
}

function rangeIn(element: Element): { timeRange: InstantWindow } | undefined {
  const range = childOf(element, CALDAV, 'time-range');
  return range && { timeRange: windowOf(range, 'C:valid-filter', true) };
}

/** RFC 4791 7.5: `default`, and no collation, mean i;ascii-casemap here. */
function textIn(element: Element): { text: TextMatch } | undefined {
  const match = childOf(element, CALDAV, 'text-match');
  if (match === undefined) return undefined;
  const { attributes, text } = match;
  const named = attributes.get('collation') ?? 'default';
  const collation = named === 'default' ? 'i;ascii-casemap' : named;
  if (!isCollation(collation))
    throw unmet('C:supported-collation', `Text is compared by ${COLLATIONS.join(', ')} alone.`);
  if ((attributes.get('match-type') ?? 'contains') !== 'contains')
    throw unmet('C:supported-filter', 'A text-match asks for what contains its text.');
  const negation = attributes.get('negate-condition') ?? 'no';
  if (negation !== 'yes' && negation !== 'no') throw invalid('negate-condition is yes or no.');
  return { text: { text, collation, isNegated: negation === 'yes' } };
}

function isCollation(name: string): name is Collation {
  return (COLLATIONS as readonly string[]).includes(name);
}
