import { type Claim, claimKey } from '../../join/join.ts';
import { type Finding, finish, type RawFinding } from '../../opportunity/findings.ts';
import type { OpportunityRecord } from '../../opportunity/records.ts';
import { claimedItem } from './repeated-items.ts';

/** Finds the feed and the item of records, for findings about them (semantics 7). */

type Named = Pick<OpportunityRecord, 'kind' | 'id'>;

/** The feed and the item that a record came from. */
export type PlaceOf = (record: Named) => Pick<Finding, 'feed' | 'item'>;

/** Places of all claimed records; an item's own claim wins over embedded ones. `feed`: that of records without a claim. */
export function claimPlaces(claims: readonly Claim[], feed = ''): PlaceOf {
  const best = new Map<string, Claim>();
  for (const claim of claims) {
    const key = claimKey(claim.record.kind, claim.record.id);
    const known = best.get(key);
    if (known === undefined || claim.rank > known.rank) best.set(key, claim);
  }
  return ({ kind, id }) => {
    const claim = best.get(claimKey(kind, id));
    return claim === undefined ? { feed, item: id } : { feed: claim.feed, item: claimedItem(claim, id) };
  };
}

/** A finding about a record. */
export function findingOf(raw: RawFinding, record: Named, placeOf: PlaceOf): Finding {
  const { feed, item } = placeOf(record);
  return finish(raw, feed, item, record.id);
}
