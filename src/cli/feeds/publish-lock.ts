/** One `publish` at a time for each `--data`. */

import type { Settings } from '../../config.ts';
import { StoreError } from '../../errors.ts';
import { sleep } from '../../process/stopping.ts';
import { lockPublish } from '../../store/index.ts';
import type { Io } from '../io.ts';

/** Milliseconds that a run waits for another one, as long as a large run takes. */
const WAIT_MS = 30_000;
const STEP_MS = 200;

/** Locks a folder for one run of `publish`. @throws StoreError where another run goes on for `WAIT_MS` */
export async function publishLock({ data }: Settings, io: Io): Promise<{ release(): void }> {
  for (let waited = 0; ; waited += STEP_MS) {
    const lock = lockPublish(data);
    if (lock !== undefined) return lock;
    if (waited === 0) io.stderr(`openactive-ical: another publish uses ${data}; waiting for it\n`);
    if (waited >= WAIT_MS)
      throw new StoreError(`Another publish uses ${data}. End that one, or name another --data folder.`);
    await sleep(STEP_MS, io.signal);
  }
}
