/**
 * An RPDE publisher on loopback, as RPDE 1.0 and the advice for scaling feeds ask for it: pages by change number, deleted
 * items kept, cache headers, validators, gzip. `instead` lets a test play a publisher that does otherwise.
 */

import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { type FaultServer, faultServer } from './ingest/faults.ts';

export interface PublishedItem {
  id: string | number;
  kind: string;
  /** The change number: higher with every change of anything. */
  modified: number;
  /** Absent: deleted. */
  data?: object;
}

export interface PublisherOptions {
  /** Items of one page. RPDE suggests 500. */
  limit?: number;
  kind?: string;
}

/** What a conformant answer is made of, before it is sent. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Sends something else, or changes the answer and lets it be sent (then it returns false). */
export type Instead = (request: IncomingMessage, response: ServerResponse, answer: Answer) => boolean;

const LICENSE = 'https://creativecommons.org/licenses/by/4.0/';
const TYPE = 'application/vnd.openactive.rpde+json; version=1';

export class RpdePublisher {
  readonly limit: number;
  readonly kind: string;
  instead: Instead | undefined;
  #server: FaultServer | undefined;
  /** By key, in the order of their last change. */
  readonly #items = new Map<string, PublishedItem>();
  /** The same, as an array to page through; undefined: to be made anew. */
  #sorted: PublishedItem[] | undefined;
  #change = 0;

  constructor({ limit = 500, kind = 'SessionSeries' }: PublisherOptions = {}) {
    this.limit = limit;
    this.kind = kind;
  }

  /** Listens; `close` must follow. */
  static async open(options: PublisherOptions = {}): Promise<RpdePublisher> {
    const publisher = new RpdePublisher(options);
    publisher.#server = await faultServer((request, response) => publisher.#handle(request, response));
    return publisher;
  }

  /** The first page. Without `open` there is nobody there, and `answer` says what would be. */
  get url(): string {
    return `${this.#server?.url ?? 'https://publisher.example'}/feed`;
  }

  get asked(): readonly IncomingMessage[] {
    return this.#server?.asked ?? [];
  }

  async close(): Promise<void> {
    await this.#server?.close();
  }

  /** Adds or changes an item: it moves to the end. */
  put(id: string | number, data: object, kind = this.kind): void {
    this.#save({ id, kind, data });
  }

  /** Deletes an item: its tombstone moves to the end. */
  delete(id: string | number, kind = this.kind): void {
    this.#save({ id, kind });
  }

  /** Lets a tombstone go, as publishers do after seven days. */
  forget(id: string | number, kind = this.kind): void {
    this.#items.delete(keyOf(id, kind));
    this.#sorted = undefined;
  }

  /** All there is, tombstones too, in the order of the feed. */
  items(): readonly PublishedItem[] {
    this.#sorted ??= [...this.#items.values()];
    return this.#sorted;
  }

  /** A conformant answer for a path with its query. */
  answer(path: string): Answer {
    const after = Number(new URL(path, this.url).searchParams.get('afterChangeNumber') ?? 0);
    const items = this.#after(after);
    const last = items.at(-1)?.modified;
    // The end: no items, and the page's own address. Anything else leads on from its last item.
    const next = last === undefined ? new URL(path, this.url).href : `${this.url}?afterChangeNumber=${last}`;
    const body = JSON.stringify({ next, items: items.map(enveloped), license: LICENSE });
    const headers = {
      'content-type': TYPE,
      // developer.openactive.io, "Scaling feeds": an hour for pages with items, 8 s for the last.
      'cache-control': `public, max-age=${items.length === 0 ? 8 : 3600}`,
      etag: `"${hash('sha1', body)}"`,
    };
    return { status: 200, headers, body };
  }

  #save(item: Omit<PublishedItem, 'modified'>): void {
    const key = keyOf(item.id, item.kind);
    this.#items.delete(key);
    this.#change += 1;
    this.#items.set(key, { ...item, modified: this.#change });
    this.#sorted = undefined;
  }

  /** By halves, as a database would by its index. */
  #after(change: number): readonly PublishedItem[] {
    const items = this.items();
    let [from, to] = [0, items.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((items[middle] as PublishedItem).modified <= change) from = middle + 1;
      else to = middle;
    }
    return items.slice(from, from + this.limit);
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const answer = this.answer(request.url ?? '/feed');
    if (this.instead?.(request, response, answer)) return;
    const { status, headers, body } = answer;
    if (status === 200 && request.headers['if-none-match'] === headers.etag) {
      response.writeHead(304, headers).end();
      return;
    }
    if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) {
      response.writeHead(status, headers).end(body);
      return;
    }
    response.writeHead(status, { ...headers, 'content-encoding': 'gzip', vary: 'accept-encoding' }).end(gzipSync(body));
  }
}

const keyOf = (id: string | number, kind: string): string => `${kind} ${typeof id} ${id}`;

/** Deleted items MUST NOT have data (RPDE 1.0, "Deleted items"). */
function enveloped({ id, kind, modified, data }: PublishedItem): object {
  const state = data === undefined ? 'deleted' : 'updated';
  return { state, kind, id, modified, ...(data && { data }) };
}
