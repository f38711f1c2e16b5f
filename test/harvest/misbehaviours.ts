/**
 * What publishers do instead of answering well, one line each: every case has been seen in live feeds or is a rule of
 * rpde-validator. Each answers one request; none of them may delete, invent or lose anything.
 */

import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Answer, Instead } from './rpde-publisher.ts';

interface JsonPage {
  next?: unknown;
  items?: unknown;
  license?: unknown;
  [other: string]: unknown;
}

const send = (
  response: ServerResponse,
  status: number,
  body: string | Buffer,
  headers: Record<string, string> = {},
) => {
  response.writeHead(status, headers).end(body);
  return true;
};
const page = (change: (page: JsonPage, answer: Answer) => JsonPage): Instead => {
  return (_request, response, answer) =>
    send(response, 200, JSON.stringify(change(JSON.parse(answer.body) as JsonPage, answer)), answer.headers);
};
const status = (code: number, headers: Record<string, string> = {}): Instead => {
  return (_request, response) => send(response, code, 'not now', headers);
};
const items = (change: (item: Record<string, unknown>) => unknown): Instead =>
  page(({ items: list, ...rest }) => ({ ...rest, items: (list as Record<string, unknown>[]).map(change) }));

const HTML = '<!doctype html><title>Just a moment…</title><p>Checking your browser.</p>';

/** Every byte of what was good, delivered badly: the same items come again, or later. */
export const BAD_DELIVERY: Readonly<Record<string, Instead>> = {
  'an error of the server': status(500),
  'a bad gateway': status(502),
  unavailable: status(503),
  'too many requests, with a time': status(429, { 'retry-after': '120' }),
  'too many requests, with a date': status(429, { 'retry-after': new Date(4e12).toUTCString() }),
  'gone for a moment': status(410),
  'not found for a moment': status(404),
  'a firewall': (_request, response) => send(response, 403, HTML, { 'content-type': 'text/html' }),
  'a challenge as an answer': (_request, response) => send(response, 200, HTML, { 'content-type': 'text/html' }),
  'nothing as an answer': (_request, response) => send(response, 200, ''),
  'half a page': (_request, response, { body }) => send(response, 200, body.slice(0, body.length >> 1)),
  'a page cut off on the wire': (_request, response, { body, headers }) => {
    response.writeHead(200, { ...headers, 'content-length': String(Buffer.byteLength(body) + 100) });
    response.write(body.slice(0, body.length >> 1), () => response.destroy());
    return true;
  },
  'a connection that breaks': (request) => {
    request.socket.destroy();
    return true;
  },
  'no answer at all': () => true,
  'gzip cut short': (_request, response, { body, headers }) =>
    send(response, 200, gzipSync(body).subarray(0, 40), { ...headers, 'content-encoding': 'gzip' }),
  'gzip said, none sent': (_request, response, { body, headers }) =>
    send(response, 200, body, { ...headers, 'content-encoding': 'gzip' }),
  'JSON that is no page': (_request, response) => send(response, 200, '{"error":"maintenance"}'),
  'an array': (_request, response) => send(response, 200, '[]'),
  null: (_request, response) => send(response, 200, 'null'),
  'items that are none': page((one) => ({ ...one, items: null })),
  'a redirect into the house': (_request, response) =>
    send(response, 302, '', { location: 'http://169.254.169.254/latest' }),
  'a redirect in a circle': (request, response) => send(response, 302, '', { location: request.url ?? '/' }),
};

/** Good enough to be taken as it is. */
export const ODD_BUT_GOOD: Readonly<Record<string, Instead>> = {
  'a relative next': page((one) => ({ ...one, next: String(one.next).replace(/^https?:\/\/[^/]+/, '') })),
  'another content type': (_request, response, { body }) => send(response, 200, body, { 'content-type': 'text/plain' }),
  'a byte order mark': (_request, response, { body }) => send(response, 200, `\ufeff${body}`),
  'no licence': page(({ license: _, ...one }) => one),
  'unknown keys': page((one) => ({ ...one, version: '1.1', feedObjects: [] })),
  'everything twice': page((one) => ({ ...one, items: [...(one.items as unknown[]), ...(one.items as unknown[])] })),
  'modified as text': items((item) => ({ ...item, modified: String(item.modified) })),
  'deleted items with data': items((item) =>
    item.state === 'deleted' ? { ...item, data: { '@type': 'Event' } } : item,
  ),
  'names with blanks': items((item) => ({ ...item, data: item.data && { ...item.data, ' ': '' } })),
};

const namesItself: Instead = (request, response, answer) => {
  const { items: list, ...rest } = JSON.parse(answer.body) as JsonPage;
  const own = `http://${request.headers.host}${request.url}`;
  return send(response, 200, JSON.stringify({ ...rest, items: list, next: own }), answer.headers);
};

/** Good pages that lead nowhere: what is on them counts, what comes after them is a visit away. */
export const LEADS_NOWHERE: Readonly<Record<string, Instead>> = {
  'no next': page(({ next: _, ...one }) => one),
  'a next elsewhere': page((one) => ({ ...one, next: 'https://elsewhere.example.org/feed' })),
  'a next of another kind': page((one) => ({ ...one, next: 'file:///etc/passwd' })),
  'a next into the house': page((one) => ({ ...one, next: 'http://169.254.169.254/latest' })),
  'a next that is the page itself': namesItself,
};

/** What a cache in front of the publisher held: earlier answers, each for its address. */
export class StaleCache {
  readonly #held = new Map<string, Answer>();

  /** Keeps what is answered now. */
  keep(path: string, answer: Answer): void {
    this.#held.set(path, answer);
  }

  /** Answers with what was kept for the address, if anything was. */
  readonly instead: Instead = (request, response, _answer) => {
    const held = this.#held.get(request.url ?? '');
    return held === undefined ? false : send(response, held.status, held.body, held.headers);
  };

  clear(): void {
    this.#held.clear();
  }
}
