/**
 * iCalendar as a tree of components and content lines (RFC 5545 3.1, 3.6). Nothing in this room knows what a session is.
 */

type ValueType = 'text' | 'text-list' | 'uri' | 'raw' | 'x-uri';

/** One content line. `raw` values are made by this program (dates, rules, numbers) and are checked, not escaped. */
export interface Property {
  name: string;
  params?: readonly (readonly [name: string, value: string])[];
  type: ValueType;
  value: string | readonly string[];
  /** The object itself stands in the tree many times: its line is written once and then copied. */
  shared?: boolean;
}

export interface Component {
  name: string;
  properties: Property[];
  components: Component[];
}

export function raw(name: string, value: string, params?: Property['params']): Property {
  return params === undefined ? { name, type: 'raw', value } : { name, params, type: 'raw', value };
}

export function text(name: string, value: string): Property {
  return { name, type: 'text', value };
}

/** Nothing where it is no address of the web: only those are put before people to click on. */
export function urlProperty(name: string, value: string | undefined): Property[] {
  return value !== undefined && /^https?:\/\//i.test(value) ? [{ name, type: 'uri', value }] : [];
}
