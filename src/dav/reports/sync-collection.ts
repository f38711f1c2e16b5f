import type { ObjectMember } from '../../library/index.ts';
import { objectsName } from '../address.ts';
import { zoneOfQuery } from '../query/time-range.ts';
import { type Refusal, unmet, unreadable } from '../refusal.ts';
import { type DavAnswer, depthOf } from '../request.ts';
import { type CalendarResource, objectIn } from '../resource.ts';
import { readSyncToken, type SyncPoint, syncToken } from '../sync-token.ts';
import { DAV, isName } from '../xml/names.ts';
import { childOf, type Element } from '../xml/read.ts';
import { escaped } from '../xml/write.ts';
import { noCalendar } from './calendar-query.ts';
import { type Report, reportAnswer, reportMultistatus } from './report.ts';

/** sync-collection (RFC 6578 3): the changes of objects since a token. */
export async function syncCollection(report: Report): Promise<DavAnswer> {
  const { resource, root, context } = report;
  if (resource.kind !== 'calendar') throw noCalendar();
  // RFC 6578 3.2 has 0; programs older than it, and Thunderbird, send 1.
  if (depthOf(report.request) === 'infinity') throw unreadable('Depth of a sync-collection is 0: see sync-level.');
  checkLevel(root);
  const limit = limitIn(root);
  const { calendar, points, changed, removed, isCut } = await changesSince(
    report,
    resource,
    pointsIn(root, resource),
    limit,
  );
  const answer = reportMultistatus(report, zoneOfQuery(root, calendar.collection.calendar.zone));
  for (const member of changed) answer.resource(objectIn(calendar, member));
  for (const name of removed) answer.status(`${context.prefix}${calendar.path}${name}`, '404 Not Found');
  if (isCut) answer.status(context.prefix + calendar.path, '507 Insufficient Storage', WITHIN_LIMITS);
  const token = syncToken(context.base, calendar, points);
  return reportAnswer(report, answer.pieces(`<D:sync-token>${escaped(token)}</D:sync-token>`));
}

const WITHIN_LIMITS = '<D:number-of-matches-within-limits/>';

/** Checks `sync-level`, which may be absent. A calendar has no collections within it, so `infinite` means 1. */
function checkLevel(root: Element): void {
  const level = childOf(root, DAV, 'sync-level')?.text.trim();
  if (level !== undefined && level !== '1' && !/^infini(?:te|ty)$/.test(level))
    throw unreadable('sync-level must be 1 or infinite.');
}

/** The most responses that the client accepts (RFC 6578 3.7). */
function limitIn(root: Element): number {
  const limit = childOf(root, DAV, 'limit');
  if (limit === undefined) return Number.POSITIVE_INFINITY;
  const text = limit.children.find((child) => isName(child, DAV, 'nresults'))?.text.trim() ?? '';
  // A number beyond all limits of Number is Infinity, and means everything.
  if (!/^[1-9]\d*$/.test(text)) throw unreadable('nresults must be a whole number from 1 on.');
  return Number(text);
}

/** The points of the request's token. An empty token stands for a client without members. */
function pointsIn(root: Element, calendar: CalendarResource): SyncPoint[] {
  const token = childOf(root, DAV, 'sync-token');
  if (token === undefined) throw unreadable('A sync-collection has a sync-token, if an empty one.');
  const text = token.text.trim();
  if (text === '') return [{ state: '' }];
  const points = readSyncToken(text, calendar);
  if (points === undefined) throw badToken();
  return points;
}

function badToken(): Refusal {
  return unmet('D:valid-sync-token', 'This token is not known here any more: begin again with an empty one.');
}

interface Since {
  /** The calendar as it is now. */
  calendar: CalendarResource;
  /** The state of the client after this answer. */
  points: SyncPoint[];
  changed: ObjectMember[];
  removed: string[];
  isCut: boolean;
}

/**
 * The changes that bring each part of the client's members to the present state. They are in the order of names, so that an
 * answer can be cut anywhere. Up to its last name the client then has the present state, and beyond it earlier states.
 */
async function changesSince(
  report: Report,
  resource: CalendarResource,
  since: readonly SyncPoint[],
  limit: number,
): Promise<Since> {
  const { names, calendar } = await namesSince(report, resource, since);
  const { state, members } = calendar.collection;
  const known = new Map(members.map((member) => [member.name, member]));
  const sent = names.slice(0, limit);
  const isCut = sent.length < names.length;
  const last = sent.at(-1) ?? '';
  const beyond = since.filter(({ upTo }) => upTo === undefined || upTo > last);
  return {
    calendar,
    points: isCut ? [{ state, upTo: last }, ...beyond] : [{ state }],
    changed: sent.flatMap((name) => known.get(name) ?? []),
    removed: sent.filter((name) => !known.has(name)),
    isCut,
  };
}

/** How often the parts are compared again where the collection changes between two comparisons. */
const MOST_TRIES = 10;

/** Sorted names of the members that differ from those of the client, with the present calendar. */
async function namesSince(
  report: Report,
  resource: CalendarResource,
  since: readonly SyncPoint[],
): Promise<{ names: string[]; calendar: CalendarResource }> {
  let calendar = resource;
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const names: string[] = [];
    let [after, isSame] = ['', true];
    for (const { state, upTo } of since) {
      const changes = await changesOf(report, calendar, state);
      isSame &&= changes.calendar.collection.state === calendar.collection.state;
      calendar = changes.calendar;
      names.push(...changes.names.filter((name) => name > after && (upTo === undefined || name <= upTo)));
      after = upTo ?? after;
    }
    if (isSame || since.length === 1) return { names: names.sort(), calendar };
  }
  throw badToken();
}

/** Names of the members changed since a state, or all names for none, with the calendar after these changes. */
async function changesOf(
  { library }: Report,
  calendar: CalendarResource,
  from: string,
): Promise<{ names: string[]; calendar: CalendarResource }> {
  const { collection, thing } = calendar;
  if (from === '') return { names: collection.members.map(({ name }) => name), calendar };
  if (from === collection.state) return { names: [], calendar };
  const changes = await library.objects.changes(objectsName(thing), from);
  if (changes === undefined || changes === 'expired') throw badToken();
  const { changed, removed, collection: now } = changes;
  return { names: [...changed, ...removed], calendar: { ...calendar, collection: now } };
}
