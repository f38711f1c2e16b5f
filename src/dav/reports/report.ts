import { objectBytes } from '../../library/index.ts';
import type { Zone } from '../../time/zone.ts';
import { multistatusAnswer, slashedLocation } from '../methods/propfind.ts';
import type { Context } from '../properties/properties.ts';
import { DataWriter, readDataRequest } from '../query/calendar-data.ts';
import { appliedHeader, type DavAnswer, type DavRequest, preferencesOf } from '../request.ts';
import type { DavLibrary, Resource } from '../resource.ts';
import { askedIn, type DataOf, Multistatus, type PropRequest } from '../xml/multistatus.ts';
import { CALDAV, DAV } from '../xml/names.ts';
import { childOf, type Element } from '../xml/read.ts';

/** A report in progress: its request, the root of its body, and its resource. */
export class Report {
  readonly request: DavRequest;
  readonly root: Element;
  readonly resource: Resource;
  readonly library: DavLibrary;
  readonly context: Context;

  constructor(parts: Pick<Report, 'request' | 'root' | 'resource' | 'library' | 'context'>) {
    this.request = parts.request;
    this.root = parts.root;
    this.resource = parts.resource;
    this.library = parts.library;
    this.context = parts.context;
  }

  /** The 207 with the requested properties of each object. `zone`: of dates without a time. */
  multistatus(zone: Zone): Multistatus {
    const asked = this.#propRequest();
    const data = childOf(childOf(this.root, DAV, 'prop') ?? this.root, CALDAV, 'calendar-data');
    const dataOf = data && this.#dataOf(data, zone);
    return new Multistatus({ asked, context: this.context, minimal: preferencesOf(this.request).minimal, dataOf });
  }

  /** Without `prop`, `allprop` and `propname`, a report lists resources without properties (RFC 4791 9.5). */
  #propRequest(): PropRequest {
    const asked = askedIn(this.root);
    const isNamed = ['prop', 'allprop', 'propname'].some((local) => childOf(this.root, DAV, local) !== undefined);
    return isNamed ? asked : { kind: 'prop', names: [] };
  }

  #dataOf(data: Element, zone: Zone): DataOf {
    const writer = new DataWriter(readDataRequest(data), zone);
    return ({ member }) => writer.escaped(member);
  }

  answer(body: DavAnswer['body']): DavAnswer {
    const applied = appliedHeader({ ...preferencesOf(this.request), noRoot: false });
    return multistatusAnswer(body, { ...applied, ...slashedLocation(this.request, this.resource, this.context) });
  }
}

export function lengthOfObject({ member }: { member: Parameters<typeof objectBytes>[0] }): number {
  return objectBytes(member).length;
}
