import rrule from 'rrule';
import { NO_PARTS, type Schedule } from '../../../src/opportunity/records.ts';
import { instances } from '../../../src/recurrence/expand.ts';
import { FLOORS } from '../floors.ts';
import { type Bench, type Measurement, rate, versus } from '../measure.ts';

const { RRule } = rrule;

/**
 * From a Schedule to its occurrences' instants, against rrule doing less: floating times, no exceptions, no zone, no
 * ends of occurrences. Both read the rule anew each time.
 */

type RivalOptions = Partial<ConstructorParameters<typeof RRule>[0]>;
interface Case {
  name: string;
  plain: boolean;
  schedule: Partial<Schedule>;
  rival: RivalOptions;
  from?: string;
  to?: string;
}

const WEEKDAYS = [RRule.MO, RRule.TU, RRule.WE, RRule.TH, RRule.FR, RRule.SA, RRule.SU];
const days = (...list: (0 | 1 | 2 | 3 | 4 | 5 | 6)[]) => list.map((day) => ({ day }));
const rivalDays = (...list: number[]) => list.map((day) => WEEKDAYS[day] as (typeof WEEKDAYS)[number]);
const every = (unit: 'day' | 'week' | 'month' | 'year', n = 1) => ({ frequency: { unit, every: n } });

const CASES: Case[] = [
  {
    name: 'weekly, a year',
    plain: true,
    schedule: { ...every('week'), byDay: days(3) },
    rival: { freq: RRule.WEEKLY, byweekday: rivalDays(3) },
  },
  {
    name: 'three days a week, a year',
    plain: true,
    schedule: { ...every('week'), byDay: days(0, 2, 4) },
    rival: { freq: RRule.WEEKLY, byweekday: rivalDays(0, 2, 4) },
  },
  {
    name: 'every second week, a year',
    plain: true,
    schedule: { ...every('week', 2), byDay: days(1) },
    rival: { freq: RRule.WEEKLY, interval: 2, byweekday: rivalDays(1) },
  },
  { name: 'daily, a year', plain: true, schedule: every('day'), rival: { freq: RRule.DAILY } },
  {
    name: 'daily, 90 days of a rule that is 15 years old',
    plain: true,
    schedule: { ...every('day'), startDate: '2011-01-06' },
    rival: { freq: RRule.DAILY, dtstart: new Date('2011-01-06T18:00:00Z') },
    to: '2026-04-06',
  },
  {
    name: 'weekly, 40 times',
    plain: true,
    schedule: { ...every('week'), byDay: days(3), count: 40 },
    rival: { freq: RRule.WEEKLY, byweekday: rivalDays(3), count: 40 },
  },
  {
    name: 'second Tuesday, five years',
    plain: false,
    schedule: { ...every('month'), byDay: [{ day: 1, ordinal: 2 }] },
    rival: { freq: RRule.MONTHLY, byweekday: [RRule.TU.nth(2)] },
    to: '2031-01-06',
  },
  {
    name: 'last Friday every second month',
    plain: false,
    schedule: { ...every('month', 2), byDay: [{ day: 4, ordinal: -1 }] },
    rival: { freq: RRule.MONTHLY, interval: 2, byweekday: [RRule.FR.nth(-1)] },
    to: '2031-01-06',
  },
  {
    name: 'the 1st and 15th, five years',
    plain: false,
    schedule: { ...every('month'), byMonthDay: [1, 15] },
    rival: { freq: RRule.MONTHLY, bymonthday: [1, 15] },
    to: '2031-01-06',
  },
  { name: 'yearly, ten years', plain: false, schedule: every('year'), rival: { freq: RRule.YEARLY }, to: '2036-01-06' },
  {
    name: 'first Monday of May and August',
    plain: false,
    schedule: { ...every('year'), byMonth: [5, 8], byDay: [{ day: 0, ordinal: 1 }] },
    rival: { freq: RRule.YEARLY, bymonth: [5, 8], byweekday: [RRule.MO.nth(1)] },
    to: '2036-01-06',
  },
  {
    name: 'daily in the summer months',
    plain: false,
    schedule: { ...every('day'), byMonth: [6, 7, 8] },
    rival: { freq: RRule.DAILY, bymonth: [6, 7, 8] },
  },
  {
    name: 'weekly in term time',
    plain: false,
    schedule: { ...every('week'), byDay: days(0, 3), byMonth: [1, 2, 3, 9, 10, 11] },
    rival: { freq: RRule.WEEKLY, byweekday: rivalDays(0, 3), bymonth: [1, 2, 3, 9, 10, 11] },
  },
  {
    name: 'monthly, 30 times, every instance of a far window',
    plain: false,
    schedule: { ...every('month'), count: 30 },
    rival: { freq: RRule.MONTHLY, count: 30 },
    to: '2031-01-06',
  },
];

function scheduleOf(given: Partial<Schedule>): Schedule {
  return {
    partial: false,
    expandable: true,
    index: 0,
    startDate: '2026-01-06',
    startTime: 18 * 3600,
    duration: 3_600_000,
    ...NO_PARTS,
    except: [],
    zone: 'Europe/London',
    zoneStated: true,
    eventType: 'ScheduledSession',
    ...given,
  };
}

async function measure(one: Case, rounds: number, ms: number): Promise<Measurement> {
  const [from, to] = [
    Date.parse(`${one.from ?? '2026-01-06'}T00:00:00Z`),
    Date.parse(`${one.to ?? '2027-01-06'}T00:00:00Z`),
  ];
  const ours = () => instances(scheduleOf(one.schedule), from, to);
  const rival = () => {
    const rule = new RRule({ dtstart: new Date('2026-01-06T18:00:00Z'), ...one.rival });
    return rule.between(new Date(from), new Date(to), true);
  };
  if (ours().length !== rival().length) {
    throw new Error(`${one.name}: ${ours().length} instances of ours, ${rival().length} of rrule's`);
  }
  const repeat = await repetitions(rival, ms);
  const many = (work: () => unknown) => () => {
    for (let i = 0; i < repeat; i++) work();
  };
  const times = await versus(rounds, many(ours), many(rival));
  const floor = one.plain ? FLOORS.expandPlain : FLOORS.expandOther;
  return {
    name: `expand ${one.name}`,
    value: times.rival / times.ours,
    floor,
    ours: rate(repeat, times.ours, 'rules'),
    rival: `rrule ${rate(repeat, times.rival, 'rules')}`,
  };
}

/** How often the slower of the two fits into a round. */
async function repetitions(rival: () => unknown, ms: number): Promise<number> {
  rival();
  const start = performance.now();
  let n = 0;
  while (performance.now() - start < ms) {
    rival();
    n++;
  }
  return Math.max(1, n);
}

export const expandBench: Bench = async ({ quick }) => {
  const out: Measurement[] = [];
  for (const one of CASES) out.push(await measure(one, quick ? 3 : 9, quick ? 20 : 80));
  return out;
};
