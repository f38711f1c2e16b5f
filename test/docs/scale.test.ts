import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageFolder } from '../../src/cli/package.ts';
import { CACHE_CONTROL } from '../../src/server/calendars/entry.ts';
import {
  ASSUMED,
  asked,
  hitRate,
  loadOf,
  type Measured,
  PROGRAMS,
  passing,
  rates,
  total,
} from '../bench/scale/model.ts';
import { loadTable, measuredTable, programsTable } from '../bench/scale/tables.ts';

/** docs/scale.md has the tables that its command prints, and the model does what it says. */

const page = readFileSync(join(packageFolder, 'docs/scale.md'), 'utf8');
const measured = JSON.parse(readFileSync(join(packageFolder, 'test/bench/scale/measured.json'), 'utf8')) as Measured;

test.each([
  ['what programs ask', programsTable()],
  ['what was measured', measuredTable(measured)],
  ['what it takes', loadTable(measured)],
])('the table of %s is the one that is printed', (_name, table) => {
  expect(page).toContain(`\n\n${table}\n\n`);
});

describe('the model', () => {
  test('has all subscriptions, and our own header', () => {
    expect(PROGRAMS.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
    expect(CACHE_CONTROL).toContain(`max-age=${ASSUMED.maxAge},`);
  });

  test('requests a second are polls of a day', () => {
    const perDay = PROGRAMS.reduce((sum, { share, hours }) => sum + (share * 24) / hours, 0);
    expect(total(asked(ASSUMED), 'perSecond') * 86_400).toBeCloseTo(perDay * ASSUMED.subscribers, -2);
  });

  test('more is answered whole where more changes, and never more than is asked', () => {
    const whole = (changing: number) => total(asked({ ...ASSUMED, changing }), 'whole');
    expect(whole(0.2)).toBeGreaterThan(whole(0.05));
    expect(whole(1)).toBeCloseTo(total(asked(ASSUMED), 'perSecond'));
  });

  test('a cache passes what λ/(1+λT) says, as a run of random requests does', () => {
    const [rate, maxAge] = [0.01, 900];
    let [at, until, sent, through, state] = [0, 0, 0, 0, 1];
    for (; sent < 50_000; sent += 1) {
      state = (state * 48_271) % 2_147_483_647;
      at += -Math.log(state / 2_147_483_647) / rate;
      if (at < until) continue;
      through += 1;
      until = at + maxAge;
    }
    expect(through / sent).toBeCloseTo(1 / (1 + rate * maxAge), 2);
    expect(passing(Float64Array.of(rate), maxAge)).toBeCloseTo(rate / (1 + rate * maxAge), 10);
  });

  test('more places pass more, and never more than is asked', () => {
    const each = rates({ calendars: 1000, skew: 0.8 }, 100);
    const through = [1, 3, 30, 3000].map((places) => passing(each, 900, places));
    expect(through).toEqual(through.toSorted((a, b) => a - b));
    expect(through.at(-1)).toBeLessThan(100);
  });

  test('what is held is found, as a run of an LRU does', () => {
    const each = rates({ calendars: 200, skew: 0.8 }, 1);
    let sum = 0;
    const sums = each.map((rate) => (sum += rate));
    const held = new Set<number>();
    let [found, state] = [0, 1];
    const SENT = 40_000;
    for (let sent = 0; sent < SENT; sent += 1) {
      state = (state * 48_271) % 2_147_483_647;
      const one = sums.findIndex((sum) => sum >= state / 2_147_483_647);
      if (held.delete(one)) found += 1;
      held.add(one);
      if (held.size > 50) held.delete(held.values().next().value as number);
    }
    expect(found / SENT).toBeCloseTo(hitRate(each, 50), 1);
    expect(hitRate(each, 200)).toBe(1);
  });

  test('ten times the subscribers ask ten times as much, and pass a proxy less often each', () => {
    const [small, large] = [1e6, 1e7].map((subscribers) => loadOf({ ...ASSUMED, subscribers }, measured));
    expect((large?.perSecond ?? 0) / (small?.perSecond ?? 1)).toBeCloseTo(10);
    expect((large?.passingOne ?? 0) / (small?.passingOne ?? 1)).toBeLessThan(10);
  });
});
