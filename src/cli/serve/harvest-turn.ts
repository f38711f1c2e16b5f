/** Lets one process of an embedded store harvest, as two would request every page twice. */

import { hostname } from 'node:os';
import { LIMITS } from '../../limits.ts';
import { sleep } from '../../process/stopping.ts';
import { databaseAt, type HarvestLock, META, type Store, type StorePlace } from '../../store/index.ts';

/** The process that harvests a store. */
export interface Harvesting {
  pid: number;
  host: string;
  /** The time at which it began, in RFC 3339. */
  since: string;
}

/** The turn of harvesting: whether this process has it, and a wait for it. */
export interface HarvestTurn {
  isOurs(): boolean;
  /** The process that harvests; undefined: it has not written its name yet. */
  other(): Promise<Harvesting | undefined>;
  /** Resolves when this process has the turn, because the other one has ended. @throws StoppedError */
  wait(signal: AbortSignal): Promise<void>;
  end(): void;
}

/** Takes the turn, if no other process has it. @throws StoreError */
export async function harvestTurn(place: StorePlace, store: Store, now: () => number): Promise<HarvestTurn> {
  let lock: HarvestLock | undefined;
  const take = async () => {
    lock = databaseAt(place).lockHarvest();
    if (lock === undefined) return;
    const self: Harvesting = { pid: process.pid, host: hostname(), since: new Date(now()).toISOString() };
    try {
      await store.write((tx) => tx.setMeta(META.harvester, JSON.stringify(self)));
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
