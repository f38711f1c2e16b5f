import rrule from 'rrule';
import { WEEKDAY_CODES } from '../../src/time/days.ts';
import type { Random } from '../generate/random.ts';
import { instantOf } from '../oracle/days.ts';
import { rowOf } from './published.ts';

/**
 * Random recurring events of other people's calendars, with the rows they stand for: the rule expanded by rrule on wall
 * time, the step to instants by luxon, EXDATE, RDATE and overrides by hand. Nothing of the program under test.
 */

const DAY = 86_400_000;
const ZONES = ['Europe/London', 'America/New_York', 'Australia/Sydney', 'Asia/Kolkata', 'Pacific/Auckland'];
export const FROM = Date.UTC(2026, 11, 1);
export const TO = Date.UTC(2028, 5, 1);

export interface RandomEvent {
  lines: string[];
  overrides: string[][];
  rows: string[];
  rule: string;
}

export function randomEvent(random: Random, index: number): RandomEvent {
  const zone = random.pick(ZONES);
  const minutes = random.pick([0, 30, 45, 60, 90, 480]);
  const time = random.pick(['000000', '013000', '023000', '063000', '093000', '183000', '233000']);
  const day = Math.floor(Date.UTC(2027, 0, 1) / DAY) + random.int(0, 200);
  const rule = randomRule(random);
  const wall = day * DAY + seconds(time) * 1000;
  // A DTSTART that the rule does not give is no date, as in most programs.
  const all = wallsOf(zone, rule, wall);
  const except =
    all.length > 0 && random.chance(0.4) ? [random.pick(all.slice(0, 12)), random.pick(all.slice(0, 12))] : [];
  const extra = random.chance(0.2) ? [wall + random.int(1, 60) * DAY + 3_600_000] : [];
  const given = [...new Set([...all, ...extra])].filter((one) => !except.includes(one));
  const uid = `event-${index}@example.org`;
  const name = `Event ${index}`;
  const lines = [
    `UID:${uid}`,
    'DTSTAMP:20261101T000000Z',
    `SUMMARY:${name}`,
    `DTSTART;TZID=${zone}:${text(wall)}`,
    ...(minutes === 0
      ? []
      : [random.chance(0.5) ? `DURATION:PT${minutes}M` : `DTEND;TZID=${zone}:${text(wall + minutes * 60_000)}`]),
    `RRULE:${rule}`,
    ...except.map((one) =>
      random.chance(0.5) ? `EXDATE;TZID=${zone}:${text(one)}` : `EXDATE:${text(instantOf(zone, one))}Z`,
    ),
    ...extra.map((one) => `RDATE;TZID=${zone}:${text(one)}`),
  ];
  const { overrides, changed } = randomOverrides(random, { uid, name, zone, minutes, given });
  const length = endLength(zone, wall, minutes, lines);
  const rows = given.map((one) => changed.get(one) ?? plainRow(zone, one, length, name));
  return { lines, overrides, rows: rows.filter(inWindow).sort(), rule };
}

function plainRow(zone: string, wall: number, length: number, name: string): string {
  const start = instantOf(zone, wall);
  return rowOf(start, start + length, 'CONFIRMED', name);
}

/** DTEND in the zone is exact from the first to the last moment: RFC 5545 3.8.5.3. */
function endLength(zone: string, wall: number, minutes: number, lines: string[]): number {
  if (minutes === 0 || lines.some((line) => line.startsWith('DURATION'))) return minutes * 60_000;
  const exact = instantOf(zone, wall + minutes * 60_000) - instantOf(zone, wall);
  // From an hour that does not exist to one that does.
  return exact > 0 ? exact : minutes * 60_000;
}

interface Given {
  uid: string;
  name: string;
  zone: string;
  minutes: number;
  given: number[];
}

function randomOverrides(random: Random, { uid, name, zone, minutes, given }: Given) {
  const changed = new Map<number, string>();
  const overrides: string[][] = [];
  const count = given.length === 0 ? 0 : random.int(0, 3);
  for (let i = 0; i < count; i++) {
    const wall = random.pick(given.slice(0, 15));
    if (changed.has(wall)) continue;
    const kind = random.pick(['moved', 'cancelled', 'renamed', 'longer']);
    const start = kind === 'moved' ? wall + random.int(-3, 3) * 3_600_000 + 86_400_000 : wall;
    const length = (kind === 'longer' ? minutes + 30 : Math.max(minutes, 15)) * 60_000;
    const title = kind === 'renamed' ? `${name}, renamed` : name;
    const status = kind === 'cancelled' ? 'CANCELLED' : 'CONFIRMED';
    const at = instantOf(zone, start);
    overrides.push([
      `UID:${uid}`,
      'DTSTAMP:20261101T000000Z',
      random.chance(0.5) ? `RECURRENCE-ID;TZID=${zone}:${text(wall)}` : `RECURRENCE-ID:${text(instantOf(zone, wall))}Z`,
      `DTSTART:${text(at)}Z`,
      `DTEND:${text(at + length)}Z`,
      `SUMMARY:${title}`,
      `STATUS:${status}`,
    ]);
    changed.set(wall, rowOf(at, at + length, status, title));
  }
  return { overrides, changed };
}

