import type { Instant } from '../time/instant.ts';

/**
 * Histories of collections, by which an answer names changes since an earlier request (RFC 6578, 3.8). They are apart from the
 * store, because requests write them; without one, a client loads its collection once more. They are bounded: the one with
 * the oldest request goes first.
 */
export interface SyncHistories {
  /** Opens the histories; called once, before any other method. @throws StoreError: none can be kept here */
  open(): Promise<void>;
  /** The last state of a collection. The request is noted, once a day. */
  state(key: string, now: Instant): Promise<string | undefined>;
  history(key: string): Promise<SyncHistory | undefined>;
  /** Replaces a history by the result of `change`. Other processes wait meanwhile. */
  update(key: string, now: Instant, change: (before: SyncHistory | undefined) => SyncHistory): Promise<void>;
  close(): Promise<void>;
}

/** The history of a collection, as the library writes it (`library/objects/history.ts`). */
export interface SyncHistory {
  state: string;
  content: string;
}

export interface SyncLimits {
  /** Milliseconds without a request after which a history is deleted. */
  unaskedMs: number;
  collections: number;
  /** The most characters of all histories. */
  characters: number;
}
