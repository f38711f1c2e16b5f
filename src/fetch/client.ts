/**
 * The only module that speaks HTTP outwards. GET, and POST of JSON; http and https alone; every hop of a redirect is checked as
 * if the operator's enemy had written it; time, hops and decoded bytes are bounded; errors say in words what happened
 * and hold no secrets.
 *
 * Guard: an origin that the operator named is reached as named, also where that is a private address. A name that is
 * public is trusted to be public only: whoever owns it may let it resolve to a private address tomorrow. It, and whatever
 * nobody named, must be public: its literal is checked, then every address its name resolves to, at the moment the socket
 * is made (so a name cannot change in between), then the socket's own far end.
 */

import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { RedirectError, RefusedAddressError, StatusError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { isPrivateByName, isPublicIp, literalIp } from './address.ts';
import { bodyError, bodyOf, discard, headerText, sizeOf } from './body.ts';
import { Deadline, inWords } from './deadline.ts';
import { type Body, octetsOf, textOf } from './decode.ts';
import { type Freshness, freshFor, retryAfter } from './freshness.ts';

export interface ClientOptions {
  /** Sent as User-Agent: who we are, and where to write to. */
  userAgent: string;
  /** Addresses whose origins the operator named (feeds, datasets, command-line URLs): private ones are reached as named. */
  named?: Iterable<string>;
  /** Lets everything else be private too. */
  allowPrivate?: boolean;
  /** For an HTTP-date in Retry-After. */
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
  /** Validators of the copy we have. */
  etag?: string | undefined;
  lastModified?: string | undefined;
  /** Most bytes after decoding. */
  bytes?: number;
  accept?: string;
  signal?: AbortSignal;
}

/** An answer, its body not decoded yet. */
export type Asked = Freshness &
  /** 304: the copy we have still holds. */
  (
    | { changed: false; url: string }
    | {
        changed: true;
        /** Where the body came from, after redirects. */
        url: string;
        body: Body;
        contentType: string;
        cacheControl?: string;
        etag?: string;
        lastModified?: string;
      }
  );

/** An answer in text. */
export type Got =
  | Extract<Asked, { changed: false }>
  | (Omit<Extract<Asked, { changed: true }>, 'body'> & { text: string });

export interface Client {
  /** @throws FetchError of the class that names the cause; `signal.reason` when aborted by the caller */
  get(url: string, options?: GetOptions): Promise<Got>;
  /** The same for who decodes the body himself. @throws as `get`, but for what decoding finds */
  ask(url: string, options?: GetOptions): Promise<Asked>;
  close(): Promise<void>;
}

export interface Sender {
  /** Sends JSON; resolves when the answer is 2xx, whatever its body. No redirect is followed. @throws as `Client.get` */
  post(url: string, json: unknown, signal?: AbortSignal): Promise<void>;
}

interface Hop {
  url: URL;
  headers: Record<string, string>;
  /** Absent: it is a GET. */
  body?: string;
}

export function createClient(options: ClientOptions): Client & Sender {
  const limits: ClientLimits = { ...LIMITS, bytes: LIMITS.pageBytes, ...options.limits };
  const named = new Set([...(options.named ?? [])].map((url) => URL.parse(url)?.origin));
  const open = agent(limits, options.lookup);
  const guarded = options.allowPrivate ? open : agent(limits, guardedLookup(options.lookup ?? systemLookup), true);

  async function send(hop: Hop, deadline: Deadline): Promise<Dispatcher.ResponseData> {
    const isNamed = named.has(hop.url.origin);
    const trusted = isNamed && isPrivateByName(hop.url);
    if (!trusted && !options.allowPrivate) checkLiteral(hop.url);
    try {
      return await (trusted ? open : guarded).request({
        origin: hop.url.origin,
        path: hop.url.pathname + hop.url.search,
        method: hop.body === undefined ? 'GET' : 'POST',
        headers: hop.headers,
        body: hop.body ?? null,
        signal: deadline.signal,
      });
    } catch (error) {
      deadline.throwIfOver();
      throw isNamed && error instanceof RefusedAddressError ? turnedPrivate(hop.url, error) : inWords(error, hop.url);
    }
  }

  async function follow(first: Hop, deadline: Deadline): Promise<{ answer: Dispatcher.ResponseData; hop: Hop }> {
    let hop = first;
    let answer = await send(hop, deadline);
    for (let hops = 0; REDIRECTS.has(answer.statusCode); hops++) {
      discard(answer);
      if (hops === limits.redirects) throw new RedirectError(first.url, `more than ${limits.redirects} redirects`);
      try {
        hop = nextHop(hop, headerText(answer.headers.location));
        answer = await send(hop, deadline);
      } catch (error) {
        throw refusedRedirect(first.url, error);
      }
    }
    return { answer, hop };
  }

  async function get(address: string, options?: GetOptions): Promise<Got> {
    const asked = await ask(address, options);
    if (!asked.changed) return asked;
    const { body, ...rest } = asked;
    try {
      return { ...rest, text: textOf(body) };
    } catch (error) {
      throw bodyError(error, asked.url, sizeOf(body));
    }
  }

  async function ask(address: string, get: GetOptions = {}): Promise<Asked> {
    const url = webUrl(address);
    const deadline = new Deadline(url, limits.totalMs, get.signal);
    try {
      return await deadline.within(answerOf(url, get, deadline));
    } finally {
      deadline.clear();
    }
  }

  async function answerOf(url: URL, get: GetOptions, deadline: Deadline): Promise<Asked> {
    const { answer, hop } = await follow(firstHop(url, options.userAgent, get), deadline);
    return read(answer, hop.url, get, deadline);
  }

  async function read(answer: Dispatcher.ResponseData, url: URL, get: GetOptions, deadline: Deadline): Promise<Asked> {
    const conditional = get.etag !== undefined || get.lastModified !== undefined;
    if (answer.statusCode !== 200) discard(answer);
    const fresh = freshFor(answer.headers, options.now());
    if (answer.statusCode === 304 && conditional) return { changed: false, url: url.href, ...fresh };
    if (answer.statusCode !== 200) {
      throw new StatusError(
        url,
        answer.statusCode,
        retryAfter(headerText(answer.headers['retry-after']), options.now()),
      );
    }
    const body = await bodyOf(answer, url, get.bytes ?? limits.bytes, deadline);
    const { etag, 'last-modified': lastModified, 'cache-control': cacheControl } = answer.headers;
    return {
      changed: true,
      url: url.href,
      body,
      contentType: body.contentType,
      ...(headerText(cacheControl) !== undefined && { cacheControl: headerText(cacheControl) as string }),
      ...(headerText(etag) !== undefined && { etag: headerText(etag) as string }),
      ...(headerText(lastModified) !== undefined && { lastModified: headerText(lastModified) as string }),
      ...fresh,
    };
  }

  async function post(address: string, json: unknown, signal?: AbortSignal): Promise<void> {
    const url = webUrl(address);
    const deadline = new Deadline(url, limits.totalMs, signal);
    const { headers, ...hop } = firstHop(url, options.userAgent, {});
    const sent = { ...hop, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(json) };
    try {
      const answer = await deadline.within(send(sent, deadline));
      discard(answer);
      const { statusCode: status } = answer;
      if (REDIRECTS.has(status)) throw new RedirectError(url, 'it redirects: name the address that it leads to');
      if (status >= 200 && status <= 299) return;
      throw new StatusError(url, status, retryAfter(headerText(answer.headers['retry-after']), options.now()));
    } finally {
      deadline.clear();
    }
  }

  return {
    get,
    ask,
    post,
    close: async () => {
      await Promise.all([open.destroy(), guarded.destroy()]);
    },
  };
}

/** The octets of an answer, whatever they are. @throws as `get` */
export async function octetsAt(
  client: Pick<Client, 'ask'>,
  address: string,
  options: Pick<GetOptions, 'bytes' | 'accept'>,
): Promise<Uint8Array<ArrayBuffer>> {
  const asked = await client.ask(address, options);
  if (!asked.changed) throw new StatusError(new URL(asked.url), 304);
  try {
    return octetsOf(asked.body);
  } catch (error) {
    throw bodyError(error, asked.url, sizeOf(asked.body));
  }
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

function agent(limits: ClientLimits, lookup: LookupFunction | undefined, checked = false): Agent {
  const connect = buildConnector({ timeout: limits.connectMs, allowH2: false, ...(lookup && { lookup }) });
  return new Agent({
    connect: checked ? checkingFarEnd(connect) : connect,
    allowH2: false,
    headersTimeout: limits.headersMs,
    bodyTimeout: limits.idleMs,
    maxHeaderSize: LIMITS.headerBytes,
    pipelining: 1,
  });
}

/** The last check: whatever led here, the socket's far end itself must be public. */
function checkingFarEnd(connect: buildConnector.connector): buildConnector.connector {
  return (options, done) => {
    connect(options, (error, socket) => {
      if (error !== null) return done(error, null);
      const far = socket.remoteAddress;
      if (far !== undefined && isPublicIp(far)) return done(null, socket);
      socket.destroy();
      return done(refused(`${options.protocol}//${options.hostname}`), null);
    });
  };
}

/** A resolver that answers only if every address is public: one private one among them is how rebinding starts. */
function guardedLookup(lookup: LookupFunction): LookupFunction {
  return (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '', 0);
      const addresses: LookupAddress[] = typeof found === 'string' ? [{ address: found, family: isIP(found) }] : found;
      const [first] = addresses;
      if (first === undefined || !addresses.every(({ address }) => isPublicIp(address))) {
        return done(refused(`//${hostname}`), '', 0);
      }
      return options.all ? done(null, addresses) : done(null, first.address, first.family);
    });
  };
}

