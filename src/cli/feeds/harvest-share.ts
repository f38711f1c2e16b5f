/**
 * What this process does, where several harvest one store. It reads the feeds of origins whose leases it has, and has the
 * duties whose leases it has.
 */

import type { Logger } from 'pino';
import { EndedLeaseError, OvertakenError, StalledError } from '../../errors.ts';
import type { Feed, FeedList } from '../../harvest/index.ts';
import { LIMITS } from '../../limits.ts';
import type { Leases, LeaseToken, Writer } from '../../store/index.ts';
import type { Io } from '../io.ts';
import { every } from '../serve/every.ts';
import type { SharedFeedList } from './feed-list.ts';

/** What one harvester does for all, whichever feeds it reads; each is a lease of its own. */
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
  /** Names whose leases it has and gives back: it stops reading them. */
  #leaving: ReadonlySet<string> = new Set();
  readonly #reading = new Set<Feed>();
  #renewed = Number.NEGATIVE_INFINITY;
  #isActive = false;
  /** What the log has of it. */
  #logged = '';

  /**
   * `feeds`: all that are to be read by somebody; `duties`: all that somebody has; `writesFor`: milliseconds for which a
   * transaction of this process has been under way.
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

  /** Renews and takes leases; the log has how many of all origins it holds, when that changes. @throws StoreError, StalledError */
  async renew(now: number, log: Logger): Promise<void> {
    this.#isActive = true;
    const origins = [...new Set(this.#feeds().map(({ source }) => originOf(source.url)))];
    try {
      // Another process can take in what this one cannot.
      if (this.#writesFor() > LIMITS.writeMs) throw new StalledError(STUCK);
      const { tokens, surplus } = await this.#leases.renew([...this.#duties, ...origins], LIMITS.leaseMs);
      this.#tokens = tokens;
      this.#leaving = new Set(surplus);
      this.#renewed = now;
      const own = origins.filter((origin) => tokens.has(origin) && !this.#leaving.has(origin)).length;
      this.#log(own, origins.length, log);
      await this.#giveBack();
    } catch (error) {
      // By now another process may have them all.
      if (now - this.#renewed > LIMITS.leaseMs) this.#leaving = new Set(this.#tokens.keys());
      throw error;
    }
  }

  /** Until stopped. */
  keep(log: Logger, io: Io): Promise<void> {
    return every({ task: 'to renew leases', ms: LIMITS.leaseRenewMs, turn: () => this.renew(io.now(), log) }, log, io);
  }

  /** One that holds none is well: there are more processes than origins, or the others have not given any back yet. */
  #log(own: number, origins: number, log: Logger): void {
    const share = `${own} of ${origins}`;
    if (share === this.#logged) return;
    this.#logged = share;
    log.info({ own, origins }, own === 0 && origins > 0 ? IDLE : SHARED);
  }

  /** How many processes harvest; this one is none of them as long as it renews nothing. @throws StoreError */
  harvesters(): Promise<number> {
    return this.#leases.harvesters();
  }

  reads({ source }: Feed): boolean {
    const origin = originOf(source.url);
    return this.#tokens.has(origin) && !this.#leaving.has(origin);
  }

  /** Whether this process reads the feed, for a caller that begins to, and calls `endReading` once nothing more is read of it. */
  beginReading(feed: Feed): boolean {
    if (!this.reads(feed)) return false;
    this.#reading.add(feed);
    return true;
  }

  /** Never rejects: a lease that cannot be given back now is so after the next renewal, or ends by itself. */
  async endReading(feeds: readonly Feed[]): Promise<void> {
    for (const feed of feeds) this.#reading.delete(feed);
    await this.#giveBack().catch(() => {});
  }

  /** A duty ends with the transaction that its token let through; of an origin first the visits end. @throws StoreError */
  async #giveBack(): Promise<void> {
    const inUse = new Set([...this.#reading].map(({ source }) => originOf(source.url)));
    const given = [...this.#leaving].filter((name) => this.#tokens.has(name) && !inUse.has(name));
    if (given.length > 0) await this.#leases.release(given);
  }

  /** The lease of a duty; undefined: another process has it. */
  duty(name: Duty): LeaseToken | undefined {
    const token = this.#leaving.has(name) ? undefined : this.#tokens.get(name);
    return token === undefined ? undefined : { name, token };
  }

  /** What comes of a feed is refused where another process has its lease. @throws EndedLeaseError */
  async check(tx: Writer, feedUrl: string): Promise<void> {
    // Who only makes a pass, or does what a person asked for, has none.
    if (!this.#isActive) return;
    const origin = originOf(feedUrl);
    const token = this.#tokens.get(origin);
    if (token !== undefined && (await this.#leases.isCurrent(tx, { name: origin, token }))) return;
    // Until the next renewal says so too.
    this.#leaving = new Set([...this.#leaving, origin]);
    throw new EndedLeaseError(feedUrl);
  }

  /** @throws OvertakenError where another process has the duty by now */
  async #checkDuty(tx: Writer, name: Duty): Promise<void> {
    const lease = this.duty(name);
    if (lease === undefined || !(await this.#leases.isCurrent(tx, lease))) throw new OvertakenError(name);
  }

  /** A feedList of the feeds that are this process's. It is asked again after each renewal. */
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
        const given = this.endReading(feeds);
        // Of those that other processes have found since none is retired.
        await Promise.all([given, all.retire(feeds, !this.#readsSites())]);
      },
    };
  }

  /** Dataset sites are asked once a day, by one process. */
  #readsSites(): boolean {
    return this.duty('dataset sites') !== undefined;
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
