import { type Claim, claimKey } from '../../join/join.ts';
import { NO_RIGHT, type Publishers } from '../../join/publishers.ts';
import { type Finding, type FindingCode, finish, shown } from '../../opportunity/findings.ts';
import { itemName } from '../../opportunity/page/rpde-item.ts';
import type { OpportunityRecord } from '../../opportunity/records.ts';

/** Findings of `check` between the publishers of its feeds (semantics 1.4), as `serve` makes in its store. */
export interface ForeignClaims {
  findings: readonly Finding[];
  /** Whether a record names a parent of another publisher: it has that finding, and none on an absent parent. */
  has(record: Pick<OpportunityRecord, 'kind' | 'id'>): boolean;
}

export const NO_FOREIGN_CLAIMS: ForeignClaims = { findings: [], has: () => false };

/** Finds claims and parents of other publishers. @param best the best claim on each record (`bestClaims`) */
export function foreignClaims(
  claims: readonly Claim[],
  best: ReadonlyMap<string, Claim>,
  publishers: Publishers,
): ForeignClaims {
  const foreign = new Set<string>();
  /** Findings by text: a thing that is embedded twice in an item has one finding. */
  const findings = new Map<string, Finding>();
  const add = (claim: Claim, code: FindingCode, path: string, facts: Record<string, string>) => {
    const item = itemName({ kind: claim.kind, id: claim.rpdeId });
    const finding = finish({ code, path, facts }, claim.feed, item, claim.record.id);
    findings.set(JSON.stringify(finding), finding);
  };
  for (const claim of claims) {
    const { kind, id } = claim.record;
    const key = claimKey(kind, id);
    if (claim.publisher !== best.get(key)?.publisher) {
      add(claim, 'claimed-by-another-publisher', '$', { kind, id: shown(id, 200) });
      continue;
    }
    const parent = parentIn(claim.record);
    if (parent === undefined || !isForeign(claim, parent.key, parent.id, best, publishers)) continue;
    foreign.add(key);
    add(claim, parent.code, parent.path, { id: shown(parent.id, 200) });
  }
  return { findings: [...findings.values()], has: ({ kind, id }) => foreign.has(claimKey(kind, id)) };
}

/** Whether a named record belongs to another publisher, and is not only absent. */
function isForeign(
  claim: Claim,
  key: string,
  id: string,
  best: ReadonlyMap<string, Claim>,
  publishers: Publishers,
): boolean {
  const owner = best.get(key);
  if (owner === undefined) return publishers.order(claim.feed, id) === NO_RIGHT;
  return publishers.idOf(owner.feed) !== publishers.idOf(claim.feed);
}

interface Parent {
  id: string;
  key: string;
  code: FindingCode;
  path: string;
}

function parentIn(record: OpportunityRecord): Parent | undefined {
  if (record.kind === 'slot' && record.facility !== undefined)
    return {
      id: record.facility,
      key: claimKey('facility', record.facility),
      code: 'facility-of-another-publisher',
      path: '$.facilityUse',
    };
  const id = record.kind === 'session' ? record.series : record.kind === 'series' ? record.parent : undefined;
  if (id === undefined) return undefined;
  return { id, key: claimKey('series', id), code: 'series-of-another-publisher', path: '$.superEvent' };
}
