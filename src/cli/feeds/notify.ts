/** The webhook of the settings, for the process that harvests. */

import type { Logger } from 'pino';
import type { Settings } from '../../config.ts';
import { createClient } from '../../fetch/index.ts';
import { type NoticeCounts, Notifier } from '../../harvest/index.ts';
import { LIMITS } from '../../limits.ts';
import { sleep } from '../../process/stopping.ts';
import type { Store } from '../../store/index.ts';
import type { Io } from '../io.ts';
import { userAgent } from '../package.ts';

export interface Notifying {
  notifier: Notifier;
  close(): Promise<void>;
}

interface NotifyingOptions {
  settings: Settings;
  store: Store;
  log: Logger;
  io: Io;
  onCounts(counts: Readonly<NoticeCounts>): void;
}

/** undefined: the settings name no webhook. */
export function openNotifier({ settings, store, log, io, onCounts }: NotifyingOptions): Notifying | undefined {
  const { notifyUrl: url, baseUrl: service, allowPrivate, contact } = settings;
  const { now, signal } = io;
  if (url === undefined) return undefined;
  const limits = { totalMs: LIMITS.notifyMs };
  const client = createClient({ userAgent: userAgent(contact), named: [url], allowPrivate, now, limits });
  let last: string | undefined;
  const notifier = new Notifier({
    url,
    service,
    store,
    client,
    now,
    sleep,
    random: Math.random,
    signal,
    onTry: (counts, failure) => {
      onCounts(counts);
      // The same trouble again is not logged: it is counted.
      if (failure !== undefined && failure.error !== last) {
        const { error, wait, feeds } = failure;
        const nextTrySeconds = Math.round(wait / 1000);
        log.warn({ error, feeds, nextTrySeconds }, 'The webhook (notifyUrl) took no message: it is tried again.');
      }
      if (failure === undefined && last !== undefined) log.info('The webhook (notifyUrl) takes messages again.');
      last = failure?.error;
    },
  });
  return { notifier, close: () => client.close() };
}
