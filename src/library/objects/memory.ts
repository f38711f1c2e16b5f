import type { SyncHistories, SyncHistory } from '../../store/index.ts';

/** Most collections whose history a process without a folder keeps. */
const MOST = 1_000;
/** Most characters of all histories; that of a calendar of a thousand objects has some 80,000. */
const MOST_CHARACTERS = 20_000_000;

/** Histories of collections, for as long as the process lives. */
export class MemoryHistories implements SyncHistories {
  readonly #kept = new Map<string, SyncHistory>();
  #characters = 0;

  async open(): Promise<void> {}

  async state(key: string): Promise<string | undefined> {
    return this.#kept.get(key)?.state;
  }

  async history(key: string): Promise<SyncHistory | undefined> {
    return this.#kept.get(key);
  }

  async update(key: string, _: number, change: (before: SyncHistory | undefined) => SyncHistory): Promise<void> {
    const next = change(this.#kept.get(key));
    // The history that changed last stands last, and is dropped last.
    this.#drop(key);
    this.#kept.set(key, next);
    this.#characters += next.content.length;
    for (const first of this.#kept.keys()) {
      if (this.#kept.size <= MOST && this.#characters <= MOST_CHARACTERS) return;
      this.#drop(first);
    }
  }

  async close(): Promise<void> {
    this.#kept.clear();
    this.#characters = 0;
  }

  #drop(key: string): void {
    this.#characters -= this.#kept.get(key)?.content.length ?? 0;
    this.#kept.delete(key);
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
