/**
 * The Node of this repository, for whatever Node called npm; it runs before the build, so no newer syntax, please. npm before 11
 * links no program of a package that a folder asks for: it is linked here. And npm leaves out packages of one platform that do
 * not know its own Node, without a word: then our Node installs once more.
 */

const { spawnSync } = require('node:child_process');
const { existsSync, lstatSync, symlinkSync } = require('node:fs');
const { join } = require('node:path');
const { optionalDependencies, version } = require('./node/package.json');

const modules = join(__dirname, '..', 'node_modules');
const target = join(modules, '.bin', 'node');
const name = Object.keys(optionalDependencies).find((one) => existsSync(join(modules, one, 'bin', 'node')));

// npm of Windows links in its own way, and has nothing at bin/node.
if (name !== undefined) {
  const ours = join(modules, name, 'bin', 'node');
  if (lstatSync(target, { throwIfNoEntry: false }) === undefined) symlinkSync(join('..', name, 'bin', 'node'), target);
  const complete = () => spawnSync(ours, ['-e', 'import("rolldown")'], { cwd: modules }).status === 0;
  if (process.versions.node !== version && process.env.npm_execpath !== undefined && !complete()) {
    const { status } = spawnSync(ours, [process.env.npm_execpath, 'ci'], {
      cwd: join(modules, '..'),
      stdio: 'inherit',
    });
    process.exitCode = status === null ? 1 : status;
  }
}
