/** The namespaces and names of WebDAV and CalDAV. */

export const DAV = 'DAV:';
export const CALDAV = 'urn:ietf:params:xml:ns:caldav';
export const CALENDARSERVER = 'http://calendarserver.org/ns/';
export const APPLE = 'http://apple.com/ns/ical/';
/** The namespace of `xml:lang`: bound to this prefix, and to no other one (Namespaces in XML 3). */
const XML = 'http://www.w3.org/XML/1998/namespace';

/** The prefixes of answers. Programs must compare namespaces; those that compare prefixes expect `D` and `C`. */
export const PREFIXES: ReadonlyMap<string, string> = new Map([
  [DAV, 'D'],
  [CALDAV, 'C'],
  [CALENDARSERVER, 'CS'],
  [APPLE, 'A'],
  [XML, 'xml'],
]);

/** Declared once, at the root of an answer. */
export const DECLARATIONS = [...PREFIXES]
  .filter(([ns]) => ns !== XML)
  .map(([ns, prefix]) => ` xmlns:${prefix}="${ns}"`)
  .join('');

/** A name with its namespace. */
export interface Name {
  ns: string;
  local: string;
}

/** A key for a name. It is unique, because no namespace holds a closing brace. */
export function nameText({ ns, local }: Name): string {
  return `{${ns}}${local}`;
}

export function isName(name: Name, ns: string, local: string): boolean {
  return name.local === local && name.ns === ns;
}
