/** One process of a store harvests unasked: two would ask publishers twice for the same. */

import { hostname } from 'node:os';
import { LIMITS } from '../../limits.ts';
import { sleep } from '../../process/stopping.ts';
import { databaseAt, type HarvestLock, META, type Store, type StorePlace } from '../../store/index.ts';

/** Who harvests a store. */
export interface Harvesting {
  pid: number;
  host: string;
  /** Since when, as text. */
  since: string;
}

/** Whether this process is the one that harvests. */
export interface HarvestTurn {
  isOurs(): boolean;
  /** Who harvests; undefined: it has not written its name yet. */
  other(): Promise<Harvesting | undefined>;
  /** Resolves when it is this process's turn: the other has ended, however. @throws StoppedError */
  wait(signal: AbortSignal): Promise<void>;
  end(): void;
}

/** Takes the turn where nobody has it. @throws StoreError */
export async function harvestTurn(place: StorePlace, store: Store, now: () => number): Promise<HarvestTurn> {
  let lock: HarvestLock | undefined;
  const take = async () => {
    lock = databaseAt(place).lockHarvest();
    if (lock === undefined) return;
    const own: Harvesting = { pid: process.pid, host: hostname(), since: new Date(now()).toISOString() };
    try {
      await store.write((tx) => tx.setMeta(META.harvester, JSON.stringify(own)));
    } catch (error) {
      lock.release();
      throw error;
    }
  };
  await take();
  return {
    isOurs: () => lock !== undefined,
    other: async () => {
      const text = await store.read.meta(META.harvester);
      return text === undefined ? undefined : (JSON.parse(text) as Harvesting);
    },
    wait: async (signal) => {
      while (lock === undefined) {
        await sleep(LIMITS.takeOverMs, signal);
        await take();
      }
    },
    end: () => lock?.release(),
  };
}
