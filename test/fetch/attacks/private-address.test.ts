import { describe, expect, test } from 'vitest';
import { RefusedAddressError } from '../../../src/errors.ts';
import { failure, naming, serve, stranger } from '../../harvest/attacks/rig.ts';

/** An address inside our own network: loopback, private ranges, the metadata service of a cloud. */
describe('an address that is not public is not asked', () => {
  test.each(['127.0.0.1', '127.1', '2130706433', '0x7f.1', '[::ffff:7f00:1]', '[::1]', 'localhost'])(
    'this machine as %s',
    async (host) => {
      const server = await serve((_request, response) => response.end('secret'));
      const error = await failure(stranger().get(`http://${host}:${server.port}/`));
      expect(error).toBeInstanceOf(RefusedAddressError);
      expect(error.transient).toBe(false);
      expect(server.asked).toEqual([]);
    },
  );

  test.each(['10.0.0.1', '172.16.0.1', '192.168.1.1', '169.254.169.254', '[fd00:ec2::254]', '[fe80::1]', '0.0.0.0'])(
    '%s',
    async (host) => {
      expect(await failure(stranger().get(`http://${host}/latest/meta-data/`))).toBeInstanceOf(RefusedAddressError);
    },
  );
});

describe('an origin that the operator named is reached as named', () => {
  test('but only exactly that one: not by another name, not on another port', async () => {
    const server = await serve((_request, response) => response.end('{}'));
    const other = await serve((_request, response) => response.end('secret'));
    const client = naming(server);
    expect(await client.get(server.url)).toMatchObject({ text: '{}' });
    expect(await failure(client.get(`http://localhost:${server.port}/`))).toBeInstanceOf(RefusedAddressError);
    expect(await failure(client.get(other.url))).toBeInstanceOf(RefusedAddressError);
    expect(other.asked).toEqual([]);
  });

  test('--allow-private opens the rest', async () => {
    const server = await serve((_request, response) => response.end('{}'));
    expect(await stranger({ allowPrivate: true }).get(server.url)).toMatchObject({ text: '{}' });
  });
});
