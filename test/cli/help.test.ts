import { describe, expect, test } from 'vitest';
import { cli } from './io.ts';

const overview = (await cli(['--help'])).out;
const COMMANDS = [...overview.matchAll(/^ {2}([a-z]+) +\S/gm)].map(([, name]) => name as string);

/** The words of a command line; examples quote nothing. */
const words = (line: string) => line.replace(/ >.*$/, '').split(/\s+/);

/** Example lines of a command's help, without the program's name. */
async function examplesOf(name: string): Promise<string[]> {
  const { out } = await cli([name, '--help']);
  const after = out.slice(out.indexOf('\nExamples:\n'));
  return [...after.matchAll(/^ {2}openactive-ical (.*)$/gm)].map(([, line]) => line as string);
}

describe.each(COMMANDS)('%s --help', (name) => {
  test('shows two examples or more, and every flag in them exists', async () => {
    const examples = await examplesOf(name);
    expect(examples.length).toBeGreaterThanOrEqual(2);
    for (const line of examples) {
      expect(words(line)[0]).toBe(name);
      expect(await cli([...words(line), '--help'])).toMatchObject({ code: 0, err: '' });
    }
  });

  test('fits 80 columns, and a narrower terminal', async () => {
    for (const width of [undefined, 60]) {
      const { out } = await cli([name, '--help'], width === undefined ? {} : { width });
      // A line to copy is not wrapped.
      const free = width === undefined ? out : out.slice(0, out.indexOf('\nExamples:\n'));
      for (const line of free.split('\n')) expect(line.length, line).toBeLessThanOrEqual(width ?? 80);
    }
  });
});

test('the overview fits 80 columns', () => {
  for (const line of overview.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
});

test('sync lists no flags of a server', async () => {
  const { out } = await cli(['sync', '--help']);
  for (const flag of ['--port', '--host', '--role', '--base-url', '--republish']) expect(out).not.toContain(flag);
  expect((await cli(['sync', '--port', '80'])).err).toContain('there is no option --port');
});

describe('a mistyped word gets the nearest', () => {
  test.each([
    ['snyc', 'there is no command "snyc" (did you mean sync?)'],
    ['expand --form 2026-01-01 a', 'expand: there is no option --form (did you mean --from?)'],
    ['sync --dataset-url x', 'sync: there is no option --dataset-url (did you mean --dataset?)'],
    ['check --format tabel a', 'allowed are table, jsonl (did you mean table?)'],
  ])('%s', async (line, words) => {
    const { code, err } = await cli(line.split(' '));
    expect(code).toBe(2);
    expect(err).toContain(words);
  });

  test('also a setting of the environment', async () => {
    const { err } = await cli(['config'], { env: { OPENACTIVE_ICAL_PROT: '1' } });
    expect(err).toContain('OPENACTIVE_ICAL_PROT is not a setting (did you mean OPENACTIVE_ICAL_PORT?)');
  });
});
