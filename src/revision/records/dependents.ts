import type { Writer } from '../../store/index.ts';

/** Rows that take something from others. */
export interface Dependents {
  series: ReadonlySet<number>;
  facilities: ReadonlySet<number>;
}

export interface Sources {
  /** Places, EventSeries and facilities whose dependents must be planned anew. */
  sources: Set<number>;
  /** What depends on them, once it is known. */
  dependents: Promise<Dependents> | undefined;
}

/**
 * Series and facilities that take from what changed: a place, an EventSeries, a FacilityUse, which may take from others too.
 * They are found once in a transaction, when all records have their owners.
 */
export function dependentsOf(tx: Writer, affected: Sources): Promise<Dependents> {
  affected.dependents ??= found(tx, affected.sources);
  return affected.dependents;
}

async function found(tx: Writer, sources: ReadonlySet<number>): Promise<Dependents> {
  const all = { series: new Set<number>(), facilities: new Set<number>() };
  const queue = [...sources];
  const seen = new Set(queue);
  for (let source = queue.pop(); source !== undefined; source = queue.pop()) {
    const { series, facilities } = await tx.dependents(source);
    for (const id of facilities) all.facilities.add(id);
    for (const id of series) all.series.add(id);
    for (const id of [...series, ...facilities]) {
      if (seen.has(id)) continue;
      seen.add(id);
      queue.push(id);
    }
  }
  return all;
}
