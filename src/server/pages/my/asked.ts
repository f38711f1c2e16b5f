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

/** The list that the address of `/my` says, where nothing is stored. */
interface AskedList {
  list: ChosenList;
  /** Whether it is that of this browser, which follows what the page makes of it. */
  isMine: boolean;
  /** Something was added or taken off: the list has another address now. */
  isChanged: boolean;
  /** The one thing that was taken off, now or by the address that the script added something to. */
  removed: string | undefined;
}

/** What cannot be read is left out; a token that cannot be read is no list. */
export function askedList(c: Context): AskedList | undefined {
  const params = new URL(c.req.url).searchParams;
  const token = params.get('token') ?? '';
  const known = token === '' ? [] : thingsOf(token);
  if (known === undefined) return undefined;
  const added = params.getAll('add').flatMap((text) => thingOf(text) ?? []);
  const removed = new Set(params.getAll('remove'));
  const things = fitting([...known, ...added].filter((thing: Thing) => !removed.has(thingText(thing))));
  // A box that is not ticked sends nothing: the field before it does, and of several the last one counts.
  const options = listOptions(new URLSearchParams(Object.fromEntries(params)));
  return {
    list: { things, ...options },
    isMine: params.get('mine') === '1',
    isChanged: params.has('add') || params.has('remove'),
    removed: removedThing(known, things) ?? params.get('removed') ?? undefined,
  };
}

/** The one thing that a list has no more; undefined where it is none, or several. */
export function removedThing(before: readonly Thing[], after: readonly Thing[]): string | undefined {
  const kept = new Set(after.map(thingText));
  const [removed, ...others] = before.map(thingText).filter((thing) => !kept.has(thing));
  return others.length === 0 ? removed : undefined;
}

/** What the address says was taken off, and is not on the list. */
export function removedFrom(c: Context, { things }: ChosenList): Thing | undefined {
  const thing = thingOf(c.req.query('removed') ?? '');
  return thing !== undefined && removedThing([thing], things) !== undefined ? thing : undefined;
}

/** `/my/{token}` of a list that is kept here. */
export function keptToken(path: string): string | undefined {
  const token = path.slice(path.lastIndexOf('/') + 1);
  return isKept(token) ? token : undefined;
}

/** Lists are private, and the address of one may hold its edit key. */
export const NO_STORE = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' };

/** Leads to the page of a list. */
export function seeOther(path: string): Response {
  return new Response(null, { status: 303, headers: { Location: path, ...NO_STORE } });
}
