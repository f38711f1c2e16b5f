import { membersOf } from '../methods/propfind.ts';
import { propertyRow, propertyValue } from '../properties/properties.ts';
import { unmet, unreadable } from '../refusal.ts';
import { type DavAnswer, depthOf, preferencesOf } from '../request.ts';
import { type Resource, resourceIfThere } from '../resource.ts';
import { missingText, OK } from '../xml/multistatus.ts';
import { DAV, DECLARATIONS, type Name, nameText } from '../xml/names.ts';
import { childrenOf, type Element } from '../xml/read.ts';
import { element, escaped, XmlWriter } from '../xml/write.ts';
import { type Report, reportAnswer } from './report.ts';

/**
 * expand-property (RFC 3253 3.8): properties of a resource. Each address in a value is replaced by properties of the resource
 * there. Programs of Apple read principals in this way.
 */
export async function expandProperty(report: Report): Promise<DavAnswer> {
  const { request, root, resource, library } = report;
  const depth = depthOf(request) ?? 0;
  if (depth === 'infinity') throw unmet('D:propfind-finite-depth', 'Depth of an expand-property must be 0 or 1.');
  const asked = propertiesIn(root);
  const response = expansion(report);
  const writer = new XmlWriter();
  writer.xml(`<D:multistatus${DECLARATIONS}>`);
  writer.xml(await response(resource, asked));
  if (depth === 1) for (const member of await membersOf(resource, library)) writer.xml(await response(member, asked));
  writer.xml('</D:multistatus>\n');
  return reportAnswer(report, writer.pieces());
}

/** A `property` element. `inner`: the properties of the resources that its value names. */
interface AskedProperty extends Name {
  inner: readonly AskedProperty[];
}

/** The `property` elements of an element, each name once. */
function propertiesIn(parent: Element): AskedProperty[] {
  const all = childrenOf(parent, DAV, 'property').map((property): AskedProperty => {
    const local = property.attributes.get('name')?.trim() ?? '';
    if (!NAME.test(local)) throw unreadable('A property of an expand-property has the name of an element.');
    return { ns: property.attributes.get('namespace') ?? DAV, local, inner: propertiesIn(property) };
  });
  return [...new Map(all.map((one) => [nameText(one), one])).values()];
}

/** A property name that may be written into the answer as an element. All names in use are ASCII. */
const NAME = /^[A-Za-z_][\w.-]{0,200}$/;
const HREF = /<D:href>([^<]*)<\/D:href>/g;

/** Makes the responses of one report. */
function expansion(report: Report): (resource: Resource, asked: readonly AskedProperty[]) => Promise<string> {
  /** Resources by address, because most properties name the same principal. */
  const known = new Map<string, Promise<Resource | undefined>>();
  const isMinimal = preferencesOf(report.request).minimal;

  async function response(resource: Resource, asked: readonly AskedProperty[]): Promise<string> {
    const { context } = report;
    const [found, missing]: [string[], Name[]] = [[], []];
    for (const name of asked) {
      const row = propertyRow(name);
      const value = row && propertyValue(row, resource, context);
      if (value === undefined) missing.push(name);
      else found.push(element(name, await expanded(value, name.inner)));
    }
    const lists = !isMinimal && missing.length > 0;
    const there = found.length > 0 || !lists ? `<D:propstat><D:prop>${found.join('')}</D:prop>${OK}</D:propstat>` : '';
    const address = escaped(context.prefix + resource.path);
    return `<D:response><D:href>${address}</D:href>${there}${lists ? missingText(missing) : ''}</D:response>\n`;
  }

  /** A value with its addresses expanded; without `inner` they stay as they are. */
  async function expanded(value: string, inner: readonly AskedProperty[]): Promise<string> {
    if (inner.length === 0) return value;
    let text = '';
    let end = 0;
    for (const { 0: href, 1: address = '', index } of value.matchAll(HREF)) {
      text += value.slice(end, index) + (await responseAt(address, inner));
      end = index + href.length;
    }
    return text + value.slice(end);
  }

  /** The response in place of an address, which is escaped for XML. */
  async function responseAt(address: string, inner: readonly AskedProperty[]): Promise<string> {
    const { prefix } = report.context;
    const path = address.startsWith(`${prefix}/`) ? address.slice(prefix.length) : undefined;
    const resource = path === undefined ? undefined : await resourceAt(path);
    if (resource !== undefined) return response(resource, inner);
    return `<D:response><D:href>${address}</D:href><D:status>HTTP/1.1 404 Not Found</D:status></D:response>`;
  }

  function resourceAt(path: string): Promise<Resource | undefined> {
    const resource = known.get(path) ?? resourceIfThere(path, report.library, 'sync');
    known.set(path, resource);
    return resource;
  }

  return response;
}
