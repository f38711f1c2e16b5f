import type { Writer } from './contract/store.ts';

/**
 * Which process harvests what, where several may: a lease is of a name, and ends by itself where its holder does not renew it.
 * Each holder of a name has a token of its own, higher than those before. Who comes with an earlier one is refused within the
 * transaction, so that a process which was stopped for a while writes nothing more over what others have read since.
 */
export interface Leases {
  /**
   * Renews what this process holds, and takes of `names` what nobody holds, up to an equal share of all processes that renew.
   * @throws StoreError
   */
  renew(names: readonly string[], ttlMs: number): Promise<Renewed>;
  /** How many processes renew, this one among them if it does. @throws StoreError */
  harvesters(): Promise<number>;
  /** Gives back what it no longer uses; without `names`, everything. */
  release(names?: readonly string[]): Promise<void>;
  /** Whether nobody has taken the name over, and nobody will until this transaction ends. */
  isCurrent(tx: Writer, lease: LeaseToken): Promise<boolean>;
  close(): Promise<void>;
}

export interface Renewed {
  /** The token of each name that it holds. */
  tokens: ReadonlyMap<string, number>;
  /** Names that are more than its share, or of no use any more: to be released. */
  surplus: readonly string[];
}

/** A lease as its holder has it. */
export interface LeaseToken {
  name: string;
  token: number;
}
