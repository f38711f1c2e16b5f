/** Deadlines of requests, and errors of the network in words. */

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

export interface Deadline {
  signal: AbortSignal;
  /** Resolves with `work`, or rejects when the request is over, also where `work` ignores the signal. */
  within<T>(work: Promise<T>): Promise<T>;
  /** Throws if the caller aborted the request (`signal.reason`), or its time is over (FetchTimeoutError). */
  throwIfOver(): void;
  clear(): void;
}

/** Joins a total time with the caller's signal; `clear` must follow, or the caller's signal keeps it alive. */
export function deadlineOf(url: URL, ms: number, caller: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  const over = Promise.withResolvers<never>();
  let late = false;
  const abort = (): void => controller.abort();
  const giveUp = (): void => {
    try {
      throwIfOver();
    } catch (error) {
      over.reject(error);
    }
  };
  caller?.throwIfAborted();
  // A rejection without a caller of `within` is not unhandled.
  over.promise.catch(() => {});
  controller.signal.addEventListener('abort', giveUp, { once: true });
  caller?.addEventListener('abort', abort);
  const timer = setTimeout(() => {
    late = true;
    controller.abort();
  }, ms);

  function throwIfOver(): void {
    caller?.throwIfAborted();
    if (late) throw new FetchTimeoutError(url, `not complete after ${ms / 1000} s`);
  }

  return {
    signal: controller.signal,
    within: (work) => Promise.race([work, over.promise]),
    throwIfOver,
    clear: () => {
      clearTimeout(timer);
      caller?.removeEventListener('abort', abort);
    },
  };
}

/** Explanations for people, by the code of an error of undici, Node or OpenSSL. */
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

/** The FetchError of the class that names the cause, for an error of undici, zlib or a socket. */
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
    // The message of undici may quote the value of a header: it is no cause.
    return new FetchError(url, 'a header or the address cannot be sent');
  }
  if (error instanceof errors.HTTPParserError)
    return new ConnectionError(url, 'the answer is not HTTP', { cause: error });
  return new ConnectionError(url, WORDS[code] ?? messageOf(error), { cause: error });
}

function tail(message: string): string {
  return message.slice(message.indexOf(': ') + 2);
}
