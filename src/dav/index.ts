/**
 * CalDAV, read only (RFC 4791, 6578, 7953): calendars of the library as collections of objects. It knows no sockets; the
 * server hands requests in.
 *
 * `methods/`: one file a method. `reports/`: one file a report. `properties/`: one row a property. `query/`: filters, and what
 * of an object is sent. `xml/`: bodies in and out.
 */

export { calendarsOf, type DavAddress, davAddress, listPath, thingPath } from './address.ts';
export { CAPABILITIES, davAnswer } from './answer.ts';
export { DAV_METHODS } from './methods/refused.ts';
export { Refusal } from './refusal.ts';
export { bodyOf, type DavAnswer } from './request.ts';
export type { DavLibrary } from './resource.ts';
