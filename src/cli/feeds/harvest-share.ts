/**
 * The share of this process, where several harvest one store: the feeds of origins whose leases it has, and the duties
 * whose leases it has.
 */

import type { Logger } from 'pino';
import { EndedLeaseError, OvertakenError, StalledError } from '../../errors.ts';
import type { Feed, FeedList } from '../../harvest/index.ts';
import { LIMITS } from '../../limits.ts';
import type { Leases, LeaseToken, Writer } from '../../store/index.ts';
import type { Io } from '../io.ts';
import { every } from '../serve/every.ts';
import type { SharedFeedList } from './feed-list.ts';

/** A task that one harvester does for all; each has a lease. */
export type Duty = 'dataset sites' | 'republished feeds';

const SHARED = 'This process harvests its share of the origins.';
const IDLE = 'Other processes harvest all origins: this one takes over what they give back or lose.';

const STUCK = `A transaction has been under way for ${LIMITS.writeMs / 60_000} minutes: other processes take over what this one harvests.`;

export class HarvestShare {
  readonly #leases: Leases;
  readonly #duties: readonly Duty[];
  readonly #feeds: () => readonly Feed[];
  readonly #writesFor: () => number;
  #tokens: ReadonlyMap<string, number> = new Map();
  /** Names of held leases to be released, whose feeds it stops reading. */
  #leaving: ReadonlySet<string> = new Set();
  readonly #reading = new Set<Feed>();
  #renewed = Number.NEGATIVE_INFINITY;
  #isActive = false;
  /** The share that was last logged. */
  #logged = '';

  /**
   * `feeds`, `duties`: those of all harvesters; `writesFor`: milliseconds for which a transaction of this process has been
   * under way.
   */
  constructor(
    leases: Leases,
    feeds: () => readonly Feed[],
    duties: readonly Duty[],
    writesFor: () => number = () => 0,
  ) {
    this.#leases = leases;
    this.#feeds = feeds;
    this.#duties = duties;
    this.#writesFor = writesFor;
  }

  /** Renews and takes leases; logs the number of held origins when it changes. @throws StoreError, StalledError */
  async renew(now: number, log: Logger): Promise<void> {
    this.#isActive = true;
    const origins = [...new Set(this.#feeds().map(({ source }) => originOf(source.url)))];
    try {
      // Without renewal another process takes over from this one, which hangs.
      if (this.#writesFor() > LIMITS.writeMs) throw new StalledError(STUCK);
      const { tokens, surplus } = await this.#leases.renew([...this.#duties, ...origins], LIMITS.leaseMs);
      this.#tokens = tokens;
      this.#leaving = new Set(surplus);
      this.#renewed = now;
      const own = origins.filter((origin) => tokens.has(origin) && !this.#leaving.has(origin)).length;
      this.#log(own, origins.length, log);
      await this.#giveBack();
    } catch (error) {
      // The leases have ended: another process may have them.
      if (now - this.#renewed > LIMITS.leaseMs) this.#leaving = new Set(this.#tokens.keys());
      throw error;
    }
  }

  /** Renews leases until stopped. */
  keep(log: Logger, io: Io): Promise<void> {
    return every({ task: 'to renew leases', ms: LIMITS.leaseRenewMs, turn: () => this.renew(io.now(), log) }, log, io);
  }

  /** Logs the share. Without any origin a process is well too: others may not have released any yet. */
  #log(own: number, origins: number, log: Logger): void {
    const share = `${own} of ${origins}`;
    if (share === this.#logged) return;
    this.#logged = share;
    log.info({ own, origins }, own === 0 && origins > 0 ? IDLE : SHARED);
  }

  /** The number of processes that harvest; this one counts once it renews leases. @throws StoreError */
  harvesters(): Promise<number> {
    return this.#leases.harvesters();
  }

  reads({ source }: Feed): boolean {
    const origin = originOf(source.url);
    return this.#tokens.has(origin) && !this.#leaving.has(origin);
  }

  /** Whether this process may read the feed; if so, the caller calls `endReading` after the last page. */
  beginReading(feed: Feed): boolean {
    if (!this.reads(feed)) return false;
    this.#reading.add(feed);
    return true;
  }

  /** Ends the reading of feeds. Never rejects: a lease that cannot be released now is released later, or ends by itself. */
  async endReading(feeds: readonly Feed[]): Promise<void> {
    for (const feed of feeds) this.#reading.delete(feed);
    await this.#giveBack().catch(() => {});
  }

  /** Releases leases: those of duties at once, those of origins when the visits have ended. @throws StoreError */
  async #giveBack(): Promise<void> {
    const inUse = new Set([...this.#reading].map(({ source }) => originOf(source.url)));
    const unused = [...this.#leaving].filter((name) => this.#tokens.has(name) && !inUse.has(name));
    if (unused.length > 0) await this.#leases.release(unused);
  }

  /** The lease of a duty; undefined: another process has it. */
  duty(name: Duty): LeaseToken | undefined {
    const token = this.#leaving.has(name) ? undefined : this.#tokens.get(name);
    return token === undefined ? undefined : { name, token };
  }

  /** Checks the lease of a feed in a transaction. @throws EndedLeaseError where another process has it */
  async check(tx: Writer, feedUrl: string): Promise<void> {
    // A process that makes one pass, or one action for a person, has no leases.
    if (!this.#isActive) return;
    const origin = originOf(feedUrl);
    const token = this.#tokens.get(origin);
    if (token !== undefined && (await this.#leases.isCurrent(tx, { name: origin, token }))) return;
    // The next renewal drops the lease.
    this.#leaving = new Set([...this.#leaving, origin]);
    throw new EndedLeaseError(feedUrl);
  }

  /** @throws OvertakenError where another process has the duty by now */
  async #checkDuty(tx: Writer, name: Duty): Promise<void> {
    const lease = this.duty(name);
    if (lease === undefined || !(await this.#leases.isCurrent(tx, lease))) throw new OvertakenError(name);
  }

  /** The list of feeds that this process reads, which is read again after each renewal. */
  feedList(all: SharedFeedList): FeedList {
    return {
      feeds: () => all.feeds().filter((feed) => this.beginReading(feed)),
      wait: () =>
        this.#readsSites() ? Math.min(all.wait() ?? LIMITS.leaseRenewMs, LIMITS.leaseRenewMs) : LIMITS.leaseRenewMs,
      discover: async () => {
        if (!this.#readsSites()) await all.follow();
        else if ((all.wait() ?? 1) <= 0) await all.discover((tx) => this.#checkDuty(tx, 'dataset sites'));
      },
      retire: async (feeds) => {
        const ended = this.endReading(feeds);
        // Feeds that another process has found since are not retired.
        await Promise.all([ended, all.retire(feeds, !this.#readsSites())]);
      },
    };
  }

  /** Whether this process reads dataset sites, once a day for all harvesters. */
  #readsSites(): boolean {
    return this.duty('dataset sites') !== undefined;
  }

  /** Releases all leases. */
  async end(): Promise<void> {
    if (this.#isActive) await this.#leases.release().catch(() => {});
    await this.#leases.close();
  }
}

/** The name of a feed's lease: feeds of one server have one, so that one process requests them. */
function originOf(url: string): string {
  return /^https?:/i.test(url) ? new URL(url).origin : 'files';
}
