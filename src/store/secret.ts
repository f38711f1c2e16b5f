import { randomBytes } from 'node:crypto';
import { META, type Store } from './contract.ts';

/** The store's own key, made once. Every process of the store has the same one, and nobody else. */
export async function secretOf(store: Store): Promise<string> {
  return (
    (await store.read.meta(META.secret)) ??
    store.write(async (tx) => {
      const made = (await tx.meta(META.secret)) ?? randomBytes(32).toString('base64url');
      await tx.setMeta(META.secret, made);
      return made;
    })
  );
}
