import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

/** The rules of the house, held by reading the sources: which room may import which, and what pure rooms never touch. */

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const src = join(root, 'src');

/**
 * Rooms and what each may import; `room/file` is that file alone. A room may always import itself, and everything may
 * import `limits`, `errors` and `nearest`.
 */
const ARROWS: Record<string, readonly string[]> = {
  // Times are given their zone, that of their place: which zones there are, and where, must be known. A session may name no
  // series, and be the one that a Schedule generates.
  opportunity: ['recurrence/zone', 'recurrence/templates', 'recurrence/generates', 'hours/place-zone', 'platform'],
  recurrence: ['opportunity'],
  hours: ['opportunity', 'recurrence', 'platform'],
  ical: ['opportunity', 'recurrence'],
  calendar: ['opportunity', 'recurrence', 'hours', 'ical', 'platform'],
  store: ['opportunity', 'recurrence', 'hours', 'calendar', 'ical'],
  harvest: ['opportunity', 'recurrence', 'hours', 'calendar', 'ical', 'store', 'config'],
  publish: ['opportunity', 'recurrence', 'hours', 'calendar', 'ical', 'store', 'config'],
  server: ['opportunity', 'recurrence', 'hours', 'calendar', 'ical', 'store', 'config'],
  cli: ['opportunity', 'recurrence', 'hours', 'calendar', 'ical', 'store', 'harvest', 'publish', 'server', 'config'],
  config: ['opportunity', 'recurrence'],
  index: ['opportunity', 'recurrence', 'hours', 'calendar', 'ical'],
  // What Node does here, and a package does in a bundle for browsers.
  platform: [],
  limits: [],
  errors: [],
  nearest: [],
};
const PURE = ['opportunity', 'recurrence', 'hours', 'calendar', 'ical'];
/** Packages that only compute; of date-holidays, types alone. */
const PURE_PACKAGES = ['luxon', 'ical-generator', 'date-holidays', '@photostructure/tz-lookup'];

