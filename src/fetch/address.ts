/** Which IP addresses are public: global unicast, whatever their spelling. */

import { BlockList, isIP } from 'node:net';

/**
 * IANA IPv4 special-purpose registry: everything that is not globally reachable, and multicast. The last address is in a
 * public range, and on every machine of Azure it answers with data of that machine alone.
 */
const NOT_PUBLIC_V4 = blockList('ipv4', [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['168.63.129.16', 32],
]);

/** Global unicast is 2000::/3; these parts of it are tunnels (they carry an IPv4 address inside), tests and examples. */
const GLOBAL_V6 = blockList('ipv6', [['2000::', 3]]);
const NOT_PUBLIC_V6 = blockList('ipv6', [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]);

/**
 * Whether an IP address, in any spelling a resolver or URL gives, belongs to the public internet.
 * IPv4 inside IPv6 (mapped ::ffff:0:0/96, NAT64 64:ff9b::/96) is judged as the IPv4 address it reaches.
 */
export function isPublicIp(ip: string): boolean {
  const version = isIP(ip);
  if (version === 4) return !NOT_PUBLIC_V4.check(ip, 'ipv4');
  if (version !== 6) return false;
  const canonical = URL.parse(`http://[${ip}]/`)?.hostname.slice(1, -1);
  if (canonical === undefined) return false;
  const inner = embeddedV4(canonical);
  if (inner !== undefined) return !NOT_PUBLIC_V4.check(inner, 'ipv4');
  return GLOBAL_V6.check(canonical, 'ipv6') && !NOT_PUBLIC_V6.check(canonical, 'ipv6');
}

/**
 * The IP address that a URL names directly, or undefined for a name. URL parsing has already turned `2130706433`,
 * `0x7f.1` and `127.1` into 127.0.0.1. Resolver hooks are not called for these, so they are checked apart.
 */
export function literalIp(url: URL): string | undefined {
  const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
  return isIP(host) === 0 ? undefined : host;
}

/**
 * Whether the name of a host is private: an IP address, `localhost`, one word (a service beside this one), or a name in a
 * domain that cannot be registered. No stranger decides the address of such a name. The owner of any other name can change
 * its address each day (DNS rebinding).
 */
export function isPrivateByName(url: URL): boolean {
  if (literalIp(url) !== undefined) return true;
  const labels = url.hostname.replace(/\.$/, '').split('.');
  return labels.length === 1 || NOT_REGISTERED.test(labels.slice(-2).join('.'));
}

/** RFC 6761 (localhost), RFC 6762 (local), RFC 8375 (home.arpa), ICANN 2024 (internal). */
const NOT_REGISTERED = /(?:^|\.)(?:localhost|local|internal)$|^home\.arpa$/;

/** The IPv4 address in the last 32 bits of a canonical mapped or NAT64 address. */
function embeddedV4(canonical: string): string | undefined {
  const groups = /^(?:::ffff:|64:ff9b::)([0-9a-f]{1,4})(?::([0-9a-f]{1,4}))?$/.exec(canonical);
  if (groups === null) return canonical === '64:ff9b::' ? '0.0.0.0' : undefined;
  const [high, low] = groups[2] === undefined ? ['0', groups[1]] : [groups[1], groups[2]];
  const [a, b] = [Number.parseInt(high as string, 16), Number.parseInt(low as string, 16)];
  return `${a >> 8}.${a & 255}.${b >> 8}.${b & 255}`;
}

function blockList(family: 'ipv4' | 'ipv6', subnets: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [address, prefix] of subnets) list.addSubnet(address, prefix, family);
  return list;
}
