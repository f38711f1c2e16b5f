import OpeningHours from 'opening_hours';
import type { Hours } from '../../../src/hours/decide.ts';
import { holidayCalendar } from '../../../src/hours/holidays.ts';
import { openPeriods } from '../../../src/hours/periods.ts';
import type { OpeningHours as Entry } from '../../../src/opportunity/records.ts';
import type { Weekday } from '../../../src/time/instant.ts';
import { type Zone, zone } from '../../../src/time/zone.ts';
import { FLOORS } from '../floors.ts';
import { type Bench, rate, versus } from '../measure.ts';

/**
 * A year of open periods of a place, beside opening_hours.js with the same hours in its own grammar. Both begin with the
 * hours as they are stored, each time: our entries, its text. Nights past midnight are left out: there it has other rules
 * (the next day's hours take the night's tail away).
 */

interface Case {
  name: string;
  hours: Hours;
  grammar: string;
}

const WEEKDAYS: Weekday[] = [0, 1, 2, 3, 4];
const CLOSED = { opens: 0, closes: 0 };

function entry(days: Weekday[], opens: number, closes: number, more: Partial<Entry> = {}): Entry {
  return { days, publicHolidays: false, opens: opens * 3600, closes: closes * 3600, path: '$', ...more };
}

const CASES: Case[] = [
  {
    name: 'a plain week',
    hours: { standard: [entry(WEEKDAYS, 6.5, 21.5), entry([5, 6], 9, 17.5)], special: [] },
    grammar: 'Mo-Fr 06:30-21:30; Sa,Su 09:00-17:30',
  },
  {
    name: 'two periods a day and public holidays',
    hours: {
      standard: [
        entry(WEEKDAYS, 6, 13),
        entry(WEEKDAYS, 16, 20),
        entry([5], 8, 20),
        entry([6], 9, 17.5, { publicHolidays: true }),
      ],
      special: [],
    },
    grammar: 'Mo-Fr 06:00-13:00,16:00-20:00; Sa 08:00-20:00; Su,PH 09:00-17:30',
  },
  {
    name: 'seasons and special days',
    hours: {
      standard: [
        entry(WEEKDAYS, 9, 17, { validFrom: '2026-01-01', validThrough: '2026-04-30' }),
        entry(WEEKDAYS, 8, 21, { validFrom: '2026-05-01', validThrough: '2026-09-30' }),
        entry(WEEKDAYS, 9, 17, { validFrom: '2026-10-01', validThrough: '2026-12-31' }),
      ],
      special: [
        entry([], 0, 0, { ...CLOSED, validFrom: '2026-12-24', validThrough: '2026-12-31' }),
        entry([], 10, 14, { validFrom: '2026-06-15', validThrough: '2026-06-15' }),
      ],
    },
    grammar:
      'Jan-Apr Mo-Fr 09:00-17:00; May-Sep Mo-Fr 08:00-21:00; Oct-Dec Mo-Fr 09:00-17:00; Dec 24-31 off; Jun 15 10:00-14:00',
  },
];

const LONDON = zone('Europe/London') as Zone;
const [FROM, TO] = [Date.UTC(2026, 0, 1), Date.UTC(2027, 0, 1)];
const ADDRESS = { lat: 51.5, lon: -0.12, address: { country_code: 'gb', country: 'United Kingdom', state: 'England' } };

function ours({ hours }: Case): number {
  const holidays = holidayCalendar({ country: 'GB', region: 'ENG' });
  return openPeriods(hours, { zone: LONDON, holidays }, FROM, TO).length;
}

function rivals({ grammar }: Case): number {
  return new OpeningHours(grammar, ADDRESS).getOpenIntervals(new Date(FROM), new Date(TO)).length;
}

export const hoursBench: Bench = async ({ quick }) => {
  // The rival knows only the zone of the process.
  const before = process.env.TZ;
  process.env.TZ = LONDON.id;
  const measurements = [];
  for (const one of CASES) {
    if (ours(one) !== rivals(one)) throw new Error(`${one.name}: ${ours(one)} periods here, ${rivals(one)} there`);
    const [many, few] = quick ? [200, 2] : [2_000, 10];
    const times = await versus(
      quick ? 3 : 7,
      () => repeat(many, () => ours(one)),
      () => repeat(few, () => rivals(one)),
    );
    measurements.push({
      name: `hours ${one.name}`,
      value: times.rival / few / (times.ours / many),
      floor: FLOORS.hours,
      ours: rate(many, times.ours, 'place-years'),
      rival: `opening_hours.js ${rate(few, times.rival, 'place-years')}`,
    });
  }
  if (before === undefined) delete process.env.TZ;
  else process.env.TZ = before;
  return measurements;
};

function repeat(times: number, work: () => unknown): void {
  for (let n = 0; n < times; n++) work();
}
