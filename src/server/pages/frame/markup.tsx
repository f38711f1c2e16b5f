import type { HtmlEscapedString } from 'hono/utils/html';
import { safeLink } from '../../links.ts';

/** A piece of a page; everything put into one is escaped unless it is a piece itself. */
export type Markup = HtmlEscapedString | Promise<HtmlEscapedString>;

/** What a piece may hold. */
export type Piece = Markup | string | number | undefined | null | false | readonly Piece[];

/**
 * The text of a piece, with at most five combining marks on a letter: no writing needs more, and a browser breaks no line
 * between them. A piece with something to wait for gives a promise from its `toString`, which its type does not say.
 */
export async function markupText(piece: Markup): Promise<string> {
  const text: unknown = (await piece).toString();
  return String(await text).replace(COMBINING, '$1');
}

const COMBINING = /(\p{M}{5})\p{M}+/gu;

/** A name, as a link where there is a safe address. `bdi`: the direction of one name must not turn what follows it. */
export function linked(name: string, address: string | undefined): Markup {
  const href = safeLink(address);
  if (href === undefined) return <bdi>{name}</bdi>;
  return (
    <a href={href} rel="nofollow">
      <bdi>{name}</bdi>
    </a>
  );
}

/** Pieces with something between two of them. */
export function separated<T>(items: readonly T[], by: Piece, piece: (item: T) => Piece): Piece {
  return items.map((item, at) => (at === 0 ? piece(item) : [by, piece(item)]));
}

/** JSON that cannot end the script element it stands in, whatever the texts in it are. */
export function scriptText(data: unknown, indent?: number): string {
  return JSON.stringify(data, undefined, indent).replaceAll('<', '\\u003c');
}
