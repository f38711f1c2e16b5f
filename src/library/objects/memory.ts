import type { SyncHistories, SyncHistory } from '../../store/index.ts';

/** Collections of which a process without a folder knows what they held. */
const MOST = 1_000;

/** What collections held, for as long as the process lives. */
export class MemoryHistories implements SyncHistories {
  readonly #kept = new Map<string, SyncHistory>();

  async open(): Promise<void> {}

  async state(key: string): Promise<string | undefined> {
    return this.#kept.get(key)?.state;
  }

  async history(key: string): Promise<SyncHistory | undefined> {
    return this.#kept.get(key);
  }

  async update(key: string, _: number, change: (before: SyncHistory | undefined) => SyncHistory): Promise<void> {
    const next = change(this.#kept.get(key));
    // The one that changed last stands last.
    this.#kept.delete(key);
    this.#kept.set(key, next);
    const [first] = this.#kept.keys();
    if (this.#kept.size > MOST && first !== undefined) this.#kept.delete(first);
  }

  async close(): Promise<void> {
    this.#kept.clear();
  }
}

export function inMemory(): { histories: SyncHistories; onFault(error: unknown): void } {
  return {
    histories: new MemoryHistories(),
    onFault(error) {
      throw error;
    },
  };
}
