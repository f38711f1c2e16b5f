import { expect, test } from 'vitest';
import { untilOver } from '../../../src/calendar/rule/rrule.ts';
import { toWall, type Zone, zone } from '../../../src/time/zone.ts';

test.each(['Pacific/Kiritimati', 'Pacific/Auckland', 'Europe/London', 'Pacific/Pago_Pago'])(
  'a rule is over after its UNTIL on the wall of %s',
  (name) => {
    for (let hour = 0; hour < 24; hour += 1) {
      const until = Date.UTC(2026, 5, 30, hour);
      expect(untilOver(until)).toBeGreaterThan(toWall(zone(name) as Zone, until));
    }
  },
);
