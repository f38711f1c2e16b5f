import type { RawFinding } from '../findings.ts';
import type { Json } from '../item/json.ts';

/** One item of an RPDE page (RPDE 1.0, "Response grammar"); ids and `modified` as text, without loss. */
export interface RpdeItem {
  state: 'updated' | 'deleted';
  kind: string;
  id: string;
  /** An opaque ordered value: compare with `compareModified`, never read as a time (semantics 1.2). Empty: not stated. */
  modified: string;
  /** Absent on deleted items, and on broken ones. */
  data?: Json;
  /** Whether `data` holds integers past 2^53 as prefixed strings (`opportunity/item/json.ts`). */
  wide?: boolean;
  /** The JSON text of `data` as the publisher wrote it, in UTF-8 and in one line, where it is at hand. */
  raw?: Uint8Array;
  /** Findings about the item's envelope; `cleanItem` returns them with its own. */
  findings?: RawFinding[];
}

export interface Page {
  next?: string;
  license?: string;
  /** In the page's order. One key may come twice: see `latest`. */
  items: RpdeItem[];
  /** Findings about the page itself (`item` = ''), items that cannot be kept, and deleted items. */
  findings: PageFinding[];
}

/** `raw`: the whole JSON text of an item that cannot be kept under a key of its own; broken items are kept too (semantics 1.1). */
export interface PageFinding {
  item: string;
  finding: RawFinding;
  raw?: string;
}

/** The name of an item in findings: its kind and id. */
export function itemName(item: Pick<RpdeItem, 'kind' | 'id'>): string {
  return item.kind === '' ? item.id : `${item.kind} ${item.id}`;
}

/** The part of a `kind` that shows a Slot, as in `FacilityUse/Slot`, without a look into the data. */
export const SLOT_KIND = 'Slot';
