/**
 * CalDAV, read only (RFC 4791, 6578, 7953): calendars of the library as collections of objects. This room has no sockets; the
 * server passes requests in.
 *
 * `methods/`: one file a method. `reports/`: one file a report. `properties/`: one row a property. `query/`: filters, and the
 * parts of an object that are sent. `xml/`: bodies of requests and answers.
 */

export { calendarsOf, type DavAddress, davAddress, listPath, thingPath } from './address.ts';
export { CAPABILITIES, davAnswer } from './answer.ts';
export { DAV_METHODS } from './methods/refused.ts';
export { Refusal } from './refusal.ts';
export { bodyOf, type DavAnswer } from './request.ts';
export type { DavLibrary } from './resource.ts';
