import { type Context, PROPERTIES, propertyRow, propertyValue } from '../properties/properties.ts';
import { unreadable } from '../refusal.ts';
import type { ObjectResource, Resource } from '../resource.ts';
import { CALDAV, DAV, DECLARATIONS, isName, type Name, nameText } from './names.ts';
import { childOf, type Element } from './read.ts';
import { element, escaped, XmlWriter } from './write.ts';

/** The properties that a PROPFIND or a report requests of each resource. */
export type PropRequest =
  | { kind: 'prop'; names: readonly Name[] }
  /** `names`: those of `include` (RFC 4918 9.1). */
  | { kind: 'allprop'; names: readonly Name[] }
  | { kind: 'propname' };

/** The request in a body: `allprop`, `propname` or `prop`. An empty body means `allprop` (RFC 4918 9.1). */
export function askedIn(root: Element | undefined): PropRequest {
  if (root === undefined) return { kind: 'allprop', names: [] };
  const prop = childOf(root, DAV, 'prop');
  const all = childOf(root, DAV, 'allprop');
  const propname = childOf(root, DAV, 'propname');
  if ([prop, all, propname].filter((one) => one !== undefined).length > 1)
    throw unreadable('A request has one of prop, allprop and propname.');
  if (propname !== undefined) return { kind: 'propname' };
  if (prop !== undefined) return { kind: 'prop', names: namesIn(prop) };
  // Unknown elements are ignored, and a propfind without a known one is illegal (RFC 4918 A.1).
  if (all === undefined && isName(root, DAV, 'propfind')) throw unreadable('A propfind has prop, allprop or propname.');
  return { kind: 'allprop', names: namesIn(childOf(root, DAV, 'include')) };
}

/** The names of child elements, each once. */
function namesIn(parent: Element | undefined): Name[] {
  return [...new Map((parent?.children ?? []).map((child) => [nameText(child), child])).values()];
}

/** The octets of an object, escaped for XML; undefined: it has no instance in the window of the report. */
export type DataOf = (object: ObjectResource) => Uint8Array<ArrayBuffer> | undefined;

export interface MultistatusOptions {
  asked: PropRequest;
  context: Context;
  /** Names of what is missing are left out. */
  minimal: boolean;
  /** The data of objects, for a report that sends them. */
  dataOf?: DataOf | undefined;
}

export const OK = '<D:status>HTTP/1.1 200 OK</D:status>';
const NOT_FOUND = '<D:status>HTTP/1.1 404 Not Found</D:status>';

/** A writer of a 207, response by response. */
export class Multistatus {
  readonly #options: MultistatusOptions;
  readonly #writer = new XmlWriter();

  constructor(options: MultistatusOptions) {
    this.#options = options;
    this.#writer.xml(`<D:multistatus${DECLARATIONS}>`);
  }

  /** Adds the properties of a resource. `path`: its href, where that differs from the path of the resource. */
  resource(resource: Resource, path = this.#options.context.prefix + resource.path): void {
    const { asked } = this.#options;
    this.#writer.xml(`<D:response><D:href>${escaped(path)}</D:href>`);
    if (asked.kind === 'propname') this.#names(resource);
    else this.#values(resource, asked.kind === 'prop' ? asked.names : allNames(asked.names));
    this.#writer.xml('</D:response>\n');
  }

  /** Adds a status without properties (RFC 4918 14.24). `error`: the condition behind it, as XML. */
  status(path: string, status: string, error?: string): void {
    const condition = error === undefined ? '' : `<D:error>${error}</D:error>`;
    this.#writer.xml(
      `<D:response><D:href>${escaped(path)}</D:href><D:status>HTTP/1.1 ${status}</D:status>${condition}</D:response>\n`,
    );
  }

  /** The octets of the 207. `more`: XML after the responses. */
  pieces(more = ''): readonly Uint8Array<ArrayBuffer>[] {
    this.#writer.xml(`${more}</D:multistatus>\n`);
    return this.#writer.pieces();
  }

  #names(resource: Resource): void {
    const { context } = this.#options;
    const names = PROPERTIES.filter((row) => propertyValue(row, resource, context) !== undefined);
    const prop = names.map(({ name }) => element(name)).join('');
    this.#writer.xml(`<D:propstat><D:prop>${prop}</D:prop>${OK}</D:propstat>`);
  }

  #values(resource: Resource, names: readonly Name[]): void {
    const { context, minimal } = this.#options;
    const missing: Name[] = [];
    let isOpen = false;
    const open = () => {
      if (!isOpen) this.#writer.xml('<D:propstat><D:prop>');
      isOpen = true;
    };
    for (const name of names) {
      if (this.#data(resource, name, open)) continue;
      const row = propertyRow(name);
      const value = row && propertyValue(row, resource, context);
      if (value === undefined) missing.push(name);
      else {
        open();
        this.#writer.xml(element(name, value));
      }
    }
    // `allprop` names no properties that could be missing.
    const listsMissing = !minimal && missing.length > 0 && this.#options.asked.kind === 'prop';
    // RFC 8144 2.1: a response has a propstat, if an empty one.
    if (!listsMissing) open();
    if (isOpen) this.#writer.xml(`</D:prop>${OK}</D:propstat>`);
    if (listsMissing) this.#writer.xml(missingText(missing));
  }

  /** `calendar-data` is a property of reports alone (RFC 4791 9.6). */
  #data(resource: Resource, name: Name, open: () => void): boolean {
    const { dataOf } = this.#options;
    if (dataOf === undefined || resource.kind !== 'object' || !isName(name, CALDAV, 'calendar-data')) return false;
    const octets = dataOf(resource);
    if (octets === undefined) return false;
    open();
    this.#writer.xml('<C:calendar-data>');
    this.#writer.octets(octets);
    this.#writer.xml('</C:calendar-data>');
    return true;
  }
}

export function missingText(names: readonly Name[]): string {
  return `<D:propstat><D:prop>${names.map((name) => element(name)).join('')}</D:prop>${NOT_FOUND}</D:propstat>`;
}

function allNames(included: readonly Name[]): Name[] {
  const all = PROPERTIES.filter(({ inAll }) => inAll).map(({ name }) => name);
  return [...new Map([...all, ...included].map((name) => [nameText(name), name])).values()];
}

export const XML_TYPE = 'application/xml; charset=utf-8';
