import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';

/** The sources of a tree as text, and what its rules find in them: functions, so that planted faults can be looked for too. */

export interface Import {
  name: string;
  /** `import type` and `export type`: nothing of it is left at run time. */
  isType: boolean;
  /** Path of a relative one below the tree, with `.ts`. */
  file: string | undefined;
}

export interface Source {
  /** Below the tree, with `/`. */
  path: string;
  room: string;
  text: string;
  /** Without comments and the contents of strings. */
  code: string;
  imports: Import[];
}

/** JSX is in files of its own. */
const SOURCE = /\.tsx?$/;

export function filesUnder(folder: string): string[] {
  return pathsUnder(folder, SOURCE);
}

function pathsUnder(folder: string, named: RegExp): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && named.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}

export function sourcesOf(folder: string): Source[] {
  return filesUnder(folder).map((path) => {
    const text = readFileSync(join(folder, path), 'utf8');
    return { path, room: roomOf(path), text, code: codeOf(text), imports: importsOf(text, path) };
  });
}

/** `calendar` for `calendar/objects.ts`, `config` for `config.ts`. */
export function roomOf(path: string): string {
  return (path.split('/')[0] as string).replace(SOURCE, '');
}

/** Comments and string contents blanked, so that words in them are not taken for code. */
export function codeOf(text: string): string {
  const token = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g;
  return text.replace(token, (match) => (match.startsWith('/') ? ' ' : "''"));
}

const FROM = /(?:^|\n)\s*(?:import|export)\s+(type\s)?[^'"`;]*?from\s*['"]([^'"]+)['"]/g;
const CALLED = /\bimport\(\s*['"]([^'"]+)['"]/g;
const BARE = /(?:^|\n)import\s+['"]([^'"]+)['"]/g;

export function importsOf(text: string, path = 'x.ts'): Import[] {
  const one = (name: string, isType: boolean): Import => ({
    name,
    isType,
    file: name.startsWith('.') ? posix.join(dirname(path), name) : undefined,
  });
  return [
    ...[...text.matchAll(FROM)].map(([, type, name]) => one(name as string, type !== undefined)),
    ...[...text.matchAll(CALLED), ...text.matchAll(BARE)].map(([, name]) => one(name as string, false)),
  ];
}

const isSource = (file: string | undefined): file is string => file !== undefined && SOURCE.test(file);

/** Imports of a room that may not be: `everybody` names the rooms that every room may import. */
export function forbiddenArrows(
  sources: readonly Source[],
  arrows: Readonly<Record<string, readonly string[]>>,
  everybody: readonly string[],
): string[] {
  return sources.flatMap(({ path, room, imports }) =>
    imports
      .map(({ file }) => file)
      .filter(isSource)
      .filter((file) => roomOf(file) !== room && !everybody.includes(roomOf(file)))
      .filter((file) => arrows[room]?.includes(roomOf(file)) !== true)
      .map((file) => `${path} -> ${file}`),
  );
}

/** Rooms that reach each other by what they may import: an order of rooms would be none. */
export function circlesOfRooms(arrows: Readonly<Record<string, readonly string[]>>): string[][] {
  return circlesIn(new Map(Object.entries(arrows)));
}

/** Circles of files, `import type` counted. */
export function circlesOfFiles(sources: readonly Source[]): string[][] {
  return circlesIn(
    new Map(sources.map(({ path, imports }) => [path, imports.map(({ file }) => file).filter(isSource)])),
  );
}

/** Tarjan's strongly connected components of more than one node. */
function circlesIn(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];
  const visit = (node: string): number => {
    order.set(node, order.size);
    let low = order.size - 1;
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!graph.has(next)) continue;
      if (!order.has(next)) low = Math.min(low, visit(next));
      else if (stack.includes(next)) low = Math.min(low, order.get(next) as number);
    }
    lowest.set(node, low);
    if (low === order.get(node)) {
      const circle = stack.splice(stack.indexOf(node));
      if (circle.length > 1) circles.push(circle.sort());
    }
    return low;
  };
  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return circles;
}

/** Imports of a room's inside from another room. `entrances` are files besides the room's `index.ts`. */
export function sideEntrances(
  sources: readonly Source[],
  rooms: readonly string[],
  entrances: Readonly<Record<string, string>>,
): string[] {
  return sources.flatMap(({ path, room, imports }) =>
    imports
      .map(({ file }) => file)
      .filter(isSource)
      .filter((file) => roomOf(file) !== room && rooms.includes(roomOf(file)))
      .filter((file) => file !== `${roomOf(file)}/index.ts` && !(file in entrances))
      .map((file) => `${path} -> ${file}`),
  );
}

