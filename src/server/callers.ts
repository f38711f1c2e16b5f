import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { expandIPv6 } from 'hono/utils/ipaddr';

type Asking = Pick<IncomingMessage, 'headers'> & { socket: { remoteAddress?: string | undefined } };

/**
 * Who asks: the address that a connection comes from, or, where that is one of the proxies that settings name, the last
 * address in X-Forwarded-For that is none of them. Whoever else sends that header may write into it what they like.
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

  isProxy(address: string | undefined): boolean {
    const unmapped = unmappedAddress(address ?? '');
    return isIP(unmapped) !== 0 && this.#trusted.check(unmapped, isIPv6(unmapped) ? 'ipv6' : 'ipv4');
  }

  /** One key a caller: whoever has an IPv6 address has 2^64 of them. */
  keyOf({ socket, headers }: Asking): string {
    const sent = String(headers['x-forwarded-for'] ?? '').split(',');
    let caller = unmappedAddress(socket.remoteAddress ?? '');
    while (this.isProxy(caller)) {
      const before = unmappedAddress(sent.pop()?.trim() ?? '');
      if (isIP(before) === 0) break;
      caller = before;
    }
    return isIPv6(caller) ? network(caller) : caller;
  }

  /** The base address by which people reach the proxy that asks; undefined: it is none of ours, or does not say. */
  baseOf({ socket, headers }: Asking): string | undefined {
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

/** A name or an address, with or without a port. */
const HOST = /^(?:[a-z\d-]+(?:\.[a-z\d-]+)*|\[[\da-f:]+\])(?::\d{1,5})?$/i;

/** `::ffff:192.0.2.1` is the IPv4 address, as a socket for both kinds names it. */
function unmappedAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}

/** The first four groups. */
function network(address: string): string {
  const groups = expandIPv6(address).split(':').slice(0, 4);
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':');
}
