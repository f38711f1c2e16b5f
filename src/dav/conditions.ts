import { isMatched } from '../entity-tags.ts';
import type { Context } from './properties/properties.ts';
import { Refusal, unreadable } from './refusal.ts';
import { type DavRequest, ownPath } from './request.ts';
import { type CalendarResource, type DavLibrary, resourceIfThere } from './resource.ts';
import { isNow } from './sync-token.ts';

/** If-Match (RFC 9110 13.1.1) and If (RFC 4918 10.4). Locks do not exist here: state tokens are sync tokens alone (RFC 6578 5). */

/** The methods whose If-Match is checked here; GET and HEAD check the conditions of RFC 9110 themselves. */
const WITH_IF_MATCH = new Set(['PROPFIND', 'PROPPATCH', 'REPORT']);
const MOST_CHARACTERS = 8000;
/** Most resources that If may name, because each is read. */
const MOST_RESOURCES = 10;

type Conditional = Pick<DavRequest, 'method' | 'path' | 'header'>;

/** @throws Refusal: the conditions of the request do not hold (412) */
export async function checkConditions(request: Conditional, library: DavLibrary, context: Context): Promise<void> {
  if (request.method === 'OPTIONS') return;
  const ifMatch = WITH_IF_MATCH.has(request.method) ? request.header('if-match') : undefined;
  const lists = listsIn(request.header('if'));
  if (ifMatch === undefined && lists === undefined) return;
  const states = statesOf(request, library, context);
  const state = await states.at(request.path);
  // A request for a missing resource is answered as without a condition (RFC 9110 13.2.1).
  if (state === undefined) return;
  if (ifMatch !== undefined && !isMatched(ifMatch, state.tags))
    throw new Refusal(412, 'It is not what If-Match names.');
  for (const list of lists ?? []) if (await states.holds(list)) return;
  if (lists !== undefined) throw new Refusal(412, 'None of the lists of If holds.');
}

/** A list of conditions, which all have to hold. `resource`: absent for the resource of the request. */
interface StateList {
  resource?: string;
  conditions: Condition[];
}

/** Either a state token or an entity tag. */
interface Condition {
  isNot: boolean;
  token: string | undefined;
  tag: string | undefined;
}

/** The present state of a resource. Objects have an entity tag, and calendars a sync token. */
interface State {
  tags: readonly string[];
  calendar?: CalendarResource;
}

const LIST = /\s*(?:<([^<>\s]*)>\s*)?\(((?:[^()"<>]|"[^"]*"|<[^<>]*>)*)\)\s*/y;
const CONDITION = /\s*(Not\b)?\s*(?:<([^<>\s]+)>|\[((?:W\/)?"[^"]*")\])\s*/iy;

/** The lists of If; undefined: there is no such header. @throws Refusal */
function listsIn(header: string | undefined): StateList[] | undefined {
  if (header === undefined) return undefined;
  const lists: StateList[] = [];
  let resource: string | undefined;
  const text = header.length > MOST_CHARACTERS ? '' : header;
  for (const [, tagged, inner = ''] of matchesIn(text, LIST)) {
    resource = tagged ?? resource;
    const conditions = matchesIn(inner, CONDITION).map(([, not, token, tag]) => ({
      isNot: not !== undefined,
      token,
      tag,
    }));
    lists.push({ conditions, ...(resource !== undefined && { resource }) });
  }
  return lists;
}

/** The matches of a sticky pattern that make up a whole text. @throws Refusal */
function matchesIn(text: string, pattern: RegExp): RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  const sticky = new RegExp(pattern);
  while (sticky.lastIndex < text.length) {
    const match = sticky.exec(text);
    if (match === null) throw unreadable(BAD_IF);
    found.push(match);
  }
  if (found.length === 0) throw unreadable(BAD_IF);
  return found;
}

const BAD_IF = 'If has lists of state tokens and entity tags (RFC 4918 10.4.2).';

/** The states of resources, each read once. */
function statesOf(request: Conditional, library: DavLibrary, context: Context) {
  const known = new Map<string, Promise<State | undefined>>();

  async function holds({ resource, conditions }: StateList): Promise<boolean> {
    const path = resource === undefined ? request.path : ownPath(resource, request, context);
    const state = path === undefined ? undefined : await at(path);
    return conditions.every((condition) => isState(condition, state) !== condition.isNot);
  }

  /** Undefined: nothing is at the path. */
  function at(path: string): Promise<State | undefined> {
    if (!known.has(path) && known.size >= MOST_RESOURCES)
      throw unreadable(`If names at most ${MOST_RESOURCES} resources.`);
    const state = known.get(path) ?? read(path);
    known.set(path, state);
    return state;
  }

  async function read(path: string): Promise<State | undefined> {
    const resource = await resourceIfThere(path, library, 'read');
    if (resource?.kind === 'object') return { tags: [`"${resource.member.etag}"`] };
    return resource && { tags: [], ...(resource.kind === 'calendar' && { calendar: resource }) };
  }

  return { holds, at };
}

function isState({ token, tag }: Condition, { tags, calendar }: State = { tags: [] }): boolean {
  if (tag !== undefined) return tags.includes(tag);
  return token !== undefined && calendar !== undefined && isNow(token, calendar);
}
