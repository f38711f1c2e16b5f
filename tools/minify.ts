/**
 * Takes blanks out of the built modules and shortens names within functions; statements, and names of functions, classes and
 * modules stay. So the installed package takes less than 40 MB. Runs at the end of a build.
 */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { minifySync } from 'rolldown/utils';

for (const name of readdirSync('dist', { recursive: true, encoding: 'utf8' })) {
  if (!name.endsWith('.js')) continue;
  const file = join('dist', name);
  const options = {
    module: true,
    compress: false,
    mangle: { toplevel: false, keepNames: true },
    codegen: { removeWhitespace: true },
  };
  const { code, errors } = minifySync(file, readFileSync(file, 'utf8'), options);
  if (errors.length > 0) throw new Error(`${file}: ${errors.map(({ message }) => message).join('; ')}`);
  writeFileSync(file, code);
}
