import type { LookupFunction } from 'node:net';
import { describe, expect, test } from 'vitest';
import { RefusedAddressError } from '../../../src/errors.ts';
import { failure, resolving, serve, stranger } from '../../harvest/attacks/rig.ts';

/** A public name whose address is ours, or becomes ours between the check and the connection. */
describe('a name', () => {
  const rows: string[][] = [
    ['127.0.0.1'],
    ['10.0.0.1'],
    ['169.254.169.254'],
    ['::1'],
    ['::ffff:127.0.0.1'],
    ['64:ff9b::7f00:1'],
    ['8.8.8.8', '10.0.0.1'],
    ['2606:4700::1111', 'fd00::1'],
  ];
  test.each(rows)('that resolves to %s', async (...addresses) => {
    const error = await failure(
      stranger({ lookup: resolving(...addresses) }).get('http://innocent.example/x?key=hunter2'),
    );
    expect(error).toBeInstanceOf(RefusedAddressError);
    expect(error.message).toMatch(/^http:\/\/innocent.example\/x\?key=\*\*\*: is not a public address/);
  });

  test('is resolved once for each connection, and checked each time: the first answer vouches for nothing later', async () => {
    let asked = 0;
    const rebinding: LookupFunction = (host, options, done) => {
      asked += 1;
      resolving(asked === 1 ? '192.0.2.1' : '127.0.0.1')(host, options, done);
    };
    const server = await serve((_request, response) => response.end('secret'));
    const client = stranger({ lookup: rebinding, limits: { connectMs: 200 } });
    expect(await failure(client.get(`http://rebind.example:${server.port}/`))).toBeInstanceOf(RefusedAddressError);
    expect(asked).toBe(1);
    expect(await failure(client.get(`http://rebind.example:${server.port}/`))).toBeInstanceOf(RefusedAddressError);
    expect(server.asked).toEqual([]);
  });

  test('that says public and connects to this machine is cut off at the socket, before a byte is sent', async () => {
    const server = await serve((_request, response) => response.end('secret'));
    // A resolver that answers text where a list was asked for: what is checked and what is used could part.
    const lying: LookupFunction = (_host, options, done) => {
      const list = [{ address: '8.8.8.8', family: 4 }];
      Object.defineProperty(list[0], 'address', { get: () => (reads++ === 0 ? '8.8.8.8' : '127.0.0.1') });
      if (options.all) done(null, list);
      else done(null, '127.0.0.1', 4);
    };
    let reads = 0;
    expect(await failure(stranger({ lookup: lying }).get(`http://liar.example:${server.port}/`))).toBeInstanceOf(
      RefusedAddressError,
    );
    expect(reads).toBeGreaterThan(1);
    expect(server.asked).toEqual([]);
  });

  test('that resolves to nothing', async () => {
    expect(await failure(stranger({ lookup: resolving() }).get('http://nothing.example/'))).toBeInstanceOf(
      RefusedAddressError,
    );
  });

  test.each(['localhost', 'feeds', 'feeds.internal', 'nas.local'])(
    'that is private as the operator named it (%s) is reached',
    async (host) => {
      const server = await serve((_request, response) => response.end('{}'));
      const url = `http://${host}:${server.port}/feed`;
      expect(await stranger({ named: [url], lookup: resolving('127.0.0.1') }).get(url)).toMatchObject({ text: '{}' });
    },
  );

  test('of a feed that the operator named turned private: two hits on a private server', async () => {
    let address = '192.0.2.1';
    const turning: LookupFunction = (host, options, done) => resolving(address)(host, options, done);
    const server = await serve((_request, response) => response.end('{}'));
    const url = `http://feeds.example.com:${server.port}/feed`;
    const client = stranger({ named: [url], lookup: turning });
    for (address of ['127.0.0.1', '::ffff:127.0.0.1', '169.254.169.254', '168.63.129.16']) {
      const error = await failure(client.get(url));
      expect(error).toBeInstanceOf(RefusedAddressError);
      expect(error.message).toBe(
        `${url}: resolves to an address that is not public (name that address itself, or use --allow-private)`,
      );
    }
    expect(server.asked).toEqual([]);
    address = '127.0.0.1';
    const allowed = stranger({ named: [url], lookup: turning, allowPrivate: true });
    expect(await allowed.get(url)).toMatchObject({ text: '{}' });
  });
});
