import type { Store } from '../../../src/store/index.ts';

/** Lets the store die at the call after so many of its transactions' own, as a process that is killed there. */
export function dyingAfter(store: Store, most: number): void {
  const real = store.write.bind(store);
  let calls = 0;
  store.write = (work) =>
    real((tx) =>
      work(
        new Proxy(tx, {
          get(target, name) {
            const member = Reflect.get(target, name) as unknown;
            if (typeof member !== 'function') return member;
            return (...values: unknown[]) => {
              calls += 1;
              if (calls > most) throw new Error('killed');
              return (member as (...values: unknown[]) => unknown).apply(target, values);
            };
          },
        }),
      ),
    );
}
