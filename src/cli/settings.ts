/**
 * Reads the settings in force from flags, environment and configuration file.
 *
 * Precedence: flag, environment, file, default. An empty variable counts as not set. All problems are reported at
 * once, unknown settings among them: a misspelt one would leave a default in force.
 */

import { readFile, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { z } from 'zod';
import { FORMER_KEYS, SETTINGS, type Setting, type SettingKey, type Settings, variablesOf } from '../config.ts';
import { ConfigError, publicUrl } from '../errors.ts';
import { holidayRegions, parseHolidays } from '../hours/holidays.ts';
import { LIMITS } from '../limits.ts';
import { didYouMean, didYouMeanValue } from '../nearest.ts';
import { jsonFileError } from '../opportunity/page/file-error.ts';
import { readRefusal } from '../process/folder.ts';
import type { Option, Options } from './args.ts';
import type { Io } from './io.ts';

const CONFIG_FILE = 'openactive-ical.config.json';

/** The options of a command with settings: `--config`, and the flags of the settings it uses; default: all. */
export function settingOptions(used?: readonly SettingKey[]): Options {
  const options: Options = {
    config: { type: 'string', value: 'FILE', help: `settings file; default: ${CONFIG_FILE}, if it is there` },
  };
  for (const [key, line] of SETTING_LINES)
    if (line.flag !== undefined && (used === undefined || used.includes(key))) options[line.flag] = optionOf(line);
  return options;
}

function optionOf(line: Setting): Option {
  if (typeof line.default === 'boolean') return { type: 'boolean', help: line.help };
  const value = line.value ?? 'VALUE';
  if (Array.isArray(line.default)) return { type: 'string', value, help: line.help, multiple: true };
  // The default is reported, not set: a flag that is not given leaves environment and file in force.
  const note = line.default === undefined ? '' : ` (default: ${JSON.stringify(line.default).replaceAll('"', '')})`;
  return { type: 'string', value, help: `${line.help}${note}` };
}

/** The settings in force for a command's flags. @throws ConfigError */
export function settingsOf(values: Readonly<Record<string, unknown>>, io: Io): Promise<Settings> {
  const file = typeof values.config === 'string' ? values.config : undefined;
  return loadSettings({ flags: values, env: io.env, file, folder: io.folder ?? process.cwd() });
}

/** The sources of settings. Flags hold texts (or lists of texts), `true` for a boolean; absent or false is "not set". */
export interface SettingSources {
  flags?: Readonly<Record<string, unknown>>;
  env: Readonly<Record<string, string | undefined>>;
  /** `--config`; absent: `openactive-ical.config.json` in `folder`, if it is there. */
  file?: string | undefined;
  /** The base of relative paths in flags and environment; paths in the file are relative to its own folder. */
  folder: string;
}

export const SETTING_LINES = Object.entries(SETTINGS) as unknown as [SettingKey, Setting][];

/** Variables that are no settings: the file, the tests' number of runs, stack traces for debugging, and the parent of a child. */
const OTHER_VARIABLES = new Set([
  'OPENACTIVE_ICAL_CONFIG',
  'OPENACTIVE_ICAL_RUNS',
  'OPENACTIVE_ICAL_DEBUG',
  'OPENACTIVE_ICAL_PARENT',
]);

interface Given {
  value: unknown;
  /** The name in messages: `--port`, `PORT`, `port in openactive-ical.config.json`. */
  name: string;
  folder: string;
}

/**
 * The settings in force.
 * @throws ConfigError with every problem found
 */
export async function loadSettings(sources: SettingSources): Promise<Settings> {
  const problems: string[] = [];
  const file = await readConfigFile(sources, problems);
  const known = new Set([...SETTING_LINES.flatMap(([key]) => variablesOf(key)), ...OTHER_VARIABLES]);
  for (const name of Object.keys(sources.env)) {
    if (name.startsWith('OPENACTIVE_ICAL_') && !known.has(name))
      problems.push(`${name} is not a setting${didYouMean(name, [...known])}`);
  }
  const settings: Record<string, unknown> = {};
  for (const [key, line] of SETTING_LINES) {
    const given = fromFlag(line, sources) ?? fromEnv(key, sources) ?? fromFile(key, file);
    settings[key] = given === undefined ? line.default : check(key, given, problems);
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return settings as Settings;
}

function fromFlag(line: Setting, { flags = {}, folder }: SettingSources): Given | undefined {
  const value = line.flag === undefined ? undefined : flags[line.flag];
  if (value === undefined || value === false || (Array.isArray(value) && value.length === 0)) return undefined;
  const read = typeof value === 'string' && line.read ? line.read(value) : value;
  return { value: read, name: `--${line.flag}`, folder };
}

function fromEnv(key: SettingKey, { env, folder }: SettingSources): Given | undefined {
  const name = variablesOf(key).find((one) => env[one] !== undefined && env[one] !== '');
  if (name === undefined) return undefined;
  const text = env[name] as string;
  const { read } = SETTINGS[key];
  return { value: read ? read(text) : text, name, folder };
}

interface ConfigFile {
  values: Record<string, unknown>;
  path: string;
}

function fromFile(key: string, file: ConfigFile | undefined): Given | undefined {
  if (file === undefined || !Object.hasOwn(file.values, key)) return undefined;
  return { value: file.values[key], name: `${key} in ${file.path}`, folder: dirname(file.path) };
}

/** Values that the table of settings cannot check itself: regions with known holidays, which another room knows. */
interface KnownValues {
  has(value: unknown): boolean;
  /** Values that a misspelt one may mean. */
  like(value: string): string[];
}

const KNOWN: Partial<Record<SettingKey, KnownValues>> = {
  holidays: { has: (value) => parseHolidays(value as string) !== undefined, like: holidaysLike },
};

/** The regions of the country with which a value begins. */
function holidaysLike(value: string): string[] {
  const country = parseHolidays(value.slice(0, 2))?.country;
  return country === undefined ? [] : holidayRegions(country).map(([region]) => `${country}-${region}`);
}

function check(key: SettingKey, given: Given, problems: string[]): unknown {
  const line = SETTINGS[key] as unknown as Setting;
  const known = KNOWN[key];
  const result = line.schema.safeParse(given.value, { reportInput: true });
  const near = known && typeof given.value === 'string' ? didYouMean(given.value, known.like(given.value)) : '';
  if (!result.success) {
    // One value may fail several checks with the same words.
    problems.push(...new Set(result.error.issues.map((issue) => problem(line, given, issue) + near)));
    return undefined;
  }
  if (known?.has(result.data) === false) problems.push(refusal(given.name, given.value, line.allowed) + near);
  return line.inFolder ? line.inFolder(result.data, given.folder) : result.data;
}

function refusal(name: string, value: unknown, allowed: string): string {
  return `${name} is ${shownValue(value)}, allowed is ${allowed}`;
}

type Steps = Record<PropertyKey, unknown> | null | undefined;

function problem(line: Setting, given: Given, issue: z.core.$ZodIssue): string {
  const where = given.name.replace(/^\w[\w.-]*/, (key) => key + pathText(issue.path));
  if (issue.code === 'unrecognized_keys') return `${where}: ${issue.message}`;
  const shown = shownAs(line, given.value);
  // A feed that is a plain text has no parts: the text itself is shown.
  // One flag may hold several values of a list: the wrong one is shown.
  const value = typeof issue.input === 'string' && line.secret === undefined ? issue.input : valueAt(shown, issue.path);
  const allowed =
    issue.path.length > 0 && issue.path.some((step) => typeof step === 'string') ? issue.message : line.allowed;
  return refusal(where, value, allowed) + didYouMeanValue(issue);
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, step) => (typeof inner === 'string' ? inner : (inner as Steps)?.[step]), value);
}

