import type { Context } from '../properties/properties.ts';
import { href } from '../properties/values.ts';
import { Refusal } from '../refusal.ts';
import type { DavRequest } from '../request.ts';

/** What would write. Clients bear a 403 that names the privilege (RFC 3744 7.1.1), and not a 405 or 401 (feed rule 34). */

export const DAV_METHODS = 'OPTIONS, GET, HEAD, PROPFIND, PROPPATCH, REPORT';

/** The privilege that each of them would need. */
const WRITES: ReadonlyMap<string, string> = new Map([
  ...['PUT', 'POST', 'PATCH'].map((method) => [method, 'write-content'] as const),
  ...['MKCALENDAR', 'MKCOL', 'MOVE', 'COPY'].map((method) => [method, 'bind'] as const),
  ['DELETE', 'unbind'],
  ['ACL', 'write-acl'],
]);

/** The answer to a method that is not supported. */
export function refusedMethod(
  { method, path }: Pick<DavRequest, 'method' | 'path'>,
  { prefix }: Pick<Context, 'prefix'>,
): Refusal {
  const privilege = WRITES.get(method);
  if (privilege === undefined)
    return new Refusal(405, 'Calendars can only be read here.', undefined, { Allow: DAV_METHODS });
  const needed = `<D:resource>${href(prefix + path)}<D:privilege><D:${privilege}/></D:privilege></D:resource>`;
  return new Refusal(403, 'Calendars can only be read here.', `<D:need-privileges>${needed}</D:need-privileges>`);
}
