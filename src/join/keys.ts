import { identOf } from '../opportunity/identity.ts';
import type { OpportunityRecord, Series, Session } from '../opportunity/records.ts';
import { canonicalId, skeleton } from '../recurrence/templates.ts';

/**
 * Keys of a record besides its `@id`, by which a series and its sessions find each other in any order of arrival
 * (semantics 2). Pure.
 */
export function keysOf(record: OpportunityRecord): string[] {
  if (record.kind === 'series') return seriesKeys(record);
  if (record.kind === 'session') return sessionKeys(record);
  return record.kind === 'facility' && record.aggregate !== undefined ? [aggregateKey(identOf(record.aggregate))] : [];
}

/** The key of the courts and lanes of the FacilityUse with this identity. */
export function aggregateKey(ident: string): string {
  return `aggregateFacilityUse ${ident}`;
}

/** The key of the session that `subEvent` names with this identity. */
export function subEventKey(ident: string): string {
  return `subEvent ${ident}`;
}

/** The key that a template shares with all sessions whose `@id` it may generate. */
function templateKey(canonical: string): string {
  return `idTemplate ${skeleton(canonical)}`;
}

function seriesKeys({ subEvents = [], schedules }: Series): string[] {
  const keys = new Set(subEvents.map((id) => subEventKey(identOf(id))));
  for (const { idTemplate, expandable } of schedules)
    if (idTemplate !== undefined && expandable) keys.add(templateKey(canonicalId(idTemplate)));
  return [...keys];
}

/** The keys of a session. One that names its series needs none. */
function sessionKeys({ id, idStated, series }: Session): string[] {
  return series !== undefined || !idStated ? [] : [subEventKey(identOf(id)), templateKey(canonicalId(id))];
}
