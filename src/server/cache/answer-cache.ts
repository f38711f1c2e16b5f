import { hash } from 'node:crypto';
import { BoundedMap } from '../../bounded-map.ts';
import { calendarsOf } from '../../dav/index.ts';
import type { CalendarName, Library } from '../../library/index.ts';
import type { Instant } from '../../time/instant.ts';
import { onCondition, withoutConditions } from '../api/json.ts';
import { Holders } from './holders.ts';

/**
 * Answers that are the same for every caller. The cache bounds the work of a request, and is no fast path: an answer is made
 * once for all who ask between two changes.
 * - Pages and JSON of searches depend on everything that is stored: any change removes all of them.
 * - A CalDAV answer is removed by a change of its calendar, a list of feeds by a change of a feed.
 * - Every answer depends on the clock, and is used within the minute in which it was made: in no zone does a day begin within
 *   a minute.
 */

export type Answering = (request: Request, base?: string) => Response | Promise<Response>;

interface AnswerCacheOptions {
  library: Pick<Library, 'onChange' | 'onFeeds'>;
  answer: Answering;
  limitBytes: number;
  now(): Instant;
}

/** An answer as it is stored (RFC 9111). */
interface StoredAnswer {
  status: number;
  headers: [name: string, value: string][];
  body: ArrayBuffer;
}

const MINUTE = 60_000;
/** Addresses whose answer is the same for every caller, and depends on what a search finds. */
const SHARED = /^\/(?:search|embed\/search|api|openapi\.json|api\/(?:occurrences|series|places|facilities))?$/;
/** Addresses whose answers a change of a feed removes. Times of visits without changes may be a minute old. */
const OF_FEEDS = /^\/(?:api\/)?feeds$/;
const DAV_METHODS = new Set(['PROPFIND', 'REPORT']);
/** The request headers on which an answer of CalDAV depends. */
const DAV_HEADERS = ['Accept-Encoding', 'Depth', 'Prefer', 'Brief'];
/** Conditions on the present state: a request with one gets an answer of its own. */
const DAV_CONDITIONS = ['If', 'If-Match'];
/** The memory of an entry besides its octets. */
const ENTRY_BYTES = 1000;

/** An answer under way. `names`: the calendars that it depends on. */
interface Shared {
  key: string;
  names: readonly CalendarName[] | 'all' | 'feeds';
  body?: string;
}

/** The last answers of pages, JSON and CalDAV, for a minute or until their content changes. */
export class AnswerCache {
  readonly #options: AnswerCacheOptions;
  readonly #map: BoundedMap<StoredAnswer & { minute: number }>;
  #loads = new Map<string, Promise<StoredAnswer>>();
  /** The answers, stored or under way, that a change of a calendar removes. */
  #holders = new Holders();
  readonly #ofFeeds = new Set<string>();
  readonly #unsubscribes: (() => void)[];

  constructor(options: AnswerCacheOptions) {
    this.#options = options;
    this.#map = new BoundedMap(
      options.limitBytes,
      ({ body }) => body.byteLength + ENTRY_BYTES,
      (key) => this.#release(key),
    );
    const { library } = options;
    this.#unsubscribes = [
      library.onChange((names) => this.#invalidate(names)),
      library.onFeeds(() => this.#end(this.#ofFeeds)),
    ];
  }

  /** The stored answer, or a new one. Callers that ask at the same time for a shared answer wait for one computation. */
  readonly answer: Answering = (request, base) => {
    const { method, url } = request;
    const { pathname } = new URL(url);
    if (method === 'GET' && SHARED.test(pathname))
      return this.#given({ key: `${base} ${codingOf(request)} ${url}`, names: 'all' }, request, base);
    if (method === 'GET' && OF_FEEDS.test(pathname))
      return this.#given({ key: `${base} ${codingOf(request)} ${url}`, names: 'feeds' }, request, base);
    const isShared = DAV_METHODS.has(method) && !DAV_CONDITIONS.some((name) => request.headers.has(name));
    const names = isShared ? calendarsOf(pathname) : undefined;
    return names === undefined ? this.#options.answer(request, base) : this.#dav(names, request, base);
  };

  size(): { entries: number; bytes: number } {
    return { entries: this.#map.size, bytes: this.#map.bytes };
  }

  close(): void {
    for (const unsubscribe of this.#unsubscribes) unsubscribe();
  }

  /** Key and body of a CalDAV request. The host is part of the address in the key, because answers have links. */
  async #dav(names: readonly CalendarName[] | 'all', request: Request, base: string | undefined): Promise<Response> {
    const { method, url, headers } = request;
    const body = await request.text();
    const values = DAV_HEADERS.map((name) => headers.get(name) ?? '');
    const key = hash('sha256', [method, url, base, ...values, body].join('\n'), 'base64url');
    return this.#given({ key, names, body }, request, base);
  }

  #given(shared: Shared, request: Request, base: string | undefined): Response | Promise<Response> {
    const stored = this.#map.get(shared.key);
    if (stored?.minute === this.#minute()) return givenTo(stored, request);
    const running = this.#loads.get(shared.key) ?? this.#load(shared, request, base);
    return running.then((made) => givenTo(made, request));
  }

  #load({ key, names, body }: Shared, request: Request, base: string | undefined): Promise<StoredAnswer> {
    const minute = this.#minute();
    const load = this.#makeAnswer(request, body, base)
      .then((made) => {
        // After a change in between, the answer is sent but not stored.
        if (this.#loads.get(key) === load && isKept(made) && this.#map.set(key, { ...made, minute }))
          this.#hold(key, names);
        return made;
      })
      .finally(() => {
        if (this.#loads.get(key) !== load) return;
        this.#loads.delete(key);
        if (this.#map.get(key) === undefined) this.#release(key);
      });
    this.#loads.set(key, load);
    this.#hold(key, names);
    return load;
  }

  /** The whole answer, without the conditions of this caller. */
  async #makeAnswer(
    { method, url, headers: given }: Request,
    body: string | undefined,
    base?: string,
  ): Promise<StoredAnswer> {
    const request = new Request(url, { method, headers: withoutConditions(given), ...(body && { body }) });
    const response = await this.#options.answer(request, base);
    return { status: response.status, headers: [...response.headers], body: await response.arrayBuffer() };
  }

  #invalidate(names: readonly CalendarName[] | 'all'): void {
    if (names === 'all') {
      this.#map.clear();
      this.#loads = new Map();
      this.#holders = new Holders();
      this.#ofFeeds.clear();
      return;
    }
    this.#end(this.#holders.of(names));
  }

  #end(keys: Iterable<string>): void {
    for (const key of keys) {
      this.#map.delete(key);
      this.#loads.delete(key);
      this.#release(key);
    }
  }

  #hold(key: string, names: Shared['names']): void {
    if (names === 'feeds') this.#ofFeeds.add(key);
    else this.#holders.hold(key, names);
  }

  #release(key: string): void {
    this.#holders.drop(key);
    this.#ofFeeds.delete(key);
  }

  #minute(): number {
    return Math.floor(this.#options.now() / MINUTE);
  }
}

function isKept({ status }: StoredAnswer): boolean {
  return status === 200 || status === 207;
}

function codingOf({ headers }: Request): string {
  return headers.get('Accept-Encoding') ?? '';
}

function givenTo({ status, headers, body }: StoredAnswer, request: Request): Response {
  return onCondition(request.headers, new Response(body.byteLength === 0 ? null : body, { status, headers }));
}
