import { compareArrived } from './modified.ts';
import type { RpdeItem } from './rpde-item.ts';

/**
 * The newest item of each key (semantics 1.2), in the order of last appearance. `isGood`: whether an item is deleted or has usable
 * data. Where the newest is not good, the last good item of its key stands in front of it (semantics 1.6).
 */
export function latest(items: readonly RpdeItem[], isGood: (item: RpdeItem) => boolean): readonly RpdeItem[] {
  if (new Set(items.map(({ id }) => id)).size === items.length) return items;
  const newest = new Map<string, RpdeItem[]>();
  for (const item of items) {
    const key = `${item.kind}\n${item.id}`;
    const known = newest.get(key);
    if (known !== undefined) {
      if (compareArrived(item.modified, (known[0] as RpdeItem).modified) < 0) continue;
      newest.delete(key);
    }
    const good = known === undefined || isGood(item) ? undefined : goodOf(known, isGood);
    newest.set(key, good === undefined ? [item] : [good, item]);
  }
  return [...newest.values()].flat();
}

function goodOf([first, second]: readonly RpdeItem[], isGood: (item: RpdeItem) => boolean): RpdeItem | undefined {
  return second !== undefined || isGood(first as RpdeItem) ? first : undefined;
}

/** Whether two items are copies of one. */
export function isSameItem(a: Pick<RpdeItem, 'kind' | 'id'>, b: Pick<RpdeItem, 'kind' | 'id'>): boolean {
  return a.id === b.id && a.kind === b.kind;
}
