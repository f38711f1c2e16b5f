import { betterClaim, type Claimant } from './join.ts';

/** A claim of an item of its own, and the one of the same feed that hides it. */
interface HiddenClaim<C> {
  claim: C;
  by: C;
}

/**
 * Items of one feed that are the same thing under several RPDE ids (semantics 1.4): each claim that a better one of its feed
 * hides. `thingOf` is the same of all that speak of one thing. The claims are those of items of their own: what is embedded
 * does not count, for many items may embed one thing.
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
