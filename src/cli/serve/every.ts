import type { Logger } from 'pino';
import { messageOf } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { sleep, unlessStopped } from '../../process/stopping.ts';
import { META, type Reader, type ReadStore, type Store } from '../../store/index.ts';
import type { Io } from '../io.ts';

/** What is done now and again, and after how many milliseconds again. `task`: its name in the log. */
interface Regular {
  task: string;
  ms: number;
  turn(): Promise<unknown>;
}

/** Does something now and again until stopped; a failure is logged once until it changes, and the next turn comes all the same. */
export async function every({ task, ms, turn }: Regular, log: Logger, io: Io): Promise<void> {
  let message: string | undefined;
  while (!io.signal.aborted) {
    try {
      await turn();
      if (message !== undefined) log.info({ task }, 'A regular task goes on again.');
      message = undefined;
    } catch (error) {
      if (io.signal.aborted) return;
      const words = messageOf(error);
      if (words !== message) log.error({ task, error: words }, 'A regular task failed.');
      message = words;
    }
    await sleep(ms, io.signal).catch(() => {});
  }
}

/** Reads all of a store for damage, and is not waited for where somebody wants the process to end. @throws StoreError, StoppedError */
export function checkWhole(store: ReadStore, { signal, underWay }: Io): Promise<void> {
  return unlessStopped(underWay.during('a check of the whole database', store.check(signal)), signal);
}

/** Checks a database that several processes have, where a check is due: whoever comes first does it for all. @throws as above */
export async function checkInTurn(store: Store, io: Io): Promise<void> {
  const now = io.now();
  if (!(await isDue(store.read, now))) return;
  const isOurs = await store.write(async (tx) => {
    const isStill = await isDue(tx, now);
    if (isStill) await tx.setMeta(META.checked, String(now));
    return isStill;
  });
  if (isOurs) await checkWhole(store, io);
}

/** A time that is still to come is that of a clock which was set back since. */
async function isDue(read: Reader, now: number): Promise<boolean> {
  const last = await read.meta(META.checked);
  const passed = last === undefined ? LIMITS.checkMs : now - Number(last);
  return passed >= LIMITS.checkMs || passed < -LIMITS.clockSkewMs;
}
