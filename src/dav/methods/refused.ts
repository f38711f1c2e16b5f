import type { Context } from '../properties/properties.ts';
import { href } from '../properties/values.ts';
import { Refusal } from '../refusal.ts';
import type { DavRequest } from '../request.ts';
import { type DavLibrary, resourceAt } from '../resource.ts';

/** What would write. Clients bear a 403 that names the privilege (RFC 3744 7.1.1), and not a 405 or 401 (feed rule 34). */

export const DAV_METHODS = 'OPTIONS, GET, HEAD, PROPFIND, PROPPATCH, REPORT';

/** The privilege that each of them would need (RFC 3744, appendix B); PUT needs one or the other. */
const WRITES: ReadonlyMap<string, string> = new Map([
  ...['POST', 'PATCH'].map((method) => [method, 'write-content'] as const),
  ...['MKCALENDAR', 'MKCOL', 'MOVE', 'COPY'].map((method) => [method, 'bind'] as const),
  ['DELETE', 'unbind'],
  ['ACL', 'write-acl'],
]);

/** Privileges of a collection, for what becomes of its members. */
const OF_PARENT: ReadonlySet<string> = new Set(['bind', 'unbind']);

/** The answer to a method that is not supported. */
export async function refusedMethod(
  { method, path }: Pick<DavRequest, 'method' | 'path'>,
  library: DavLibrary,
  { prefix }: Pick<Context, 'prefix'>,
): Promise<Refusal> {
  const privilege = method === 'PUT' ? await privilegeOfPut(path, library) : WRITES.get(method);
  if (privilege === undefined)
    return new Refusal(405, 'Calendars can only be read here.', undefined, { Allow: DAV_METHODS });
  const of = OF_PARENT.has(privilege) ? path.replace(/[^/]*\/?$/, '') || '/' : path;
  const needed = `<D:resource>${href(prefix + of)}<D:privilege><D:${privilege}/></D:privilege></D:resource>`;
  return new Refusal(403, 'Calendars can only be read here.', `<D:need-privileges>${needed}</D:need-privileges>`);
}

async function privilegeOfPut(path: string, library: DavLibrary): Promise<string> {
  try {
    await resourceAt(path, library, 'read');
    return 'write-content';
  } catch (error) {
    if (error instanceof Refusal) return 'bind';
    throw error;
  }
}
