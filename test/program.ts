import { join } from 'node:path';
import { packageFolder } from '../src/cli/package.ts';

/** The program as its sources are, to be started in a process of its own. */
export const PROGRAM: string = join(packageFolder, 'src/cli/main.ts');

/** Loads pages, which are JSX, from the sources. */
export const NODE_OPTIONS = `--import ${new URL('jsx.ts', import.meta.url)}`;

/** An environment with nothing in it but the above, and where Node keeps compiled code, which halves the cost of a start. */
export const PROGRAM_ENV: { NODE_COMPILE_CACHE: string; NODE_OPTIONS: string } = {
  NODE_OPTIONS,
  NODE_COMPILE_CACHE: join(packageFolder, '.cache/compiled'),
};
