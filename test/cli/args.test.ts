import { describe, expect, test } from 'vitest';
import { defineCommand, utcMidnight, type Values, windowOf } from '../../src/cli/args.ts';
import { UsageError } from '../../src/errors.ts';
import { testIo } from './io.ts';

const OPTIONS = {
  from: { type: 'string', value: 'DATE', help: 'a date' },
  as: { type: 'string', choices: ['a', 'b'], default: 'a', help: 'a choice' },
  feed: { type: 'string', multiple: true, help: 'several' },
  quick: { type: 'boolean', short: 'q', help: 'a switch' },
} as const;

async function parsed(...argv: string[]) {
  let seen: [Values<typeof OPTIONS>, string[]] | undefined;
  const command = defineCommand({
    name: 'try',
    summary: 'tries',
    positionals: 'FILE…',
    arity: [0, 2],
    options: OPTIONS,
    examples: [],
    run: async (values, positionals) => {
      seen = [values, positionals];
      return 0;
    },
  });
  await command.run(argv, testIo());
  return seen;
}

describe('values as the table says', () => {
  const none = { from: undefined, as: 'a', feed: [], quick: false };
  const rows: [string[], object, string[]][] = [
    [[], none, []],
    [['-'], none, ['-']],
    [['x', '--quick', 'y'], { ...none, quick: true }, ['x', 'y']],
    [['-q', '--', '--from'], { ...none, quick: true }, ['--from']],
    [['--from', '2026-05-01', '--as=b'], { ...none, from: '2026-05-01', as: 'b' }, []],
    [['--feed', '1', '--feed=2', '--feed', '1'], { ...none, feed: ['1', '2', '1'] }, []],
  ];
  test.each(rows)('%j', async (argv, values, positionals) => {
    expect(await parsed(...argv)).toMatchObject([values, positionals]);
  });
});

test('an option without its value, before another one, needs it', async () => {
  const words = 'try: --from needs a value, and another option follows it (see try --help)';
  await expect(parsed('--from', '--quick')).rejects.toThrow(words);
  await expect(parsed('--from', '--quick')).rejects.toThrow(UsageError);
});

describe('dates', () => {
  test.each([
    ['2026-05-31', Date.UTC(2026, 4, 31)],
    ['2024-02-29', Date.UTC(2024, 1, 29)],
    ['1997-09-02', Date.UTC(1997, 8, 2)],
  ])('%s', (text, expected) => {
    expect(utcMidnight('from', text)).toBe(expected);
  });

  test.each([
    '2026-02-30',
    '2025-02-29',
    '2026-13-01',
    '2026-5-1',
    '31.05.2026',
    'tomorrow',
    '2026-05-31T00:00Z',
    '+002026-05-31',
    '',
  ])('%j is none', (text) => {
    expect(() => utcMidnight('from', text)).toThrow(UsageError);
  });

  test('a window may be open at either side, but not empty or turned round', () => {
    expect(windowOf({})).toEqual({});
    expect(windowOf({ from: '2026-01-01' })).toEqual({ from: Date.UTC(2026, 0, 1) });
    expect(windowOf({ from: '2026-01-01', to: '2026-01-02' })).toEqual({
      from: Date.UTC(2026, 0, 1),
      to: Date.UTC(2026, 0, 2),
    });
    for (const to of ['2026-01-01', '2025-12-31'])
      expect(() => windowOf({ from: '2026-01-01', to })).toThrow(UsageError);
  });
});
