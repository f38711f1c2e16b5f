/**
 * Command lines: one option table a command, for parsing, checking and `--help`.
 *
 * A command is one file that exports `command = defineCommand({...})`; `run` gets typed values and returns the exit
 * code. Misuse is a `UsageError` (exit 2, one line).
 */

import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { messageOf, UsageError } from '../errors.ts';
import { didYouMean } from '../nearest.ts';
import { DAY_MS } from '../time/days.ts';
import type { Io } from './io.ts';

/** One line of an option table. */
export interface Option {
  type: 'string' | 'boolean';
  /** The explanation for `--help`. */
  help: string;
  /** The name of the value in `--help`, e.g. `DATE`. */
  value?: string;
  /** May be given several times; the value is then a list. */
  multiple?: true;
  choices?: readonly string[];
  default?: string;
  short?: string;
}

export type Options = Record<string, Option>;

type OptionValue<O extends Option> = O extends { type: 'boolean' }
  ? boolean
  : O extends { multiple: true }
    ? string[]
    : O extends { default: string }
      ? string
      : string | undefined;

/** What `run` gets: booleans are false and lists empty when not given. */
export type Values<T extends Options> = { [K in keyof T]: OptionValue<T[K]> };

interface CommandSpec<T extends Options> {
  name: string;
  /** One line for the list of commands. */
  summary: string;
  /** The positionals as shown in `--help`, e.g. `FILE|URL|-`. */
  positionals?: string;
  /** The number of positionals; default: none. */
  arity?: readonly [min: number, max: number];
  options: T;
  /** Command lines without the program's name, each with an explanation; `--help` shows them, and a test runs them. */
  examples: readonly (readonly [line: string, does: string])[];
  /** Text for `--help` after the options. */
  notes?: string;
  /** Rewrites the arguments before they are read. */
  prepare?(argv: readonly string[]): string[];
  run(values: Values<T>, positionals: string[], io: Io): Promise<number>;
}

/** A command for the dispatcher. `run` takes the arguments after the command's name. */
export interface Command {
  name: string;
  summary: string;
  /** `width`: columns of the terminal. */
  help(width?: number): string;
  run(argv: readonly string[], io: Io): Promise<number>;
}

/** Makes a command from its table. */
export function defineCommand<const T extends Options>(spec: CommandSpec<T>): Command {
  return {
    name: spec.name,
    summary: spec.summary,
    help: (width) => helpText(spec, width),
    run: async (argv, io) => {
      const { values, positionals } = parse(spec, spec.prepare?.(argv) ?? argv);
      if (values.help === true) {
        await io.stdout(helpText(spec, io.width));
        return 0;
      }
      checkArity(spec, positionals);
      return spec.run(values as unknown as Values<T>, positionals, io);
    },
  };
}

function parse<T extends Options>(spec: CommandSpec<T>, argv: readonly string[]) {
  const options: ParseArgsOptionsConfig = { help: { type: 'boolean', short: 'h' } };
  for (const [name, option] of Object.entries(spec.options)) {
    options[name] = { type: option.type, ...(option.short && { short: option.short }), multiple: true };
  }
  const parsed = parseOrThrow(spec, argv, options);
  const values: Record<string, unknown> = { help: parsed.values.help === true };
  for (const [name, option] of Object.entries(spec.options)) {
    values[name] = valueGiven(name, option, parsed.values[name] as (string | boolean)[] | undefined);
  }
  return { values, positionals: parsed.positionals };
}

function parseOrThrow<T extends Options>(
  spec: CommandSpec<T>,
  argv: readonly string[],
  options: ParseArgsOptionsConfig,
) {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true, strict: true });
  } catch (error) {
    const unknown = unknownOption(error);
    if (unknown !== undefined) {
      const near = didYouMean(unknown, Object.keys(spec.options).concat('help')).replace('mean ', 'mean --');
      throw new UsageError(`${spec.name}: there is no option --${unknown}${near} (see ${spec.name} --help)`, {
        cause: error,
      });
    }
    // parseArgs explains itself over several sentences; misuse is one line.
    const [, lacking] = /^Option '(.+?)' argument is ambiguous/.exec(messageOf(error)) ?? [];
    if (lacking !== undefined)
      throw new UsageError(
        `${spec.name}: ${lacking} needs a value, and another option follows it (see ${spec.name} --help)`,
        { cause: error },
      );
    const sentence = messageOf(error).split(/\.\s/)[0]?.replace(/\.$/, '') ?? 'the arguments cannot be read';
    throw new UsageError(`${spec.name}: ${sentence} (see ${spec.name} --help)`, { cause: error });
  }
}

function unknownOption(error: unknown): string | undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return undefined;
  return /'--?([^']+)'/.exec(messageOf(error))?.[1];
}

function valueGiven(name: string, option: Option, given: (string | boolean)[] | undefined): unknown {
  if (option.type === 'boolean') return given !== undefined;
  const texts = (given ?? []) as string[];
  for (const text of texts) {
    if (text === '') throw new UsageError(`--${name} needs a value`);
    if (option.choices !== undefined && !option.choices.includes(text)) {
      const near = didYouMean(text, option.choices);
      throw new UsageError(`--${name} ${JSON.stringify(text)}: allowed are ${option.choices.join(', ')}${near}`);
    }
  }
  if (option.multiple) return texts;
  if (texts.length > 1) throw new UsageError(`--${name} is given ${texts.length} times, once is allowed`);
  return texts[0] ?? option.default;
}

