import type { HtmlEscapedString } from 'hono/utils/html';
import { safeLink } from '../../links.ts';

/** A piece of a page. Texts in it are escaped, and pieces in it are not. */
export type Markup = HtmlEscapedString | Promise<HtmlEscapedString>;

/** Values that a piece may hold. */
export type Piece = Markup | string | number | undefined | null | false | readonly Piece[];

/**
 * The text of a piece, with at most five combining marks on a letter: no script needs more, and a browser breaks no line
 * between them. `toString` of a piece that waits for another one gives a promise, although its type has a string.
 */
export async function markupText(piece: Markup): Promise<string> {
  const text: unknown = (await piece).toString();
  return String(await text).replace(COMBINING, '$1');
}

const COMBINING = /(\p{M}{5})\p{M}+/gu;

/** A name, as a link where its address is safe. `bdi` keeps the direction of the name from the text behind it. */
export function linked(name: string, address: string | undefined): Markup {
  const href = safeLink(address);
  if (href === undefined) return <bdi>{name}</bdi>;
  return (
    <a href={href} rel="nofollow">
      <bdi>{name}</bdi>
    </a>
  );
}

/** The pieces of `items`, with `by` between two of them. */
export function separated<T>(items: readonly T[], by: Piece, piece: (item: T) => Piece): Piece {
  return items.map((item, at) => (at === 0 ? piece(item) : [by, piece(item)]));
}

/** JSON for a script element, whose texts cannot end that element. */
export function scriptText(data: unknown, indent?: number): string {
  return JSON.stringify(data, undefined, indent).replaceAll('<', '\\u003c');
}
