import type { Instant } from '../time/instant.ts';

/**
 * What collections held when they were asked for, so that an answer can name what changed since (RFC 6578, 3.8). Apart from
 * the store: requests write it, and whoever loses it loads collections once more. Bounded: what nobody has asked for for the
 * longest time goes first.
 */
export interface SyncHistories {
  /** Before anything else; once is enough. @throws StoreError: nothing can be kept here */
  open(): Promise<void>;
  /** The last state that was kept of a collection. That somebody asked for it is noted, once a day. */
  state(key: string, now: Instant): Promise<string | undefined>;
  history(key: string): Promise<SyncHistory | undefined>;
  /** Puts what `change` makes of it in its place. Other processes wait meanwhile. */
  update(key: string, now: Instant, change: (before: SyncHistory | undefined) => SyncHistory): Promise<void>;
  close(): Promise<void>;
}

/** The history of a collection, as the library writes it (`library/objects/history.ts`). */
export interface SyncHistory {
  state: string;
  content: string;
}

export interface SyncLimits {
  /** What nobody has asked for for so long goes. */
  unaskedMs: number;
  collections: number;
  /** Characters of all that is kept. */
  characters: number;
}
