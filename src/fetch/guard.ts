/**
 * Keeps requests out of private networks. An origin that the operator named may be private, if its name is private too. A
 * public name must resolve to public addresses, named or not: its owner may let it resolve to a private one tomorrow. A
 * literal address is checked first, then each address that the name resolves to, then the remote address of the socket.
 * The last check is on the new socket itself, so that the name cannot change in between.
 */

import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { buildConnector } from 'undici';
import { RefusedAddressError } from '../errors.ts';
import { isPublicIp, literalIp } from './address.ts';

/** The last check: the remote address of a new socket must be public. */
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

/** A resolver that refuses a name with any private address: DNS rebinding begins with one among public ones. */
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

/** The error of a named origin with a private address; `refused` would advise to name it. */
export function rebindingError(url: URL, cause: unknown): RefusedAddressError {
  const words = `resolves to an address that is not public (name that address itself, or use --allow-private)`;
  return new RefusedAddressError(url, words, { cause });
}

/** The error of a refused redirect, with the address that the operator or a feed names. */
export function redirectError(from: URL, error: unknown): unknown {
  if (!(error instanceof RefusedAddressError)) return error;
  return new RefusedAddressError(from, `redirects to ${error.message}`, { cause: error });
}
