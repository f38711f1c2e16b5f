/** Stand-in ids by the rules before version 4, which held the path of a feed's address. */

import { formerScopeOf, identOf, scopeOf } from '../opportunity/identity.ts';
import type { RecordKind } from '../opportunity/records.ts';
import type { Writer } from '../store/index.ts';

/** The identity that an object has now, by the one that it had; undefined: it is the same. */
function identNow(feeds: Iterable<{ url: string }>): (former: string) => string | undefined {
  const scopes = new Map([...feeds].map(({ url }) => [identOf(formerScopeOf(url)), scopeOf(url)]));
  return (former) => {
    const scope = former.split('#', 1)[0] as string;
    const now = scopes.get(identOf(scope));
    // A series may be known by the stand-in id of its place, of the same feed.
    return now === undefined || now === scope ? undefined : former.replaceAll(`${scope}#`, `${now}#`);
  };
}

/** Rows that no item claims any more, each with the row of the same object under its identity now: `Affected.moved`. */
export async function movedRows(
  tx: Writer,
  rows: readonly { id: number; kind: RecordKind; ident: string }[],
): Promise<[now: number, before: number][]> {
  const now = identNow(await tx.feeds());
  const found: [number, number][] = [];
  for (const { id, kind, ident } of rows) {
    if (kind === 'session' || kind === 'slot') continue;
    const other = now(ident);
    const row = other === undefined ? undefined : (await tx.records(kind, [other]))[0];
    if (row?.owner !== undefined) found.push([row.id, id]);
  }
  return found;
}
