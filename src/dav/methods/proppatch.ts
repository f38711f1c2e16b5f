import type { Context } from '../properties/properties.ts';
import { unreadable } from '../refusal.ts';
import type { DavAnswer, DavRequest } from '../request.ts';
import { type DavLibrary, resourceAt } from '../resource.ts';
import { DAV, DECLARATIONS, isName, type Name, nameText } from '../xml/names.ts';
import { childOf, type Element, readXml } from '../xml/read.ts';
import { element, escaped } from '../xml/write.ts';
import { multistatusAnswer } from './propfind.ts';

/**
 * PROPPATCH refuses each property by itself. A 403 for the whole request made Calendar of macOS end its sync, where it wrote an
 * order or a colour (feed rule 34).
 */
export async function proppatch(request: DavRequest, library: DavLibrary, { prefix }: Context): Promise<DavAnswer> {
  const root = readXml(request.body);
  if (root === undefined || !isName(root, DAV, 'propertyupdate'))
    throw unreadable('The body of a PROPPATCH is a DAV:propertyupdate.');
  const resource = await resourceAt(request.path, library, 'read');
  const prop = updated(root)
    .map((name) => element(name))
    .join('');
  const error = '<D:error><D:cannot-modify-protected-property/></D:error>';
  return multistatusAnswer(
    `<?xml version="1.0" encoding="utf-8"?>\n<D:multistatus${DECLARATIONS}><D:response><D:href>${escaped(prefix + resource.path)}</D:href>` +
      `<D:propstat><D:prop>${prop}</D:prop><D:status>HTTP/1.1 403 Forbidden</D:status>${error}</D:propstat></D:response></D:multistatus>\n`,
  );
}

/** The names of the properties to set or remove. */
function updated(root: Element): Name[] {
  const names = root.children
    .filter((child) => isName(child, DAV, 'set') || isName(child, DAV, 'remove'))
    .flatMap((child) => childOf(child, DAV, 'prop')?.children ?? []);
  if (names.length === 0) throw unreadable('A PROPPATCH sets or removes at least one property.');
  return [...new Map(names.map((name) => [nameText(name), name])).values()];
}
