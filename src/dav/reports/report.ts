import { objectBytes } from '../../library/index.ts';
import type { Zone } from '../../time/zone.ts';
import { multistatusAnswer, slashedLocation } from '../methods/propfind.ts';
import type { Context } from '../properties/properties.ts';
import { dataWriter, readDataRequest } from '../query/calendar-data.ts';
import { appliedHeader, type DavAnswer, type DavRequest, preferencesOf } from '../request.ts';
import type { DavLibrary, Resource } from '../resource.ts';
import { askedIn, Multistatus, type PropRequest } from '../xml/multistatus.ts';
import { CALDAV, DAV } from '../xml/names.ts';
import { childOf, type Element } from '../xml/read.ts';

/** A report in progress: its request, the root of its body, and its resource. */
export interface Report {
  request: DavRequest;
  root: Element;
  resource: Resource;
  library: DavLibrary;
  context: Context;
}

/** The 207 with the requested properties of each object. `zone`: of dates without a time. */
export function reportMultistatus({ request, root, context }: Report, zone: Zone): Multistatus {
  const data = childOf(childOf(root, DAV, 'prop') ?? root, CALDAV, 'calendar-data');
  const dataOf = data && dataWriter(readDataRequest(data), zone);
  return new Multistatus({ asked: requestIn(root), context, minimal: preferencesOf(request).minimal, dataOf });
}

/** Without `prop`, `allprop` and `propname`, a report lists resources without properties (RFC 4791 9.5). */
function requestIn(root: Element): PropRequest {
  const isNamed = ['prop', 'allprop', 'propname'].some((local) => childOf(root, DAV, local) !== undefined);
  return isNamed ? askedIn(root) : { kind: 'prop', names: [] };
}

export function reportAnswer({ request, resource, context }: Report, body: DavAnswer['body']): DavAnswer {
  const applied = appliedHeader({ ...preferencesOf(request), noRoot: false });
  return multistatusAnswer(body, { ...applied, ...slashedLocation(request, resource, context) });
}

export function lengthOfObject({ member }: { member: Parameters<typeof objectBytes>[0] }): number {
  return objectBytes(member).length;
}
