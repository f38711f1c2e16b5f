import { type Claim, claimKey } from '../../join/join.ts';
import { hiddenClaims } from '../../join/repeated.ts';
import { OWN } from '../../opportunity/clean.ts';
import { type Finding, finish, shown } from '../../opportunity/findings.ts';
import { itemName } from '../../opportunity/page/rpde-item.ts';

/** Findings on items that another item of their feed hides: both are the same thing under several RPDE ids. */
export function repeatedItems(claims: readonly Claim[]): Finding[] {
  const own = claims.filter(({ rank }) => rank === OWN);
  return hiddenClaims(own, ({ record }) => claimKey(record.kind, record.id)).map(({ claim, by }) => {
    const { id } = claim.record;
    const facts = { id: shown(id, 200), other: claimedItem(by, 'another object') };
    return finish({ code: 'repeated-in-feed', path: '$', facts }, claim.feed, claimedItem(claim, id), id);
  });
}

/** The name of the item of a claim. `bare`: the name of an object without an RPDE envelope. */
export function claimedItem({ modified, kind, rpdeId }: Claim, bare: string): string {
  return modified === '' ? bare : itemName({ kind, id: rpdeId });
}