function checkArity<T extends Options>(spec: CommandSpec<T>, positionals: string[]): void {
  const [min, max] = spec.arity ?? [0, 0];
  if (positionals.length < min)
    throw new UsageError(`${spec.name} needs ${spec.positionals} (see ${spec.name} --help)`);
  if (positionals.length > max) {
    const odd = JSON.stringify(positionals[max]);
    throw new UsageError(`${spec.name}: ${odd} is one argument too many (see ${spec.name} --help)`);
  }
}

/** Columns of a terminal of unknown width. */
const USUAL_WIDTH = 80;

function helpText<T extends Options>(spec: CommandSpec<T>, width = USUAL_WIDTH): string {
  const usage = ['openactive-ical', spec.name, spec.positionals, '[OPTIONS]'].filter(Boolean).join(' ');
  const options: [string, Option][] = [
    ...Object.entries<Option>(spec.options),
    ['help', { type: 'boolean', short: 'h', help: 'shows this' }],
  ];
  const rows = options.map(([name, option]): [string, string] => [optionHead(name, option), optionHelp(option)]);
  const examples = spec.examples.map(([line, does]) => `  openactive-ical ${line}\n      ${does}\n`);
  const parts = [
    `${wrapped(spec.summary, width).join('\n')}\n\nUsage: ${usage}\n\nOptions:\n${columns(rows, width)}`,
    ...(spec.notes === undefined ? [] : [`${wrapped(spec.notes.trimEnd(), width).join('\n')}\n`]),
    `Examples:\n${examples.join('')}`,
  ];
  return parts.join('\n');
}

/** Breaks a text between words, and keeps its line breaks. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (const word of paragraph.split(' ')) {
      if (line !== '' && line.length + 1 + word.length > width) {
        lines.push(line);
        line = word;
      } else {
        line = line === '' ? word : `${line} ${word}`;
      }
    }
    lines.push(line);
  }
  return lines;
}

function optionHead(name: string, option: Option): string {
  const short = option.short === undefined ? '' : `-${option.short}, `;
  const value = option.type === 'string' ? ` ${option.value ?? 'VALUE'}` : '';
  return `${short}--${name}${value}`;
}

function optionHelp(option: Option): string {
  const more = [
    option.choices?.join(' | '),
    option.default && `default: ${option.default}`,
    option.multiple && 'repeatable',
  ].filter(Boolean);
  return more.length === 0 ? option.help : `${option.help} (${more.join('; ')})`;
}

/** The widest head of the first column; a longer one has a line of its own. */
const WIDEST_HEAD = 26;

/** Two aligned columns, as `--help` prints them; the second is broken at `width`. */
export function columns(rows: readonly (readonly [string, string])[], width = Number.POSITIVE_INFINITY): string {
  const widest = Math.max(...rows.map(([head]) => head.length));
  const left = Number.isFinite(width) ? Math.min(widest, WIDEST_HEAD) : widest;
  const indent = ' '.repeat(left + 4);
  return rows
    .map(([head, text]) => {
      const lines = wrapped(text, Math.max(20, width - indent.length));
      const first = head.length > left ? `  ${head}\n${indent}` : `  ${head.padEnd(left)}  `;
      return `${first}${lines.join(`\n${indent}`)}\n`;
    })
    .join('');
}

/**
 * A date given to an option, as the instant of its UTC midnight.
 * @throws UsageError unless it is a real date `YYYY-MM-DD`
 */
export function utcMidnight(name: string, text: string): number {
  const instant = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  const real = !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(text);
  if (!real) throw new UsageError(`--${name} ${JSON.stringify(text)}: a date is needed, as 2026-05-31`);
  return instant;
}

/**
 * The window of `--from` and `--to`: UTC midnights, the end excluded. Each may be missing.
 * @throws UsageError for what is no date, and for an end that is not after its start
 */
export function windowOf(values: { from?: string | undefined; to?: string | undefined }): {
  from?: number;
  to?: number;
} {
  const from = values.from === undefined ? undefined : utcMidnight('from', values.from);
  const to = values.to === undefined ? undefined : utcMidnight('to', values.to);
  if (from !== undefined && to !== undefined && to <= from) {
    throw new UsageError(`--to ${values.to} must be after --from ${values.from}`);
  }
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}

/** The window with both ends; by default `days` days from today (UTC) on. @throws UsageError as `windowOf` */
export function windowFrom(
  values: { from?: string | undefined; to?: string | undefined },
  now: number,
  days: number,
): { from: number; to: number } {
  const window = windowOf(values);
  const from = window.from ?? Math.floor(now / DAY_MS) * DAY_MS;
  const to = window.to ?? from + days * DAY_MS;
  if (to <= from) throw new UsageError(`--to ${values.to} must be after today, or give --from`);
  return { from, to };
}

/** The options that `convert`, `expand` and `hours` share. */
export const WINDOW_OPTIONS = {
  from: { type: 'string', value: 'DATE', help: 'from this date on (its UTC midnight)' },
  to: { type: 'string', value: 'DATE', help: 'until this date, itself excluded (its UTC midnight)' },
} as const satisfies Options;
