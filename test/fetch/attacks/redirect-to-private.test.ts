import { describe, expect, test } from 'vitest';
import { RedirectError, RefusedAddressError } from '../../../src/errors.ts';
import { failure, naming, serve, stranger } from '../../harvest/attacks/rig.ts';

/** A public address that leads to a private one, by one step or many. */
describe('redirects', () => {
  test('to another origin on this machine', async () => {
    const other = await serve((_request, response) => response.end('secret'));
    const server = await serve((_request, response) => response.writeHead(302, { location: other.url }).end());
    expect(await failure(naming(server).get(server.url))).toBeInstanceOf(RefusedAddressError);
    expect(other.asked).toEqual([]);
    expect(await naming(server, { allowPrivate: true }).get(server.url)).toMatchObject({ text: 'secret' });
  });

  const targets = [
    'http://localhost:$/',
    'http://0x7f000001:$/',
    'http://[::ffff:7f00:1]:$/',
    '//127.1.1.1:$/',
    'http://x@127.0.0.2:$/',
  ];
  test.each(targets)('to %s', async (target) => {
    const other = await serve((_request, response) => response.end('secret'));
    const location = target.replace('$', String(other.port));
    const server = await serve((_request, response) => response.writeHead(302, { location }).end());
    expect(await failure(naming(server).get(server.url))).toBeInstanceOf(RefusedAddressError);
    expect(other.asked).toEqual([]);
  });

  test('at the third step, after two at home', async () => {
    const other = await serve((_request, response) => response.end('secret'));
    const server = await serve((request, response) => {
      const next: Record<string, string> = { '/1': '/2', '/2': '/3', '/3': other.url };
      response.writeHead(307, { location: next[request.url ?? ''] }).end();
    });
    expect(await failure(naming(server).get(`${server.url}/1`))).toBeInstanceOf(RefusedAddressError);
    expect(server.asked).toHaveLength(3);
    expect(other.asked).toEqual([]);
  });

  test('five hops are followed, a sixth is not, nor a circle', async () => {
    const server = await serve((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end('there');
      else response.writeHead(302, { location: `/${left > 9 ? left : left - 1}` }).end();
    });
    expect(await naming(server).get(`${server.url}/5`)).toMatchObject({ text: 'there' });
    expect(await failure(naming(server).get(`${server.url}/6`))).toBeInstanceOf(RedirectError);
    expect(await failure(naming(server).get(`${server.url}/10`))).toBeInstanceOf(RedirectError);
  });

  test("the operator's headers and password stay at their origin, also on the way back", async () => {
    const other = await serve((_request, response) => response.writeHead(302, { location: `${first.url}/end` }).end());
    const first = await serve((request, response) => {
      if (request.url === '/a') response.writeHead(302, { location: '/b' }).end();
      else if (request.url === '/end') response.end('{}');
      else response.writeHead(302, { location: `${other.url.replace('//', '//x:y@')}/c` }).end();
    });
    const client = stranger({ named: [first.url, other.url] });
    await client.get(`${first.url.replace('//', '//me:pw@')}/a`, { headers: { 'X-Key': 'k', Cookie: 'c' } });
    expect(first.asked[1]?.headers).toMatchObject({ 'x-key': 'k', cookie: 'c', authorization: expect.any(String) });
    for (const asked of [other.asked[0], first.asked[2]]) {
      expect(Object.keys(asked?.headers ?? {})).not.toEqual(expect.arrayContaining(['x-key']));
      expect(asked?.headers).not.toHaveProperty('authorization');
      expect(asked?.headers).not.toHaveProperty('cookie');
    }
  });
});