/** Folders that hold more than `most` files themselves, of whatever kind. */
export function crowdedFolders(folder: string, most: number): string[] {
  const counts = Map.groupBy(pathsUnder(folder, /./), (path) => posix.dirname(path));
  return [...counts].filter(([, files]) => files.length > most).map(([name, files]) => `${name}: ${files.length}`);
}

/** Files under `least` lines; an `index.ts` only names what others may use. */
export function smallFiles(sources: readonly Source[], least: number): string[] {
  return sources
    .filter(({ path, text }) => !path.endsWith('index.ts') && text.trimEnd().split('\n').length < least)
    .map(({ path }) => path);
}

/** Relative imports that name no file, or one that is not there. */
export function looseImports(folder: string, sources: readonly Source[]): string[] {
  return sources.flatMap(({ path, imports }) =>
    imports
      .filter(({ file }) => file !== undefined && !(/\.(?:tsx?|json)$/.test(file) && isFile(join(folder, file))))
      .map(({ name }) => `${path}: ${name}`),
  );
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

const DECLARED = /^(?:export )?(?:default )?(?:abstract )?(?:async )?(?:function\*?|interface|type|class) (\w+)/gm;
const ARROW = /^(?:export )?const (\w+)(?:: [^=\n]+)? = (?:async )?(?:<[^>\n]*>)?\([^)]*\)(?:: [^=\n]+)? =>/gm;

/** Names that more than `most` files give to functions, types and classes of their own. */
export function repeatedNames(sources: readonly Source[], most: number): string[] {
  const files = new Map<string, Set<string>>();
  for (const { path, code } of sources) {
    for (const name of declaredIn(code)) files.set(name, (files.get(name) ?? new Set()).add(path));
  }
  return [...files]
    .filter(([, paths]) => paths.size > most)
    .map(([name, paths]) => `${name}: ${[...paths].join(', ')}`);
}

/** Functions, types and classes of a file. */
function declaredIn(code: string): string[] {
  return [...code.matchAll(DECLARED), ...code.matchAll(ARROW)].map(([, name]) => name as string);
}

/** Functions, types and classes with one of these words in their names. */
export function helpersWith(words: ReadonlySet<string>, sources: readonly Source[]): string[] {
  return sources.flatMap(({ path, code }) =>
    declaredIn(code)
      .filter((name) => wordsOf(name).some((word) => words.has(word)))
      .map((name) => `${path}: ${name}`),
  );
}

/** Comments, strings and templates. */
const NO_NAME = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;

/** Identifiers of the code with one of these words in them: `sessionMark` and `MARK_CODE` with `mark`, `markup` not. */
export function namesWith(words: ReadonlySet<string>, sources: readonly Source[]): string[] {
  return sources.flatMap(({ path, text }) =>
    [...new Set(text.replace(NO_NAME, ' ').match(/[A-Za-z_$][\w$]*/g))]
      .filter((name) => wordsOf(name).some((word) => words.has(word)))
      .map((name) => `${path}: ${name}`),
  );
}

function wordsOf(name: string): string[] {
  return (name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []).map((word) => word.toLowerCase());
}

const EXPORTED = /^export (?:abstract )?(?:async )?(?:function\*?|const|class) (\w+)/gm;
const PASSED_ON = /^export (?:type )?(?:\*|\{[^}]*\}) from [^;]*;/gm;

/** Values that a file exports and no other one of `sources` or `others` names: handing on alone is no use. `root`: the file of what a package offers. */
export function idleExports(sources: readonly Source[], others: readonly string[], root: string): string[] {
  const users = new Map<string, Set<string>>();
  const note = (path: string, code: string): void => {
    for (const [name] of code.matchAll(/[A-Za-z_$][\w$]*/g)) users.set(name, (users.get(name) ?? new Set()).add(path));
  };
  for (const { path, code } of sources) note(path, path === root ? code : code.replace(PASSED_ON, ''));
  for (const [index, text] of others.entries()) note(`other ${index}`, codeOf(text));
  return sources.flatMap(({ path, code }) =>
    [...code.matchAll(EXPORTED)]
      .map(([, name = '']) => name)
      .filter((name) => [...(users.get(name) ?? [])].every((user) => user === path))
      .map((name) => `${path}: ${name}`),
  );
}
