import { identOf } from '../opportunity/identity.ts';
import type { OpportunityRecord, Series, Session } from '../opportunity/records.ts';
import { canonicalId, skeleton } from '../recurrence/templates.ts';

/**
 * What a record is found by besides its `@id`, so that those that belong together meet in whatever order they come
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

/** The key of a template, and of all sessions whose `@id` it may make. */
function templateKey(canonical: string): string {
  return `idTemplate ${skeleton(canonical)}`;
}

function seriesKeys({ subEvents = [], schedules }: Series): string[] {
  const keys = new Set(subEvents.map((id) => subEventKey(identOf(id))));
  for (const { idTemplate, expandable } of schedules)
    if (idTemplate !== undefined && expandable) keys.add(templateKey(canonicalId(idTemplate)));
  return [...keys];
}

/** A session that names its series needs no key. */
function sessionKeys({ id, idStated, series }: Session): string[] {
  return series !== undefined || !idStated ? [] : [subEventKey(identOf(id)), templateKey(canonicalId(id))];
}
