import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { cli } from './cli/io.ts';

/**
 * Every `name.json` of the folder is converted, and must give `name.ics` octet for octet. UPDATE_FIXTURES=1 writes what
 * comes out; look at the difference before it is committed.
 */
const folder = fileURLToPath(new URL('../fixtures/', import.meta.url));
const inputs = readdirSync(folder).filter((name) => name.endsWith('.json'));

describe('the fixtures', () => {
  test.each(inputs)('%s gives its calendar', async (name) => {
    const { code, out } = await cli(['convert', '-'], { stdin: [readFileSync(join(folder, name), 'utf8')] });
    expect(code).toBe(0);
    const file = join(folder, name.replace(/json$/, 'ics'));
    if (process.env.UPDATE_FIXTURES === '1') writeFileSync(file, out);
    expect(out).toBe(readFileSync(file, 'utf8'));
  });

  test('are pairs', () => {
    const outputs = readdirSync(folder).filter((name) => name.endsWith('.ics'));
    expect(inputs.length).toBeGreaterThan(8);
    expect(outputs.filter((name) => !existsSync(join(folder, name.replace(/ics$/, 'json'))))).toEqual([]);
  });
});
