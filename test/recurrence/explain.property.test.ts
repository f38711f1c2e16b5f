import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Series, Session } from '../../src/opportunity/records.ts';
import { instances } from '../../src/recurrence/expand.ts';
import { type Verdict, verdicts } from '../../src/recurrence/explain.ts';
import { occurrences } from '../../src/recurrence/overlay.ts';
import { madeSeries } from '../calendar/made.ts';
import { Random } from '../generate/random.ts';
import { runs } from '../runs.ts';

const DAY = 86_400_000;
const [FROM, TO] = [Date.UTC(2025, 0, 1), Date.UTC(2027, 6, 1)];
const windows = fc
  .tuple(fc.integer({ min: 0, max: 2 ** 31 - 1 }), fc.integer({ min: 0, max: 800 }), fc.integer({ min: 1, max: 120 }))
  .map(([seed, day, days]) => ({ seed, from: FROM + day * DAY, to: Math.min(TO, FROM + (day + days) * DAY) }));

function check(name: string, holds: (series: Series, sessions: Session[], from: number, to: number) => void) {
  test(name, () => {
    fc.assert(
      fc.property(windows, ({ seed, from, to }) => {
        const { series, sessions } = madeSeries(new Random(seed), 'x');
        holds(series, sessions, from, to);
      }),
      { numRuns: runs(200) },
    );
  });
}

check('what is shown is what is listed, row for row', (series, sessions, from, to) => {
  const shown = verdicts(series, sessions, from, to).filter((one) => one.shown);
  expect(shown.map(({ occurrence }) => occurrence)).toEqual(occurrences(series, sessions, from, to));
});

check('every instance of every schedule is there exactly once', (series, sessions, from, to) => {
  const key = (schedule: number | undefined, start: number) => `${schedule} ${start}`;
  const made = series.schedules.flatMap((one) => instances(one, from, to).map(({ start }) => key(one.index, start)));
  const told = verdicts(series, sessions, from, to)
    .filter(({ instance }) => instance !== undefined)
    .map(({ occurrence }) => key(occurrence.schedule, occurrence.original as number));
  expect(told.sort()).toEqual(made.sort());
});

/** Semantics 4 as a person would check one row by hand. */
function holds({ because, shown, occurrence, session, exclusion, earlier }: Verdict, series: Series): void {
  const schedule = series.schedules.find(({ index }) => index === occurrence.schedule);
  if (because === 'excepted') {
    const index = Number(/^exceptDate\[(\d+)\]$/.exec(exclusion?.at ?? '')?.[1]);
    const said = schedule?.except[index];
    expect(shown).toBe(false);
    if (said !== undefined && 'instant' in said) expect(said.instant).toBe(occurrence.start);
    else expect(said).toMatchObject({ date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string });
  }
  if (because === 'moved-by-session') expect(session?.start).not.toBe(occurrence.start);
  if (because === 'replaced-by-session' || because === 'replaces-by-id' || because === 'replaces-by-start')
    expect(session?.start).toBe(occurrence.original);
  if (because === 'moved') expect(session?.start).not.toBe(occurrence.original);
  if (because === 'same-as-earlier-schedule') expect(earlier).toBeLessThan(occurrence.schedule as number);
  if (because === 'no-schedule') expect(series.schedules.filter(({ expandable }) => expandable)).toEqual([]);
}

check('each reason is true', (series, sessions, from, to) => {
  for (const verdict of verdicts(series, sessions, from, to)) holds(verdict, series);
});

test('every reason occurs among what is tried', () => {
  const seen = new Set<string>();
  for (let seed = 0; seed < 400; seed++) {
    const { series, sessions } = madeSeries(new Random(seed), 'x');
    for (const { because } of verdicts(series, sessions, FROM, TO)) seen.add(because);
  }
  expect([...seen].sort()).toEqual(expect.arrayContaining(['excepted', 'generated', 'moved', 'moved-by-session']));
  expect(seen.size).toBeGreaterThan(8);
});
