import { sha256 } from '../../../platform/hash.ts';
import type { Filters } from '../../../search/filters.ts';
import { queryOf } from '../../../search/query.ts';
import type { FoundPage } from '../types.ts';

/**
 * Cursors: where a page ended, with a check that it was a page of the same search. `at` is a start or a place in a list, `id`
 * what orders those that have it in common.
 */
export interface Cursor {
  at: number;
  id: string;
}

const CHECK_LENGTH = 10;
const MOST_CHARS = 6000;
const FORM = /^(-?[0-9a-z]{1,11})\.([\w-]*)\.([\w-]{10})$/;

/**
 * `kind` parts cursors of several lists of the same search.
 *
 * @example cursorText('occurrences', { day: [1] }, { at: 1795546800000, id: 'https://id.example/1' })
 */
export function cursorText(kind: string, filters: Filters, { at, id }: Cursor): string {
  const text = `${at.toString(36)}.${Buffer.from(id).toString('base64url')}`;
  return `${text}.${checkOf(kind, filters, text)}`;
}

/** Undefined: there is none, or it was not given out for these filters. */
export function readCursor(kind: string, filters: Filters, text: string | undefined): Cursor | undefined {
  if (text === undefined) return undefined;
  const [, at, id, check] = (text.length > MOST_CHARS ? null : FORM.exec(text)) ?? [];
  if (at === undefined || id === undefined || check !== checkOf(kind, filters, `${at}.${id}`)) return undefined;
  const cursor = { at: Number.parseInt(at, 36), id: Buffer.from(id, 'base64url').toString() };
  // Of several spellings the one that is written.
  return cursorText(kind, filters, cursor) === text ? cursor : undefined;
}

/** What a cursor must be, in words. */
export const CURSOR = 'the cursor of "next", for the same filters';

function badCursor(after: string, allowed = FORM.test(after) ? CURSOR : `a local time such as 18:00, or ${CURSOR}`) {
  const value = after.length > 100 ? `${after.slice(0, 99)}…` : after;
  return { name: 'after' as const, value, allowed };
}

/** The empty page of a search with problems, or with an `after` of which nothing could be `read`; undefined: neither. */
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

/** Where a list by name ended. */
export interface NamedPosition {
  name: string;
  key: string;
}

/** As text: of a cursor of its own, or the `id` of another. */
export function namedCursor({ name, key }: NamedPosition): string {
  return JSON.stringify([name, key]);
}

/** Undefined: it is none. */
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
