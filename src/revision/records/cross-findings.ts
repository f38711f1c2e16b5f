import { type FindingCode, type RawFinding, shown } from '../../opportunity/findings.ts';
import type { RecordKind } from '../../opportunity/records.ts';
import { identWaitedFor, type Writer } from '../../store/index.ts';
import type { Change } from './prepared.ts';

/** Findings of an item that depend on records of other publishers, and change when these come and go. */

const CODES: ReadonlySet<FindingCode> = new Set([
  'claimed-by-another-publisher',
  'series-of-another-publisher',
  'facility-of-another-publisher',
]);

/** The property in which a record names its parent. */
const PARENT_PATHS: Partial<Record<RecordKind, string>> = {
  session: '$.superEvent',
  series: '$.superEvent',
  slot: '$.facilityUse',
};

interface FindingChanges {
  added: RawFinding[];
  dropped: RawFinding[];
}

/** Collects cross findings of the items of a transaction, and saves them at its end. */
export class CrossFindings {
  readonly #changes = new Map<number, FindingChanges>();

  /** Notes that a claim of an item is refused, or is not refused any more. */
  noteClaim(item: number, { kind, ident }: { kind: RecordKind; ident: string }, refused: boolean): void {
    const facts = { kind, id: shown(ident, 200) };
    this.#of(item)[refused ? 'added' : 'dropped'].push({ code: 'claimed-by-another-publisher', path: '$', facts });
  }

  /** Notes that a record names a parent of another publisher. */
  noteStray(item: number, kind: RecordKind, parent: { ident: string }): void {
    const path = PARENT_PATHS[kind];
    if (path === undefined) return;
    const code = kind === 'slot' ? 'facility-of-another-publisher' : 'series-of-another-publisher';
    this.#of(item).added.push({ code, path, facts: { id: shown(identWaitedFor(parent.ident), 200) } });
  }

  #of(item: number): FindingChanges {
    const changes = this.#changes.get(item) ?? { added: [], dropped: [] };
    this.#changes.set(item, changes);
    return changes;
  }

  /** Saves the findings. `changes`: items that were read anew, whose earlier cross findings do not count. */
  async save(tx: Writer, changes: readonly Change[]): Promise<void> {
    const whole = new Set(changes.map(({ item }) => item));
    for (const { item, same } of changes) if (same) this.#of(item);
    const rows: { item: number; findings: string | undefined }[] = [];
    const known = await tx.findingsOfItems([...this.#changes.keys()]);
    for (const [item, changes] of this.#changes) {
      const before = known.get(item);
      const now = findingsAfter(before, changes, whole.has(item));
      if (now !== before) rows.push({ item, findings: now });
    }
    if (rows.length > 0) await tx.saveFindings(rows);
  }
}

/** The item's own findings first, then its cross findings, sorted, so that the order of arrival does not show. */
function findingsAfter(
  before: string | undefined,
  { added, dropped }: FindingChanges,
  isWhole: boolean,
): string | undefined {
  const known = before === undefined ? [] : (JSON.parse(before) as RawFinding[]);
  const own = known.filter(({ code }) => !CODES.has(code)).map((one) => JSON.stringify(one));
  const cross = new Set(isWhole ? [] : known.filter(({ code }) => CODES.has(code)).map((one) => JSON.stringify(one)));
  for (const one of dropped) cross.delete(JSON.stringify(one));
  for (const one of added) cross.add(JSON.stringify(one));
  const all = [...new Set(own), ...[...cross].sort()];
  return all.length === 0 ? undefined : `[${all.join()}]`;
}