function inWindow(row: string): boolean {
  const [start = 0, end = 0] = row.split(' ', 2).map((one) => Date.parse(`${one}Z`));
  return start < TO && (end > start ? end > FROM : start >= FROM);
}

/** As rrule expands it, on wall time; UNTIL is an instant. */
function wallsOf(zone: string, rule: string, wall: number): number[] {
  const until = /;UNTIL=(\d{8})T(\d{6})Z/.exec(rule);
  const endless = rule.replace(/;UNTIL=[^;]*/, '');
  const set = rrule.rrulestr(`DTSTART:${text(wall)}Z\nRRULE:${endless}`);
  const walls = set.between(new Date(wall), new Date(TO + 3 * DAY), true).map((date) => date.getTime());
  if (until === null) return walls;
  const last = Date.parse(`${until[1]?.replace(/(....)(..)(..)/, '$1-$2-$3')}T12:00:00Z`);
  return walls.filter((one) => instantOf(zone, one) <= last);
}

function randomRule(random: Random): string {
  const parts = random.pick([weekly, weekly, daily, monthly, monthly, yearly, odd])(random);
  // rrule looks for ever for an hour that its steps never come to.
  const every = parts.startsWith('FREQ=HOURLY') ? 1 : random.pick([1, 1, 1, 2, 3]);
  const end = random.pick([
    () => '',
    () => '',
    () => `;COUNT=${random.int(1, 40)}`,
    () => `;UNTIL=${text(Date.UTC(2027, 5, 1) + random.int(0, 300) * DAY + 12 * 3_600_000)}Z`,
  ])();
  const start = random.chance(0.2) ? `;WKST=${random.pick(['SU', 'WE'])}` : '';
  return `${parts}${every === 1 ? '' : `;INTERVAL=${every}`}${end}${start}`;
}

function days(random: Random): string {
  const chosen = WEEKDAY_CODES.filter(() => random.chance(0.35));
  return (chosen.length === 0 ? ['WE'] : chosen).join(',');
}

const weekly = (random: Random) =>
  `FREQ=WEEKLY${random.chance(0.8) ? `;BYDAY=${days(random)}` : ''}${random.chance(0.1) ? ';BYMONTH=1,2,9,10' : ''}`;
const daily = (random: Random) =>
  `FREQ=DAILY${random.chance(0.3) ? `;BYDAY=${days(random)}` : ''}${random.chance(0.2) ? ';BYHOUR=8,17' : ''}`;
const monthly = (random: Random) =>
  `FREQ=MONTHLY${random.pick([
    () => '',
    () => `;BYDAY=${random.pick(['2TU', '-1FR', '1MO,3MO', 'SA'])}`,
    () => `;BYMONTHDAY=${random.pick(['1', '15', '31', '-1', '1,15'])}`,
    () => `;BYDAY=FR;BYMONTHDAY=13`,
    () => `;BYDAY=${random.pick(['TU', 'FR'])};BYSETPOS=${random.pick(['2', '-1', '1,3'])}`,
    () => ';BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1',
  ])()}`;
const yearly = (random: Random) =>
  `FREQ=YEARLY${random.pick([
    () => '',
    () => ';BYMONTH=3,9;BYDAY=1SA',
    () => ';BYMONTH=6;BYMONTHDAY=21',
    () => ';BYDAY=20MO',
    () => ';BYYEARDAY=1,100,-1',
    () => ';BYWEEKNO=20;BYDAY=MO',
    () => ';BYMONTH=5;BYDAY=SU;BYSETPOS=2',
  ])()}`;
const odd = (random: Random) =>
  random.pick([
    'FREQ=HOURLY;BYHOUR=9,12,15',
    'FREQ=WEEKLY;BYDAY=MO,WE;BYHOUR=7,19;BYMINUTE=0,30',
    'FREQ=DAILY;BYMONTH=7,8',
    'FREQ=MONTHLY;BYDAY=MO,WE;BYSETPOS=1,-1',
  ]);

function seconds(time: string): number {
  return Number(time.slice(0, 2)) * 3600 + Number(time.slice(2, 4)) * 60 + Number(time.slice(4));
}

function text(wall: number): string {
  return new Date(wall).toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
}
