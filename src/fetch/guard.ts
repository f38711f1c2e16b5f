/**
 * An origin that the operator named is reached as named, also where that is a private address. A name that is public is trusted
 * to be public only: whoever owns it may let it resolve to a private address tomorrow. It, and whatever nobody named, must be
 * public. Its literal is checked, then every address its name resolves to, then the socket's own remote address. That is done
 * when the socket is made, so that a name cannot change in between.
 */

import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { buildConnector } from 'undici';
import { RefusedAddressError } from '../errors.ts';
import { isPublicIp, literalIp } from './address.ts';

/** The last check: whatever led here, the socket's remote address must be public. */
export function guardedConnector(connect: buildConnector.connector): buildConnector.connector {
  return (options, done) => {
    connect(options, (error, socket) => {
      if (error !== null) return done(error, null);
      const { remoteAddress } = socket;
      if (remoteAddress !== undefined && isPublicIp(remoteAddress)) return done(null, socket);
      socket.destroy();
      return done(refused(`${options.protocol}//${options.hostname}`), null);
    });
  };
}

/** A resolver that answers only if every address is public: one private one among them is how rebinding starts. */
export function guardedLookup(lookup: LookupFunction): LookupFunction {
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

/** @throws RefusedAddressError where the host is an address that is not public */
export function checkLiteral(url: URL): void {
  const ip = literalIp(url);
  if (ip !== undefined && !isPublicIp(ip)) throw refused(url);
}

function refused(url: URL | string): RefusedAddressError {
  const shown = typeof url === 'string' && url.startsWith('//') ? `http:${url}` : url;
  return new RefusedAddressError(shown, 'is not a public address (name it yourself, or use --allow-private)');
}

/** The operator named it, so that naming it again is no cure. */
export function rebindingError(url: URL, cause: unknown): RefusedAddressError {
  const words = `resolves to an address that is not public (name that address itself, or use --allow-private)`;
  return new RefusedAddressError(url, words, { cause });
}

/** An address that nobody wrote down is reported with the one that led there. */
export function redirectError(from: URL, error: unknown): unknown {
  if (!(error instanceof RefusedAddressError)) return error;
  return new RefusedAddressError(from, `redirects to ${error.message}`, { cause: error });
}
