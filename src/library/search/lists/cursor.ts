import { sha256 } from '../../../platform/hash.ts';
import type { Filters } from '../../../search/filters.ts';
import { queryOf } from '../../../search/query.ts';
import type { FoundPage } from '../types.ts';

/** Cursors of lists: the position where a page ended, with a check that it is of the same search. */

/** A position: `at` is a start or an index, `id` the key of the row among those with the same `at`. */
export interface Cursor {
  at: number;
  id: string;
}

const CHECK_LENGTH = 10;
const MOST_CHARS = 6000;
const FORM = /^(-?[0-9a-z]{1,11})\.([\w-]*)\.([\w-]{10})$/;

/**
 * A cursor as text. `kind`: the list that it is of.
 *
 * @example cursorText('occurrences', { day: [1] }, { at: 1795546800000, id: 'https://id.example/1' })
 */
export function cursorText(kind: string, filters: Filters, { at, id }: Cursor): string {
  const text = `${at.toString(36)}.${Buffer.from(id).toString('base64url')}`;
  return `${text}.${checkOf(kind, filters, text)}`;
}

/** The cursor of a text; undefined: there is none, or it is of other filters or another list. */
export function readCursor(kind: string, filters: Filters, text: string | undefined): Cursor | undefined {
  if (text === undefined) return undefined;
  const [, at, id, check] = (text.length > MOST_CHARS ? null : FORM.exec(text)) ?? [];
  if (at === undefined || id === undefined || check !== checkOf(kind, filters, `${at}.${id}`)) return undefined;
  const cursor = { at: Number.parseInt(at, 36), id: Buffer.from(id, 'base64url').toString() };
  // Only the spelling that `cursorText` writes is accepted.
  return cursorText(kind, filters, cursor) === text ? cursor : undefined;
}

/** The allowed value of a cursor, in words. */
export const CURSOR = 'the cursor of "next", for the same filters';

function badCursor(after: string, allowed = FORM.test(after) ? CURSOR : `a local time such as 18:00, or ${CURSOR}`) {
  const value = after.length > 100 ? `${after.slice(0, 99)}…` : after;
  return { name: 'after' as const, value, allowed };
}

/**
 * The empty page of a search with problems, or with an unreadable `after`. `read`: its cursor. Undefined: there are no
 * problems.
 */
export function refusedPage(
  { replaced, problems }: Pick<FoundPage<never>, 'replaced' | 'problems'>,
  after: string | undefined,
  read: unknown,
  allowed?: string,
): FoundPage<never> | undefined {
  const isBad = after !== undefined && read === undefined;
  const all = isBad ? [...problems, badCursor(after, allowed)] : problems;
  return all.length === 0 ? undefined : { items: [], replaced, problems: all };
}

/** The last row of a page by name. */
export interface NamedPosition {
  name: string;
  key: string;
}

/** A position by name as text, for the `id` of a cursor. */
export function namedCursor({ name, key }: NamedPosition): string {
  return JSON.stringify([name, key]);
}

/** The position of a text; undefined for other texts. */
export function namedPosition(text: string | undefined): NamedPosition | undefined {
  if (text === undefined) return undefined;
  try {
    const [name, key] = JSON.parse(text) as unknown[];
    return typeof name === 'string' && typeof key === 'string' ? { name, key } : undefined;
  } catch {
    return undefined;
  }
}

function checkOf(kind: string, filters: Filters, text: string): string {
  return sha256(`${kind} ${text} ${queryOf(filters)}`, 'base64url').slice(0, CHECK_LENGTH);
}
