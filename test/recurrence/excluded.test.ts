import { expect, test } from 'vitest';
import type { Schedule } from '../../src/opportunity/records.ts';
import { type Exclusion, excludedBy } from '../../src/recurrence/excluded.ts';
import { expanderOf } from '../../src/recurrence/expand.ts';
import { schedule } from './make.ts';

/** What takes dates away is read once: occurrences, EXDATE, findings and explanations ask for it. */

const at = Date.parse;
const day = (date: string): number => at(date) / 86_400_000;

const DAILY: Partial<Schedule> = { startDate: '2026-07-01', startTime: 36_000, frequency: { unit: 'day', every: 1 } };

test.each<[what: string, except: Schedule['except'], expected: Partial<Exclusion>]>([
  ['a date', [{ date: '2026-07-03' }], { day: day('2026-07-03'), at: 'exceptDate[0]', stated: '2026-07-03' }],
  [
    'an instant',
    [{ instant: at('2026-07-03T09:00:00Z') }],
    { start: at('2026-07-03T09:00:00Z'), at: 'exceptDate[0]', stated: at('2026-07-03T09:00:00Z') },
  ],
  [
    'local time labelled as UTC',
    [{ instant: at('2026-07-03T10:00:00Z') }],
    { start: at('2026-07-03T09:00:00Z'), at: 'exceptDate[0]', stated: at('2026-07-03T10:00:00Z') },
  ],
  [
    'a midnight at which nothing starts',
    [{ instant: at('2026-07-03T00:00:00Z') }],
    { day: day('2026-07-03'), at: 'exceptDate[0]', stated: at('2026-07-03T00:00:00Z') },
  ],
  ['another name', [{ date: '2026-07-03', at: 'exceptDates[4]' }], { day: day('2026-07-03'), at: 'exceptDates[4]' }],
])('%s is an exclusion', (_, except, expected) => {
  const {
    schedule: given,
    rule,
    zone,
    exclusion,
  } = expanderOf(schedule({ ...DAILY, except })) as NonNullable<ReturnType<typeof expanderOf>>;
  const [only, ...others] = excludedBy(given, rule, zone);
  expect(only).toMatchObject({ property: 'exceptDate', ...expected });
  expect(others).toEqual([]);
  expect(exclusion(at('2026-07-03T09:00:00Z'), at('2026-07-03T10:00:00Z'))).toEqual(only);
  expect(exclusion(at('2026-07-04T09:00:00Z'), at('2026-07-04T10:00:00Z'))).toBeUndefined();
});
