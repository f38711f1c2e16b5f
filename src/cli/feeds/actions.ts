/** What operators do with feeds on the admin address: the functions behind `feeds --retry` and the others. */

import type { Logger } from 'pino';
import type { Settings } from '../../config.ts';
import { messageOf } from '../../errors.ts';
import { confirmDeletes, forgetFeed, pauseFeed, resumeFeed, sleep, visitSoon } from '../../harvest/index.ts';
import type { Io } from '../io.ts';
import { ingestOptions, type Service } from '../serve/service.ts';
import type { Feeds } from './configured.ts';

/** How long an answer waits for a feed to be forgotten; a large one goes on after it. */
const PATIENCE_MS = 3000;

export function feedActions({ store }: Service, settings: Settings, feeds: Feeds, log: Logger, io: Io) {
  const done = async (action: string, feed: number, work: Promise<unknown>) => {
    await work;
    log.info({ feed, action }, 'An operator asked for it on the admin address.');
  };
  return {
    retry: (id: number) => done('retry', id, visitSoon(store, String(id), io.now())),
    confirm: (id: number) => done('confirm', id, confirmDeletes(store, String(id), io.now())),
    pause: (id: number) => done('pause', id, pauseFeed(store, String(id), io.now())),
    resume: (id: number) => done('resume', id, resumeFeed(store, String(id))),
    forget: async (id: number) => {
      const forgotten = done('forget', id, forgetFeed(store, String(id), ingestOptions(settings, feeds, io)));
      forgotten.catch((error: unknown) =>
        log.error(
          { feed: id, error: messageOf(error) },
          'A feed could not be forgotten altogether: the next start goes on.',
        ),
      );
      await Promise.race([forgotten, sleep(PATIENCE_MS)]);
    },
  };
}
