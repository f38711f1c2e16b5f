import { betterClaim, type Claim, claimKey } from '../../join/join.ts';
import { OWN } from '../../opportunity/clean.ts';
import { type Finding, finish, shown } from '../../opportunity/findings.ts';
import { itemName } from '../../opportunity/page/rpde-item.ts';

/**
 * Items of one feed that are the same thing under several RPDE ids: a finding for each that another one hides (semantics 2).
 * What is embedded does not count: many items may embed one thing.
 */
export function repeatedItems(claims: readonly Claim[]): Finding[] {
  const best = new Map<string, Claim>();
  const hidden: Claim[] = [];
  for (const claim of claims) {
    if (claim.rank !== OWN) continue;
    const key = feedKey(claim);
    const known = best.get(key);
    const isBetter = known === undefined || betterClaim(claim, known) < 0;
    if (isBetter) best.set(key, claim);
    const loser = isBetter ? known : claim;
    if (loser !== undefined) hidden.push(loser);
  }
  return hidden.map((claim) => {
    const facts = {
      id: shown(claim.record.id, 200),
      other: claimantName(best.get(feedKey(claim)) as Claim, 'another object'),
    };
    return finish({ code: 'repeated-in-feed', path: '$', facts }, claim.feed, claimantName(claim, claim.record.id));
  });
}

function feedKey({ feed, record: { kind, id } }: Claim): string {
  return `${feed}\n${claimKey(kind, id)}`;
}

/** `bare`: the name of an object that came without an RPDE envelope. */
function claimantName({ modified, kind, rpdeId }: Claim, bare: string): string {
  return modified === '' ? bare : itemName({ kind, id: rpdeId });
}
