import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { cli } from '../../cli/io.ts';
import { serve } from '../../harvest/attacks/rig.ts';

/** A way out to the network beside the guarded client: one place that forgot to ask would be the hole in all of them. */

const src = fileURLToPath(new URL('../../../src', import.meta.url));
const sources = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => ({
    path: relative(src, join(src, name)).replaceAll('\\', '/'),
    text: readFileSync(join(src, name), 'utf8'),
  }));

/** Modules that can open a connection, or run what can. */
const NETWORK =
  /from\s*['"]((?:node:)?(?:https?|http2|net|tls|dgram|dns|dns\/promises|child_process|inspector)|undici|axios|got|ky|needle|node-fetch|ws|@?[\w/-]*redis[\w/-]*)['"]/g;

/** Who may, and for what. `type` imports and pure helpers of a module count too: the list is short enough to name them. */
const ALLOWED: Record<string, string[]> = {
  'fetch/client.ts': ['node:dns', 'node:net', 'undici'],
  // Types of look-ups and sockets, and isIP.
  'fetch/guard.ts': ['node:dns', 'node:net', 'undici'],
  // isIP and BlockList; the class of a body; the classes of errors.
  'fetch/address.ts': ['node:net'],
  'fetch/body.ts': ['undici'],
  'fetch/deadline.ts': ['undici'],
  // A harvester, a sync and a publish run in child processes: one module forks them, the others name the type.
  'cli/serve/child.ts': ['node:child_process'],
  'cli/serve/harvester.ts': ['node:child_process'],
  'cli/io.ts': ['node:child_process'],
  // The shared cache, at an address of the settings.
  'cache/redis.ts': ['@keyv/redis'],
};
/** What opens no connection: a server, and what reads an address. */
const LISTENING = /^\{ (?:createServer|BlockList|isIP|isIPv6|type \w+)(?:, (?:isIP|isIPv6|type \w+))* \}$/;
/** Inwards: what listens. */
const INWARDS = /^server\//;

/** The script of a page: what it asks, browsers ask, and of the page's own origin alone (its policy says so). */
const BROWSERS = 'server/pages/my/script.ts';

describe('in the sources', () => {
  test('nothing else of the program can open a connection', () => {
    const found = sources
      .filter(({ path }) => !INWARDS.test(path))
      .map(({ path, text }) => [path, [...text.matchAll(NETWORK)].map(([, name]) => name as string).sort()] as const)
      .filter(([, names]) => names.length > 0);
    expect(Object.fromEntries(found)).toEqual(ALLOWED);
  });

  test('nobody calls what the platform has built in, or loads a module by a computed name', () => {
    const calls =
      /(?<![.\w])(?:fetch|XMLHttpRequest|WebSocket|EventSource|getBuiltinModule)\s*\(|\bglobalThis\b|\b(?:net|tls|http|https)\.(?:connect|request|get)\(|\bcreateConnection\(|\bimport\(\s*[^'"\s]/;
    const code = (text: string) =>
      text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'/g, (match) =>
        match.startsWith("'") ? "''" : ' ',
      );
    expect(
      sources
        .filter(({ path, text }) => path !== BROWSERS && calls.test(code(text).replaceAll("import('')", '')))
        .map(({ path }) => path),
    ).toEqual([]);
  });

  test('what listens does not connect: of the network it imports only servers', () => {
    const found = sources
      .filter(({ path }) => INWARDS.test(path))
      .flatMap(({ path, text }) => {
        const imports = [
          ...text.matchAll(/import (type )?([^;]*?) from\s*['"](?:node:)?(?:https?|net|tls|undici)['"]/g),
        ];
        return imports
          .filter(([, type, names]) => type === undefined && !LISTENING.test(names as string))
          .map(() => path);
      });
    expect(found).toEqual([]);
  });
});

describe('every command that takes an address refuses to be led to this machine', () => {
  const commands = [
    ['convert'],
    ['expand', '--from', '2026-11-01', '--to', '2026-12-01'],
    ['hours', '--from', '2026-11-01', '--to', '2026-12-01'],
    ['check'],
    ['publish', '--out', '/nowhere/else'],
    ['sync', '--data', ':', '--feed'],
    ['sync', '--data', ':', '--dataset'],
    ['sync', '--data', ':', '--catalog'],
  ];
  test.each(commands.map((argv) => [argv.filter((word) => !word.startsWith('/') && word !== ':').join(' '), argv]))(
    '%s',
    async (_name, argv) => {
      const inside = await serve((_request, response) => response.end('{"items": [], "next": "x"}'));
      const server = await serve((_request, response) =>
        response.writeHead(302, { location: `${inside.url}/secret` }).end(),
      );
      const data = await mkdtemp(join(tmpdir(), 'oai-path-'));
      const ran = await cli([...argv.map((word) => word.replace(/^:$|^\/nowhere\/else$/, data)), server.url]);
      await rm(data, { recursive: true });
      expect(ran.code).toBe(1);
      expect(ran.err + ran.out).toContain('is not a public address');
      expect(inside.asked).toEqual([]);
      expect(server.asked).not.toEqual([]);
    },
  );
});
