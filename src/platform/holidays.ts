import { createRequire } from 'node:module';
import type Holidays from 'date-holidays';

const load = createRequire(import.meta.url);

/**
 * date-holidays, loaded when first needed: a tenth of a second and 25 MB, and nearly no place names public holidays. In a
 * bundle for browsers `holidays-browser.ts` takes the place of this file (`browser` in package.json).
 */
export function holidayLibrary(): typeof Holidays {
  return load('#date-holidays') as typeof Holidays;
}
