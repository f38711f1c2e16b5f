/**
 * Lets threads and processes that tests start from the sources load `.tsx`: Node strips types by itself, and leaves JSX as it
 * is. Loaded by `--import`; the compiler of the bundler is loaded with the first such file. What was compiled is kept in
 * `node_modules/.cache`, for many tests start a thread, and each would compile the same sources.
 */

import { hash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire, enableCompileCache, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

const CACHE = new URL('../node_modules/.cache/compiled/', import.meta.url);

enableCompileCache(fileURLToPath(CACHE));

const require = createRequire(import.meta.url);

registerHooks({
  load(url, context, next) {
    if (!url.endsWith('.tsx')) return next(url, context);
    return { format: 'module', source: compiled(fileURLToPath(url)), shortCircuit: true };
  },
});

function compiled(file: string): string {
  const text = readFileSync(file, 'utf8');
  const known = new URL(`${hash('sha1', `${file}\n${text}`)}.js`, CACHE);
  try {
    return readFileSync(known, 'utf8');
  } catch {
    const code = transformed(file, text);
    keep(code, known);
    return code;
  }
}

function keep(code: string, known: URL): void {
  // Others may be reading it.
  const own = new URL(`${known.href}.${process.pid}.${performance.now()}`);
  try {
    mkdirSync(CACHE, { recursive: true });
    writeFileSync(own, code);
    renameSync(own, known);
  } catch (error) {
    // Another user than the one who installed the packages compiles anew.
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error;
  }
}

function transformed(file: string, text: string): string {
  const { transformSync } = require('rolldown/utils') as typeof import('rolldown/utils');
  const { code, errors } = transformSync(file, text, { jsx: { runtime: 'automatic', importSource: 'hono/jsx' } });
  if (errors.length > 0) throw new SyntaxError(`${file}: ${errors[0]?.message}`);
  return code;
}
