import type { z } from 'zod';

/** One line of the table. `allowed` ends the sentence "NAME is VALUE, allowed is …". */
export interface Setting<S extends z.ZodType = z.ZodType> {
  schema: S;
  default: z.output<S>;
  allowed: string;
  help: string;
  /** Environment variables, the first that is set wins. */
  env: readonly string[];
  /** Turns the text of a variable or flag into what the schema checks; absent: the text itself. */
  read?: (text: string) => unknown;
  /** Absent: file and environment only. */
  flag?: string;
  /** How `--help` calls the flag's value. */
  value?: string;
  secret?: true;
  /** A path, or holds paths: made absolute from where it was written. */
  place?: (value: never, folder: string) => unknown;
}

/** Types a line by itself. */
export function setting<S extends z.ZodType>(line: Setting<S>): Setting<S> {
  return line;
}
