import { betterClaim, type Claimant } from './join.ts';

/** A claim of an item's own record, and the better claim of the same feed that hides it. */
interface HiddenClaim<C> {
  claim: C;
  by: C;
}

/**
 * Finds claims that a better claim of the same feed hides: items for one thing under several RPDE ids (semantics 1.4).
 * `thingOf`: the identity of the claimed thing. `claims` are those of items' own records, without embedded ones, because
 * many items may embed one thing.
 */
export function hiddenClaims<C extends Claimant>(
  claims: readonly C[],
  thingOf: (claim: C) => string | number,
): HiddenClaim<C>[] {
  const best = new Map<string, C>();
  const hidden: C[] = [];
  const keyOf = (claim: C) => `${claim.feed}\n${thingOf(claim)}`;
  for (const claim of claims) {
    const known = best.get(keyOf(claim));
    const isBetter = known === undefined || betterClaim(claim, known) < 0;
    if (isBetter) best.set(keyOf(claim), claim);
    const loser = isBetter ? known : claim;
    if (loser !== undefined) hidden.push(loser);
  }
  return hidden.map((claim) => ({ claim, by: best.get(keyOf(claim)) as C }));
}
