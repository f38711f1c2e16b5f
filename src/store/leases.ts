import type { Writer } from './contract/store.ts';

/**
 * Shares the feeds among several harvesters. A lease has a name, and ends where its holder does not renew it. Each holder of a
 * name gets a higher token than those before. A transaction with an earlier token is refused, so that a process that was
 * stopped for a while overwrites nothing that others have read since.
 */
export interface Leases {
  /**
   * Renews the leases of this process, and takes free ones among `names`, up to an equal share for each harvester.
   * @throws StoreError
   */
  renew(names: readonly string[], ttlMs: number): Promise<Renewed>;
  /** The number of processes that renew leases. @throws StoreError */
  harvesters(): Promise<number>;
  /** Releases leases of this process; without `names`, all of them. */
  release(names?: readonly string[]): Promise<void>;
  /** Whether this process still holds the lease; if so, no other takes it until the transaction ends. */
  isCurrent(tx: Writer, lease: LeaseToken): Promise<boolean>;
  close(): Promise<void>;
}

export interface Renewed {
  /** The token of each held name. */
  tokens: ReadonlyMap<string, number>;
  /** Held names beyond the share, or not among `names` any more: to be released. */
  surplus: readonly string[];
}

/** A held lease. */
export interface LeaseToken {
  name: string;
  token: number;
}
