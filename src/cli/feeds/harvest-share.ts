/** The feeds that this process reads, where several harvest one store: those of the origins of which it has the lease. */

import type { Logger } from 'pino';
import { OvertakenError } from '../../errors.ts';
import type { Feed, Roster } from '../../harvest/index.ts';
import { LIMITS } from '../../limits.ts';
import type { Leases, Writer } from '../../store/index.ts';
import type { Io } from '../io.ts';
import { every } from '../serve/every.ts';

const SHARED = 'This process harvests its share of the origins.';
const IDLE = 'Other processes harvest all origins: this one takes over what they give back or lose.';

export class HarvestShare {
  readonly #leases: Leases;
  readonly #feeds: () => readonly Feed[];
  #held: ReadonlyMap<string, number> = new Map();
  /** Of those that it holds, the ones of which it stops reading. */
  #leaving: ReadonlySet<string> = new Set();
  #renewed = Number.NEGATIVE_INFINITY;
  #isActive = false;
  /** What the log has of it. */
  #logged = '';

  /** `feeds`: all that are to be read by somebody. */
  constructor(leases: Leases, feeds: () => readonly Feed[]) {
    this.#leases = leases;
    this.#feeds = feeds;
  }

  /** Renews and takes leases; the log has how many of all origins it holds, when that changes. @throws StoreError */
  async renew(now: number, log: Logger): Promise<void> {
    this.#isActive = true;
    const names = [...new Set(this.#feeds().map(({ source }) => originOf(source.url)))];
    try {
      const { held, surplus } = await this.#leases.renew(names, LIMITS.leaseMs);
      this.#held = held;
      this.#leaving = new Set(surplus);
      this.#renewed = now;
      this.#log(held.size - surplus.length, names.length, log);
    } catch (error) {
      // By now another process may have them all.
      if (now - this.#renewed > LIMITS.leaseMs) this.#leaving = new Set(this.#held.keys());
      throw error;
    }
  }

  /** Until stopped. */
  keep(log: Logger, io: Io): Promise<void> {
    return every(LIMITS.leaseRenewMs, () => this.renew(io.now(), log), log, io);
  }

  /** One that holds none is well: there are more processes than origins, or the others have not given any back yet. */
  #log(own: number, origins: number, log: Logger): void {
    const share = `${own} of ${origins}`;
    if (share === this.#logged) return;
    this.#logged = share;
    log.info({ own, origins }, own === 0 && origins > 0 ? IDLE : SHARED);
  }

  reads({ source }: Feed): boolean {
    const origin = originOf(source.url);
    return this.#held.has(origin) && !this.#leaving.has(origin);
  }

  /** What comes of a feed is refused where another process has its lease. @throws OvertakenError */
  async check(tx: Writer, feedUrl: string): Promise<void> {
    // Who only makes a pass, or does what a person asked for, has none.
    if (!this.#isActive) return;
    const origin = originOf(feedUrl);
    const token = this.#held.get(origin);
    if (token !== undefined && (await this.#leases.isHeld(tx, origin, token))) return;
    // Until the next renewal says so too.
    this.#leaving = new Set([...this.#leaving, origin]);
    throw new OvertakenError(feedUrl);
  }

  /** The same feeds, as far as they are this process's. It is asked again after each renewal. */
  roster(all: Roster): Roster {
    return {
      feeds: () => all.feeds().filter((feed) => this.reads(feed)),
      wait: () => Math.min(all.wait() ?? LIMITS.leaseRenewMs, LIMITS.leaseRenewMs),
      discover: async () => {
        if ((all.wait() ?? 1) <= 0) await all.discover();
      },
      retired: async (feeds) => {
        await all.retired(feeds);
        const given = [...new Set(feeds.map(({ source }) => originOf(source.url)))].filter((name) =>
          this.#leaving.has(name),
        );
        // One that cannot be given back ends by itself.
        if (given.length > 0) await this.#leases.release(given).catch(() => {});
      },
    };
  }

  /** Gives everything back. */
  async end(): Promise<void> {
    if (this.#isActive) await this.#leases.release().catch(() => {});
    await this.#leases.close();
  }
}

/** Feeds of one server stay together: it is asked by one process. */
function originOf(url: string): string {
  return /^https?:/i.test(url) ? new URL(url).origin : 'files';
}