function checkLiteral(url: URL): void {
  const ip = literalIp(url);
  if (ip !== undefined && !isPublicIp(ip)) throw refused(url);
}

function refused(url: URL | string): RefusedAddressError {
  const shown = typeof url === 'string' && url.startsWith('//') ? `http:${url}` : url;
  return new RefusedAddressError(shown, 'is not a public address (name it yourself, or use --allow-private)');
}

/** The operator named it, so that naming it again is no cure. */
function turnedPrivate(url: URL, cause: unknown): RefusedAddressError {
  const words = `resolves to an address that is not public (name that address itself, or use --allow-private)`;
  return new RefusedAddressError(url, words, { cause });
}

/** An address that nobody wrote down is reported with the one that led there. */
function refusedRedirect(from: URL, error: unknown): unknown {
  if (!(error instanceof RefusedAddressError)) return error;
  return new RefusedAddressError(from, `redirects to ${error.message}`, { cause: error });
}

function webUrl(address: string): URL {
  const url = address.length > LIMITS.urlChars ? null : URL.parse(address);
  if (url === null) throw new RefusedAddressError(address.slice(0, 200), 'is not an address');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new RefusedAddressError(url, 'only http and https addresses are fetched');
  }
  return url;
}

function firstHop(url: URL, userAgent: string, get: GetOptions): Hop {
  const { username, password } = url;
  const headers: Record<string, string> = { ...PLAIN, 'user-agent': userAgent };
  headers.accept = get.accept ?? 'application/json, application/*+json;q=0.9, */*;q=0.1';
  if (get.etag !== undefined) headers['if-none-match'] = get.etag;
  if (get.lastModified !== undefined) headers['if-modified-since'] = get.lastModified;
  if (username !== '' || password !== '') headers.authorization = basic(username, password);
  for (const [name, value] of Object.entries(get.headers ?? {})) headers[name.toLowerCase()] = value;
  return { url: bare(url), headers };
}

/** One coding at most, and no chained ones: a bomb of bombs is not opened (SECURITY.md, "Bodies"). */
const PLAIN = { 'accept-encoding': 'gzip, br' };

function nextHop(from: Hop, location: string | undefined): Hop {
  const target = location === undefined ? null : URL.parse(location, from.url.href);
  if (target === null) throw new RedirectError(from.url, 'a redirect without a usable address');
  const url = bare(webUrl(target.href));
  return { url, headers: staysHome(from.url, url) ? from.headers : ourHeaders(from.headers) };
}

/** Same origin, or the same host's step from http to https: only there do the operator's headers go along. */
function staysHome(from: URL, to: URL): boolean {
  if (from.origin === to.origin) return true;
  return (
    from.hostname === to.hostname && from.protocol === 'http:' && to.protocol === 'https:' && !from.port && !to.port
  );
}

const OURS = new Set(['accept', 'accept-encoding', 'user-agent', 'if-none-match', 'if-modified-since']);

function ourHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => OURS.has(name)));
}

function bare(url: URL): URL {
  const copy = new URL(url);
  copy.username = '';
  copy.password = '';
  copy.hash = '';
  return copy;
}

function basic(username: string, password: string): string {
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}
