import { textOf } from './content.ts';
import { type ContentLine, parseLine } from './content-line.ts';

/**
 * iCalendar text as a tree: the writer's counterpart, for calendars of other people. The reader takes any line end, a byte
 * order mark, blank lines, components that are not closed or closed twice, and several VCALENDARs in one text. Everything
 * tolerated or left out is in `problems`. One pass, no recursion; limits bound what is kept.
 */

export interface ReadComponent {
  name: string;
  line: number;
  lines: ContentLine[];
  components: ReadComponent[];
  /** In a VCALENDAR: the text ends before its END. */
  isCut?: true;
}

export interface Problem {
  kind: 'line' | 'unclosed' | 'cut' | 'stray-end' | 'stray-line' | 'no-calendar' | 'too-many' | 'too-long' | 'too-deep';
  line: number;
  value: string;
}

interface ReadCalendars {
  /** The VCALENDARs; components outside any VCALENDAR are put into a further one. */
  calendars: ReadComponent[];
  problems: Problem[];
}

interface ReadLimits {
  /** Most components and content lines of one text; those after them are not read. */
  components: number;
  lines: number;
  /** Characters of one unfolded line; longer ones are left out. */
  lineChars: number;
}

/** VCALENDAR, VEVENT, VALARM is three; VTIMEZONE and VAVAILABILITY go no deeper. */
const DEEPEST = 8;
/** Components that begin with V and stand within others (RFC 5545, RFC 9073). */
const INNER = new Set(['VALARM', 'VLOCATION', 'VRESOURCE']);
/** Most problems that are noted: people read the first ones. */
const MOST_PROBLEMS = 100;

export function readCalendars(text: string, limits: ReadLimits): ReadCalendars {
  const reader = new ContentReader(limits);
  for (const line of logicalLines(text, limits.lineChars)) if (!reader.take(line)) break;
  return reader.finish();
}

interface LogicalLine {
  text: string;
  line: number;
  tooLong: boolean;
}

/** Lines unfolded (RFC 5545 3.1): a line that begins with a space or TAB goes on where the last one ended. */
function* logicalLines(text: string, most: number): Generator<LogicalLine> {
  let parts: string[] = [];
  let length = 0;
  let first = 1;
  let number = 0;
  for (const physical of physicalLines(text)) {
    number++;
    const isMore = number > 1 && (physical.startsWith(' ') || physical.startsWith('\t'));
    if (!isMore) {
      if (length > 0) yield { text: parts.join(''), line: first, tooLong: length > most };
      [parts, length, first] = [[], 0, number];
    }
    length += physical.length;
    if (length <= most) parts.push(isMore ? physical.slice(1) : physical);
  }
  if (length > 0) yield { text: parts.join(''), line: first, tooLong: length > most };
}

/** CRLF, LF or a lone CR ends a line. */
function* physicalLines(text: string): Generator<string> {
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (at < text.length) {
    let end = at;
    while (end < text.length && text.charCodeAt(end) !== 10 && text.charCodeAt(end) !== 13) end++;
    yield text.slice(at, end);
    at = end + (text.charCodeAt(end) === 13 && text.charCodeAt(end + 1) === 10 ? 2 : 1);
  }
}

class ContentReader {
  readonly #limits: ReadLimits;
  readonly #calendars: ReadComponent[] = [];
  readonly #problems: Problem[] = [];
  readonly #open: ReadComponent[] = [];
  /** The VCALENDAR put around components that stand in none. */
  #around: ReadComponent | undefined;
  #components = 0;
  #lines = 0;
  /** Depth of open components that are left out because they lie too deep. */
  #skipped = 0;

  constructor(limits: ReadLimits) {
    this.#limits = limits;
  }

  /** Reads a line. False: a limit is reached, and no more lines are read. */
  take({ text, line, tooLong }: LogicalLine): boolean {
    if (tooLong) return this.#problem('too-long', line, text);
    if (text.trim() === '') return true;
    if (++this.#lines > this.#limits.lines) return !this.#problem('too-many', line, text);
    const parsed = parseLine(text, line);
    if (parsed === undefined) return this.#problem('line', line, text);
    if (parsed.name === 'BEGIN') return this.#begin(parsed);
    if (parsed.name === 'END') return this.#end(parsed);
    const inner = this.#open.at(-1);
    if (inner === undefined) return this.#problem('stray-line', line, text);
    if (this.#skipped === 0) inner.lines.push(parsed);
    return true;
  }

  /** Marks what is open at the end as cut: its CLASS or STATUS may be in the part that is missing. */
  finish(): ReadCalendars {
    const inner = this.#open.at(-1);
    if (inner !== undefined && inner !== this.#around) this.#problem('cut', inner.line, inner.name);
    const [, outer] = this.#open;
    if (outer !== undefined) outer.isCut = true;
    if (this.#calendars.length === 0) this.#problem('no-calendar', 1, '');
    return { calendars: this.#calendars, problems: this.#problems };
  }

  #begin({ value, line }: ContentLine): boolean {
    const name = value.trim().toUpperCase();
    if (this.#skipped > 0 || this.#open.length >= DEEPEST) {
      this.#skipped++;
      return this.#skipped > 1 || this.#problem('too-deep', line, name);
    }
    if (++this.#components > this.#limits.components) return !this.#problem('too-many', line, name);
    const component: ReadComponent = { name, line, lines: [], components: [] };
    // Events, tasks and zones stand in a VCALENDAR alone: one within another shows that the outer one was not closed.
    if (name.startsWith('V') && !INNER.has(name)) this.#closeTo(1);
    if (name === 'VCALENDAR') this.#beginCalendar(component);
    else {
      if (this.#open.length === 0) {
        this.#around = { name: 'VCALENDAR', line, lines: [], components: [] };
        this.#beginCalendar(this.#around);
      }
      this.#open.at(-1)?.components.push(component);
      this.#open.push(component);
    }
    return true;
  }

  /** A calendar within a calendar: the outer one was not closed. */
  #beginCalendar(calendar: ReadComponent): void {
    this.#closeTo(0);
    this.#open.push(calendar);
    this.#calendars.push(calendar);
  }

  /** Closes the innermost component of the name, and what was left open within it. */
  #end({ value, line }: ContentLine): boolean {
    const name = value.trim().toUpperCase();
    if (this.#skipped > 0) {
      this.#skipped--;
      return true;
    }
    const index = this.#open.findLastIndex((one) => one.name === name);
    if (index < 0) return this.#problem('stray-end', line, name);
    this.#closeTo(index + 1);
    this.#open.length = index;
    return true;
  }

  /** Closes all components beyond a depth, which the text left open. */
  #closeTo(depth: number): void {
    for (const { name, line } of this.#open.slice(depth)) this.#problem('unclosed', line, name);
    this.#open.length = Math.min(depth, this.#open.length);
  }

  #problem(kind: Problem['kind'], line: number, value: string): true {
    if (this.#problems.length < MOST_PROBLEMS) this.#problems.push({ kind, line, value: value.slice(0, 80) });
    return true;
  }
}

export function lineOf(component: ReadComponent, name: string): ContentLine | undefined {
  return component.lines.find((line) => line.name === name);
}

export function linesOf(component: ReadComponent, name: string): ContentLine[] {
  return component.lines.filter((line) => line.name === name);
}

/** The TEXT of the first line of a name; undefined where it is missing or empty. */
export function textIn(component: ReadComponent, name: string): string | undefined {
  const line = lineOf(component, name);
  const text = line === undefined ? '' : textOf(line.value).trim();
  return text === '' ? undefined : text;
}
