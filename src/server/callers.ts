import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { expandIPv6 } from 'hono/utils/ipaddr';

/** Callers of the server: whom a limit counts, and which proxies are trusted. */

type CallerRequest = Pick<IncomingMessage, 'headers'> & { socket: { remoteAddress?: string | undefined } };

/**
 * The address of a caller: that of its connection. Behind a proxy of the settings it is the last address in X-Forwarded-For
 * that is none of these proxies. Other clients may write anything into that header.
 */
export class Callers {
  readonly #trusted = new BlockList();

  /** `proxies`: addresses, or networks as `10.0.0.0/8`. */
  constructor(proxies: readonly string[]) {
    for (const proxy of proxies) {
      const [address = '', prefix] = proxy.split('/');
      const family = isIPv6(address) ? 'ipv6' : 'ipv4';
      if (prefix === undefined) this.#trusted.addAddress(address, family);
      else this.#trusted.addSubnet(address, Number(prefix), family);
    }
  }

  /** Whether an address is that of a trusted proxy. */
  isProxy(address: string | undefined): boolean {
    const unmapped = unmappedAddress(address ?? '');
    return isIP(unmapped) !== 0 && this.#trusted.check(unmapped, isIPv6(unmapped) ? 'ipv6' : 'ipv4');
  }

  /** The key of a caller: of IPv6 the network alone, because one caller has 2^64 addresses. */
  keyOf({ socket, headers }: CallerRequest): string {
    const sent = String(headers['x-forwarded-for'] ?? '').split(',');
    let caller = unmappedAddress(socket.remoteAddress ?? '');
    while (this.isProxy(caller)) {
      const before = unmappedAddress(sent.pop()?.trim() ?? '');
      if (isIP(before) === 0) break;
      caller = before;
    }
    return isIPv6(caller) ? network(caller) : caller;
  }

  /** The public base address that the proxy of a request sends; undefined: it is no trusted proxy, or sends none. */
  baseOf({ socket, headers }: CallerRequest): string | undefined {
    if (!this.isProxy(socket.remoteAddress)) return undefined;
    const [scheme, host] = [headers['x-forwarded-proto'], headers['x-forwarded-host']].map((value) =>
      String(value ?? '')
        .split(',')[0]
        ?.trim(),
    ) as [string, string];
    if (!/^https?$/.test(scheme) || !HOST.test(host)) return undefined;
    return URL.parse(`${scheme}://${host}`)?.origin;
  }
}

/** The name or address of a host, with or without a port. */
const HOST = /^(?:[a-z\d-]+(?:\.[a-z\d-]+)*|\[[\da-f:]+\])(?::\d{1,5})?$/i;

/** The IPv4 address of `::ffff:192.0.2.1`, as a socket for both kinds names it. */
function unmappedAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}

/** The first four groups of an IPv6 address. */
function network(address: string): string {
  const groups = expandIPv6(address).split(':').slice(0, 4);
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':');
}
