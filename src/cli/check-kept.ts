/** What `check` keeps of all its sources until they can be joined: enough to lay sessions over Schedules, and no more. */

import { LIMITS } from '../limits.ts';
import { identOf } from '../opportunity/identity.ts';
import { bestClaims, type Claim, type Joined, join } from '../opportunity/join.ts';
import type { RpdeItem } from '../opportunity/page.ts';
import { Publishers } from '../opportunity/publishers.ts';
import type { RankedRecord } from '../opportunity/reading.ts';
import type { OpportunityRecord, Place, Series, Session } from '../opportunity/records.ts';
import { NO_STRAYS, type Strays, straysOf } from './check-publishers.ts';

export class Kept {
  readonly #claims = new Map<string, Claim[]>();
  /** Series by identity: whether sessions are to be compared with what it generates. */
  readonly #generates = new Map<string, boolean>();
  /** Feeds of several publishers are to be expected. */
  several = false;
  /** Whose each feed is, in the order in which they were given. */
  readonly #publishers = new Map<string, string>();
  #count = 0;
  /** Records that were not kept, because there are too many. */
  dropped = 0;

  /** A feed, or file, and the key of its publisher. */
  know(feed: string, publisher: string): void {
    if (!this.#publishers.has(feed)) this.#publishers.set(feed, publisher);
  }

  /** An item takes the place of its older copy. */
  put(feed: string, { kind, id, modified }: RpdeItem, records: readonly RankedRecord[]): void {
    this.keep(
      records.map(({ record, rank }) => ({ record, rank, publisher: 0, modified, feed, kind, rpdeId: id })),
      keyOf(feed, kind, id),
    );
  }

  remove(feed: string, { kind, id }: RpdeItem): void {
    const key = keyOf(feed, kind, id);
    this.#count -= this.#claims.get(key)?.length ?? 0;
    this.#claims.delete(key);
  }

  /** Claims of one item. */
  keep(claims: readonly Claim[], key: string): void {
    const kept = claims.flatMap((claim) => {
      const record = this.#slim(claim.record);
      return record === undefined ? [] : [{ ...claim, record }];
    });
    if (kept.length === 0) return;
    if (this.#count >= LIMITS.checkRecords) {
      this.dropped += kept.length;
      return;
    }
    this.#count += kept.length - (this.#claims.get(key)?.length ?? 0);
    this.#claims.set(key, kept);
  }

  /** The claims are given up: what follows may take the memory. `strays`: what belongs to no one publisher. */
  joined(): { joined: Joined; feedOf(record: Pick<OpportunityRecord, 'kind' | 'id'>): string; strays: Strays } {
    const claims = [...this.#claims.values()].flat();
    this.#claims.clear();
    const feeds = new Map(claims.map(({ record, feed }) => [`${record.kind} ${identOf(record.id)}`, feed]));
    const strays = this.#between(claims);
    return {
      joined: join(claims.filter(({ record }) => record.kind !== 'place')),
      feedOf: ({ kind, id }) => feeds.get(`${kind} ${identOf(id)}`) ?? '',
      strays,
    };
  }

  /** Tells whose each claim is. Where all are of one publisher, there is nothing to find. */
  #between(claims: readonly Claim[]): Strays {
    const keys = [...new Set(this.#publishers.values())];
    if (keys.length < 2) return NO_STRAYS;
    const feeds = [...this.#publishers].map(([url, key], at) => ({
      id: at + 1,
      url,
      publisherId: keys.indexOf(key) + 1,
    }));
    const publishers = new Publishers(feeds);
    for (const claim of claims) claim.publisher = publishers.order(claim.feed, claim.record.id);
    return straysOf(claims, bestClaims(claims), publishers);
  }

  /** Texts are most of a record, and only sessions beside a Schedule are compared by them. */
  #slim(record: OpportunityRecord): OpportunityRecord | undefined {
    // Only whose it is counts.
    if (record.kind === 'place') return this.several ? bare(record) : undefined;
    if (record.kind === 'series') return this.#slimSeries(record);
    if (record.kind === 'session') return this.#slimSession(record);
    return record.kind === 'facility' ? { ...record, details: {}, hours: [] } : record;
  }

  #slimSeries(series: Series): Series {
    const generates = series.schedules.some(({ expandable }) => expandable);
    const ident = identOf(series.id);
    this.#generates.set(ident, generates || this.#generates.get(ident) === true);
    return generates || series.type === 'EventSeries' ? series : { ...series, details: {}, schedules: [] };
  }

  /** A session whose series is still to come may be one of a Schedule; so may one that names none. */
  #slimSession(session: Session): Session {
    const generates = session.series === undefined ? undefined : this.#generates.get(identOf(session.series));
    return generates === false ? { ...session, details: {} } : session;
  }
}

const bare = ({ kind, id }: Place): Place => ({ kind, id, hours: [], specialHours: [] });

export function keyOf(feed: string, kind: string, id: string): string {
  return `${feed}\n${kind}\n${id}`;
}
