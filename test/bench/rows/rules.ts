import rrule from 'rrule';
import { expandRule, readRule } from '../../../src/publish/read/rule.ts';
import { FLOORS } from '../floors.ts';
import { type Bench, type Measurement, rate, versus } from '../measure.ts';

/** RRULEs of other people's calendars, from the text to the starts of three years, beside rrule on floating time. */
const RULES = [
  'FREQ=WEEKLY;BYDAY=MO,WE',
  'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=SU',
  'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1',
  'FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13',
  'FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO',
  'FREQ=YEARLY;BYYEARDAY=1,100,-1',
  'FREQ=YEARLY;BYDAY=20MO',
  'FREQ=WEEKLY;BYDAY=MO,WE;BYHOUR=7,19;BYMINUTE=0,30',
  'FREQ=HOURLY;BYHOUR=9,12,15',
];

const START = Date.UTC(2026, 0, 6, 18);
const END = Date.UTC(2029, 0, 6, 18);

function ours(value: string): number[] {
  const read = readRule({ name: 'RRULE', params: new Map(), value, line: 1 });
  return 'rule' in read ? expandRule(read.rule, START, END, 100_000).walls : [];
}

function theirs(value: string): number[] {
  const rule = rrule.rrulestr(`DTSTART:20260106T180000Z\nRRULE:${value}`);
  return rule.between(new Date(START), new Date(END), true).map((date) => date.getTime());
}

async function measure(rule: string, rounds: number, repeat: number): Promise<Measurement> {
  if (ours(rule).join() !== theirs(rule).join()) throw new Error(`${rule}: not the starts that rrule gives`);
  const many = (work: (rule: string) => unknown) => () => {
    for (let i = 0; i < repeat; i++) work(rule);
  };
  const times = await versus(rounds, many(ours), many(theirs));
  return {
    name: `rule ${rule.replace('FREQ=', '')}`,
    value: times.rival / times.ours,
    floor: FLOORS.expandOther,
    ours: rate(repeat, times.ours, 'rules'),
    rival: `rrule ${rate(repeat, times.rival, 'rules')}`,
  };
}

export const rulesBench: Bench = async ({ quick }) => {
  const out: Measurement[] = [];
  for (const rule of RULES) out.push(await measure(rule, quick ? 3 : 9, quick ? 5 : 20));
  return out;
};
