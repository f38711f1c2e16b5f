import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { FROM, TO } from '../cases.ts';
import { NIGHT_ZONES } from '../examiner/nights.ts';
import { SCHEDULE_ZONES } from '../examiner/schedule.ts';
import { offsetAt } from '../feed-rules/instances.ts';
import { whenHere } from '../judge.ts';
import { UNSETTLED_ZONES } from '../ledger.ts';
import { runs } from '../readers.ts';

/**
 * Most judges take zones from the machine, whatever VTIMEZONE says. Where its tz database is of another release than Node's,
 * they are right by their own data and differ all the same: this says so before they do.
 */

const HOURS = 6;
const script = fileURLToPath(new URL('../readers/zones.py', import.meta.url));
const zones = [...new Set([...SCHEDULE_ZONES, ...NIGHT_ZONES])].sort();

test('no generated series is in a zone of the ledger', () => {
  expect(zones.filter((zone) => zone in UNSETTLED_ZONES)).toEqual([]);
});

whenHere(runs('/usr/bin/python3', ['-c', 'import zoneinfo']) ? undefined : '/usr/bin/python3 with zoneinfo', () => {
  test(`tzdata of the machine says of these zones what that of Node (${process.versions.tz}) says`, () => {
    const said = execFileSync('/usr/bin/python3', [script, FROM, TO, String(HOURS), ...zones], {
      encoding: 'utf8',
      maxBuffer: 1 << 29,
    });
    const differing = said
      .trimEnd()
      .split('\n')
      .flatMap((line, n) => {
        const zone = zones[n] as string;
        const at = (JSON.parse(line) as number[]).findIndex(
          (offset, step) => offset * 1000 !== offsetAt(zone, Date.parse(FROM) + step * HOURS * 3_600_000),
        );
        return at < 0 ? [] : [`${zone} from ${new Date(Date.parse(FROM) + at * HOURS * 3_600_000).toISOString()}`];
      });
    expect(differing).toEqual([]);
  });
});
