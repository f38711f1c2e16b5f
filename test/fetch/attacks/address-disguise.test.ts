import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isPrivateByName, isPublicIp, literalIp } from '../../../src/fetch/address.ts';

/** Each range of the IANA special-purpose registries: its ends are refused, their neighbours outside are judged apart. */
const REFUSED: [string, string[]][] = [
  ['this network', ['0.0.0.0', '0.255.255.255']],
  ['the wire server of a cloud, public by its range', ['168.63.129.16', '::ffff:168.63.129.16']],
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
  '168.63.129.15',
  '168.63.129.17',
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

/** Every spelling is one of the same address for whoever connects, so it must be for whoever checks. */
describe('disguises of a private address in a URL', () => {
  const rows: [string, string[]][] = [
    ['plain, short and with zeros', ['127.0.0.1', '127.1', '127.0.1', '127.000.000.001']],
    ['decimal', ['2130706433', '3232235777', '2852039166']],
    ['hexadecimal', ['0x7f000001', '0x7f.1', '0x7F.0x0.0x0.0x1', '0xA9FEA9FE']],
    ['octal', ['0177.0.0.1', '017700000001', '0251.0376.0251.0376']],
    ['mixed bases', ['0x7f.0.01', '0300.0xa8.1']],
    ['with a dot at the end', ['127.0.0.1.', '2130706433.']],
    ['digits of other scripts', ['１２７.0.0.1', '①②⑦.⓪.⓪.①', '127。0。0。1', '１２７．１']],
    ['percent-encoded', ['%31%32%37.0.0.1', '%30x7f.1']],
    ['behind a user', ['8.8.8.8@127.0.0.1', 'a:b@127.1', 'public.example%2f@10.0.0.1', 'public.example%23@127.0.0.1']],
    ['mapped into IPv6', ['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[0:0:0:0:0:FFFF:7F00:1]', '[::ffff:0:1]']],
    ['compatible with IPv6', ['[::127.0.0.1]', '[::7f00:1]']],
    ['translated (RFC 6052, RFC 2765)', ['[64:ff9b::127.0.0.1]', '[64:ff9b:1::7f00:1]', '[::ffff:0:127.0.0.1]']],
    ['6to4 and Teredo', ['[2002:7f00:1::]', '[2002:a9fe:a9fe::1]', '[2001:0:4136:e378:8000:63bf:80ff:fffe]']],
    ['IPv6 itself', ['[::1]', '[::]', '[0000::0001]', '[fe80::1]', '[fc00::1]', '[fec0::1]', '[ff02::1]', '[100::1]']],
    [
      'in ranges nobody thinks of',
      ['0.0.0.0', '0.1.2.3', '100.64.0.1', '192.0.0.170', '198.18.0.1', '224.0.0.1', '255.255.255.255'],
    ],
  ];
  test.each(rows)('%s', (_name, hosts) => {
    for (const host of hosts) {
      const url = new URL(`http://${host}/`);
      const ip = literalIp(url);
      expect(ip, `${host} is ${url.hostname}`).toBeDefined();
      expect(isPublicIp(ip as string), host).toBe(false);
    }
  });

  test('a zone id is no URL at all', () => {
    expect(URL.canParse('http://[fe80::1%25eth0]/')).toBe(false);
    expect(URL.canParse('http://[fe80::1%eth0]/')).toBe(false);
  });

  test('a name in the form of a number is a name, and resolved like one', () => {
    for (const host of ['localhost', '127.0.0.1.example', '0x7f.example', 'l', '127-0-0-1.example']) {
      expect(literalIp(new URL(`http://${host}/`)), host).toBeUndefined();
    }
  });
});

test('hosts that no stranger can let resolve to another address', () => {
  const own = [
    '127.0.0.1',
    '8.8.8.8',
    '[::1]',
    'localhost',
    'localhost.',
    'a.localhost',
    'feeds',
    'FEEDS',
    'nas.local',
  ];
  for (const host of [...own, 'feeds.prod.internal', 'hall.home.arpa'])
    expect(isPrivateByName(new URL(`http://${host}/`)), host).toBe(true);
  const others = ['feeds.example.com', 'localhost.example.com', 'internal.com', 'home.arpa.example', 'xlocal.uk'];
  for (const host of [...others, '127.0.0.1.example.com'])
    expect(isPrivateByName(new URL(`http://${host}/`)), host).toBe(false);
});

test('seeded: no spelling of a private IPv4 address is taken for public', () => {
  const part = fc.constantFrom<(value: number) => string>(
    (value) => String(value),
    (value) => `0x${value.toString(16)}`,
    (value) => `0${value.toString(8)}`,
  );
  const octet = fc.nat(255);
  const any = fc.tuple(octet, octet, octet, octet, fc.tuple(part, part, part, part), fc.integer({ min: 1, max: 4 }));
  fc.assert(
    fc.property(any, ([a, b, c, d, spell, parts]) => {
      const plain = `${a}.${b}.${c}.${d}`;
      const octets = [a, b, c, d];
      const rest = octets.slice(parts - 1).reduce((sum, value) => sum * 256 + value, 0);
      const host = [...octets.slice(0, parts - 1), rest]
        .map((value, at) => (spell[at] as (value: number) => string)(value))
        .join('.');
      const ip = literalIp(new URL(`http://${host}/`));
      expect(ip).toBe(plain);
      const mapped = literalIp(new URL(`http://[::ffff:${plain}]/`)) as string;
      const translated = literalIp(new URL(`http://[64:ff9b::${plain}]/`)) as string;
      for (const other of [mapped, translated]) expect(isPublicIp(other), other).toBe(isPublicIp(plain));
    }),
    { numRuns: 500 },
  );
});
