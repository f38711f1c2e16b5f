/** What the official data model validator fails, `check` finds at the same place, or the ledger says why not. */

import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanForCheck } from '../../../src/cli/commands/check.ts';
import { FINDINGS } from '../../../src/opportunity/findings.ts';
import type { Json } from '../../../src/opportunity/item/json.ts';
import { runs } from '../../runs.ts';
import { samplesDir } from '../../samples.ts';
import { MODEL_RULES } from './ledger.ts';
import { VALID } from './valid.ts';

interface Failure {
  severity: string;
  rule: string;
  type: string;
  path: string;
  message: string;
}

const { validate } = createRequire(import.meta.url)('@openactive/data-model-validator') as {
  validate(data: unknown, options: object): Promise<Failure[]>;
};

async function failures(data: unknown): Promise<Failure[]> {
  const found = await validate(structuredClone(data), { loadRemoteJson: false }).catch(itThrew);
  return found.filter(({ severity, rule, type, path }) => {
    if (severity !== 'failure') return false;
    // What is in an extension is reported by its own context.
    return !isExcused(rule, type) && !/\["[\w-]+:[^"]+"\]./.test(path);
  });
}

/** The ledger says why a failure is not found. */
function isExcused(rule: string, type: string): boolean {
  const { codes, reason, types } = MODEL_RULES[rule] ?? {};
  return reason !== undefined && (types === undefined ? codes === undefined : types.includes(type));
}

/** Some of its rules expect texts, and throw on anything else: then it says nothing at all. */
function itThrew(error: unknown): Failure[] {
  if (error instanceof TypeError) return [];
  throw error;
}

function ours(data: unknown): { code: string; path: string }[] {
  const item = { state: 'updated' as const, kind: 'k', id: '1', modified: '1', data: data as Json };
  const { findings } = cleanForCheck(item, { zone: 'Europe/London', feed: 'https://f.example', slots: true });
  return findings.filter(({ code }) => FINDINGS[code].severity !== 'info');
}

/** One spelling of paths for both: `$.a['@b'][0]` → `$.a.@b`; what is one object or an array of one is the same. */
function place(path: string): string {
  // Several properties of one object: the object.
  const steps = path
    .replace(/\["[^\]]*","[^\]]*"\]$/, '')
    .replaceAll(/\[["']([^"']+)["']\]/g, '.$1')
    .replaceAll(/\[\d+\]/g, '');
  return steps.replaceAll(/\.(id|type)(?=\.|$)/g, '.@$1');
}

/** Official rule → codes that were found where it fails, in what is the same in every run. */
const seen = new Map<string, Set<string>>();

let isRandom = false;

function record(rule: string, codes: readonly string[]): void {
  if (!isRandom) seen.set(rule, new Set([...(seen.get(rule) ?? []), ...codes]));
}

/** At the same place; at the object whose property is meant; or below or above it, where a whole object is wrong. */
function isFound({ rule, path }: Failure, found: readonly { code: string; path: string }[]): boolean {
  const theirs = place(path);
  const holder = theirs.slice(0, theirs.lastIndexOf('.'));
  const here = found.filter((one) => {
    const own = place(one.path);
    if (own === theirs || own === holder || own.startsWith(`${theirs}.`)) return true;
    return own !== '$' && theirs.startsWith(`${own}.`);
  });
  record(
    rule,
    here.map(({ code }) => code),
  );
  return here.length > 0;
}

async function unfound(data: unknown): Promise<string[]> {
  const found = ours(data);
  const theirs = await failures(data);
  return theirs
    .filter((failure) => !isFound(failure, found))
    .map(
      ({ rule, type, path }) =>
        `${rule} ${type} ${path}, beside ${found.map((one) => `${one.code} ${one.path}`).slice(0, 8)}`,
    );
}

describe('objects that nothing is wrong with', () => {
  test.each(Object.entries(VALID))('%s', async (_, data) => {
    expect(await failures(data)).toEqual([]);
    expect(ours(data)).toEqual([]);
  });
});

