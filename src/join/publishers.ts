import { scopeOf } from '../opportunity/identity.ts';
import type { OpportunityRecord } from '../opportunity/records.ts';

/**
 * Decides which publisher may claim an `@id` (semantics 1.4). A publisher is a dataset, or the origin of feeds that were named
 * one by one; all folders of an operator's own files are one. All feeds of a publisher have the same rights.
 *
 * An `@id` under the origin of a known feed belongs to the publisher of that feed, even before it is published. Where feeds
 * of several publishers share an origin, as customers of one booking system do, these publishers alone may claim its ids.
 * Any other `@id` belongs to the publisher with the feed that the store has known longest, of all that claim it.
 */

/** A feed with its publisher. */
export interface KnownFeed {
  /** The row id: it grows with every feed that the store registers, and needs no clock. */
  id: number;
  url: string;
  /** The publisher's number; the same for all of its feeds. 0: the feed is being forgotten, and may claim nothing. */
  publisherId: number;
}

/** The order of a publisher that may not claim an `@id`. */
export const NO_RIGHT = Number.MAX_SAFE_INTEGER;

interface Publisher {
  id: number;
  /** The id of the first of its feeds. */
  order: number;
}

export class Publishers {
  readonly #byFeed = new Map<string, Publisher>();
  readonly #all = new Map<number, Publisher>();
  readonly #byOrigin = new Map<string, Set<Publisher>>();

  constructor(feeds: Iterable<KnownFeed>) {
    for (const { id, url, publisherId } of feeds) {
      if (publisherId === 0) continue;
      const publisher = this.#all.get(publisherId) ?? { id: publisherId, order: id };
      publisher.order = Math.min(publisher.order, id);
      this.#all.set(publisherId, publisher);
      this.#byFeed.set(url, publisher);
      const origin = originOf(scopeOf(url)) as string;
      const sharing = this.#byOrigin.get(origin);
      if (sharing === undefined) this.#byOrigin.set(origin, new Set([publisher]));
      else sharing.add(publisher);
    }
  }

  /** The numbers of all publishers. */
  ids(): number[] {
    return [...this.#all.keys()];
  }

  /** The number of the publisher of a feed; undefined: the feed is not known, or is being forgotten. */
  idOf(feed: string): number | undefined {
    return this.#byFeed.get(feed)?.id;
  }

  /** The order of the publisher of a feed among all that claim an `@id`: the smallest wins. */
  order(feed: string, id: string): number {
    const publisher = this.#byFeed.get(feed);
    return publisher !== undefined && this.#mayName(publisher, id) ? publisher.order : NO_RIGHT;
  }

  /** Whether a publisher may claim an `@id` if no other does. */
  mayName(publisherId: number, id: string): boolean {
    const publisher = this.#all.get(publisherId);
    return publisher !== undefined && this.#mayName(publisher, id);
  }

  #mayName(publisher: Publisher, id: string): boolean {
    if (this.#all.size === 1) return true;
    const origin = originOf(id);
    const owners = origin === undefined ? undefined : this.#byOrigin.get(origin);
    return owners === undefined || owners.has(publisher);
  }

  /** A text that changes when an `@id` may belong to another publisher than before. */
  get fingerprint(): string {
    const origins = [...this.#byOrigin].map(([origin, owners]) => [origin, ...[...owners].map(({ id }) => id).sort()]);
    return JSON.stringify([
      [...this.#all.values()].map(({ id, order }) => [order, id]).sort(([a = 0], [b = 0]) => a - b),
      origins.sort(([a = ''], [b = '']) => (a < b ? -1 : 1)),
    ]);
  }
}

/**
 * Whether a record may inherit from a record of another publisher. Only an event may, from the Place that it names: its
 * publisher chose that Place, and the Place does not change. Any other reference would let a stranger add to a record.
 */
export function mayTake(by: OpportunityRecord['kind'], from: OpportunityRecord['kind']): boolean {
  return from === 'place' && (by === 'series' || by === 'session');
}

/** The key of the publisher of a feed that belongs to no dataset: its origin, or that of all files. */
export function publisherKeyOf(url: string): string {
  return isWeb(url) ? (originOf(url) as string) : 'files';
}

/**
 * The host and port of an address; `http` and `https` are one, because feeds change from one to the other. Of a stand-in id:
 * the part before `#`, which names its folder. Undefined: the id has no origin.
 */
export function originOf(id: string): string | undefined {
  if (id.startsWith('urn:openactive-ical:')) return beforeAny(id, 'urn:openactive-ical:'.length, '#');
  if (!isWeb(id)) return undefined;
  const start = id.indexOf('//') + 2;
  const authority = beforeAny(id, start, '/?#\\').slice(start);
  const host = authority.slice(authority.lastIndexOf('@') + 1).toLowerCase();
  return host.replace(id.charAt(4) === ':' ? /:80$/ : /:443$/, '');
}

function isWeb(url: string): boolean {
  return url.startsWith('https://') || url.startsWith('http://') || /^https?:\/\//i.test(url);
}

function beforeAny(text: string, from: number, ends: string): string {
  for (let at = from; at < text.length; at += 1) if (ends.includes(text.charAt(at))) return text.slice(0, at);
  return text;
}
