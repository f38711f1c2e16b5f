/** Waits in a process that only serves, until there is a store that it can read. */

import type { Logger } from 'pino';
import type { Settings } from '../../config.ts';
import { ListenError } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { sleep } from '../../process/stopping.ts';
import { databaseAt } from '../../store/index.ts';
import type { Io } from '../io.ts';

/** Resolves when the store can be read; until then `/readyz` and the log have the reason. @throws StoppedError, StoreError */
export async function untilReadable(settings: Settings, log: Logger, io: Io): Promise<void> {
  let reason = await unready(settings);
  if (reason === undefined) return;
  const { host, port } = settings;
  const { startWaiting } = await import('../../server/index.ts');
  const server = await listening(startWaiting({ host, port, reason: () => reason ?? '' }), host, port);
  try {
    for (let logged = ''; reason !== undefined; reason = await unready(settings)) {
      if (reason !== logged)
        log.warn(
          { reason, store: databaseAt(settings).name },
          'Waits for a store that can be read; nothing is served yet.',
        );
      logged = reason;
      await sleep(LIMITS.followMs, io.signal);
    }
  } finally {
    await server.close();
  }
}

async function unready(settings: Settings): Promise<string | undefined> {
  const reason = await databaseAt(settings).unready();
  if (reason !== undefined || !settings.republish) return reason;
  return (await databaseAt(settings).hasRepublished()) ? undefined : NOT_REPUBLISHED;
}

const NOT_REPUBLISHED = 'nothing is published anew yet: "serve --role harvest --republish" does it';

/** @throws ListenError with the port in words */
export function listening<T>(starting: Promise<T>, host: string, port: number, setting?: string): Promise<T> {
  return starting.catch((error: unknown) => {
    const isOfSystem = typeof (error as NodeJS.ErrnoException).code === 'string';
    throw isOfSystem ? new ListenError(host, port, error, setting) : error;
  });
}
