import { createReadStream } from 'node:fs';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readInputOctets, readSource } from '../../src/cli/io.ts';
import { BodyTooLargeError, RefusedAddressError, SourceError, StatusError } from '../../src/errors.ts';
import { type FaultServer, faultServer } from '../harvest/ingest/faults.ts';
import { testIo } from './io.ts';

let folder: string;
let server: FaultServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oai-io-'));
  server = await faultServer((request, response) => {
    if (request.url === '/out') response.writeHead(302, { location: `http://localhost:${server.port}/` }).end();
    else if (request.url === '/gone') response.writeHead(404).end();
    else response.end('{"é": 1}');
  });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

describe('a source is', () => {
  test('a file, without its byte order mark', async () => {
    const path = join(folder, 'a.json');
    await writeFile(path, '\uFEFF{"é": 1}');
    expect(await readSource(path, testIo())).toBe('{"é": 1}');
  });

  test('standard input, with characters across its pieces', async () => {
    const bytes = new TextEncoder().encode('"é"');
    const stdin = [...bytes].map((byte) => Uint8Array.of(byte));
    expect(await readSource('-', testIo({ stdin }))).toBe('"é"');
  });

  test('an address, also a private one: the person named it', async () => {
    expect(await readSource(server.url, testIo())).toBe('{"é": 1}');
    expect(await readSource(server.url.replace('http', 'HTTP'), testIo())).toBe('{"é": 1}');
  });
});

describe('what it may not be', () => {
  test('larger than the limit', async () => {
    const path = join(folder, 'big.json');
    await writeFile(path, 'x'.repeat(101));
    await expect(readSource(path, testIo(), { limit: 100 })).rejects.toThrow(SourceError);
    await expect(readSource('-', testIo({ stdin: ['x'.repeat(60), 'x'.repeat(60)] }), { limit: 100 })).rejects.toThrow(
      SourceError,
    );
    await expect(readSource(server.url, testIo(), { limit: 5 })).rejects.toThrow(BodyTooLargeError);
  });

  test('led to a private address by a redirect', async () => {
    await expect(readSource(`${server.url}/out`, testIo())).rejects.toThrow(RefusedAddressError);
    expect(await readSource(`${server.url}/out`, testIo(), { allowPrivate: true })).toBe('{"é": 1}');
  });

  test('a link to itself, a path through a file, and a folder as standard input', async () => {
    await symlink(join(folder, 'loop'), join(folder, 'loop'));
    await writeFile(join(folder, 'file'), '');
    await expect(readSource(join(folder, 'loop'), testIo())).rejects.toThrow(
      /\/loop: is a symbolic link that leads back /,
    );
    await expect(readSource(join(folder, 'file', 'a'), testIo())).rejects.toThrow(
      /\/a: there is no such file: one of /,
    );
    const stdin = createReadStream(folder);
    await expect(readSource('-', { ...testIo(), stdin })).rejects.toThrow(/^standard input: is a folder, /);
    await expect(readInputOctets({ ...testIo(), stdin: createReadStream(folder) })).rejects.toThrow(/: is a folder, /);
  });

  test('not there', async () => {
    await expect(readSource(join(folder, 'no'), testIo())).rejects.toThrow(/: there is no such file$/);
    await expect(readSource(folder, testIo())).rejects.toThrow(/: is a folder, a file is needed here$/);
    await expect(readSource(`${server.url}/gone`, testIo())).rejects.toThrow(StatusError);
  });
});
