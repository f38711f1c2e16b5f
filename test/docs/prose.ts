import type { Text } from './citations.ts';

/** The sentences of comments and pages, and how docstrings begin. */

/** Strings and templates before comments, so that an address in one is none. */
const TOKEN =
  /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/\*[\s\S]*?\*\/|(?:^|(?<=\s))\/\/[^\n]*(?:\n[ \t]*\/\/[^\n]*)*/gm;
const EXAMPLE = /@example[\s\S]*?(?=\n\s*\*\s*@|$)|```[\s\S]*?```/g;
/** Words that a docstring cannot begin with, unless the reader knows already what it is about. */
const RIDDLE = /^(?:The same|Of|Those|As|It|That|Its|They|These|What of|So)\b/;

export interface Docstring {
  text: string;
  /** The line of the file that it begins in. */
  line: number;
}

/** Comments of a source, each in one line, without examples. */
export function commentsOf(source: string): string[] {
  return [...source.matchAll(TOKEN)]
    .map(([token]) => token)
    .filter((token) => /^\/[/*]/.test(token))
    .map((token) => token.replace(EXAMPLE, ' ').replace(/^\/\*+|\*+\/$/g, ''))
    .flatMap((text) => text.replace(/^[ \t]*(?:\*|\/\/)[ \t]?/gm, '').split(/\n\s*\n|\n(?=\s*(?:- |\||@))/))
    .map(inOneLine);
}

/** Paragraphs, list items and cells of a page, without what is in fences. */
export function paragraphsOf(page: string): string[] {
  return page
    .replace(/^```[\s\S]*?^```/gm, '')
    .split(/\n\s*\n|\n(?=\s*(?:[-*] |\d+\. |#|\|))|\|/)
    .flatMap((text) => text.split(/\n(?=[A-Z`[])/))
    .map(inOneLine);
}

function inOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Sentences of more than `most` words. Code in backticks, a list of it, and the address of a link are one word. */
export function longSentences(texts: readonly string[], most: number): string[] {
  return texts.flatMap((text) => sentencesOf(text)).filter((sentence) => wordsIn(sentence) > most);
}

function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?])(?:["')]*) (?=[A-Z\d`"'[(*])/);
}

function wordsIn(sentence: string): number {
  const bare = sentence.replace(/(?:`[^`]*`(?:, | |$)?)+/g, 'x ').replace(/\]\([^)]*\)/g, ']');
  return bare.split(' ').filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** Docstrings of a source that begin with a riddle. */
export function riddles({ path, text }: Text): string[] {
  return [...text.matchAll(/\/\*\*\s*(?:\*\s*)?([\s\S]*?)\*\//g)]
    .filter(([, words = '']) => RIDDLE.test(inOneLine(words.replace(/\n\s*\*/g, ' '))))
    .map(({ index }) => `${path}:${text.slice(0, index).split('\n').length}`);
}
