/**
 * Takes blanks out of the built modules and data, and shortens names of variables. Statements, and names of functions, classes
 * and modules stay. Modules of types alone are deleted: they are empty, and nothing but `export *` names them. So the installed
 * package takes less than 40 MB. Runs at the end of a build.
 */

import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { minifySync } from 'rolldown/utils';

for (const name of readdirSync('dist', { recursive: true, encoding: 'utf8' })) {
  const file = join('dist', name);
  if (name.endsWith('.json')) writeFileSync(file, JSON.stringify(JSON.parse(readFileSync(file, 'utf8'))));
  if (!name.endsWith('.js')) continue;
  const options = {
    module: true,
    compress: false,
    mangle: { toplevel: true, keepNames: true },
    codegen: { removeWhitespace: true },
  };
  const { code, errors } = minifySync(file, readFileSync(file, 'utf8'), options);
  if (errors.length > 0) throw new Error(`${file}: ${errors.map(({ message }) => message).join('; ')}`);
  writeFileSync(file, code);
}

const EMPTY = 'export{};';
const modules = readdirSync('dist', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.js'))
  .map((name) => join('dist', name));
const texts = new Map(modules.map((file) => [file, readFileSync(file, 'utf8')]));
const isEmpty = (file: string) => texts.get(file)?.trim() === EMPTY;
for (const [file, text] of texts) {
  const other = text.replaceAll(/export\*from"([^"]+)";/g, (whole, name) =>
    isEmpty(join(dirname(file), name)) ? '' : whole,
  );
  if (other === text) continue;
  texts.set(file, other);
  writeFileSync(file, other);
}
const imported = new Set(
  [...texts].flatMap(([file, text]) =>
    [...text.matchAll(/["'`](\.{1,2}\/[^"'`]+\.js)["'`]/g)].map(([, name = '']) => join(dirname(file), name)),
  ),
);
for (const file of modules) if (isEmpty(file) && !imported.has(file)) rmSync(file);