/** The clock, the process, the network: what a pure room is given, never takes. */
const IMPURE: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Date.now()', /\bDate\.now\b/],
  ['new Date() of now', /\bnew Date\(\s*\)/],
  ['Date() as a function', /(?<!new )(?<![.\w])Date\(/],
  ['performance', /\bperformance\./],
  ['Math.random', /\bMath\.random\b/],
  ['process', /\bprocess\./],
  ['timers', /\bset(?:Timeout|Interval|Immediate)\(/],
  ['fetch', /(?<![.\w])fetch\(/],
  ['luxon now', /\bDateTime\.(?:now|local|utc)\(\s*\)/],
  ['console', /\bconsole\./],
  ['Buffer', /\bBuffer\b/],
  ['random ids', /\brandom(?:UUID|Bytes|Int)\b/],
];
/** Pages as harvesters have them, in a Buffer; nothing that the library exports reaches these files. */
const OF_HARVESTERS = ['opportunity/pieces.ts', 'opportunity/spans.ts'];
/** The getters that answer in the process's own time zone. */
const LOCAL_TIME =
  /\.(?:get|set)(?:FullYear|Month|Date|Day|Hours|Minutes|Seconds|Milliseconds)\(|\.toLocale(?:Date|Time)?String\(|\.getTimezoneOffset\(/;

/** Longest file, in lines. A longer one stands here with its reason. */
const LONGEST = 350;
const LONGER: Record<string, string> = {};

interface Source {
  path: string;
  room: string;
  text: string;
  /** Without comments and the contents of strings. */
  code: string;
  imports: string[];
}

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Comments and string contents blanked, so that words in them are not taken for code. */
function codeOf(text: string): string {
  const token = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g;
  return text.replace(token, (match) => (match.startsWith('/') ? ' ' : "''"));
}

function importsOf(text: string): string[] {
  const found = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\b[^'"`;]*?from\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g,
  );
  const bare = text.matchAll(/(?:^|\n)import\s+['"]([^'"]+)['"]/g);
  return [...found, ...bare].map((match) => match[1] ?? match[2] ?? '');
}

/** Without `import type`, which leaves nothing behind at run time. */
function valueImportsOf(text: string): string[] {
  return importsOf(text.replaceAll(/(?:^|\n)\s*(?:import|export) type\b[^;]*;/g, '\n'));
}

function sourceOf(path: string): Source {
  const text = readFileSync(path, 'utf8');
  const name = relative(src, path).split(sep).join('/');
  return { path: name, room: roomOf(path), text, code: codeOf(text), imports: importsOf(text) };
}

/** `calendar` for `src/calendar/objects.ts`, `config` for `src/config.ts`. */
function roomOf(path: string): string {
  return (relative(src, path).split(sep)[0] as string).replace(/\.ts$/, '');
}

/** Imports out of the source's room: `{ room: 'recurrence', file: 'recurrence/zone' }`. */
function outsideImports(source: Source): { room: string; file: string }[] {
  return source.imports
    .filter((name) => name.startsWith('.'))
    .map((name) => join(src, dirname(source.path), name))
    .map((path) => ({ room: roomOf(path), file: relative(src, path).split(sep).join('/').replace(/\.ts$/, '') }))
    .filter(({ room }) => room !== source.room);
}

const sources = filesUnder(src).map(sourceOf);
const pure = sources.filter((source) => PURE.includes(source.room) || source.room === 'index');

describe('the arrows between rooms', () => {
  test('every folder of src is a room of the house', () => {
    expect([...new Set(sources.map((source) => source.room))].filter((room) => !(room in ARROWS))).toEqual([]);
  });

  test.each(Object.keys(ARROWS))('%s imports only the rooms it may', (room) => {
    const allowed = new Set([...(ARROWS[room] as string[]), 'limits', 'errors', 'nearest']);
    const broken = sources
      .filter((source) => source.room === room)
      .flatMap((source) => outsideImports(source).map((target) => ({ from: source.path, ...target })))
      .filter(({ room: target, file }) => !allowed.has(target) && !allowed.has(file));
    expect(broken).toEqual([]);
  });

  test('relative imports name the file, with .ts', () => {
    const loose = sources.flatMap((source) =>
      source.imports
        .filter((name) => name.startsWith('.') && !/\.(?:ts|json)$/.test(name))
        .map((name) => `${source.path}: ${name}`),
    );
    expect(loose).toEqual([]);
  });
});

describe('pure rooms', () => {
  test('import no package that does I/O', () => {
    const packages = pure.flatMap((source) =>
      source.imports
        .filter(
          (name) =>
            !name.startsWith('.') && !PURE_PACKAGES.some((known) => name === known || name.startsWith(`${known}/`)),
        )
        .map((name) => `${source.path}: ${name}`),
    );
    expect(packages).toEqual([]);
  });

  test.each(IMPURE)('never touch %s', (_name, pattern) => {
    const touching = pure.filter((source) => pattern.test(source.code)).map((source) => source.path);
    expect(touching.filter((path) => !OF_HARVESTERS.includes(path))).toEqual([]);
  });

  test('never read a date in the time zone of the process', () => {
    expect(pure.filter((source) => LOCAL_TIME.test(source.code)).map((source) => source.path)).toEqual([]);
  });
});

describe('one of each', () => {
  test('one module speaks HTTP outwards', () => {
    const opens = /(?<![.\w])fetch\(|\b(?:net|tls)\.connect\(|\bcreateConnection\(/;
    const clients = sources.filter(
      (source) =>
        valueImportsOf(source.text.replace("import { errors } from 'undici';", '')).some((name) =>
          /^(?:undici|node:https?|node:tls)$/.test(name),
        ) || opens.test(source.code),
    );
    const outwards = clients.map((source) => source.path).filter((path) => !path.startsWith('server/'));
    expect(outwards).toEqual(['harvest/client.ts']);
  });

  test('only the store opens a database', () => {
    const openers = sources.filter((source) =>
      source.imports.some((name) => /^(?:node:sqlite|better-sqlite3|pg)$/.test(name)),
    );
    expect(openers.map((source) => source.room).filter((room) => room !== 'store')).toEqual([]);
  });

  test('only the settings read the environment', () => {
    const readers = sources.filter((source) => /\bprocess\.env\b/.test(source.code)).map((source) => source.path);
    expect(readers.filter((path) => path !== 'config.ts' && !path.startsWith('cli/'))).toEqual([]);
  });
});

describe('the size and the words of the sources', () => {
  const everything = [...filesUnder(src), ...filesUnder(join(root, 'test'))].map((path) => ({
    path: relative(root, path).split(sep).join('/'),
    text: readFileSync(path, 'utf8'),
  }));

  test('a file is a screen to three, or says why it is longer', () => {
    const long = sources
      .filter((source) => source.text.split('\n').length > LONGEST + 1)
      .map((source) => `src/${source.path}`);
    expect(long.filter((path) => !(path in LONGER))).toEqual([]);
    expect(Object.keys(LONGER).filter((path) => !long.includes(path))).toEqual([]);
  });

  test('nothing is left half done or tied to one machine', () => {
    const words = new RegExp(
      ['TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X\\b', '/wo' + 'rk/', '/ro' + 'ot/', '/ho' + 'me/\\w'].join('|'),
    );
    const found = everything.flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, index) => (words.test(line) ? [`${path}:${index + 1}`] : [])),
    );
    expect(found).toEqual([]);
  });
});

/** The reader above must see what it is meant to forbid: a pattern that matches nothing would be green for ever. */
describe('this test itself', () => {
  test('sees imports of every form', () => {
    const text =
      "import a from 'a';\nimport {\n  b,\n} from \"b\";\nexport * from 'c';\nimport 'd';\nconst e = import('e');\nimport type { F } from 'f';";
    expect(importsOf(text).sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    expect(valueImportsOf(text).sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test.each([
    ['Date.now()', 'const t = Date.now();'],
    ['new Date() of now', 'const t = new Date();'],
    ['Date() as a function', 'const t = Date();'],
    ['process', 'process.exit(1)'],
    ['timers', 'setTimeout(f, 1)'],
    ['fetch', 'await fetch(url)'],
    ['luxon now', 'DateTime.local()'],
    ['Math.random', 'Math.random()'],
    ['Buffer', "Buffer.from('a')"],
  ])('finds %s', (name, code) => {
    expect(IMPURE.find(([known]) => known === name)?.[1].test(codeOf(code))).toBe(true);
  });

  test('does not take words in comments and strings for code', () => {
    expect(codeOf("// Date.now()\nconst s = 'process.env';")).not.toMatch(/Date\.now|process/);
    expect(LOCAL_TIME.test('d.getHours()')).toBe(true);
    expect(LOCAL_TIME.test('d.getUTCHours()')).toBe(false);
  });
});
