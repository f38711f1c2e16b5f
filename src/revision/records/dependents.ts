import type { Writer } from '../../store/index.ts';
import type { Affected, Dependents } from './changed-records.ts';

/**
 * Finds series and facilities that inherit from a place, an EventSeries or a FacilityUse that changed, directly or not. It
 * runs once in a transaction, when all records have their owners.
 */
export function dependentsOf(tx: Writer, affected: Affected): Promise<Dependents> {
  affected.dependents ??= findDependents(tx, affected.sources);
  return affected.dependents;
}

async function findDependents(tx: Writer, sources: ReadonlySet<number>): Promise<Dependents> {
  const all = { series: new Set<number>(), facilities: new Set<number>() };
  const seen = new Set(sources);
  // Other rows may inherit from these in turn.
  for (let next = [...seen]; next.length > 0; ) {
    const { series, facilities } = await tx.dependents(next);
    for (const id of series) all.series.add(id);
    for (const id of facilities) all.facilities.add(id);
    next = [...new Set([...series, ...facilities])].filter((id) => !seen.has(id));
    for (const id of next) seen.add(id);
  }
  return all;
}
