/** Sends changes of feeds to `notifyUrl`, beside the visits: no visit waits for a message. */

import { messageOf } from '../../errors.ts';
import { resendWait, type Sender } from '../../fetch/index.ts';
import { LIMITS } from '../../limits.ts';
import { type Store, stateOf } from '../../store/index.ts';
import type { FeedStatus } from '../visit/visit.ts';
import { messageWith, type Notice, noticeOf } from './notice.ts';

export interface NotifierOptions {
  /** The address of the receiver. */
  url: string;
  /** The base address of this service. */
  service: string | undefined;
  store: Pick<Store, 'read' | 'write'>;
  client: Sender;
  now(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  random(): number;
  signal: AbortSignal;
  /** Called after each try. `failure`: the error in words, and the milliseconds until the next try. */
  onTry(counts: Readonly<NoticeCounts>, failure?: { error: string; wait: number; feeds: number }): void;
}

/** Counts of delivered messages, and of failed tries. */
export interface NoticeCounts {
  delivered: number;
  failed: number;
}

interface Waiting {
  status: FeedStatus;
  at: number;
}

/**
 * Keeps the newest status of each feed until it is sent, and no other: the number of feeds bounds the queue. The store has
 * the last event that was sent, so that a restart repeats none. Trouble that ended while the receiver was away is not sent.
 */
export class Notifier {
  readonly #options: NotifierOptions;
  readonly #waiting = new Map<string, Waiting>();
  readonly #counts: NoticeCounts = { delivered: 0, failed: 0 };
  #woken = Promise.withResolvers<void>();

  constructor(options: NotifierOptions) {
    this.#options = options;
    options.signal.addEventListener('abort', () => this.#woken.resolve(), { once: true });
  }

  visitEnded(feedUrl: string, status: FeedStatus): void {
    if (status.isOurs) return;
    this.#waiting.set(feedUrl, { status, at: this.#options.now() });
    this.#woken.resolve();
  }

  /** Sends notices until the signal aborts. Never rejects: a failure is counted, and the message is sent again. */
  async run(): Promise<void> {
    const { signal, sleep } = this.#options;
    let failures = 0;
    while (!signal.aborted) {
      await this.#woken.promise;
      this.#woken = Promise.withResolvers();
      let wait: number = LIMITS.notifyPauseMs;
      try {
        if (!(await this.#sendBatch())) continue;
        failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        failures += 1;
        wait = this.#countFailure(error, failures);
      }
      await sleep(wait, signal).catch(() => {});
      this.#woken.resolve();
    }
  }

  /** Whether there was anything to send. @throws FetchError of the webhook, or StoreError */
  async #sendBatch(): Promise<boolean> {
    const { url, service, client, store, signal } = this.#options;
    const batch = await this.#batch();
    if (batch.size === 0) return false;
    const notices = [...batch.values()].map(({ notice }) => notice);
    await client.post(url, messageWith(notices, service), signal);
    await store.write(async (tx) => {
      for (const [feedUrl, { notice }] of batch) {
        const feed = await tx.feedState(feedUrl);
        const notified = notice.event === 'back' ? undefined : notice.event;
        if (feed !== undefined) await tx.saveFeedState(feed.id, { ...stateOf(feed), notified });
      }
    });
    for (const [feedUrl, { waiting }] of batch) this.#drop(feedUrl, waiting);
    this.#counts.delivered += 1;
    this.#options.onTry({ ...this.#counts });
    return true;
  }

  /** The next notices, as many as one message has; a status without an event is dropped. */
  async #batch(): Promise<Map<string, { waiting: Waiting; notice: Notice }>> {
    const batch = new Map<string, { waiting: Waiting; notice: Notice }>();
    for (const [url, waiting] of this.#waiting) {
      const feed = await this.#options.store.read.feedState(url);
      const notice = feed && noticeOf(feed, waiting.status, waiting.at);
      if (notice === undefined) this.#drop(url, waiting);
      else batch.set(url, { waiting, notice });
      if (batch.size === LIMITS.notifyFeeds) break;
    }
    return batch;
  }

  /** Drops the status of a feed, unless a newer one has replaced it. */
  #drop(url: string, waiting: Waiting): void {
    if (this.#waiting.get(url) === waiting) this.#waiting.delete(url);
  }

  /** Counts and reports a failed try. Returns the milliseconds until the next one. */
  #countFailure(error: unknown, failures: number): number {
    const { url, random, onTry } = this.#options;
    this.#counts.failed += 1;
    const wait = resendWait(error, failures, random());
    onTry({ ...this.#counts }, { error: withoutPath(messageOf(error), url), wait, feeds: this.#waiting.size });
    return wait;
  }
}

/** Cuts the address of the webhook in a message to its origin: its path is a key. */
function withoutPath(message: string, url: string): string {
  const { origin } = new URL(url);
  return message.replaceAll(/https?:\/\/[^\s"'<>()]+?(?=:?(?:[\s"'<>()]|$))/gi, (address) =>
    address.startsWith(origin) ? origin : address,
  );
}
