/** Actions on feeds for the admin address, by the functions behind `feeds --retry` and the others. */

import type { Logger } from 'pino';
import { beginForgetting, confirmDeletes, pauseFeed, resumeFeed, visitSoon } from '../../harvest/index.ts';
import { sleep } from '../../process/stopping.ts';
import type { Io } from '../io.ts';
import type { Service } from '../serve/service.ts';

/** Milliseconds that an answer waits for a feed to be forgotten; a large feed takes longer. */
const PATIENCE_MS = 3000;
const STEP_MS = 100;

/** Makes the actions. Each is one small transaction; the process that harvests does the rest. */
export function feedActions({ store }: Pick<Service, 'store'>, log: Logger, io: Pick<Io, 'now'>) {
  const done = async (action: string, feed: number, work: Promise<unknown>) => {
    await work;
    log.info({ feed, action }, 'An operator asked for it on the admin address.');
  };
  const isThere = async (id: number) => (await store.read.feeds()).some((feed) => feed.id === id);
  return {
    retry: (id: number) => done('retry', id, visitSoon(store, String(id), io.now())),
    confirm: (id: number) => done('confirm', id, confirmDeletes(store, String(id), io.now())),
    pause: (id: number) => done('pause', id, pauseFeed(store, String(id), io.now())),
    resume: (id: number) => done('resume', id, resumeFeed(store, String(id))),
    forget: async (id: number) => {
      await done('forget', id, beginForgetting(store, String(id)));
      for (let waited = 0; waited < PATIENCE_MS && (await isThere(id)); waited += STEP_MS) await sleep(STEP_MS);
    },
  };
}
