/**
 * Makes dist/date-holidays.cjs: date-holidays and what it needs in one file of 0.8 MB, for its packages take 50 MB where
 * they are installed. The licences of all of them go beside it. Of the clocks of the world it has those of 1970 to 2030: no
 * date of a holiday hangs on others (test/slow/package.test.ts).
 */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const folder = fileURLToPath(new URL('../', import.meta.url));
const file = join(folder, 'dist/date-holidays.cjs');

/** The folder of the package that a module is in. */
const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+\//;

function licenceOf(path: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as Record<
    string,
    string
  >;
  const texts = readdirSync(path)
    .filter((entry) => /^licen[cs]e/i.test(entry))
    .map((entry) => readFileSync(join(path, entry), 'utf8'));
  return [`${name} ${version} (${license})`, ...texts].join('\n\n');
}

const clocks = join(folder, 'node_modules/moment-timezone/builds/moment-timezone-with-data-1970-2030.js');
const resolve = { alias: { 'moment-timezone': clocks } };
const bundle = await rolldown({ input: 'date-holidays', cwd: folder, platform: 'browser', resolve });
const { output } = await bundle.write({ file, format: 'cjs', exports: 'default', minify: true });
await bundle.close();

const [{ imports, moduleIds }] = output;
if (imports.length > 0) throw new Error(`date-holidays asks for more than is in the bundle: ${imports}`);
const packages = new Set(moduleIds.flatMap((id) => PACKAGE.exec(id.replaceAll('\\', '/'))?.[0] ?? []));
const licences = [...packages].sort().map(licenceOf);
writeFileSync(`${file}.LICENSES.txt`, licences.join(`\n\n${'-'.repeat(80)}\n\n`));
