/**
 * The only module that sends HTTP requests. GET, and POST of JSON; http and https alone. Redirects are checked like the
 * addresses of feeds, as both may lead into the operator's network (guard.ts). Time, redirects and decoded octets are
 * bounded; the messages of errors are for people and hold no secrets.
 */

import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { RedirectError, RefusedAddressError, StatusError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { isPrivateByName } from './address.ts';
import { bodyError, bodyOf, discard, headerText, sizeOf } from './body.ts';
import { asFetchError, type Deadline, deadlineOf } from './deadline.ts';
import { type Body, octetsOf, textOf } from './decode.ts';
import { type Freshness, freshFor, retryAfter } from './freshness.ts';
import { checkLiteral, guardedConnector, guardedLookup, rebindingError, redirectError } from './guard.ts';

export interface ClientOptions {
  /** The User-Agent: the name of the program, and a contact. */
  userAgent: string;
  /** Addresses whose origins the operator named (feeds, datasets, command-line URLs): private ones are reached as named. */
  named?: Iterable<string>;
  /** Allow private addresses everywhere. */
  allowPrivate?: boolean;
  /** The clock, for an HTTP-date in Retry-After. */
  now(): number;
  limits?: Partial<ClientLimits>;
  /** Replaces the system's resolver. */
  lookup?: LookupFunction;
}

/** Milliseconds and bytes; the reasons are in `limits.ts`. */
type ClientLimits = Record<'connectMs' | 'headersMs' | 'idleMs' | 'totalMs' | 'redirects' | 'bytes', number>;

export interface GetOptions {
  /** The operator's own headers for this address. They never leave its origin. */
  headers?: Readonly<Record<string, string>>;
  /** Validators of the known copy. */
  etag?: string | undefined;
  lastModified?: string | undefined;
  /** Most bytes after decoding. */
  bytes?: number;
  accept?: string;
  signal?: AbortSignal;
}

/** A response, its body not decoded yet. */
export type EncodedResponse = Freshness &
  /** 304: the known copy is current. */
  (
    | { changed: false; url: string }
    | {
        changed: true;
        /** The address of the body, after redirects. */
        url: string;
        body: Body;
        contentType: string;
        cacheControl?: string;
        etag?: string;
        lastModified?: string;
      }
  );

/** A response in text. */
export type TextResponse =
  | Extract<EncodedResponse, { changed: false }>
  | (Omit<Extract<EncodedResponse, { changed: true }>, 'body'> & { text: string });

export interface Client {
  /** @throws FetchError of the class that names the cause; `signal.reason` when aborted by the caller */
  get(url: string, options?: GetOptions): Promise<TextResponse>;
  /** Requests an address, and leaves decoding to the caller. @throws as `get`, without the errors of decoding */
  request(url: string, options?: GetOptions): Promise<EncodedResponse>;
  close(): Promise<void>;
}

export interface Sender {
  /** Sends JSON; resolves when the response is 2xx, whatever its body. No redirect is followed. @throws as `Client.get` */
  post(url: string, json: unknown, signal?: AbortSignal): Promise<void>;
}

interface OutgoingRequest {
  url: URL;
  headers: Record<string, string>;
  /** The body of a POST; absent: the request is a GET. */
  body?: string;
}

export function createClient(options: ClientOptions): Client & Sender {
  return new HttpClient(options);
}

class HttpClient implements Client, Sender {
  readonly #options: ClientOptions;
  readonly #limits: ClientLimits;
  readonly #named: ReadonlySet<string | undefined>;
  /** The agent for every address; `#guarded` reaches public ones only. */
  readonly #open: Agent;
  readonly #guarded: Agent;

  constructor(options: ClientOptions) {
    const { named = [], allowPrivate, lookup } = options;
    this.#options = options;
    this.#limits = { ...LIMITS, bytes: LIMITS.pageBytes, ...options.limits };
    this.#named = new Set(Array.from(named, (url) => URL.parse(url)?.origin));
    this.#open = agent(this.#limits, lookup);
    this.#guarded = allowPrivate ? this.#open : agent(this.#limits, guardedLookup(lookup ?? systemLookup), true);
  }

  async get(address: string, options?: GetOptions): Promise<TextResponse> {
    const response = await this.request(address, options);
    if (!response.changed) return response;
    const { body, ...rest } = response;
    try {
      return { ...rest, text: textOf(body) };
    } catch (error) {
      throw bodyError(error, response.url, sizeOf(body));
    }
  }

  /** Requests an address within one deadline, redirects included. @throws FetchError */
  async request(address: string, get: GetOptions = {}): Promise<EncodedResponse> {
    const url = webUrl(address);
    const deadline = deadlineOf(url, this.#limits.totalMs, get.signal);
    try {
      return await deadline.within(this.#exchange(url, get, deadline));
    } finally {
      deadline.clear();
    }
  }

  async post(address: string, json: unknown, signal?: AbortSignal): Promise<void> {
    const url = webUrl(address);
    const deadline = deadlineOf(url, this.#limits.totalMs, signal);
    const { headers, ...request } = firstRequest(url, this.#options.userAgent, {});
    const sent = {
      ...request,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(json),
    };
    try {
      const response = await deadline.within(this.#send(sent, deadline));
      discard(response);
      if (REDIRECTS.has(response.statusCode))
        throw new RedirectError(url, 'it redirects: name the address that it leads to');
      if (response.statusCode < 200 || response.statusCode > 299) throw this.#statusError(url, response);
    } finally {
      deadline.clear();
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#open.destroy(), this.#guarded.destroy()]);
  }

  async #exchange(url: URL, get: GetOptions, deadline: Deadline): Promise<EncodedResponse> {
    const { response, request } = await this.#follow(firstRequest(url, this.#options.userAgent, get), deadline);
    return this.#read(response, request.url, get, deadline);
  }

  async #follow(
    first: OutgoingRequest,
    deadline: Deadline,
  ): Promise<{ response: Dispatcher.ResponseData; request: OutgoingRequest }> {
    const { redirects } = this.#limits;
    let request = first;
    let response = await this.#send(request, deadline);
    for (let followed = 0; REDIRECTS.has(response.statusCode); followed++) {
      discard(response);
      if (followed === redirects) throw new RedirectError(first.url, `more than ${redirects} redirects`);
      try {
        request = redirectedRequest(request, headerText(response.headers.location));
        response = await this.#send(request, deadline);
      } catch (error) {
        throw redirectError(first.url, error);
      }
    }
    return { response, request };
  }

  async #send(request: OutgoingRequest, deadline: Deadline): Promise<Dispatcher.ResponseData> {
    const isNamed = this.#named.has(request.url.origin);
    const trusted = isNamed && isPrivateByName(request.url);
    if (!trusted && !this.#options.allowPrivate) checkLiteral(request.url);
    try {
      return await (trusted ? this.#open : this.#guarded).request({
        origin: request.url.origin,
        path: request.url.pathname + request.url.search,
        method: request.body === undefined ? 'GET' : 'POST',
        headers: request.headers,
        body: request.body ?? null,
        signal: deadline.signal,
      });
    } catch (error) {
      deadline.throwIfOver();
      throw isNamed && error instanceof RefusedAddressError
        ? rebindingError(request.url, error)
        : asFetchError(error, request.url);
    }
  }

  async #read(
    response: Dispatcher.ResponseData,
    url: URL,
    get: GetOptions,
    deadline: Deadline,
  ): Promise<EncodedResponse> {
    const conditional = get.etag !== undefined || get.lastModified !== undefined;
    if (response.statusCode !== 200) discard(response);
    const fresh = freshFor(response.headers, this.#options.now());
    if (response.statusCode === 304 && conditional) return { changed: false, url: url.href, ...fresh };
    if (response.statusCode !== 200) throw this.#statusError(url, response);
    const body = await bodyOf(response, url, get.bytes ?? this.#limits.bytes, deadline);
    const text = (name: string) => headerText(response.headers[name]);
    const [cacheControl, etag, lastModified] = [text('cache-control'), text('etag'), text('last-modified')];
    return {
      changed: true,
      url: url.href,
      body,
      contentType: body.contentType,
      ...(cacheControl !== undefined && { cacheControl }),
      ...(etag !== undefined && { etag }),
      ...(lastModified !== undefined && { lastModified }),
      ...fresh,
    };
  }

  #statusError(url: URL, { statusCode, headers }: Dispatcher.ResponseData): StatusError {
    return new StatusError(url, statusCode, retryAfter(headerText(headers['retry-after']), this.#options.now()));
  }
}

/** The decoded octets of a response. @throws as `get` */
export async function octetsAt(
  client: Pick<Client, 'request'>,
  address: string,
  options: Pick<GetOptions, 'bytes' | 'accept'>,
): Promise<Uint8Array<ArrayBuffer>> {
  const response = await client.request(address, options);
  if (!response.changed) throw new StatusError(new URL(response.url), 304);
  try {
    return octetsOf(response.body);
  } catch (error) {
    throw bodyError(error, response.url, sizeOf(response.body));
  }
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

function agent(limits: ClientLimits, lookup: LookupFunction | undefined, checked = false): Agent {
  const connect = buildConnector({ timeout: limits.connectMs, allowH2: false, ...(lookup && { lookup }) });
  return new Agent({
    connect: checked ? guardedConnector(connect) : connect,
    allowH2: false,
    headersTimeout: limits.headersMs,
    bodyTimeout: limits.idleMs,
    maxHeaderSize: LIMITS.headerBytes,
    pipelining: 1,
  });
}

/** Parses an http(s) address. @throws RefusedAddressError for any other text */
export function webUrl(address: string): URL {
  const url = address.length > LIMITS.urlChars ? null : URL.parse(address);
  if (url === null) throw new RefusedAddressError(address.slice(0, 200), 'is not an address');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new RefusedAddressError(url, 'only http and https addresses are fetched');
  }
  return url;
}

function firstRequest(url: URL, userAgent: string, get: GetOptions): OutgoingRequest {
  const headers: Record<string, string> = { ...PLAIN, 'user-agent': userAgent };
  headers.accept = get.accept ?? 'application/json, application/*+json;q=0.9, */*;q=0.1';
  if (get.etag !== undefined) headers['if-none-match'] = get.etag;
  if (get.lastModified !== undefined) headers['if-modified-since'] = get.lastModified;
  const authorization = authorizationOf(url);
  if (authorization !== undefined) headers.authorization = authorization;
  for (const [name, value] of Object.entries(get.headers ?? {})) headers[name.toLowerCase()] = value;
  return { url: targetUrl(url), headers };
}

/** Codings that are asked for. A body with several is refused: no bomb inside a bomb is decoded (SECURITY.md, "Bodies"). */
const PLAIN = { 'accept-encoding': 'gzip, br' };

function redirectedRequest(from: OutgoingRequest, location: string | undefined): OutgoingRequest {
  const target = location === undefined ? null : URL.parse(location, from.url.href);
  if (target === null) throw new RedirectError(from.url, 'a redirect without a usable address');
  const url = targetUrl(webUrl(target.href));
  return { url, headers: keepsHeaders(from.url, url) ? from.headers : ourHeaders(from.headers) };
}

/** Whether a redirect keeps the operator's headers: within an origin, or from http to https of the same host. */
function keepsHeaders(from: URL, to: URL): boolean {
  if (from.origin === to.origin) return true;
  return (
    from.hostname === to.hostname && from.protocol === 'http:' && to.protocol === 'https:' && !from.port && !to.port
  );
}

const OURS = new Set(['accept', 'accept-encoding', 'user-agent', 'if-none-match', 'if-modified-since']);

function ourHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => OURS.has(name)));
}

/** An address without user, password and fragment, which are not sent in it. */
export function targetUrl(url: URL): URL {
  const copy = new URL(url);
  copy.username = '';
  copy.password = '';
  copy.hash = '';
  return copy;
}

/** The Authorization header for user and password of an address; undefined: it has none. */
export function authorizationOf({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined;
  const pair = `${percentDecoded(username)}:${percentDecoded(password)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

/** A text with its percent-encoding decoded; unchanged, where a `%` encodes nothing. */
function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
