import { identOf } from './identity.ts';
import type { OpportunityRecord } from './records.ts';

/**
 * What a record is found by besides its `@id`, so that those that belong together meet in whatever order they come
 * (semantics 2). Pure.
 */
export function keysOf(record: OpportunityRecord): string[] {
  return record.kind === 'facility' && record.aggregate !== undefined ? [aggregateKey(identOf(record.aggregate))] : [];
}

/** Of the courts and lanes of the FacilityUse with this identity. */
export function aggregateKey(ident: string): string {
  return `aggregateFacilityUse ${ident}`;
}
