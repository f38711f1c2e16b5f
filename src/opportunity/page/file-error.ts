/** Errors in the JSON of a file, in words: its name, the line, and the fault. */

import { type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser';
import { SourceError } from '../../errors.ts';
import { PageError } from './page.ts';

/** The error of a file that cannot be read. `name`: the name that the user gave. The text is not quoted, as it may hold keys. */
export function jsonFileError(name: string, text: string, cause?: unknown): SourceError {
  const { place, words } = problemOf(text, cause);
  return new SourceError(`${name}${place}: ${words}`, { cause });
}

/** The first fault in the JSON of a text; undefined: there is none. Lines and columns count from 1. */
function jsonFault(text: string): { line: number; column: number; words: string } | undefined {
  let fault: { line: number; column: number; words: string } | undefined;
  const onError = (code: ParseErrorCode, _offset: number, _length: number, line: number, character: number) => {
    const name = printParseErrorCode(code);
    fault ??= { line: line + 1, column: character + 1, words: FAULTS[name] ?? 'something that JSON does not have' };
  };
  try {
    visit(text.replace(/^\uFEFF/, ''), { onError }, { disallowComments: true, allowTrailingComma: false });
  } catch (error) {
    // `visit` recurses: some thousand levels overflow its stack.
    if (!(error instanceof RangeError)) throw error;
  }
  return fault;
}

const FAULTS: Record<string, string> = {
  InvalidNumberFormat: 'a number that JSON does not allow',
  PropertyNameExpected: 'a property name in double quotes is missing',
  ValueExpected: 'a value is missing',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: 'a closing brace is missing',
  CloseBracketExpected: 'a closing bracket is missing',
  EndOfFileExpected: 'more text follows the end of the JSON',
  InvalidCommentToken: 'a comment, which JSON does not have',
  UnexpectedEndOfComment: 'a comment, which JSON does not have',
  UnexpectedEndOfString: 'a text does not end on its line',
  InvalidEscapeCharacter: 'a backslash that escapes nothing',
  InvalidUnicode: 'a broken \\u escape',
  InvalidCharacter: 'a control character in a text',
};

function problemOf(text: string, cause: unknown): { place: string; words: string } {
  if (text.trim() === '') return { place: '', words: 'is empty; JSON is needed' };
  if (/^\uFEFF?\s*BEGIN:VCALENDAR\b/i.test(text))
    return { place: ':1', words: 'is a calendar; the JSON of a feed is needed here, and `publish` reads calendars' };
  const code = cause instanceof PageError ? cause.code : 'not-json';
  if (code === 'not-a-page') return { place: '', words: `holds ${lowered((cause as PageError).message)}` };
  if (code === 'not-utf-8') return { place: '', words: 'is in UTF-16 or UTF-32; save it in UTF-8 (RFC 8259, 8.1)' };
  if (code === 'too-deep') return { place: '', words: 'is nested too deeply to be read' };
  const fault = code === 'html' ? undefined : jsonFault(text);
  const place = fault === undefined ? '' : `:${fault.line}`;
  if (code === 'html') return { place: ':1', words: 'is an HTML page; the JSON of a feed or an object is needed' };
  if (code === 'truncated') return { place, words: 'the JSON ends in the middle: was the file copied whole?' };
  return { place, words: fault === undefined ? 'is not JSON' : `is not JSON: ${fault.words} (column ${fault.column})` };
}

const lowered = (sentence: string): string => sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, '');
