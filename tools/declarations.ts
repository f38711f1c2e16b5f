/**
 * Deletes the declarations that nobody can import: all that `dist/index.d.ts` and the adapter for ical-generator do not reach.
 * Runs at the end of a build.
 */

import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

const IMPORTED = /from ['"](\.[^'"]+)['"]|import\(['"](\.[^'"]+)['"]\)/g;

const reached = new Set<string>();
const waiting = ['dist/index.d.ts', 'dist/calendar/ical-generator.d.ts'];
for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
  if (reached.has(file) || !existsSync(file)) continue;
  reached.add(file);
  for (const [, from, inline] of readFileSync(file, 'utf8').matchAll(IMPORTED))
    waiting.push(join(dirname(file), (from ?? inline ?? '').replace(/\.[jt]sx?$/, '.d.ts')));
}
for (const name of readdirSync('dist', { recursive: true, encoding: 'utf8' })) {
  const file = join('dist', name);
  if (file.endsWith('.d.ts') && !reached.has(file)) rmSync(file);
}
