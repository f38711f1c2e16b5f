import type { Context } from '../properties/properties.ts';
import { unmet, unreadable } from '../refusal.ts';
import { appliedHeader, type DavAnswer, type DavRequest, depthOf, preferencesOf } from '../request.ts';
import { calendarsIn, type DavLibrary, objectIn, type Resource, resourceAt } from '../resource.ts';
import { askedIn, Multistatus, XML_TYPE } from '../xml/multistatus.ts';
import { DAV, isName } from '../xml/names.ts';
import { readXml } from '../xml/read.ts';

/** PROPFIND (RFC 4918 9.1): properties of a resource, and with `Depth: 1` of its members. */
export async function propfind(request: DavRequest, library: DavLibrary, context: Context): Promise<DavAnswer> {
  const root = readXml(request.body);
  if (root !== undefined && !isName(root, DAV, 'propfind'))
    throw unreadable('The body of a PROPFIND is a DAV:propfind.');
  const resource = await resourceAt(request.path, library, 'sync');
  const isCollection = resource.kind !== 'object';
  const depth = isCollection ? (depthOf(request) ?? 'infinity') : 0;
  if (depth === 'infinity')
    throw unmet('D:propfind-finite-depth', 'Depth must be 0 or 1: infinity, which its absence means, is not answered.');
  const { minimal, noRoot } = preferencesOf(request);
  const preferences = { minimal, noRoot: noRoot && depth === 1 };
  const answer = new Multistatus({ asked: askedIn(root), context, minimal });
  if (!preferences.noRoot) answer.resource(resource);
  if (depth === 1) for (const member of await membersOf(resource, library)) answer.resource(member);
  return multistatusAnswer(answer.pieces(), {
    ...appliedHeader(preferences),
    ...slashedLocation(request, resource, context),
  });
}

/** The members of a resource. The root and its folders list none: their calendars are too many (docs/architecture.md). */
export async function membersOf(resource: Resource, library: DavLibrary): Promise<Resource[]> {
  if (resource.kind === 'home') return calendarsIn(resource, library, 'sync');
  if (resource.kind !== 'calendar') return [];
  return resource.collection.members.map((member) => objectIn(resource, member));
}

/** The Content-Location of a collection that was requested without its slash (RFC 4918 5.2). */
export function slashedLocation(
  { path }: Pick<DavRequest, 'path'>,
  resource: Resource,
  { prefix }: Pick<Context, 'prefix'>,
): Record<string, string> {
  return resource.kind === 'object' || path.endsWith('/') ? {} : { 'Content-Location': prefix + resource.path };
}

/** A 207. */
export function multistatusAnswer(body: DavAnswer['body'], headers: Record<string, string> = {}): DavAnswer {
  return { status: 207, headers: { 'Content-Type': XML_TYPE, ...headers }, body };
}
