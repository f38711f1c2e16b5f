import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** What texts of the repository cite, and where it stands: numbered headings of docs/, pages by their names, links. */

export interface Text {
  /** From the root of the repository. */
  path: string;
  text: string;
}

/** Pages with numbered headings, by the word that cites them: `semantics 4.5`, `feed rules 7 and 14`. */
const NUMBERED: Readonly<Record<string, string>> = {
  semantics: 'docs/semantics.md',
  'feed rule': 'docs/feed-rules.md',
  standards: 'docs/standards.md',
  house: 'CONTRIBUTING.md',
  decision: 'docs/decisions',
};

const NUMBER = String.raw`\d+(?:\.\d+)*`;
const NUMBERS = `${NUMBER}(?:(?:,| and|,? or| to) ${NUMBER})*`;
const CITATION = new RegExp(
  String.raw`\b(semantics|feed rule|standards|house|decision)s? (${NUMBERS})(?![\w.]*\w)`,
  'gi',
);
/** `SECURITY.md, "Links"`: a page, and perhaps its heading. */
const PAGE = /(?<![\w/.-])([A-Za-z][\w-]*\.md)(?:,? "([^"\n]+)")?/g;
/** Papers that are nowhere in the repository. */
const ELSEWHERE = /\b(?:examination|peers) [A-Z]\d|\bjudges' notes\b/g;

/** A source by its name or its path, as `rule/masters.ts`. */
const SOURCE = /(?<![\w/.@:$}-])(?:[\w-]+\/)*[a-z][\w-]*(?:\.[\w-]+)*\.tsx?\b/g;
/** `cli/serve`: a folder or file of a room. */
const IN_ROOM = /`([a-z][\w-]*(?:\/[\w-]+)+)`/g;
/** Strings and templates before comments, so that an address in one is none. */
const COMMENT = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;

/** Sources and folders that the comments of a text cite, and that are not among `paths`, all from the root. */
export function absentSources({ path, text }: Text, paths: readonly string[]): string[] {
  const prose = (text.match(COMMENT) ?? []).filter((token) => token.startsWith('/')).join('\n');
  const named = [...prose.matchAll(SOURCE)].filter(([name]) => !paths.some((one) => `/${one}`.endsWith(`/${name}`)));
  const rooms = new Set(paths.flatMap((one) => /^src\/([\w-]+)\//.exec(one)?.[1] ?? []));
  const within = [...prose.matchAll(IN_ROOM)]
    .filter(([, name = '']) => rooms.has(name.split('/')[0] as string))
    .filter(([, name = '']) => !paths.some((one) => new RegExp(`^src/${name}(?:/|\\.tsx?$)`).test(one)));
  return [...named.map(([name]) => name), ...within.map(([, name]) => name)].map((name) => `${path}: ${name}`);
}

/** All texts that people read: code with its comments, tests, pages. */
export function textsUnder(root: string): Text[] {
  const folders = ['src', 'test', 'tools', 'docs', '.ci'].map((name) => join(root, name));
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /(?:\.(?:tsx?|mjs|js|py|c|cpp|php|sh|md)|^[a-z]+)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  const pages = readdirSync(root).filter((name) => /\.(?:md|ts)$/.test(name));
  return [...files, ...pages.map((name) => join(root, name))]
    .sort()
    .map((path) => ({ path: relative(root, path), text: readFileSync(path, 'utf8') }));
}

/** Citations of a text that lead nowhere, each with its file. */
export function unresolved({ path, text }: Text, root: string): string[] {
  // A comment goes on in the next line.
  const prose = text.replace(/\n[ \t]*(?:\*(?!\/)|\/\/|#)?[ \t]*/g, ' ');
  const found = [...prose.matchAll(CITATION)].flatMap(([, word = '', numbers = '']) => missing(word, numbers, root));
  for (const [, page = '', heading] of prose.matchAll(PAGE)) {
    const file = [root, join(root, 'docs'), dirname(join(root, path))]
      .map((folder) => join(folder, page))
      .find((name) => existsSync(name));
    if (file === undefined) found.push(page);
    else if (heading !== undefined && !headingsOf(file).includes(heading)) found.push(`${page}, "${heading}"`);
  }
  for (const [words] of prose.matchAll(ELSEWHERE)) found.push(words);
  return found.map((what) => `${path}: ${what}`);
}

function missing(word: string, numbers: string, root: string): string[] {
  const name = word.toLowerCase();
  const known = numbersOf(join(root, NUMBERED[name] as string));
  return listed(numbers)
    .filter((number) => !known.has(number))
    .map((number) => `${name} ${number}`);
}

/** `7, 9 to 11 and 14` */
function listed(numbers: string): string[] {
  return numbers.split(/, or |,? and |, | or /).flatMap((part) => {
    const [first = '', last] = part.split(' to ');
    if (last === undefined) return [first];
    const [from, to] = [Number(first), Number(last)];
    if (!Number.isInteger(from) || !Number.isInteger(to) || to < from) return [first, last];
    return Array.from({ length: to - from + 1 }, (_, index) => String(from + index));
  });
}

const cache = new Map<string, ReadonlySet<string>>();

/** The numbers that headings of a page begin with; of a folder, those that its pages' names begin with. */
function numbersOf(path: string): ReadonlySet<string> {
  let numbers = cache.get(path);
  if (numbers === undefined) {
    const names = path.endsWith('.md') ? headingsOf(path) : pagesIn(path);
    numbers = new Set(names.flatMap((name) => /^0*(\d+(?:\.\d+)*)/.exec(name)?.[1] ?? []));
    cache.set(path, numbers);
  }
  return numbers;
}

function pagesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** The texts of a page's headings, without what is in fences. */
export function headingsOf(file: string): string[] {
  if (!existsSync(file)) return [];
  const text = withoutFences(readFileSync(file, 'utf8'));
  return [...text.matchAll(/^#{1,6} +(.+?) *$/gm)].map(([, heading]) => heading as string);
}

function withoutFences(text: string): string {
  return text.replace(/^```[\s\S]*?^```/gm, '');
}

const LINK = /\[(?:[^\][]|\[[^\]]*\])*\]\(([^)\s]+)\)/g;

/** Links of a page to files that are not there, or to headings that they do not have. */
export function brokenLinks({ path, text }: Text, root: string): string[] {
  const plain = withoutFences(text).replace(/`[^`\n]*`/g, '');
  return [...plain.matchAll(LINK)]
    .map(([, target]) => target as string)
    .filter((target) => !/^[a-z][a-z+.-]*:/i.test(target) && !leads(target, path, root))
    .map((target) => `${path}: ${target}`);
}

function leads(target: string, from: string, root: string): boolean {
  const [page = '', anchor] = target.split('#');
  const file = page === '' ? join(root, from) : resolve(root, dirname(from), decodeURIComponent(page));
  if (!existsSync(file)) return false;
  return anchor === undefined || headingsOf(file).some((heading) => anchorOf(heading) === anchor);
}

/** As GitHub makes it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}
