import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Measured } from './model.ts';
import { loadTable, measuredTable, programsTable } from './tables.ts';

/**
 * `npm run bench:scale`: the tables of docs/scale.md. `--measure` first measures their inputs on this machine (a minute), and
 * keeps them in `measured.json`; `--proxy` compares the formula of the caches with Debian's nginx (two minutes).
 */

const { values } = parseArgs({ options: { measure: { type: 'boolean' }, proxy: { type: 'boolean' } } });
const file = new URL('measured.json', import.meta.url);

if (values.measure) {
  const { measure } = await import('./measure.ts');
  writeFileSync(file, `${JSON.stringify(await measure(0.01), null, 2)}\n`);
}
const measured = JSON.parse(readFileSync(file, 'utf8')) as Measured & { of: string };
console.log(`${programsTable()}\n\n${measured.of}:\n\n${measuredTable(measured)}\n\n${loadTable(measured)}`);
if (values.proxy) {
  const { passed } = await import('./proxy.ts');
  const [maxAge, seconds] = [4, 120];
  for (const { perSecond, measured: share, formula } of await passed([0.1, 0.5, 2, 8], maxAge, seconds))
    console.log(
      `${perSecond.toFixed(2)} requests a second, max-age=${maxAge}: ${(100 * share).toFixed(1)} % passed nginx, ${(100 * formula).toFixed(1)} % by the formula`,
    );
}
