/** What `check` keeps of all its sources until they can be joined: enough to lay sessions over Schedules, and no more. */

import { coordinates } from '../../hours/venue.ts';
import { bestClaims, betterClaim, type Claim, join } from '../../join/join.ts';
import { Publishers } from '../../join/publishers.ts';
import { LIMITS } from '../../limits.ts';
import { identOf } from '../../opportunity/identity.ts';
import { OWN, type RankedRecord } from '../../opportunity/item/reading.ts';
import type { RpdeItem } from '../../opportunity/page/page.ts';
import {
  type Details,
  defined,
  type OpportunityRecord,
  type Place,
  type Series,
  type Session,
} from '../../opportunity/records.ts';
import { claimPlaces } from './finding-places.ts';
import { type ForeignClaims, foreignClaims, NO_FOREIGN_CLAIMS } from './publishers.ts';
import { repeatedItems } from './repeated-items.ts';

export class Kept {
  readonly #claims = new Map<string, Claim[]>();
  /** Series by identity: whether sessions are to be compared with what it generates. */
  readonly #generates = new Map<string, boolean>();
  /** Feeds of several publishers are to be expected. */
  several = false;
  /** Whose each feed is, in the order in which they were given. */
  readonly #publishers = new Map<string, string>();
  /** Places as they are embedded, the best claim of each: where they are, for times without a zone. */
  readonly #places = new Map<string, Claim>();
  #count = 0;
  /** Records that were not kept, because there are too many. */
  dropped = 0;

  /** A feed, or file, and the key of its publisher. */
  addFeed(feed: string, publisher: string): void {
    if (!this.#publishers.has(feed)) this.#publishers.set(feed, publisher);
  }

  /** An item takes the place of its older copy. */
  put(feed: string, { kind, id, modified }: RpdeItem, records: readonly RankedRecord[]): void {
    const item = { publisher: 0, modified, feed, kind, rpdeId: id };
    const claims = records.map(({ record, rank }) => ({ record, rank, ...item }));
    this.keep(claims, keptKey(feed, kind, id));
  }

  remove(feed: string, { kind, id }: RpdeItem): void {
    const key = keptKey(feed, kind, id);
    this.#count -= this.#claims.get(key)?.length ?? 0;
    this.#claims.delete(key);
  }

  keep(claims: readonly Claim[], key: string): void {
    const kept = claims.flatMap((claim) => {
      const slim = { ...claim, record: this.#slim(claim.record) };
      if (this.several || slim.record.kind !== 'place' || slim.rank === OWN) return [slim];
      this.#keepPlace(slim);
      return [];
    });
    if (kept.length === 0) return;
    if (this.#count >= LIMITS.checkRecords) {
      this.dropped += kept.length;
      return;
    }
    this.#count += kept.length - (this.#claims.get(key)?.length ?? 0);
    this.#claims.set(key, kept);
  }

  /** Feeds embed one place again and again: it is kept once. */
  #keepPlace(claim: Claim): void {
    const ident = identOf(claim.record.id);
    const known = this.#places.get(ident);
    if (known === undefined) this.#count += 1;
    if (known === undefined || betterClaim(claim, known) < 0) this.#places.set(ident, claim);
  }

  /**
   * The claims are given up: what follows may take the memory. `foreign`: what hangs on records of other publishers; `repeated`: items
   * that others of their feed hide.
   */
  joined() {
    const claims = [...this.#claims.values(), ...this.#places.values()].flat();
    this.#claims.clear();
    this.#places.clear();
    const foreign = this.#between(claims);
    return {
      joined: join(claims),
      placeOf: claimPlaces(claims),
      foreign,
      repeated: repeatedItems(claims),
    };
  }

  /** Tells whose each claim is. Where all are of one publisher, there is nothing to find. */
  #between(claims: readonly Claim[]): ForeignClaims {
    const keys = [...new Set(this.#publishers.values())];
    if (keys.length < 2) return NO_FOREIGN_CLAIMS;
    const feeds = [...this.#publishers].map(([url, key], at) => ({
      id: at + 1,
      url,
      publisherId: keys.indexOf(key) + 1,
    }));
    const publishers = new Publishers(feeds);
    for (const claim of claims) claim.publisher = publishers.order(claim.feed, claim.record.id);
    return foreignClaims(claims, bestClaims(claims), publishers);
  }

  /** Texts are most of a record, and only sessions beside a Schedule are compared by them. */
  #slim(record: OpportunityRecord): OpportunityRecord {
    if (record.kind === 'place') return placed(record);
    if (record.kind === 'series') return this.#slimSeries(record);
    if (record.kind === 'session') return this.#slimSession(record);
    return record.kind === 'facility' ? { ...record, details: where(record.details), hours: [] } : record;
  }

  #slimSeries(series: Series): Series {
    const generates = series.schedules.some(({ expandable }) => expandable);
    const ident = identOf(series.id);
    this.#generates.set(ident, generates || this.#generates.get(ident) === true);
    if (generates || series.type === 'EventSeries') return series;
    const zoned = series.schedules.find(({ zoneStated }) => zoneStated);
    // Whether there are only patterns is judged by the whole.
    const telling = series.schedules.find(({ partial }) => !partial) ?? series.schedules[0];
    const schedules = [...new Set([zoned, telling])].filter((one) => one !== undefined);
    return { ...series, details: where(series.details), schedules };
  }

  /** A session whose series is still to come may be one of a Schedule; so may one that names none. */
  #slimSession(session: Session): Session {
    const generates = session.series === undefined ? undefined : this.#generates.get(identOf(session.series));
    return generates === false ? { ...session, details: where(session.details) } : session;
  }
}

/** Whose it is, and where. */
function placed({ kind, id, latitude, longitude, country }: Place): Place {
  return {
    kind,
    id,
    ...coordinates({ latitude, longitude }),
    ...(country !== undefined && { country }),
    hours: [],
    specialHours: [],
  };
}

/** Where something is, for times without a zone. */
function where({ location }: Details): Details {
  if (location === undefined) return {};
  const { id, zone, latitude, longitude } = location;
  return { location: { ...defined({ id, zone }), ...coordinates({ latitude, longitude }) } };
}

export function keptKey(feed: string, kind: string, id: string): string {
  return `${feed}\n${kind}\n${id}`;
}
