import type { Context } from 'hono';
import {
  type ChosenList,
  fitting,
  isKept,
  listOptions,
  type Thing,
  thingOf,
  thingsOf,
  thingText,
} from '../../../library/index.ts';

/** The list of a request, from the query of `/my` or the path of `/my/{token}`. */

/** The list in the address of `/my`, which is not stored. */
interface AskedList {
  list: ChosenList;
  /** Whether it is the list of this browser, which stores the changes of the page. */
  isMine: boolean;
  /** Whether a thing was added or removed, so that the list has another address now. */
  isChanged: boolean;
  /** The one thing that this address removes, or that `removed` names. */
  removed: string | undefined;
}

/** The list of a request, without unreadable things; undefined: the token cannot be read. */
export function askedList(c: Context): AskedList | undefined {
  const params = new URL(c.req.url).searchParams;
  const token = params.get('token') ?? '';
  const known = token === '' ? [] : thingsOf(token);
  if (known === undefined) return undefined;
  const added = params.getAll('add').flatMap((text) => thingOf(text) ?? []);
  const removed = new Set(params.getAll('remove'));
  const things = fitting([...known, ...added].filter((thing: Thing) => !removed.has(thingText(thing))));
  // An unticked box sends nothing, so a hidden field of the same name precedes it. Of equal names the last one counts.
  const options = listOptions(new URLSearchParams(Object.fromEntries(params)));
  return {
    list: { things, ...options },
    isMine: params.get('mine') === '1',
    isChanged: params.has('add') || params.has('remove'),
    removed: removedThing(known, things) ?? params.get('removed') ?? undefined,
  };
}

/** The one thing that was on the list before and is not after; undefined where there are none or several. */
export function removedThing(before: readonly Thing[], after: readonly Thing[]): string | undefined {
  const kept = new Set(after.map(thingText));
  const [removed, ...others] = before.map(thingText).filter((thing) => !kept.has(thing));
  return others.length === 0 ? removed : undefined;
}

/** The thing of `?removed`, unless it is on the list. */
export function removedFrom(c: Context, { things }: ChosenList): Thing | undefined {
  const thing = thingOf(c.req.query('removed') ?? '');
  return thing !== undefined && removedThing([thing], things) !== undefined ? thing : undefined;
}

/** The token of a stored list at `/my/{token}`. */
export function keptToken(path: string): string | undefined {
  const token = path.slice(path.lastIndexOf('/') + 1);
  return isKept(token) ? token : undefined;
}

/** Lists are private, and the address of one may hold its edit key. */
export const NO_STORE = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' };

/** A 303 to the page of a list. */
export function seeOther(path: string): Response {
  return new Response(null, { status: 303, headers: { Location: path, ...NO_STORE } });
}
