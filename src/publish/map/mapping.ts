import type { z } from 'zod';
import { ConfigError } from '../../errors.ts';
import { didYouMeanValue } from '../../nearest.ts';
import { jsonFileError } from '../../opportunity/page/file-error.ts';
import { type Mapping, mapping } from './schema.ts';

/**
 * The mapping file, with facts that iCalendar lacks. Every key may be left out. A property that the OpenActive model requires
 * and neither a calendar nor this file has is a finding, and the feeds have all that is known.
 */

export type { Mapping };

/** The mapping without a mapping file. */
export const NO_MAPPING: Mapping = mapping.parse({});

/**
 * Reads a mapping file. `name` is the name that the user gave.
 *
 * @throws ConfigError with every problem: where it is (line, or path into the file), what stands there, what is allowed
 */
export function parseMapping(text: string, name: string): Mapping {
  const given = parseText(text, name);
  const result = mapping.safeParse(given, { reportInput: true });
  if (result.success) return result.data;
  throw new ConfigError(result.error.issues.map((issue) => problemOf(name, given, issue)));
}

function parseText(text: string, name: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw new ConfigError([jsonFileError(name, text, cause).message], { cause });
  }
}

function problemOf(name: string, given: unknown, issue: z.core.$ZodIssue): string {
  const path = issue.path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
  const where = `${name}: $${path}`;
  if (issue.code === 'unrecognized_keys') return `${where} ${issue.message}`;
  const value = issue.path.reduce<unknown>(
    (from, step) => (from as Record<PropertyKey, unknown> | undefined)?.[step],
    given,
  );
  if (value === undefined) return `${where} is missing: ${issue.message}`;
  return `${where} is ${quoted(value)}; allowed is ${issue.message}${didYouMeanValue(issue)}`;
}

function quoted(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
