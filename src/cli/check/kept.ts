/** Records of all sources of `check`, until they are joined, without properties that joining and planning do not need. */

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
  /** Whether a series has Schedules that generate, by identity: its sessions are compared with their occurrences. */
  readonly #generates = new Map<string, boolean>();
  /** There are feeds of several publishers. */
  several = false;
  /** Keys of publishers by feed, in the order of the sources. */
  readonly #publishers = new Map<string, string>();
  /** The best claim of each embedded place: it decides the zone of times without one. */
  readonly #places = new Map<string, Claim>();
  #count = 0;
  /** Records that were not kept, because there are too many. */
  dropped = 0;

  /** Adds a feed, or file, with the key of its publisher. */
  addFeed(feed: string, publisher: string): void {
    if (!this.#publishers.has(feed)) this.#publishers.set(feed, publisher);
  }

  /** Keeps the records of an item in place of those of its older copy. */
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

  /** Keeps an embedded place once, as feeds embed one again and again. */
  #keepPlace(claim: Claim): void {
    const ident = identOf(claim.record.id);
    const known = this.#places.get(ident);
    if (known === undefined) this.#count += 1;
    if (known === undefined || betterClaim(claim, known) < 0) this.#places.set(ident, claim);
  }

  /**
   * Joins all records, and drops the claims to free their memory. `foreign`: findings between publishers; `repeated`:
   * findings on items that others of their feed hide.
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

  /** Sets the publisher of each claim, and finds those between publishers; with one publisher there are none. */
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

  /** Drops texts, which are most of a record; only sessions beside a Schedule are compared by them. */
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
    // One Schedule that is no pattern is kept, so that the finding on series with patterns alone is right.
    const telling = series.schedules.find(({ partial }) => !partial) ?? series.schedules[0];
    const schedules = [...new Set([zoned, telling])].filter((one) => one !== undefined);
    return { ...series, details: where(series.details), schedules };
  }

  /** Drops the texts of a session whose series is known to have no Schedule that generates. */
  #slimSession(session: Session): Session {
    const generates = session.series === undefined ? undefined : this.#generates.get(identOf(session.series));
    return generates === false ? { ...session, details: where(session.details) } : session;
  }
}

/** The identity and the whereabouts of a place. */
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

/** The location alone, for times without a zone. */
function where({ location }: Details): Details {
  if (location === undefined) return {};
  const { id, zone, latitude, longitude } = location;
  return { location: { ...defined({ id, zone }), ...coordinates({ latitude, longitude }) } };
}

export function keptKey(feed: string, kind: string, id: string): string {
  return `${feed}\n${kind}\n${id}`;
}