type Change = (holder: Record<string, unknown>, key: string) => void;
const set =
  (make: (value: unknown) => unknown): Change =>
  (holder, key) => {
    holder[key] = make(holder[key]);
  };

/** One thing that publishers do to a property. */
const CHANGES: Record<string, Change> = {
  'is left out': (holder, key) => delete holder[key],
  'is null': set(() => null),
  'is an empty text': set(() => ''),
  'is an empty array': set(() => []),
  'is a number': set(() => 17),
  'is a text': set(() => 'something else'),
  'is a number as text': set((value) => String(value)),
  'is true': set(() => true),
  'is negative': set(() => -5),
  'is a fraction': set(() => 1.5),
  'is an object of another type': set(() => ({ '@type': 'PropertyValue', name: 'a', value: 'b' })),
  'is an object without a type': set(() => ({ name: 'a' })),
  'is a value object': set((value) => ({ '@value': value })),
  'is one and not an array, or the other way round': set((value) => (Array.isArray(value) ? value[0] : [value])),
  'has HTML in it': set((value) => `<p>${String(value)}</p>`),
  'has http for https': set((value) => (typeof value === 'string' ? value.replace('https:', 'http:') : value)),
  'is a bare name': set((value) => (typeof value === 'string' ? value.slice(value.lastIndexOf('/') + 1) : value)),
  'is cut short': set((value) => (typeof value === 'string' ? value.slice(0, -3) : value)),
  'is a date': set(() => '2026-13-45'),
  'is a duration of nothing': set(() => 'PT0S'),
  'is misspelled': (holder, key) => {
    holder[`${key}x`] = holder[key];
    delete holder[key];
  },
  'stands beside an unknown one': (holder) => {
    holder.somethingElse = 'x';
  },
};

/** Every property within an object, as the keys that lead to it. */
function* properties(value: unknown, keys: (string | number)[] = []): Generator<(string | number)[]> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const here = [...keys, Array.isArray(value) ? Number(key) : key];
    if (!Array.isArray(value)) yield here;
    yield* properties(inner, here);
  }
}

function changed(data: unknown, keys: readonly (string | number)[], change: Change): unknown {
  const copy = structuredClone(data);
  let holder = copy as Record<string, unknown>;
  for (const key of keys.slice(0, -1)) holder = holder[key] as Record<string, unknown>;
  change(holder, String(keys.at(-1)));
  return copy;
}

const PLACES = Object.entries(VALID).flatMap(([name, data]) => [...properties(data)].map((keys) => ({ name, keys })));

test('one thing wrong anywhere is found where the official validator fails', async () => {
  const one = fc.record({ at: fc.constantFrom(...PLACES), how: fc.constantFrom(...Object.keys(CHANGES)) });
  isRandom = true;
  await fc
    .assert(
      fc.asyncProperty(one, async ({ at: { name, keys }, how }) => {
        const data = changed(VALID[name], keys, CHANGES[how] as Change);
        expect(await unfound(data), `${name}: ${keys.join('.')} ${how}`).toEqual([]);
      }),
      { numRuns: runs(50) },
    )
    .finally(() => {
      isRandom = false;
    });
});

