import type { Context } from '../properties/properties.ts';
import { href } from '../properties/values.ts';
import { Refusal } from '../refusal.ts';
import { type DavRequest, ownPath } from '../request.ts';
import { type DavLibrary, resourceIfThere } from '../resource.ts';

/** Methods that write. Clients go on after a 403 that names the privilege (RFC 3744 7.1.1), not after 405 or 401 (feed rule 34). */

export const DAV_METHODS = 'OPTIONS, GET, HEAD, PROPFIND, PROPPATCH, REPORT';

type Needed = [privilege: string, path: string];

/** The answer to a method that is not supported. */
export async function refusedMethod(request: DavRequest, library: DavLibrary, context: Context): Promise<Refusal> {
  const needed = await neededBy(request, library, context);
  if (needed.length === 0)
    return new Refusal(405, 'Calendars can only be read here.', undefined, { Allow: DAV_METHODS });
  const resources = needed.map(
    ([privilege, path]) =>
      `<D:resource>${href(context.prefix + path)}<D:privilege><D:${privilege}/></D:privilege></D:resource>`,
  );
  const condition = `<D:need-privileges>${resources.join('')}</D:need-privileges>`;
  return new Refusal(403, 'Calendars can only be read here.', condition);
}

/** The privileges that a method needs (RFC 3744, appendix B); none for a method that CalDAV does not have. */
async function neededBy(request: DavRequest, library: DavLibrary, context: Context): Promise<Needed[]> {
  const { method, path } = request;
  const to = request.header('destination');
  const destination = (to !== undefined && ownPath(to, request, context)) || path;
  switch (method) {
    case 'POST':
    case 'PATCH':
      return [['write-content', path]];
    case 'MKCALENDAR':
    case 'MKCOL':
      return [['bind', parentOf(path)]];
    case 'DELETE':
      return [['unbind', parentOf(path)]];
    case 'PUT':
    case 'COPY':
      return [await neededAt(destination, library)];
    case 'MOVE':
      return [
        ['unbind', parentOf(path)],
        ['bind', parentOf(destination)],
      ];
    case 'ACL':
      return [['write-acl', path]];
    default:
      return [];
  }
}

/** Writing to a path needs `write-content` of an existing resource, else `bind` of its collection. */
async function neededAt(path: string, library: DavLibrary): Promise<Needed> {
  const isThere = (await resourceIfThere(path, library, 'read')) !== undefined;
  return isThere ? ['write-content', path] : ['bind', parentOf(path)];
}

/** The collection that has, or would have, the member at a path. */
function parentOf(path: string): string {
  return path.replace(/[^/]*\/?$/, '') || '/';
}
