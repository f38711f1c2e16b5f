import type { Logger } from 'pino';
import { messageOf } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { sleep, unlessStopped } from '../../process/stopping.ts';
import { META, type Reader, type ReadStore, type Store } from '../../store/index.ts';
import type { Io } from '../io.ts';

/** A regular task: a turn, and the milliseconds until the next one. `task`: its name in the log. */
interface Regular {
  task: string;
  ms: number;
  turn(): Promise<unknown>;
}

/** Runs a regular task until stopped. A failure is logged once until it changes, and the next turn follows. */
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

/** Checks a whole store for damage; the wait ends when the process is to stop. @throws StoreError, StoppedError */
export function checkWhole(store: ReadStore, { signal, underWay }: Io): Promise<void> {
  return unlessStopped(underWay.during('a check of the whole database', store.check(signal)), signal);
}

/** Checks a shared database, if a check is due: the first process does it for all. @throws StoreError, StoppedError */
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

/** Whether a check is due; a stored time in the future comes from a clock that was set back since. */
async function isDue(read: Reader, now: number): Promise<boolean> {
  const last = await read.meta(META.checked);
  const passed = last === undefined ? LIMITS.checkMs : now - Number(last);
  return passed >= LIMITS.checkMs || passed < -LIMITS.clockSkewMs;
}