/** The data of all items in the JSON files of a folder, a few of each file. */
function* samples(folder: string): Generator<[name: string, data: unknown]> {
  for (const name of readdirSync(folder, { recursive: true }) as string[]) {
    if (!name.endsWith('.json')) continue;
    const value: unknown = parsed(readFileSync(join(folder, name), 'utf8'));
    const items = Array.isArray(value) ? value : ((value as { items?: unknown[] })?.items ?? [value]);
    for (const item of items.slice(0, 8)) {
      const data = (item as { data?: unknown })?.data ?? item;
      if (typeof data === 'object' && data !== null && ('@type' in data || 'type' in data)) yield [name, data];
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

describe.skipIf(samplesDir === undefined)('real and official samples', () => {
  test('what fails in them is found', async () => {
    const missed: string[] = [];
    for (const [name, data] of samples(samplesDir as string)) {
      for (const line of await unfound(data)) missed.push(`${name}: ${line}`);
    }
    expect(missed).toEqual([]);
  });
});

test('what fails in our own samples is found', async () => {
  const missed: string[] = [];
  for (const [name, data] of samples(join(import.meta.dirname, '../../../fixtures'))) {
    for (const line of await unfound(data)) missed.push(`${name}: ${line}`);
  }
  expect(missed).toEqual([]);
});

/** Rules that our own samples keep. */
const BROKEN: [rule: string, type: string, keys: (string | number)[], how: string][] = [
  ['CurrencyIfNonZeroPriceRule', 'Event', ['offers', 0, 'priceCurrency'], 'is left out'],
  ['CurrencyCodeFormatRule', 'Event', ['offers', 0, 'priceCurrency'], 'is cut short'],
  ['CountryCodeFormatRule', 'Place', ['address', 'addressCountry'], 'is a text'],
  ['NoZeroDurationRule', 'Event', ['duration'], 'is a duration of nothing'],
  ['DatesMustHaveDurationRule', 'Event', ['duration'], 'is left out'],
  ['TimeFormatRule', 'Place', ['openingHoursSpecification', 0, 'opens'], 'is cut short'],
  ['DateFormatRule', 'PartialSchedule', ['eventSchedule', 0, 'startDate'], 'is a date'],
  ['DurationFormatRule', 'SessionSeries', ['eventSchedule', 0, 'duration'], 'is a text'],
  ['LatLongFormatRule', 'Place', ['geo', 'latitude'], 'is a text'],
  ['RruleFormatRule', 'SessionSeries', ['eventSchedule', 0, 'byDay', 0], 'is a text'],
  ['MinValueInclusiveRule', 'Slot', ['remainingUses'], 'is negative'],
  ['IdRule', 'Event', ['@id'], 'is a bare name'],
  ['ValueConstraintRule', 'SessionSeries', ['eventSchedule', 0, 'idTemplate'], 'is a text'],
  ['ScheduledSessionMustBeSubeventRule', 'ScheduledSession', ['superEvent'], 'is left out'],
  ['SessionCourseHasSubeventOrScheduleRule', 'PartialSchedule', ['eventSchedule'], 'is left out'],
  ['SessionSeriesScheduleTypeRule', 'SessionSeries', ['eventSchedule', 0, 'scheduledEventType'], 'is left out'],
  ['NoHtmlRule', 'Place', ['description'], 'has HTML in it'],
  ['ValueInOptionsRule', 'Place', ['openingHoursSpecification', 0, 'dayOfWeek', 0], 'is a bare name'],
  ['FieldsNotInModelRule', 'Place', ['name'], 'stands beside an unknown one'],
  ['RequiredFieldsRule', 'FacilityUse', ['location'], 'is null'],
  ['FieldsCorrectTypeRule', 'Slot', ['@type'], 'is one and not an array, or the other way round'],
];

test.each(BROKEN)('%s: %s %j %s', async (rule, type, keys, how) => {
  const data = changed(VALID[type], keys, CHANGES[how] as Change);
  expect((await failures(data)).map((failure) => failure.rule)).toContain(rule);
  expect(await unfound(data)).toEqual([]);
});

describe('the ledger', () => {
  const rules = createRequire(import.meta.url)('@openactive/data-model-validator/src/rules') as Record<
    'raw' | 'core',
    (new () => { meta: { name: string } })[]
  >;
  const names = [...rules.raw, ...rules.core].map((Rule) => new Rule().meta.name);

  test('has every rule of the validator, and no other', () => {
    expect(Object.keys(MODEL_RULES).sort()).toEqual([...new Set(names)].sort());
  });

  test('tells the truth: where a rule failed above, one of its codes was found', () => {
    const untrue = [...seen].filter(([rule, codes]) => !MODEL_RULES[rule]?.codes?.some((code) => codes.has(code)));
    expect(seen.size).toBeGreaterThan(10);
    expect(untrue.map(([rule]) => rule)).toEqual([]);
  });
});
