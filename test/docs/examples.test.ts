import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { packageFolder } from '../../src/cli/package.ts';

/** Every function that the library exports shows how it is called: the examples pass the compiler, and run. */

const folder = mkdtempSync(join(tmpdir(), 'oai-examples-'));
afterAll(() => rmSync(folder, { recursive: true }));

const index = join(packageFolder, 'src', 'index.ts');
const EXPORTED = /^export \{([^}]*)\} from '([^']+)'/gm;

/** Functions by name, each with the text of the file that has it. Types, classes and tables have other names. */
function functions(): [name: string, text: string][] {
  return [...readFileSync(index, 'utf8').matchAll(EXPORTED)].flatMap(([, names = '', from = '']) =>
    names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => /^[a-z]\w*$/.test(name))
      .map((name): [string, string] => [name, sourceOf(name, join(packageFolder, 'src', from))]),
  );
}

/** The text of a file, or of the one that it exports the name from. */
function sourceOf(name: string, file: string): string {
  const text = readFileSync(file, 'utf8');
  if (new RegExp(`^export function ${name}\\b`, 'm').test(text)) return text;
  const from = new RegExp(`^import \\{[^}]*\\b${name}\\b[^}]*\\} from '([^']+)'`, 'm').exec(text)?.[1];
  return from === undefined ? '' : sourceOf(name, join(file, '..', from));
}

/** The code of the example in the docstring of a function. */
function exampleOf(name: string, text: string): string | undefined {
  const before = text.slice(0, text.search(new RegExp(`^export function ${name}\\b`, 'm')));
  const docstring = /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*$/.exec(before)?.[0];
  const code = docstring && /@example\n \* ```ts\n([\s\S]*?) \* ```/.exec(docstring)?.[1];
  return code?.replaceAll(/^ \* /gm, '');
}

/** The second module of the package, whose functions are its own. */
const adapter = join(packageFolder, 'src', 'calendar', 'ical-generator.ts');
const ADAPTED = [...readFileSync(adapter, 'utf8').matchAll(/^export function (\w+)/gm)].map(
  ([, name]) => name as string,
);

const all = [...functions(), ...ADAPTED.map((name): [string, string] => [name, sourceOf(name, adapter)])];
const examples = all.map(([name, text]) => ({ name, code: exampleOf(name, text) }));
const named = (names: readonly string[]): string => names.join(', ');

/** What the examples take as given. */
const GIVEN = `
import { readFileSync } from 'node:fs';
import ical from ${JSON.stringify(join(packageFolder, 'node_modules/ical-generator/dist/index.mjs'))};
import { ${named(functions().map(([name]) => name))} } from ${JSON.stringify(index)};
import { ${named(ADAPTED)} } from ${JSON.stringify(adapter)};
import type { Facility, Place, Slot, Zone } from ${JSON.stringify(index)};

const text = readFileSync(${JSON.stringify(join(packageFolder, 'fixtures/feeds/marlowe-session-series/page-1.json'))}, 'utf8');
const places = readFileSync(${JSON.stringify(join(packageFolder, 'fixtures', 'place.json'))}, 'utf8');
const london = zone('Europe/London') as Zone;
const { series, sessions } = join(readInput(text, { zone: 'Europe/London', feed: 'given' }).records).series[0]!;
const place = readInput(places, { zone: 'Europe/London', feed: 'given' })
  .records.map(({ record }) => record)
  .find((record): record is Place => record.kind === 'place')!;
const facility: Facility = { kind: 'facility', id: 'urn:court', type: 'FacilityUse', details: {}, hours: [] };
const venue = placeVenue(place, { zone: london, holidays: undefined });
const slots: Slot[] = [];
const calendar = openingCalendar([venue], () => boundsAround('2026-03-01'), { zone: 'Europe/London' });
`;

test.each(examples)('$name has an example that calls it', ({ name, code }) => {
  expect(code).toMatch(new RegExp(`\\b${name}\\b`));
});

test('the functions of both modules are among them', () => {
  expect(ADAPTED).toEqual(['icalEvents', 'icalTimezone']);
  expect(functions().length).toBeGreaterThan(30);
});

test('the examples pass the compiler, and run', async () => {
  const file = join(folder, 'examples.ts');
  const blocks = examples.map(({ name, code }) => `{ // ${name}\n${code}}\n`);
  writeFileSync(file, `${GIVEN}${blocks.join('')}console.log('all ran');\n`);
  const compiler = join(packageFolder, 'node_modules/typescript/bin/tsc');
  const types = ['--types', 'node', '--typeRoots', join(packageFolder, 'node_modules/@types')];
  const rules = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--target',
    'esnext',
    '--module',
    'nodenext',
    '--allowImportingTsExtensions',
  ];
  const compiled = promisify(execFile)(process.execPath, [compiler, ...rules, '--skipLibCheck', ...types, file]);
  expect(
    await compiled.then(
      () => '',
      (error: { stdout: string }) => error.stdout,
    ),
  ).toBe('');
  expect((await promisify(execFile)(process.execPath, [file])).stdout).toMatch(/all ran\n$/);
});
