/**
 * Lets threads that tests start from the sources load `.tsx`: Node strips types by itself, and leaves JSX as it is. Loaded by
 * `--import`; the compiler of the bundler is loaded with the first such file.
 */

import { readFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);

registerHooks({
  load(url, context, next) {
    if (!url.endsWith('.tsx')) return next(url, context);
    const { transformSync } = require('rolldown/utils') as typeof import('rolldown/utils');
    const file = fileURLToPath(url);
    const { code, errors } = transformSync(file, readFileSync(file, 'utf8'), {
      jsx: { runtime: 'automatic', importSource: 'hono/jsx' },
    });
    if (errors.length > 0) throw new SyntaxError(`${file}: ${errors[0]?.message}`);
    return { format: 'module', source: code, shortCircuit: true };
  },
});