function pathText(path: readonly PropertyKey[]): string {
  return path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
}

function shownValue(value: unknown): string {
  if (value === undefined) return 'missing';
  const text = JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}

async function readConfigFile(sources: SettingSources, problems: string[]): Promise<ConfigFile | undefined> {
  const named = sources.file ?? (sources.env.OPENACTIVE_ICAL_CONFIG || undefined);
  const path = resolve(sources.folder, named ?? CONFIG_FILE);
  let text: string;
  try {
    if ((await stat(path)).size > LIMITS.configBytes) throw new Error('is larger than a configuration can be');
    text = await readFile(path, 'utf8');
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (named !== undefined || !isMissing) problems.push(`${path}: ${readRefusal(error)}`);
    return undefined;
  }
  const values = parseConfig(text, path, problems);
  return values && { values, path };
}

/** Renames a former key; the present one wins where both are set. */
function rename(values: Record<string, unknown>, former: string, key: string): void {
  if (!Object.hasOwn(values, former)) return;
  if (!Object.hasOwn(values, key)) values[key] = values[former];
  delete values[former];
}

function parseConfig(text: string, path: string, problems: string[]): Record<string, unknown> | undefined {
  let values: unknown;
  try {
    values = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    problems.push(jsonFileError(path, text, error).message);
    return undefined;
  }
  if (typeof values !== 'object' || values === null || Array.isArray(values)) {
    problems.push(`${path}: a JSON object of settings is needed`);
    return undefined;
  }
  for (const [former, key] of Object.entries(FORMER_KEYS)) rename(values as Record<string, unknown>, former, key);
  for (const key of Object.keys(values)) {
    if (!Object.hasOwn(SETTINGS, key)) {
      problems.push(`${JSON.stringify(key)} in ${path} is not a setting${didYouMean(key, Object.keys(SETTINGS))}`);
    }
  }
  return values as Record<string, unknown>;
}

/** The settings as they may be shown: keys, passwords and headers masked. */
export function maskedSettings(settings: Settings): Record<string, unknown> {
  return Object.fromEntries(SETTING_LINES.map(([key, line]) => [key, shownAs(line, settings[key])]));
}

function shownAs({ secret }: Setting, value: unknown): unknown {
  if (secret === undefined || value === undefined) return value;
  if (secret === 'keys') return masked(value);
  const url = typeof value === 'string' && secret === 'path' ? URL.parse(value) : null;
  return url === null || url.host === '' ? '***' : `${url.origin}/***`;
}

function masked(value: unknown, name = ''): unknown {
  if (name === 'headers') return typeof value === 'object' && value !== null ? mapValues(value, () => '***') : '***';
  if (Array.isArray(value)) return value.map((one) => masked(one));
  if (typeof value === 'object' && value !== null) return mapValues(value, masked);
  if (typeof value !== 'string') return value;
  const url = URL.parse(value);
  if (url === null || url.host === '') return /[@=]/.test(value) ? '***' : value;
  return url.password === '' && url.username === '' ? publicUrl(url) : publicUrl(url).replace('://', '://***@');
}

function mapValues(value: object, change: (one: unknown, key: string) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, change(one, key)]));
}
