import { sha256 } from '../platform/hash.ts';

/**
 * A hash of all that the events of one UID show: master and overrides, their stamps not among it. It moves exactly when
 * the served text of them does (semantics 6). The planner makes its objects the same way each time, so the order of
 * their properties needs no care.
 */
export function eventHash(events: readonly object[]): string {
  return sha256(JSON.stringify(events), 'base64url').slice(0, 27);
}
