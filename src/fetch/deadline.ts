/** The time a request may take in all, and the words for what ended it. */

import { errors } from 'undici';
import {
  BodyError,
  ConnectionError,
  FetchError,
  FetchTimeoutError,
  messageOf,
  OpenactiveIcalError,
  RefusedAddressError,
} from '../errors.ts';

/** Joins a total time with the caller's signal; `clear` must follow, or the caller's signal keeps it alive. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #url: URL;
  readonly #caller: AbortSignal | undefined;
  readonly #timer: NodeJS.Timeout;
  readonly #ms: number;
  readonly #over = Promise.withResolvers<never>();
  #late = false;

  constructor(url: URL, ms: number, caller: AbortSignal | undefined) {
    this.#url = url;
    this.#ms = ms;
    this.#caller = caller;
    caller?.throwIfAborted();
    // Nobody may be waiting by then.
    this.#over.promise.catch(() => {});
    this.#controller.signal.addEventListener('abort', this.#giveUp, { once: true });
    caller?.addEventListener('abort', this.#abort);
    this.#timer = setTimeout(() => {
      this.#late = true;
      this.#controller.abort();
    }, ms);
  }

  readonly #abort = (): void => {
    this.#controller.abort();
  };

  readonly #giveUp = (): void => {
    try {
      this.throwIfOver();
    } catch (error) {
      this.#over.reject(error);
    }
  };

  /** What `work` gives, or what ended the request: also where `work` itself does not hear of it. */
  within<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.#over.promise]);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Throws what ended the request, if it was the caller (`signal.reason`) or time (FetchTimeoutError). */
  throwIfOver(): void {
    this.#caller?.throwIfAborted();
    if (this.#late) throw new FetchTimeoutError(this.#url, `not complete after ${this.#ms / 1000} s`);
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#abort);
  }
}

/** What people understand, by the code of an error of undici, Node or OpenSSL. */
const WORDS: Record<string, string> = {
  UND_ERR_SOCKET: 'the server closed the connection early',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the body ended before its announced length',
  UND_ERR_HEADERS_OVERFLOW: 'the answer has too many headers',
  ECONNREFUSED: 'nothing listens there (connection refused)',
  ECONNRESET: 'the server broke the connection',
  EPIPE: 'the server broke the connection',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ENOTFOUND: 'there is no host of this name',
  EAI_AGAIN: 'the name cannot be resolved at the moment',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate chain is incomplete',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate chain is incomplete',
};

const TIMEOUTS: Record<string, string> = {
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  ETIMEDOUT: 'no connection in time',
  UND_ERR_HEADERS_TIMEOUT: 'no answer in time',
  UND_ERR_BODY_TIMEOUT: 'the body stopped coming',
};

/** A FetchError of the class that names the cause, for whatever undici, zlib or a socket threw. */
export function asFetchError(error: unknown, url: URL): OpenactiveIcalError {
  if (error instanceof RefusedAddressError) return new RefusedAddressError(url, tail(error.message), { cause: error });
  if (error instanceof OpenactiveIcalError) return error;
  const code = String((error as NodeJS.ErrnoException | null)?.code ?? '');
  const late = TIMEOUTS[code];
  if (late !== undefined) return new FetchTimeoutError(url, late, { cause: error });
  if (/^(Z_|ERR__ERROR_|ERR_BROTLI|ERR_PADDING|ERR_BUFFER)/.test(code)) {
    return new BodyError(url, 'the body does not decompress', { cause: error });
  }
  if (code === 'UND_ERR_INVALID_ARG') {
    // Its message may quote a header's value.
    return new FetchError(url, 'a header or the address cannot be sent');
  }
  if (error instanceof errors.HTTPParserError)
    return new ConnectionError(url, 'the answer is not HTTP', { cause: error });
  return new ConnectionError(url, WORDS[code] ?? messageOf(error), { cause: error });
}

function tail(message: string): string {
  return message.slice(message.indexOf(': ') + 2);
}
