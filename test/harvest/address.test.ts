import { describe, expect, test } from 'vitest';
import { isPublicIp, literalIp } from '../../src/harvest/address.ts';

/** Each range of the IANA special-purpose registries: its ends are refused, their neighbours outside are judged apart. */
const REFUSED: [string, string[]][] = [
  ['this network', ['0.0.0.0', '0.255.255.255']],
  ['private ten', ['10.0.0.0', '10.255.255.255']],
  ['carrier-grade NAT', ['100.64.0.0', '100.127.255.255']],
  ['loopback', ['127.0.0.1', '127.255.255.255', '::1']],
  ['link local, with the cloud metadata service', ['169.254.0.0', '169.254.169.254', 'fe80::1', 'fe80::1%eth0']],
  ['private 172', ['172.16.0.0', '172.31.255.255']],
  [
    'protocol assignments and examples',
    ['192.0.0.8', '192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
  ],
  ['private 192', ['192.168.0.0', '192.168.255.255']],
  ['benchmarks', ['198.18.0.0', '198.19.255.255']],
  ['multicast and reserved', ['224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255', 'ff02::1']],
  ['unspecified', ['::']],
  ['unique local', ['fc00::1', 'fdff::1']],
  ['tunnels with an address inside', ['2002:7f00:1::1', '2001:0:1::1']],
  [
    'mapped loopback, both spellings',
    ['::ffff:127.0.0.1', '::ffff:7f00:1', '0:0:0:0:0:ffff:7f00:0001', '::FFFF:10.0.0.1'],
  ],
  ['mapped zero network', ['::ffff:0.0.0.1', '::ffff:0:1', '::ffff:0:0']],
  ['NAT64 to a private address', ['64:ff9b::a00:1', '64:ff9b::10.0.0.1', '64:ff9b::1', '64:ff9b::', '64:ff9b:1::1']],
  ['compatible form', ['::127.0.0.1']],
  ['no address', ['', 'localhost', '127.1', '1.2.3', '1.2.3.4.5', '[::1]']],
];

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2606:4700::1111',
  '2a00:1450:4009::200e',
  '::ffff:8.8.8.8',
  '64:ff9b::808:808',
];

describe('addresses that are not the public internet', () => {
  test.each(REFUSED)('%s', (_name, addresses) => {
    for (const address of addresses) expect(isPublicIp(address), address).toBe(false);
  });
});

test('public addresses, also right beside a refused range', () => {
  for (const address of PUBLIC) expect(isPublicIp(address), address).toBe(true);
});

test('disguises of 127.0.0.1 in a URL are all seen', () => {
  const disguises = [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '017700000001',
    '127.0.0.1.',
    '１２７.0.0.1',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::1]',
  ];
  for (const host of disguises) {
    const ip = literalIp(new URL(`http://${host}/`));
    expect(ip, host).toBeDefined();
    expect(isPublicIp(ip as string), host).toBe(false);
  }
  expect(literalIp(new URL('http://localhost/'))).toBeUndefined();
});
