import { expect, test } from 'vitest';
import { Callers } from '../../src/server/callers.ts';

const PROXIES = ['127.0.0.1', '10.0.0.0/8', '2001:db8:ffff::/48'];

test.each<[name: string, remote: string, forwarded: string | undefined, caller: string]>([
  ['nobody in between', '198.51.100.7', undefined, '198.51.100.7'],
  ['a header that no proxy of ours sent', '198.51.100.7', '203.0.113.9', '198.51.100.7'],
  ['a proxy', '127.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['a proxy, on a socket for both kinds', '::ffff:127.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['a proxy behind a proxy', '127.0.0.1', '203.0.113.9, 10.1.2.3', '203.0.113.9'],
  ['what a caller wrote before the proxy did', '127.0.0.1', '192.0.2.1, 203.0.113.9', '203.0.113.9'],
  ['a proxy that says nothing', '127.0.0.1', undefined, '127.0.0.1'],
  ['a proxy that says what is no address', '127.0.0.1', 'unknown', '127.0.0.1'],
  ['nothing but proxies', '127.0.0.1', '10.0.0.1, 10.0.0.2', '10.0.0.1'],
  ['IPv6: a network is one caller', '2001:db8:1:2:3:4:5:6', undefined, '2001:db8:1:2'],
  ['IPv6, shortened', '2001:db8:1:2::6', undefined, '2001:db8:1:2'],
  ['IPv6, with zeros within the network', '2001:db8::6', undefined, '2001:db8:0:0'],
  ['IPv6, nothing but the end', '::1', undefined, '0:0:0:0'],
  ['IPv6 of a link', 'fe80::1%eth0', undefined, 'fe80:0:0:0'],
  ['IPv6 behind a proxy of IPv6', '2001:db8:ffff::1', '2001:db8:1:2:a:b:c:d', '2001:db8:1:2'],
])('%s', (_name, remoteAddress, forwarded, caller) => {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  expect(new Callers(PROXIES).keyOf({ socket: { remoteAddress }, headers })).toBe(caller);
});

test('without proxies in the settings no header is believed', () => {
  const incoming = { socket: { remoteAddress: '127.0.0.1' }, headers: { 'x-forwarded-for': '203.0.113.9' } };
  expect(new Callers([]).keyOf(incoming)).toBe('127.0.0.1');
});

test.each<
  [name: string, remote: string, proto: string | undefined, host: string | undefined, base: string | undefined]
>([
  ['a proxy', '127.0.0.1', 'https', 'c.example', 'https://c.example'],
  ['a proxy with a port', '127.0.0.1', 'http', 'c.example:8080', 'http://c.example:8080'],
  ['a proxy behind a proxy', '10.0.0.1', 'https, http', 'c.example, inner.example', 'https://c.example'],
  ['anybody', '198.51.100.7', 'https', 'c.example', undefined],
  ['a proxy that says no host', '127.0.0.1', 'https', undefined, undefined],
  ['a proxy that says no scheme', '127.0.0.1', undefined, 'c.example', undefined],
  ['a scheme that is none', '127.0.0.1', 'javascript', 'c.example', undefined],
  ['a host with more in it', '127.0.0.1', 'https', 'c.example/a"><b', undefined],
  ['a host with a user', '127.0.0.1', 'https', 'a@c.example', undefined],
])('the base address of %s', (_name, remoteAddress, proto, host, base) => {
  const headers = { ...(proto && { 'x-forwarded-proto': proto }), ...(host && { 'x-forwarded-host': host }) };
  expect(new Callers(PROXIES).baseOf({ socket: { remoteAddress }, headers })).toBe(base);
});
