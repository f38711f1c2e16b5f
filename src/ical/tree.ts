/**
 * iCalendar as a tree of components and content lines (RFC 5545 3.1, 3.6). Nothing in this room knows what a session is.
 */

type ValueType = 'text' | 'text-list' | 'uri' | 'raw' | 'x-uri';

/** One content line. This program makes `raw` values (dates, rules, numbers), which are checked and not escaped. */
export interface Property {
  name: string;
  params?: readonly (readonly [name: string, value: string])[];
  type: ValueType;
  value: string | readonly string[];
  /** Whether this object stands in the tree many times: its line is written once and then copied. */
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

/** A property with an address; none for other schemes than http and https, because people click on it. */
export function urlProperty(name: string, value: string | undefined): Property[] {
  return value !== undefined && /^https?:\/\//i.test(value) ? [{ name, type: 'uri', value }] : [];
}
