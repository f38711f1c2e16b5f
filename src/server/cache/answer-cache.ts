import type { Library } from '../../library/index.ts';
import type { Instant } from '../../time/instant.ts';
import { matchingTag } from '../calendars/conditions.ts';
import { BoundedMap } from './bounded.ts';

/**
 * Bounds the work of a request, and is no fast path: pages and JSON of searches are made once for all who ask between two
 * changes. What they show depends on everything that is stored, so that any change ends all of them. It also depends on the
 * clock, so that none outlives its minute: no day of any zone begins within one.
 */

export type Answering = (request: Request, base?: string) => Response | Promise<Response>;

export interface AnswerCacheOptions {
  library: Pick<Library, 'onChange'>;
  answer: Answering;
  limitBytes: number;
  now(): Instant;
}

interface Held {
  status: number;
  headers: [name: string, value: string][];
  body: ArrayBuffer;
}

const MINUTE = 60_000;
/** What shows nothing of one caller, and of the store what a search finds. */
const SHARED = /^\/(?:search|embed\/search|api|openapi\.json|api\/(?:occurrences|series|places|facilities))?$/;
/** What an entry takes besides its octets. */
const ENTRY_BYTES = 1000;

export class AnswerCache {
  readonly #options: AnswerCacheOptions;
  readonly #map: BoundedMap<Held & { minute: number }>;
  #loads = new Map<string, Promise<Held>>();
  readonly #unsubscribe: () => void;

  constructor(options: AnswerCacheOptions) {
    this.#options = options;
    this.#map = new BoundedMap(options.limitBytes, ({ body }) => body.byteLength + ENTRY_BYTES);
    this.#unsubscribe = options.library.onChange(() => this.#changed());
  }

  /** What is held, or made: what is shared, once for all who ask at a time. */
  readonly answer: Answering = (request, base) => {
    const key = sharedKey(request, base);
    if (key === undefined) return this.#options.answer(request, base);
    const held = this.#map.get(key);
    return held?.minute === this.#minute() ? givenTo(held, request) : this.#shared(key, request, base);
  };

  held(): { entries: number; bytes: number } {
    return { entries: this.#map.size, bytes: this.#map.bytes };
  }

  close(): void {
    this.#unsubscribe();
  }

  async #shared(key: string, request: Request, base: string | undefined): Promise<Response> {
    const running = this.#loads.get(key) ?? this.#load(key, request, base);
    return givenTo(await running, request);
  }

  #load(key: string, request: Request, base: string | undefined): Promise<Held> {
    const [loads, minute] = [this.#loads, this.#minute()];
    const load = this.#made(request, base)
      .then((held) => {
        // Once a change came in between, it is answered but not kept.
        if (loads === this.#loads && held.status === 200) this.#map.set(key, { ...held, minute });
        return held;
      })
      .finally(() => loads.delete(key));
    loads.set(key, load);
    return load;
  }

  /** Whole, whatever this caller holds already. */
  async #made(request: Request, base: string | undefined): Promise<Held> {
    const headers = new Headers(request.headers);
    headers.delete('If-None-Match');
    const response = await this.#options.answer(new Request(request.url, { headers }), base);
    return { status: response.status, headers: [...response.headers], body: await response.arrayBuffer() };
  }

  #changed(): void {
    this.#map.clear();
    this.#loads = new Map();
  }

  #minute(): number {
    return Math.floor(this.#options.now() / MINUTE);
  }
}

/** Undefined: it is not shared. The host that was asked is part of the address: a page says where links do not lead. */
function sharedKey({ method, url, headers }: Request, base = ''): string | undefined {
  if (method !== 'GET' || !SHARED.test(new URL(url).pathname)) return undefined;
  return `${base} ${headers.get('Accept-Encoding') ?? ''} ${url}`;
}

function givenTo({ status, headers, body }: Held, request: Request): Response {
  const asked = request.headers.get('If-None-Match');
  const own = new Headers(headers);
  const tag = own.get('ETag');
  const isHeld = status === 200 && asked !== null && tag !== null && isTag(asked, tag);
  if (!isHeld) return new Response(body.byteLength === 0 ? null : body, { status, headers: own });
  for (const name of ['Content-Type', 'Content-Encoding', 'Content-Length']) own.delete(name);
  return new Response(null, { status: 304, headers: own });
}

/** By weak comparison (RFC 9110 13.1.2). */
function isTag(asked: string, tag: string): boolean {
  return matchingTag(asked, [tag.replace(/^W\//, '')]) !== undefined;
}
