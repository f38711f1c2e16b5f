import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import {
  circlesOfFiles,
  circlesOfRooms,
  codeOf,
  crowdedFolders,
  filesUnder,
  forbiddenArrows,
  helpersWith,
  idleExports,
  importsOf,
  looseImports,
  namesWith,
  repeatedNames,
  sideEntrances,
  smallFiles,
  sourcesOf,
} from './architecture/house.ts';

/** The rules of the house, held by reading the sources: which room may import which, and what pure rooms never touch. */

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const src = join(root, 'src');

/** Rooms from the ground up, and what each may import besides itself. */
const ARROWS: Record<string, readonly string[]> = {
  limits: [],
  errors: [],
  'bounded-map': [],
  'entity-tags': [],
  'database-schemes': [],
  nearest: [],
  time: [],
  process: [],
  // What Node does here, and a package does in a bundle for browsers.
  platform: [],
  vocabulary: [],
  opportunity: ['time', 'platform'],
  recurrence: ['time', 'opportunity'],
  join: ['time', 'platform', 'opportunity', 'recurrence'],
  hours: ['time', 'platform', 'opportunity'],
  ical: ['time', 'opportunity'],
  search: ['time', 'vocabulary', 'opportunity'],
  calendar: ['time', 'vocabulary', 'platform', 'opportunity', 'recurrence', 'hours', 'ical', 'search'],
  validate: ['time', 'vocabulary', 'opportunity'],
  fetch: [],
  cache: [],
  store: ['time', 'process', 'opportunity', 'join', 'search'],
  library: [
    'time',
    'vocabulary',
    'platform',
    'search',
    'opportunity',
    'recurrence',
    'hours',
    'ical',
    'calendar',
    'store',
  ],
  revision: [
    'time',
    'process',
    'platform',
    'search',
    'opportunity',
    'recurrence',
    'join',
    'hours',
    'calendar',
    'store',
  ],
  harvest: ['time', 'process', 'vocabulary', 'opportunity', 'join', 'hours', 'calendar', 'fetch', 'store', 'revision'],
  publish: ['time', 'process', 'vocabulary', 'opportunity', 'recurrence', 'join', 'hours', 'ical', 'calendar', 'store'],
  dav: ['time', 'platform', 'opportunity', 'recurrence', 'ical', 'calendar', 'library'],
  server: [
    'time',
    'process',
    'vocabulary',
    'platform',
    'search',
    'opportunity',
    'recurrence',
    'hours',
    'ical',
    'calendar',
    'store',
    'library',
    'dav',
    'cache',
  ],
  config: ['time', 'opportunity'],
  index: ['time', 'opportunity', 'recurrence', 'join', 'hours', 'ical', 'calendar'],
  cli: [
    'time',
    'process',
    'vocabulary',
    'opportunity',
    'recurrence',
    'join',
    'hours',
    'ical',
    'calendar',
    'validate',
    'fetch',
    'store',
    'library',
    'revision',
    'harvest',
    'publish',
    'server',
    'config',
    'cache',
  ],
};
/** What every room may import. */
const EVERYBODY = ['limits', 'errors', 'nearest', 'bounded-map', 'entity-tags', 'database-schemes'];
const PURE = [
  'time',
  'vocabulary',
  'opportunity',
  'recurrence',
  'join',
  'hours',
  'ical',
  'search',
  'calendar',
  'validate',
];
/** Rooms that another room enters by `index.ts` alone. */
const ENTERED = [
  'validate',
  'fetch',
  'cache',
  'store',
  'library',
  'revision',
  'harvest',
  'publish',
  'dav',
  'server',
  'cli',
];
/** Second entrances, with the reason of each. */
const ENTRANCES: Record<string, string> = {
  'fetch/decode.ts': 'worker threads read pages without an HTTP client',
  'store/bundles.ts': 'worker threads pack items without a database',
  'store/document-row.ts': 'worker threads make rows of the search index without a database',
  'store/sql/body-text.ts': 'worker threads pack records without a database',
  'revision/records/prepared.ts': 'worker threads prepare records without a store',
};
const MOST_FILES = 15;
const FEWEST_LINES = 20;
/** Smaller files, with the reason of each. */
const SMALL: Record<string, string> = {
  'database-schemes.ts': 'settings and store share it, and neither imports the other',
  'cli/serve/parent-worker.ts': 'a thread begins in a file of its own',
  'platform/date-holidays.d.ts': 'the types of one module',
  'platform/hash-browser.ts': 'takes the place of one file in a bundle for browsers',
  'platform/hash.ts': 'gives its place to one file in a bundle for browsers',
  'platform/holidays-browser.ts': 'takes the place of one file in a bundle for browsers',
  'platform/holidays.ts': 'gives its place to one file in a bundle for browsers',
  'cli/package.ts': 'the folder of the package is found from its own place',
  'store/sqlite/check-worker.ts': 'a thread begins in a file of its own',
  'store/sqlite/checkpoint-worker.ts': 'a thread begins in a file of its own',
};
/** Packages that only compute; of date-holidays, types alone. */
const PURE_PACKAGES = ['luxon', 'ical-generator', 'date-holidays', 'jsonc-parser', '@photostructure/tz-lookup', 'zod'];

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
const OF_HARVESTERS = ['opportunity/page/item-spans.ts', 'opportunity/page/pieces.ts'];
/** The getters that answer in the process's own time zone. */
const LOCAL_TIME =
  /\.(?:get|set)(?:FullYear|Month|Date|Day|Hours|Minutes|Seconds|Milliseconds)\(|\.toLocale(?:Date|Time)?String\(|\.getTimezoneOffset\(/;

/** Longest file, in lines. A longer one stands here with its reason. */
const LONGEST = 350;
const LONGER: Record<string, string> = {};

/** Files that may each have a function, type or class of one name. */
const MOST_NAMESAKES = 3;
/** Words of ours that no name in the code has: the field has better ones. */
const PRIVATE_WORDS = new Set(
  'door doors mark marks marked said told heir heirs look looks looked lost breathe parcel parcels settle settles touched'.split(
    ' ',
  ),
);
/** Files whose casts go through `unknown`, which checks nothing, with the reason of each. */
const UNCHECKED: Record<string, string> = {
  'cli/args.ts': 'values are checked against the options that they have the type of',
  'cli/settings.ts': 'a row of the table, whichever setting it is of',
  'search/values/filter-types.ts': 'zod infers a number, of which the names are those of weekdays',
  'store/sqlite/connection.ts': 'the types of Node know no rows that are arrays',
};
/** Names that have one all the same, with the reason of each. */
const WORDED: Record<string, string> = {
  'harvest/discovery/discover.ts: said': 'a key of JSON that stores keep',
};

/** A package or a part of it. */
const isOf = (name: string, known: string) => name === known || name.startsWith(`${known}/`);

const sources = sourcesOf(src);
const pure = sources.filter((source) => PURE.includes(source.room) || source.room === 'index');

describe('the rooms', () => {
  test('every folder of src is a room of the house', () => {
    expect([...new Set(sources.map(({ room }) => room))].filter((room) => !(room in ARROWS))).toEqual([]);
  });

  test('may be entered in one order', () => {
    expect(circlesOfRooms(ARROWS)).toEqual([]);
  });

  test('import only the rooms they may, for a type too', () => {
    expect(forbiddenArrows(sources, ARROWS, EVERYBODY)).toEqual([]);
  });

  test('hold no circle of files, types counted', () => {
    expect(circlesOfFiles(sources)).toEqual([]);
  });

  test('with I/O are entered by their index.ts', () => {
    expect(sideEntrances(sources, ENTERED, ENTRANCES)).toEqual([]);
    const imported = new Set(sources.flatMap(({ imports }) => imports.map(({ file }) => file)));
    expect(Object.keys(ENTRANCES).filter((file) => !imported.has(file))).toEqual([]);
  });

  test('relative imports name the file, with .ts', () => {
    expect(looseImports(src, sources)).toEqual([]);
  });

  test.each(['src', 'test'])('no folder of %s holds more than 15 files', (name) => {
    expect(crowdedFolders(join(root, name), MOST_FILES)).toEqual([]);
  });
});

describe('pure rooms', () => {
  test('import no package that does I/O', () => {
    const packages = pure.flatMap((source) =>
      source.imports
        .filter(({ name, file }) => file === undefined && !PURE_PACKAGES.some((known) => isOf(name, known)))
        .map(({ name }) => `${source.path}: ${name}`),
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
        importsOf(source.text.replace("import { errors } from 'undici';", '')).some(
          ({ name, isType }) => !isType && /^(?:undici|node:https?|node:tls)$/.test(name),
        ) || opens.test(source.code),
    );
    const outwards = clients.map((source) => source.path).filter((path) => !path.startsWith('server/'));
    expect(outwards).toEqual(['fetch/client.ts']);
  });

  test('only the store opens a database', () => {
    const openers = sources.filter((source) =>
      source.imports.some(({ name }) => /^(?:node:sqlite|better-sqlite3|pg)$/.test(name)),
    );
    expect(openers.map((source) => source.room).filter((room) => room !== 'store')).toEqual([]);
  });

  test('only the server speaks HTTP inwards', () => {
    const speakers = sources.filter((source) =>
      source.imports.some(({ name }) => /^(?:hono|@hono)(?:\/|$)/.test(name)),
    );
    expect(speakers.map((source) => source.path).filter((path) => !path.startsWith('server/'))).toEqual([]);
  });

  test('only the settings read the environment', () => {
    const readers = sources.filter((source) => /\bprocess\.env\b/.test(source.code)).map((source) => source.path);
    expect(readers.filter((path) => path !== 'config.ts' && !path.startsWith('cli/'))).toEqual([]);
  });
});

describe('the size and the words of the sources', () => {
  const everything = ['src', 'test']
    .flatMap((folder) => filesUnder(join(root, folder)).map((path) => `${folder}/${path}`))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

  test('a file is a screen to three, or says why it is longer', () => {
    const long = sources
      .filter((source) => source.text.split('\n').length > LONGEST + 1)
      .map((source) => `src/${source.path}`);
    expect(long.filter((path) => !(path in LONGER))).toEqual([]);
    expect(Object.keys(LONGER).filter((path) => !long.includes(path))).toEqual([]);
  });

  test('a file under 20 lines says why it stands alone', () => {
    const small = smallFiles(sources, FEWEST_LINES);
    expect(small.filter((path) => !(path in SMALL))).toEqual([]);
    expect(Object.keys(SMALL).filter((path) => !small.includes(path))).toEqual([]);
  });

  test('no name is that of functions, types or classes in four files', () => {
    expect(repeatedNames(sources, MOST_NAMESAKES)).toEqual([]);
  });

  test('no cast goes through unknown but for a reason', () => {
    const found = sources.filter(({ code }) => /\bas unknown as\b/.test(code)).map(({ path }) => path);
    expect(found).toEqual(Object.keys(UNCHECKED));
  });

  test('nothing is exported for nobody', () => {
    const others = everything.filter(({ path }) => path.startsWith('test/')).map(({ text }) => text);
    expect(idleExports(sources, others, 'index.ts')).toEqual([]);
  });

  test('no name has a private word in it', () => {
    const found = namesWith(PRIVATE_WORDS, sources);
    expect(found.filter((name) => !(name in WORDED))).toEqual([]);
    expect(Object.keys(WORDED).filter((name) => !found.includes(name))).toEqual([]);
  });

  test('no helper of tests has a private word in its name', () => {
    expect(helpersWith(PRIVATE_WORDS, sourcesOf(join(root, 'test')))).toEqual([]);
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

/** The rules must find what they forbid: one that finds nothing would be green for ever. */
describe('this test itself', () => {
  const folders: string[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
  });

  function tree(files: Record<string, string>): string {
    const folder = mkdtempSync(join(tmpdir(), 'oai-house-'));
    folders.push(folder);
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    return folder;
  }

  const RULES = { low: [], high: ['low'] };
  const HOUSE = {
    'low/a.ts': "import { x } from './b.ts';\nimport { y } from '../shared.ts';",
    'low/b.ts': 'export const x = 1;',
    'low/index.ts': "export { x } from './b.ts';",
    'high/c.ts': "import type { x } from '../low/index.ts';",
    'shared.ts': 'export const y = 1;',
  };

  test('finds nothing in a house in order', () => {
    const folder = tree(HOUSE);
    const found = sourcesOf(folder);
    expect(forbiddenArrows(found, RULES, ['shared'])).toEqual([]);
    expect(circlesOfFiles(found)).toEqual([]);
    expect(sideEntrances(found, ['low'], {})).toEqual([]);
    expect(looseImports(folder, found)).toEqual([]);
    expect(crowdedFolders(folder, 3)).toEqual([]);
    expect(circlesOfRooms(RULES)).toEqual([]);
  });

  test.each([
    ['a value', "import { c } from '../high/c.ts';"],
    ['a type', "import type { c } from '../high/c.ts';"],
    ['what is handed on', "export { c } from '../high/c.ts';"],
    ['what is loaded later', "const c = await import('../high/c.ts');"],
    ['an import of several lines', "import {\n  c,\n} from '../high/c.ts';"],
  ])('finds an arrow upwards: %s', (_name, text) => {
    const found = sourcesOf(tree({ ...HOUSE, 'low/b.ts': text }));
    expect(forbiddenArrows(found, RULES, ['shared'])).toEqual(['low/b.ts -> high/c.ts']);
  });

  test('finds a room that no rule names', () => {
    const found = sourcesOf(tree({ ...HOUSE, 'other/d.ts': "import '../low/index.ts';" }));
    expect(forbiddenArrows(found, RULES, ['shared'])).toEqual(['other/d.ts -> low/index.ts']);
  });

  test('finds a circle of files that types alone close, through a third', () => {
    const found = sourcesOf(
      tree({
        ...HOUSE,
        'low/b.ts': "import { d } from './d.ts';\nexport const x = d;",
        'low/d.ts': "import type { a } from './a.ts';",
      }),
    );
    expect(circlesOfFiles(found)).toEqual([['low/a.ts', 'low/b.ts', 'low/d.ts']]);
  });

  test('finds rooms that may import each other', () => {
    expect(circlesOfRooms({ a: ['b'], b: ['c'], c: ['a'], d: ['a'] })).toEqual([['a', 'b', 'c']]);
  });

  test('finds a side entrance, and lets one with a reason be', () => {
    const found = sourcesOf(tree({ ...HOUSE, 'high/c.ts': "import type { x } from '../low/b.ts';" }));
    expect(sideEntrances(found, ['low'], {})).toEqual(['high/c.ts -> low/b.ts']);
    expect(sideEntrances(found, ['low'], { 'low/b.ts': 'a reason' })).toEqual([]);
  });

  test('finds a crowded folder, whatever is in it', () => {
    expect(crowdedFolders(tree(HOUSE), 2)).toEqual(['low: 3']);
    expect(crowdedFolders(tree({ 'low/a.sql': '', 'low/b.json': '' }), 1)).toEqual(['low: 2']);
  });

  test('finds imports that name no file', () => {
    const folder = tree({ ...HOUSE, 'low/b.ts': "import './none.ts';\nimport { a } from './a';" });
    expect(looseImports(folder, sourcesOf(folder)).sort()).toEqual(['low/b.ts: ./a', 'low/b.ts: ./none.ts']);
  });

  test('finds small files', () => {
    expect(smallFiles(sourcesOf(tree(HOUSE)), 2).sort()).toEqual(['high/c.ts', 'low/b.ts', 'shared.ts']);
  });

  test('finds names that too many files give to functions, types and classes', () => {
    const found = sourcesOf(
      tree({
        'low/a.ts': 'function same() {}\nexport const other = (x: number): number => x;\ninterface Like {}',
        'low/b.ts': 'export async function same() {}\n// function other() {}\nexport type Like = 1;',
        'low/c.ts': 'const same = <T>(x: T): T => x;\n  function other() {}\nexport abstract class Like {}',
      }),
    );
    expect(repeatedNames(found, 2)).toEqual([
      'same: low/a.ts, low/b.ts, low/c.ts',
      'Like: low/a.ts, low/b.ts, low/c.ts',
    ]);
  });

  test('finds what is exported for nobody, though an index.ts hands it on', () => {
    const found = sourcesOf(
      tree({
        ...HOUSE,
        'low/b.ts': 'export const x = 1;\nexport function idle() {}\n// idle',
        'low/index.ts': "export { idle, x } from './b.ts';",
        'index.ts': "export { z } from './low/d.ts';",
        'low/d.ts': 'export class z {}\nexport const tested = 1;',
      }),
    );
    expect(idleExports(found, ['tested();'], 'index.ts').sort()).toEqual(['low/b.ts: idle']);
  });

  test('finds words in names, and leaves longer ones be', () => {
    const found = sourcesOf(
      tree({ 'low/a.ts': "const sessionMark = MARK_CODE + markup + outlook + lookup; // mark\nconst x = 'mark';" }),
    );
    expect(namesWith(new Set(['mark', 'look']), found)).toEqual(['low/a.ts: sessionMark', 'low/a.ts: MARK_CODE']);
  });

  test('finds words in the names of helpers, and lets what is local be', () => {
    const found = sourcesOf(tree({ 'low/a.ts': 'function told() {}\nconst lookAt = () => 1;\n  const said = 1;' }));
    expect(helpersWith(new Set(['told', 'look', 'said']), found)).toEqual(['low/a.ts: told', 'low/a.ts: lookAt']);
  });

  test('sees imports of every form', () => {
    const text =
      "import a from 'a';\nimport {\n  b,\n} from \"b\";\nexport * from 'c';\nimport 'd';\nconst e = import('e');\nimport type { F } from 'f';";
    expect(
      importsOf(text)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    expect(importsOf(text).filter(({ isType }) => isType)).toEqual([{ name: 'f', isType: true, file: undefined }]);
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
